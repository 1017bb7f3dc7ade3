//! States that replaced others, steps of a form, bodies that raise a doubt, and filters.

use legwork_observe::Snapshot;
use legwork_protocol::{Action, PageEffect, Select, Target};

use super::{click, observed, page, request, shows};
use crate::evidence::{Contradictions, EvidenceRule, Observed, assess};

const SAVE: &str = "http://shop.test/save";

/// The row of an invoice in this state, beside another one.
fn row(state: &str) -> String {
    format!(
        "- table\n  - row\n    - cell \"INV-7\"\n    - cell {state:?}\n    - button \"Pay\" [ref=e1]\n  - row\n    - cell \"INV-8\"\n    - cell \"Declined\"\n"
    )
}

#[test]
fn a_state_that_replaced_another_in_the_row_decides() {
    let shown =
        |was: &str, is: &str| shows(click("e1"), &[request("POST", SAVE, 200)], &page(&row(was)), &page(&row(is)));
    assert!(shown("Open", "Declined").starts_with("- unwanted_state: \"Open\" became \"Declined\""));
    let held = shown("Open", "On hold");
    assert!(!held.contains("+ ") && held.contains("· unwanted_state: \"Open\" became \"On hold\""), "{held}");
    assert!(shown("Open", "Paid").contains("+ "), "{}", shown("Open", "Paid"));
    assert!(!shown("Declined", "Declined").contains("unwanted_state"));
}

/// A choice that was sent is the requested state, even if its word states a failure.
#[test]
fn a_negative_state_that_was_chosen_is_the_requested_one() {
    let form = |state: &str, chosen: &str| {
        page(&format!(
            "- text {state:?}\n- combobox \"Result\" [ref=e2]: {chosen}\n  - option \"Passed\"\n  - option \"Failed\"\n- button \"Enter result\" [ref=e1]\n"
        ))
    };
    let shown = |chosen: &str| {
        shows(click("e1"), &[request("POST", SAVE, 200)], &form("Open", chosen), &form("Failed", chosen))
    };
    assert!(!shown("Failed").contains("- unwanted_state"), "{}", shown("Failed"));
    assert!(shown("Passed").contains("- unwanted_state"), "{}", shown("Passed"));
}

#[test]
fn a_state_in_another_row_is_not_that_of_the_action() {
    let before = page(&row("Open"));
    let after = page(&row("Open").replace("Declined", "Failed"));
    assert!(!shows(click("e1"), &[request("POST", SAVE, 200)], &before, &after).contains("unwanted_state"));
}

#[test]
fn a_form_that_shows_an_earlier_step_contradicts_a_button_that_leads_on() {
    let form = |step: &str, button: &str| page(&format!("- heading {step:?}\n- button {button:?} [ref=e1]\n"));
    let shown = |button: &str, is: &str| {
        shows(click("e1"), &[request("POST", SAVE, 200)], &form("Step 2 of 3", button), &form(is, button))
    };
    let wrap = shows(click("e1"), &[], &form("Page 3 of 3", "Next"), &form("Page 1 of 3", "Next"));
    assert!(!wrap.contains("earlier_step"), "a pager that begins again: {wrap}");
    assert!(shown("Next", "Step 1 of 3").starts_with("- earlier_step"));
    assert!(!shown("Next", "Step 3 of 3").contains("earlier_step"));
    assert!(!shown("Back", "Step 1 of 3").contains("earlier_step"));
    assert!(!shown("Save and add another", "Step 1 of 3").contains("earlier_step"));
}

/// A form may begin anew once it is done, so that this alone contradicts nothing.
#[test]
fn the_first_step_after_the_end_of_a_form_supports_nothing_unless_the_page_states_a_success() {
    let form = |texts: &str| page(&format!("{texts}- button \"Finish\" [ref=e1]\n"));
    let shown = |texts: &str| {
        let before = form("- heading \"Step 3 of 3\"\n");
        shows(click("e1"), &[request("POST", SAVE, 200)], &before, &form(texts))
    };
    let again = shown("- heading \"Step 1 of 3\"\n");
    assert!(again.contains("· earlier_step") && !again.contains("+ ") && !again.contains("- "), "{again}");
    let done = shown("- heading \"Step 1 of 3\"\n- status\n  - text \"Your order was placed\"\n");
    assert!(done.contains("+ new_text") && !done.contains("earlier_step"), "{done}");
}

