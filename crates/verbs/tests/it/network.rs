//! Gestures, requests and responses, routes, media features and storage, in short replies.

use std::collections::BTreeMap;

use legwork::browser::{Area, Gesture, MediaFeature, Route};
use legwork_protocol::Button;
use legwork_verbs::{CommandFailure, CookieOp, EntryOp, EntryWhat, NewCookie, PageCommand, RequestPart, RouteOp};
use serde_json::json;

use crate::support::{Hand, target};

const PAGE: &str = "<title>Around</title><style>body { margin: 0 } @media print { h1 { display: none } }</style>
  <h1 style='margin:0;height:40px'>Around</h1>
  <canvas id=board width=100 height=100 style='display:block' onclick='out.textContent = `hit ${event.offsetX}`'></canvas>
  <button id=ask onclick=\"fetch('/api', {method: 'POST', body: 'name=Ada'}).then(r => r.text()).then(t => out.textContent = t)\">Ask</button>
  <div id=drop ondragover='event.preventDefault()' ondrop='event.preventDefault(); out.textContent = event.dataTransfer.getData(`text/plain`)
    + [...event.dataTransfer.files].map(f => f.name)'>Drop here</div><p id=out></p>";

async fn said(test_page: &Hand, verb: PageCommand) -> String {
    let said = test_page.ask(verb).await;
    assert!(!said.failed(), "{}", said.text);
    said.text
}

#[tokio::test]
async fn a_gesture_is_answered_with_the_difference() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    let click = Gesture::Click { at: [30.0, 60.0], button: Button::Left, count: 1, delay: 0 };
    let clicked = said(&test_page, PageCommand::Gesture(click)).await;
    assert!(
        clicked.starts_with("mouse click at 30,60 (<canvas#board>)\n") && clicked.contains("+ text: hit 30"),
        "{clicked}"
    );
    assert!(clicked.lines().count() < 5, "{clicked}");
    let outside = test_page.ask(PageCommand::Gesture(Gesture::Move { to: [1.0, 9_999.0] })).await;
    assert!(outside.failed() && outside.text.starts_with("mouse move: "), "{}", outside.text);

    std::fs::write(test_page.folder().join("a.txt"), "rope").unwrap();
    let drop = |files: &[&str], data: &[(&str, &str)]| Gesture::Drop {
        target: target("#drop"),
        files: files.iter().map(|file| (*file).to_owned()).collect(),
        data: data.iter().map(|(kind, data)| ((*kind).to_owned(), (*data).to_owned())).collect::<BTreeMap<_, _>>(),
    };
    let dropped = said(&test_page, PageCommand::Gesture(drop(&["a.txt"], &[]))).await;
    assert!(dropped.contains("a.txt") && dropped.contains("text: a.txt"), "{dropped}");
    let dropped = said(&test_page, PageCommand::Gesture(drop(&[], &[("text/plain", "hello")]))).await;
    assert!(dropped.starts_with("drop text/plain onto ") && dropped.contains("hello"), "{dropped}");
    let outside = test_page.ask(PageCommand::Gesture(drop(&["/etc/hostname"], &[]))).await;
    assert!(outside.failed() && outside.text.contains("outside of the folders"), "{}", outside.text);
    // The serialized form of a command is the protocol of the command line's socket.
    let verb: PageCommand =
        serde_json::from_value(json!({"verb": "gesture", "gesture": "move", "to": [1, 2]})).unwrap();
    assert_eq!(verb, PageCommand::Gesture(Gesture::Move { to: [1.0, 2.0] }));
    test_page.close().await;
}

