//! Fields that reject, change or lose the text that is typed into them. The truth is what the site received, or the
//! final value of the field.

use serde_json::json;

use crate::truth::{
    case::{Behaviour, Facts, behaviour},
    phrase::{each, fill, fill_and_click},
    site::{Call, html, json},
};

/// Saves a post and confirms it.
fn saves(call: &mut Call<'_>) -> crate::truth::site::Answer {
    call.note("saved");
    html(200, "<h1>Saved</h1><p>Your changes were saved.</p>")
}

/// The site received this value.
macro_rules! received {
    ($field:literal, $value:literal) => {
        |facts: &Facts<'_>| facts.books.last("saved", $field) == Some($value)
    };
}

/// The field had this value in the last report of the page.
macro_rules! holds {
    ($field:literal, $value:literal) => {
        |facts: &Facts<'_>| facts.books.state($field) == Some($value)
    };
}

fn saved(name: &'static str, about: &'static str) -> Behaviour {
    behaviour("field", name, about).server(saves).expect("\"Saved\" is shown")
}

pub(super) fn behaviours() -> Vec<Behaviour> {
    let ada = ["fill textbox \"Name\" \"Ada Byron\"", "click button \"Save\""];
    vec![
        saved("maxlength", "the field takes five characters at most")
            .page(r#"<form method=post action=save><label>Name <input name=name></label><button>Save</button></form>"#)
            .failing_page(r#"<form method=post action=save><label>Name <input name=name maxlength=5></label><button>Save</button></form>"#)
            .done(received!("name", "Ada Byron"))
            .ask(fill_and_click("Ada Byron", "Name", "Save"))
            .commands(ada),
        saved("capitals", "a controlled input turns everything into capitals")
            .page(
                r#"<form method=post action=save><label>Name <input name=name></label><button>Save</button></form><script>
  if (FAILS) on('input', 'input', event => { event.target.value = event.target.value.toUpperCase(); });
</script>"#,
            )
            .done(received!("name", "Ada Byron"))
            .ask(fill_and_click("Ada Byron", "Name", "Save"))
            .commands(ada),
        saved("no-spaces", "a controlled input drops the space")
            .page(
                r#"<form method=post action=save><label>Name <input name=name></label><button>Save</button></form><script>
  if (FAILS) on('input', 'input', event => { event.target.value = event.target.value.replace(/ /g, ''); });
</script>"#,
            )
            .done(received!("name", "Ada Byron"))
            .ask(fill_and_click("Ada Byron", "Name", "Save"))
            .commands(ada),
        behaviour("field", "lowered-by-save", "the site saves at most 50 %, says that it has saved, and the page shows the 50")
            .page(
                r#"<h1>Initech</h1><form><label>Discount <input type=number name=discount value=5></label><button>Save</button></form><script>
  on('form', 'submit', async event => {
    event.preventDefault();
    const saved = await (await sendForm(event.target, 'limit')).json();
    $('input').value = saved.discount; toast('Saved');
  });
</script>"#,
            )
            .server(|call| {
                if call.path != "limit" {
                    return html(404, "<h1>Not found</h1>");
                }
                call.note_unless_failing();
                json(200, json!({ "discount": if call.fails { "50" } else { call.field("discount") } }))
            })
            .ask(fill_and_click("80", "Discount", "Save"))
            .expect("\"Saved\" is shown")
            .commands(["fill spinbutton \"Discount\" \"80\"", "click button \"Save\""]),
        saved("controlled", "a controlled input always shows its own state")
            .page(
                r#"<form method=post action=save><label>Name <input name=name></label><button>Save</button></form><script>
  if (FAILS) on('input', 'input', event => Promise.resolve().then(() => { event.target.value = ''; }));
</script>"#,
            )
            .done(received!("name", "Ada Byron"))
            .ask(fill_and_click("Ada Byron", "Name", "Save"))
            .commands(ada),
        saved("cleared-on-blur", "validation clears the field when it is left")
            .page(
                r#"<form method=post action=save><label>Name <input name=name></label><button>Save</button></form><script>
  if (FAILS) on('input', 'change', event => { event.target.value = ''; });
</script>"#,
            )
            .done(received!("name", "Ada Byron"))
            .ask(fill_and_click("Ada Byron", "Name", "Save"))
            .commands(ada),
        saved("hydration", "hydration that comes just after the input resets the value")
            .may_happen()
            .page(
                r#"<form method=post action=save><label>Name <input name=name></label><button>Save</button></form><script>
  if (FAILS) on('input', 'input', () => later(200, () => { const old = $('input'), fresh = old.cloneNode(); fresh.value = ''; old.replaceWith(fresh); }));
</script>"#,
            )
            .done(received!("name", "Ada Byron"))
            .ask(fill_and_click("Ada Byron", "Name", "Save"))
            .commands(ada),
        saved("hydration-form", "hydration that comes just after the input replaces the whole form")
            .may_happen()
            .page(
                r#"<div id=app><form method=post action=save><label>Name <input name=name></label><button>Save</button></form></div><script>
  const fresh = $('#app').innerHTML;
  if (FAILS) on('input', 'input', () => later(200, () => { $('#app').innerHTML = fresh; }));
</script>"#,
            )
            .done(received!("name", "Ada Byron"))
            .ask(fill_and_click("Ada Byron", "Name", "Save"))
            .commands(ada),
        behaviour("field", "read-only", "the field is read-only")
            .page(r#"<label>Name <input id=n></label><script>on('#n', 'input', () => tell({ name: $('#n').value }));</script>"#)
            .failing_page(r#"<label>Name <input id=n readonly value="Bob"></label>"#)
            .done(holds!("name", "Ada Byron"))
            .ask(fill("Ada Byron", "Name"))
            .expect("\"Name\" is \"Ada Byron\"")
            .commands(["fill textbox \"Name\" \"Ada Byron\""]),
        behaviour("field", "read-only-unlocks", "the field is read-only at first; in the failing variant it stays so")
            .page(
                r#"<label>Name <input id=n readonly></label><script>
  if (!FAILS) later(600, () => { $('#n').readOnly = false; });
  on('#n', 'input', () => tell({ name: $('#n').value }));
</script>"#,
            )
            .done(holds!("name", "Ada Byron"))
            .ask(fill("Ada Byron", "Name"))
            .commands(["fill textbox \"Name\" \"Ada Byron\""]),
        behaviour("field", "disabled-unlocks", "the field is disabled at first; in the failing variant it stays so")
            .page(
                r#"<label>Name <input id=n disabled></label><script>
  if (!FAILS) later(600, () => { $('#n').disabled = false; });
  on('#n', 'input', () => tell({ name: $('#n').value }));
</script>"#,
            )
            .done(holds!("name", "Ada Byron"))
            .ask(fill("Ada Byron", "Name"))
            .commands(["fill textbox \"Name\" \"Ada Byron\""]),
        behaviour("field", "focus-moves", "the focus jumps to the next field after the first character")
            .page(
                r#"<label>Name <input id=n></label><label>Town <input id=t></label><script>
  const say = () => tell({ name: $('#n').value, town: $('#t').value });
  on('#n', 'input', () => { say(); if (FAILS) $('#t').focus(); });
  if (FAILS) on('#n', 'focus', () => $('#t').focus());
  on('#t', 'input', say);
</script>"#,
            )
            .done(holds!("name", "Ada Byron"))
            .ask(fill("Ada Byron", "Name"))
            .steps(&["Type \"Ada Byron\" into the field \"Name\""])
            .commands(["fill textbox \"Name\" \"Ada Byron\""]),
        saved("number-comma", "a number field does not take a comma")
            .page(r#"<form method=post action=save><label>Amount <input name=amount></label><button>Save</button></form>"#)
            .failing_page(
                r#"<form method=post action=save novalidate><label>Amount <input name=amount type=number step=any></label><button>Save</button></form>"#,
            )
            // A comma that is converted to a point is what the user meant.
            .may_happen()
            .done(|facts| matches!(facts.books.last("saved", "amount"), Some("1,5" | "1.5")))
            .ask(fill_and_click("1,5", "Amount", "Save"))
            .commands(["fill css=input \"1,5\"", "click button \"Save\""]),
        behaviour("field", "number-letters", "a number field does not take letters")
            .page(r#"<label>Amount <input id=a></label><script>on('#a', 'input', () => tell({ amount: $('#a').value }));</script>"#)
            .failing_page(
                r#"<label>Amount <input id=a type=number></label><script>on('#a', 'input', () => tell({ amount: $('#a').value }));</script>"#,
            )
            .done(holds!("amount", "12a"))
            .ask(fill("12a", "Amount"))
            .commands(["fill css=input \"12a\""]),
        behaviour("field", "range", "a slider ends at 10")
            .page(
                r#"<label>Volume <input id=v type=range min=0 max=10 value=5></label><script>on('#v', 'input', () => tell({ v: $('#v').value }));</script>"#,
            )
            .failing_page(
                r#"<label>Volume <input id=v type=range min=0 max=6 value=5></label><script>on('#v', 'input', () => tell({ v: $('#v').value }));</script>"#,
            )
            .done(holds!("v", "8"))
            .ask(each(&["Set the slider \"Volume\" to 8", "Move the slider to 8", "Set \"Volume\" to 8"]))
            .commands(["fill slider \"Volume\" \"8\""]),
        saved("date-min", "a date field does not take days before today")
            .page(r#"<form method=post action=save><label>Day <input name=day type=date></label><button>Save</button></form>"#)
            .failing_page(
                r#"<form method=post action=save><label>Day <input name=day type=date min=2030-01-01></label><button>Save</button></form>"#,
            )
            .done(received!("day", "2026-12-24"))
            .ask(fill_and_click("2026-12-24", "Day", "Save"))
            .steps(&["Set \"Day\" to 24 December 2026", "Click \"Save\""])
            .commands(["fill \"Day\" \"2026-12-24\"", "click button \"Save\""]),
        saved("date-picker", "a text field with a date picker turns into today's date when it is left")
            .page(
                r#"<form method=post action=save><label>Day <input name=day placeholder="YYYY-MM-DD"></label><button>Save</button></form><script>
  if (FAILS) on('input', 'blur', event => { event.target.value = '2026-01-01'; });
</script>"#,
            )
            .done(received!("day", "2026-12-24"))
            .ask(fill_and_click("2026-12-24", "Day", "Save"))
            .commands(["fill textbox \"Day\" \"2026-12-24\"", "click button \"Save\""]),
        saved("mask", "a mask drops letters")
            .page(
                r#"<form method=post action=save><label>Code <input name=code></label><button>Save</button></form><script>
  if (FAILS) on('input', 'input', event => { event.target.value = event.target.value.replace(/\D/g, ''); });
</script>"#,
            )
            .done(received!("code", "A12-77"))
            .ask(fill_and_click("A12-77", "Code", "Save"))
            .commands(["fill textbox \"Code\" \"A12-77\"", "click button \"Save\""]),
        behaviour("field", "typeahead", "the field takes only what is chosen from its list and empties itself")
            .page(
                r#"<label>Town <input id=t></label><script>
  if (!FAILS) on('#t', 'input', () => tell({ town: $('#t').value }));
  if (FAILS) on('#t', 'input', () => later(150, () => { $('#t').value = ''; show('No such town', { role: 'status' }); }));
</script>"#,
            )
            .done(holds!("town", "Ghent"))
            .ask(fill("Ghent", "Town"))
            .commands(["fill textbox \"Town\" \"Ghent\""]),
    ]
}
