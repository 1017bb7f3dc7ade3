use std::collections::BTreeMap;

use legwork_observe::{Snapshot, fixture};
use legwork_protocol::{DialogInfo, DialogKind, DownloadInfo, PageEffect};
use serde_json::json;

use super::{conditions, pages, table};
use crate::{Clause, Facts, read, read_condition};

#[test]
fn what_is_shown() {
    conditions(
        &pages::shop(),
        &[],
        &[],
        r#"
        "Products" is shown => yes
        Check that "Products" is shown => yes
        check that "products" is visible. => yes
        "Products" is on the page => yes
        the page contains "Floor lamp" => yes
        the page shows "Floor lamp" => yes
        "Floor lamp" => yes
        I should see "Floor lamp" => yes
        the text "Items: 2" is displayed => yes
        "Total $104.50" is shown => yes
        "Sofa" is shown => no
        "Sofa" is not shown => yes
        "Sofa" isn't visible => yes
        "Sofa" is gone => yes
        "Products" is gone => no
        "Products" should be visible => yes
        "Sofa" should not be visible => yes
        "Desk lamp" and "Floor lamp" are shown => yes
        "Desk lamp" and "Sofa" are shown => no
        "Desk lamp" is shown and "Sofa" is not shown => yes
        "Sofa" is shown or "Floor lamp" is shown => yes
        there is a button "Check out" => yes
        there is no button "Check out" => no
        there is no "Delete" button => yes
        the button "Check out" is visible => yes
        the "Check out" button exists => yes
        the link "Checkout now" is shown => no
        "lamp" is shown => yes
        "loor lamp" is shown => no
        "Floor lamp" is in the list "Results" => yes
        "Lamps" is shown in the list "Results" => no
        the heading "Products" is shown => yes
        the heading is "Products" => yes
        the heading says "Sofas" => no
        there are 3 items in the list "Results" => yes
        the list "Results" contains 3 items => yes
        the list "Results" has at least 2 items => yes
        there are more than 3 items in the list "Results" => no
        there are exactly three "Add to cart" buttons => yes
        there are 2 tabs => yes
        the title is "Products – Shop" => yes
        the title contains "Shop" => yes
        the page title is "Shop" => no
        the address contains "page=1" => yes
        the address contains "page=%31" => no
        the URL is http://shop.test/list?page=1 => yes
        the URL is "/list?page=1" => yes
        the address ends with "page=1" => yes
        the address matches "*/list?page=*" => yes
        the address does not contain "login" => yes
        the URL should contain "/list" => yes
        the url starts with "https" => no
        "Add to cart" is disabled => inconclusive
        the last "Add to cart" button is disabled => yes
        the first "Add to cart" button is enabled => yes
        "Blue" is checked => yes
        "Red" is not checked => yes
        "Red" is unchecked and "Blue" is checked => yes
        "Sort by" is "Name" => yes
        the field "Sort by" is "Price" => no
        "Name" is selected in "Sort by" => yes
        "Sort by" is collapsed => yes
        "Maximum price" is 50 => yes
        "Maximum price" is greater than 40 => yes
        "Total" is "$104.50" => yes
        "Total" is "$1" => no
        "Items" is "2" => yes
        the total is greater than 100 => yes
        Welcome back => not literal
        the moon is made of cheese => inconclusive
        "#,
    );
}

#[test]
fn fields_tables_and_states() {
    conditions(
        &pages::settings(),
        &[],
        &[],
        r#"
        the field "First name" is "Ada" => yes
        the field "First name" contains "Ad" => yes
        the field "First name" has the value "Ada" => yes
        the value of "First name" is "Ada" => yes
        "First name" is "Eve" => no
        "Last name" is empty => yes
        "First name" is empty => no
        the "First name" field is not empty => yes
        the country is Norway => yes
        "Standard" is selected => yes
        "Express" is selected => no
        the tab "Profile" is selected => yes
        "Profile" is selected => yes
        "Dark mode" is off => yes
        "Newsletter" is ticked => yes
        the "Advanced" button is collapsed => yes
        the alert says "Saved" => yes
        the message contains "Saved" => yes
        "Nothing" is checked => inconclusive
        "Nothing" is not checked => inconclusive
        "#,
    );
    conditions(
        &pages::users(),
        &[],
        &[],
        r#"
        there are 3 rows => yes
        there are 3 rows in the table "Users" => yes
        the table has 3 rows => yes
        the table "Users" contains "Carol" => yes
        the row of "Carol" contains "user" => yes
        the row of "Carol" contains "admin" => no
        "admin" is shown in the row of "Bob Smith" => yes
        there is a row with "Carol" => yes
        there is no row with "Dave" => yes
        there is a row with "Dave" => no
        the cell in the column "Amount" in the row of "Carol" is "7" => yes
        the cell in the column "Amount" in the row of "Bob Smith" is greater than 1000 => yes
        the checkbox in the row of "Bobby Tables" is checked => yes
        the "Delete" button in the row of "Carol" is disabled => yes
        "3 users" is shown => yes
        there are no rows => no
        "#,
    );
    conditions(
        &pages::dialogs(),
        &[],
        &[],
        r#"
        the dialog is open => yes
        the dialog says "This cannot be undone" => yes
        the dialog "Delete file?" is shown => yes
        the field "Reason" is focused => yes
        the dialog is closed => no
        there is no dialog => no
        "#,
    );
    conditions(
        &pages::admin(),
        &[],
        &[],
        r#"
        "was added successfully" is shown => yes
        "The question "Tea?" was added successfully" is shown => not literal
        “The question Tea” is shown => no
        "2 questions" is shown => yes
        "Welcome, admin" is shown => yes
        there are 2 rows in the table under the heading "Select question to change" => yes
        "#,
    );
}

