//! What replies omit, how commands are cancelled, and what happens to pages whose browser has ended.

use legwork::{browser::Route, observe::tokens, page::Page, secrets::SecretSpec, settings::Settings};
use legwork_protocol::Action;
use legwork_verbs::{
    CommandRequest, CookieOp, Format, NewCookie, PageCommand, PageOptions, Part, RouteOp, SessionPoolError, execute,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::support::{Hand, click, fill, target};

const PAGE: &str = "<title>More</title><link rel=stylesheet href=/s.css><h1>More</h1><input id=who aria-label=Who>
  <main><h2>In it</h2><button>Deep</button></main><ul><li><button>Far</button></li></ul><div style='height:3000px'></div><img src=/gone.png>";

#[tokio::test]
async fn several_actions_stop_at_the_first_that_fails() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    let actions = [fill("#who", "Ada"), click("#nowhere"), fill("#who", "Eve")];
    let actions: Vec<Action> = actions.into_iter().map(|action| serde_json::from_value(action).unwrap()).collect();
    let said = test_page.ask(PageCommand::Act { actions }).await;
    assert!(said.failed() && said.text.contains("(1 later action was not executed)"), "{}", said.text);
    // The reply contains the effect of the first action although the second failed.
    assert!(
        said.text.contains("~ textbox \"Who\"") && said.data["results"].as_array().unwrap().len() == 2,
        "{}",
        said.text
    );
    assert_eq!(test_page.evaluate("who.value").await.text, "Ada");
    test_page.close().await;
}

#[tokio::test]
async fn pictures_and_parts_are_as_large_as_was_asked_for() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    let height = async |part: Option<&str>, full_page| {
        let verb = PageCommand::Screenshot { target: part.map(target), full_page, format: Format::Png };
        test_page.ask(verb).await.data["height"].as_u64().unwrap()
    };
    let view = height(None, false).await;
    assert!(height(None, true).await > 3000 && height(Some("h1"), false).await < 100 && (200..2000).contains(&view));
    let part = async |part: Part| test_page.ask(PageCommand::Snapshot(part)).await.text;
    let whole = part(Part::default()).await;
    assert!(whole.contains("Deep") && whole.contains("Far"), "{whole}");
    let flat = part(Part { depth: Some(1), ..Part::default() }).await;
    assert!(flat.contains("More") && !flat.contains("Deep") && !flat.contains("Far"), "{flat}");
    // With `compact`, containers without a name do not count as a level.
    let compact = part(Part { depth: Some(1), compact: true, ..Part::default() }).await;
    assert!(!compact.contains("Deep") && compact.contains("Far"), "{compact}");
    test_page.close().await;
}

#[tokio::test]
async fn requests_are_those_that_one_looks_for() {
    let test_page = Hand::on(&[("/", PAGE), ("/s.css", ""), ("/other", "<title>Other</title>")]).await;
    let network = async |with_static, all| {
        let lines =
            test_page.ask(PageCommand::Network { filter: None, with_static, all }).await.data["requests"].clone();
        let path = |line: &Value| line["url"].as_str().unwrap().replace(&test_page.site, "");
        lines.as_array().unwrap().iter().map(path).collect::<Vec<_>>().join(" ")
    };
    // A failed image is not omitted with the successful static resources.
    let (plain, all) = (network(false, false).await, network(true, false).await);
    assert!(plain.contains("/gone.png") && !plain.contains("/s.css") && all.contains("/s.css"), "{plain}; {all}");
    test_page.act(json!({"action": "open", "parameters": {"url": test_page.url("/other")}})).await;
    let (now, ever) = (network(true, false).await, network(true, true).await);
    assert!(now.contains("/other") && !now.contains("/s.css") && ever.contains("/s.css"), "{now}; {ever}");
    // The list contains only the requests of the current tab.
    test_page.act(json!({"action": "tab", "parameters": {"op": "open", "url": test_page.url("/")}})).await;
    test_page.act(json!({"action": "tab", "parameters": {"op": "switch", "to": "1"}})).await;
    let here = network(true, false).await;
    assert!(here.contains("/other") && !here.contains("/s.css"), "{here}");
    test_page.close().await;
}