#[test]
fn an_earlier_step_of_a_form_contradicts_until_the_form_has_left_it() {
    let form = |step: u8| page(&format!("- heading \"Step {step} of 3\"\n- button \"Next\" [ref=e1]\n"));
    let (actions, sent) = ([click("e1")], [request("POST", SAVE, 200)]);
    let mut open = Contradictions::default();
    let mut lead = |was: u8, is: u8| {
        let (before, after) = (form(was), form(is));
        let mut findings = assess(observed(&actions, &sent, &before, &after));
        findings.retain(|finding| finding.supports() || finding.rule == EvidenceRule::EarlierStep);
        open.update(&findings, &after, false);
        open.is_empty()
    };
    assert!(!lead(2, 1));
    assert!(lead(1, 2), "the form was filled in again");
}

#[test]
fn a_body_that_raises_a_doubt_takes_the_support_away() {
    let before = page("- button \"Publish\" [ref=e1]\n");
    let after = page("- button \"Publish\" [ref=e1]\n- text \"Published\"\n");
    let with = |says: Option<&str>| {
        let mut effect = request("POST", SAVE, 200);
        if let PageEffect::Request { doubt, .. } = &mut effect {
            *doubt = says.map(Into::into);
        }
        shows(click("e1"), &[effect], &before, &after)
    };
    let doubtful = with(Some("changed: false"));
    assert!(!doubtful.contains("+ ") && doubtful.contains("was answered with changed: false"), "{doubtful}");
    assert!(with(None).contains("+ new_text"));
}

const LIST: &str =
    "- combobox \"State\" [ref=e1]: Paid\n  - option \"All\"\n  - option \"Open\"\n  - option \"Paid\"\n";

#[test]
fn a_list_with_an_entry_of_another_choice_contradicts_a_filter() {
    let action = Action::Select(Select { target: Target("e1".into()), values: vec!["Paid".into()] });
    let before = page(&LIST.replace(": Paid", ": All"));
    let shown = |entries: &str, has_further_action: bool| {
        let after = page(&format!("{LIST}{entries}"));
        let actions = [action.clone()];
        super::lines(&assess(Observed { has_further_action, ..observed(&actions, &[], &before, &after) }))
    };
    let entries = "- list\n  - listitem\n    - text \"Acme\"\n    - text \"Open\"\n";
    let ignored = shown(entries, false);
    assert!(!ignored.contains("+ ") && ignored.contains("· filter_ignored"), "{ignored}");
    assert!(shown(&entries.replace("Open", "Paid"), false).contains("+ element_state"));
    assert!(shown(entries, true).contains("+ element_state"), "the next action may press the button that applies it");
    let form = format!("- button \"Save\"\n{entries}");
    assert!(shown(&form, false).contains("+ element_state"), "the field of a form");
}

#[test]
fn a_column_that_was_pressed_and_is_in_no_order_was_not_sorted() {
    let table = |header: &str, names: [&str; 3]| {
        let rows: String = names.iter().map(|name| format!("  - row\n    - cell {name:?}\n")).collect();
        page(&format!("- table\n  - row\n    - columnheader {header:?} [ref=e1]\n{rows}"))
    };
    let shown = |was: [&str; 3], is: [&str; 3]| shows(click("e1"), &[], &table("Name", was), &table("Name ▲", is));
    let ignored = shown(["b", "a", "c"], ["b", "a", "c"]);
    assert!(!ignored.contains("+ ") && ignored.contains("· filter_ignored"), "{ignored}");
    assert!(shown(["b", "a", "c"], ["a", "b", "c"]).contains("+ "));
    assert!(shown(["a", "b", "c"], ["a", "b", "c"]).contains("+ "), "it was in that order");
    assert!(shown(["3 May", "1 June", "2 May"], ["3 May", "1 June", "2 May"]).contains("+ "), "an unknown order");
}

