//! What an entry, a form or a list shows after an action: another state than the requested one, an earlier step, one
//! chip less. Each response has a status below 400.

use crate::truth::{
    case::{Behaviour, Variant, behaviour},
    phrase::{click, fill_and_click},
    site::{agrees, html, redirect},
};

/// A button that changes the state of an entry.
fn changes(name: &'static str, about: &'static str, button: &'static str, page: &'static str) -> Behaviour {
    behaviour("state", name, about)
        .page(page)
        .server(agrees)
        .ask(click(button))
        .commands([format!("click button {button:?}")])
}

/// A table of invoices, of which the first has this button and goes from the first state to one of the others.
macro_rules! row {
    ($button:literal, $was:literal, $done:literal, $other:literal) => {
        concat!(
            "<h1>Invoices</h1><table><tr><th>No</th><th>State</th><th>Do</th></tr><tr><td>INV-7</td><td id=s>",
            $was,
            "</td><td><button id=b>",
            $button,
            "</button></td></tr><tr><td>INV-8</td><td>",
            $other,
            "</td><td></td></tr></table><script>\n  on('#b', 'click', async () => { await send('change'); $('#s').textContent = FAILS ? '",
            $other,
            "' : '",
            $done,
            "'; });\n</script>"
        )
    };
}

const GENUINE: &[Variant] = &[Variant::Genuine];

