//! Clients of the protocol of 2026-07-28, which has no sessions over HTTP: each request says who asks.

use legwork_testing::demo::DemoSite;
use rmcp::{ClientLifecycleMode, ClientServiceExt, model::ProtocolVersion};
use serde_json::json;

use crate::support::{Another, Client, Place, Served, at_loopback, call, done, served};

async fn joined(server: &Served, name: &str) -> Client {
    let newest = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    Another::called(name).serve_with_lifecycle(server.transport(None), newest).await.unwrap()
}

async fn evaluated(client: &Client, script: &str) -> String {
    done(call(client, "browser_evaluate", json!({"function": script})).await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_finds_its_page_again_and_others_do_not() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let server = served(place.options(&[]).await, at_loopback()).await;
    let (one, other) = (joined(&server, "one").await, joined(&server, "other").await);
    assert_eq!(one.peer_info().unwrap().protocol_version, ProtocolVersion::V_2026_07_28);
    let open = || json!({"url": site.url()});
    done(call(&one, "browser_navigate", open()).await);
    done(call(&other, "browser_navigate", open()).await);
    evaluated(&one, "document.cookie = 'who=one'").await;
    assert_eq!(evaluated(&one, "document.cookie").await, "who=one");
    assert_eq!(evaluated(&other, "document.cookie").await, "");
    // Two of one name tell themselves apart.
    let mut second = open();
    second["session"] = json!("second");
    done(call(&one, "browser_navigate", second).await);
    let there = json!({"function": "document.cookie", "session": "second"});
    assert_eq!(done(call(&one, "browser_evaluate", there).await), "");

    // What a page is read by beside tools' answers is one's own too.
    let resources = one.list_all_resources().await.unwrap();
    assert!(resources.iter().any(|resource| resource.uri == "legwork://page/snapshot"), "{resources:?}");

    // It outlasts the connection: nothing else says that the same client has come back.
    one.cancel().await.unwrap();
    let again = joined(&server, "one").await;
    assert_eq!(evaluated(&again, "document.cookie").await, "who=one");
    // One that has a session is another client, whatever it calls itself.
    let with_session = server.client().await;
    assert_eq!(done(call(&with_session, "browser_close", json!({})).await), "no page was open");
    server.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_looks_like_a_session_s_reaches_none() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let server = served(place.options(&[]).await, at_loopback()).await;
    let with_session = server.client().await;
    for session in ["x 1.0", "y"] {
        done(call(&with_session, "browser_navigate", json!({"url": site.url(), "session": session})).await);
    }
    for count in 1..9 {
        let sly = joined(&server, &format!("client-{count}/x")).await;
        assert_eq!(done(call(&sly, "browser_close", json!({})).await), "no page was open");
    }
    server.end().await;
}
