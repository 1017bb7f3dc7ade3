//! Checks whose subject is missing. Neither "is in the list" nor "is not in the list" holds if there is no list.

use legwork_observe::{Snapshot, fixture};
use serde_json::json;

use crate::{Facts, read_condition};

use super::{conditions, pages, table};

fn plain() -> Snapshot {
    fixture::snapshot(
        r#"
        - heading "Orders" [level=1]
        - text: Nothing here yet
        - navigation "Top"
          - link "Home" [ref=e1]
        - button "Reload" [ref=e2]
        - combobox "Country" [ref=e3]: Norway
          - option "Norway" [selected]
        "#,
    )
}

#[test]
fn a_negative_check_is_unjudged_if_its_scope_is_missing() {
    conditions(
        &plain(),
        &[],
        &[],
        r#"
        "Ada" is not shown => yes
        "Ada" is not in the list => inconclusive
        "Ada" is in the list => no
        "Ada" is not in the sidebar => inconclusive
        "Ada" is not in the dialog => inconclusive
        "Ada" is not in the table => inconclusive
        "Ada" is not in the row of "Bob" => inconclusive
        "Ada" is not shown in the first row => inconclusive
        "Ada" is not under the heading "People" => inconclusive
        "Ada" is not under the heading "Orders" => yes
        "Ada" is not shown in the "Billing" section => inconclusive
        "Ada" is not shown in the column "Name" => inconclusive
        "Ada" is not in the form => inconclusive
        "Ada" is not in the menu => inconclusive
        "Ada" is not in the footer => inconclusive
        "Ada" is not in the header => inconclusive
        "Ada" is not in the frame "editor" => inconclusive
        "Ada" is not shown next to "Total" => inconclusive
        "Ada" is not in the navigation => yes
        "Ada" is not in the list "Country" => yes
        there is no "Ada" in the list => inconclusive
        there is no button "Delete" in the dialog => inconclusive
        there is no button "Delete" => yes
        there is no row with "Ada" => inconclusive
        there are no rows => inconclusive
        there are no rows in the table => inconclusive
        there are fewer than 5 rows => inconclusive
        there are at most 3 items in the list "Orders" => inconclusive
        there are no links in the sidebar => inconclusive
        the list does not contain "Ada" => inconclusive
        the table does not contain "Ada" => inconclusive
        the dialog does not contain "Ada" => inconclusive
        the dialog did not say "Ada" => inconclusive
        the message does not say "Ada" => inconclusive
        the list is empty => inconclusive
        the list is not empty => inconclusive
        the table is not empty => inconclusive
        the page does not contain "Ada" => yes
        "#,
    );
}

#[test]
fn a_negative_check_is_unjudged_if_its_element_is_missing_or_lacks_the_state() {
    conditions(
        &plain(),
        &[("state", json!("open"))],
        &[],
        r#"
        "Total" is not "$12" => inconclusive
        "Saved" is "Saved" => inconclusive
        "open" is not "closed" => yes
        "open" is "open" => yes
        "12" is not "13" => yes
        "Total" is not empty => inconclusive
        "Remember me" is not checked => inconclusive
        "Orders" is not checked => inconclusive
        "Orders" is unchecked => inconclusive
        "Orders" is enabled => inconclusive
        "Orders" is not disabled => inconclusive
        "Orders" is empty => inconclusive
        "Home" is empty => inconclusive
        "Reload" is not expanded => inconclusive
        "Reload" is enabled => yes
        "Country" is not "Sweden" => yes
        "Country" is not greater than 10 => inconclusive
        the title does not contain "Ada" => yes
        the title does not match "/(/" => not literal
        "#,
    );
}

#[test]
fn a_check_of_all_elements_is_unjudged_without_elements() {
    conditions(
        &plain(),
        &[],
        &[],
        r#"
        all checkboxes are checked => inconclusive
        every checkbox is checked => inconclusive
        none of the checkboxes is checked => inconclusive
        no checkbox is checked => inconclusive
        all buttons are enabled => yes
        all buttons are not enabled => not literal
        both buttons are enabled => not literal
        all rows contain "Ada" => inconclusive
        "#,
    );
    conditions(
        &pages::shop(),
        &[],
        &[],
        r#"
        all checkboxes are checked => no
        no checkbox is checked => no
        none of the "Add to cart" buttons is disabled => no
        all the links are enabled => yes
        "#,
    );
    conditions(
        &pages::settings(),
        &[],
        &[],
        r#"
        all radio buttons are checked => no
        none of the switches is checked => yes
        "#,
    );
}

