//! Fields whose value is only validated when they lose the focus, in runs that end with an input. The truth is the
//! site's record, or the value of the field after it lost the focus.

use serde_json::json;

use crate::truth::{
    case::{Behaviour, Facts, Variant, behaviour},
    phrase::fill,
    site::{Answer, Call, html, json},
};

const ADA: [&str; 1] = ["fill textbox \"Name\" \"Ada Byron\""];

/// Saves a name, except in the failing variant.
macro_rules! saves {
    ($status:literal, $body:tt) => {
        |call: &mut Call<'_>| -> Answer {
            match (call.path, call.fails) {
                ("save", true) => json($status, json!($body)),
                ("save", false) => {
                    call.note("done");
                    json(200, json!({ "ok": true }))
                }
                _ => html(404, "<h1>Not found</h1>"),
            }
        }
    };
}

/// The value of the field in the last report of the page.
macro_rules! holds {
    ($field:literal, $value:literal) => {
        |facts: &Facts<'_>| facts.books.state($field) == Some($value)
    };
}

fn leaving(name: &'static str, about: &'static str) -> Behaviour {
    behaviour("leaving", name, about)
}

pub(super) fn behaviours() -> Vec<Behaviour> {
    vec![
        leaving("autosave", "the value is saved when its field is left, and the save fails without a word")
            .page(r#"<h1>Profile</h1><label>Name <input id=n></label><script>
  on('#n', 'blur', () => send('save', { name: $('#n').value }));
</script>"#)
            .server(saves!(500, {}))
            .ask(fill("Ada Byron", "Name"))
            .expect("\"Name\" is \"Ada Byron\"")
            .commands(ADA),
        leaving("autosave-slow", "the value is saved three seconds after the last key, and the save fails without a word")
            .page(r#"<h1>Profile</h1><label>Name <input id=n></label><script>
  let timer; on('#n', 'input', () => { clearTimeout(timer); timer = later(3000, () => send('save', { name: $('#n').value })); });
</script>"#)
            .server(saves!(500, {}))
            .ask(fill("Ada Byron", "Name"))
            .silent()
            .commands(ADA),
        leaving("cell-editor", "an editor in a cell takes the value with Enter alone, and is gone without it")
            .page(r#"<h1>Customers</h1><table><tr><th>Name</th></tr><tr><td id=cell>Bob</td></tr></table><div id=box hidden><label>Name <input id=n></label></div><script>
  const end = value => { $('#box').hidden = true; $('#cell').textContent = value; };
  ready(() => { $('#box').hidden = false; });
  on('#n', 'blur', async () => { if (FAILS) return end('Bob'); await send('save', { name: $('#n').value }); end($('#n').value); });
</script>"#)
            .server(saves!(500, {}))
            .ask(fill("Ada Byron", "Name"))
            .silent()
            .commands(ADA),
        leaving("autosave-change", "the value is saved when it was changed, and the site's answer says that it failed")
            .page(r#"<h1>Profile</h1><label>Name <input id=n></label><script>
  on('#n', 'change', () => send('save', { name: $('#n').value }));
</script>"#)
            .server(saves!(200, { "ok": false, "error": "name is taken" }))
            .ask(fill("Ada Byron", "Name"))
            .commands(ADA),
        leaving("autosave-message", "the page says that the value could not be saved")
            .page(r#"<h1>Profile</h1><label>Name <input id=n></label><p id=s></p><script>
  on('#n', 'blur', async () => {
    const r = await (await send('save', { name: $('#n').value })).json();
    $('#s').textContent = r.state === 'kept' ? 'Could not save your changes.' : 'Saved';
  });
</script>"#)
            .server(saves!(200, { "state": "kept" }))
            .ask(fill("Ada Byron", "Name"))
            .commands(ADA),
        leaving("clamp", "a quantity above the stock is lowered when the field is left")
            .page(r#"<h1>Cart</h1><label>Quantity <input id=q></label><script>
  const most = FAILS ? 100 : 1000;
  on('#q', 'blur', () => { if (+$('#q').value > most) $('#q').value = most; tell({ q: $('#q').value }); });
</script>"#)
            .done(holds!("q", "150"))
            .ask(fill("150", "Quantity"))
            .expect("\"Quantity\" is \"150\"")
            .commands(["fill textbox \"Quantity\" \"150\""]),
        leaving("list-only", "a town that was not chosen from the list is dropped when the field is left")
            .page(r#"<h1>Delivery</h1><label>Town <input id=t role=combobox></label><script>
  on('#t', 'blur', () => later(100, () => { if (FAILS) $('#t').value = ''; tell({ t: $('#t').value }); }));
</script>"#)
            .done(holds!("t", "Ghent"))
            .ask(fill("Ghent", "Town"))
            .commands(["fill combobox \"Town\" \"Ghent\""]),
        leaving("message", "the page refuses the value when the field is left")
            .page(r#"<h1>Profile</h1><label>Name <input id=n></label><script>
  on('#n', 'blur', () => {
    if (FAILS) { $('#n').setAttribute('aria-invalid', 'true'); show('This name is already taken.', { role: 'alert' }); }
    else tell({ n: $('#n').value });
  });
</script>"#)
            .done(holds!("n", "Ada Byron"))
            .ask(fill("Ada Byron", "Name"))
            .commands(ADA),
        leaving("today", "a text field with a date picker turns into today's date when it is left")
            .page(r#"<h1>Post</h1><label>Day <input id=d placeholder="YYYY-MM-DD"></label><script>
  on('#d', 'blur', () => { if (FAILS) $('#d').value = '2026-01-01'; tell({ d: $('#d').value }); });
</script>"#)
            .done(holds!("d", "2026-12-24"))
            .ask(fill("2026-12-24", "Day"))
            .commands(["fill textbox \"Day\" \"2026-12-24\""]),
        leaving("format", "an amount is written with its currency when the field is left")
            .page(r#"<h1>Offer</h1><label>Amount <input id=a></label><script>
  on('#a', 'blur', () => { $('#a').value = '$' + (+$('#a').value).toLocaleString('en-US', { minimumFractionDigits: 2 }); tell({ a: $('#a').value }); });
</script>"#)
            .only(&[Variant::Genuine])
            .done(holds!("a", "$1,234.50"))
            .ask(fill("1234.5", "Amount"))
            .commands(["fill textbox \"Amount\" \"1234.5\""]),
        leaving("chip", "a tag becomes a chip when the field is left, which is empty then")
            .page(r#"<h1>Note</h1><div><span id=tags></span><label>Tags <input id=g></label></div><script>
  on('#g', 'blur', () => {
    if (!$('#g').value) return;
    show($('#g').value, { tag: 'span', where: $('#tags') }); tell({ g: $('#g').value }); $('#g').value = '';
  });
</script>"#)
            .only(&[Variant::Genuine])
            .done(holds!("g", "urgent"))
            .ask(fill("urgent", "Tags"))
            .commands(["fill textbox \"Tags\" \"urgent\""]),
        leaving("inline", "a cell turns from a field into a text again when it is left, and the save fails")
            .page(r#"<h1>Prices</h1><table><tr><th>Item</th><th>Price</th></tr><tr><td>Tea</td><td id=c><input aria-label="Price of tea" value=3></td></tr></table><script>
  on('#c input', 'blur', async () => {
    const old = '3', now = $('#c input').value; $('#c').textContent = now;
    const r = await send('save', { price: now });
    if (!r.ok) { $('#c').textContent = old; toast('The price could not be changed', 1500); }
  });
</script>"#)
            .server(saves!(422, { "detail": "too dear" }))
            .ask(fill("4", "Price of tea"))
            .commands(["fill textbox \"Price of tea\" \"4\""]),

    ]
}
