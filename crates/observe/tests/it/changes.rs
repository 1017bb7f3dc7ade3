//! After an action, only the changes are reported.

use insta::assert_snapshot;
use legwork_observe::{diff, fingerprint, fixture::snapshot};
use legwork_protocol::{TabInfo, View};

fn changed(before: &str, now: &str) -> String {
    let shown = diff(&snapshot(before), &snapshot(now), &View::default());
    format!("{}{}", if shown.diff { "" } else { "the whole page:\n" }, shown.text)
}

const FORM: &str = r#"
- heading "Order" [level=1]
- textbox "Name" [ref=e1]
- button "Plus one" [ref=e2]
- status
  - text: Quantity: 0
- link "Imprint" [ref=e3]
"#;

#[test]
fn nothing_changed() {
    assert_snapshot!(changed(FORM, FORM), @"* nothing changed since the last observation");
}

#[test]
fn a_text_and_a_value_changed() {
    let now = FORM.replace("Quantity: 0", "Quantity: 1").replace("[ref=e1]", "[ref=e1]: Ada");
    assert_snapshot!(changed(FORM, &now), @r#"
    in heading "Order":
    ~ textbox "Name" [ref=e1]: Ada
    ~ status: Quantity: 1
    "#);
}

#[test]
fn something_came_and_something_went() {
    let now = FORM.replace("- link \"Imprint\" [ref=e3]\n", "- dialog \"Sure?\"\n  - button \"Yes\" [ref=e7]\n");
    assert_snapshot!(changed(FORM, &now), @r#"
    in heading "Order":
    + dialog "Sure?":
      + button "Yes" [ref=e7]
    - link "Imprint" [ref=e3]
    "#);
}

#[test]
fn another_page_is_shown_whole() {
    let mut now = snapshot("- text: Other");
    now.url = "http://site.test/other".into();
    let shown = diff(&snapshot(FORM), &now, &View::default());
    assert_eq!((shown.diff, shown.text.as_str()), (false, "- text: Other\n"));
}

#[test]
fn a_row_that_went_from_the_middle() {
    let rows = |gone: usize| -> String {
        (0..200)
            .filter(|row| *row != gone)
            .map(|row| format!("- text: row {}\n- button \"Edit\" [ref=e{row}]\n", row % 5))
            .collect()
    };
    assert_snapshot!(changed(&rows(999), &rows(100)), @r#"
    in the page:
    - text: row 0
    - button "Edit" [ref=e100]
    "#);
}

#[test]
fn fingerprints_follow_what_is_said() {
    let page = snapshot(FORM);
    assert_eq!(fingerprint(&page), fingerprint(&snapshot(&FORM.replace("e1]", "e9] [focused]"))));
    assert_ne!(fingerprint(&page), fingerprint(&snapshot(&FORM.replace("Quantity: 0", "Quantity: 1"))));
}

#[test]
fn a_focus_that_moves_within_a_line_is_no_change() {
    let page = |focus: &str| snapshot(&format!("- button \"A\" [ref=e1]{focus}: x\n- text: Quantity 1"));
    let now = snapshot("- button \"A\" [ref=e1]: x\n- text: Quantity 2");
    let shown = diff(&page(" [focused]"), &now, &View::default()).text;
    assert!(shown.contains("Quantity 2") && !shown.contains("button"), "{shown}");
}

#[test]
fn notes_removed_lines_and_texts_with_a_dash_are_not_confused() {
    let list = format!("- list\n  - listitem\n    - text: - dash\n{FORM}");
    assert_snapshot!(changed(&list, FORM), @r"
    in the page:
    - - dash
    ");
    assert_snapshot!(changed(FORM, &list), @r"
    in the page:
    + - dash
    ");
    assert_snapshot!(changed(FORM, &FORM.replace("[ref=e2]", "[ref=e2] [focused]")), @r#"* the focus is on button "Plus one" [ref=e2] [focused]"#);
    let (before, mut now) = (snapshot(FORM), snapshot(FORM));
    now.url.push_str("#part");
    let tab = |number, current| TabInfo { number, url: "http://site.test/".into(), title: "Page".into(), current };
    now.tabs = vec![tab(1, true), tab(2, false)];
    assert_snapshot!(diff(&before, &now, &View::default()).text, @"
    * tab 1 [current]: Page http://site.test/
    * tab 2: Page http://site.test/
    * the address is now http://site.test/#part
    ");
}

/// The page `FORM` with a long part of equal items.
fn with_terms(role: &str) -> String {
    let items = "  - text: Same words in each paragraph of these long terms\n  - button \"Accept\"\n";
    format!("{FORM}- {role} \"Terms\"\n{}", items.repeat(40))
}

#[test]
fn a_dialog_that_opened_is_shown_without_collapsed_items() {
    for role in ["dialog", "menu", "alert"] {
        let shown = changed(FORM, &with_terms(role));
        assert_eq!(shown.matches("- text: Same words").count(), 40, "{shown}");
        assert_eq!(shown.matches("- button \"Accept\"").count(), 40, "{shown}");
    }
    let long = |prefix: &str| -> String {
        (0..60).map(|at| format!("- text: {prefix} of a list with many more lines than the dialog {at}\n")).collect()
    };
    let shown = changed(&long("line"), &format!("{}{}", long("another line"), with_terms("dialog")));
    assert!(shown.contains("58 more items") && shown.matches("- text: Same").count() == 40, "{shown}");
    let region = changed(FORM, &with_terms("navigation"));
    assert!(region.contains("38 more items like these"), "only what opens is shown in full: {region}");
    let small = diff(&snapshot(FORM), &snapshot(&with_terms("dialog")), &View { max_tokens: 300, ..View::default() });
    assert!(small.tokens <= 300 && small.text.contains("38 more items"), "{}", small.text);
}
