use legwork::workflow_file;

use super::*;

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
    let read = workflow_file::validate(&imported.text(), "workflow.yaml");
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
    Click the button in the row of "Bob"
    double-click #save {"action":"click","parameters":{"target":"#save","count":2}}
    Upload "a.txt" to "File"
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
    Press Enter in "Search" => the title is "Products"
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

/// A script in TypeScript with these statements after the first page.
fn typescript(statements: &str) -> String {
    format!(
        "import {{ test }} from '@playwright/test';\n\ntest('t', async ({{ page }}) => {{\n  await page.goto('https://a.test/');\n{statements}\n}});\n"
    )
}

#[test]
fn the_options_of_a_click_are_said_or_refused_and_those_that_only_wait_are_left_out() {
    let script = typescript(
        "  await page.getByRole('link', { name: 'A' }).click({ modifiers: ['ControlOrMeta', 'Shift'] });
  await page.getByRole('link', { name: 'A' }).click({ modifiers: ['Alt'] });
  await page.getByText('B').click({
    button: 'right',
    timeout: 500,
  });
  await page.getByText('B').click({ clickCount: 3 });
  await page.getByText('B').click({ clickCount: 2, noWaitAfter: true });
  await page.getByText('B').click({ button: 'middle' });
  await page.getByText('C').click({ position: { x: 1, y: 2 } });
  await page.getByText('C').click({ force: true });
  await page.getByText('C').click({ trial: true });
  await page.getByLabel('D').fill('x', { force: true });
  await page.getByLabel('D').check({ position: { x: 1, y: 2 } });
  await page.getByLabel('E').selectOption({ label: 'Red' });
  await page.getByLabel('E').selectOption({ index: 2 });
  await page.getByRole('button', { name: 'F', pressed: true }).click();",
    );
    insta::assert_snapshot!(shown(&script, "t.spec.ts"), @r##"
    url https://a.test/
    Ctrl+Shift-click the link "A"
    click role=link[name="A"] {"action":"click","parameters":{"target":"role=link[name=\"A\"]","modifiers":["Alt"]}}
    Right-click "B"
    Triple-click "B"
    Double-click "B"
    Middle-click "B"
    Choose "Red" from "E"
    ! line 14: page.getByText('C').click({ position: { x: 1, y: 2 } }): the option `position` of click has no equivalent in a step
    ! line 15: page.getByText('C').click({ force: true }): the option `force` of click has no equivalent in a step
    ! line 16: page.getByText('C').click({ trial: true }): the option `trial` of click has no equivalent in a step
    ! line 17: page.getByLabel('D').fill('x', { force: true }): the option `force` of fill has no equivalent in a step
    ! line 18: page.getByLabel('D').check({ position: { x: 1, y: 2 } }): the option `position` of check has no equivalent in a step
    ! line 20: page.getByLabel('E').selectOption({ index: 2 }): the option `index` of selectOption has no equivalent in a step
    ! line 21: page.getByRole('button', { name: 'F', pressed: true }).click(): the option `pressed` of getByRole has no equivalent in a step
    "##);
}

#[test]
fn elements_of_tables_and_lists_are_named_with_their_row_or_position() {
    let script = typescript(
        "  await page.getByRole('button', { name: 'Deactivate' }).nth(1).click();
  await page.getByRole('button', { name: 'Deactivate' }).first().click();
  await page.getByRole('button', { name: 'Deactivate' }).last().click();
  await page.getByRole('row', { name: 'Lind, Ada Oslo' }).getByRole('button').click();
  await page.locator('tr').filter({ hasText: 'Smith, John' }).getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('row').filter({ hasText: /^Keller$/ }).filter({ hasText: 'Graz' })
    .getByRole('textbox', { name: 'Note' }).fill('x');
  await page.getByRole('listitem').filter({ hasText: 'Lamp' }).getByRole('button', { name: 'Remove' }).nth(1).click();
  await page.getByRole('row').filter({ hasText: 'Bob' }).click();
  await page.getByRole('dialog', { name: 'Edit' }).getByLabel('Name').fill('Ada');
  await page.locator('#list a').nth(2).click();
  await page.getByRole('row').nth(2).getByRole('button', { name: 'Edit' }).click();
  await page.locator('div').filter({ hasText: 'Ada' }).getByRole('button').click();
  await page.locator('#box').getByRole('button', { name: 'Edit' }).click();
  await page.getByText('Edit').nth(1).click();
  await page.getByRole('row', { name: /Ada.*/ }).getByRole('button').click();
  await page.getByRole('button').click();
  await expect(page.getByRole('row', { name: 'Ada' }).getByRole('button', { name: 'Edit' })).toBeVisible();",
    );
    insta::assert_snapshot!(shown(&script, "t.spec.ts"), @r##"
    url https://a.test/
    Click the second "Deactivate" button
    Click the first "Deactivate" button
    Click the last "Deactivate" button
    Click the button in the row of "Lind, Ada Oslo"
    Click the button "Edit" in the row of "Smith, John"
    Click the second "Remove" button in the item containing "Lamp"
    Click the row containing "Bob"
    Type "Ada" into "Name" in the dialog "Edit"
    click #list a >> nth=2 {"action":"click","parameters":{"target":"#list a >> nth=2"}}
    ! line 10: page.getByRole('row').filter({ hasText: /^Keller$/ }).filter({ hasText: 'Graz' }).getByRole('textbox', { name: 'Note' }).fill('x'): no sentence names this element with its place
    ! line 16: page.getByRole('row').nth(2).getByRole('button', { name: 'Edit' }).click(): a position of a part of the page
    ! line 17: page.locator('div').filter({ hasText: 'Ada' }).getByRole('button').click(): a filter of an element that is no row and no item
    ! line 18: page.locator('#box').getByRole('button', { name: 'Edit' }).click(): an element inside another one that no sentence names
    ! line 19: page.getByText('Edit').nth(1).click(): a position among elements of any kind
    ! line 20: page.getByRole('row', { name: /Ada.*/ }).getByRole('button').click(): a regular expression
    ! line 21: page.getByRole('button').click(): the button has no name
    ! line 22: expect(page.getByRole('row', { name: 'Ada' }).getByRole('button', { name: 'Edit' })).toBeVisible(): a check of an element inside another one, or at a position
    "##);
    let python = "from playwright.sync_api import sync_playwright\npage.goto(\"https://a.test/\")\n\
                  page.get_by_role(\"row\").filter(has_text=\"Bob\").get_by_role(\"button\", name=\"Edit\").first.click(button=\"right\")\n";
    insta::assert_snapshot!(shown(python, "t.py"), @r##"
    url https://a.test/
    Right-click the first "Edit" button in the row of "Bob"
    "##);
}

#[test]
fn answers_to_dialogs_and_downloads_belong_to_the_next_step_and_popups_need_nothing() {
    let script = typescript(
        "  page.once('dialog', dialog => {
    console.log(`Dialog message: ${dialog.message()}`);
    dialog.dismiss().catch(() => {});
  });
  await page.getByRole('button', { name: 'Delete' }).click();
  page.once('dialog', dialog => dialog.accept('Ada'));
  await page.locator('#rename').click();
  const page1Promise = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Help' }).click();
  const page1 = await page1Promise;
  await page1.getByLabel('Search').fill('x');
  const downloadPromise = page1.waitForEvent('download');
  await page1.getByRole('link', { name: 'Manual' }).click();
  const download = await downloadPromise;
  await page.getByRole('link', { name: 'Home' }).click();
  await page1.getByRole('link', { name: 'Close' }).click();
  page.on('dialog', dialog => dialog.accept());
  await download.saveAs('x.pdf');
  const chooserPromise = page.waitForEvent('filechooser');
  page.once('dialog', dialog => dialog.accept());",
    );
    insta::assert_snapshot!(shown(&script, "t.spec.ts"), @r##"
    url https://a.test/
    Click the button "Delete" and dismiss the dialog
    click #rename and answer the dialog with “Ada” {"action":"dialog","parameters":{"accept":true,"text":"Ada","opened_by":{"action":"click","parameters":{"target":"#rename"}}}}
    Click the link "Help"
    Type "x" into "Search"
    Click the link "Manual" and wait for the download
    Switch to the first tab
    Click the link "Home"
    Switch to the second tab
    Click the link "Close"
    ! line 21: page.on('dialog', dialog => dialog.accept()): an answer to every dialog; a step answers its own dialog
    ! line 22: download.saveAs('x.pdf'): only calls as the code generator writes them are read, one per line
    ! line 23: const chooserPromise = page.waitForEvent('filechooser'): only calls as the code generator writes them are read, one per line
    ! line 24: page.once('dialog', dialog => dialog.accept()): no action that can be converted follows
    "##);
    let python = "from playwright.sync_api import sync_playwright
page.goto(\"https://a.test/\")
page.once(\"dialog\", lambda dialog: dialog.accept())
page.get_by_role(\"button\", name=\"Delete\").click()
with page.expect_popup() as page1_info:
    page.get_by_role(\"link\", name=\"Help\").click()
page1 = page1_info.value
with page1.expect_download() as download_info:
    page1.get_by_role(\"link\", name=\"Manual\").click()
download = download_info.value
page1.close()
page.get_by_role(\"link\", name=\"Home\").click()
";
    insta::assert_snapshot!(shown(python, "t.py"), @r##"
    url https://a.test/
    Click the button "Delete" and accept the dialog
    Click the link "Help"
    Click the link "Manual" and wait for the download
    close tab {"action":"tab","parameters":{"op":"close"}}
    Click the link "Home"
    "##);
}

#[test]
fn chrome_devtools_an_ambiguous_name_becomes_a_selector_and_held_keys_are_said() {
    let recording = r##"{"title": "t", "steps": [
{"type": "navigate", "url": "https://a.test/"},
{"type": "click", "selectors": [["aria/Deactivate"], ["tr:nth-of-type(3) button"]]},
{"type": "click", "selectors": [["aria/Edit"], ["#first"]]},
{"type": "click", "selectors": [["aria/Edit"], ["#second"]]},
{"type": "click", "selectors": [["aria/Express"], ["fieldset:nth-of-type(1) > label:nth-of-type(2) > input"]]},
{"type": "keyDown", "key": "Control"},
{"type": "keyDown", "key": "a"},
{"type": "keyUp", "key": "a"},
{"type": "click", "selectors": [["aria/Open"]]},
{"type": "keyUp", "key": "Control"},
{"type": "click", "button": "secondary", "selectors": [["aria/Open"]]},
{"type": "waitForElement", "selectors": ["h1"], "count": 1},
{"type": "click", "selectors": [["aria/Deactivate"], ["li:nth-child(2) > a"]], "frame": [0]}
]}"##;
    insta::assert_snapshot!(shown(recording, "t.json"), @r##"
    url https://a.test/
    click tr:nth-of-type(3) button {"action":"click","parameters":{"target":"tr:nth-of-type(3) button"}}
    click #first {"action":"click","parameters":{"target":"#first"}}
    click #second {"action":"click","parameters":{"target":"#second"}}
    Click "Express"
    Press Control+a
    Ctrl-click "Open"
    Right-click "Open" => css=h1 is shown
    ! line 14: click aria/Deactivate: an element without a name in a frame
    "##);
    let text = import(recording, "t.json", true).unwrap().text();
    assert!(
        text.contains(
            "  # several elements are called “Deactivate”, so the step has a selector; check it\n  - step: \"click tr"
        ),
        "{text}"
    );
}

#[test]
fn selenium_ide_disabled_commands_variables_waits_and_dialogs() {
    let commands = [
        ("open", "/", ""),
        ("//click", "css=.disabled", ""),
        ("storeText", "css=h1", "title"),
        ("echo", "${title}", ""),
        ("type", "name=q", "${title}"),
        ("type", "name=q", "${other}"),
        ("waitForElementVisible", "linkText=Ready", "5000"),
        ("waitForElementNotPresent", "css=.spinner", "30000"),
        ("waitForText", "css=p", "Done"),
        ("verifyElementPresent", "css=p[role=status]", ""),
        ("chooseOkOnNextConfirmation", "", ""),
        ("click", "linkText=Delete", ""),
        ("assertConfirmation", "Really?", ""),
        ("webdriverChooseOkOnVisibleConfirmation", "", ""),
        ("storeText", "css=h1", "not a name"),
    ];
    let commands = commands.map(|(command, target, value)| {
        serde_json::json!({"command": command, "target": target, "value": value}).to_string()
    });
    let project = format!(
        "{{\"url\": \"https://a.test\", \"tests\": [{{\"name\": \"t\", \"commands\": [\n{}\n]}}]}}",
        commands.join(",\n")
    );
    insta::assert_snapshot!(shown(&project, "t.side"), @r##"
    url https://a.test/
    save h1 as title {"action":"save","parameters":{"target":"h1","variable":"title"}}
    fill [name="q"] with “${title}” {"action":"fill","parameters":{"target":"[name=\"q\"]","text":"${title}"}}
    Wait up to 5 seconds for "Ready"
    Wait up to 30 seconds until css=.spinner disappears
    Wait for "Done" => css=p[role=status] is shown
    Click the link "Delete" and accept the dialog => the dialog said "Really?"
    ! line 7: type name=q ${other}: it uses the variable other of the recording, which no step saves
    ! line 16: storeText css=h1 not a name: “not a name” is no name of a variable
    "##);
    let text = import(&project, "t.side", true).unwrap().text();
    assert!(text.contains("  # disabled in the recording: click css=.disabled\n"), "{text}");
}
