use legwork::workflow_file;

use super::*;
use crate::workflow_text;

/// The steps of an import, one per line, then its problems.
fn shown(text: &str, file: &str) -> String {
    let imported = import(text, file, false).unwrap();
    let mut shown = imported.workflow.url.iter().map(|url| format!("url {url}\n")).collect::<String>();
    for step in &imported.workflow.steps {
        shown += &step.step;
        if let Some(action) = &step.action {
            shown += &format!(" {}", serde_json::to_string(action).unwrap());
        }
        if let Some(expect) = &step.expect {
            shown += &format!(" => {expect}");
        }
        shown += "\n";
    }
    for problem in &imported.problems {
        shown += &format!("! {problem}\n");
    }
    // What was imported is a workflow.
    let read = workflow_file::validate(&workflow_text(&imported.workflow), "workflow.yaml");
    assert_eq!(read.workflow.map(|workflow| workflow.steps), Some(imported.workflow.steps), "{:?}", read.problems);
    shown
}

const CHROME: &str = r##"{
  "title": "Sign in",
  "steps": [
    {"type": "setViewport", "width": 1280, "height": 720},
    {
      "type": "navigate", "url": "https://shop.test/login",
      "assertedEvents": [{"type": "navigation", "url": "https://shop.test/login", "title": "Sign in"}]
    },
    {"type": "click", "target": "main", "selectors": [["aria/User name"], ["#user"]], "offsetX": 3, "offsetY": 4},
    {"type": "change", "target": "main", "selectors": [["aria/User name"], ["#user"]], "value": "alice"},
    {"type": "change", "target": "main", "selectors": [["aria/Password"], ["#password"]], "value": "hunter2"},
    {"type": "keyDown", "target": "main", "key": "Enter"},
    {"type": "keyUp", "target": "main", "key": "Enter"},
    {"type": "click", "selectors": [["aria/Orders[role=\"link\"]"], ["nav > a:nth-of-type(2)"]]},
    {"type": "click", "selectors": [["div.grid > span"], ["xpath///*[@id=\"x\"]/span"]]},
    {"type": "waitForElement", "selectors": [["aria/3 orders"]]},
    {"type": "waitForExpression", "expression": "window.ready"}
  ]
}"##;

