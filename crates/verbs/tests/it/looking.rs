//! The content of replies: the difference after an action, parts of a page, matching lines, all within the token limit.

use legwork::observe::tokens;
use legwork_protocol::{ActionFailure, Tab};
use legwork_verbs::{CommandFailure, Format, PageCommand, Part};
use serde_json::json;

use crate::support::{Hand, acts, click, fill, target};

const FORM: &str = "<title>Form</title><h1>Order</h1>
  <form onsubmit='event.preventDefault(); said.textContent = `Thanks ${who.value}`'>
    <p><label>Name <input id=who></label><p><label><input type=checkbox>Terms</label>
    <p><label>Colour <select><option>Red<option>Blue</select></label><p><button>Send</button>
  </form><p id=said></p>";

const LONG: &str = "<title>Long</title><main></main><script>
  const item = n => `<li>Item number ${n} of a long list <button>Take ${n}</button></li>`;
  document.querySelector('main').innerHTML = `<ul>${Array.from({length: 400}, (_, n) => item(n)).join('')}</ul>`
</script>";

#[tokio::test]
async fn the_reply_to_an_action_contains_the_difference() {
    let test_page = Hand::on(&[("/", FORM), ("/long", LONG)]).await;
    let filled = test_page.act(fill("#who", "Ada")).await;
    assert!(filled.text.starts_with("fill textbox \"Name\" with “Ada”\n"), "{}", filled.text);
    let sent = test_page.act(click("text=Send")).await;
    assert_eq!(sent.text, "click button \"Send\"\nin heading \"Order\":\n+ text: Thanks Ada", "{}", sent.text);
    assert_eq!(sent.data["page"]["diff"], true);
    let again = test_page.ask(PageCommand::Changes).await;
    assert_eq!(again.text, "* nothing changed since the last observation");

    // The reply to `open` shows the page once, not as a difference.
    let opened = test_page.act(json!({"action": "open", "parameters": {"url": test_page.url("/long")}})).await;
    assert!(opened.text.starts_with(&format!("{} \"Long\"\n", test_page.url("/long"))), "{}", opened.text);
    test_page.close().await;
}

#[tokio::test]
async fn the_reply_to_a_read_contains_the_value() {
    let test_page = Hand::on(&[("/", FORM)]).await;
    let read = test_page.act(json!({"action": "read", "parameters": {"target": "h1"}})).await;
    assert_eq!(read.text, "Order");
    let tabs = test_page.ask(PageCommand::Act { actions: vec![legwork_protocol::Action::Tab(Tab::List)] }).await;
    assert_eq!(tabs.text, format!("- tab 1 [current]: Form {}", test_page.url("/")));
    let missing = test_page.act(json!({"action": "read", "parameters": {"target": "h7"}})).await;
    assert!(missing.failed() && missing.text.starts_with("read: nothing matches h7"), "{}", missing.text);
    test_page.close().await;
}

#[tokio::test]
async fn a_batch_stops_at_the_first_failure_and_reports_the_rest() {
    let test_page = Hand::on(&[("/", FORM)]).await;
    let asks = vec![acts(fill("#who", "Eve")), acts(click("text=Send")), PageCommand::Find { text: "Thanks".into() }];
    let all = test_page.ask(PageCommand::Batch { asks }).await;
    assert!(!all.failed() && all.text.ends_with("Thanks Eve"), "{}", all.text);
    assert_eq!(all.data.as_array().unwrap().len(), 3);

    let asks = vec![acts(click("#nowhere")), acts(fill("#who", "no")), PageCommand::Text];
    let stopped = test_page.ask(PageCommand::Batch { asks }).await;
    assert!(stopped.failed() && stopped.text.ends_with("(2 later commands were not executed)"), "{}", stopped.text);
    assert_eq!(test_page.evaluate("who.value").await.data["value"], "Eve");
    let nested = test_page.ask(PageCommand::Batch { asks: vec![PageCommand::Batch { asks: vec![] }] }).await;
    assert!(nested.failed() && nested.text.contains("a batch within a batch"), "{}", nested.text);
    test_page.close().await;
}

