//! What waits for an answer.

use super::*;

#[test]
fn a_dialog_of_the_page_that_asks_is_answered_by_what_follows() {
    let before = page("- button \"Delete\" [ref=e1]");
    let asks = |role: &str| {
        page(&format!(
            "- button \"Delete\" [ref=e1]\n- {role} \"Are you sure?\"\n  - text: This action cannot be undone.\n  - button \"Cancel\" [ref=e2]\n  - button \"Continue\" [ref=e3]\n"
        ))
    };
    for role in ["dialog", "alertdialog"] {
        let (actions, after) = ([click("e1")], asks(role));
        let shown = lines(&assess(Observed { has_further_action: true, ..observed(&actions, &[], &before, &after) }));
        assert!(!shown.contains("- "), "{role}: {shown}");
    }
    let shown = shows(click("e1"), &[], &before, &asks("alertdialog"));
    assert!(shown.contains("- alert"), "nothing answers it: {shown}");
}

#[test]
fn a_dialog_that_waits_contradicts_unless_the_next_step_answers_it() {
    use legwork_protocol::{DialogInfo, DialogKind};
    let before = page("- button \"Delete\" [ref=e1]\n");
    let dialog = |kind, message: &str, accepted| DialogInfo { kind, message: message.into(), accepted };
    let after = Snapshot { dialog: Some(dialog(DialogKind::Confirm, "Really?", None)), ..page("") };
    let actions = [click("e1")];
    let waits = observed(&actions, &[], &before, &after);
    assert!(lines(&assess(waits)).starts_with("- dialog_open: the confirm dialog \"Really?\" is open"));
    let answered = Observed { answers_dialog: true, ..waits };
    assert!(!lines(&assess(answered)).contains("- "));
    let refused = PageEffect::Dialog(dialog(DialogKind::Alert, "Could not delete", Some(true)));
    assert!(shows(click("e1"), &[refused], &before, &before).starts_with("- alert:"));
}

#[test]
fn a_dialog_that_asks_a_question_waits_for_its_answer() {
    let before = page("- button \"Delete\" [ref=e1]");
    let asks = page(
        "- button \"Delete\" [ref=e1]\n- dialog\n  - text: Delete Acme?\n  - button \"Cancel\" [ref=e2]\n  - button \"Delete it\" [ref=e3]",
    );
    let shown = shows(click("e1"), &[], &before, &asks);
    assert!(shown.contains("- alert: dialog \"Delete Acme? Cancel Delete it\" waits for an answer"), "{shown}");
    let action = [click("e1")];
    let has_further_action = Observed { has_further_action: true, ..observed(&action, &[], &before, &asks) };
    assert!(!lines(&assess(has_further_action)).contains("waits"), "the next step answers it");
    let lent = lines(&assess(Observed { is_lent: true, ..observed(&action, &[], &before, &asks) }));
    assert!(lent.contains("· alert") && !lent.contains("- ") && !lent.contains("+ "), "its owner answers it: {lent}");
    let done = [request("DELETE", &format!("{URL}acme"), 200)];
    assert!(!shows(click("e1"), &done, &before, &asks).contains("waits"), "it was sent already");
}

#[test]
fn a_question_in_an_element_without_a_role_is_one_where_a_button_leaves() {
    let shown_after = |rest: &str| {
        let before = page("- button \"Delete\" [ref=e1]");
        shows(click("e1"), &[], &before, &page(&format!("- button \"Delete\" [ref=e1]\n{rest}")))
    };
    let asks = "- text: Delete Acme?\n- text: This removes all orders.\n- button \"Delete\" [ref=e3]\n- button \"Cancel\" [ref=e2]";
    assert!(shown_after(asks).contains("- alert: the question \"Delete Acme?\" waits for an answer"));
    for answer in [
        "- text: How do I pay?\n- text: By card.\n- button \"Helpful\" [ref=e2]\n- button \"Copy\" [ref=e3]",
        "- text: New order\n- button \"Save\" [ref=e2]\n- button \"Cancel\" [ref=e3]",
    ] {
        assert!(!shown_after(answer).contains("waits"), "{answer}");
    }
}

