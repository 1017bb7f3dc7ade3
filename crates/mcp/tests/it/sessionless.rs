//! Clients of protocol version 2026-07-28, which has no sessions over HTTP: a request names the session that an earlier
//! reply returned.

use legwork_demo_site::DemoSite;
use rmcp::model::{ProtocolVersion, ReadResourceRequestParams};
use serde_json::json;

use crate::support::{Client, Lifecycle, Place, at_loopback, call, done, served};

async fn evaluated(client: &Client, session: &str, script: &str) -> String {
    done(call(client, "browser_evaluate", json!({"function": script, "session": session})).await)
}

/// The name of the session in a reply.
#[track_caller]
fn given(reply: &str) -> String {
    let name = reply.split("give session: \"").nth(1).unwrap_or_else(|| panic!("no session in {reply}"));
    name.split('"').next().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_is_found_again_by_the_session_that_was_given_for_it() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let server = served(place.options(&[]).await, at_loopback()).await;
    let one = server.client_by(Lifecycle::Newest).await;
    assert_eq!(one.peer_info().unwrap().protocol_version, ProtocolVersion::V_2026_07_28);
    let session = given(&done(call(&one, "browser_navigate", json!({"url": site.url()})).await));
    evaluated(&one, &session, "document.cookie = 'who=one'").await;
    assert_eq!(evaluated(&one, &session, "document.cookie").await, "who=one", "and the name is not told again");

    // Page resources also contain the name of the session.
    let uri = |session: &str| ReadResourceRequestParams::new(format!("legwork://page/{session}/snapshot"));
    assert!(one.read_resource(uri(&session)).await.is_ok());
    assert!(one.read_resource(uri("another")).await.is_err());
    let resources = one.list_all_resources().await.unwrap();
    assert!(!resources.iter().any(|resource| resource.uri.starts_with("legwork://page/")), "{resources:?}");
    let tools = one.list_all_tools().await.unwrap();
    let takes_session = |tool: &rmcp::model::Tool| tool.input_schema["properties"].get("session").is_some();
    assert!(tools.iter().all(takes_session), "a model is told of the argument");

    // The session outlives the connection. Any client that knows its name can use it.
    one.cancel().await.unwrap();
    let again = server.client_by(Lifecycle::Newest).await;
    assert_eq!(evaluated(&again, &session, "document.cookie").await, "who=one");
    let closing = json!({"session": session});
    assert_eq!(done(call(&again, "browser_close", closing.clone()).await), "closed the page");
    assert_eq!(done(call(&again, "browser_close", closing).await), "no page was open");
    server.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_was_not_given_is_none() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let server = served(place.options(&[]).await, at_loopback()).await;
    let with_session = server.client().await;
    let open = |session: &str| json!({"url": site.url(), "session": session});
    for session in ["x", "y"] {
        done(call(&with_session, "browser_navigate", open(session)).await);
    }
    let other = server.client_by(Lifecycle::Newest).await;
    // Clients could choose the same names, so only assigned names are accepted. The key of a connection's session is
    // not accepted either.
    for session in ["x", "default", "client-1", "client-1/x", "client-2/x", "../client-1"] {
        let refused = call(&other, "browser_navigate", open(session)).await;
        assert!(refused.failed && refused.text.contains("leave out `session`"), "{session}: {}", refused.text);
        assert_eq!(done(call(&other, "browser_close", json!({"session": session})).await), "no page was open");
    }
    let unnamed = call(&other, "browser_close", json!({})).await;
    assert!(unnamed.failed && unnamed.text.contains("`session` is missing"), "{}", unnamed.text);
    let there = json!({"function": "location.href", "session": "x"});
    assert!(done(call(&with_session, "browser_evaluate", there).await).starts_with(&site.url()));
    server.end().await;
}