pub(super) fn behaviours() -> Vec<Behaviour> {
    vec![
        changes("declined", "the row says `Declined`, like another one", "Pay", row!("Pay", "Open", "Paid", "Declined")),
        changes("not_paid", "the row says `Not paid`", "Pay", row!("Pay", "Open", "Paid", "Not paid")),
        changes("on_hold", "the row says `On hold`", "Pay", row!("Pay", "Open", "Paid", "On hold")).silent(),
        changes("pending", "the row says `Pending review`", "Publish", row!("Publish", "Draft", "Live", "Pending review"))
            .silent(),
        changes("rejected", "a row is rejected on request", "Reject", row!("Reject", "Open", "Rejected", "")).only(GENUINE),
        changes("handed_over", "a row waits for approval on request", "Submit", row!("Submit", "Draft", "Pending approval", ""))
            .only(GENUINE),
        changes("shown", "a row is looked up again and has failed", "Refresh", row!("Refresh", "Running", "Failed", ""))
            .only(GENUINE),
        changes("held", "a row is put on hold on request", "Put on hold", row!("Put on hold", "Open", "On hold", ""))
            .only(GENUINE),
        changes(
            "detail",
            "the details say `Declined`",
            "Pay",
            r#"<h1>Invoice 7</h1><dl><dt>Amount</dt><dd>$9</dd><dt>State</dt><dd id=s>Open</dd></dl><button id=b>Pay</button><script>
  on('#b', 'click', async () => { await send('change'); $('#s').textContent = FAILS ? 'Declined' : 'Paid'; });
</script>"#,
        ),
        changes(
            "badge",
            "a badge in the list says `Failed`",
            "Deploy",
            r#"<h1>Sites</h1><ul><li><b>shop</b> <span id=s>Idle</span> <button id=b>Deploy</button></li><li><b>blog</b> <span>Live</span></li></ul><script>
  on('#b', 'click', async () => { await send('change'); $('#s').textContent = FAILS ? 'Failed' : 'Live'; });
</script>"#,
        ),
        changes(
            "confirmed",
            "a dialog confirms the payment, and the row says `Declined`",
            "Pay",
            r#"<h1>Invoices</h1><table><tr><th>No</th><th>State</th></tr><tr><td>INV-7</td><td id=s>Open</td></tr></table><button id=b>Settle</button><dialog id=d aria-label=Payment><p>INV-7</p><button id=c>Pay now</button></dialog><script>
  on('#b', 'click', () => $('#d').show());
  on('#c', 'click', async () => { await send('change'); $('#d').close(); $('#s').textContent = FAILS ? 'Declined' : 'Paid'; });
</script>"#,
        )
        .words(Vec::new())
        .steps(&["Click \"Settle\"", "Click \"Pay now\""])
        .commands(["click button \"Settle\"", "click button \"Pay now\""]),
        changes(
            "ticked",
            "one of two ticked rows says `Failed`",
            "Send",
            r#"<h1>Mails</h1><table><tr><th>Sel</th><th>Mail</th><th>State</th></tr><tr><td><input type=checkbox aria-label="Select A" checked></td><td>A</td><td class=s>New</td></tr><tr><td><input type=checkbox aria-label="Select B" checked></td><td>B</td><td class=s>New</td></tr></table><button id=b>Send</button><script>
  on('#b', 'click', async () => { await send('change'); document.querySelectorAll('.s').forEach((cell, at) => { cell.textContent = FAILS && at === 1 ? 'Failed' : 'Delivered'; }); });
</script>"#,
        ),
        changes(
            "added",
            "`Failed` appears in an empty line",
            "Deploy",
            r#"<h1>Site</h1><button id=b>Deploy</button><p id=r></p><script>
  on('#b', 'click', async () => { await send('change'); $('#r').textContent = FAILS ? 'Failed' : 'Deployed'; });
</script>"#,
        ),
        changes(
            "empty_cell",
            "`Insufficient funds` appears in an empty cell",
            "Pay",
            row!("Pay", "", "Paid", "Insufficient funds"),
        ),
        behaviour("state", "reloaded", "a form leads back to the table, in which the state is `Failed`")
            .page("<h1>Sites</h1><table><tr><td>shop</td><td>Idle</td><td><form method=post action=do><button>Deploy</button></form></td></tr></table>")
            .server(|call| match call.path {
                "do" => {
                    call.note_unless_failing();
                    redirect("./?now=1")
                }
                _ if call.fails => html(200, "<h1>Sites</h1><table><tr><td>shop</td><td>Failed</td><td><form method=post action=do><button>Deploy</button></form></td></tr></table>"),
                _ => html(200, "<h1>Sites</h1><table><tr><td>shop</td><td>Live</td><td><form method=post action=do><button>Deploy</button></form></td></tr></table>"),
            })
            .ask(click("Deploy"))
            .commands(["click button \"Deploy\""]),
        changes(
            "edited",
            "the dialog closes, and the entry has its old name still",
            "Save",
            r#"<h1>Projects</h1><ul><li id=e>Alpha</li><li id=n>Beta</li></ul><div role=dialog id=d aria-label=Edit><label>Name <input id=i value=Beta></label><button id=b>Save</button></div><p id=r></p><script>
  on('#b', 'click', async () => { await send('change'); $('#r').textContent = 'Saved'; if (!FAILS) $('#n').textContent = $('#i').value; $('#d').remove(); });
</script>"#,
        )
        .words(Vec::new())
        .ask(fill_and_click("Orion", "Name", "Save"))
        .silent()
        .commands(["fill textbox \"Name\" Orion", "click button \"Save\""]),
        changes(
            "not_added",
            "the field is empty again, and the list has no new entry",
            "Add",
            r#"<h1>Members</h1><label>Name <input id=i></label><button id=b>Add</button><ul id=l><li>Ann</li></ul><script>
  on('#b', 'click', async () => { await send('change'); if (!FAILS) show($('#i').value, { tag: 'li', where: $('#l') }); $('#i').value = ''; });
</script>"#,
        )
        .words(Vec::new())
        .ask(fill_and_click("Zoe", "Name", "Add"))
        .silent()
        .commands(["fill textbox \"Name\" Zoe", "click button \"Add\""]),
        changes(
            "back_again",
            "the page says that the entry was deleted, and it is back in the list",
            "Delete",
            r#"<h1>Projects</h1><ul id=l><li id=e>Alpha</li><li id=n>Beta <button id=b>Delete</button></li></ul><p id=r></p><script>
  on('#b', 'click', async () => { const entry = $('#n'); entry.remove(); await send('change'); $('#r').textContent = 'Beta deleted'; if (FAILS) $('#l').append(entry); });
</script>"#,
        )
        .silent(),
        changes(
            "in_part",
            "three addresses are given, and two people invited",
            "Invite",
            r#"<h1>Team</h1><label>To <input id=i></label><button id=b>Invite</button><p id=r></p><script>
  on('#b', 'click', async () => { await send('change'); $('#i').value = ''; $('#r').textContent = FAILS ? '2 people invited' : '3 people invited'; });
</script>"#,
        )
        .words(Vec::new())
        .ask(fill_and_click("a@x.test, b@x.test, c@x.test", "To", "Invite"))
        .silent()
        .commands(["fill textbox \"To\" \"a@x.test, b@x.test, c@x.test\"", "click button \"Invite\""]),
        changes(
            "wizard_back",
            "the form shows its first step again",
            "Next",
            r#"<h1>Order</h1><h2 id=h>Step 2 of 3: Address</h2><label>Town <input id=t></label><button id=b>Next</button><script>
  on('#b', 'click', async () => { await send('change'); $('#t').value = ''; $('#h').textContent = FAILS ? 'Step 1 of 3: Contact' : 'Step 3 of 3: Payment'; });
</script>"#,
        )
        .words(Vec::new())
        .ask(fill_and_click("Ghent", "Town", "Next"))
        .commands(["fill textbox \"Town\" Ghent", "click button \"Next\""]),
        changes(
            "chip",
            "one of three tags is gone after saving",
            "Save",
            r#"<h1>Note</h1><div id=t></div><button id=b>Save</button><p id=r></p><script>
  const draw = tags => { $('#t').innerHTML = tags.map(tag => `<span>${tag} <button aria-label="Remove ${tag}">×</button></span>`).join(''); };
  ready(() => draw(['red', 'green', 'blue']));
  on('#b', 'click', async () => { await send('change'); draw(FAILS ? ['red', 'blue'] : ['red', 'green', 'blue']); $('#r').textContent = 'Saved'; });
</script>"#,
        )
        .silent(),
        behaviour("state", "enter", "the Enter key sends the form, and the site leads to its plans")
            .page("<h1>Workspace</h1><form method=post action=do><label>Project <input name=p></label></form>")
            .server(|call| match call.path {
                "do" if call.fails => redirect("plans"),
                "do" => {
                    call.note("done");
                    redirect("project")
                }
                "plans" => html(200, "<h1>Choose what fits</h1>"),
                _ => html(200, "<h1>Orion</h1>"),
            })
            .steps(&["Type \"Orion\" into \"Project\" and press Enter"])
            .silent()
            .commands(["fill textbox \"Project\" Orion", "press Enter"]),
    ]
}