#[test]
fn a_button_that_asks_again_waits_for_its_answer() {
    let before = page("- listitem: Report\n  - button \"Delete\" [ref=e1]");
    for name in ["Sure?", "Click again to confirm"] {
        let after = page(&format!("- listitem: Report\n  - button {name:?} [ref=e1]"));
        let shown = shows(click("e1"), &[], &before, &after);
        assert_eq!(shown, format!("- alert: button {name:?} waits for an answer"));
        let action = [click("e1")];
        let has_further_action = Observed { has_further_action: true, ..observed(&action, &[], &before, &after) };
        assert!(!lines(&assess(has_further_action)).contains("waits"), "the next step answers it");
    }
}

#[test]
fn a_request_to_confirm_needs_neither_a_role_nor_a_question_mark() {
    let shown_after = |rest: &str| {
        let before = page("- button \"Delete project\" [ref=e1]");
        shows(click("e1"), &[], &before, &page(&format!("- button \"Delete project\" [ref=e1]\n{rest}")))
    };
    for asks in [
        "- heading \"Delete project\"\n- text: To confirm, type the project name below\n- textbox \"Project name\" [ref=e2]\n- button \"Delete forever\" [ref=e3] [disabled]",
        "- tooltip \"Are you sure to delete this?\"\n  - button \"Yes\" [ref=e2]\n  - button \"No\" [ref=e3]",
        "- dialog\n  - text: This will remove the project for everyone.\n  - button \"Cancel\" [ref=e2]\n  - button \"Delete\" [ref=e3]",
    ] {
        assert!(shown_after(asks).contains("waits for an answer"), "{asks}: {}", shown_after(asks));
    }
    for other in [
        "- dialog\n  - text: Pick a colour.\n  - button \"Cancel\" [ref=e2]\n  - button \"Choose\" [ref=e3]",
        "- text: Deleted. We have sent you a mail to confirm it.",
    ] {
        assert!(!shown_after(other).contains("waits"), "{other}: {}", shown_after(other));
    }
}

#[test]
fn a_question_that_says_what_will_be_done_is_still_a_question() {
    let before = page("- row\n  - cell: Acme\n  - button \"Delete\" [ref=e1]");
    let after = page(
        "- dialog \"Delete customer?\"\n  - heading \"Delete customer?\"\n  - text: Acme and all contacts will be permanently deleted.\n  - button \"Cancel\" [ref=e2]\n  - button \"Delete\" [ref=e3]",
    );
    assert!(
        shows(click("e1"), &[], &before, &after).contains("- alert"),
        "{}",
        shows(click("e1"), &[], &before, &after)
    );
}

/// On a busy machine a click may be reported as failed although it took effect. Its question was once taken for the
/// result, because the name of the button was not known.
#[test]
fn a_question_of_a_click_that_was_reported_as_failed_waits_for_an_answer() {
    let before = page("- button \"Delete report\" [ref=e1]\n");
    let after = page(
        "- button \"Delete report\" [ref=e1]\n- dialog\n  - heading \"Delete\"\n  - text \"This will remove the report for everyone.\"\n  - button \"Cancel\"\n  - button \"Delete\"\n",
    );
    let failed = [click("e1")];
    let findings = assess(Observed { failed: &failed, ..super::observed(&[], &[], &before, &after) });
    assert!(findings.iter().any(crate::evidence::Finding::contradicts), "{findings:?}");
}

/// JupyterLab asks for the name of a new file when it is saved. The dialog was taken for the effect of saving.
#[test]
fn a_dialog_that_asks_for_a_name_is_no_result_of_saving() {
    let press = |key: &str| Action::Press(legwork_protocol::Press { key: key.into(), target: None });
    let before = page("- menuitem \"Save Text Ctrl+S\" [ref=e1]\n- menuitem \"Rename\" [ref=e2]");
    let after = page(
        "- menuitem \"Save Text Ctrl+S\" [ref=e1]\n- menuitem \"Rename\" [ref=e2]\n- dialog \"Rename file\"\n  - textbox \"New Name\" [ref=e3]: untitled.txt\n  - button \"Cancel\" [ref=e4]\n  - button \"Rename and Save\" [ref=e5]",
    );
    for action in [click("e1"), press("Control+S")] {
        let shown = shows(action, &[], &before, &after);
        assert!(shown.contains("waits for an answer"), "{shown}");
    }
    for action in [click("e2"), press("F2")] {
        let shown = shows(action, &[], &before, &after);
        assert!(!shown.contains("waits for an answer"), "a form that was asked for: {shown}");
    }
}
