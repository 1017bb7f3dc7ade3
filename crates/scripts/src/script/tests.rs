use serde_json::{Value as Json, json};

use super::*;
use crate::{
    playwright::{Language, write},
    test_journal::{TestJournal, button_in, click},
};

const USERS: &str = "- table \"Users\":\n  - row: Name | City | Balance | \n  - row:\n    - cell \"Smith, John\"\n    - cell \"Berlin\"\n    \
                     - cell \"120\"\n    - cell:\n      - button \"Deactivate\" [ref=e3]\n  - row:\n    - cell \"Lind, Ada\"\n    \
                     - cell \"Berlin\"\n    - cell \"300\"\n    - cell:\n      - button \"Deactivate\" [ref=e4]\n";

fn workflow(steps: Json) -> Json {
    json!({"name": "Users", "url": "http://shop.test/users", "steps": steps})
}

fn written(journal: &mut TestJournal, outline: &str, language: Language) -> String {
    let outlines = [PageOutline { seq: 3, text: outline.to_owned() }];
    write(&PlaywrightScript::of_run(&journal.events(), &outlines).unwrap(), language)
}

#[track_caller]
fn assert_contains(script: &str, line: &str) {
    assert!(script.contains(line), "{line}\nis not in\n{script}");
}

#[test]
fn one_of_several_equal_buttons_is_found_in_its_row() {
    let steps = json!(["cancel the contract of John Smith"]);
    let identity = button_in("Deactivate", "row", &["smith", "john", "120"]);
    let mut journal = TestJournal::of(&workflow(steps.clone()), &json!({}));
    journal.step(0, vec![("model", click("e3"), identity.clone(), "button \"Deactivate\"")]);
    let script = written(&mut journal, USERS, Language::TypeScript);
    assert_contains(
        &script,
        "await page.getByRole('row').filter({ has: page.getByText('Smith, John', { exact: true }) })\
         .getByRole('button', { name: 'Deactivate', exact: true }).click();",
    );
    assert!(!script.contains("nth("), "{script}");

    let mut journal = TestJournal::of(&workflow(steps), &json!({}));
    journal.step(0, vec![("model", click("e3"), identity, "button \"Deactivate\"")]);
    assert_contains(
        &written(&mut journal, USERS, Language::Python),
        "page.get_by_role(\"row\").filter(has=page.get_by_text(\"Smith, John\", exact=True))\
         .get_by_role(\"button\", name=\"Deactivate\", exact=True).click()",
    );
}

/// The browser reported the element of a position or a selector. In another list, the position is that of another row.
#[test]
fn an_element_that_a_model_named_by_its_position_is_found_in_its_row() {
    for target in ["button \"Deactivate\" >> nth=0", "xpath=(//button)[1]", "tr:nth-of-type(2) button"] {
        let mut journal = TestJournal::of(&workflow(json!(["cancel the contract of John Smith"])), &json!({}));
        let identity = button_in("Deactivate", "row", &["smith", "john", "120"]);
        journal.step(0, vec![("model", click(target), identity, "button \"Deactivate\"")]);
        let mut events = journal.events();
        let mut elements = BTreeMap::new();
        for event in &mut events {
            match &mut event.kind {
                EventKind::CommandStarted { identity, .. } => {
                    elements = identity.take().map(|identity| identity.elements).unwrap_or_default();
                }
                EventKind::CommandCompleted { result, .. } => result.elements = std::mem::take(&mut elements),
                _ => {}
            }
        }
        let outlines = [PageOutline { seq: 3, text: USERS.to_owned() }];
        let script = write(&PlaywrightScript::of_run(&events, &outlines).unwrap(), Language::TypeScript);
        assert_contains(
            &script,
            "await page.getByRole('row').filter({ hasText: 'smith' }).filter({ hasText: 'john' })\
             .getByRole('button', { name: 'Deactivate', exact: true }).click();",
        );
    }
}

#[test]
fn the_text_of_a_row_is_the_one_that_the_step_names() {
    let steps = json!(["deactivate the customer with 300"]);
    let mut journal = TestJournal::of(&workflow(steps), &json!({}));
    let identity = button_in("Deactivate", "row", &["lind", "ada", "300"]);
    journal.step(0, vec![("model", click("e4"), identity, "button \"Deactivate\"")]);
    assert_contains(&written(&mut journal, USERS, Language::TypeScript), "getByText('300', { exact: true })");
}

#[test]
fn the_row_of_an_input_is_another_row_for_another_value() {
    let steps = json!(["Click \"Deactivate\" in the row of \"${who}\""]);
    let mut workflow = workflow(steps);
    workflow["inputs"] = json!({"who": "Ada"});
    let mut journal = TestJournal::of(&workflow, &json!({"who": "Ada"}));
    let identity = button_in("Deactivate", "row", &["lind", "ada", "300"]);
    journal.step(0, vec![("literal", click("e4"), identity, "button \"Deactivate\"")]);
    assert_contains(
        &written(&mut journal, USERS, Language::TypeScript),
        "page.getByRole('row').filter({ hasText: who }).getByRole('button', { name: 'Deactivate', exact: true })",
    );
}

