//! Pages that show a change before the site has accepted it, and revert it after a refusal. The truth is the site's
//! record.

use serde_json::json;

use crate::truth::{
    case::{Behaviour, Phrasing, behaviour},
    phrase::{click, each},
    site::{Answer, Call, html, json},
};

/// Accepts changes after a delay, except in the failing variant.
macro_rules! takes {
    ($after:literal) => {
        |call: &mut Call<'_>| match (call.path, call.fails) {
            ("change", true) => json(409, json!({ "ok": false })).after($after),
            ("change", false) => {
                call.note("done");
                json(200, json!({ "ok": true })).after($after)
            }
            _ => html(404, "<h1>Not found</h1>"),
        }
    };
}

/// Answers every change with 200 and whether it was made.
fn answers_with_state(call: &mut Call<'_>) -> Answer {
    if call.path != "change" {
        return html(404, "<h1>Not found</h1>");
    }
    call.note_unless_failing();
    json(200, json!({ "archived": !call.fails })).after(200)
}

pub(super) fn behaviours() -> Vec<Behaviour> {
    vec![
        behaviour("optimistic", "like", "the heart fills and empties again when the site refuses")
            .page(
                r#"<h1>Photo</h1><button id="like" aria-pressed="false">Like</button><p id="count">3 likes</p><script>
  const set = liked => { $('#like').setAttribute('aria-pressed', liked); $('#count').textContent = (liked ? 4 : 3) + ' likes'; };
  on('#like', 'click', async () => { set(true); const r = await send('change'); if (!r.ok) set(false); });
</script>"#,
            )
            .server(takes!(350))
            .ask(click("Like"))
            .expect("\"4 likes\" is shown")
            .commands(["click button \"Like\""]),
        behaviour("optimistic", "row-accepted", "the site answers 200, and the row that went comes back a moment later")
            .page(
                r#"<h1>Invoices</h1><table><tr><th>Customer</th><th></th></tr><tr id="row"><td>Acme</td><td><button>Archive</button></td></tr><tr><td>Globex</td><td></td></tr></table><script>
  on('button', 'click', async () => {
    const row = $('#row'), next = row.nextSibling, list = row.parentNode; row.remove();
    const r = await send('change');
    if (!(await r.json()).archived) later(250, () => list.insertBefore(row, next));
  });
</script>"#,
            )
            .server(answers_with_state)
            .ask(click("Archive"))
            .expect("\"Acme\" is not shown")
            .silent()
            .commands(["click button \"Archive\""]),
        behaviour("optimistic", "delete", "the item goes and comes back when the site refuses")
            .page(
                r#"<h1>Notes</h1><ul><li>Milk <button>Delete</button></li></ul><script>
  on('button', 'click', async () => {
    const item = $('li'), list = $('ul'); item.remove();
    const r = await send('change');
    if (!r.ok) { list.append(item); toast('Could not delete', 1500); }
  });
</script>"#,
            )
            .server(takes!(350))
            .ask(click("Delete"))
            .expect("\"Milk\" is not shown")
            .commands(["click button \"Delete\""]),
        behaviour("optimistic", "undoable", "the change is sent when its offer to undo is over, and refused then")
            .page(
                r#"<h1>Notes</h1><ul><li>Milk <button>Delete</button></li></ul><script>
  on('button', 'click', () => { $('li').remove(); toast('Element deleted', 2200); later(2200, () => send('change')); });
</script>"#,
            )
            .server(takes!(50))
            .ask(vec![
                Phrasing::of(&["Click \"Delete\"", "Wait 3 seconds"]),
                Phrasing::of(&["Press the \"Delete\" button and wait 3 seconds"]),
                Phrasing::of(&["Click \"Delete\"", "Wait for 3 seconds", "Check that \"Milk\" is not shown"]),
            ])
            .commands(["click button \"Delete\"", "wait 3"]),
        behaviour("optimistic", "add", "the item is added and taken away again")
            .page(
                r#"<h1>To do</h1><ul><li>Milk</li></ul><button>Add bread</button><script>
  on('button', 'click', async () => {
    const item = show('Bread', { tag: 'li', where: $('ul') });
    const r = await send('change');
    if (!r.ok) { item.remove(); show('Bread could not be added', { role: 'alert' }); }
  });
</script>"#,
            )
            .server(takes!(300))
            .ask(click("Add bread"))
            .expect("\"Bread\" is shown in the list")
            .commands(["click button \"Add bread\""]),
        behaviour("optimistic", "toggle", "the box is ticked and unticked again")
            .page(
                r#"<h1>Settings</h1><label><input type="checkbox" id="news"> Newsletter</label><p role="status" id="s"></p><script>
  on('#news', 'change', async () => {
    const r = await send('change');
    if (!r.ok) { $('#news').checked = false; $('#s').textContent = 'Could not save the setting'; }
    else $('#s').textContent = 'Saved';
  });
</script>"#,
            )
            .server(takes!(300))
            .ask(each(&["Tick \"Newsletter\"", "Check the box \"Newsletter\"", "Turn on \"Newsletter\""]))
            .expect("\"Newsletter\" is checked")
            .commands(["check checkbox \"Newsletter\""]),
        behaviour("optimistic", "toggle-silent", "the box is unticked again without a word")
            .page(
                r#"<h1>Settings</h1><label><input type="checkbox" id="news"> Newsletter</label><script>
  on('#news', 'change', async () => { const r = await send('change'); if (!r.ok) $('#news').checked = false; });
</script>"#,
            )
            .server(takes!(250))
            .ask(each(&["Tick \"Newsletter\"", "Check the box \"Newsletter\"", "Turn on \"Newsletter\""]))
            .expect("\"Newsletter\" is checked")
            .commands(["check checkbox \"Newsletter\""]),
        behaviour("optimistic", "select", "the choice jumps back")
            .page(
                r#"<h1>Order 7</h1><label>Status <select id="s"><option>Open</option><option>Paid</option></select></label><script>
  on('#s', 'change', async () => {
    const r = await send('change', { value: $('#s').value });
    if (!r.ok) { $('#s').value = 'Open'; toast('Status could not be changed', 1500); } else toast('Saved', 1500);
  });
</script>"#,
            )
            .server(takes!(300))
            .ask(each(&[
                "Choose \"Paid\" from \"Status\"",
                "Select \"Paid\" for \"Status\"",
                "Set \"Status\" to \"Paid\"",
            ]))
            .expect("\"Paid\" is selected in \"Status\"")
            .commands(["select combobox \"Status\" \"Paid\""]),
        behaviour("optimistic", "drag", "the card jumps back to its column")
            .page(
                r#"<style>section{float:left;width:200px;min-height:200px;border:1px solid;margin:1em}</style>
<section aria-label="To do" id="a"><h2>To do</h2><div id="card" draggable="true">Card 1</div></section>
<section aria-label="Done" id="b"><h2>Done</h2></section><script>
  on('#card', 'dragstart', event => event.dataTransfer.setData('text', 'card'));
  on('#b', 'dragover', event => event.preventDefault());
  on('#b', 'drop', async event => {
    event.preventDefault(); $('#b').append($('#card'));
    const r = await send('change');
    if (!r.ok) { $('#a').append($('#card')); toast('The card could not be moved', 1500); }
  });
</script>"#,
            )
            .server(takes!(300))
            .ask(each(&["Drag \"Card 1\" onto \"Done\"", "Drag \"Card 1\" to \"Done\""]))
            .commands(["drag \"Card 1\" \"Done\""]),
        behaviour("optimistic", "rename", "the new name is shown, then the old one again")
            .page(
                r#"<h1 id="t">Old plan</h1><label>Name <input id="n" value="Old plan"></label><button>Rename</button><script>
  on('button', 'click', async () => {
    $('#t').textContent = $('#n').value;
    const r = await send('change', { name: $('#n').value });
    if (!r.ok) { $('#t').textContent = 'Old plan'; $('#n').value = 'Old plan'; show('Renaming failed', { role: 'alert' }); }
  });
</script>"#,
            )
            .server(takes!(350))
            .ask(crate::truth::phrase::fill_and_click("New plan", "Name", "Rename"))
            .expect("the heading is \"New plan\"")
            .commands(["fill textbox \"Name\" \"New plan\"", "click button \"Rename\""]),
        behaviour("optimistic", "toast-and-row-back", "a message that it was deleted goes away, and the row comes back")
            .page(
                r#"<h1>Customers</h1><table><tr id="row"><td>Acme</td><td><button>Delete</button></td></tr><tr><td>Globex</td><td></td></tr></table><script>
  on('button', 'click', async () => {
    const row = $('#row'), next = row.nextSibling, list = row.parentNode;
    row.remove(); toast('Acme deleted', 300);
    const r = await send('change');
    if (!(await r.json()).archived) later(400, () => list.insertBefore(row, next));
  });
</script>"#,
            )
            .server(answers_with_state)
            .ask(click("Delete"))
            .silent()
            .commands(["click button \"Delete\""]),
        behaviour("optimistic", "box-back", "the page says that the settings are saved, and the box is empty again")
            .page(
                r#"<h1>Settings</h1><label><input type="checkbox" id="news"> News</label><label>Name <input id="name" value="Ada"></label><button>Save</button><p id="r"></p><script>
  on('button', 'click', async () => {
    const r = await send('change');
    $('#news').checked = (await r.json()).archived; $('#r').textContent = 'Settings saved';
  });
</script>"#,
            )
            .server(answers_with_state)
            .steps(&["Tick \"News\"", "Click \"Save\""])
            .silent()
            .commands(["check checkbox \"News\"", "click button \"Save\""]),
    ]
}
