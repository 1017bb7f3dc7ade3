//! Log-ins that are not complete although no password field is left, or that come where nobody asked for them: a link
//! by e-mail, the user name on a page of its own, a code with a field for each digit, a dialog. Belongs to the family
//! `login`.

use crate::truth::{
    case::{Behaviour, Variant, behaviour},
    phrase::{click, each, log_in},
    site::{Call, agrees, html, redirect},
};

const WELCOME: &str = "<h1>Welcome, alice</h1><p>You have 3 new messages.</p><a href='logout'>Log out</a>";
const NAME_FORM: &str = "<h1>Log in</h1><form method=post action=login><label>Username <input name=user></label><button>Log in</button></form>";
const FORM: &str = "<h1>Log in</h1><form method=post action=login><label>Username <input name=user></label><label>Password <input name=password type=password></label><button>Log in</button></form>";

/// Lets alice in, except in the failing variant, which gets this page.
macro_rules! unless {
    ($other:expr) => {
        |call: &mut Call<'_>| match call.path {
            "login" if call.fails => html(200, $other),
            "login" => {
                call.note("done");
                redirect("./").signing_in()
            }
            _ => html(200, if call.signed_in() { WELCOME } else { FORM }),
        }
    };
}

/// A form for the user name alone.
fn by_name(name: &'static str, about: &'static str) -> Behaviour {
    behaviour("login", name, about)
        .page(NAME_FORM)
        .steps(&["Type \"alice\" into \"Username\"", "Click \"Log in\""])
        .steps(&["Enter \"alice\" as \"Username\" and click \"Log in\""])
        .expect("\"Welcome\" is shown")
        .commands(["fill textbox \"Username\" \"alice\"", "click button \"Log in\""])
}

fn by_password(name: &'static str, about: &'static str) -> Behaviour {
    behaviour("login", name, about)
        .page(FORM)
        .ask(log_in("alice", "seven-seas"))
        .expect("\"Welcome\" is shown")
        .commands([
            "fill textbox \"Username\" \"alice\"",
            "fill textbox \"Password\" \"seven-seas\"",
            "click button \"Log in\"",
        ])
}

pub(super) fn behaviours() -> Vec<Behaviour> {
    vec![
        by_name("magic-link", "a link is sent by e-mail")
            .server(unless!("<h1>Check your e-mail</h1><p>We sent a link to alice.</p>")),
        by_name("two-pages", "the password is asked for on a page of its own").server(unless!(
            "<h1>Log in</h1><p>alice</p><form method=post action=password><label>Password <input name=password type=password></label><button>Log in</button></form>"
        )),
        by_name("code-page", "a code is asked for on a page of its own").server(unless!(
            "<h1>Almost there</h1><form method=post action=code><label>Code <input name=code></label><button>Go</button></form>"
        )),
        behaviour("login", "link-requested", "a link is requested, and sent by e-mail")
            .page("<h1>Log in</h1><form method=post action=link><label>Username <input name=user></label><button>Email me a link</button></form>")
            .server(|call| {
                call.note("done");
                html(200, "<h1>Check your e-mail</h1><p>We sent a link to alice.</p>")
            })
            .steps(&["Type \"alice\" into \"Username\"", "Click \"Email me a link\""])
            .only(&[Variant::Genuine])
            .commands(["fill textbox \"Username\" \"alice\"", "click button \"Email me a link\""]),
        by_password("digits", "a code is asked for, with a field for each digit").server(unless!(
            "<h1>One more thing</h1><form method=post action=code><input aria-label='Digit 1'><input aria-label='Digit 2'><input aria-label='Digit 3'><input aria-label='Digit 4'><input aria-label='Digit 5'><input aria-label='Digit 6'><button>Go</button></form>"
        )),
        by_password("mailbox", "the user is asked to look at the mailbox")
            .server(unless!("<h1>Check your inbox</h1><p>Open the message on this device.</p>")),
        by_password("dialog", "the dialog closes, and nobody is logged in")
            .page(
                r#"<header><button id=o>Log in</button></header><h1>Shop</h1><div role=dialog aria-label="Log in" id=d><label>Username <input id=u></label><label>Password <input id=p type=password></label><button id=g>Continue</button></div><script>
  on('#g', 'click', async () => { await send('change'); $('#d').remove(); if (!FAILS) $('header').innerHTML = '<p>Welcome, alice</p><button>Log out</button>'; });
</script>"#,
            )
            .server(agrees)
            .words(Vec::new())
            .steps(&["Type \"alice\" into \"Username\"", "Type \"seven-seas\" into \"Password\"", "Click \"Continue\""])
            .commands([
                "fill textbox \"Username\" \"alice\"",
                "fill textbox \"Password\" \"seven-seas\"",
                "click button \"Continue\"",
            ]),
        behaviour("login", "dialog-first", "a dialog asks to log in before anything is done")
            .page(
                r#"<h1>Lamp</h1><button id=b>Add to favourites</button><div id=r></div><script>
  on('#b', 'click', async () => {
    if (!FAILS) { await send('change'); $('#r').textContent = 'Added'; return; }
    $('#r').innerHTML = '<div role=dialog aria-label="Welcome back"><label>E-mail <input></label><label>Password <input type=password></label><button>Log in</button></div>';
  });
</script>"#,
            )
            .server(agrees)
            .ask(click("Add to favourites"))
            .commands(["click button \"Add to favourites\""]),
        behaviour("login", "opened-dialog", "a dialog for the log-in opens on request")
            .page(
                r#"<h1>Lamp</h1><button id=b>My account</button><div id=r></div><script>
  on('#b', 'click', () => {
    tell({ opened: 1 });
    $('#r').innerHTML = '<div role=dialog aria-label="Welcome back"><label>E-mail <input></label><label>Password <input type=password></label><button>Log in</button></div>';
  });
</script>"#,
            )
            .done(|facts| facts.books.state("opened") == Some("1"))
            .ask(each(&["Click \"My account\""]))
            .only(&[Variant::Genuine])
            .commands(["click button \"My account\""]),
        behaviour("login", "session-ended", "the page offers to log in instead of to log out, without a password field")
            .page("<header><a href=logout>Log out</a></header><h1>Note</h1><form method=post action=save><label>Title <input name=t></label><button>Save</button></form>")
            .server(|call| {
                if call.fails {
                    return html(200, "<header><a href=login>Log in</a></header><h1>Note</h1><form method=post action=save><label>Title <input name=t></label></form>");
                }
                call.note("done");
                html(200, "<header><a href=logout>Log out</a></header><h1>Note</h1><p>Saved</p>")
            })
            .steps(&["Type \"Plan B\" into \"Title\"", "Click \"Save\""])
            .commands(["fill textbox \"Title\" \"Plan B\"", "click button \"Save\""]),
    ]
}
