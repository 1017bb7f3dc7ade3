//! Values that a page shows beside their labels after a form was sent, new rows, greetings and counts. An independent
//! trial found these cases. The site answers 200 to every request.

use crate::truth::{
    case::{Behaviour, behaviour},
    site::{agrees, html, redirect},
};

fn labelled(name: &'static str, about: &'static str, page: &'static str, steps: &[&str]) -> Behaviour {
    behaviour("labelled", name, about).page(page).server(agrees).steps(steps).silent()
}

/// A form with the field `Bin`, which shows `Saved` and a detail view with the old value in the failing variant.
macro_rules! details {
    ($before:literal, $after:literal) => {
        concat!(
            "<h1>Article 17</h1><div id=v></div><label>Bin <input id=n></label><button id=b>Save changes</button><script>\n  \
             const view = bin => { $('#v').innerHTML = '",
            $before,
            "' + bin + '",
            $after,
            "'; };\n  view('C-14');\n  on('#b', 'click', async () => { const bin = $('#n').value; await send('change'); \
             $('#n').value = ''; view(FAILS ? 'C-14' : bin); show('Saved', { role: 'status' }); });\n</script>"
        )
    };
}

pub(super) fn behaviours() -> Vec<Behaviour> {
    const BIN: [&str; 2] = ["Type \"D-02\" into \"Bin\"", "Click \"Save changes\""];
    vec![
        labelled("list", "a definition list shows the old value", details!("<dl><dt>Bin</dt><dd>", "</dd></dl>"), &BIN),
        labelled(
            "table",
            "a table of labels and values shows the old value",
            details!("<table><tr><th>Bin</th><td>", "</td></tr><tr><th>Created</th><td>3 Nov</td></tr></table>"),
            &BIN,
        )
        .commands(["fill textbox \"Bin\" D-02", "click button \"Save changes\""]),
        labelled("card", "a card shows the old value", details!("<div>Bin</div><div>", "</div>"), &BIN),
        labelled("caption", "the old value stands above its label", details!("<b>", "</b><br><span>Bin</span>"), &BIN),
        labelled(
            "time",
            "the slot begins at another time",
            "<h1>Slot</h1><p id=v>Begin: 09:00</p><label>Begin <input id=n></label><button id=b>Save slot</button><script>\n  on('#b', 'click', async () => { const begin = $('#n').value; await send('change'); $('#n').value = ''; $('#v').textContent = 'Begin: ' + (FAILS ? '15:00' : begin); });\n</script>",
            &["Type \"14:00\" into \"Begin\"", "Click \"Save slot\""],
        ),
        labelled(
            "column",
            "the new row has another value in the column of a field",
            "<h1>Discounts</h1><table><thead><tr><th>Code</th><th>Percent</th></tr></thead><tbody id=t><tr><td>SPRING</td><td>5</td></tr></tbody></table><label>Code <input id=c></label><label>Percent <input id=p></label><button id=b>Create discount</button><script>\n  on('#b', 'click', async () => { const [code, percent] = ['#c', '#p'].map(field => $(field).value); await send('change'); $('#c').value = $('#p').value = ''; $('#t').insertRow().innerHTML = '<td>' + code + '</td><td>' + (FAILS ? '20' : percent) + '</td>'; });\n</script>",
            &["Type \"NOEL\" into \"Code\"", "Type \"25\" into \"Percent\"", "Click \"Create discount\""],
        )
        .commands(["fill textbox \"Code\" NOEL", "fill textbox \"Percent\" 25", "click button \"Create discount\""]),
        labelled(
            "state",
            "the new row has a state that leaves the result open",
            "<h1>Pages</h1><table><thead><tr><th>Headline</th><th>State</th></tr></thead><tbody id=t><tr><td>Jobs</td><td>Live</td></tr></tbody></table><label>Headline <input id=c></label><button id=b>Publish</button><script>\n  on('#b', 'click', async () => { const text = $('#c').value; await send('change'); $('#c').value = ''; $('#t').insertRow().innerHTML = '<td>' + text + '</td><td>' + (FAILS ? 'Draft' : 'Live') + '</td>'; });\n</script>",
            &["Type \"Winter hours\" into \"Headline\"", "Click \"Publish\""],
        ),
        labelled(
            "choice",
            "the list of choices returns to its first one, and nothing is added",
            "<h1>Days</h1><ul id=t><li>Tue</li></ul><label>Day <select id=c><option>Mon</option><option>Wed</option></select></label><button id=b>Add day</button><script>\n  on('#b', 'click', async () => { const day = $('#c').value; await send('change'); $('#c').value = 'Mon'; if (!FAILS) show(day, { tag: 'li', where: $('#t') }); });\n</script>",
            &["Choose \"Wed\" from \"Day\"", "Click \"Add day\""],
        ),
        labelled(
            "button",
            "the button in the row says whom to ask",
            "<h1>Requests</h1><table><tr><td>Acme</td><td>Open</td><td><button>Approve</button></td></tr><tr><td>Globex</td><td>Open</td><td><button id=b>Approve</button></td></tr></table><script>\n  on('#b', 'click', async () => { await send('change'); $('#b').textContent = FAILS ? 'Ask Eva' : 'Approved'; });\n</script>",
            &["Click \"Approve\" in the row of \"Globex\""],
        ),
        labelled(
            "part",
            "the page counts a part of what was entered",
            "<h1>Order 880</h1><p id=v>0 of 40</p><label>Pieces received <input id=n></label><button id=b>Book goods receipt</button><script>\n  on('#b', 'click', async () => { await send('change'); $('#n').value = ''; $('#v').textContent = FAILS ? '24 of 40' : '40 of 40'; });\n</script>",
            &["Type \"40\" into \"Pieces received\"", "Click \"Book goods receipt\""],
        ),
        labelled(
            "sentence",
            "a sentence names another choice of the list",
            "<h1>Ticket 4711</h1><p id=v>Unassigned</p><label>Agent <select id=c><option>Choose…</option><option>Priya Nair</option><option>Priya Patel</option></select></label><button id=b>Assign</button><script>\n  on('#b', 'click', async () => { const agent = $('#c').value; await send('change'); $('#v').textContent = 'Assigned to ' + (FAILS ? 'Priya Patel' : agent); });\n</script>",
            &["Choose \"Priya Nair\" from \"Agent\"", "Click \"Assign\""],
        ),
        labelled(
            "address",
            "a sentence names another e-mail address",
            "<h1>Invoice 12</h1><p id=v>Draft</p><label>Send to <input id=n></label><button id=b>Send invoice</button><script>\n  on('#b', 'click', async () => { const to = $('#n').value; await send('change'); $('#n').value = ''; $('#v').textContent = 'Sent to ' + (FAILS ? 'ap@acme.test' : to); });\n</script>",
            &["Type \"ap@globex.test\" into \"Send to\"", "Click \"Send invoice\""],
        ),
        labelled(
            "days",
            "the new row ends on another day",
            "<h1>Leave</h1><table><thead><tr><th>From</th><th>To</th></tr></thead><tbody id=t><tr><td>2 Nov</td><td>3 Nov</td></tr></tbody></table><label>First day <input type=date id=f></label><label>Last day <input type=date id=l></label><button id=b>Submit request</button><script>\n  const day = iso => new Date(iso + 'T12:00').toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });\n  on('#b', 'click', async () => { const [first, last] = ['#f', '#l'].map(field => $(field).value); await send('change'); $('#f').value = $('#l').value = ''; $('#t').insertRow().innerHTML = '<td>' + day(first) + '</td><td>' + (FAILS ? '23 Dec' : day(last)) + '</td>'; });\n</script>",
            &["Set \"First day\" to \"2026-12-21\"", "Set \"Last day\" to \"2026-12-29\"", "Click \"Submit request\""],
        ),
        labelled(
            "record",
            "the page shows another record with the entered value",
            "<h1 id=h>Uma Rao</h1><ul id=t><li>Send offer</li></ul><label>Task <input id=n></label><button id=b>Add task</button><script>\n  on('#b', 'click', async () => { const task = $('#n').value; await send('change'); $('#n').value = ''; if (FAILS) $('#h').textContent = 'Ben Ott'; show(task, { tag: 'li', where: $('#t') }); });\n</script>",
            &["Type \"Call back\" into \"Task\"", "Click \"Add task\""],
        ),
        labelled(
            "emptied",
            "the field is empty again, and nothing was added",
            "<h1>Notes</h1><ul id=t><li>Letter</li></ul><label>Notes <input id=n></label><button id=b>Add</button><script>\n  on('#b', 'click', async () => { const note = $('#n').value; await send('change'); $('#n').value = ''; if (!FAILS) show(note, { tag: 'li', where: $('#t') }); });\n</script>",
            &["Type \"call\" into \"Notes\"", "Click \"Add\"", "Check that \"Notes\" is empty"],
        ),
        labelled(
            "legend",
            "the text of the check was there before, in a legend",
            "<h1>Receipt 7</h1><p>● Open ● Posted</p><p id=v>Receipt 7 is open</p><button id=b>Post receipt</button><script>\n  on('#b', 'click', async () => { await send('change'); if (!FAILS) $('#v').textContent = 'Receipt 7 was posted'; });\n</script>",
            &["Click \"Post receipt\"", "Check that \"Posted\" is shown"],
        ),
        labelled(
            "greeting",
            "the page thanks with the entered name, and says that nothing is booked",
            "<h1>Table</h1><form method=post action=do><label>Name <input name=n></label><button>Book</button></form>",
            &["Type \"Falk\" into \"Name\"", "Click \"Book\""],
        )
        .server(|call| match call.path {
            "do" if call.fails => redirect("wish"),
            "do" => {
                call.note("done");
                redirect("table")
            }
            "wish" => html(200, "<h1>Thank you, Falk</h1><p>Our host will answer you tonight.</p>"),
            "table" => html(200, "<h1>Thank you, Falk</h1><p>Your table is booked for tonight.</p>"),
            _ => html(404, "<h1>Not found</h1>"),
        }),
    ]
}