#[tokio::test]
async fn a_request_of_the_list_can_be_looked_into() {
    let test_page = Hand::on(&[("/", PAGE), ("/api", "{\"words\": \"the answer\"}")]).await;
    test_page.act(json!({"action": "click", "parameters": {"target": "#ask"}})).await;
    let list =
        said(&test_page, PageCommand::Network { filter: Some("/api".into()), with_static: false, all: false }).await;
    let number: u64 = list.split('.').next().unwrap().parse().unwrap();
    let part = |part: Option<RequestPart>, to_file| PageCommand::Request { number, part, to_file };
    let whole = said(&test_page, part(None, false)).await;
    assert!(whole.starts_with(&format!("{number}. POST {}/api → 200", test_page.site)), "{whole}");
    assert!(
        whole.contains("\nrequest headers:\n") && whole.contains("\nresponse headers:\n  Content-Type: text/html"),
        "{whole}"
    );
    assert!(whole.ends_with("(for a body ask for the part request-body or response-body)"), "{whole}");
    assert_eq!(said(&test_page, part(Some(RequestPart::RequestBody), false)).await, "name=Ada");
    let body = test_page.ask(part(Some(RequestPart::ResponseBody), true)).await;
    assert_eq!(body.text, "{\"words\": \"the answer\"}");
    assert_eq!(body.file.unwrap().bytes, b"{\"words\": \"the answer\"}");
    let cut = test_page.within(part(Some(RequestPart::ResponseBody), false), Some(3)).await.text;
    assert!(cut.contains("cut after 3 tokens"), "{cut}");
    let none = test_page.ask(PageCommand::Request { number: 9_999, part: None, to_file: false }).await;
    assert!(none.failed() && none.text.contains("request 9999 does not exist"), "{}", none.text);
    test_page.close().await;
}

#[tokio::test]
async fn routes_are_told_and_answer() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    assert_eq!(said(&test_page, PageCommand::Routes(RouteOp::List)).await, "there are no routes");
    let route = Route { pattern: "**/api".into(), body: Some("from here".into()), ..Route::default() };
    let told = "**/api is answered with 200, 9 bytes";
    assert_eq!(said(&test_page, PageCommand::Routes(RouteOp::Add(route))).await, told);
    let asked = test_page.act(json!({"action": "click", "parameters": {"target": "#ask"}})).await;
    assert!(asked.text.contains("+ text: from here"), "{}", asked.text);
    assert_eq!(said(&test_page, PageCommand::Routes(RouteOp::List)).await, told);
    let unknown = test_page.ask(PageCommand::Routes(RouteOp::Remove { pattern: Some("**/x".into()) })).await;
    assert!(unknown.failed(), "{}", unknown.text);
    assert_eq!(said(&test_page, PageCommand::Routes(RouteOp::Remove { pattern: None })).await, "removed 1 route");
    test_page.close().await;
}

#[tokio::test]
async fn another_medium_is_answered_with_what_it_changes() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    let changes = |value: Option<&str>| PageCommand::Emulate {
        changes: [(MediaFeature::Media, value.map(str::to_owned))].into(),
    };
    let printed = said(&test_page, changes(Some("print"))).await;
    assert!(printed.starts_with("media: print\n") && printed.contains("- heading \"Around\""), "{printed}");
    let back = said(&test_page, changes(None)).await;
    assert!(back.starts_with("media: the browser's own\n") && back.contains("+ heading \"Around\""), "{back}");
    assert!(said(&test_page, PageCommand::Offline { offline: true }).await.contains("every request fails"));
    let gone = test_page.act(json!({"action": "open", "parameters": {"url": test_page.url("/")}})).await;
    assert!(gone.failed(), "{}", gone.text);
    said(&test_page, PageCommand::Offline { offline: false }).await;
    test_page.act(json!({"action": "open", "parameters": {"url": test_page.url("/")}})).await;
    assert_eq!(test_page.evaluate("document.title").await.text, "Around");
    test_page.close().await;
}

