//! Lists, boxes and editors that reject a choice or accept another one. The truth is what the site received, or what
//! the page contains.

use crate::truth::{
    case::{Behaviour, Facts, behaviour},
    phrase::{click, each, fill_and_click},
    site::{Answer, Call, html},
};

fn saves(call: &mut Call<'_>) -> Answer {
    call.note("saved");
    html(200, "<h1>Saved</h1>")
}

macro_rules! received {
    ($field:literal, $value:literal) => {
        |facts: &Facts<'_>| facts.books.last("saved", $field) == Some($value)
    };
}

fn choose(value: &str, list: &str) -> Vec<crate::truth::case::Phrasing> {
    let words = ["Choose \"VALUE\" from \"LIST\"", "Select \"VALUE\" for \"LIST\"", "Set \"LIST\" to \"VALUE\""];
    let all: Vec<Vec<String>> = words
        .iter()
        .map(|words| vec![words.replace("VALUE", value).replace("LIST", list), "Click \"Save\"".to_owned()])
        .collect();
    all.into_iter().map(|steps| crate::truth::case::Phrasing { steps, names_result: false }).collect()
}

fn choice(name: &'static str, about: &'static str) -> Behaviour {
    behaviour("choice", name, about).server(saves).expect("\"Saved\" is shown")
}

fn editor(name: &'static str, about: &'static str) -> Behaviour {
    behaviour("editor", name, about)
        .server(saves)
        .done(received!("text", "new text"))
        .ask(fill_and_click("new text", "Body", "Save"))
        .expect("\"Saved\" is shown")
        .commands(["fill textbox \"Body\" \"new text\"", "click button \"Save\""])
}

/// An editable element. A button posts its text.
macro_rules! editable {
    ($script:literal) => {
        concat!(
            "<div id=e contenteditable role=textbox aria-label=Body aria-multiline=true>old text</div><button id=b>Save</button><script>\n  on('#b', 'click', async () => { await send('save', { text: $('#e').innerText.trim() }); show('Saved', { role: 'status' }); });\n  ",
            $script,
            "\n</script>"
        )
    };
}

