//! What a page's holder has seen, and what they are told because of it.

use std::sync::Arc;

use legwork::{
    StartRequest,
    page::{PageRequest, is_unchanged},
    protocol::{Action, Open, Status, View},
};
use legwork_demo_site::DemoSite;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::library::{act, runtime};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_script_on_a_page_that_nobody_looked_at_does_not_make_it_seen() {
    let (site, folder) = (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap());
    let (runtime, view) = (runtime(&folder).await, View::default());
    let page = runtime.open_page(PageRequest::default()).await.unwrap();
    // Acted on without a look.
    page.act(&Action::Open(Open { url: site.signed_in_url("/orders/new") }), &CancellationToken::new()).await;
    let (value, change) = page.evaluate("document.title = 'Mine'", None, &view).await.unwrap();
    assert_eq!((value, change), (json!("Mine"), None));
    let seen = page.changes(&view, None).await.unwrap();
    assert!(!seen.diff && seen.text.contains("New order"), "the page itself, and not what is new of it: {seen:?}");

    // Who has seen it is told what the script changed, and nothing when that was nothing.
    assert_eq!(page.evaluate("1", None, &view).await.unwrap(), (json!(1), None));
    let (_, change) = page.evaluate("document.body.append('late words')", None, &view).await.unwrap();
    let change = change.unwrap();
    assert!(change.diff && change.text.contains("late words"), "{change:?}");
    assert!(is_unchanged(&page.changes(&view, None).await.unwrap()));
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_part_is_not_the_page_and_another_tab_is_not_a_change() {
    let (site, folder) = (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap());
    let (runtime, view) = (runtime(&folder).await, View::default());
    let page = runtime.open_page(PageRequest::default()).await.unwrap();
    page.act(&Action::Open(Open { url: site.signed_in_url("/orders/new") }), &CancellationToken::new()).await;
    let part = View { root: Some(legwork::protocol::Target("main".into())), ..View::default() };
    assert!(page.observe(&part).await.unwrap().text.contains("Customer"));
    assert!(!page.changes(&view, None).await.unwrap().diff);
    // A tree for a decider of one's own is no look of the reader's.
    page.session().evaluate("document.body.append('late words')", None).await.unwrap();
    page.snapshot().await.unwrap();
    let after = page.changes(&view, None).await.unwrap();
    assert!(after.diff && after.text.contains("late words"), "it is still to be told: {after:?}");
    let tab = json!({"action": "tab", "parameters": {"op": "open", "url": site.signed_in_url("/orders/new")}});
    let opened = act(&page, serde_json::from_value(tab).unwrap()).await.change.unwrap();
    assert!(!opened.diff && opened.text.contains("New order"), "the same page, and yet another one: {opened:?}");
    let back = json!({"action": "tab", "parameters": {"op": "switch", "to": "1"}});
    let back = act(&page, serde_json::from_value(back).unwrap()).await.change.unwrap();
    assert!(!back.diff && back.text.contains("New order"), "{back:?}");
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn work_keeps_others_waiting_and_ends_when_it_is_taken_back() {
    let (site, folder) = (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap());
    let (runtime, view) = (runtime(&folder).await, View::default());
    let page = Arc::new(runtime.open_page(PageRequest::default()).await.unwrap());
    act(&page, Action::Open(Open { url: site.signed_in_url("/orders/new") })).await;
    let cancel = CancellationToken::new();
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let working = tokio::spawn({
        let (page, cancel) = (page.clone(), cancel.clone());
        let wait = json!({"action": "wait", "parameters": {"text": "never there"}});
        let request = StartRequest::action(serde_json::from_value(wait).unwrap());
        async move { page.carry_out(request, &cancel, |_| begun.send(()).unwrap()).await }
    });
    has_begun.await.unwrap();
    let looking = tokio::spawn({
        let page = page.clone();
        async move { page.observe(&view).await }
    });
    // Time enough for a look, as the session below gives it.
    for _ in 0..5 {
        page.session().observe(None).await.unwrap();
    }
    assert!(!looking.is_finished() && !working.is_finished());
    cancel.cancel();
    let outcome = working.await.unwrap().unwrap();
    assert_eq!(outcome.status, Status::Cancelled, "{outcome:?}");
    assert!(looking.await.unwrap().unwrap().text.contains("Customer"));
    runtime.close().await;
}
