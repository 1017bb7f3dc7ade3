//! Tests actions that lead to no document: no server listens, the name is unknown, or the server never answers.

use std::{net::Ipv4Addr, time::Duration};

use legwork_protocol::*;
use tokio::net::TcpListener;

use crate::support::*;

/// A port that accepts connections and never answers on them.
async fn silent() -> (TcpListener, String) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let url = format!("http://127.0.0.1:{}/", listener.local_addr().unwrap().port());
    (listener, url)
}

/// A port on which no server listens.
async fn closed() -> String {
    silent().await.1
}

#[test]
fn a_click_that_leads_to_a_closed_port_fails() {
    run(async {
        let url = closed().await;
        let visit = visit(&format!(
            "<a id=here href='{url}'>Here</a><a id=new target=_blank href='{url}'>New</a>
             <button id=script onclick=\"location.href='{url}'\">Script</button>
             <form action='{url}' method=post><button id=form>Send</button></form>"
        ))
        .await;
        for way in ["#here", "#new", "#script", "#form"] {
            visit.open("/").await;
            match visit.fails(click(at(way))).await {
                ActionFailure::Unreachable { url: to, reason } => {
                    assert_eq!(to, url, "{way}");
                    assert!(reason.contains("ERR_CONNECTION_REFUSED"), "{way}: {reason}");
                }
                other => panic!("{way}: {other}"),
            }
        }
        // The error page was already reported, so later actions on it are judged by themselves.
        visit.does(Action::Press(Press { key: "Tab".into(), target: None })).await;
    });
}

#[test]
fn a_name_that_nobody_has_and_a_certificate_that_nobody_trusts_are_unreachable() {
    run(async {
        let visit = visit("<a id=name href='http://nobody.invalid/'>Name</a>").await;
        // A TLS connection to a plain HTTP server cannot be established.
        let tls = visit.site.url("/").replace("http:", "https:");
        visit.site.page("/tls", &format!("<a id=tls href='{tls}'>TLS</a>"));
        for (page, way, why) in [("/", "#name", "ERR_NAME_NOT_RESOLVED"), ("/tls", "#tls", "ERR_SSL_PROTOCOL_ERROR")] {
            visit.open(page).await;
            let failure = visit.fails(click(at(way))).await;
            assert!(
                matches!(&failure, ActionFailure::Unreachable { reason, .. } if reason.contains(why)),
                "{way}: {failure}"
            );
            assert_eq!(Code::from(&failure), Code::SiteUnreachable);
        }
    });
}

#[test]
fn a_server_that_never_answers_is_a_load_timeout_by_every_way_to_it() {
    run(async {
        let (_listener, url) = silent().await;
        let page = format!(
            "<p>still here</p><a id=here href='{url}'>Here</a><a id=new target=_blank href='{url}'>New</a>
             <button id=script onclick=\"location.href='{url}'\">Script</button>"
        );
        let visit = visit_with(&page, |options| options.timeouts.navigation = Duration::from_secs(4)).await;
        for way in [click(at("#here")), click(at("#new")), click(at("#script")), open(&url)] {
            visit.open("/").await;
            let failure = visit.fails(way.clone()).await;
            assert!(
                matches!(&failure, ActionFailure::LoadTimeout { url: to, ms: 4000 } if *to == url),
                "{way:?}: {failure}"
            );
            assert_eq!(Code::from(&failure).code(), "EX004");
            // The tab can still be observed.
            visit.see().await;
        }
    });
}

#[test]
fn an_answer_without_a_page_is_no_unreachable_site() {
    run(async {
        let visit = visit("<a id=here href='/broken'>Here</a>").await;
        visit.site.put("/broken", Page { status: 500, ..Page::default() });
        let broken = visit.site.url("/broken");
        for way in [click(at("#here")), open(&broken)] {
            visit.open("/").await;
            let result = visit.does(way.clone()).await;
            let answered = |effect: &PageEffect| matches!(effect, PageEffect::Navigated { to, status, .. } if *to == broken && *status == document_status(500));
            assert!(result.effects.iter().any(answered), "{way:?}: {result:?}");
        }
    });
}