#[test]
fn a_click_on_a_heading_names_the_control_that_was_meant() {
    let with = page("- heading \"New item\"\n- link \"Home\" [ref=e2]\n- button \"Add item\" [ref=e3]\n");
    let shown = shows(click("h2"), &[], &with, &with);
    assert_eq!(shown, "", "a CSS selector is not resolved");
    let shown = shows(click("text=\"New item\""), &[], &with, &with);
    assert_eq!(
        shown,
        "· inert_target: heading \"New item\" does not react to a click: it is no control and has no listener; button \"Add item\" is the control with the most similar name"
    );
    let within = page("- link \"New item\" [ref=e2]\n  - heading \"New item\"\n");
    assert!(!shows(click("text=\"New item\""), &[], &within, &within).contains("inert_target"));
}

#[test]
fn an_image_that_appeared_supports() {
    let before = page("- button \"Generate\" [ref=e1]\n");
    let after = page("- button \"Generate\" [ref=e1]\n- img \"Chart of 2026\"\n");
    assert!(shows(click("e1"), &[], &before, &after).contains("+ new_text: \"Chart of 2026\" appeared"));
}

#[test]
fn a_change_of_another_entry_counts_only_in_the_same_list() {
    let shown =
        |before: &str, after: &str| shows(click("e1"), &[request("POST", SAVE, 200)], &page(before), &page(after));
    let rows = |names: &[&str]| {
        let others: String = names.iter().map(|name| format!("  - row\n    - cell {name:?}\n")).collect();
        format!("- table\n  - row\n    - cell \"Acme\"\n    - button \"Delete\" [ref=e1]\n{others}")
    };
    let other = shown(&rows(&["Acme Nord", "Globex"]), &rows(&["Globex"]));
    assert!(!other.contains("+ ") && other.contains("· other_entry: the entry \"Acme Nord\""), "{other}");
    let shop = |cart: &str| {
        format!(
            "- list\n  - listitem\n    - text \"Lamp\"\n    - button \"Add\" [ref=e1]\n- list\n  - listitem\n    - text {cart:?}\n"
        )
    };
    let added = shown(&shop("0 items"), &shop("1 item"));
    assert!(added.contains("+ response") && !added.contains("other_entry"), "{added}");
}

#[test]
fn choices_of_another_list_or_page_filter_nothing() {
    let entries = "- list\n  - listitem\n    - text \"Acme\"\n    - text \"25\"\n";
    let options = |names: [&str; 2]| {
        let lines: String = names.iter().map(|name| format!("  - option {name:?} [ref=e{}]\n", name.len())).collect();
        format!("- listbox\n{lines}")
    };
    let shown = |list: &str, size: &str| {
        let before = page(&format!("{list}{size}{entries}"));
        shows(click("e4"), &[], &before, &page(entries))
    };
    let ignored = shown(&options(["Paid", "25"]), "");
    assert!(ignored.contains("· filter_ignored"), "{ignored}");
    let other = shown(&options(["Paid", "Other"]), &options(["25", "100"]));
    assert!(!other.contains("filter_ignored"), "{other}");

    let state = LIST.replace("[ref=e1]", "[ref=e2]");
    let pressed = |button: &str, url: &str| {
        let lines = format!("- button {button:?} [ref=e1]\n{state}{}", entries.replace("25", "Open"));
        let after = Snapshot { url: url.into(), ..page(&lines) };
        shows(click("e1"), &[], &page(&lines), &after)
    };
    let (same, next) = ("http://shop.test/login?state=paid", "http://shop.test/invoices/7");
    for button in ["Show", "Filter", "Search orders"] {
        assert!(pressed(button, same).contains("filter_ignored"), "{button}");
        assert!(!pressed(button, next).contains("filter_ignored"), "{button}");
    }
    assert!(!pressed("View invoice", same).contains("filter_ignored"));
}
