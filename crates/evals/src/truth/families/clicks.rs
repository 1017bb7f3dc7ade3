//! Clicks that do not arrive, reach another element, or are blocked by the page. The truth is the requests that the
//! site received.

use crate::truth::{
    case::{Behaviour, Variant, behaviour},
    phrase::{click, each, fill_and_click},
    site::{Answer, Call, html, json},
};

/// Records requests to `save`.
fn saves(call: &mut Call<'_>) -> Answer {
    match call.path {
        "save" => {
            call.note("done");
            html(200, "<h1>Saved</h1>")
        }
        _ => html(404, "<h1>Not found</h1>"),
    }
}

/// A page with one button that saves. `$button` and `$script` contain what prevents the click.
macro_rules! button {
    ($button:literal, $script:literal) => {
        concat!(
            "<h1>Profile</h1><main>",
            $button,
            "</main><script>\n  const save = () => send('save').then(() => show('Saved', { role: 'status' }));\n  ",
            $script,
            "\n</script>"
        )
    };
}

const SAVE: &str = button!("<button id=b>Save</button>", "on('#b', 'click', save);");

fn blocked(name: &'static str, about: &'static str, failing_page: &'static str) -> Behaviour {
    behaviour("click", name, about)
        .page(SAVE)
        .failing_page(failing_page)
        .server(saves)
        .ask(click("Save"))
        .expect("\"Saved\" is shown")
        .commands(["click button \"Save\""])
}

