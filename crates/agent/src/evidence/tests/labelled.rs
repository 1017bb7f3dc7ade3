//! Values that a page shows beside the label of a field, and new rows of tables.

use legwork_observe::Snapshot;

use super::{click, page, request, shows};

const SENT: &str = "http://shop.test/do";

fn supports(shown: &str) -> bool {
    shown.lines().any(|line| line.starts_with('+'))
}

/// What `Save` showed, with this value in the field `Bin` and this detail view after it.
fn saved(entered: &str, view: &str) -> String {
    let form = format!("- textbox \"Bin\" [editable] [ref=e1]: {entered}\n- button \"Save\" [ref=e2]\n");
    let after = page(&format!("- status\n  - text \"Saved\"\n{view}- link \"Edit\" [ref=e3]\n"));
    shows(click("e2"), &[request("POST", SENT, 200)], &page(&form), &after)
}

#[test]
fn a_value_beside_the_label_of_a_field_is_compared_in_any_markup() {
    for view in [
        "- text \"Bin: VALUE\"\n",
        "- list\n  - term\n    - text \"Bin\"\n  - text \"VALUE\"\n  - term\n    - text \"Fee\"\n  - text \"40.00\"\n",
        "- table\n  - row\n    - rowheader \"Bin\"\n    - cell \"VALUE\"\n  - row\n    - rowheader \"Created\"\n    - cell \"3 Nov\"\n",
        "- table\n  - row\n    - cell \"Bin\"\n    - cell \"VALUE\"\n",
        "- text \"Bin\"\n- text \"VALUE\"\n",
        "- text \"VALUE\"\n- text \"Bin\"\n",
        "- text \"VALUE Bin\"\n",
        "- text \"Bin VALUE\"\n",
    ] {
        let shown = saved("D-02", &view.replace("VALUE", "C-14"));
        assert!(shown.contains("other_value") && !supports(&shown), "{view}: {shown}");
        let shown = saved("D-02", &view.replace("VALUE", "D-02"));
        assert!(supports(&shown), "{view}: {shown}");
    }
}

#[test]
fn a_hint_and_the_values_of_other_records_are_no_value_of_the_field() {
    for view in [
        "- text \"Bin\"\n- text \"Where the article is stored\"\n",
        "- text \"Bin is full\"\n",
        "- text \"Bin\"\n- text \"C-14\"\n- text \"Bin\"\n- text \"C-15\"\n",
        "- heading \"Bin 7\"\n",
    ] {
        let shown = saved("D-02", view);
        assert!(supports(&shown), "{view}: {shown}");
    }
    // The details of the user beside a form that adds another record.
    let form = |rest: &str| {
        page(&format!(
            "- term\n  - text \"Name\"\n- text \"Ann Lee\"\n- textbox \"Name\" [editable] [ref=e1]{rest}\n- button \"Add contact\" [ref=e2]\n"
        ))
    };
    let after = Snapshot { title: "Contacts".into(), ..form("\n- status\n  - text \"Contact added\"") };
    let shown = shows(click("e2"), &[request("POST", SENT, 200)], &form(": Bob Ray"), &after);
    assert!(supports(&shown), "{shown}");
}

#[test]
fn times_and_beginnings_and_dates_are_values() {
    let shown = |field: &str, entered: &str, text: &str| {
        let form = format!("- textbox \"{field}\" [editable] [ref=e1]: {entered}\n- button \"Save\" [ref=e2]\n");
        let after = page(&format!("- text \"{text}\"\n- status\n  - text \"Saved\"\n"));
        shows(click("e2"), &[request("PUT", SENT, 200)], &page(&form), &after)
    };
    for (field, entered, text) in [
        ("Begin", "14:00", "Begin: 15:00"),
        ("Phone", "0664 9", "Phone: 0664"),
        ("Start", "2026-12-03", "Start: 12 Mar 2026"),
        ("Due date", "2026-12-24", "Due: 28 Dec"),
        ("VAT number", "ATU12345678", "VAT number: –"),
    ] {
        let shown = shown(field, entered, text);
        assert!(!supports(&shown), "{text} for {entered}: {shown}");
    }
    for (field, entered, text) in [
        ("Begin", "14:00", "Begin: 2:00 PM"),
        ("Phone", "0664 9988", "Phone: +43 664 9988"),
        ("Start", "2026-12-03", "Start: 3 Dec 2026"),
        ("Due date", "2026-12-24", "Due: Thu 24 Dec"),
        ("Password hint", "blue", "Password hint: ••••"),
    ] {
        let shown = shown(field, entered, text);
        assert!(supports(&shown), "{text} for {entered}: {shown}");
    }
}

