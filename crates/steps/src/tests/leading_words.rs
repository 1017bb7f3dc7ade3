//! Names on the page with words before the name in the sentence.

use super::*;

/// The name that is used although the sentence contains only a part of it.
fn longer(step: &str, page: &Snapshot) -> Option<String> {
    let sentence = read(step).unwrap_or_else(|error| panic!("{step}: {error}"));
    sentence
        .clauses()
        .iter()
        .find_map(|clause| match clause {
            Clause::Do(instruction) => {
                let actions = instruction.decide(page).unwrap_or_else(|error| panic!("{step}: {error}"));
                instruction.longer_name(&actions, page)
            }
            Clause::Check(check) => check.longer_name(page),
        })
        .map(|longer| longer.name)
}

fn table_of(title: &str, header: [&str; 2], rows: &[[&str; 2]]) -> Snapshot {
    let mut text = format!("- heading \"{title}\"\n- table\n  - row\n");
    for name in header {
        text.push_str(&format!("    - columnheader \"{name}\"\n"));
    }
    for (number, [name, value]) in rows.iter().enumerate() {
        text.push_str(&format!(
            "  - row\n    - cell \"{name}\"\n    - cell \"{value}\"\n    - cell\n      - button \"Delete\" [ref=e{}]\n",
            number + 1
        ));
    }
    legwork_observe::fixture::snapshot(&text)
}

#[test]
fn a_row_that_only_mentions_the_name_is_another_one() {
    for (title, header, rows, name) in [
        ("P", ["Name", "Files"], [["Copy of Project A", "1"], ["Project B", "2"]], "Project A"),
        ("Bookings", ["Guest", "Note"], [["Tom", "Deputy: Anna Berger"], ["Eva", "Deputy: none"]], "Anna Berger"),
        ("Invoices", ["No", "Sum"], [["Credit note for INV-7", "1"], ["INV-8", "2"]], "INV-7"),
        ("P", ["No", "Sum"], [["Delta AG, formerly Nova GmbH", "1"], ["Beta", "2"]], "Nova GmbH"),
        ("P", ["Name", "Files"], [["Kopie von Projekt A", "1"], ["Kopie von Projekt B", "2"]], "Projekt A"),
        ("People", ["Name", "Age"], [["Anna Huber", "1"], ["Eva Lang", "2"]], "Huber"),
    ] {
        let page = table_of(title, header, &rows);
        let step = format!("Click \"Delete\" in the row of \"{name}\"");
        assert!(longer(&step, &page).is_some(), "{step}");
        let check = format!("Check that the row of \"{name}\" contains \"1\"");
        assert!(longer(&check, &page).is_some(), "{check}");
        let property = format!("Check that the {} of \"{name}\" is \"1\"", header[1].to_lowercase());
        assert!(longer(&property, &page).is_some(), "{property}");
        let containing = format!("Click \"Delete\" in the row containing \"{name}\"");
        assert_eq!(longer(&containing, &page), None, "{containing}");
    }
}

#[test]
fn a_row_whose_name_begins_with_its_kind_is_the_named_one() {
    for (title, header, rows, name) in [
        ("Invoices", ["No", "Sum"], [["Invoice INV-7", "1"], ["Invoice INV-8", "2"]], "INV-7"),
        ("Invoices", ["No", "Sum"], [["Invoice INV-7", "1"], ["Offer 3", "2"]], "INV-7"),
        ("L", ["No", "Sum"], [["Rechnung INV-7", "1"], ["Rechnung INV-8", "2"]], "INV-7"),
        ("L", ["Guest", "Sum"], [["Frau Huber", "1"], ["Berger", "2"]], "Huber"),
        ("L", ["Guest", "Sum"], [["Prof. Dr. Huber", "1"], ["Berger", "2"]], "Huber"),
        ("L", ["Guest", "Sum"], [["Sales – Huber", "1"], ["Berger", "2"]], "Huber"),
        ("L", ["Guest", "Sum"], [["Guest: Huber", "1"], ["Berger", "2"]], "Huber"),
        ("L", ["Guest", "Deputy"], [["Tom", "Deputy: Huber"], ["Huber", "x"]], "Huber"),
        ("L", ["Guest", "Sum"], [["12. Huber", "1"], ["Berger", "2"]], "Huber"),
    ] {
        let page = table_of(title, header, &rows);
        let step = format!("Click \"Delete\" in the row of \"{name}\"");
        assert_eq!(longer(&step, &page), None, "{step}");
        let check = format!("Check that the row of \"{name}\" contains \"1\"");
        assert_eq!(longer(&check, &page), None, "{check}");
    }
}

#[test]
fn words_before_the_name_of_a_control_can_make_it_another_one() {
    let page = legwork_observe::fixture::snapshot(
        r#"
        - heading "New customer"
        - link "Copy of Offer 12" [ref=e1]
        - link "Offer 13" [ref=e2]
        - checkbox "Copy of Project A" [ref=e3]
        - checkbox "I accept the terms" [ref=e4]
        - textbox "Tare weight" [ref=e5]
        - textbox "Customer city" [ref=e6]
        - textbox "Your email" [ref=e7]
        - button "Do not send" [ref=e8]
        - link "Shopping cart" [ref=e9]
        - link "Order no. 7" [ref=e10]
        - link "Go to page 2" [ref=e11]
        - button "Quick save" [ref=e12]
        "#,
    );
    for step in [
        "Click \"Offer 12\"",
        "Tick \"Project A\"",
        "Type \"5\" into \"Weight\"",
        "Set \"Weight\" to 5",
        "Click \"Send\"",
    ] {
        assert!(longer(step, &page).is_some(), "{step}");
    }
    for step in [
        "Click \"Offer 13\"",
        "Tick \"terms\"",
        "Type \"Graz\" into \"City\"",
        "Type \"a@b.c\" into \"Email\"",
        "Click \"Cart\"",
        "Click \"Page 2\"",
        "Click \"Save\"",
        "Type \"5\" into \"Tare weight\"",
        "Click \"Do not send\"",
    ] {
        assert_eq!(longer(step, &page), None, "{step}");
    }
}

/// The end of a name is judged in a check as it is in a step.
#[test]
fn a_check_of_a_row_with_a_longer_name_is_noted() {
    let page = table_of("L", ["Customer", "Status"], &[["Globex Ltd", "Active"], ["Initech", "Off"]]);
    assert_eq!(longer("Check that the status of \"Globex\" is \"Active\"", &page).as_deref(), Some("Globex Ltd"));
    assert_eq!(longer("Check that the status of \"Globex Ltd\" is \"Active\"", &page), None);
}
