//! The different ways in which sites refuse a log-in, each with the log-in that succeeds. The truth is the session that
//! the site created.

use serde_json::json;

use crate::truth::{
    case::{Behaviour, behaviour},
    phrase::log_in,
    site::{Answer, Call, html, json, redirect},
};

/// A form that the browser submits.
const PLAIN: &str = r#"<h1>Log in</h1>
<form method="post" action="login">
  <label>Username <input name="user" autocomplete="username"></label>
  <label>Password <input name="password" type="password"></label>
  <button>Log in</button>
</form>"#;

/// A form that a script submits. `refused(form, body)` shows the refusal.
macro_rules! scripted {
    ($refused:literal) => {
        concat!(
            r#"<div id="app"><h1>Log in</h1><form>
  <label>Username <input name="user"></label>
  <label>Password <input name="password" type="password"></label>
  <button>Log in</button>
</form></div>
<script>
  const refused = "#,
            $refused,
            r#";
  on('form', 'submit', async event => {
    event.preventDefault();
    const form = event.target;
    const response = await sendForm(form, 'login').catch(() => null);
    const body = response && response.ok ? await response.json() : null;
    if (body && body.ok) {
      $('#app').innerHTML = '<h1>Welcome, alice</h1><button>Log out</button>';
    } else {
      refused(form, body);
    }
  });
</script>"#
        )
    };
}

const WELCOME: &str = "<h1>Welcome, alice</h1><p>You have 3 new messages.</p><a href='logout'>Log out</a>";

/// Logs the user in.
fn enter(call: &mut Call<'_>) -> Answer {
    call.note("done");
    redirect("./").signing_in()
}

/// The pages around the log-in: the start page with a session, the form without one.
fn around(call: &Call<'_>) -> Answer {
    if call.signed_in() { html(200, WELCOME) } else { html(200, PLAIN) }
}

fn posts_login(call: &Call<'_>) -> bool {
    call.path == "login" && !call.fields.is_empty()
}

/// A site for a form that the browser submits. `refuse` answers the failing variant.
macro_rules! posted {
    ($refuse:expr) => {
        |call: &mut Call<'_>| match posts_login(call) {
            true if call.fails => {
                let refuse: fn(&mut Call<'_>) -> Answer = $refuse;
                refuse(call)
            }
            true => enter(call),
            false => around(call),
        }
    };
}

/// A site for a form that a script submits.
macro_rules! fetched {
    ($refuse:expr) => {
        |call: &mut Call<'_>| match posts_login(call) {
            true if call.fails => {
                let refuse: fn(&mut Call<'_>) -> Answer = $refuse;
                refuse(call)
            }
            true => {
                call.note("done");
                json(200, json!({ "ok": true }))
            }
            false => around(call),
        }
    };
}

/// The form again, below a message.
fn again(status: u16, message: &str) -> Answer {
    html(status, &format!("{message}{PLAIN}"))
}