pub(super) fn behaviours() -> Vec<Behaviour> {
    vec![
        choice("reverts", "the list goes back to its first option")
            .page(
                "<form method=post action=save><label>Colour <select name=colour><option>Red<option>Blue</select></label><button>Save</button></form><script>if (FAILS) on('select', 'change', () => later(0, () => { $('select').value = 'Red'; }));</script>",
            )
            .done(received!("colour", "Blue"))
            .ask(choose("Blue", "Colour"))
            .commands(["select combobox \"Colour\" \"Blue\"", "click button \"Save\""]),
        choice("reverts-late", "the list goes back to its first option after a while")
            .page(
                "<form method=post action=save><label>Colour <select name=colour><option>Red<option>Blue</select></label><button>Save</button></form><script>if (FAILS) on('select', 'change', () => later(150, () => { $('select').value = 'Red'; }));</script>",
            )
            .done(received!("colour", "Blue"))
            .ask(choose("Blue", "Colour"))
            .commands(["select combobox \"Colour\" \"Blue\"", "click button \"Save\""]),
        choice("no-option", "the list has no such option")
            .page("<form method=post action=save><label>Colour <select name=colour><option>Red<option>Blue</select></label><button>Save</button></form>")
            .failing_page("<form method=post action=save><label>Colour <select name=colour><option>Red<option>Light blue grey</select></label><button>Save</button></form>")
            .done(received!("colour", "Blue"))
            .ask(choose("Blue", "Colour"))
            .commands(["select combobox \"Colour\" \"Blue\"", "click button \"Save\""]),
        choice("disabled-option", "the option is disabled")
            .page("<form method=post action=save><label>Colour <select name=colour><option>Red<option>Blue</select></label><button>Save</button></form>")
            .failing_page("<form method=post action=save><label>Colour <select name=colour><option>Red<option disabled>Blue</select></label><button>Save</button></form>")
            .done(received!("colour", "Blue"))
            .ask(choose("Blue", "Colour"))
            .commands(["select combobox \"Colour\" \"Blue\"", "click button \"Save\""]),
        choice("dependent", "the options of the second list come late, or never")
            .page(
                r#"<form method=post action=save><label>Country <select name=country><option>Norway<option>Belgium</select></label>
<label>Town <select name=town><option>–</select></label><button>Save</button></form><script>
  on('select[name=country]', 'change', () => later(500, () => { if (!FAILS) $('select[name=town]').innerHTML = '<option>Antwerp<option>Ghent'; }));
</script>"#,
            )
            .done(|facts| {
                facts.books.last("saved", "country") == Some("Belgium") && facts.books.last("saved", "town") == Some("Ghent")
            })
            .steps(&["Choose \"Belgium\" from \"Country\"", "Choose \"Ghent\" from \"Town\"", "Click \"Save\""])
            .steps(&["Select \"Belgium\" for \"Country\"", "Select \"Ghent\" for \"Town\"", "Press the \"Save\" button"])
            .steps(&["Choose \"Belgium\" from \"Country\" and choose \"Ghent\" from \"Town\"", "Click \"Save\""])
            .commands(["select combobox \"Country\" \"Belgium\"", "select combobox \"Town\" \"Ghent\"", "click button \"Save\""]),
        choice("tags", "choosing the second tag drops the first")
            .page(
                r#"<form method=post action=save><fieldset><legend>Tags</legend><label><input type=checkbox name=tag value=red> red</label><label><input type=checkbox name=tag value=green> green</label><label><input type=checkbox name=tag value=blue> blue</label></fieldset><button>Save</button></form><script>
  if (FAILS) for (const box of document.querySelectorAll('input')) box.addEventListener('change', () => { for (const other of document.querySelectorAll('input')) if (other !== box) other.checked = false; });
</script>"#,
            )
            .done(|facts| facts.books.all("saved", "tag") == ["red", "green"])
            .steps(&["Choose the tags \"red\" and \"green\"", "Click \"Save\""])
            .steps(&["Tick \"red\" and \"green\"", "Click \"Save\""])
            .steps(&["Check \"red\" and tick \"green\"", "Click \"Save\""])
            .commands(["check checkbox \"red\"", "check checkbox \"green\"", "click button \"Save\""]),
        choice("multiple-single", "the list takes only one")
            .page("<form method=post action=save><label>Letters <select name=letter multiple><option>A<option>B<option>C</select></label><button>Save</button></form>")
            .failing_page("<form method=post action=save><label>Letters <select name=letter><option>C<option>A<option>B</select></label><button>Save</button></form>")
            .done(|facts| facts.books.all("saved", "letter") == ["A", "B"])
            .steps(&["Select \"A\" and \"B\" from \"Letters\"", "Click \"Save\""])
            .steps(&["Choose \"A\" and \"B\" from \"Letters\"", "Click \"Save\""])
            .commands(["select \"Letters\" \"A\" \"B\"", "click button \"Save\""]),
        choice("radio-disabled", "the radio button is disabled")
            .page("<form method=post action=save><label><input type=radio name=ship value=slow checked> Standard</label><label><input type=radio name=ship value=fast> Express</label><button>Save</button></form>")
            .failing_page("<form method=post action=save><label><input type=radio name=ship value=slow checked> Standard</label><label><input type=radio name=ship value=fast disabled> Express</label><button>Save</button></form>")
            .done(received!("ship", "fast"))
            .steps(&["Choose the radio button \"Express\"", "Click \"Save\""])
            .steps(&["Select \"Express\"", "Click \"Save\""])
            .commands(["check radio \"Express\"", "click button \"Save\""]),
        behaviour("choice", "combobox-reverts", "a list of the page's own closes and keeps its old value")
            .page(
                r#"<div role=combobox aria-label=Size aria-expanded=false tabindex=0 id=c>Small</div><ul role=listbox id=l hidden><li role=option>Small</li><li role=option>Large</li></ul><script>
  on('#c', 'click', () => { $('#l').hidden = false; $('#c').setAttribute('aria-expanded', true); });
  on('#l', 'click', event => { $('#l').hidden = true; $('#c').setAttribute('aria-expanded', false); if (!FAILS) $('#c').textContent = event.target.textContent; tell({ size: $('#c').textContent }); });
</script>"#,
            )
            .done(|facts| facts.books.state("size") == Some("Large"))
            .steps(&["Choose \"Large\" from \"Size\""])
            .steps(&["Select \"Large\" for \"Size\""])
            .commands(["click combobox \"Size\"", "click option \"Large\""]),
        behaviour("choice", "toggle-off", "a switch goes off again")
            .page(
                r#"<button role=switch aria-checked=false id=s>Dark mode</button><script>
  const set = value => { $('#s').setAttribute('aria-checked', value); if (!FAILS) tell({ dark: value }); };
  on('#s', 'click', () => { set(true); if (FAILS) later(200, () => set(false)); });
</script>"#,
            )
            .done(|facts| facts.books.state("dark") == Some("true"))
            .ask(each(&["Turn on \"Dark mode\"", "Turn on the switch \"Dark mode\""]))
            .expect("\"Dark mode\" is checked")
            .commands(["check switch \"Dark mode\""]),
        behaviour("choice", "tree-chosen", "an item of a tree is only chosen and stays closed")
            .page(
                r#"<ul role=tree><li role=none><i class="tree-toggle" role=presentation>+</i><a role=treeitem aria-expanded=false aria-selected=false tabindex=0 id=a>Documents</a></li></ul><script>
  on('.tree-toggle', 'click', () => { if (FAILS) $('#a').setAttribute('aria-selected', true); else { $('#a').setAttribute('aria-expanded', true); tell({ open: 'yes' }); } });
  on('#a', 'click', () => $('#a').setAttribute('aria-selected', true));
</script>"#,
            )
            .done(|facts| facts.books.state("open") == Some("yes"))
            .steps(&["Expand \"Documents\""])
            .commands(["expand treeitem \"Documents\""]),
        editor("plain", "the editor takes nothing").page(editable!(
            "if (FAILS) on('#e', 'beforeinput', event => event.preventDefault());"
        ))
        // Legwork may find another way to enter the text.
        .may_happen(),
        editor("prepends", "the editor puts new text before the old").page(editable!(
            "if (FAILS) { let text = 'old text'; on('#e', 'input', () => { const typed = $('#e').innerText.replace('old text', ''); text = typed + 'old text'; $('#e').innerText = text; }); }"
        )),
        editor("restores", "the editor restores its own text after a while").page(editable!(
            "if (FAILS) on('#e', 'input', () => later(300, () => { $('#e').innerText = 'old text'; }));"
        )),
        editor("textarea-limit", "the field keeps three characters")
            .page(
                "<form method=post action=save><label>Body <textarea name=text>old text</textarea></label><button>Save</button></form><script>if (FAILS) on('textarea', 'input', event => { event.target.value = event.target.value.slice(0, 3); });</script>",
            ),
        behaviour("editor", "autosave", "the note is not saved, and a line says so")
            .page(
                r#"<label>Note <textarea></textarea></label><p role=status id=s></p><script>
  on('textarea', 'input', () => later(250, async () => { const r = await send('save', { text: $('textarea').value }); $('#s').textContent = r.ok ? 'All changes saved' : 'Could not save. Retrying…'; }));
</script>"#,
            )
            .server(|call| match call.fails {
                true => html(500, ""),
                false => saves(call),
            })
            .done(received!("text", "call Bo"))
            .ask(each(&["Type \"call Bo\" into \"Note\"", "Fill \"Note\" with \"call Bo\"", "Set \"Note\" to \"call Bo\""]))
            .expect("\"All changes saved\" is shown")
            .commands(["fill textbox \"Note\" \"call Bo\""]),
        behaviour("choice", "undo", "the change is undone by another script")
            .page(
                r#"<ul id=l><li>Milk</li></ul><button id=b>Clear list</button><script>
  on('#b', 'click', () => { $('#l').innerHTML = ''; if (!FAILS) send('save'); else later(300, () => { $('#l').innerHTML = '<li>Milk</li>'; show('You may not clear this list', { role: 'alert' }); }); });
</script>"#,
            )
            .server(saves)
            .done(|facts| facts.books.count("saved") == 1)
            .ask(click("Clear list"))
            .expect("\"Milk\" is not shown")
            .commands(["click button \"Clear list\""]),
    ]
}