#[tokio::test]
async fn fields_are_filled_checked_or_selected_by_their_type() {
    let test_page = Hand::on(&[("/", FORM)]).await;
    let page = test_page.ask(PageCommand::Snapshot(Part { interactive: true, ..Part::default() })).await.text;
    let reference = |holds: &str| {
        let line = page.lines().find(|line| line.contains(holds)).unwrap();
        line.split("[ref=").nth(1).unwrap().split(']').next().unwrap()
    };
    let field = |holds: &str, value: &str| json!({"target": reference(holds), "value": value});
    let fields = json!([field("Name", "Zoe"), field("Terms", "true"), field("Colour", "Blue")]);
    let verb: PageCommand = serde_json::from_value(json!({"verb": "fields", "fields": fields})).unwrap();
    let done = test_page.ask(verb).await;
    assert!(!done.failed(), "{}", done.text);
    let values = test_page
        .evaluate(
            "[who.value, document.querySelector('[type=checkbox]').checked, document.querySelector('select').value]",
        )
        .await;
    assert_eq!(values.data["value"], json!(["Zoe", true, "Blue"]));
    test_page.close().await;
}

#[tokio::test]
async fn replies_stay_within_the_token_limit() {
    let test_page = Hand::on(&[("/", LONG)]).await;
    // The token limit applies to the text. The URL above it and the notes about omissions below it are added.
    let near =
        |text: &str, max: usize| assert!(tokens::count(text) <= max + 80, "{} for {max}: {text}", tokens::count(text));
    for max in [60, 300] {
        let some = Some(max);
        near(&test_page.within(PageCommand::Snapshot(Part::default()), some).await.text, max);
        near(&test_page.within(PageCommand::Find { text: "Item".into() }, some).await.text, max);
        near(&test_page.within(PageCommand::Text, some).await.text, max);
        let script = "'word '.repeat(5000)".to_owned();
        near(&test_page.within(PageCommand::Evaluate { script, target: None }, some).await.text, max);
        let script = "for (let n = 0; n < 400; n++) console.log('line ' + n)".to_owned();
        near(&test_page.within(PageCommand::Evaluate { script, target: None }, some).await.text, max);
        let told = test_page
            .within(PageCommand::Console { level: legwork_protocol::ConsoleLevel::Info, all: true }, some)
            .await
            .text;
        near(&told, max);
        assert!(told.contains("before these; ask for more tokens") && told.contains("line 399"), "{told}");
        near(&test_page.within(acts(json!({"action": "read", "parameters": {}})), some).await.text, max);
    }
    test_page.close().await;
}

#[tokio::test]
async fn snapshot_find_screenshot_pdf_and_resize_commands() {
    let test_page = Hand::on(&[("/", FORM)]).await;
    let part = |part: Part| test_page.ask(PageCommand::Snapshot(part));
    let whole = part(Part::default()).await.text;
    assert!(whole.contains("heading \"Order\""));
    let interactive = part(Part { interactive: true, ..Part::default() }).await.text;
    assert!(interactive.contains("button \"Send\"") && !interactive.contains("heading"), "{interactive}");
    let form = part(Part { target: Some(target("form")), ..Part::default() }).await.text;
    assert!(form.contains("textbox \"Name\"") && !form.contains("heading"), "{form}");
    let found = test_page.ask(PageCommand::Find { text: "/s[e]nd/".into() }).await;
    assert!(found.text.contains("button \"Send\" [ref="), "{}", found.text);
    let wrong = test_page.ask(PageCommand::Find { text: "/[/".into() }).await;
    assert!(wrong.failed(), "{}", wrong.text);

    for (format, begins) in [(Format::Png, &b"\x89PNG"[..]), (Format::Jpeg, b"\xff\xd8"), (Format::Webp, b"RIFF")] {
        let shot =
            test_page.ask(PageCommand::Screenshot { target: Some(target("form")), full_page: false, format }).await;
        assert!(shot.file.unwrap().bytes.starts_with(begins), "{}", shot.text);
    }
    assert!(test_page.ask(PageCommand::Pdf).await.file.unwrap().bytes.starts_with(b"%PDF"));
    let resized = test_page.ask(PageCommand::Resize { width: 390, height: 800 }).await;
    assert!(resized.text.starts_with("the viewport is now 390×800"), "{}", resized.text);
    assert_eq!(test_page.evaluate("innerWidth").await.text, "390");
    let stale = test_page.act(click("e999")).await;
    let failure = ActionFailure::StaleRef { target: "e999".into() };
    assert_eq!(stale.failure, Some(CommandFailure::Action(failure)));
    assert_eq!(
        stale.data["results"][0]["failure"],
        json!(ActionFailure::StaleRef { target: "e999".into() }),
        "{}",
        stale.text
    );
    test_page.close().await;
}
