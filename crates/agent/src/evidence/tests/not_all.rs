//! Several things of which one is left out.

use legwork_protocol::{Action, Target, Upload};

use super::{click, page, request, shows};

const SENT: &str = "http://shop.test/do";

#[test]
fn of_several_ticked_rows_none_may_stay_as_it_was_while_others_go() {
    let table = |rows: &[(&str, bool)], rest: &str| {
        let rows: String = rows
            .iter()
            .map(|(name, is_ticked)| {
                let ticked = if *is_ticked { " [checked]" } else { "" };
                format!("  - row\n    - cell\n      - checkbox {name:?}{ticked}\n    - cell: {name}\n")
            })
            .collect();
        page(&format!("- table\n{rows}- button \"Archive\" [ref=e9]\n{rest}"))
    };
    let before = table(&[("Budget", true), ("Offsite", true), ("Roadmap", false)], "");
    let after_click = |rows: &[(&str, bool)]| {
        let after = table(rows, "- status\n  - text: Archived\n");
        shows(click("e9"), &[request("POST", SENT, 200)], &before, &after)
    };
    let shown = after_click(&[("Offsite", false), ("Roadmap", false)]);
    assert!(!shown.contains("+ ") && shown.contains("· not_all: 1 of 2 selected entries did not change"), "{shown}");
    assert!(after_click(&[("Roadmap", false)]).contains("+ new_text"), "all are gone");
    let none_is_gone = after_click(&[("Budget", false), ("Offsite", false), ("Roadmap", false)]);
    assert!(none_is_gone.contains("+ new_text"), "what was done does not show in the rows: {none_is_gone}");
}

#[test]
fn of_several_addresses_in_a_field_none_may_be_missing_beside_another() {
    let shown = |value: &str, message: &str| {
        let before = page(&format!("- textbox \"To\" [editable] [ref=e1]: {value}\n- button \"Send\" [ref=e9]\n"));
        let after = page(&format!("- button \"Send\" [ref=e9]\n- text: {message}\n"));
        shows(click("e9"), &[request("POST", SENT, 200)], &before, &after)
    };
    let part = shown("eve@x.test, bob@x.test", "Message sent to eve@x.test");
    assert!(!part.contains("+ ") && part.contains("· not_all"), "{part}");
    assert!(shown("eve@x.test, bob@x.test", "Message sent to eve@x.test and bob@x.test").contains("+ new_text"));
    assert!(shown("eve@x.test, bob@x.test", "Message sent").contains("+ new_text"));
    assert!(shown("Vienna, Austria", "Sent to Vienna").contains("+ new_text"), "a place");
    assert!(!shown("red, green, blue", "Saved red and green").contains("+ "), "a list of words");
}

#[test]
fn of_several_files_none_may_be_missing_beside_another() {
    let before = page("- textbox \"Files\" [ref=e1]\n");
    let upload = || {
        let files = vec!["in/a.txt".to_owned(), "in/b.txt".to_owned()];
        Action::Upload(Upload { target: Target("e1".into()), files })
    };
    let shown = |listed: &str| {
        let after = page(&format!("- textbox \"Files\" [ref=e1]\n- list\n{listed}"));
        shows(upload(), &[request("POST", SENT, 200)], &before, &after)
    };
    let part = shown("  - listitem\n    - text: a.txt\n");
    assert!(!part.contains("+ ") && part.contains("\"b.txt\""), "{part}");
    assert!(shown("  - listitem\n    - text: a.txt\n  - listitem\n    - text: b.txt\n").contains("+ new_text"));
}

#[test]
fn an_entry_that_is_gone_since_its_list_was_saved_was_not_taken() {
    let tags = |names: &[&str], button: &str, rest: &str| {
        let items: String = names.iter().map(|name| format!("  - listitem\n    - text: {name}\n")).collect();
        page(&format!("- list \"Tags\"\n{items}- button {button:?} [ref=e9]\n{rest}"))
    };
    let after_click = |button: &str, names: &[&str]| {
        let before = tags(&["red", "green", "blue"], button, "");
        shows(click("e9"), &[request("PUT", SENT, 200)], &before, &tags(names, button, "- text: Saved\n"))
    };
    let shown = after_click("Save tags", &["red", "green"]);
    assert!(!shown.contains("+ ") && shown.contains("· not_all: \"blue\" is gone"), "{shown}");
    assert!(after_click("Save tags", &["red", "green", "blue"]).contains("+ new_text"));
    assert!(after_click("Save tags", &["Red", "Green", "Blue"]).contains("+ new_text"), "written otherwise");
    assert!(after_click("Remove blue", &["red", "green"]).contains("+ new_text"), "it was to go");
}

#[test]
fn of_several_chips_none_may_be_gone_once_they_are_saved() {
    let chips = |names: &[&str], rest: &str| {
        let chips: String = names.iter().map(|name| format!("- button \"Remove {name}\"\n")).collect();
        page(&format!("{chips}- button \"Save\" [ref=e9]\n{rest}"))
    };
    let before = chips(&["red", "green"], "");
    let shown = |names: &[&str]| {
        let after = chips(names, "- status\n  - text: Saved\n");
        shows(click("e9"), &[request("POST", SENT, 200)], &before, &after)
    };
    let lost = shown(&["red"]);
    assert!(!lost.contains("+ ") && lost.contains("· not_all: the button \"remove green\" is gone"), "{lost}");
    assert!(shown(&["red", "green"]).contains("+ new_text"));
    assert!(shown(&[]).contains("+ new_text"), "the page no longer edits");
    assert!(shown(&["red", "blue"]).contains("+ new_text"), "another entry");
}

#[test]
fn a_count_of_a_part_of_the_requested_number_is_not_all() {
    let shown = |field: &str, button: &str, text: &str| {
        let before = page(&format!("{field}- button {button:?} [ref=e9]\n"));
        let after =
            page(&format!("{field}- button {button:?} [ref=e9]\n- text \"{text}\"\n- text \"Purchase order 880\"\n"));
        shows(click("e9"), &[request("POST", SENT, 200)], &before, &after)
    };
    let field = "- spinbutton \"Pieces\" [editable] [ref=e1]: 40\n";
    let ticked = "- checkbox \"Folder\" [checked]\n- checkbox \"Toner\" [checked]\n";
    for (field, button, text) in [
        (field, "Book goods receipt", "24 of 40"),
        ("", "Archive all 120", "50 archived"),
        ("", "Archive all 120", "50/120"),
        (ticked, "Confirm pick", "Picked 1/2"),
    ] {
        let shown = shown(field, button, text);
        assert!(!shown.contains("+ ") && shown.contains("· not_all"), "{text} after {button}: {shown}");
    }
    for (field, button, text) in [
        (field, "Book goods receipt", "40 of 40"),
        (field, "Book goods receipt", "40 of 100"),
        (field, "Book goods receipt", "Page 1 of 40"),
        ("", "Archive all 120", "120 archived"),
        (ticked, "Confirm pick", "Picked 2/2"),
    ] {
        let shown = shown(field, button, text);
        assert!(shown.contains("+ "), "{text} after {button}: {shown}");
    }
}