fn login(name: &'static str, about: &'static str) -> Behaviour {
    behaviour("login", name, about)
        .page(PLAIN)
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
        login("page-401", "a page of its own with status 401")
            .server(posted!(|_| html(401, "<h1>Unauthorized</h1><p>Login failed.</p><a href='./'>Back</a>"))),
        login("form-401", "the form again with status 401 and a message")
            .server(posted!(|_| again(401, "<p class=error>Wrong username or password.</p>"))),
        login("form-200", "the form again with status 200 and a message in plain text")
            .server(posted!(|_| again(200, "<p>The password is incorrect.</p>"))),
        login("redirect-error", "sent back to the form with ?error=1")
            .server(|call| match call.path {
                "login" if call.fails && !call.fields.is_empty() => redirect("./?error=1"),
                "login" if !call.fields.is_empty() => enter(call),
                _ if call.field("error") == "1" => again(200, "<p class=error>Login failed.</p>"),
                _ => around(call),
            }),
        login("redirect-silent", "sent back to the empty form without a word")
            .silent()
            .server(posted!(|_| redirect("./"))),
        login("form-silent", "the same form again, its password empty, without a word")
            .silent()
            .server(posted!(|_| html(200, PLAIN))),
        login("alert-role", "the form again with an alert").server(posted!(|_| again(
            200,
            "<div role=alert>Sorry, we could not sign you in.</div>"
        ))),
        login("status-text", "the form again with a status").server(posted!(|_| again(
            200,
            "<div role=status>Credentials not recognised.</div>"
        ))),
        login("aria-invalid", "fields marked as invalid, with a message tied to them").server(posted!(|_| html(
            200,
            "<h1>Log in</h1><form method=post action=login><label>Username <input name=user aria-invalid=true \
             aria-describedby=e></label><label>Password <input name=password type=password aria-invalid=true></label>\
             <span id=e class=error>Does not match our records</span><button>Log in</button></form>"
        ))),
        login("account-locked", "a page that says that the account is locked")
            .server(posted!(|_| html(403, "<h1>Account locked</h1><p>Too many attempts. Contact support.</p>"))),
        login("account-locked-200", "the same with status 200, without the form")
            .only_results().server(posted!(|_| html(200, "<h1>Your account is locked</h1><p>Contact support to unlock it.</p>"))),
        login("captcha", "a captcha is demanded").only_results().server(posted!(|_| html(
            200,
            "<h1>Are you human?</h1><p>Please solve the captcha to continue logging in.</p><form method=post action=captcha>\
             <label>Letters in the picture <input name=captcha></label><button>Continue</button></form>"
        ))),
        login("second-factor", "a code from the phone is demanded").only_results().server(posted!(|_| html(
            200,
            "<h1>Two-step verification</h1><form method=post action=code><label>6-digit code <input name=code \
             autocomplete=one-time-code></label><button>Verify</button></form>"
        ))),
        login("rate-limit", "status 429").server(posted!(|_| html(
            429,
            "<h1>Too many requests</h1><p>Try again in 15 minutes.</p>"
        ))),
        login("server-error", "status 500")
            .server(posted!(|_| html(500, "<h1>Something went wrong</h1><p>Please try again later.</p>"))),
        login("bad-gateway", "status 502 with an empty page").server(posted!(|_| html(502, ""))),
        login("connection-reset", "the connection is reset")
            .failing_page(
                r#"<h1>Log in</h1>
<form method="post" action="%HANGS-UP%/login">
  <label>Username <input name="user"></label>
  <label>Password <input name="password" type="password"></label>
  <button>Log in</button>
</form>"#,
            )
            .server(posted!(|_| html(500, ""))),
        login("password-expired", "a new password is demanded").only_results().server(posted!(|_| html(
            200,
            "<h1>Your password has expired</h1><form method=post action=renew><label>New password <input name=new \
             type=password></label><label>Repeat new password <input name=new2 type=password></label><button>Change \
             password</button></form>"
        ))),
        login("js-alert", "a JavaScript alert")
            .page(scripted!("() => alert('Wrong username or password')"))
            .server(fetched!(|_| json(401, json!({ "ok": false })))),
        login("toast-401", "fetch answered 401, and a toast that disappears")
            .page(scripted!("() => toast('Login failed', 1200)"))
            .server(fetched!(|_| json(401, json!({ "ok": false })))),
        login("json-ok-false", "fetch answered 200 with ok: false, and a line below the form")
            .page(scripted!("form => show('Invalid credentials', { kind: 'error', where: form })"))
            .server(fetched!(|_| json(200, json!({ "ok": false })))),
        login("json-silent", "fetch answered 200 with ok: false, and the field is cleared silently")
            .silent()
            .page(scripted!("form => { form.password.value = ''; }"))
            .server(fetched!(|_| json(200, json!({ "ok": false })))),
        login("graphql", "a GraphQL answer with errors and status 200")
            .page(scripted!("(form, body) => show(body.errors[0].message, { role: 'alert', where: form })"))
            .server(fetched!(|_| json(200, json!({ "data": null, "errors": [{ "message": "Bad credentials" }] })))),
        login("modal", "a modal dialog of the page's own")
            .page(scripted!(
                "() => { const box = show('', { tag: 'dialog' }); box.innerHTML = '<h2>Sign-in problem</h2><p>We do not know \
                 this password.</p><button>OK</button>'; box.showModal(); }"
            ))
            .server(fetched!(|_| json(401, json!({ "ok": false })))),
        login("slow-refusal", "a refusal that comes after a while")
            .page(scripted!("form => show('Login failed', { role: 'alert', where: form })"))
            .server(fetched!(|_| json(401, json!({ "ok": false })).after(700))),
        login("shake", "the form shakes and its border turns red, without a word")
            .silent()
            .page(scripted!("form => { form.className = 'error'; form.style.border = '2px solid red'; }"))
            .server(fetched!(|_| json(401, json!({ "ok": false })))),
        login("unconfirmed", "a page that wants the e-mail address confirmed first").only_results().server(posted!(|_| html(
            200,
            "<h1>Confirm your e-mail address</h1><p>You cannot sign in before you have followed the link we sent.</p>\
             <button>Send again</button>"
        ))),
        login("maintenance", "status 503").server(posted!(|_| html(
            503,
            "<h1>Down for maintenance</h1><p>We will be back at noon.</p>"
        ))),
    ]
}