#[test]
fn a_recording_of_chrome_devtools() {
    insta::assert_snapshot!(shown(CHROME, "sign-in.json"), @r#"
    url https://shop.test/login
    Type "alice" into "User name"
    Type "${secret:password}" into "Password"
    Press Enter
    Click the link "Orders"
    click div.grid > span {"action":"click","parameters":{"target":"div.grid > span"}} => "3 orders" is shown
    ! line 17: waitForExpression: a condition in JavaScript
    "#);
    let imported = import(CHROME, "sign-in.json", true).unwrap();
    assert!(!format!("{imported:?}").contains("hunter2"));
    assert_eq!(imported.secrets, ["password"]);
    let last = imported.workflow.steps.last().unwrap();
    assert!(last.step.starts_with("NOT IMPORTED, line 17") && last.expect.is_some(), "{last:?}");
}

const TYPESCRIPT: &str = r#"import { test, expect } from '@playwright/test';

test('Order', async ({ page }) => {
  await page.goto('https://shop.test/login');
  await page.getByRole('textbox', { name: 'User name' }).click();
  await page.getByRole('textbox', { name: 'User name' }).fill('O\'Neil');
  await page.getByLabel('Password').fill('hunter2');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();
  await page.getByLabel('Colours').selectOption(['Navy', 'White']);
  await page.locator('iframe[title="Quote"]').contentFrame().getByLabel('Postcode').fill('5003');
  await page.getByRole('row', { name: 'Bob' }).getByRole('button').click();
  await page.locator('#save').dblclick();
  await page.getByLabel('File').setInputFiles('a.txt');
  for (const x of [1, 2]) {
    await page.getByText(x).click();
  }
});
"#;

#[test]
fn a_script_of_playwrights_generator_in_typescript() {
    insta::assert_snapshot!(shown(TYPESCRIPT, "order.spec.ts"), @r##"
    url https://shop.test/login
    Type "O'Neil" into "User name"
    Type "${secret:password}" into "Password"
    Click the button "Sign in" => the heading "Welcome" is shown
    Choose "Navy" and "White" from "Colours"
    Type "5003" into "Postcode"
    double-click #save {"action":"click","parameters":{"target":"#save","count":2}}
    Upload "a.txt" to "File"
    ! line 12: page.getByRole('row', { name: 'Bob' }).getByRole('button').click(): a locator of several parts (filter, nth, inside another element)
    ! line 15: for (const x of [1, 2]) {: only calls as the code generator writes them are read, one per line
    ! line 16: page.getByText(x).click(): the value x is not a literal
    "##);
}

#[test]
fn a_script_of_playwrights_generator_in_python() {
    let script = r#"import re
from playwright.sync_api import Playwright, sync_playwright, expect


def run(playwright: Playwright) -> None:
    browser = playwright.chromium.launch(headless=False)
    context = browser.new_context()
    page = context.new_page()
    page.goto("https://shop.test/")
    page.get_by_role("link", name="Products", exact=True).click()
    page.get_by_placeholder("Search").press("Enter")
    expect(page).to_have_title("Products")

    # ---------------------
    context.close()
    browser.close()


with sync_playwright() as playwright:
    run(playwright)
"#;
    insta::assert_snapshot!(shown(script, "products.py"), @r#"
    url https://shop.test/
    Click the link "Products"
    press Enter in text=Search {"action":"press","parameters":{"key":"Enter","target":"text=Search"}} => the title is "Products"
    "#);
}

#[test]
fn a_project_of_selenium_ide() {
    let project = r#"{
  "id": "1", "version": "2.0", "name": "Shop", "url": "https://shop.test",
  "tests": [{
    "id": "2", "name": "Order",
    "commands": [
      {"id": "a", "comment": "", "command": "open", "target": "/orders", "value": ""},
      {"id": "b", "command": "setWindowSize", "target": "1280x720", "value": ""},
      {"id": "c", "command": "click", "target": "linkText=New order", "value": ""},
      {"id": "d", "command": "type", "target": "id=customer", "value": "Ada"},
      {"id": "e", "command": "select", "target": "id=product", "value": "label=Rope"},
      {"id": "f", "command": "assertText", "target": "css=.status", "value": "Order placed"},
      {"id": "g", "command": "executeScript", "target": "return 1", "value": "x"}
    ]
  }]
}"#;
    insta::assert_snapshot!(shown(project, "shop.side"), @r##"
    url https://shop.test/orders
    Click the link "New order"
    fill [id="customer"] with “Ada” {"action":"fill","parameters":{"target":"[id=\"customer\"]","text":"Ada"}}
    choose “Rope” from [id="product"] {"action":"select","parameters":{"target":"[id=\"product\"]","values":["Rope"]}} => "Order placed" is shown
    ! line 12: executeScript return 1 x: the command executeScript is not known
    "##);
}

#[test]
fn what_is_no_recording_is_refused() {
    let refused = |text: &str, file: &str| import(text, file, false).unwrap_err();
    assert_eq!(refused("hello", "a.txt"), ImportError::UnknownFormat);
    assert_eq!(refused("{\"steps\": []}", "a.json"), ImportError::Empty);
    assert_eq!(refused("{\"a\": 1}", "a.json"), ImportError::UnknownFormat);
    assert!(matches!(refused("{", "a.json"), ImportError::NotJson(_)));
    let two = "{\"tests\": [{\"name\": \"a\"}, {\"name\": \"b\"}]}";
    assert_eq!(refused(two, "a.side"), ImportError::SeveralTests(vec!["a".into(), "b".into()]));
}