#[tokio::test]
async fn cookies_and_entries_one_by_one() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    let cookies = |op| said(&test_page, PageCommand::Cookies(op));
    let tomorrow = jiff::Timestamp::now().as_second() + 86_400;
    let set = NewCookie {
        name: "sid".into(),
        value: "1".into(),
        path: Some("/deep".into()),
        expires: Some(tomorrow as f64),
        http_only: true,
        same_site: Some("Lax".into()),
        ..NewCookie::default()
    };
    cookies(CookieOp::Set(set)).await;
    cookies(CookieOp::Set(NewCookie { name: "taste".into(), value: "salt".into(), ..NewCookie::default() })).await;
    let sid = cookies(CookieOp::Get { name: "sid".into() }).await;
    let flags = "httpOnly, sameSite: Lax";
    assert_eq!(sid, format!("sid=1 (domain: 127.0.0.1, path: /deep, expires: {tomorrow}, {flags})"));
    assert_eq!(cookies(CookieOp::Get { name: "x".into() }).await, "there is no cookie x");
    let of_path = CookieOp::List { domain: None, path: Some("/deep".into()) };
    assert_eq!(cookies(of_path).await, "sid=1 (127.0.0.1/deep)");
    let elsewhere = CookieOp::List { domain: Some("example".into()), path: None };
    assert_eq!(cookies(elsewhere).await, "there are no cookies");
    assert_eq!(cookies(CookieOp::Delete { name: "sid".into() }).await, "deleted sid");
    assert_eq!(cookies(CookieOp::Delete { name: "sid".into() }).await, "there is no cookie sid");
    assert_eq!(cookies(CookieOp::List { domain: None, path: None }).await, "taste=salt (127.0.0.1/)");

    let entries = |area, what| said(&test_page, PageCommand::Entries(EntryOp { area, what }));
    assert_eq!(entries(Area::Local, EntryWhat::List).await, "localStorage is empty");
    let (key, value) = ("lang".to_owned(), "de".to_owned());
    assert_eq!(entries(Area::Local, EntryWhat::Set { key: key.clone(), value }).await, "set lang in localStorage");
    assert_eq!(entries(Area::Local, EntryWhat::List).await, "lang=de");
    assert_eq!(entries(Area::Session, EntryWhat::Get { key: key.clone() }).await, "sessionStorage has no lang");
    assert_eq!(entries(Area::Local, EntryWhat::Get { key: key.clone() }).await, "lang=de");
    assert_eq!(entries(Area::Local, EntryWhat::Delete { key }).await, "deleted lang from localStorage");
    assert_eq!(entries(Area::Local, EntryWhat::Clear).await, "0 entries taken out of localStorage");
    test_page.close().await;
}

/// A script that exits with 0 would continue although the server saved nothing.
#[tokio::test]
async fn a_change_that_the_server_refuses_is_a_failure_of_the_action() {
    const FORM: &str = "<title>Form</title><form method=post action=/gone><input id=name></form>
      <button id=send onclick=\"fetch('/gone', {method: 'POST'})\">Send</button>
      <button id=look onclick=\"fetch('/gone')\">Look</button>";
    let test_page = Hand::on(&[("/", FORM), ("/ok", "saved")]).await;
    let click = |target: &str| json!({"action": "click", "parameters": {"target": target}});
    let sent = test_page.act(click("#send")).await;
    let url = test_page.url("/gone");
    let refused = CommandFailure::Refused { method: "POST".into(), url: url.clone(), status: Some(404) };
    assert_eq!(sent.failure, Some(refused.clone()), "{}", sent.text);
    assert!(sent.text.contains(&format!("the server refused it: POST {url} was answered with 404")), "{}", sent.text);
    // A request that only reads may fail.
    let looked = test_page.act(click("#look")).await;
    assert_eq!(looked.failure, None, "{}", looked.text);
    let fill = json!({"action": "fill", "parameters": {"target": "#name", "text": "Ada", "submit": true}});
    let submitted = test_page.act(fill).await;
    assert_eq!(submitted.failure, Some(refused), "{}", submitted.text);
    test_page.close().await;
}
