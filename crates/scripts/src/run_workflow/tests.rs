use legwork::workflow_file;
use legwork_protocol::Workflow;
use serde_json::{Value as Json, json};

use super::*;
use crate::test_journal::{TestJournal, button_in, click};

const USERS: &str = "- table \"Users\":\n  - row: Name | City | Balance | \n  - row:\n    - cell \"Smith, John\"\n    - cell \"Berlin\"\n    \
                     - cell \"120\"\n    - cell:\n      - button \"Deactivate\" [ref=e3]\n  - row:\n    - cell \"Lind, Ada\"\n    \
                     - cell \"Berlin\"\n    - cell \"300\"\n    - cell:\n      - button \"Deactivate\" [ref=e4]\n";

fn workflow(steps: Json) -> Json {
    json!({"name": "Users", "url": "http://shop.test/users", "steps": steps})
}

/// The exported text and the workflow that it contains.
fn exported(journal: &mut TestJournal) -> (String, Workflow) {
    let outlines = [PageOutline { seq: 3, text: USERS.to_owned() }];
    let text = run_workflow(&journal.events(), &outlines).unwrap();
    let read = workflow_file::validate(&text, "workflow.yaml");
    let workflow = read.workflow.unwrap_or_else(|| panic!("{:?}\n{text}", read.problems));
    // It needs no model.
    for step in workflow.all_steps() {
        let is_understood = step.group.is_some() || step.action.is_some() || legwork_steps::read(&step.step).is_ok();
        assert!(is_understood, "{}", step.step);
    }
    (text, workflow)
}

fn sentences(workflow: &Workflow) -> Vec<&str> {
    workflow.all_steps().into_iter().map(|step| step.step.as_str()).collect()
}

fn on(role: &str, name: &str) -> Json {
    json!({"elements": {"target": {"role": role, "name": name, "ordinal": 1, "count": 1}}})
}

#[test]
fn a_step_that_a_model_decided_becomes_sentences_that_name_the_row() {
    let steps = json!([
        {"step": "cancel the contract of John Smith", "expect": "\"Deactivated\" is shown"},
        "Click \"Log out\"",
    ]);
    let mut journal = TestJournal::of(&workflow(steps), &json!({}));
    let identity = button_in("Deactivate", "row", &["smith", "john", "120"]);
    journal.step(0, vec![("model", click("e3"), identity, "button \"Deactivate\"")]);
    let literal = json!({"clause": 0, "elements": on("button", "Log out")["elements"]});
    journal.step(1, vec![("literal", click("e9"), literal, "button \"Log out\"")]);
    let (text, workflow) = exported(&mut journal);
    assert_eq!(
        sentences(&workflow),
        ["Click the button \"Deactivate\" in the row of \"Smith, John\"", "Click \"Log out\""]
    );
    assert_eq!(workflow.steps[0].expect.as_deref(), Some("\"Deactivated\" is shown"));
    assert!(text.contains("  # a model decided: cancel the contract of John Smith\n"), "{text}");
}

#[test]
fn each_action_of_a_model_is_a_sentence() {
    let mut workflow = workflow(json!(["order three lamps for ${who}"]));
    workflow["inputs"] = json!({"who": "Ada Lind"});
    let mut journal = TestJournal::of(&workflow, &json!({"who": "Ada Lind"}));
    let action = |name: &str, parameters: Json| json!({"action": name, "parameters": parameters});
    journal.step(
        0,
        vec![
            ("model", action("fill", json!({"target": "e1", "text": "Ada Lind"})), on("textbox", "Customer"), ""),
            (
                "model",
                action("fill", json!({"target": "e2", "text": "3", "submit": true})),
                on("spinbutton", "Pieces"),
                "",
            ),
            ("model", action("select", json!({"target": "e4", "values": ["Lamp"]})), on("combobox", "Product"), ""),
            ("model", action("check", json!({"target": "e5"})), on("checkbox", "Gift wrap"), ""),
            ("model", action("press", json!({"key": "Escape"})), json!({}), ""),
            ("model", action("save", json!({"target": "e6", "variable": "total"})), on("status", "Total"), ""),
            ("model", action("click", json!({"target": "e7", "count": 2})), on("button", "Order"), ""),
        ],
    );
    let (text, workflow) = exported(&mut journal);
    assert_eq!(
        sentences(&workflow),
        [
            "Type \"${who}\" into \"Customer\"",
            "Type \"3\" into \"Pieces\" and press Enter",
            "Choose \"Lamp\" from \"Product\"",
            "Tick \"Gift wrap\"",
            "Press Escape",
            "Save the text of \"Total\" as total",
            "Double-click the button \"Order\"",
        ],
        "{text}"
    );
}

#[test]
fn the_row_of_a_variable_is_named_by_the_variable() {
    let mut workflow = workflow(json!(["cancel the contract of ${who}"]));
    workflow["inputs"] = json!({"who": "Ada"});
    let mut journal = TestJournal::of(&workflow, &json!({"who": "Ada"}));
    let identity = button_in("Deactivate", "row", &["lind", "ada", "300"]);
    journal.step(0, vec![("model", click("e4"), identity, "button \"Deactivate\"")]);
    let (text, workflow) = exported(&mut journal);
    assert_eq!(sentences(&workflow), ["Click the button \"Deactivate\" in the row of \"${who}\""], "{text}");
}