/// A missing column, an empty page, and a page whose capture is incomplete.
#[test]
fn absence_is_unjudged_on_empty_and_incomplete_pages() {
    conditions(
        &Snapshot::default(),
        &[],
        &[],
        "\"Ada\" is not shown => inconclusive\nthere are no links => inconclusive",
    );
    let mut page = pages::users();
    conditions(
        &page,
        &[],
        &[],
        r#"
        "admin" is not in the column "Amount" => yes
        "admin" is not in the column "Salary" => inconclusive
        there is no row with "Dave" => yes
        there is no cell "Dave" => yes
        "#,
    );
    page.cut.push("4000 nodes more".into());
    conditions(
        &page,
        &[],
        &[],
        "\"Dave\" is not shown => inconclusive\n\"Carol\" is shown => yes\nthere are 3 rows => inconclusive",
    );
}

#[test]
fn no_error_message_fails_with_the_text_of_the_error() {
    let none = fixture::snapshot(
        "- heading \"Errors and warnings\" [level=1]\n- text: All is well\n- status\n- alert\n- paragraph \"Passwords must be long\"",
    );
    let lines = r#"
        there is no error message => yes
        no error message is shown => yes
        there is no error => yes
        the error message is not shown => yes
        an error message is shown => no
        there is no message => yes
        there is no warning => yes
        there is no success message => yes
        there is no spinner => yes
        "#;
    conditions(&none, &[], &[], lines);
    for source_text in [
        "- alert \"Login failed.\"",
        "- alert\n  - text: Something went wrong",
        "- status\n  - text: Error: not saved",
        "- textbox \"Mail\" [ref=e1] [invalid]\n- text: Give an address with @",
        "- text: Invalid user name or password",
        "- alertdialog \"Could not save\"",
    ] {
        let page = fixture::snapshot(source_text);
        let facts = Facts { page: &page, variables: &Default::default(), effects: &[] };
        let check = read_condition("there is no error message").expect("the condition parses");
        let why = check.evaluate(&facts).evidence().expect_err(source_text).to_string();
        let words = source_text.rsplit(['"', ':']).map(str::trim).find(|words| words.len() > 5).expect("words");
        assert!(why.contains(words), "{why} does not name {words}");
    }
    let saved = fixture::snapshot("- alert \"Your changes were saved.\"");
    conditions(
        &saved,
        &[],
        &[],
        "there is no error message => yes\na success message is shown => yes\nthere is no message => no",
    );
    let failed = fixture::snapshot("- alert \"Could not be saved\"");
    conditions(&failed, &[], &[], "a success message is shown => no\nan error message is shown => yes");
}

#[test]
fn loading_indicators_are_recognized_in_all_forms() {
    for source_text in [
        "- progressbar",
        "- region \"Results\" [busy]",
        "- status\n  - text: Loading…",
        "- img \"Loading\"",
        "- text: Please wait…",
        "- generic [ref=e1] [id=page-spinner]",
    ] {
        let page = fixture::snapshot(source_text);
        conditions(
            &page,
            &[],
            &[],
            "there is no spinner => no\nthe spinner is shown => yes\nthe loading indicator is gone => no",
        );
    }
}

#[test]
fn a_sidebar_is_a_complementary_region_or_a_navigation_with_that_name() {
    let side = fixture::snapshot("- complementary\n  - link \"Ada\" [ref=e1]");
    conditions(&side, &[], &[], "\"Ada\" is in the sidebar => yes\n\"Bob\" is not in the sidebar => yes");
    let named = fixture::snapshot("- navigation \"Sidebar\"\n  - link \"Ada\" [ref=e1]");
    conditions(&named, &[], &[], "\"Ada\" is in the sidebar => yes\n\"Bob\" is not in the sidebar => yes");
}

#[test]
fn an_unknown_scope_or_element_is_not_judged() {
    let page = fixture::snapshot(
        r#"
        - heading "November" [level=2]
        - text: We use cookies.
        - text: Review
        - button "Accept all" [ref=e1]
        - list "Cart"
          - listitem
            - text: Lamp
            - text: $5
            - text: 2
        - table
          - row
            - columnheader "Customer"
            - columnheader "Status"
          - row
            - cell "Initech"
            - cell "Paid"
        "#,
    );
    conditions(
        &page,
        &[],
        &[],
        r#"
        "Review" is not in the calendar => not literal
        "Review" is not on the calendar => not literal
        "Lamp" is not in the cart => not literal
        "Lamp" is not among the members => not literal
        "Initech" is not in the invoices => not literal
        "Initech" is not under "Customer" => no
        "Initech" is under "Customer" => yes
        "Paid" is not under "Customer" => yes
        the cookie banner is not shown => inconclusive
        there is no cookie banner => inconclusive
        the cookie banner is gone => inconclusive
        "Sofa" is not shown => yes
        Sofa is not shown => yes
        "Review" is not "Paid" => inconclusive
        "#,
    );
}