/// What `Create discount` showed, with a code and a percentage and these cells in the new row.
fn added(button: &str, cells: &[&str]) -> String {
    let list = |values: [&str; 2], rows: &str| {
        page(&format!(
            "- table\n  - row\n    - columnheader \"Code\"\n    - columnheader \"Percent\"\n    - columnheader \"State\"\n  - row\n    - cell \"SPRING\"\n    - cell \"5\"\n    - cell \"Live\"\n{rows}- textbox \"Code\" [editable] [ref=e1]{}\n- textbox \"Percent\" [editable] [ref=e2]{}\n- button \"{button}\" [ref=e3]\n",
            values[0], values[1]
        ))
    };
    let row: String = cells.iter().map(|cell| format!("    - cell \"{cell}\"\n")).collect();
    let (before, after) = (list([": NOEL", ": 25"], ""), list(["", ""], &format!("  - row\n{row}")));
    shows(click("e3"), &[request("POST", SENT, 200)], &before, &after)
}

#[test]
fn a_new_row_is_compared_by_column() {
    let other = added("Create discount", &["NOEL", "20", "Live"]);
    assert!(other.contains("other_value") && !supports(&other), "{other}");
    for percent in ["25", "25 %", "25.00"] {
        let shown = added("Create discount", &["NOEL", percent, "Live"]);
        assert!(supports(&shown), "{percent}: {shown}");
    }
}

#[test]
fn a_state_in_a_new_row_may_leave_the_result_open() {
    for (button, state) in [
        ("Publish", "Draft"),
        ("Subscribe", "Not confirmed"),
        ("Add contact", "bounced"),
        ("Enrol", "Reserve 3"),
        ("Add line", "unsaved"),
        ("Add skill", "certificate?"),
    ] {
        let shown = added(button, &["NOEL", "25", state]);
        assert!(shown.contains("unclear_entry") && !supports(&shown), "{state} after {button}: {shown}");
    }
    for (button, state) in [
        ("Publish", "Live"),
        ("Create invoice", "Draft"),
        ("Save", "Not started"),
        ("Add invoice", "Unpaid"),
        ("Invite", "Pending"),
        ("Enrol", "Place 13"),
        ("Add", "Reserved"),
    ] {
        let shown = added(button, &["NOEL", "25", state]);
        assert!(supports(&shown), "{state} after {button}: {shown}");
    }
}

#[test]
fn another_choice_of_the_list_in_a_new_text_is_another_value() {
    let list = |value: &str| {
        format!(
            "- combobox \"Agent\" [ref=e1]: {value}\n  - option \"Choose…\"\n  - option \"Priya Nair\"\n  - option \"Priya Patel\"\n- button \"Assign\" [ref=e2]\n"
        )
    };
    let before = page(&list("Priya Nair"));
    let assigned = |text: &str| {
        let after = page(&format!("{}- text \"{text}\"\n", list("Priya Nair")));
        shows(click("e2"), &[request("POST", SENT, 200)], &before, &after)
    };
    for (text, is_other) in
        [("Assigned to Priya Patel", true), ("Assigned to Priya Nair, not to Priya Patel", false), ("Assigned", false)]
    {
        let shown = assigned(text);
        assert_eq!(shown.contains("other_value"), is_other, "{text}: {shown}");
        assert_eq!(supports(&shown), !is_other, "{text}: {shown}");
    }
}

#[test]
fn another_address_in_a_new_text_is_another_value() {
    let form = "- textbox \"Send to\" [editable] [ref=e1]: ap@globex.test\n- button \"Send\" [ref=e2]\n";
    let sent = |text: &str| {
        let after = page(&format!("- button \"Send\" [ref=e2]\n- text \"{text}\"\n"));
        shows(click("e2"), &[request("POST", SENT, 200)], &page(form), &after)
    };
    assert!(sent("Sent to ap@acme.test.").contains("other_value"));
    assert!(supports(&sent("Sent to ap@globex.test, copy to me@acme.test.")));
    assert!(supports(&sent("Sent.")));
}

#[test]
fn a_date_of_a_new_row_is_compared_if_another_one_identifies_the_row() {
    let form = "- textbox \"First day\" [editable] [ref=e1]: 2026-12-21\n- textbox \"Last day\" [editable] [ref=e3]: 2026-12-29\n- button \"Submit request\" [ref=e2]\n";
    let requested = |row: &str| {
        let table = format!("- table\n  - row\n    - columnheader \"From\"\n    - columnheader \"To\"\n{row}");
        let empty = form.replace(": 2026-12-21", "").replace(": 2026-12-29", "");
        let after = page(&format!("{table}{empty}"));
        let before = page(&format!("- table\n  - row\n    - columnheader \"From\"\n    - columnheader \"To\"\n{form}"));
        shows(click("e2"), &[request("POST", SENT, 200)], &before, &after)
    };
    let row = |to: &str| format!("  - row\n    - cell \"21 Dec\"\n    - cell \"{to}\"\n");
    let shown = requested(&row("23 Dec"));
    assert!(shown.contains("other_value") && !supports(&shown), "{shown}");
    let shown = requested(&row("29 Dec"));
    assert!(supports(&shown), "{shown}");
}