#[test]
fn one_of_equal_elements_that_nothing_distinguishes_is_named_by_its_position_with_a_comment() {
    let mut journal = TestJournal::of(&workflow(json!(["remove the lamp"])), &json!({}));
    let identity = json!({"elements": {"target": {"role": "button", "name": "Remove", "ordinal": 2, "count": 3}}});
    journal.step(0, vec![("model", click("e4"), identity, "button \"Remove\"")]);
    let (text, workflow) = exported(&mut journal);
    assert_eq!(sentences(&workflow), ["Click the second \"Remove\" button"]);
    assert!(text.contains("# an element is named by its position"), "{text}");
}

#[test]
fn the_step_of_a_loop_is_said_for_all_rows() {
    let steps = json!([{
        "for_each": "row in \"Orders\"", "where": "\"${row.State}\" is \"open\"",
        "steps": [{"step": "send the goods out", "expect": "\"${row.Order}\" is shown"}],
    }]);
    let mut journal = TestJournal::of(&workflow(steps), &json!({}));
    let item = |key: &str| json!({"label": key, "value": {"Order": key, "State": "open"}, "key": [key]});
    let expansion = json!({
        "kind": "iterations", "variable": "row", "place": "\"Orders\"", "key": ["Order"],
        "items": [item("A-1"), item("A-10")], "steps": 2,
    });
    let in_row = json!({"elements": {"target": {
        "role": "button", "name": "Ship", "ordinal": 1, "count": 1, "containers": [{"role": "row", "keys": []}],
    }}});
    journal.group(0, &expansion);
    journal.step(1, vec![("model", click("e3"), in_row.clone(), "button \"Ship\"")]);
    journal.step(2, vec![("model", click("e3"), in_row, "button \"Ship\"")]);
    let (text, workflow) = exported(&mut journal);
    let steps = workflow.all_steps();
    assert_eq!(steps[1].step, "Click the button \"Ship\"", "{text}");
    assert_eq!(steps[1].expect.as_deref(), Some("\"${row.Order}\" is shown"));
}

#[test]
fn what_no_sentence_says_is_a_step_that_fails_with_the_reason() {
    let steps = json!([
        "list the \"prices\"",
        {"step": "Click \"Save\"", "expect": "the page looks friendly to a person"},
    ]);
    let mut journal = TestJournal::of(&workflow(steps), &json!({}));
    let extract = json!({"action": "extract", "parameters": {"instruction": "the prices"}});
    journal.step(0, vec![("model", extract, json!({}), "")]);
    let literal = json!({"clause": 0, "elements": on("button", "Save")["elements"]});
    journal.step(1, vec![("literal", click("e9"), literal, "button \"Save\"")]);
    let (text, workflow) = exported(&mut journal);
    let all = sentences(&workflow);
    assert!(all[0].starts_with("Check that \"NOT EXPORTED: list the 'prices' ("), "{text}");
    assert_eq!((all[1], workflow.steps[1].expect.as_deref()), ("Click \"Save\"", None));
    assert!(all[2].contains("a model judged whether this holds: the page looks friendly"), "{text}");
    assert!(text.contains("# no sentence says this: list the \"prices\""), "{text}");
}

#[test]
fn the_accessible_name_of_a_row_that_a_script_has_leads_to_the_row() {
    let identity =
        legwork_protocol::ElementIdentity { role: "button".into(), name: "Edit".into(), ..Default::default() };
    let texts = ["Lind, Ada", "Oslo", "Bronze"].map(str::to_owned).to_vec();
    let place = page::Disambiguation::In { role: "row".into(), texts };
    let action: legwork_protocol::Action = serde_json::from_value(click("e1")).unwrap();
    let page = page::page_with(&identity, &place, &action);
    let used = crate::recording::UsedElement { page: &page, element: Some(page::ELEMENT), selector: None };
    for sentence in [
        "Click the button \"Edit\" in the row of \"Lind, Ada Oslo Bronze\"",
        "Click the button in the row of \"Lind, Ada Oslo\"",
        "Click \"Edit\" in the row containing \"Lind, Ada\" and \"Oslo\"",
    ] {
        assert!(used.decides(sentence, &action), "{sentence}");
    }
}

#[test]
fn a_row_or_item_without_a_known_text_is_named_by_several_words() {
    let said = |step: &str, role: &str, keys: &[&str]| {
        let mut journal = TestJournal::of(&workflow(json!([step])), &json!({}));
        journal.step(0, vec![("model", click("e3"), button_in("Remove", role, keys), "button \"Remove\"")]);
        let text = run_workflow(&journal.events(), &[]).unwrap();
        text.lines().last().unwrap().trim_start_matches("  - ").to_owned()
    };
    let row = said("cancel the contract of John Smith", "row", &["smith", "john", "gold", "120"]);
    assert_eq!(row, r#""Click the button \"Remove\" in the row containing \"smith\" and \"john\"""#);
    let item = said("remove it", "listitem", &["red", "lamp"]);
    assert_eq!(item, r#""Click the button \"Remove\" in the item containing \"red\" and \"lamp\"""#);
}
