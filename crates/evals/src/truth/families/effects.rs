//! What a page shows after a change that refers to the request, and what does not: a dialog that closed, an addition to
//! the old state, a value in another notation or another value, an echo of the input. An independent trial found these
//! cases. The site answers every request with a status below 400.

use crate::truth::{
    case::{Behaviour, Facts, behaviour},
    site::{agrees, html, json},
};

fn effect(name: &'static str, about: &'static str, page: &'static str, steps: &[&str]) -> Behaviour {
    behaviour("effect", name, about).page(page).server(agrees).steps(steps).silent()
}

/// Two rows of requests, each with a button. `FAILS` leaves the first one as it was.
const REQUESTS: &str = r#"<h1>Requests</h1><table><tr><td>Abel</td><td>new</td><td><button>Approve</button></td></tr><tr><td>Brandt</td><td>new</td><td><button>Approve</button></td></tr></table><script>
  document.querySelectorAll('button').forEach((button, at) => button.addEventListener('click', async () => {
    await send(at ? 'second' : 'change');
    if (at || !FAILS) button.closest('tr').cells[1].textContent = 'approved';
  }));
</script>"#;

/// Whether both rows were approved.
fn both(facts: &Facts<'_>) -> bool {
    facts.books.count("done") == 1 && facts.books.count("second") == 1
}

/// The page of [`REQUESTS`], on which both are to be approved.
fn approvals(name: &'static str, about: &'static str) -> Behaviour {
    let page = behaviour("effect", name, about).page(REQUESTS).done(both).silent();
    page.server(|call| {
        match call.path {
            "second" => call.note("second"),
            _ => call.note_unless_failing(),
        }
        json(200, serde_json::json!({}))
    })
}

