//! Clients and sessions know nothing of each other, and what a client leaves behind is put away.

use legwork_testing::demo::DemoSite;
use serde_json::json;

use crate::support::{Client, Place, at_loopback, call, done, served, until};

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
    // Closed is what was meant, and nothing else.
    assert_eq!(done(call(&one, "browser_close", json!({"session": "second"})).await), "closed");
    assert_eq!(done(call(&one, "browser_close", json!({"session": "second"})).await), "no page was open");
    assert!(signed_in(&one, None).await);
    let tabs = done(call(&other, "browser_tabs", json!({"action": "list", "session": "second"})).await);
    assert!(tabs.contains(&site.url()), "{tabs}");
    server.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_hangs_up_makes_room_and_too_many_are_refused() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let mut options = place.options(&[]).await;
    options.max_sessions = 2;
    let server = served(options, at_loopback()).await;
    let (one, other) = (server.client().await, server.client().await);
    let open = || json!({"url": site.url()});
    done(call(&one, "browser_navigate", open()).await);
    done(call(&one, "browser_navigate", json!({"url": site.url(), "session": "second"})).await);
    let refused = call(&other, "browser_navigate", open()).await;
    assert!(refused.failed && refused.text.contains("2 sessions are open, which is the most"), "{}", refused.text);
    one.cancel().await.unwrap();
    // Its pages are closed beside what the others do; both places are free then.
    for session in ["a", "b"] {
        let arguments = json!({"url": site.url(), "session": session});
        until("its place is not free", || async { !call(&other, "browser_navigate", arguments.clone()).await.failed })
            .await;
    }
    server.end().await;
}
