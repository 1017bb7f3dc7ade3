//! Whether a page after a change refers to the request: another page than the requested one, a part that is missing, a
//! message in the page's own words. An independent trial found these cases. Every response has a status below 400.

use serde_json::json;

use crate::truth::{
    case::{Behaviour, Variant, behaviour},
    phrase::{click, fill_and_click},
    site::{agrees, html, json, redirect},
};

const BOTH: &[Variant] = &[Variant::Genuine, Variant::Failing];

/// A form with one button, which leads to the page `done` or to the page `not-done`.
macro_rules! leads {
    ($name:literal, $about:literal, $button:literal, $done:literal, $other:literal) => {
        behaviour("tied", $name, $about)
            .page(concat!("<h1>Workspace</h1><form method=post action=do><button>", $button, "</button></form>"))
            .server(|call| match call.path {
                "do" if call.fails => redirect("not-done"),
                "do" => {
                    call.note("done");
                    redirect("done")
                }
                "done" => html(200, $done),
                "not-done" => html(200, $other),
                _ => html(404, "<h1>Not found</h1>"),
            })
            .ask(click($button))
            .silent()
            .commands([concat!("click button \"", $button, "\"")])
    };
}

/// A button whose script sends a request and then shows a message. The site answers 200 to every request.
fn says(name: &'static str, button: &'static str, page: &'static str, variants: &'static [Variant]) -> Behaviour {
    behaviour("tied", name, "the site answers 200, and the page says in words of its own what became of it")
        .page(page)
        .server(agrees)
        .ask(click(button))
        .silent()
        .only(variants)
        .commands([format!("click button {button:?}")])
}

/// The page for [`says`].
macro_rules! words {
    ($button:literal, $role:literal, $done:literal, $other:literal) => {
        concat!(
            "<h1>Workspace</h1><button id=b>",
            $button,
            "</button><div id=r></div><script>\n  on('#b', 'click', async () => { await send('change'); show(FAILS ? '",
            $other,
            "' : '",
            $done,
            "', { role: '",
            $role,
            "', where: $('#r') }); });\n</script>"
        )
    };
}

