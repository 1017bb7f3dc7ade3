//! Steps and checks in plain language. Those that the grammar can parse need no model.

use legwork::page::Page;
use legwork_protocol::Status;
use legwork_verbs::{CommandFailure, Extraction, PageCommand, PageOptions, SessionPoolError};

use crate::support::Hand;

const PAGE: &str = "<title>Work</title><label>Name <input id=who></label>
  <button onclick='out.textContent = `Hello ${who.value}`'>Greet</button><p id=out></p>";

#[tokio::test]
async fn a_step_in_exact_words_is_done_on_the_open_page() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    let step = |words: &str| test_page.ask(PageCommand::Step { words: words.into() });
    let done = step("Type \"Ada\" into \"Name\", then click \"Greet\"").await;
    assert!(!done.failed() && done.text.starts_with("done") && done.text.contains("Hello Ada"), "{}", done.text);
    let missing = step("Click \"Save\"").await;
    assert!(missing.failed() && missing.data["outcome"]["status"] == "failure", "{} {}", missing.text, missing.data);
    assert!(matches!(&missing.failure, Some(CommandFailure::Run(outcome)) if outcome.status == Status::Failure));

    let check = |words: &str| test_page.ask(PageCommand::Check { words: words.into() });
    let holds = check("\"Hello Ada\" is shown").await;
    assert!(!holds.failed() && holds.text.starts_with("done, validated"), "{}", holds.text);
    let not = check("\"Hello Eve\" is shown").await;
    assert!(not.failed(), "{}", not.text);
    test_page.close().await;
}

#[tokio::test]
async fn what_needs_a_model_says_so() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    let extract = Extraction { instruction: "the greeting".into(), ..Extraction::default() };
    let said = test_page.ask(PageCommand::Extract(extract)).await;
    let told = "no model is configured; set one with --model. The message says";
    assert!(said.failed() && said.text.contains(told), "{}", said.text);
    test_page.close().await;
}

#[tokio::test]
async fn a_pool_has_so_many_sessions_and_no_more() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    let options = PageOptions::default();
    for name in ["b", "c", "d"] {
        test_page.open(name, &options).await.unwrap();
    }
    assert!(matches!(test_page.open("e", &options).await, Err(SessionPoolError::Full { open: 4 })));
    let same = test_page.open("a", &options).await.unwrap();
    assert!(std::ptr::eq::<Page>(&*same, &*test_page.page) && !same.is_replacement());
    drop(same);
    assert_eq!((test_page.pool.close("b").await, test_page.pool.close("b").await), (Some(vec![]), None));
    test_page.open("e", &options).await.unwrap();
    assert_eq!(test_page.pool.names(), ["a", "c", "d", "e"]);
    test_page.close().await;
}

#[tokio::test]
async fn a_session_that_is_closed_in_use_keeps_its_page_until_then() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    let lease = test_page.open("a", &PageOptions::default()).await.unwrap();
    assert_eq!(test_page.pool.close("a").await, Some(vec![]));
    assert!(test_page.pool.lease("a").await.is_none());
    assert_eq!(test_page.evaluate("document.title").await.text, "Work", "it is in use");
    // A session that is opened again under the same name has another page.
    let other = test_page.open("a", &PageOptions::default()).await.unwrap();
    assert!(!std::ptr::eq::<Page>(&*other, &*lease) && !other.is_replacement());
    drop((lease, other));
    test_page.close().await;
}
