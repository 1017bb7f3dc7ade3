//! Pages whose verdict depends on a single rule of docs/evidence.md, because no other rule applies. `--ablate` switches
//! each rule off and runs its behaviour.

use serde_json::json;

use crate::truth::{
    case::{Behaviour, Variant, behaviour},
    phrase::{click, each, follow, log_in},
    site::{Answer, Call, agrees, file, html, json, redirect},
};

/// Records requests, and answers the failing variant with this status.
macro_rules! answers {
    ($status:literal) => {
        |call: &mut Call<'_>| match call.path {
            "poll" | "lost" => json(500, json!({})),
            _ if call.fails => html($status, "<h1>Your plan</h1><p>Basic</p>"),
            _ => done(call),
        }
    };
}

fn done(call: &mut Call<'_>) -> Answer {
    call.note("done");
    html(200, "<h1>Your plan</h1><p>Business</p>")
}

/// A button with this script.
macro_rules! button {
    ($script:literal) => {
        concat!(
            "<h1>Plan</h1><button id=b>Upgrade</button><p id=r></p><script>\n  const r = $('#r');\n  ",
            $script,
            "\n</script>"
        )
    };
}

fn upgrade(name: &'static str, about: &'static str, page: &'static str) -> Behaviour {
    behaviour("evidence", name, about)
        .page(page)
        .server(answers!(402))
        .ask(click("Upgrade"))
        .commands(["click button \"Upgrade\""])
}

/// A behaviour for a supporting rule. It has no failing variant.
fn supported(name: &'static str, about: &'static str, page: &'static str) -> Behaviour {
    upgrade(name, about, page)
        .server(answers!(200))
        .done(|facts| facts.books.state("did") == Some("1"))
        .only(&[Variant::Genuine])
}