pub(super) fn behaviours() -> Vec<Behaviour> {
    vec![
        effect(
            "dialog-closes",
            "only the dialog closes, and the state is as it was",
            r#"<h1>Claim L-220</h1><p id=s>Open</p><button onclick="$('#d').showModal()">Close claim</button><dialog id=d aria-label=Confirm><p>Close this claim?</p><button id=y>Confirm</button> <button onclick="$('#d').close()">Keep</button></dialog><script>
  on('#y', 'click', async () => { await send('change'); $('#d').close(); if (!FAILS) $('#s').textContent = 'Closed'; });
</script>"#,
            &["Click \"Close claim\"", "Click \"Confirm\" in the dialog"],
        ),
        effect(
            "menu-closes",
            "only the menu closes, and the entry is as it was",
            r#"<h1>Jobs</h1><table><tr><td>Job 2</td><td id=s>open</td><td><button id=b>Actions</button></td></tr></table><div id=h></div><script>
  on('#b', 'click', () => { $('#h').innerHTML = '<ul role=menu><li role=menuitem tabindex=0>Archive</li><li role=menuitem tabindex=0>Copy</li></ul>'; on('#h li', 'click', async () => { await send('change'); $('#h').innerHTML = ''; if (!FAILS) $('#s').textContent = 'archived'; }); });
</script>"#,
            &["Click \"Actions\"", "Click the menu item \"Archive\""],
        ),
        effect(
            "question-closes",
            "only the question and its buttons are gone, and the entry is still there",
            r#"<h1>Donors</h1><table><tr><td>A. Moor</td><td><button>Delete</button></td></tr><tr id=k><td>K. Linde</td><td><button id=b>Delete</button></td></tr></table><div id=h></div><script>
  on('#b', 'click', () => { $('#h').innerHTML = '<p>Remove this donor?</p><button id=y>Yes, remove</button><button>No</button>'; on('#y', 'click', async () => { await send('change'); $('#h').innerHTML = ''; if (!FAILS) $('#k').remove(); }); });
</script>"#,
            &["Click \"Delete\" in the row of \"K. Linde\"", "Click \"Yes, remove\""],
        ),
        effect(
            "addition",
            "the state only gets an addition",
            "<h1>Claim</h1><dl><dt>Status</dt><dd id=s>Open</dd></dl><button id=b>Close claim</button><script>\n  on('#b', 'click', async () => { await send('change'); $('#s').textContent = FAILS ? 'Open – letter sent' : 'Closed'; });\n</script>",
            &["Click \"Close claim\""],
        ),
        effect(
            "other-date",
            "another date stands beside another label",
            "<h1>3B</h1><dl><dt>Rent since</dt><dd id=s>1 Jul 2024</dd></dl><label>New date <input type=date id=d></label><button id=b>Adjust rent</button><script>\n  on('#b', 'click', async () => { await send('change'); $('#s').textContent = FAILS ? '15 Mar 2027' : '15 Jan 2027'; $('#d').value = ''; });\n</script>",
            &["Set \"New date\" to \"2027-01-15\"", "Click \"Adjust rent\""],
        ),
        effect(
            "other-number",
            "the page counts another number",
            "<h1>Unit 3B</h1><p id=s>No keys out</p><label>Keys <input type=number id=n></label><button id=b>Hand out</button><script>\n  on('#b', 'click', async () => { const n = $('#n').value; await send('change'); $('#s').textContent = (FAILS ? 2 : n) + ' keys out'; $('#n').value = ''; });\n</script>",
            &["Set \"Keys\" to \"3\"", "Click \"Hand out\""],
        ),
        effect(
            "side-note",
            "a note about something else appears, and the value is as it was",
            "<aside id=a></aside><h1>HB-330</h1><dl><dt>Odometer</dt><dd id=s>84120 km</dd></dl><label>New reading <input id=v></label><button id=b>Record</button><script>\n  on('#b', 'click', async () => { const v = $('#v').value; await send('change'); $('#v').value = ''; if (FAILS) show('Readings to check (1)', { tag: 'p', where: $('#a') }); else $('#s').textContent = Number(v).toLocaleString('en') + ' km'; });\n</script>",
            &["Type \"84990\" into \"New reading\"", "Click \"Record\""],
        ),
        effect(
            "other-success",
            "a success of something else appears",
            "<h1>Ticket 12</h1><p id=s>New</p><button id=b>Accept</button><p id=r></p><script>\n  on('#b', 'click', async () => { await send('change'); if (FAILS) $('#r').textContent = 'Heating data synced'; else $('#s').textContent = 'Accepted'; });\n</script>",
            &["Click \"Accept\""],
        ),
        effect(
            "code-field",
            "the page asks for a code in words of its own",
            "<h1>Payment 44</h1><p id=s>State: open</p><button id=b>Approve payment</button><div id=o></div><script>\n  on('#b', 'click', async () => { await send('change'); if (FAILS) $('#o').innerHTML = '<label>Number in your app <input></label><button>Go on</button>'; else $('#s').textContent = 'State: approved'; });\n</script>",
            &["Click \"Approve payment\""],
        ),
        effect(
            "unsent",
            "the new entry says that it was not sent",
            "<h1>Messages</h1><ul id=l><li>Welcome Sent</li></ul><label>Message <input id=m></label><button id=b>Send message</button><script>\n  on('#b', 'click', async () => { const text = $('#m').value; await send('change'); $('#m').value = ''; show(text + (FAILS ? ' Unsent' : ' Sent'), { tag: 'li', where: $('#l') }); });\n</script>",
            &["Type \"Please call back\" into \"Message\"", "Click \"Send message\""],
        ),
        effect(
            "italian",
            "the page notes the request and says that nothing changes yet",
            "<h1>Contratto 55</h1><button id=b>Disdire contratto</button><p id=r></p><script>\n  on('#b', 'click', async () => { await send('change'); $('#r').textContent = FAILS ? 'Disdetta annotata. Il contratto resta in vigore.' : 'Contratto disdetto.'; });\n</script>",
            &["Click \"Disdire contratto\""],
        ),
        effect(
            "named-state",
            "the row gets a note instead of the state in the name of the button",
            "<h1>Rooms</h1><table><tr><td>214</td><td>Dirty</td><td></td></tr><tr><td>215</td><td id=s>Dirty</td><td><button id=b>Mark clean</button></td></tr></table><script>\n  on('#b', 'click', async () => { await send('change'); $('#s').textContent = FAILS ? 'Dirty, seen by Eva' : 'Clean'; });\n</script>",
            &["Click \"Mark clean\" in the row of \"215\""],
        ),
        effect(
            "notation",
            "the new row shows another amount, and otherwise the entered one in another notation",
            "<h1>Payments</h1><table><thead><tr><th>Day</th><th>Sum</th></tr></thead><tbody id=t><tr><td>1 Nov</td><td>80.00</td></tr></tbody></table><label>Amount <input id=a></label><button id=b>Release payment</button><script>\n  on('#b', 'click', async () => { const n = Number($('#a').value); await send('change'); $('#a').value = ''; $('#t').insertRow().innerHTML = '<td>26 Nov</td><td>' + (FAILS ? '500.00' : n.toLocaleString('en', { minimumFractionDigits: 2 })) + '</td>'; });\n</script>",
            &["Type \"1250\" into \"Amount\"", "Click \"Release payment\""],
        ),
        behaviour("effect", "echo", "another page repeats the input and asks for more")
            .page("<h1>Permit</h1><form method=post action=change><label>Applicant <input name=a></label><button>Submit application</button></form>")
            .server(|call| {
                call.note_unless_failing();
                html(200, match call.fails {
                    true => "<h1>Summary</h1><p>Ada Finch</p><button>Confirm and submit</button>",
                    false => "<h1>Ada Finch</h1><p>Your application was submitted.</p>",
                })
            })
            .steps(&["Type \"Ada Finch\" into \"Applicant\"", "Click \"Submit application\""])
            .silent(),
        behaviour("effect", "condition", "another page says on what the request depends")
            .page("<h1>Street closure</h1><form method=post action=change><label>Event <input name=n></label><button>Lodge application</button></form>")
            .server(|call| {
                call.note_unless_failing();
                html(200, match call.fails {
                    true => "<h1>Sommerfest</h1><p>Sommerfest is lodged as soon as the plan is attached.</p>",
                    false => "<h1>Sommerfest</h1><p>Sommerfest was lodged.</p>",
                })
            })
            .steps(&["Type \"Sommerfest\" into \"Event\"", "Click \"Lodge application\""])
            .silent(),
        behaviour("effect", "chosen-option", "another page shows another choice than the chosen one")
            .page("<h1>Trip</h1><form method=post action=change><label>Vehicle <select name=v><option>Golf</option><option>Transit</option></select></label><button>Book</button></form>")
            .server(|call| {
                call.note_unless_failing();
                html(200, match call.fails {
                    true => "<h1>8812</h1><dl><dt>Car</dt><dd>Golf</dd></dl>",
                    false => "<h1>8812</h1><dl><dt>Car</dt><dd>Transit</dd></dl>",
                })
            })
            .steps(&["Choose \"Transit\" from \"Vehicle\"", "Click \"Book\""])
            .silent(),
        approvals("middle-step", "the first of two approvals shows nothing")
            .steps(&["Click \"Approve\" in the row of \"Abel\"", "Click \"Approve\" in the row of \"Brandt\""]),
        approvals("middle-check", "a check of the second approval says nothing of the first one").steps(&[
            "Click \"Approve\" in the row of \"Abel\"",
            "Click \"Approve\" in the row of \"Brandt\"",
            "Check that the row of \"Brandt\" contains \"approved\"",
        ]),
    ]
}
