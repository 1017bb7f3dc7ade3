//! Exact assertions and locators. An assertion holds, or the failure states what is there instead.

use legwork_verbs::{PageCommand, PageReply, Part, Verify};
use serde_json::json;

use crate::support::{Hand, acts, fill, target};

const PAGE: &str = "<title>Shop</title><h1>Your basket</h1>
  <ul id=list><li>Three ropes</li><li>One <b>lamp</b></li><li hidden>A secret gift</li></ul>
  <label>Name <input id=who value=Ada></label> <label><input type=checkbox id=terms checked> Terms</label>
  <label>Password <input type=password id=pass value=hunter2></label>
  <label>Colour <select id=colour><option>Red<option selected>Blue</select></label>
  <button id=pay>Pay now</button> <button>Pay</button> <button data-testid=gift>Wrap it</button>
  <div id=box><div>One</div><div>Two</div></div><p style='display:none'>Never seen</p>";

async fn verify(test_page: &Hand, wanted: Verify) -> PageReply {
    test_page.ask(PageCommand::Verify(wanted)).await
}

fn element(role: &str, name: &str) -> Verify {
    Verify::Element { role: role.into(), name: name.into() }
}

#[tokio::test]
async fn what_is_shown_is_verified_and_what_is_not_fails_with_what_is_there() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    for wanted in [
        element("button", "Pay now"),
        element("button", "PAY"),
        element("heading", "basket"),
        Verify::Text { text: "one  lamp".into() },
        Verify::Text { text: "three ropes".into() },
        Verify::List { target: target("#list"), items: vec!["Three ropes".into(), "One lamp".into()] },
    ] {
        let said = verify(&test_page, wanted.clone()).await;
        assert!(!said.failed(), "{wanted:?}: {}", said.text);
    }
    let text = |text: &str| Verify::Text { text: text.into() };
    let list = |items: &[&str]| Verify::List {
        target: target("#list"),
        items: items.iter().map(|item| (*item).into()).collect(),
    };
    for (wanted, told) in [
        (element("link", "Pay now"), "no link \"Pay now\" is shown; there is button \"Pay now\""),
        (element("button", "Refund"), "there is button \"Pay now\", button \"Pay\", button \"Wrap it\""),
        (element("slider", "x"), "no slider \"x\" is shown"),
        (text("Never seen"), "\"Never seen\" is not shown"),
        (text("Four ropes"), "\"Four ropes\" is not shown; there is \"Three ropes\""),
        (
            list(&["Three ropes", "A secret gift"]),
            "does not hold \"A secret gift\"; it holds \"Three ropes\", \"One lamp\"",
        ),
    ] {
        let said = verify(&test_page, wanted.clone()).await;
        assert!(said.failed() && said.text.contains(told), "{wanted:?}: {}", said.text);
    }
    test_page.close().await;
}

#[tokio::test]
async fn a_field_holds_its_value_and_a_password_is_not_told() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    let value = |target: &str, value: &str, kind: Option<&str>| Verify::Value {
        target: legwork_protocol::Target(target.into()),
        value: value.into(),
        kind: kind.map(str::to_owned),
    };
    for (field, holds, kind) in [
        ("#who", "Ada", Some("textbox")),
        ("#terms", "true", Some("checkbox")),
        ("#terms", "true", None),
        ("#colour", "Blue", Some("combobox")),
        ("#pass", "hunter2", None),
    ] {
        let said = verify(&test_page, value(field, holds, kind)).await;
        assert!(!said.failed(), "{field}: {}", said.text);
    }
    let wrong = verify(&test_page, value("#who", "Eve", None)).await;
    assert!(wrong.failed() && wrong.text == "#who holds \"Ada\", not \"Eve\"", "{}", wrong.text);
    let unticked = verify(&test_page, value("#terms", "false", None)).await;
    assert!(unticked.failed() && unticked.text.contains("holds \"true\""), "{}", unticked.text);
    let secret = verify(&test_page, value("#pass", "other", None)).await;
    assert!(secret.failed() && !secret.text.contains("hunter2"), "{}", secret.text);
    let nothing = verify(&test_page, value("#who", "true", Some("checkbox"))).await;
    assert!(nothing.failed() && nothing.text.contains("nothing that is ticked"), "{}", nothing.text);
    let missing = verify(&test_page, value("#nowhere", "x", None)).await;
    assert!(missing.failed() && missing.text.contains("nothing matches #nowhere"), "{}", missing.text);
    test_page.close().await;
}