#[test]
fn what_an_entry_of_a_table_says_is_looked_for_in_all_its_cells() {
    conditions(
        &pages::users(),
        &[],
        &[],
        r#"
        "Carol" is "user" => yes
        "Carol" is "7" => yes
        "Carol" is "admin" => no
        "Carol" is not "user" => no
        "Carol" is not "admin" => yes
        "Carol" is not "User" => inconclusive
        "Carol" is less than 10 => yes
        "Carol" is more than 10 => no
        "Carol" contains "use" => yes
        "#,
    );
}

#[test]
fn variables_and_effects() {
    let effects = [
        PageEffect::Downloaded(DownloadInfo {
            name: "prices.xlsx".into(),
            path: "/tmp/prices.xlsx".into(),
            size: 12,
            hash: "cd".into(),
            url: "http://s/".into(),
            other_format: Some("HTML".into()),
        }),
        PageEffect::Downloaded(DownloadInfo {
            name: "report.csv".into(),
            path: "/tmp/report.csv".into(),
            size: 12,
            hash: "ab".into(),
            url: "http://s/".into(),
            other_format: None,
        }),
        PageEffect::Dialog(DialogInfo {
            kind: DialogKind::Confirm,
            message: "Really delete?".into(),
            accepted: Some(true),
        }),
    ];
    conditions(
        &pages::login(),
        &[("total", json!("42")), ("n", json!(3))],
        &effects,
        r#"
        the variable total is "42" => yes
        the variable total is greater than 10 => yes
        the variable total is less than 10 => no
        total is "42" => yes
        n is 3 => yes
        the variable nothing is "1" => inconclusive
        the variable nothing is not "1" => inconclusive
        "42" is "42" => yes
        "42" is "43" => no
        42 is 42 => yes
        "42" is greater than 10 => yes
        "$1,200.50" is at least 1200 => yes
        file "report.csv" was downloaded => yes
        the file report.csv was downloaded => yes
        "*.csv" was downloaded => yes
        the file prices.xlsx was downloaded => no
        a file was downloaded => yes
        file "other.csv" was downloaded => no
        no file was downloaded => no
        the dialog said "Really delete?" => yes
        the dialog says "delete" => yes
        the alert said "Hello" => no
        a dialog appeared => yes
        "#,
    );
}

#[test]
fn cells_with_controls_and_rows_without_content() {
    let page = legwork_observe::fixture::snapshot(concat!(
        r#"
        - table
          - row
            - columnheader "Item"
            - columnheader "Qty"
            - columnheader "Note"
          - row
            - cell "Lamp"
            - cell
              - button "Decrease quantity −" [ref=e1]
              - text: 2
              - button "Increase quantity +" [ref=e2]
            - cell
              - textbox "Note" [editable] [ref=e3]: fragile
          - row
            - cell
            - cell
            - cell
        - list "Cart"
          - listitem
            - text: Lamp
            - list
              - listitem: Warranty
          - listitem: Desk
        - text: Bestell"#,
        "\u{ad}bestätigung"
    ));
    conditions(
        &page,
        &[],
        &[],
        r#"
        the Qty of "Lamp" is "2" => yes
        the Qty of "Lamp" is "3" => no
        the note of "Lamp" is "fragile" => yes
        there is 1 row => yes
        there are 2 rows => no
        the list "Cart" has 2 items => yes
        "Bestellbestätigung" is shown => yes
        "#,
    );
}

