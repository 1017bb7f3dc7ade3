//! Tests the records of console messages and requests.

use std::sync::Arc;

use legwork_browser::{Capability, Evicted};
use legwork_protocol::*;

use crate::{robust::Rules, support::*};

/// Waits for a line that the page causes by itself.
async fn until<T>(visit: &Visit, what: &str, look: impl Fn(&Visit) -> Option<T>) -> T {
    for _ in 0..200 {
        if let Some(found) = look(visit) {
            return found;
        }
        // An answer of the browser arrives after all events that precede it.
        let _ = visit.session.html().await;
    }
    panic!("{what}: {:#?} {:#?}", visit.session.console(0), visit.session.requests(0));
}

#[test]
fn a_console_is_kept_with_what_nobody_caught() {
    // The texts are Chromium's own.
    if !supports(Capability::BrowserMessages) {
        return;
    }
    run(async {
        let visit = visit(
            "<button>Go</button><script>
            console.log('%cbegun%c with %d', 'color:red', '', 2, {id: 7, name: 'Ada'});
            document.querySelector('button').onclick = () => {
                console.warn('careful'); console.debug([1, 'a']); console.groupEnd();
                fetch('/missing');
                null.nothing;
            };
            </script>",
        )
        .await;
        let begun = visit.session.console(0);
        let said = |line: &ConsoleLine| (line.number, line.level, line.text.clone(), line.tab);
        assert_eq!(
            begun.iter().map(said).collect::<Vec<_>>(),
            [(1, ConsoleLevel::Info, "begun with 2 {id: 7, name: \"Ada\"}".to_owned(), 1)]
        );
        assert_eq!((begun[0].url.clone(), begun[0].line), (visit.site.url("/"), Some(2)));

        visit.does(click(at("button"))).await;
        let lines = until(&visit, "the browser remarks on what is missing", |visit| {
            Some(visit.session.console(1)).filter(|lines| lines.len() >= 4)
        })
        .await;
        assert_eq!((lines[0].level, &*lines[0].text), (ConsoleLevel::Warning, "careful"));
        assert_eq!((lines[1].level, &*lines[1].text), (ConsoleLevel::Debug, "[1, \"a\"]"));
        let uncaught = lines.iter().find(|line| line.text.starts_with("Uncaught TypeError")).unwrap();
        assert_eq!((uncaught.level, uncaught.line), (ConsoleLevel::Error, Some(6)));
        let missing = lines.iter().find(|line| line.text.contains("status of 404")).unwrap();
        assert_eq!((missing.level, missing.url.clone()), (ConsoleLevel::Error, visit.site.url("/missing")));
        assert_eq!(lines.len(), 4, "{lines:#?}");
        visit.session.close().await.unwrap();
    });
}

#[test]
fn requests_are_kept_with_how_they_ended() {
    run(async {
        let visit = visit("<button>Go</button>").await;
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let page = |status, headers| Page { status, headers, body: b"12345".to_vec(), ..Page::default() };
        visit.site.put("/from", page(302, vec![header("Location", "/to")]));
        visit.site.put("/to", page(201, vec![header("Content-Type", "application/json")]));
        visit.site.put("/dot.png", page(200, vec![header("Content-Type", "image/png")]));
        visit.site.page(
            "/asks",
            "<button>Go</button><img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='><script>
            document.querySelector('button').onclick = async () => {
                new Image().src = '/dot.png';
                await fetch('/from', {method: 'POST', body: 'x'});
                await fetch('http://127.0.0.1:1/').catch(() => {});
            };</script>",
        );
        let before = visit.session.requests(0).last().unwrap().number;
        visit.open("/asks").await;
        visit.does(click(at("button"))).await;
        let lines = until(&visit, "all requests end", |visit| {
            let lines = visit.session.requests(before);
            (lines.len() >= 5 && lines.iter().all(|line| line.duration.is_some())).then_some(lines)
        })
        .await;
        let mut told: Vec<_> = lines
            .iter()
            .map(|line| {
                let path = line.url.replace(&visit.site.url(""), "");
                let media = line.media_type.as_deref().unwrap_or("-");
                format!("{} {path} {} {:?} {media} {:?}", line.method, line.kind, line.status, line.failure)
            })
            .collect();
        told.sort();
        assert_eq!(
            told,
            [
                "GET /asks document Some(200) text/html None",
                "GET /dot.png image Some(200) image/png None",
                "GET /to fetch Some(201) application/json None",
                "GET http://127.0.0.1:1/ fetch None - Some(\"net::ERR_UNSAFE_PORT\")",
                "POST /from fetch Some(302) text/html None",
            ]
        );
        assert!(lines.windows(2).all(|two| two[0].number + 1 == two[1].number), "{lines:#?}");
        let document = &lines[0];
        assert!(document.bytes.is_some_and(|bytes| bytes > 300), "{document:#?}");
        visit.session.close().await.unwrap();
    });
}

/// Lines are shortened after masking; otherwise, part of a secret could remain at the end.
#[test]
fn secrets_are_in_no_line_and_long_lines_are_short() {
    run(async {
        let html = "<input><script>
            document.querySelector('input').oninput = event => {
                console.log(event.target.value);
                console.error('x'.repeat(1996) + event.target.value + 'y'.repeat(100_000));
                fetch('/?pin=' + event.target.value);
                throw new Error(event.target.value);
            };</script>";
        let visit = visit_with(html, |options| options.guard = Arc::new(Rules)).await;
        visit.does(fill(at("input"), "${secret:PIN}")).await;
        let lines =
            until(&visit, "three lines", |visit| Some(visit.session.console(0)).filter(|lines| lines.len() == 3)).await;
        assert_eq!(lines[0].text, "${secret:PIN}");
        assert_eq!(lines[1].text, format!("{}${{se…", "x".repeat(1996)));
        let all = format!("{lines:?} {:?}", visit.session.requests(0));
        assert!(!all.contains("hunt"), "{all}");
        assert!(all.contains("/?pin=${secret:PIN}"), "{all}");
        visit.session.close().await.unwrap();
    });
}

#[test]
fn a_loud_page_loses_its_oldest_lines_and_other_tabs_none() {
    run(async {
        let visit = visit("<script>console.log('first')</script><a target=_blank href='/loud'>Loud</a>").await;
        visit.site.page("/loud", "<script>for (let i = 0; i < 1500; i++) console.log('line', i)</script>loud");
        visit.does(click(at("a"))).await;
        let lines = until(&visit, "the last line", |visit| {
            let lines = visit.session.console(0);
            lines.last().is_some_and(|line| line.text == "line 1499").then_some(lines)
        })
        .await;
        assert_eq!((lines[0].tab, &*lines[0].text), (1, "first"));
        assert_eq!((lines[1].tab, &*lines[1].text, lines.len()), (2, "line 500", 1001));
        assert_eq!(visit.session.evicted(), Evicted { console: 500, requests: 0 });
        visit.session.close().await.unwrap();
    });
}