/// A table on which negated checks were evaluated incorrectly.
fn invoices() -> Snapshot {
    fixture::snapshot(
        r#"
        - table "Invoices"
          - row
            - columnheader "No"
            - columnheader "Customer"
            - columnheader "Amount"
            - columnheader "Status"
            - columnheader "Sent"
          - row
            - cell "INV-1"
            - cell "Acme"
            - cell "$1,440.00"
            - cell "Unpaid"
            - cell
              - checkbox "Sent INV-1" [ref=e1] [checked]
          - row
            - cell "INV-2"
            - cell "Globex"
            - cell "$99.50"
            - cell "Paid"
            - cell
              - checkbox "Sent INV-2" [ref=e2]
        - term "Balance"
        - text: -€ 1.234,50
        - term "Due"
        - text: 2026-05-01
        - button "Approve" [ref=e3] [disabled]
        - button "Void" [ref=e4]
        "#,
    )
}

#[test]
fn a_negated_check_of_several_names_applies_to_each() {
    conditions(
        &invoices(),
        &[],
        &[],
        r#"
        "Acme" and "Hooli" are not shown => no
        "Hooli" and "Acme" are not visible => no
        "Hooli", "Umbrella" and "Acme" are hidden => no
        "Hooli" and "Umbrella" are not on the page => yes
        "INV-1" and "INV-9" are not in the table "Invoices" => no
        "INV-8" and "INV-9" are not in the table "Invoices" => yes
        "Sent INV-1" and "Sent INV-2" are not checked => no
        "Sent INV-1" and "Sent INV-2" are checked => no
        "Approve" and "Void" are not disabled => no
        "Acme" and "Globex" are shown and "Hooli" is gone => yes
        "Acme" and "Globex" are shown => yes
        "#,
    );
    for unclear in [
        "the row containing \"Globex\" and \"Initech\" is shown",
        "\"Acme\" and \"Hooli\" is not shown",
        "\"Hooli\" and \"Acme\" is hidden",
    ] {
        assert!(read_condition(unclear).is_err(), "{unclear}");
    }
}

#[test]
fn a_condition_that_is_parsed_only_in_part_is_refused() {
    for odd in [
        "there are no rows with the status \"Paid\"",
        "there is no row with the status \"Paid\"",
        "there are 2 rows with the status \"Paid\"",
        "there is no disabled button",
        "there is no checked checkbox",
        "there are 2 checked checkboxes in the table \"Invoices\"",
        "\"Due\" is not after 2026-01-01",
        "\"Due\" is not before 2027-01-01",
        "\"Balance\" is not negative",
    ] {
        let read = read_condition(odd);
        assert!(read.is_err(), "{odd}: {read:?}");
    }
}

#[test]
fn a_column_check_examines_the_cells_of_the_column() {
    conditions(
        &invoices(),
        &[],
        &[],
        r#"
        the column "Status" contains "Unpaid" => yes
        the column "Status" does not contain "Unpaid" => no
        the column "Customer" does not contain "Acme" => no
        the column "Status" does not contain "Open" => yes
        there is no row with "Unpaid" in the column "Status" => inconclusive
        there are no rows with "Paid" in "Status" => inconclusive
        "#,
    );
}

#[test]
fn numbers_are_compared_independently_of_their_notation() {
    conditions(
        &invoices(),
        &[],
        &[],
        r#"
        the amount of Globex is "$99.5" => yes
        the amount of Globex is not "$99.5" => no
        the amount of Globex is "€99.50" => no
        the amount of Acme is 1440 => yes
        "Balance" is not "-1234.50" => no
        "Balance" is "-1234.50" => yes
        "Balance" is "1234.50" => no
        "#,
    );
}

#[test]
fn a_scope_with_two_texts_must_contain_both() {
    let page = fixture::snapshot(
        "- table\n  - row\n    - cell \"Acme\"\n    - link \"Bob\" [ref=e1]\n    - button \"Delete\" [ref=e2]\n  \
         - row\n    - cell \"Globex\"\n    - link \"Ada\" [ref=e3]\n    - button \"Delete\" [ref=e4]\n",
    );
    table(
        &page,
        r#"
        Click "Delete" in the row containing "Acme" and "Ada" => none [row "Acme Bob Delete", row "Globex Ada Delete"]
        Click "Delete" in the row containing "Globex" and "Ada" => click e4
        Click "Delete" in the row with "Acme" and "Bob" => click e2
        Click "Delete" in the row of "Acme" and "Ada" => not literal
        Click "Delete" next to "Acme" and "Ada" => not literal
        Click "Delete" in the rows of "Acme" and "Globex" => click e2; click e4
        "#,
    );
}
