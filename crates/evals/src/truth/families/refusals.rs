//! A button that sends an order, and the ways in which sites refuse it. The truth is the site's record of orders.

use serde_json::json;

use crate::truth::{
    case::{Behaviour, Variant, behaviour},
    phrase::click,
    site::{Answer, Call, agrees, html, json, redirect},
};

const CHECKOUT: &str = r#"<h1>Checkout</h1><p>1 lamp, $40.00</p>
<form method="post" action="order"><button>Place order</button></form>"#;

const PLACED: &str = "<h1>Thank you</h1><p>Order 1001 was placed.</p>";

/// A button whose request is answered with 200. In the failing variant the page states in these words that nothing was
/// done.
macro_rules! denied {
    ($name:literal, $words:literal, $button:literal) => {
        behaviour("refusal", $name, "the site answers 200, and the page denies in words that it was done")
            .page(concat!(
                "<h1>Orders</h1><button id=b>",
                $button,
                "</button><p id=r></p><script>on('#b', 'click', async () => { await send('change'); $('#r').textContent = FAILS ? '",
                $words,
                "' : 'Thank you'; });</script>"
            ))
            .server(agrees)
            .ask(click($button))
            .silent()
            .commands([concat!("click button \"", $button, "\"")])
    };
}

/// A button whose script sends the order. `answered(ok, body)` shows the result.
macro_rules! scripted {
    ($answered:literal) => {
        concat!(
            r#"<h1>Checkout</h1><p>1 lamp, $40.00</p><main><button id="go">Place order</button></main>
<script>
  const placed = () => { $('main').innerHTML = '<h2>Thank you</h2><p>Order 1001 was placed.</p>'; };
  const answered = "#,
            $answered,
            r#";
  on('#go', 'click', async () => {
    const response = await send('order').catch(() => null);
    const body = response ? await response.json().catch(() => ({})) : {};
    answered(Boolean(response && response.ok && body.ok), body);
  });
</script>"#
        )
    };
}

/// Accepts orders, except in the failing variant.
macro_rules! takes {
    ($accept:expr, $refuse:expr) => {
        |call: &mut Call<'_>| match call.path {
            "order" if call.fails => {
                let refuse: fn(&mut Call<'_>) -> Answer = $refuse;
                refuse(call)
            }
            "order" => {
                call.note("done");
                $accept
            }
            "" => html(200, CHECKOUT),
            _ => html(404, "<h1>Not found</h1>"),
        }
    };
}

/// A site for a form that the browser submits.
macro_rules! posted {
    ($refuse:expr) => {
        takes!(html(200, PLACED), $refuse)
    };
}

/// A site for an order that a script sends.
macro_rules! fetched {
    ($refuse:expr) => {
        takes!(json(200, json!({ "ok": true })), $refuse)
    };
}

fn order(name: &'static str, about: &'static str) -> Behaviour {
    behaviour("refusal", name, about)
        .page(CHECKOUT)
        .ask(click("Place order"))
        .expect("\"Thank you\" is shown")
        .commands(["click button \"Place order\""])
}

fn by_script(name: &'static str, about: &'static str, page: &'static str) -> Behaviour {
    order(name, about).page(page).server(fetched!(|_| json(422, json!({ "ok": false, "error": "Out of stock" }))))
}