#[test]
fn findings_in_words() {
    let facts = |text: &str| {
        let page = pages::shop();
        let variables = std::collections::BTreeMap::new();
        format!(
            "{:?}",
            read_condition(text).expect("it reads").evaluate(&Facts {
                page: &page,
                variables: &variables,
                effects: &[]
            })
        )
    };
    insta::assert_snapshot!(facts("there are 4 items in the list \"Results\""), @r#"Fails { why: "there are 3 items; expected exactly 4", nearest: ["listitem \"Desk lamp $24.50 Add to cart\"", "listitem \"Floor lamp $80.00 Add to cart\"", "listitem \"Tiny lamp $9.00 Add to cart\""] }"#);
    insta::assert_snapshot!(facts("\"Floor lamps\" is shown"), @r#"Fails { why: "“Floor lamps” is not on the page", nearest: ["link \"Floor lamp\" [e13]", "link \"Lamps\" [e1]", "link \"Desk lamp\" [e10]", "img \"Desk lamp\"", "link \"Desk lamp\" [e11]"] }"#);
    insta::assert_snapshot!(facts("the address contains \"page=1\""), @r#"Holds([Evidence { kind: Url, fact: "the address is http://shop.test/list?page=1", checked: true, polarity: Supporting }])"#);
}

#[test]
fn a_wait_and_a_check_accept_the_same_texts() {
    let page = fixture::snapshot(
        r#"
        - heading "Invoices" [level=1]
        - text: Invoice 1 Unpaid
        - text: "State: Not done"
        - text: Upload incomplete
        - text: Finished unsuccessfully
        - text: Import ended with errors
        - text: Order 12 completed
        - text: Sent on 3 May
        "#,
    );
    for (text, is_shown) in [
        ("Paid", false),
        ("Done", false),
        ("Complete", true),
        ("Finished", false),
        ("completed", true),
        ("Sent", true),
        ("Not done", true),
        ("Import ended with errors", true),
    ] {
        let (check, wait) = if is_shown { ("yes", "await yes") } else { ("no", "await no") };
        conditions(
            &page,
            &[],
            &[],
            &format!("\"{text}\" is shown => {check}\nthe page contains \"{text}\" => {check}"),
        );
        let waits = ["Wait for \"T\"", "Wait until \"T\" is shown", "Wait until the page contains \"T\""];
        let lines: Vec<String> = waits.iter().map(|form| format!("{} => {wait}", form.replace('T', text))).collect();
        table(&page, &lines.join("\n"));
    }
}

#[test]
fn a_negated_text_beside_another_or_in_a_dialog_is_not_shown() {
    let page = fixture::snapshot(
        r#"
        - table "Invoices"
          - row
            - cell "INV-7"
            - cell "Not paid"
          - row
            - cell "INV-8"
            - cell "Paid"
        "#,
    );
    conditions(
        &page,
        &[],
        &[],
        "\"Paid\" is shown next to \"INV-7\" => no\n\"Paid\" is shown next to \"INV-8\" => yes",
    );
    for (message, is_shown) in [("Not paid", "no"), ("Paid", "yes")] {
        let dialog = DialogInfo { kind: DialogKind::Alert, message: message.into(), accepted: None };
        let page = Snapshot { dialog: Some(dialog), ..fixture::snapshot("- heading \"Invoices\"") };
        conditions(&page, &[], &[], &format!("\"Paid\" is shown => {is_shown}"));
    }
}

#[test]
fn a_missing_target_hints_at_a_cell_or_at_quotes() {
    let page = fixture::snapshot(
        r#"
        - table "Invoices"
          - row "Customer Status Amount"
            - columnheader "Customer"
            - columnheader "Status"
            - columnheader "Amount"
          - row "Globex Open 12 Pay"
            - cell "Globex"
            - cell "Open"
            - cell "12"
            - button "Pay" [ref=e1]
        "#,
    );
    let said = |step: &str| match &read(step).expect("it reads").clauses()[0] {
        Clause::Do(instruction) => instruction.decide(&page).expect_err("it is refused").to_string(),
        Clause::Check(check) => {
            let facts = Facts { page: &page, variables: &BTreeMap::new(), effects: &[] };
            check.evaluate(&facts).evidence().expect_err("it does not hold").to_string()
        }
    };
    for (step, hint) in [
        ("Check that the status is \"Paid\"", "the status of \"Globex\""),
        ("Set \"Amount\" to \"5\"", "\"Amount\" in the row of \"Globex\""),
        ("Click Pay for Globex", "\"Pay\" for \"Globex\""),
    ] {
        assert!(said(step).contains(hint), "{step}: {}", said(step));
    }
}