pub(super) fn behaviours() -> Vec<Behaviour> {
    vec![
        leads!(
            "plans",
            "the site leads to its plans instead of the new project",
            "Create project",
            "<h1>Project 9</h1><p>No tasks yet</p>",
            "<title>Plans</title><h1>Choose the plan that fits</h1><p>Free: 3 projects</p><p>Team: as many as you like</p>"
        ),
        leads!(
            "first_step",
            "the site leads to the first part of the form again",
            "Finish",
            "<h1>All set</h1><p>Your account is ready.</p>",
            "<h1>Step 1 of 3: Contact</h1><label>Name <input></label><button>Next</button>"
        ),
        behaviour("tied", "last_step", "the form shows its first part again, at the same address, after its last one")
            .page(
                r#"<h1 id="h">Step 3 of 3: Check</h1><button id="b">Finish</button><script>
  on('#b', 'click', async () => { await send('change'); $('#h').textContent = FAILS ? 'Step 1 of 3: Name' : 'Thank you. Your application was received.'; });
</script>"#,
            )
            .server(agrees)
            .ask(click("Finish"))
            .silent()
            .commands(["click button \"Finish\""]),
        behaviour("tied", "merged", "the site adds the value to another entry, whose name begins with it")
            .page(
                r#"<h1>Contacts</h1><label>Name <input id="n"></label><button id="b">Create contact</button><p id="r"></p><script>
  on('#b', 'click', async () => { const name = $('#n').value; await send('change'); $('#r').textContent = FAILS ? 'Merged with ' + name + 'ström' : name + ' added'; });
</script>"#,
            )
            .server(agrees)
            .ask(fill_and_click("Kim Berg", "Name", "Create contact"))
            .silent()
            .commands(["fill textbox \"Name\" \"Kim Berg\"", "click button \"Create contact\""]),
        behaviour("tied", "hourglass", "the page shows the new entry as not sent, although the site answers 200")
            .page(
                r#"<h1>Shopping</h1><label>Item <input id="n"></label><button id="b">Add</button><ul id="l"><li>Milk</li></ul><script>
  on('#b', 'click', async () => { const name = $('#n').value; await send('change'); const e = document.createElement('li'); e.textContent = name + (FAILS ? ' ⏳' : ''); $('#l').append(e); });
</script>"#,
            )
            .server(agrees)
            .ask(fill_and_click("Bread", "Item", "Add"))
            .silent()
            .commands(["fill textbox \"Item\" Bread", "click button \"Add\""]),
        leads!(
            "terms",
            "the site leads to its new terms",
            "Open account",
            "<h1>Account 0042</h1><p>Balance €0.00</p>",
            "<h1>Our terms have changed</h1><p>Read and agree to go on.</p><button>I agree</button>"
        ),
        leads!(
            "start_page",
            "the site leads to its start page, because the session has ended",
            "Submit report",
            "<h1>Report received</h1>",
            "<h1>Acme</h1><a href=in>Log in</a> <a href=try>Start free trial</a><p>Plan, track, ship.</p>"
        ),
        leads!(
            "kept",
            "the site leads to the list, in which the project is still",
            "Delete project",
            "<h1>Projects</h1><p>Project Orion deleted</p><ul><li>Vega</li></ul>",
            "<h1>Projects</h1><p>Projects with active parts are kept</p><ul><li>Orion</li><li>Vega</li></ul>"
        ),
        behaviour("tied", "error_query", "the site leads back with an error in the address that the page does not show")
            .page("<h1>Project Orion</h1><form method=post action=do><button>Duplicate</button></form>")
            .server(|call| match call.path {
                "do" if call.fails => redirect("./?error=limit"),
                "do" => {
                    call.note("done");
                    redirect("copy")
                }
                _ => html(200, "<h1>Orion (copy)</h1><p>The project was duplicated.</p>"),
            })
            .ask(click("Duplicate"))
            .silent()
            .commands(["click button \"Duplicate\""]),
        behaviour("tied", "tags_limit", "the site keeps two of three tags, and the page says that they are saved")
            .page(
                r#"<h1>Ticket</h1><ul aria-label="Tags"><li>red</li><li>green</li><li>blue</li></ul><button id="save">Save tags</button><p id="r"></p><script>
  on('#save', 'click', async () => { await send('change'); if (FAILS) $('li:last-child').remove(); $('#r').textContent = 'Tags saved'; });
</script>"#,
            )
            .server(agrees)
            .ask(click("Save tags"))
            .silent()
            .commands(["click button \"Save tags\""]),
        behaviour("tied", "one_recipient", "the site sends to one of two addresses, and the page says to which")
            .page(
                r#"<h1>New message</h1><label>To <input id="to"></label><button id="send">Send</button><p id="r"></p><script>
  on('#send', 'click', async () => {
    const to = $('#to').value;
    await send('change');
    $('#r').textContent = 'Message sent to ' + (FAILS ? to.split(',')[0] : to);
  });
</script>"#,
            )
            .server(agrees)
            .ask(fill_and_click("eve@x.test, bob@x.test", "To", "Send"))
            .silent()
            .commands(["fill textbox \"To\" \"eve@x.test, bob@x.test\"", "click button \"Send\""]),
        behaviour("tied", "rejected_part", "the body of the response lists what was not taken")
            .page(
                r#"<h1>Import</h1><button id="b">Import</button><p id="r"></p><script>
  on('#b', 'click', async () => { await send('change'); $('#r').textContent = 'Done'; });
</script>"#,
            )
            .server(|call| {
                call.note_unless_failing();
                let rejected: &[&str] = if call.fails { &["b.csv"] } else { &[] };
                json(200, json!({ "accepted": ["a.csv"], "rejected": rejected }))
            })
            .ask(click("Import"))
            .commands(["click button \"Import\""]),
        behaviour("tied", "panel_done", "a panel closes, and what was put into it is not sent")
            .page(
                r#"<h1>Card</h1><div id="p"><label>Description <textarea id="t"></textarea></label><button id="d">Done</button></div><script>
  on('#d', 'click', async () => { if (!FAILS) await send('change'); $('#p').remove(); });
</script>"#,
            )
            .server(agrees)
            .ask(fill_and_click("New text", "Description", "Done"))
            .silent()
            .commands(["fill textbox \"Description\" \"New text\"", "click button \"Done\""]),
        behaviour("tied", "coupon_zero", "the site knows the coupon and takes nothing off")
            .page(
                r#"<h1>Cart</h1><label>Code <input id="c"></label><button id="b">Apply</button><p id="r"></p><script>
  on('#b', 'click', async () => { await send('change'); $('#r').textContent = $('#c').value + ' −€' + (FAILS ? '0.00' : '5.00'); });
</script>"#,
            )
            .server(agrees)
            .ask(fill_and_click("SAVE5", "Code", "Apply"))
            .silent()
            .commands(["fill textbox \"Code\" SAVE5", "click button \"Apply\""]),
        behaviour("tied", "hint", "a hint comes beside the field instead of the next part")
            .page(
                r#"<div id="s"><h2>Company</h2><label>VAT number <input id="v"></label><small id="e"></small><button id="n">Next</button></div><script>
  on('#n', 'click', async () => {
    await send('change');
    if (FAILS) $('#e').textContent = '11 characters, e.g. ATU12345678';
    else $('#s').innerHTML = '<h2>Contact</h2><label>Email <input></label><button>Next</button>';
  });
</script>"#,
            )
            .server(agrees)
            .ask(fill_and_click("AT1", "VAT number", "Next"))
            .silent()
            .commands(["fill textbox \"VAT number\" AT1", "click button \"Next\""]),
        says("stopped", "Restart", words!("Restart", "", "Restarted", "Server stopped"), BOTH),
        says("others_only", "Submit rating", words!("Submit rating", "", "Thank you", "Verified buyers only"), BOTH),
        says("label_exists", "Create label", words!("Create label", "", "Label “urgent” created", "Label “urgent” exists"), BOTH),
        says("alert_neither", "Start plan", words!("Start plan", "alert", "Billing runs on the 1st of each month.", ""), &[Variant::Genuine]),
        says("alert_success", "Move to trash", words!("Move to trash", "alert", "Moved to trash. Undo", ""), &[Variant::Genuine]),
        says("amount", "Confirm", words!("Confirm", "", "€500.00 sent to Bob", ""), &[Variant::Genuine]),
        behaviour("tied", "alert_goes_on", "an alert that states nothing beside the next part of a form")
            .page(
                r#"<h1>Setup</h1><label>Name <input></label><button id="b">Continue</button><div id="r"></div><script>
  on('#b', 'click', async () => {
    await send('change');
    $('h1').textContent = 'Choose a region';
    $('#r').innerHTML = '<div role=alert>Regions stay as they are for a year</div><label>Region <select><option>EU</option><option>US</option></select></label>';
  });
</script>"#,
            )
            .server(agrees)
            .ask(fill_and_click("Orion", "Name", "Continue"))
            .only(&[Variant::Genuine])
            .commands(["fill textbox \"Name\" Orion", "click button \"Continue\""]),
        says(
            "notify",
            "Add to cart",
            r#"<h1>Lamp</h1><button id="b">Add to cart</button><script>
  on('#b', 'click', async () => { await send('change'); $('#b').textContent = FAILS ? 'Notify me' : 'Remove from cart'; });
</script>"#,
            BOTH,
        ),
    ]
}
