//! Steps and checks in plain words, which need no model when the words are exact.

use std::sync::Arc;

use legwork_verbs::{Extraction, PageCommand, PageOptions, PagePoolError};

use crate::support::Hand;

const PAGE: &str = "<title>Work</title><label>Name <input id=who></label>
  <button onclick='out.textContent = `Hello ${who.value}`'>Greet</button><p id=out></p>";

#[tokio::test]
async fn a_step_in_exact_words_is_done_on_the_open_page() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    let step = |words: &str| test_page.ask(PageCommand::Step { words: words.into() });
    let done = step("Type \"Ada\" into \"Name\", then click \"Greet\"").await;
    assert!(!done.failed && done.text.starts_with("done") && done.text.contains("Hello Ada"), "{}", done.text);
    let missing = step("Click \"Save\"").await;
    assert!(missing.failed && missing.data["outcome"]["status"] == "failure", "{} {}", missing.text, missing.data);

    let check = |words: &str| test_page.ask(PageCommand::Check { words: words.into() });
    let holds = check("\"Hello Ada\" is shown").await;
    assert!(!holds.failed && holds.text.starts_with("done, validated"), "{}", holds.text);
    let not = check("\"Hello Eve\" is shown").await;
    assert!(not.failed, "{}", not.text);
    test_page.pool.close_all().await;
}

#[tokio::test]
async fn what_needs_a_model_says_so() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    let extract = Extraction { instruction: "the greeting".into(), ..Extraction::default() };
    let said = test_page.ask(PageCommand::Extract(extract)).await;
    let told = "no model is configured; set one with --model. The message says";
    assert!(said.failed && said.text.contains(told), "{}", said.text);
    test_page.pool.close_all().await;
}

#[tokio::test]
async fn a_desk_holds_so_many_and_no_more() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    let page_options = PageOptions::default();
    for name in ["b", "c", "d"] {
        test_page.pool.page(name, &page_options).await.unwrap();
    }
    assert!(matches!(test_page.pool.page("e", &page_options).await, Err(PagePoolError::Full { open: 4 })));
    let (same, anew) = test_page.pool.page("a", &page_options).await.unwrap();
    assert!(Arc::ptr_eq(&same, &test_page.page) && !anew);
    drop(same);
    assert_eq!((test_page.pool.close("b").await, test_page.pool.close("b").await), (Some(vec![]), None));
    test_page.pool.page("e", &page_options).await.unwrap();
    assert_eq!(test_page.pool.names().await, ["a", "c", "d", "e"]);
    test_page.pool.close_all().await;
}
