//! What is left out, what is stopped, and what becomes of pages whose browser is gone.

use std::sync::Arc;

use legwork::{observe::tokens, vault::SecretSpec};
use legwork_protocol::Action;
use legwork_verbs::{CookieOp, DeskError, Format, NewCookie, Part, Terms, Verb};
use serde_json::{Value, json};

use crate::support::{Hand, click, fill, target};

const PAGE: &str = "<title>More</title><link rel=stylesheet href=/s.css><h1>More</h1><input id=who aria-label=Who>
  <main><h2>In it</h2><button>Deep</button></main><ul><li><button>Far</button></li></ul><div style='height:3000px'></div><img src=/gone.png>";

#[tokio::test]
async fn several_actions_stop_at_the_first_that_fails() {
    let hand = Hand::on(&[("/", PAGE)]).await;
    let actions = [fill("#who", "Ada"), click("#nowhere"), fill("#who", "Eve")];
    let actions: Vec<Action> = actions.into_iter().map(|action| serde_json::from_value(action).unwrap()).collect();
    let said = hand.ask(Verb::Act { actions }).await;
    assert!(said.failed && said.text.contains("(1 after it were not done)"), "{}", said.text);
    // What the first one did is told all the same.
    assert!(
        said.text.contains("~ textbox \"Who\"") && said.data["results"].as_array().unwrap().len() == 2,
        "{}",
        said.text
    );
    assert_eq!(hand.evaluate("who.value").await.text, "Ada");
    hand.desk.close_all().await;
}

#[tokio::test]
async fn pictures_and_parts_are_as_large_as_was_asked_for() {
    let hand = Hand::on(&[("/", PAGE)]).await;
    let height = async |part: Option<&str>, full_page| {
        let verb = Verb::Screenshot { target: part.map(target), full_page, format: Format::Png };
        hand.ask(verb).await.data["height"].as_u64().unwrap()
    };
    let view = height(None, false).await;
    assert!(height(None, true).await > 3000 && height(Some("h1"), false).await < 100 && (200..2000).contains(&view));
    let part = async |part: Part| hand.ask(Verb::Snapshot(part)).await.text;
    let whole = part(Part::default()).await;
    assert!(whole.contains("Deep") && whole.contains("Far"), "{whole}");
    let flat = part(Part { depth: Some(1), ..Part::default() }).await;
    assert!(flat.contains("More") && !flat.contains("Deep") && !flat.contains("Far"), "{flat}");
    // What has no name is no depth then.
    let compact = part(Part { depth: Some(1), compact: true, ..Part::default() }).await;
    assert!(!compact.contains("Deep") && compact.contains("Far"), "{compact}");
    hand.desk.close_all().await;
}

#[tokio::test]
async fn requests_are_those_that_one_looks_for() {
    let hand = Hand::on(&[("/", PAGE), ("/s.css", ""), ("/other", "<title>Other</title>")]).await;
    let network = async |with_static, all| {
        let lines = hand.ask(Verb::Network { filter: None, with_static, all }).await.data["requests"].clone();
        let path = |line: &Value| line["url"].as_str().unwrap().replace(&hand.site, "");
        lines.as_array().unwrap().iter().map(path).collect::<Vec<_>>().join(" ")
    };
    // A picture that failed is not what comes well and is seldom looked for.
    let (plain, all) = (network(false, false).await, network(true, false).await);
    assert!(plain.contains("/gone.png") && !plain.contains("/s.css") && all.contains("/s.css"), "{plain}; {all}");
    hand.act(json!({"action": "open", "parameters": {"url": hand.url("/other")}})).await;
    let (now, ever) = (network(true, false).await, network(true, true).await);
    assert!(now.contains("/other") && !now.contains("/s.css") && ever.contains("/s.css"), "{now}; {ever}");
    // A tab's requests are its own.
    hand.act(json!({"action": "tab", "parameters": {"op": "open", "url": hand.url("/")}})).await;
    hand.act(json!({"action": "tab", "parameters": {"op": "switch", "to": "1"}})).await;
    let here = network(true, false).await;
    assert!(here.contains("/other") && !here.contains("/s.css"), "{here}");
    hand.desk.close_all().await;
}

#[tokio::test]
async fn a_long_list_of_cookies_is_cut() {
    let hand = Hand::on(&[("/", PAGE)]).await;
    for at in 0..20 {
        let (name, value) = (format!("taste{at}"), "salt ".repeat(20).replace(' ', "-"));
        hand.ask(Verb::Cookies(CookieOp::Set(NewCookie { name, value, ..NewCookie::default() }))).await;
    }
    let cut = hand.within(Verb::Cookies(CookieOp::List { domain: None, path: None }), Some(100)).await.text;
    assert!(tokens::count(&cut) <= 120 && cut.contains("ask for more tokens"), "{cut}");
    hand.desk.close_all().await;
}

#[tokio::test]
async fn a_dead_page_is_replaced_and_a_failed_opening_leaves_no_place() {
    let hand = Hand::on(&[("/", PAGE)]).await;
    let missing = Terms { secrets: vec![SecretSpec::parse("x=/no/such/file").unwrap()], ..Terms::default() };
    assert!(matches!(hand.desk.page("b", &missing).await, Err(DeskError::Open(_))));
    assert_eq!(hand.desk.names().await, ["a"]);
    hand.desk.runtime().close().await;
    // That its pipe has closed is heard a moment later.
    while hand.page.is_alive() {
        tokio::task::yield_now().await;
    }
    let (page, died) = hand.desk.page("a", &Terms::default()).await.unwrap();
    assert!(died && page.is_alive() && !Arc::ptr_eq(&page, &hand.page));
    drop(page);
    let (_, died) = hand.desk.page("a", &Terms::default()).await.unwrap();
    assert!(!died, "it is news once");
    hand.desk.close_all().await;
}

#[tokio::test]
async fn a_box_is_cleared_and_what_is_read_is_cut() {
    let hand = Hand::on(&[("/", "<title>Box</title><input type=checkbox id=box checked><p id=long></p>")]).await;
    let fields = json!([{"target": "#box", "type": "checkbox", "value": "false"}]);
    let cleared = hand.ask(serde_json::from_value(json!({"verb": "fields", "fields": fields})).unwrap()).await;
    assert!(!cleared.failed && hand.evaluate("box.checked").await.text == "false", "{}", cleared.text);
    hand.evaluate("long.textContent = 'word '.repeat(900), 1").await;
    let read: Action = serde_json::from_value(json!({"action": "read", "parameters": {"target": "#long"}})).unwrap();
    let said = hand.within(Verb::Act { actions: vec![read] }, Some(60)).await;
    assert!(
        !said.failed && tokens::count(&said.text) < 100 && said.text.contains("read a smaller part"),
        "{}",
        said.text
    );
    hand.desk.close_all().await;
}
