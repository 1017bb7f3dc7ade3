//! Links without a working target, and tabs and downloads that fail. The truth is whether the site received the request
//! for the target and served it.

use crate::truth::{
    case::{Behaviour, behaviour},
    phrase::{each, follow},
    site::{Answer, Call, file, html, redirect},
};

const LINK: &str = "<h1>Home</h1><a href=report>Report</a>";

fn report(call: &mut Call<'_>) -> Answer {
    call.note("done");
    html(200, "<h1>Annual report</h1><p>All is well.</p>")
}

/// Serves the report, except in the failing variant.
macro_rules! answers {
    ($refuse:expr) => {
        |call: &mut Call<'_>| match (call.path, call.fails) {
            ("report", true) => {
                let refuse: fn(&mut Call<'_>) -> Answer = $refuse;
                refuse(call)
            }
            ("report", false) => report(call),
            _ => html(404, "<h1>Not found</h1>"),
        }
    };
}

fn link(name: &'static str, about: &'static str) -> Behaviour {
    behaviour("link", name, about)
        .page(LINK)
        .server(answers!(|_| html(404, "<h1>Not found</h1>")))
        .ask(follow("Report"))
        .expect("\"Annual report\" is shown")
        .commands(["click link \"Report\""])
}

fn download(name: &'static str, about: &'static str, refuse: crate::truth::case::Handler) -> Behaviour {
    behaviour("download", name, about)
        .page("<h1>Files</h1><a href=data.csv download>Export</a>")
        .server(refuse)
        .ask(each(&["Download the file by clicking \"Export\"", "Click \"Export\" and wait for the download"]))
        .expect("file \"data.csv\" was downloaded")
        .commands(["click link \"Export\""])
}

/// Serves the file, except in the failing variant.
macro_rules! delivers {
    ($refuse:expr) => {
        |call: &mut Call<'_>| match call.fails {
            true => $refuse,
            false => {
                call.note("done");
                file("data.csv", "a,b\n1,2\n")
            }
        }
    };
}

pub(super) fn behaviours() -> Vec<Behaviour> {
    vec![
        link("closed-port", "nobody listens there").failing_page("<h1>Home</h1><a href='%CLOSED%/report'>Report</a>"),
        link("hangs-up", "the connection is reset").failing_page("<h1>Home</h1><a href='%HANGS-UP%/report'>Report</a>"),
        link("no-such-host", "the name does not exist")
            .failing_page("<h1>Home</h1><a href='http://no-such-host.invalid/report'>Report</a>"),
        link("404", "status 404"),
        link("410", "status 410").server(answers!(|_| html(410, "<h1>Gone</h1>"))),
        link("500", "status 500").server(answers!(|_| html(500, "<h1>Internal server error</h1>"))),
        link("503", "status 503").server(answers!(|_| html(503, "<h1>Service unavailable</h1>"))),
        link("403", "status 403").server(answers!(|_| html(403, "<h1>Access denied</h1>"))),
        link("soft-404", "a page that says not found with status 200")
            .server(answers!(|_| html(200, "<h1>Page not found</h1><p>We could not find what you were looking for.</p>"))),
        link("soft-500", "a page that says error with status 200")
            .server(answers!(|_| html(200, "<h1>Oops! Something went wrong</h1><p>Error 500</p>"))),
        link("redirect-loop", "redirects without an end").server(answers!(|_| redirect("report"))),
        link("redirect-home", "sent back to the page that it came from").server(answers!(|_| redirect("./"))).silent(),
        link("hash", "the link leads to nothing on the same page").failing_page("<h1>Home</h1><a href='#'>Report</a>").silent(),
        link("void", "the link is a script that does nothing")
            .failing_page("<h1>Home</h1><a href='javascript:void(0)'>Report</a>")
            .silent(),
        link("prevented", "a script stops the navigation")
            .failing_page("<h1>Home</h1><a href=report>Report</a><script>on('a', 'click', event => event.preventDefault());</script>")
            .silent(),
        link("new-tab-closed-port", "it opens a tab in which nobody answers")
            .page("<h1>Home</h1><a href=report target=_blank>Report</a>")
            .failing_page("<h1>Home</h1><a href='%CLOSED%/report' target=_blank>Report</a>"),
        link("new-tab-500", "it opens a tab with status 500")
            .page("<h1>Home</h1><a href=report target=_blank>Report</a>")
            .server(answers!(|_| html(500, "<h1>Internal server error</h1>"))),
        link("in-page-404", "a router of the page's own shows its 404 page")
            .page(
                r#"<main><h1>Home</h1><a href=report>Report</a></main><script>
  on('a', 'click', async event => {
    event.preventDefault(); history.pushState(null, '', 'report');
    if (FAILS) $('main').innerHTML = '<h1>404</h1><p>This page does not exist.</p>';
    else { await send('report'); $('main').innerHTML = '<h1>Annual report</h1>'; }
  });
</script>"#,
            ),
        download("404", "status 404", delivers!(html(404, "<h1>Not found</h1>"))),
        download("500", "status 500", delivers!(html(500, "<h1>Server error</h1>"))),
        download("html-instead", "a page with an error in place of the file", |call| match call.fails {
            true => html(200, "<h1>Your session has expired</h1>"),
            false => {
                call.note("done");
                file("data.csv", "a,b\n1,2\n")
            }
        })
        .page("<h1>Files</h1><a href=data.csv>Export</a>"),
        download("never", "the button does nothing", delivers!(html(404, "")))
            .failing_page("<h1>Files</h1><a href='javascript:void(0)'>Export</a>"),
        download("error-toast", "a toast that says that the export failed", delivers!(html(500, ""))).failing_page(
            "<h1>Files</h1><a href=data.csv>Export</a><script>on('a', 'click', event => { event.preventDefault(); \
             toast('Export failed', 1500); });</script>",
        ),
    ]
}