#[tokio::test]
async fn a_long_list_of_cookies_is_cut() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    for at in 0..20 {
        let (name, value) = (format!("taste{at}"), "salt ".repeat(20).replace(' ', "-"));
        test_page.ask(PageCommand::Cookies(CookieOp::Set(NewCookie { name, value, ..NewCookie::default() }))).await;
    }
    let cut = test_page.within(PageCommand::Cookies(CookieOp::List { domain: None, path: None }), Some(100)).await.text;
    assert!(tokens::count(&cut) <= 120 && cut.contains("ask for more tokens"), "{cut}");
    test_page.close().await;
}

#[tokio::test]
async fn a_dead_page_is_replaced_and_a_failed_opening_leaves_no_place() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    let missing =
        PageOptions { secrets: vec![SecretSpec::parse("x=/no/such/file").unwrap()], ..PageOptions::default() };
    assert!(matches!(test_page.open("b", &missing).await, Err(SessionPoolError::Open(_))));
    assert_eq!(test_page.pool.names(), ["a"]);
    test_page.runtime.close().await;
    // The closed pipe is detected asynchronously.
    while test_page.page.is_alive() {
        tokio::task::yield_now().await;
    }
    let page = test_page.open("a", &PageOptions::default()).await.unwrap();
    assert!(page.is_replacement() && page.is_alive() && !test_page.page.is_alive());
    let again = test_page.open("a", &PageOptions::default()).await.unwrap();
    assert!(!again.is_replacement() && std::ptr::eq::<Page>(&*again, &*page), "it is news once");
    drop((page, again));
    test_page.close().await;
}

#[tokio::test]
async fn a_box_is_cleared_and_what_is_read_is_cut() {
    let test_page = Hand::on(&[("/", "<title>Box</title><input type=checkbox id=box checked><p id=long></p>")]).await;
    let fields = json!([{"target": "#box", "type": "checkbox", "value": "false"}]);
    let cleared = test_page.ask(serde_json::from_value(json!({"verb": "fields", "fields": fields})).unwrap()).await;
    assert!(!cleared.failed() && test_page.evaluate("box.checked").await.text == "false", "{}", cleared.text);
    test_page.evaluate("long.textContent = 'word '.repeat(900), 1").await;
    let read: Action = serde_json::from_value(json!({"action": "read", "parameters": {"target": "#long"}})).unwrap();
    let said = test_page.within(PageCommand::Act { actions: vec![read] }, Some(60)).await;
    assert!(
        !said.failed() && tokens::count(&said.text) < 100 && said.text.contains("read a smaller part"),
        "{}",
        said.text
    );
    test_page.close().await;
}

#[tokio::test]
async fn cookies_routes_and_steps_need_the_permission_of_their_site() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    let mut settings = Settings::clone(&test_page.runtime.settings());
    settings.allow_write = vec!["127.0.0.1".to_owned()];
    let options = PageOptions { settings: Some(settings), ..PageOptions::default() };
    let page = test_page.open("limited", &options).await.unwrap();
    let ask = async |verb| execute(&page, CommandRequest { verb, max_tokens: None }, &CancellationToken::new()).await;
    let cookie = |domain: Option<&str>| {
        let (name, value) = ("d".to_owned(), "KD-4711-92".to_owned());
        let new = NewCookie { name, value, domain: domain.map(str::to_owned), ..NewCookie::default() };
        PageCommand::Cookies(CookieOp::Set(new))
    };
    let route = |pattern: &str| {
        let headers = vec![("X-S".to_owned(), "KD-4711-92".to_owned())];
        PageCommand::Routes(RouteOp::Add(Route { pattern: pattern.to_owned(), headers, ..Route::default() }))
    };
    let step = |words: String| PageCommand::Step { words };
    for refused in [
        cookie(Some("127.0.0.2")),
        route("http://127.0.0.2/**"),
        step("Open http://127.0.0.2:9/echo?d=KD-4711-92".to_owned()),
    ] {
        let said = ask(refused).await;
        assert!(said.failed() && said.text.contains("`--allow-write 127.0.0.2` allows it"), "{}", said.text);
    }
    for allowed in [step(format!("Open {}", test_page.url("/"))), cookie(None), route(&test_page.url("/**"))] {
        let said = ask(allowed).await;
        assert!(!said.failed(), "{}", said.text);
    }
    // The session without sites is not limited.
    assert!(!test_page.ask(cookie(Some("127.0.0.2"))).await.failed());
    drop(page);
    test_page.close().await;
}