#[test]
fn an_item_whose_texts_the_page_text_does_not_group_is_found_by_its_words() {
    let mut journal = TestJournal::of(&workflow(json!(["remove the lamp"])), &json!({}));
    let identity = button_in("Remove", "listitem", &["red", "lamp", "12"]);
    let outline = "- text: Red lamp 12\n- button \"Remove\" [ref=e3]\n- text: Rope\n- button \"Remove\" [ref=e4]\n";
    journal.step(0, vec![("model", click("e3"), identity, "button \"Remove\"")]);
    assert_contains(
        &written(&mut journal, outline, Language::Python),
        "page.get_by_role(\"listitem\").filter(has_text=\"red\").filter(has_text=\"lamp\")\
         .get_by_role(\"button\", name=\"Remove\", exact=True).click()",
    );
}

#[test]
fn a_position_remains_only_where_nothing_identifies_the_part_and_a_comment_says_so() {
    let mut journal = TestJournal::of(&workflow(json!(["remove one"])), &json!({}));
    let identity = button_in("Remove", "text before", &["lamp"]);
    let outline = "- text: Lamp\n- button \"Remove\" [ref=e3]\n- text: Rope\n- button \"Remove\" [ref=e4]\n";
    journal.step(0, vec![("model", click("e3"), identity, "button \"Remove\"")]);
    let script = written(&mut journal, outline, Language::TypeScript);
    assert_contains(&script, "// The element is found by its position");
    assert_contains(&script, "getByRole('button', { name: 'Remove', exact: true }).nth(0).click();");
}

fn orders() -> TestJournal {
    let mut journal = TestJournal::of(
        &workflow(json!([{
            "for_each": "row in \"Orders\"",
            "steps": [{"step": "ship the order", "expect": "\"${row.Order}\" is shown"},
                      "Check that the address contains \"${row.Order}\""],
        }])),
        &json!({}),
    );
    let item = |key: &str| json!({"label": key, "value": {"Order": key, "State": "open"}, "key": [key]});
    let expansion = json!({
        "kind": "iterations", "variable": "row", "place": "\"Orders\"", "key": ["Order"],
        "items": [item("A-1"), item("A-10")], "steps": 4,
    });
    let in_row = json!({"elements": {"target": {
        "role": "button", "name": "Ship", "ordinal": 1, "count": 1, "containers": [{"role": "row", "keys": []}],
    }}});
    journal.group(0, &expansion);
    journal.step(1, vec![("model", click("e3"), in_row.clone(), "button \"Ship\"")]).step(2, vec![]);
    journal.step(3, vec![("model", click("e3"), in_row, "button \"Ship\"")]).step(4, vec![]);
    journal
}

#[test]
fn the_iterations_of_a_loop_have_the_values_of_their_rows() {
    let outline = "- table \"Orders\":\n  - row: Order | State | \n  - row: A-1 | open | button \"Ship\" [ref=e3]\n  \
                   - row: A-10 | open | button \"Ship\" [ref=e4]\n";
    for language in [Language::TypeScript, Language::Python] {
        let script = written(&mut orders(), outline, language);
        let code: Vec<&str> = script.lines().filter(|line| !line.trim().starts_with(['#', '/'])).collect();
        assert!(!code.join("\n").contains("${row"), "{script}");
        assert_contains(&script, "The script does what this run did, with the values of this run.");
    }
    let script = written(&mut orders(), outline, Language::Python);
    assert_contains(&script, "expect(page.get_by_text(\"A-10\").filter(visible=True).first).to_be_visible()");
    assert_contains(&script, "filter(has=page.get_by_text(\"A-1\", exact=True)).get_by_role(\"button\"");
    assert_contains(&script, "to_have_url(re.compile(\"A-1\"))");
}

#[test]
fn a_value_that_the_script_cannot_know_is_a_line_that_fails() {
    let steps = json!([
        "Save the number of rows as count",
        {"step": "Type \"${code}\" into \"Code\"", "expect": "\"${count}\" is shown"},
    ]);
    let mut journal = TestJournal::of(&workflow(steps), &json!({}));
    let fill = json!({"action": "fill", "parameters": {"target": "#code", "text": "77"}});
    journal.step(0, vec![]).step(1, vec![("literal", fill, json!({}), "")]);
    let script = written(&mut journal, "", Language::Python);
    assert_contains(&script, "raise NotImplementedError(\"cannot be expressed: Save the number of rows as count");
    assert_contains(&script, "no statement of the script gives ${code} its value");
    assert_contains(&script, "page.locator(\"#code\").fill(\"77\")");
}

#[test]
fn an_item_in_the_row_of_a_loop_is_found_in_this_row() {
    let steps = json!([{"for_each": "row in \"Orders\"", "steps": ["remove the lamp"]}]);
    let mut journal = TestJournal::of(&workflow(steps), &json!({}));
    let item = |key: &str| json!({"label": key, "value": {"Order": key}, "key": [key]});
    let expansion = json!({
        "kind": "iterations", "variable": "row", "place": "\"Orders\"", "key": ["Order"], "items": [item("A-1")], "steps": 1,
    });
    let identity = json!({"elements": {"target": {
        "role": "button", "name": "Remove", "ordinal": 1, "count": 2,
        "containers": [{"role": "listitem", "keys": ["lamp"]}, {"role": "row", "keys": []}],
    }}});
    journal.group(0, &expansion).step(1, vec![("model", click("e3"), identity, "button \"Remove\"")]);
    assert_contains(
        &written(&mut journal, "", Language::TypeScript),
        "page.getByRole('row').filter({ has: page.getByText('A-1', { exact: true }) })\
         .getByRole('listitem').filter({ hasText: 'lamp' }).getByRole('button', { name: 'Remove', exact: true }).click();",
    );
}
