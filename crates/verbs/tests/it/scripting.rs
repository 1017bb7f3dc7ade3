//! Scripts, console, requests, cookies, storage and files.

use legwork_protocol::ConsoleLevel;
use legwork_verbs::{CookieOp, NewCookie, PageCommand, PageOptions};
use serde_json::json;

use crate::support::{Hand, acts, click, target};

const PAGE: &str = "<title>Below</title><h1>Below</h1><p id=out></p><label>File <input type=file id=file
  onchange='out.textContent = [...this.files].map(f => f.name)'></label>
  <button onclick='file.click()'>Choose</button><img src=/picture.png>
  <script>console.warn('mind the gap'); console.log('said in passing')</script>";

#[tokio::test]
async fn a_script_answers_and_what_it_changes_is_told() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    assert_eq!(test_page.evaluate("1 + 1").await.text, "2");
    assert_eq!(test_page.evaluate("async () => ({a: [1, null]})").await.data["value"], json!({"a": [1, null]}));
    let of = PageCommand::Evaluate { script: "e => e.textContent".into(), target: Some(target("h1")) };
    assert_eq!(test_page.ask(of).await.text, "Below");
    let changed = test_page.evaluate("out.textContent = 'new words'").await;
    assert!(changed.text.starts_with("new words\n") && changed.text.contains("+ text: new words"), "{}", changed.text);
    let thrown = test_page.evaluate("(() => { throw new Error('oh') })()").await;
    assert!(thrown.failed() && thrown.text.contains("oh"), "{}", thrown.text);
    test_page.close().await;
}

#[tokio::test]
async fn console_and_requests_are_those_of_the_page() {
    let test_page = Hand::on(&[("/", PAGE), ("/other", "<title>Other</title>")]).await;
    let console = |level, all| test_page.ask(PageCommand::Console { level, all });
    let all = console(ConsoleLevel::Info, false).await.text;
    assert!(all.contains("[warning] mind the gap") && all.contains("[info] said in passing"), "{all}");
    let grave = console(ConsoleLevel::Warning, false).await.text;
    assert!(grave.contains("mind the gap") && !grave.contains("in passing"), "{grave}");

    let network = |filter: Option<&str>, with_static| PageCommand::Network {
        filter: filter.map(str::to_owned),
        with_static,
        all: false,
    };
    let plain = test_page.ask(network(None, false)).await.text;
    assert!(
        plain.contains(&format!("GET {}/ → 200", test_page.site)) && plain.contains("/picture.png → 404"),
        "{plain}"
    );
    let picked = test_page.ask(network(Some("picture"), false)).await.text;
    assert_eq!(picked.lines().count(), 1, "{picked}");
    assert!(test_page.ask(network(Some("["), false)).await.failed());

    test_page.act(json!({"action": "open", "parameters": {"url": test_page.url("/other")}})).await;
    assert_eq!(console(ConsoleLevel::Info, false).await.text, "the console is empty");
    assert!(console(ConsoleLevel::Info, true).await.text.contains("mind the gap"));
    test_page.close().await;
}

#[tokio::test]
async fn cookies_and_storage_can_be_kept_and_begun_with() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    let set = NewCookie { name: "taste".into(), value: "salt".into(), ..NewCookie::default() };
    assert_eq!(test_page.ask(PageCommand::Cookies(CookieOp::Set(set))).await.text, "set taste for 127.0.0.1");
    test_page.evaluate("localStorage.setItem('kept', 'yes'), 1").await;
    assert_eq!(
        test_page.ask(PageCommand::Cookies(CookieOp::List { domain: None, path: None })).await.text,
        "taste=salt (127.0.0.1/)"
    );
    let saved = test_page.ask(PageCommand::SaveState).await;
    assert_eq!(saved.text, "1 cookies, storage of 1 origins");
    test_page.ask(PageCommand::Cookies(CookieOp::Clear)).await;
    assert_eq!(
        test_page.ask(PageCommand::Cookies(CookieOp::List { domain: None, path: None })).await.text,
        "there are no cookies"
    );

    let state = serde_json::from_slice(&saved.file.unwrap().bytes).unwrap();
    let options = PageOptions { storage_state: Some(state), ..PageOptions::default() };
    let page = test_page.pool.reopen("a", &test_page.runtime, options).await.unwrap();
    let test_page = Hand { page, ..test_page };
    test_page.act(json!({"action": "open", "parameters": {"url": test_page.url("/")}})).await;
    let kept = test_page.evaluate("[document.cookie, localStorage.getItem('kept')]").await;
    assert_eq!(kept.data["value"], json!(["taste=salt", "yes"]));
    test_page.close().await;
}

#[tokio::test]
async fn a_chooser_waits_for_files_of_the_folder() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    let file = test_page.folder().join("note.txt");
    std::fs::write(&file, "three ropes").unwrap();
    let path = |file: &std::path::Path| file.to_str().unwrap().to_owned();
    let none = test_page.ask(PageCommand::ChooseFiles { paths: vec![path(&file)] }).await;
    assert!(none.failed(), "{}", none.text);
    test_page.ask(acts(click("text=Choose"))).await;
    let outside = test_page.ask(PageCommand::ChooseFiles { paths: vec!["/etc/hostname".into()] }).await;
    assert!(outside.failed() && outside.text.contains("outside of the folders"), "{}", outside.text);
    let chosen = test_page.ask(PageCommand::ChooseFiles { paths: vec![path(&file)] }).await;
    assert!(chosen.text.starts_with("chose ") && chosen.text.contains("+ text: note.txt"), "{}", chosen.text);
    test_page.close().await;
}