pub(super) fn behaviours() -> Vec<Behaviour> {
    vec![
        blocked(
            "pointer-events-none",
            "the button takes no pointer events",
            button!("<button id=b style='pointer-events:none'>Save</button>", "on('#b', 'click', save);"),
        ),
        blocked(
            "pointer-events-parent",
            "what is around the button takes no pointer events",
            button!("<div style='pointer-events:none'><button id=b>Save</button></div>", "on('#b', 'click', save);"),
        ),
        blocked("disabled", "the button is disabled", button!("<button id=b disabled>Save</button>", "on('#b', 'click', save);")),
        blocked(
            "fieldset-disabled",
            "the button stands in a disabled group",
            button!("<fieldset disabled><button id=b>Save</button></fieldset>", "on('#b', 'click', save);"),
        ),
        blocked(
            "aria-disabled",
            "the button says that it is disabled, and does nothing",
            button!("<button id=b aria-disabled=true>Save</button>", ""),
        ),
        blocked(
            "inert",
            "the page is inert behind a dialog that does not close",
            button!("<div inert><button id=b>Save</button></div>", "on('#b', 'click', save);"),
        ),
        blocked(
            "overlay",
            "a layer of glass covers the page",
            button!(
                "<button id=b>Save</button><div style='position:fixed;inset:0'></div>",
                "on('#b', 'click', save);"
            ),
        ),
        blocked(
            "cookie-banner",
            "a banner covers the lower part of the page, and the page does not scroll",
            button!(
                "<button id=b style='position:fixed;bottom:20px'>Save</button><div style='position:fixed;bottom:0;left:0;\
                 right:0;height:200px;background:#eee'>We use cookies</div>",
                "on('#b', 'click', save);"
            ),
        ),
        blocked(
            "replaced-on-press",
            "the button is replaced when it is pressed, each time",
            button!(
                "<button id=b>Save</button>",
                "const arm = () => on('#b', 'pointerdown', () => { const fresh = $('#b').cloneNode(true); $('#b').replaceWith(fresh); arm(); }); arm(); document.addEventListener('click', event => { if (event.target.id === 'b') save(); });"
            ),
        ),
        blocked(
            "runs-away",
            "the button jumps away from the pointer",
            button!(
                "<button id=b style='position:absolute;left:50px;top:150px'>Save</button>",
                "let at = 50; on('#b', 'pointerenter', () => { at = 350 - at; $('#b').style.left = at + 'px'; }); on('#b', 'click', save);"
            ),
        ),
        blocked(
            "swallowed",
            "a listener of the page swallows every press",
            button!(
                "<button id=b>Save</button>",
                "on('#b', 'click', save); for (const kind of ['pointerdown', 'mousedown', 'click']) addEventListener(kind, event => { event.stopImmediatePropagation(); event.preventDefault(); }, true);"
            ),
        )
        .silent(),
        blocked("no-handler", "nothing happens at all", button!("<button id=b>Save</button>", "")).silent(),
        blocked(
            "throws",
            "the script of the button throws",
            button!("<button id=b>Save</button>", "on('#b', 'click', () => { throw new Error('boom'); });"),
        )
        .silent(),
        blocked(
            "enabled-late",
            "the button is disabled until much later",
            button!("<button id=b disabled>Save</button>", "on('#b', 'click', save); later(60000, () => { $('#b').disabled = false; });"),
        )
        .page(button!(
            "<button id=b disabled>Save</button>",
            "on('#b', 'click', save); later(700, () => { $('#b').disabled = false; });"
        )),
        blocked(
            "required-empty",
            "the browser refuses the form, because a field is required",
            "<form method=post action=save><label>Name <input name=name required></label><button>Save</button></form>",
        )
        .page("<form method=post action=save><label>Name <input name=name></label><button>Save</button></form>"),
        blocked(
            "pattern",
            "the browser refuses the form, because a field does not fit",
            "<form method=post action=save><label>Mail <input name=mail type=email value=nobody></label><button>Save</button></form>",
        )
        .page("<form method=post action=save><label>Mail <input name=mail type=email value=a@b.org></label><button>Save</button></form>"),
        blocked(
            "confirm",
            "a dialog asks whether to go on",
            button!("<button id=b>Save</button>", "on('#b', 'click', () => { if (confirm('Really save?')) save(); });"),
        )
        .may_happen(),
        behaviour("click", "label-of-disabled", "the label belongs to a disabled box")
            .page("<label><input type=checkbox id=n> Newsletter</label><script>on('#n', 'change', () => send('save'));</script>")
            .failing_page(
                "<label><input type=checkbox id=n disabled> Newsletter</label><script>on('#n', 'change', () => send('save'));</script>",
            )
            .server(saves)
            .ask(each(&["Click \"Newsletter\"", "Tick \"Newsletter\"", "Check the box \"Newsletter\"", "Turn on \"Newsletter\""]))
            .expect("\"Newsletter\" is checked")
            .commands(["click \"Newsletter\""]),
        behaviour("click", "beforeunload", "the page asks whether it may be left")
            .page("<label>Note <input></label><a href=save>Leave</a>")
            .failing_page(
                "<label>Note <input></label><a href=save>Leave</a><script>addEventListener('beforeunload', event => event.preventDefault());</script>",
            )
            .server(saves)
            .ask(fill_and_click("x", "Note", "Leave").into_iter().take(1).collect())
            .steps(&["Type \"x\" into \"Note\"", "Follow the link \"Leave\""])
            .expect("\"Saved\" is shown")
            .commands(["fill textbox \"Note\" \"x\"", "click link \"Leave\""])
            .may_happen(),
        behaviour("click", "slow-once", "the site is slow, and one click must stay one")
            .page(SAVE)
            .server(|call| {
                call.note("done");
                json(200, serde_json::json!({})).after(900)
            })
            .ask(click("Save"))
            .expect("\"Saved\" is shown")
            .commands(["click button \"Save\""])
            .only(&[Variant::Genuine]),
        behaviour("click", "double-submit", "the page sends twice, and the site refuses both as a duplicate")
            .page(SAVE)
            .failing_page(button!(
                "<button id=b>Save</button>",
                "on('#b', 'click', async () => { await send('twice'); await send('twice'); show('Duplicate request: nothing was saved', { role: 'alert' }); });"
            ))
            .server(|call| match call.path {
                "save" => saves(call),
                _ => json(409, serde_json::json!({})),
            })
            .ask(click("Save"))
            .commands(["click button \"Save\""]),
    ]
}
