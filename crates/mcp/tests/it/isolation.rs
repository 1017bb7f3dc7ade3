//! Clients and sessions are isolated from each other, and the pages of a client that disconnects are closed.

use legwork_demo_site::DemoSite;
use serde_json::json;

use crate::support::{Another, Client, Lifecycle, Place, at_loopback, call, connect_with, done, served, until};

async fn signed_in(client: &Client, session: Option<&str>) -> bool {
    let mut arguments = json!({"function": "document.cookie"});
    if let Some(session) = session {
        arguments["session"] = json!(session);
    }
    !done(call(client, "browser_evaluate", arguments).await).is_empty()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_client_and_each_of_its_sessions_has_cookies_and_tabs_of_its_own() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let server = served(place.options(&[]).await, at_loopback()).await;
    let (one, other) = (server.client().await, server.client().await);
    let set = json!({"function": "document.cookie = 'who=one'"});
    done(call(&one, "browser_navigate", json!({"url": site.url()})).await);
    done(call(&one, "browser_evaluate", set).await);
    for (client, session) in [(&other, None), (&one, Some("second")), (&other, Some("second"))] {
        let mut arguments = json!({"url": site.url()});
        if let Some(session) = session {
            arguments["session"] = json!(session);
        }
        done(call(client, "browser_navigate", arguments).await);
        assert!(!signed_in(client, session).await);
    }
    assert!(signed_in(&one, None).await);
    // Only the named session is closed.
    assert_eq!(done(call(&one, "browser_close", json!({"session": "second"})).await), "closed the page");
    assert_eq!(done(call(&one, "browser_close", json!({"session": "second"})).await), "no page was open");
    assert!(signed_in(&one, None).await);
    let tabs = done(call(&other, "browser_tabs", json!({"action": "list", "session": "second"})).await);
    assert!(tabs.contains(&site.url()), "{tabs}");
    server.end().await;
}

/// A page of a client, with its session if the client must name it.
struct OwnPage<'a> {
    client: &'a Client,
    session: Option<String>,
}

impl<'a> OwnPage<'a> {
    async fn open(client: &'a Client, url: &str) -> OwnPage<'a> {
        let opened = done(call(client, "browser_navigate", json!({"url": url})).await);
        let session = opened.split("give session: \"").nth(1).and_then(|rest| rest.split('"').next());
        OwnPage { client, session: session.map(str::to_owned) }
    }

    async fn evaluate(&self, script: &str) -> String {
        let mut arguments = json!({"function": script});
        if let Some(session) = &self.session {
            arguments["session"] = json!(session);
        }
        done(call(self.client, "browser_evaluate", arguments).await)
    }
}

/// Two clients that send the same information have different pages and cookies.
async fn have_different_pages(one: &Client, other: &Client, site: &DemoSite, names_sessions: bool) {
    let one = OwnPage::open(one, &site.url()).await;
    let other = OwnPage::open(other, &site.url()).await;
    assert_eq!((one.session.is_some(), other.session.is_some()), (names_sessions, names_sessions));
    one.evaluate("document.cookie = 'who=one'; window.mark = 'one'").await;
    other.evaluate("document.cookie = 'who=other'; window.mark = 'other'").await;
    let all = "[document.cookie, window.mark].join()";
    assert_eq!(
        (one.evaluate(all).await.as_str(), other.evaluate(all).await.as_str()),
        ("who=one,one", "who=other,other")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_clients_of_one_name_and_version_are_two_clients_over_http() {
    let site = DemoSite::start().await.unwrap();
    for (lifecycle, names_sessions) in [(Lifecycle::Handshake, false), (Lifecycle::Newest, true)] {
        let place = Place::new();
        let server = served(place.options(&[]).await, at_loopback()).await;
        let (one, other) = (server.client_by(lifecycle).await, server.client_by(lifecycle).await);
        have_different_pages(&one, &other, &site, names_sessions).await;
        server.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_clients_of_one_name_and_version_are_two_clients_over_stdio() {
    let site = DemoSite::start().await.unwrap();
    for lifecycle in [Lifecycle::Handshake, Lifecycle::Newest] {
        // Both servers use the same data folder, like two programs of one user.
        let place = Place::new();
        let one = connect_with(place.options(&[]).await, Another::called("another"), lifecycle).await;
        let other = connect_with(place.options(&[]).await, Another::called("another"), lifecycle).await;
        have_different_pages(&one, &other, &site, false).await;
        one.end().await;
        other.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_above_the_limit_are_refused() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let mut options = place.options(&[]).await;
    options.max_sessions = 2;
    let server = served(options, at_loopback()).await;
    let (one, other) = (server.client().await, server.client().await);
    let open = || json!({"url": site.url()});
    done(call(&one, "browser_navigate", open()).await);
    done(call(&one, "browser_navigate", json!({"url": site.url(), "session": "second"})).await);
    let refused = call(&other, "browser_navigate", open()).await;
    assert!(refused.failed && refused.text.contains("the maximum of 2 sessions is open"), "{}", refused.text);
    one.cancel().await.unwrap();
    // The pages are closed concurrently with other requests. Then both places are free.
    for session in ["a", "b"] {
        let arguments = json!({"url": site.url(), "session": session});
        until("its place is not free", || async { !call(&other, "browser_navigate", arguments.clone()).await.failed })
            .await;
    }
    server.end().await;
}
