use legwork_observe::Snapshot;
use legwork_protocol::{Action, Target, TargetParams};

use super::{assess, click, fill, lines, observed, page, request};
use crate::evidence::{Observed, SetFields};

/// The memo of a page that saves a while after the last key, left by a click on the last element of these lines.
fn left(field: &str, controls: &str, elsewhere: &str, saves: bool) -> String {
    let with = |value: &str| page(&format!("- {field} [editable] [ref=e1]{value}\n{controls}"));
    let (empty, filled) = (with(""), with(": Check rebate"));
    let other = Snapshot { url: "http://shop.test/invoices".into(), ..page(elsewhere) };
    let (fills, mut set) = ([fill("e1", "Check rebate")], SetFields::default());
    let sent = if saves { vec![request("PATCH", "http://shop.test/memo", 200)] } else { Vec::new() };
    let findings = assess(observed(&fills, &sent, &empty, &filled));
    assert!(set.update(&findings, &fills, (Some(&empty), &filled), true).is_empty());
    let leaves = [click("e2")];
    let findings = assess(observed(&leaves, &[], &filled, &other));
    lines(&set.update(&findings, &leaves, (Some(&filled), &other), false))
}

#[test]
fn a_field_that_is_left_by_a_link_before_the_page_saved_it_is_told() {
    const LINK: &str = "- link \"Invoices\" [ref=e2]\n";
    const OTHER: &str = "- heading \"Invoices\"\n";
    assert_eq!(
        left("textbox \"Memo\"", LINK, OTHER, false),
        "· not_sent: textbox \"Memo\" was left with \"Check rebate\" in it, and nothing was sent to the server since"
    );
    for (field, controls, elsewhere, saves, why) in [
        ("textbox \"Memo\"", LINK, OTHER, true, "it was sent while it was put in"),
        ("textbox \"Search orders\"", LINK, OTHER, false, "a search shows something else"),
        ("searchbox \"Orders\"", LINK, OTHER, false, "a search"),
        ("textbox \"Memo\"", "- button \"Invoices\" [ref=e2]\n", OTHER, false, "a button may save it"),
        ("textbox \"Memo\"", "- link \"Next\" [ref=e2]\n", OTHER, false, "the next part of a form"),
        ("textbox \"Memo\"", "- link \"Save memo\" [ref=e2]\n", OTHER, false, "a link that saves"),
        ("textbox \"Memo\"", "- link \"Check rebate in May\" [ref=e2]\n", OTHER, false, "what was looked for"),
        ("textbox \"Memo\"", LINK, "- text: Check rebate", false, "it is kept"),
        ("textbox \"Memo\"", LINK, "- textbox \"Memo\" [ref=e1]: Check rebate", false, "it is still there"),
    ] {
        assert_eq!(left(field, controls, elsewhere, saves), "", "{why}");
    }
}

#[test]
fn a_switch_of_a_form_that_a_button_saves_is_no_effect_by_itself() {
    let form = |state: &str, rest: &str| page(&format!("- switch \"Two factors\" [ref=e1]{state}\n{rest}"));
    let turn = [Action::Check(TargetParams { target: Target("e1".into()) })];
    let shown = |rest: &str, sent: bool, has_further_action: bool| {
        let (before, after) = (form("", rest), form(" [checked]", rest));
        let effects = if sent { vec![request("PUT", "http://shop.test/settings", 200)] } else { Vec::new() };
        lines(&assess(Observed { has_further_action, ..observed(&turn, &effects, &before, &after) }))
    };
    const SAVE: &str = "- button \"Save changes\" [ref=e2]\n";
    let unsaved = shown(SAVE, false, false);
    assert!(
        unsaved.contains("· not_sent: switch \"Two factors\" is on, and nothing was sent to the server: button \"Save changes\" saves it")
            && !unsaved.contains("+ "),
        "{unsaved}"
    );
    for (rest, sent, has_further_action, why) in [
        (SAVE, true, false, "it is sent when it is turned"),
        (SAVE, false, true, "the button comes next"),
        ("", false, false, "no button saves it"),
        ("- button \"Save changes\" [disabled] [ref=e2]\n", false, false, "there is nothing to save"),
        ("- heading \"Profile\"\n- button \"Save\" [ref=e2]\n", false, false, "the button of another form"),
    ] {
        let shown = shown(rest, sent, has_further_action);
        assert!(shown.contains("+ element_state") && !shown.contains("not_sent"), "{why}: {shown}");
    }
}

#[test]
fn a_field_that_a_button_closes_without_sending_it_is_told() {
    let closes = |button: &str, after: &str| {
        let field = format!("- textbox \"Description\" [editable] [ref=e1]\n- button {button:?} [ref=e2]\n");
        let (empty, filled) = (page(&field), page(&field.replace("[ref=e1]", "[ref=e1]: New text")));
        let (fills, mut set) = ([fill("e1", "New text")], SetFields::default());
        set.update(&assess(observed(&fills, &[], &empty, &filled)), &fills, (Some(&empty), &filled), true);
        let (press, after) = ([click("e2")], page(after));
        let findings = assess(observed(&press, &[], &filled, &after));
        lines(&set.update(&findings, &press, (Some(&filled), &after), false))
    };
    assert!(closes("Done", "- button \"Edit\" [ref=e3]\n").starts_with("· not_sent"));
    assert_eq!(closes("Done", "- text: New text\n"), "", "the page shows it");
    assert_eq!(closes("Cancel", "- button \"Edit\" [ref=e3]\n"), "", "it was to be given up");
}
