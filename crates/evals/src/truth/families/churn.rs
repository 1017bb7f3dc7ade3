//! Pages that change all the time, with a button that does nothing: no such change shows that the click had an effect.
//! The truth is the requests that the site received.

use crate::truth::{
    case::{Behaviour, behaviour},
    phrase::click,
    site::{html, json},
};

/// A button that saves, or does nothing, on a page that changes by itself.
macro_rules! churning {
    ($body:literal, $script:literal) => {
        concat!(
            "<h1>Profile</h1>",
            $body,
            "<p><button id=b>Save</button></p><p id=r></p><script>\n  if (!FAILS) on('#b', 'click', () => send('save').then(() => { $('#r').textContent = 'Your profile was saved'; }));\n  let n = 0;\n  ",
            $script,
            "\n</script>"
        )
    };
}

fn churn(name: &'static str, about: &'static str, page: &'static str) -> Behaviour {
    behaviour("churn", name, about)
        .page(page)
        .server(|call| match call.path {
            "save" => {
                call.note("done");
                json(200, serde_json::json!({}))
            }
            "tick" => json(200, serde_json::json!({ "n": call.books.count("tick") })),
            _ => html(404, "<h1>Not found</h1>"),
        })
        .ask(click("Save"))
        .expect("\"Your profile was saved\" is shown")
        .commands(["click button \"Save\""])
        .silent()
}

pub(super) fn behaviours() -> Vec<Behaviour> {
    vec![
        churn(
            "tips",
            "a tip that is replaced by another every 150 ms",
            churning!(
                "<p id=tip>Tip: press Escape</p>",
                "const tips = ['Tip: try the search', 'Tip: invite a friend', 'Tip: use the keyboard', 'Tip: add a photo']; setInterval(() => { $('#tip').textContent = tips[n++ % 4]; }, 150);"
            ),
        ),
        churn(
            "clock",
            "a clock",
            churning!(
                "<p>It is <span id=c>12:00:00</span></p>",
                "setInterval(() => { $('#c').textContent = new Date().toISOString().slice(11, 21); }, 100);"
            ),
        ),
        churn(
            "counter",
            "a counter of visitors",
            churning!(
                "<p id=c>100 people are watching</p>",
                "setInterval(() => { $('#c').textContent = (100 + n++) + ' people are watching'; }, 120);"
            ),
        ),
        churn(
            "ads",
            "an advertisement that changes",
            churning!(
                "<aside aria-label=Advertisement><a href=ad id=ad>Buy shoes</a></aside>",
                "const ads = ['Buy lamps', 'Buy boats', 'Buy books']; setInterval(() => { $('#ad').textContent = ads[n++ % 3] + ' ' + n; }, 150);"
            ),
        ),
        churn(
            "ticker",
            "a list to which news are added",
            churning!(
                "<ul id=l></ul>",
                "setInterval(() => { show('News ' + n++, { tag: 'li', where: $('#l') }); }, 200);"
            ),
        ),
        churn(
            "status-region",
            "a status that tells of other people",
            churning!(
                "<div role=status id=s></div>",
                "setInterval(() => { $('#s').textContent = 'User ' + n++ + ' has joined'; }, 180);"
            ),
        ),
        churn(
            "title",
            "a title that counts messages",
            churning!("", "setInterval(() => { document.title = '(' + n++ + ') Shop'; }, 150);"),
        ),
        churn(
            "carousel",
            "headings that take turns",
            churning!(
                "<h2 id=h>Spring</h2>",
                "const all = ['Summer', 'Autumn', 'Winter', 'Spring']; setInterval(() => { $('#h').textContent = all[n++ % 4] + ' sale'; }, 200);"
            ),
        ),
        churn(
            "slow-tips",
            "a tip that changes a second after the page has loaded, once",
            churning!(
                "<p id=tip>Tip: press Escape</p>",
                "later(1000, () => { $('#tip').textContent = 'Tip: try the search'; });"
            ),
        )
        .only(&[crate::truth::case::Variant::Genuine]),
        churn(
            "polling",
            "numbers that are fetched again and again",
            churning!(
                "<p id=p>Load 0</p>",
                "setInterval(async () => { await send('tick'); $('#p').textContent = 'Load ' + n++; }, 200);"
            ),
        ),
        churn(
            "presence",
            "people who come and go",
            churning!(
                "<ul id=l></ul>",
                "setInterval(() => { $('#l').innerHTML = n++ % 2 ? '<li>Bo is here</li>' : '<li>Cy is here</li>'; }, 160);"
            ),
        ),
        // The tooltip appears in both variants and is no effect of the click.
        churn(
            "tooltip",
            "a tooltip without a role that comes with the pointer",
            churning!("", "on('#b', 'mouseenter', () => later(120, () => show('Stores your profile')));"),
        ),
        churn(
            "tooltip-of-style-sheet",
            "a tooltip that a style sheet shows under the pointer",
            churning!(
                "<style>#t{display:none}p:hover+#t{display:block}</style><p>&nbsp;</p><p><button onclick=''>Help</button></p><span id=t>Stores your profile</span>",
                "$('#b').parentNode.after($('#t'));"
            ),
        ),
        churn(
            "chat",
            "a chat window that opens once the pointer moves",
            churning!(
                "",
                "addEventListener('mousemove', () => later(200, () => show('Hello! How may I help you?', { kind: 'chat' })), { once: true });"
            ),
        ),
    ]
}