pub(super) fn behaviours() -> Vec<Behaviour> {
    vec![
        upgrade("http_error", "only the status of the page tells", "<a href=plan>Upgrade</a>")
            .commands(["click link \"Upgrade\""]),
        upgrade("request_refused", "only the status of a request tells", button!("on('#b', 'click', () => send('plan'));")),
        behaviour("evidence", "reversion", "the site answers 200 and that nothing is liked, and the heart empties again")
            .page(
                r#"<h1>Photo</h1><button id="like" aria-pressed="false">Like</button><p id="count">3 likes</p><script>
  const set = liked => { $('#like').setAttribute('aria-pressed', liked); $('#count').textContent = (liked ? 4 : 3) + ' likes'; };
  on('#like', 'click', async () => { set(true); const r = await send('change'); set((await r.json()).liked); });
</script>"#,
            )
            .server(|call| {
                if !call.fails && call.path == "change" {
                    call.note("done");
                }
                json(200, json!({ "liked": !call.fails })).after(200)
            })
            .ask(click("Like"))
            .silent()
            .commands(["click button \"Like\""]),
        upgrade(
            "unclear_message",
            "the site answers 200 and does nothing, and the page says why in words of its own",
            button!("on('#b', 'click', async () => { await send('change'); r.textContent = FAILS ? 'You are the last owner of this workspace.' : 'Upgraded'; });"),
        )
        .server(agrees)
        .silent(),
        behaviour("evidence", "value_altered", "the site answers 200 with a lower limit than was put in, and says `Saved`")
            .page(
                r#"<h1>Customer</h1><label>Credit limit <input id="limit"></label><button id="save">Save</button><p id="r"></p><script>
  on('#save', 'click', async () => { await fetch('change', { method: 'POST', body: JSON.stringify({ limit: $('#limit').value }) }); $('#r').textContent = 'Saved'; });
</script>"#,
            )
            .server(|call| {
                call.note_unless_failing();
                json(200, json!({ "customer": { "limit": if call.fails { "1000" } else { "25000" } } }))
            })
            .steps(&["Type \"25000\" into \"Credit limit\"", "Click \"Save\""])
            .silent()
            .commands(["fill textbox \"Credit limit\" 25000", "click button \"Save\""]),
        upgrade(
            "unwanted_state",
            "the site answers 200, and the state of the plan says that it was declined",
            "<h1>Plan</h1><table><tr><th>Plan</th><th>State</th><th>Do</th></tr><tr><td>Business</td><td id=s>New</td><td><button id=b>Upgrade</button></td></tr></table><script>\n  on('#b', 'click', async () => { await send('change'); $('#s').textContent = FAILS ? 'Declined' : 'Active'; });\n</script>",
        )
        .server(agrees),
        behaviour("evidence", "other_entry", "the site answers 200 and deletes another entry")
            .page(
                r#"<h1>Customers</h1><ul><li id=a>Acme <button id=b>Delete</button></li><li id=n>Acme Nord</li></ul><script>
  on('#b', 'click', async () => { await send('change'); $(FAILS ? '#n' : '#a').remove(); });
</script>"#,
            )
            .server(agrees)
            .ask(click("Delete"))
            .silent()
            .commands(["click button \"Delete\""]),
        upgrade(
            "unclear_entry",
            "the site answers 200 and does something else, and only the entry says so, in words of its own",
            "<h1>Plan</h1><table><tr><th>Plan</th><th>State</th><th>Do</th></tr><tr><td>Business</td><td id=s>New</td><td><button id=b>Upgrade</button></td></tr></table><script>\n  on('#b', 'click', async () => { await send('change'); $('#s').textContent = FAILS ? 'Back with sales' : 'Active'; });\n</script>",
        )
        .server(agrees)
        .silent(),
        behaviour("evidence", "no_visible_effect", "the site answers 200, and the counter of the page does not move")
            .page("<h1>Ticket 4711</h1><h2 id=h>Merged tickets (0)</h2><label>Ticket number <input id=n></label><button id=b>Merge</button><script>\n  on('#b', 'click', async () => { await send('change'); $('#n').value = ''; if (!FAILS) $('#h').textContent = 'Merged tickets (1)'; });\n</script>")
            .server(agrees)
            .steps(&["Type \"4702\" into \"Ticket number\"", "Click \"Merge\""])
            .silent()
            .commands(["fill textbox \"Ticket number\" 4702", "click button \"Merge\""]),
        behaviour("evidence", "other_value", "the site answers 200 with its own limit, and shows it beside `Saved`")
            .page(
                r#"<h1>Order</h1><p id="q">Quantity: 5</p><label>New quantity <input id="n"></label><button id="b">Save</button><p id="r"></p><script>
  on('#b', 'click', async () => { await send('change'); $('#q').textContent = 'Quantity: ' + (FAILS ? 10 : $('#n').value); $('#r').textContent = 'Saved'; });
</script>"#,
            )
            .server(agrees)
            .steps(&["Type \"50\" into \"New quantity\"", "Click \"Save\""])
            .silent()
            .commands(["fill textbox \"New quantity\" 50", "click button \"Save\""]),
        upgrade(
            "earlier_step",
            "the site answers 200, and the form shows its first step again",
            "<h2 id=h>Step 2 of 3</h2><button id=b>Next</button><script>\n  on('#b', 'click', async () => { await send('change'); $('#h').textContent = FAILS ? 'Step 1 of 3' : 'Step 3 of 3'; });\n</script>",
        )
        .server(agrees)
        .words(click("Next"))
        .commands(["click button \"Next\""]),
        upgrade(
            "doubtful_body",
            "the site answers 200 and that nothing was changed, and the page says `Upgraded`",
            button!("on('#b', 'click', async () => { await send('plan'); r.textContent = 'Upgraded'; });"),
        )
        .server(|call| {
            call.note_unless_failing();
            json(200, json!({ "changed": !call.fails }))
        })
        .silent(),
        upgrade(
            "filter_ignored",
            "the list shows all plans, whatever is chosen",
            "<label>State <select id=b><option>All</option><option>Active</option><option>Ended</option></select></label><ul><li><b>Basic</b> <i>Ended</i></li><li><b>Business</b> <i>Active</i></li></ul><script>\n  on('#b', 'change', () => { if (!FAILS) { $('li').remove(); tell({ did: 1 }); } });\n</script>",
        )
        .done(|facts| facts.books.state("did") == Some("1"))
        .words(each(&["Select \"Active\" in \"State\""]))
        .commands(["select combobox \"State\" Active"])
        .silent(),
        behaviour("evidence", "unrelated_page", "the site answers with 303 and leads to a page about something else")
            .page("<h1>Workspace</h1><form method=post action=do><button>Create project</button></form>")
            .server(|call| match call.path {
                "do" if call.fails => redirect("plans"),
                "do" => {
                    call.note("done");
                    redirect("project")
                }
                "plans" => html(200, "<h1>Choose what fits</h1>"),
                _ => html(200, "<h1>Project 9</h1>"),
            })
            .ask(click("Create project"))
            .silent()
            .commands(["click button \"Create project\""]),
        behaviour("evidence", "same_page", "the list begins again instead of showing its next page")
            .page("<h1>Orders</h1><p>Page 1 of 2</p><a href=next>Next</a>")
            .server(|call| {
                call.note_unless_failing();
                let page = if call.fails { 1 } else { 2 };
                html(200, &format!("<h1>Orders</h1><p>Page {page} of 2</p><a href=next>Next</a>"))
            })
            .ask(follow("Next"))
            .silent()
            .commands(["click link \"Next\""]),
        behaviour("evidence", "not_all", "the site archives one of two ticked rows, and the page says that it is done")
            .page(
                r#"<h1>Messages</h1><table><tr><th></th><th>Subject</th></tr><tr id="x"><td><input type="checkbox" aria-label="Select Budget"></td><td>Budget</td></tr><tr id="y"><td><input type="checkbox" aria-label="Select Offsite"></td><td>Offsite</td></tr></table><button id="b">Archive</button><p id="r"></p><script>
  on('#b', 'click', async () => { await send('change'); $('#x').remove(); if (!FAILS) $('#y').remove(); $('#r').textContent = 'Archived'; });
</script>"#,
            )
            .server(agrees)
            .steps(&["Tick \"Select Budget\" and \"Select Offsite\"", "Click \"Archive\""])
            .silent()
            .commands(["check checkbox \"Select Budget\"", "check checkbox \"Select Offsite\"", "click button \"Archive\""]),
        behaviour("evidence", "not_sent", "the page saves a while after the last key, and its tabs throw away what is not saved yet")
            .page(
                r#"<div role="tablist"><button role="tab" id="notes" aria-selected="true">Notes</button><button role="tab" id="orders" aria-selected="false">Orders</button></div>
<div id="panel"><label>Memo <textarea id="memo"></textarea></label></div><script>
  let timer;
  on('#memo', 'input', () => { clearTimeout(timer); timer = setTimeout(() => send('memo'), FAILS ? 3000 : 0); });
  on('#orders', 'click', () => {
    clearTimeout(timer);
    $('#notes').setAttribute('aria-selected', false);
    $('#orders').setAttribute('aria-selected', true);
    $('#panel').innerHTML = '<h2>Orders</h2>';
  });
</script>"#,
            )
            .server(|call| {
                if call.path == "memo" {
                    call.note("done");
                }
                json(200, json!({}))
            })
            .steps(&["Type \"Check rebate\" into \"Memo\"", "Click \"Orders\""])
            .silent()
            .commands(["fill textbox \"Memo\" \"Check rebate\"", "click tab \"Orders\""]),
        upgrade(
            "accepted_for_later",
            "the site puts it in a queue, and the page shows it as done",
            button!("on('#b', 'click', async () => { const a = await send('plan'); r.textContent = 'Business'; });"),
        )
        .server(|call| {
            call.note_unless_failing();
            json(if call.fails { 202 } else { 200 }, json!({}))
        })
        .silent(),
        upgrade("body_refused", "only the body of the response tells", button!("on('#b', 'click', () => send('plan'));")).server(
            |call| {
                call.note_unless_failing();
                json(200, json!({ "success": !call.fails }))
            },
        ),
        upgrade(
            "data_refused",
            "only the status of a lookup tells",
            button!("on('#b', 'click', async () => { const a = await fetch('plan'); if (a.ok) r.textContent = 'Business'; });"),
        )
        .server(answers!(500)),
        upgrade(
            "connection_error",
            "a request gets no response, and the page says nothing",
            button!("on('#b', 'click', () => FAILS ? fetch('%HANGS-UP%/plan', { method: 'POST', mode: 'no-cors' }).catch(() => {}) : send('plan'));"),
        ),
        upgrade(
            "alert",
            "only the role of a message tells",
            button!("on('#b', 'click', () => FAILS ? show('Call 555-0100 about your account.', { role: 'alert' }) : send('plan').then(() => show('Business', { role: 'status' })));"),
        ),
        upgrade(
            "refusal_text",
            "only the words tell",
            button!("on('#b', 'click', () => FAILS ? show('The upgrade failed', { tag: 'p' }) : send('plan').then(() => show('Business', { tag: 'p' })));"),
        ),
        upgrade(
            "invalid_field",
            "only a field's mark tells",
            "<form method=post action=plan><label>Reason <input name=reason></label><button>Upgrade</button></form>",
        )
        .failing_page("<form method=post action=plan><label>Reason <input name=reason required></label><button>Upgrade</button></form>"),
        upgrade(
            "dialog_open",
            "a question is open",
            button!("on('#b', 'click', () => { if (!FAILS || confirm('Upgrade now?')) send('plan'); });"),
        )
        .may_happen(),
        // A field that rejects its own text fails by itself. Only the rule considers the other fields.
        behaviour("evidence", "field_value", "another field overwrites the value")
            .page(
                "<label>Town <input id=t></label><label>Postcode <input id=p></label><script>on('#p', 'input', () => { if (FAILS) $('#t').value = 'Berlin'; tell({ town: $('#t').value }); });</script>",
            )
            .ask(each(&[
                "Fill \"Town\" with \"Bonn\" and \"Postcode\" with \"10115\"",
                "Type \"Bonn\" into \"Town\" and \"10115\" into \"Postcode\"",
                "Set \"Town\" to \"Bonn\" and \"Postcode\" to \"10115\"",
            ]))
            .done(|facts| facts.books.state("town") == Some("Bonn"))
            .commands(["fill textbox \"Town\" \"Bonn\"", "fill textbox \"Postcode\" \"10115\""]),
        behaviour("evidence", "login_form", "the form is still there, below other texts")
            .page(
                r#"<h1>Log in</h1><form><label>Username <input name=user></label><label>Password <input type=password name=password></label><button>Log in</button></form><p id=r></p><script>
  on('form', 'submit', async event => { event.preventDefault(); await send('change'); if (FAILS) $('#r').textContent = 'New here? Join us.'; else document.body.innerHTML = '<h1>Welcome</h1>'; });
</script>"#,
            )
            .server(agrees)
            .ask(log_in("alice", "seven-seas"))
            .only_results()
            .commands(["fill textbox \"Username\" \"alice\"", "fill textbox \"Password\" \"seven-seas\"", "click button \"Log in\""]),
        upgrade(
            "self_changing",
            "a tip changes by itself",
            button!("if (!FAILS) on('#b', 'click', () => send('plan').then(() => { $('#b').textContent = 'Upgraded'; })); const tips = ['Escape closes', 'Search is fast', 'Invite a friend']; let n = 0; setInterval(() => { r.textContent = tips[n++ % 3]; }, 150);"),
        )
        .silent(),
        upgrade(
            "clock",
            "an age is drawn anew when the pointer moves",
            button!("r.textContent = '1 minute ago'; if (!FAILS) on('#b', 'click', () => send('plan').then(() => { $('#b').textContent = 'Upgraded'; })); on('#b', 'pointerdown', () => { r.textContent = '2 minutes ago'; });"),
        )
        .silent(),
        upgrade(
            "background_request",
            "the page polls, and its polls fail",
            button!("setInterval(() => send('poll').catch(() => {}), 150); on('#b', 'click', () => send('plan').then(() => { r.textContent = 'Business'; }));"),
        )
        .only(&[Variant::Genuine]),
        upgrade(
            "foreign_request",
            "a request to another site fails",
            button!("on('#b', 'click', () => { fetch('%ELSEWHERE%/count', { method: 'POST', mode: 'no-cors' }).catch(() => {}); send('plan').then(() => { r.textContent = 'Business'; }); });"),
        )
        .only(&[Variant::Genuine]),
        // A button would have to show more than the response; a link may load what it shows.
        behaviour("evidence", "response", "only the answer to the request of a link shows it, and another action follows")
            .page("<h1>Plan</h1><a href=# id=b>Upgrade</a><label><input type=checkbox> News</label><script>\n  on('#b', 'click', event => { event.preventDefault(); tell({ did: 1 }); send('plan'); });\n</script>")
            .server(answers!(200))
            .steps(&["Click \"Upgrade\"", "Tick \"News\""])
            .commands(["click link \"Upgrade\"", "check checkbox \"News\""])
            .done(|facts| facts.books.state("did") == Some("1"))
            .only(&[Variant::Genuine]),
        supported("address", "only the address shows it", button!("on('#b', 'click', () => { tell({ did: 1 }); location.hash = 'business'; });")),
        supported("title", "only the title shows it", button!("on('#b', 'click', () => { tell({ did: 1 }); document.title = 'Business'; });")),
        supported("new_text", "only a new text shows it", button!("on('#b', 'click', () => { tell({ did: 1 }); r.textContent = 'Business'; });")),
        supported("removal", "only what is gone shows it", button!("r.textContent = 'Basic'; on('#b', 'click', () => { tell({ did: 1 }); r.remove(); });")),
        supported(
            "order",
            "only the order shows it",
            button!("r.outerHTML = '<ul><li>Basic</li><li>Business</li></ul>'; on('#b', 'click', () => { tell({ did: 1 }); $('ul').append($('li')); });"),
        ),
        behaviour("evidence", "element_state", "only the box shows it")
            .page("<label><input type=checkbox id=n> News</label><script>on('#n', 'change', () => tell({ did: 1 }));</script>")
            .ask(each(&["Tick \"News\"", "Check the box \"News\"", "Turn on \"News\""]))
            .done(|facts| facts.books.state("did") == Some("1"))
            .commands(["check checkbox \"News\""])
            .only(&[Variant::Genuine]),
        upgrade(
            "unrelated_effect",
            "the page shows only something that is unrelated to the request",
            button!("on('#b', 'click', async () => { await send('plan'); r.textContent = FAILS ? 'Offers (1)' : 'Upgraded'; });"),
        )
        .server(|call| {
            call.note_unless_failing();
            json(200, json!({}))
        })
        .silent(),
        behaviour("evidence", "effect", "only the file shows it")
            .page("<button id=b>Export</button><script>on('#b', 'click', () => { const a = document.createElement('a'); a.href = 'data.csv'; a.download = ''; a.click(); });</script>")
            .server(|call| {
                call.note("done");
                file("data.csv", "a,b\n")
            })
            .ask(each(&["Click \"Export\"", "Press the \"Export\" button"]))
            .commands(["click button \"Export\""])
            .only(&[Variant::Genuine]),
    ]
}