pub(super) fn behaviours() -> Vec<Behaviour> {
    vec![
        order("page-500", "status 500 with a page that says so")
            .server(posted!(|_| html(500, "<h1>Server error</h1><p>Your order was not placed.</p>"))),
        order("page-404", "status 404").server(posted!(|_| html(404, "<h1>Page not found</h1>"))),
        order("page-403", "status 403")
            .server(posted!(|_| html(403, "<h1>Forbidden</h1><p>You may not do this.</p>"))),
        order("page-409", "status 409").server(posted!(|_| html(409, "<h1>Conflict</h1><p>The price has changed.</p>"))),
        order("page-422", "the form again with status 422")
            .server(posted!(|_| html(422, &format!("<p class=error>The cart is empty.</p>{CHECKOUT}")))),
        order("error-200", "status 200 with a page that says error")
            .server(posted!(|_| html(200, "<h1>Error</h1><p>The order could not be placed.</p>"))),
        order("soft-404", "status 200 with a page that says not found")
            .server(posted!(|_| html(200, "<h1>404 – page not found</h1><p>Sorry.</p>"))),
        order("alert-200", "the form again with an alert and status 200")
            .server(posted!(|_| html(200, &format!("<div role=alert>Your card was declined.</div>{CHECKOUT}")))),
        order("error-summary", "an error summary above the form")
            .server(posted!(|_| html(
                200,
                &format!(
                    "<div role=alert aria-labelledby=t tabindex=-1><h2 id=t>There is a problem</h2><ul><li><a href='#c'>Enter a \
                     card number</a></li></ul></div>{CHECKOUT}<label>Card <input id=c aria-invalid=true></label>"
                )
            ))),
        order("redirect-error", "sent back with ?error=stock").server(|call| match call.path {
            "order" if call.fails => redirect("./?error=stock"),
            "order" => {
                call.note("done");
                html(200, PLACED)
            }
            _ => html(200, &format!("<p class=error>Out of stock.</p>{CHECKOUT}")),
        }),
        order("redirect-login", "sent to the log-in page, because the session is over").server(|call| match call.path {
            "order" if call.fails => redirect("login?next=order"),
            "order" => {
                call.note("done");
                html(200, PLACED)
            }
            _ => html(
                200,
                "<h1>Log in</h1><p>Your session has expired.</p><form method=post action=login><label>Username <input \
                 name=user></label><label>Password <input name=password type=password></label><button>Log in</button></form>",
            ),
        }),
        order("connection-reset", "the connection is reset")
            .failing_page(r#"<h1>Checkout</h1><form method="post" action="%HANGS-UP%/order"><button>Place order</button></form>"#)
            .server(posted!(|_| html(500, ""))),
        order("connection-refused", "nobody listens where the form is sent")
            .failing_page(r#"<h1>Checkout</h1><form method="post" action="%CLOSED%/order"><button>Place order</button></form>"#)
            .server(posted!(|_| html(500, ""))),
        by_script(
            "toast",
            "a toast that disappears",
            scripted!("ok => ok ? placed() : toast('Order failed: out of stock', 1200)"),
        ),
        by_script(
            "toast-plain",
            "a toast without a role",
            scripted!("ok => ok ? placed() : toast('Order failed: out of stock', 1500, '')"),
        ),
        by_script(
            "toast-alert",
            "a toast that is an alert",
            scripted!("ok => ok ? placed() : toast('Order failed: out of stock', 1200, 'alert')"),
        ),
        by_script(
            "toast-brief",
            "a toast that is gone before the page is looked at, after an answer that says nothing",
            scripted!("(_, body) => body.placed ? placed() : toast('Order failed: out of stock', 150)"),
        )
        .server(takes!(json(200, json!({ "ok": true, "placed": true })), |_| json(200, json!({})))),
        by_script(
            "banner",
            "a red banner at the top",
            scripted!(
                "(ok, body) => ok ? placed() : document.body.prepend(show('We could not place your order. ' + body.error, \
                 { kind: 'error banner' }))"
            ),
        ),
        by_script(
            "status-line",
            "a status line turns to an error",
            scripted!("ok => ok ? placed() : show('Error: the order was not placed', { role: 'status' })"),
        ),
        by_script(
            "dialog",
            "a modal dialog of the page's own",
            scripted!(
                "ok => { if (ok) return placed(); const box = show('', { tag: 'dialog' }); box.innerHTML = '<h2>Order \
                 failed</h2><p>Out of stock</p><button>OK</button>'; box.showModal(); }"
            ),
        ),
        by_script("js-alert", "a JavaScript alert", scripted!("ok => ok ? placed() : alert('Order failed')")),
        by_script(
            "button-text",
            "the button itself says that it failed",
            scripted!("ok => { if (ok) placed(); else $('#go').textContent = 'Failed – try again'; }"),
        ),
        by_script(
            "title",
            "only the title says so",
            scripted!("ok => { if (ok) placed(); else document.title = 'Error – order failed'; }"),
        ),
        by_script(
            "spinner-then-error",
            "a spinner, and an error after it",
            scripted!(
                "ok => { const wait = show('', { role: 'progressbar' }); later(500, () => { wait.remove(); if (ok) placed(); \
                 else show('The order failed', { role: 'alert' }); }); }"
            ),
        ),
        by_script(
            "fetch-500-silent",
            "the request fails with status 500, and the page says nothing",
            scripted!("ok => { if (ok) placed(); }"),
        )
        .server(fetched!(|_| json(500, json!({})))),
        by_script(
            "fetch-ok-false-silent",
            "the answer is ok: false with status 200, and the page says nothing",
            scripted!("ok => { if (ok) placed(); }"),
        )
        .server(fetched!(|_| json(200, json!({ "ok": false }))))
        .silent(),
        by_script(
            "graphql",
            "a GraphQL answer with errors and status 200",
            scripted!("(ok, body) => ok ? placed() : show(body.errors[0].message, { role: 'alert' })"),
        )
        .server(fetched!(|_| json(200, json!({ "errors": [{ "message": "Out of stock" }] })))),
        by_script(
            "success-then-error",
            "a message of success is replaced by an error",
            scripted!(
                "ok => { const line = show('Order placed', { role: 'status' }); if (ok) return placed(); later(400, () => { \
                 line.setAttribute('role', 'alert'); line.textContent = 'Order failed: payment was declined'; }); }"
            ),
        ),
        denied!("denied-none", "No orders were archived", "Archive"),
        denied!("denied-nothing", "Nothing to publish", "Publish"),
        denied!("denied-zero", "Published pages: 0", "Publish"),
        denied!("denied-later", "Publishing opens on Monday", "Publish"),
        denied!("denied-by-another", "Published by Eve yesterday", "Publish"),
        denied!("denied-before", "Bob was invited before", "Invite"),
        denied!("denied-german", "Nichts gelöscht", "Löschen"),
        behaviour("refusal", "secondary-requests", "requests beside the change fail, and the page says that it is saved")
            .page(
                r#"<h1>Order 7</h1><button id="b">Save</button><script>
  on('#b', 'click', async () => {
    await send('order'); show('Order saved', { role: 'status' });
    send('api/presence'); send('api/seen'); fetch('api/me'); show('Next: print the label', { role: 'alert' });
  });
</script>"#,
            )
            .server(|call| {
                if call.path != "order" {
                    return json(500, json!({}));
                }
                call.note("done");
                json(200, json!({}))
            })
            .ask(click("Save"))
            .only(&[Variant::Genuine])
            .commands(["click button \"Save\""]),
    ]
}
