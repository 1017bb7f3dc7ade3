//! Changes that were sent from a dialog or a page that the entry of a list opened, and lists that a form leads back to.

use super::*;
use crate::evidence::SetFields;

const SENT: &str = "http://shop.test/do";

/// A table with the buttons e1, e2, ….
fn table(rows: &[(&str, &str)], button: &str, rest: &str) -> Snapshot {
    let header = "  - row\n    - columnheader \"Name\"\n    - columnheader \"City\"\n    - columnheader\n";
    let row = |(at, (name, city)): (usize, &(&str, &str))| {
        let number = at + 1;
        format!(
            "  - row\n    - cell \"{name}\"\n    - cell \"{city}\"\n    - cell\n      - button \"{button}\" [ref=e{number}]\n"
        )
    };
    let rows: String = rows.iter().enumerate().map(row).collect();
    page(&format!("- heading \"Customers\"\n- table\n{header}{rows}{rest}"))
}

fn dialog(text: &str, value: &str, button: &str) -> Snapshot {
    page(&format!(
        "- dialog \"{text}\"\n  - textbox \"City\" [editable] [ref=e8]: {value}\n  - button \"{button}\" [ref=e9]\n"
    ))
}

/// What the last step adds, after these steps.
fn of_last(steps: &[(Action, &[PageEffect], &Snapshot, &Snapshot)]) -> String {
    let mut set = SetFields::default();
    let mut last = String::new();
    for (action, effects, before, after) in steps {
        let actions = std::slice::from_ref(action);
        let findings = assess(observed(actions, effects, before, after));
        last = lines(&set.update(&findings, actions, (Some(*before), *after), false));
    }
    last
}

#[test]
fn a_dialog_of_a_row_that_changes_another_row_supports_nothing() {
    let sent = [request("POST", SENT, 200)];
    let list = table(&[("Alice AG", "Wien"), ("Bob KG", "Graz")], "Edit", "");
    let (opened, filled) = (dialog("Edit customer", "Graz", "Save"), dialog("Edit customer", "Linz", "Save"));
    let saved = |rows: &[(&str, &str)], rest: &str| {
        let after = table(rows, "Edit", rest);
        of_last(&[
            (click("e2"), &[], &list, &opened),
            (fill("e8", "Linz"), &[], &opened, &filled),
            (click("e9"), &sent, &filled, &after),
        ])
    };
    for rest in ["", "- status\n  - text \"Customer saved\"\n"] {
        let shown = saved(&[("Alice AG", "Linz"), ("Bob KG", "Graz")], rest);
        assert!(shown.contains("· other_entry"), "{shown}");
        assert_eq!(saved(&[("Alice AG", "Wien"), ("Bob KG", "Linz")], rest), "");
        // The Enter key sends the form, too.
        let entered = |rows: &[(&str, &str)]| {
            let enter = Action::Fill(Fill { target: Target("e8".into()), text: "Linz".into(), submit: true });
            let after = table(rows, "Edit", rest);
            of_last(&[(click("e2"), &[], &list, &opened), (enter, &sent, &opened, &after)])
        };
        assert!(entered(&[("Alice AG", "Linz"), ("Bob KG", "Graz")]).contains("· other_entry"));
        assert!(!entered(&[("Alice AG", "Wien"), ("Bob KG", "Linz")]).contains("other_entry"));
        // Nothing changed, or another entry changed by itself.
        for other in ["Wien", "Rom"] {
            let shown = saved(&[("Alice AG", other), ("Bob KG", "Graz")], rest);
            assert!(!shown.contains("other_entry"), "{shown}");
        }
    }
}

#[test]
fn a_page_of_a_row_that_changes_another_row_supports_nothing() {
    let sent = [request("POST", SENT, 200), loaded("http://shop.test/s", 200)];
    let at = |path: &str, page: Snapshot| Snapshot { url: format!("http://shop.test/{path}"), ..page };
    let list = table(&[("Alice AG", "Wien"), ("Bob KG", "Graz")], "Edit", "");
    let form = |value: &str| {
        let form = format!(
            "- heading \"Edit customer\"\n- textbox \"City\" [editable] [ref=e8]: {value}\n- button \"Save\" [ref=e9]\n"
        );
        at("e", page(&form))
    };
    let saved = |rows: &[(&str, &str)]| {
        let after = at("s", table(rows, "Edit", "- text \"Customer saved\"\n"));
        of_last(&[
            (click("e2"), &[loaded("http://shop.test/e", 200)], &list, &form("Wien")),
            (fill("e8", "Linz"), &[], &form("Wien"), &form("Linz")),
            (click("e9"), &sent, &form("Linz"), &after),
        ])
    };
    let shown = saved(&[("Alice AG", "Linz"), ("Bob KG", "Graz")]);
    assert!(shown.contains("· other_entry"), "{shown}");
    assert_eq!(saved(&[("Alice AG", "Wien"), ("Bob KG", "Linz")]), "");
}