/// A locator finds its element and no other, in both notations.
#[tokio::test]
async fn an_element_has_a_name_of_its_own_without_a_ref() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    for (named, playwright, own) in [
        ("#pay", "getByRole('button', { name: 'Pay now' })", "role=button[name=\"Pay now\"]"),
        ("text=\"Pay\"", "getByRole('button', { name: 'Pay', exact: true })", "role=button[name=\"Pay\"]"),
        ("text=Wrap it", "getByTestId('gift')", "[data-testid=\"gift\"]"),
        ("#who", "getByRole('textbox', { name: 'Name' })", "role=textbox[name=\"Name\"]"),
        ("#box", "locator('#box')", "#box"),
        ("#box > div:nth-child(2)", "locator('#box > div:nth-of-type(2)')", "#box > div:nth-of-type(2)"),
    ] {
        let said = test_page.ask(PageCommand::Locate { target: target(named) }).await;
        assert_eq!(said.text, format!("{playwright}\n{own}"));
        let id = |target: &str| {
            PageCommand::Evaluate {
            script: "e => window.last === undefined ? (window.last = e, 'first') : [window.last === e, delete window.last][0]".into(),
            target: Some(legwork_protocol::Target(target.into())),
        }
        };
        assert_eq!(test_page.ask(id(named)).await.text, "first");
        assert_eq!(test_page.ask(id(own)).await.text, "true", "{own} is another element than {named}");
    }
    test_page.close().await;
}

#[tokio::test]
async fn a_highlight_is_seen_and_not_told() {
    let test_page = Hand::on(&[("/", PAGE)]).await;
    let shot = async || {
        let shot = PageCommand::Screenshot { target: None, full_page: false, format: legwork_verbs::Format::Png };
        test_page.ask(shot).await.file.unwrap().bytes
    };
    let before = test_page.ask(PageCommand::Snapshot(Part::default())).await.text;
    let plain = shot().await;
    let marked = test_page
        .ask(PageCommand::Highlight { target: target("#pay"), style: Some("outline-color: red".into()) })
        .await;
    assert_eq!(marked.text, "highlighted #pay (button \"Pay now\")");
    test_page.ask(PageCommand::Highlight { target: target("#who"), style: None }).await;
    let both = shot().await;
    assert!(both != plain, "it cannot be seen");
    assert_eq!(test_page.ask(PageCommand::Changes).await.text, "* nothing changed since the last observation");
    assert_eq!(test_page.ask(PageCommand::Snapshot(Part::default())).await.text, before);
    // The highlight does not cover the element.
    let clicked = test_page.act(json!({"action": "click", "parameters": {"target": "#pay"}})).await;
    assert!(!clicked.failed(), "{}", clicked.text);
    assert_eq!(
        test_page.ask(PageCommand::Unhighlight { target: Some(target("#pay")) }).await.text,
        "removed 1 highlight"
    );
    assert_eq!(test_page.ask(PageCommand::Unhighlight { target: None }).await.text, "removed 1 highlight");
    test_page.ask(acts(fill("#who", "Ada"))).await;
    test_page.evaluate("document.activeElement.blur(), 1").await;
    assert_eq!(test_page.evaluate("document.querySelectorAll('html > div').length").await.text, "0");
    test_page.close().await;
}
