//! Steps and checks in plain words, which need no model when the words are exact.

use std::sync::Arc;

use legwork_verbs::{DeskError, Extraction, Terms, Verb};

use crate::support::Hand;

const PAGE: &str = "<title>Work</title><label>Name <input id=who></label>
  <button onclick='out.textContent = `Hello ${who.value}`'>Greet</button><p id=out></p>";

#[tokio::test]
async fn a_step_in_exact_words_is_done_on_the_open_page() {
    let hand = Hand::on(&[("/", PAGE)]).await;
    let step = |words: &str| hand.ask(Verb::Step { words: words.into() });
    let done = step("Type \"Ada\" into \"Name\", then click \"Greet\"").await;
    assert!(!done.failed && done.text.starts_with("done") && done.text.contains("Hello Ada"), "{}", done.text);
    let missing = step("Click \"Save\"").await;
    assert!(missing.failed && missing.data["outcome"]["status"] == "failure", "{} {}", missing.text, missing.data);

    let check = |words: &str| hand.ask(Verb::Check { words: words.into() });
    let holds = check("\"Hello Ada\" is shown").await;
    assert!(!holds.failed && holds.text.starts_with("done, validated"), "{}", holds.text);
    let not = check("\"Hello Eve\" is shown").await;
    assert!(not.failed, "{}", not.text);
    hand.desk.close_all().await;
}

#[tokio::test]
async fn what_needs_a_model_says_so() {
    let hand = Hand::on(&[("/", PAGE)]).await;
    let extract = Extraction { instruction: "the greeting".into(), ..Extraction::default() };
    let said = hand.ask(Verb::Extract(extract)).await;
    let told = "no model is configured; set one with --model. Read the failure";
    assert!(said.failed && said.text.contains(told), "{}", said.text);
    hand.desk.close_all().await;
}

#[tokio::test]
async fn a_desk_holds_so_many_and_no_more() {
    let hand = Hand::on(&[("/", PAGE)]).await;
    let terms = Terms::default();
    for name in ["b", "c", "d"] {
        hand.desk.page(name, &terms).await.unwrap();
    }
    assert!(matches!(hand.desk.page("e", &terms).await, Err(DeskError::Full { open: 4 })));
    let (same, anew) = hand.desk.page("a", &terms).await.unwrap();
    assert!(Arc::ptr_eq(&same, &hand.page) && !anew);
    drop(same);
    assert_eq!((hand.desk.close("b").await, hand.desk.close("b").await), (Some(vec![]), None));
    hand.desk.page("e", &terms).await.unwrap();
    assert_eq!(hand.desk.names().await, ["a", "c", "d", "e"]);
    hand.desk.close_all().await;
}