#[test]
fn a_confirmed_deletion_that_removes_another_row_supports_nothing() {
    let sent = [request("POST", SENT, 200)];
    let rows = [("Alpha", "1"), ("Beta", "2"), ("Gamma", "3")];
    let list = table(&rows, "Delete", "");
    let asks = page("- dialog\n  - text \"Delete this project?\"\n  - button \"OK\" [ref=e9]\n");
    let left = |names: &[usize], rest: &str| {
        let rows: Vec<(&str, &str)> = names.iter().map(|at| rows[*at]).collect();
        let after = table(&rows, "Delete", rest);
        of_last(&[(click("e2"), &[], &list, &asks), (click("e9"), &sent, &asks, &after)])
    };
    for rest in ["", "- status\n  - text \"Project deleted\"\n", "- status\n  - text \"Alpha was deleted\"\n"] {
        let shown = left(&[1, 2], rest);
        assert!(shown.contains("· other_entry"), "{shown}");
        assert_eq!(left(&[0, 2], rest), "");
    }
    // The dialog was left, and another button sends something else.
    let other = table(&rows, "Delete", "- button \"Archive Alpha\" [ref=e7]\n");
    let leaves = page("- dialog\n  - text \"Delete this project?\"\n  - button \"Cancel\" [ref=e9]\n");
    let after = table(&rows[1..], "Delete", "");
    let shown = of_last(&[
        (click("e2"), &[], &other, &leaves),
        (click("e9"), &[], &leaves, &other),
        (click("e7"), &sent, &other, &after),
    ]);
    assert_eq!(shown, "");
}

/// The page of the customer Huber, and the list that follows.
fn saved(rows: &str, message: &str, column: &str) -> (String, String) {
    let effects = [request("POST", "http://shop.test/save", 303), loaded("http://shop.test/list", 200)];
    let form = |value: &str| {
        page(&format!(
            "- heading \"Customer Huber\"\n- textbox \"City\" [editable] [ref=e1]: {value}\n- button \"Save\" [ref=e2]\n"
        ))
    };
    let cells = |row: &str| row.split('|').map(|cell| format!("    - cell \"{cell}\"\n")).collect::<String>();
    let rows: String = rows.lines().map(|row| format!("  - row\n{}", cells(row))).collect();
    let header = format!("  - row\n    - columnheader \"Name\"\n    - columnheader \"{column}\"\n");
    let after = Snapshot {
        url: "http://shop.test/list".into(),
        title: "Customers".into(),
        ..page(&format!("- heading \"Customers\"\n{message}- table\n{header}{rows}"))
    };
    let (was, is) = (form("Wien"), form("Graz"));
    let added = of_last(&[(fill("e1", "Graz"), &[], &was, &is), (click("e2"), &effects, &is, &after)]);
    (added, shows(click("e2"), &effects, &is, &after))
}

#[test]
fn the_row_of_a_saved_record_must_not_show_the_old_value() {
    for message in ["", "- text \"Customer saved.\"\n", "- text \"Gespeichert.\"\n"] {
        for column in ["City", "Ort"] {
            for rows in ["Huber|Wien", "Berger|Graz\nHuber|Wien"] {
                let (added, _) = saved(rows, message, column);
                assert!(added.contains("· other_value"), "{rows} {message}: {added}");
            }
            for rows in ["Huber|Graz", "Berger|Wien\nHuber|Graz", "Berger|Wien"] {
                assert_eq!(saved(rows, message, column).0, "", "{rows} {message}");
            }
        }
    }
}

#[test]
fn an_entered_value_in_the_row_of_another_record_is_none_of_the_saved_one() {
    let supports = |shown: &str| shown.lines().any(|line| line.starts_with('+'));
    let (_, shown) = saved("Berger|Graz\nLang|Linz", "", "City");
    assert!(!supports(&shown), "{shown}");
    for rows in ["Huber|Graz\nLang|Linz", "Berger|Graz\nHuber|Graz"] {
        let (_, shown) = saved(rows, "", "City");
        assert!(supports(&shown), "{rows}: {shown}");
    }
    let (_, shown) = saved("Berger|Graz\nLang|Linz", "- text \"Huber saved.\"\n", "City");
    assert!(supports(&shown), "{shown}");
}
