//! Sentences as people write them for a table, a cart and a session.

use legwork_observe::{Snapshot, fixture};

use super::{conditions, table};
use crate::read;

fn cart() -> Snapshot {
    fixture::snapshot(
        r#"
        - button "Log out" [ref=e9]
        - combobox "Status" [ref=e8] [collapsed]: All
          - option "All" [selected]
          - option "Open"
        - table "Cart"
          - row
            - columnheader "Item"
            - columnheader "Quantity"
            - columnheader ""
          - row
            - cell "Desk lamp"
            - cell
              - spinbutton "" [ref=e1]: 1
            - cell
              - button "Remove" [ref=e2]
          - row
            - cell "Floor lamp"
            - cell
              - spinbutton "" [ref=e3]: 2
            - cell
              - button "Remove" [ref=e4]
        - text: Desk lamp
        "#,
    )
}

#[test]
fn a_field_of_a_record_is_set() {
    table(
        &cart(),
        r#"
        Set the quantity of "Desk lamp" to 3 => fill e1 "3"
        Change the quantity of the row of "Floor lamp" to "4" => fill e3 "4"
        Set the quantity of "Chair" to 3 => none [row "Item Quantity", row "Desk lamp Remove", row "Floor lamp Remove"]
        Set the colour of "Desk lamp" to "red" => none [spinbutton beside "Desk lamp" [e1]]
        Filter by status "Open" => select e8 Open
        Filter the table by the status "Open" => select e8 Open
        Filter by "Open" => not literal
        Log out => click e9
        Sign out => click e9
        "#,
    );
}

#[test]
fn how_often_and_where_a_text_is_shown() {
    conditions(
        &cart(),
        &[],
        &[],
        r#"
        "Desk lamp" appears 2 times => yes
        "Desk lamp" appears twice => yes
        "Desk lamp" is shown once => no
        "Desk lamp" is shown at least 2 times => yes
        "Floor lamp" occurs once => yes
        "Desk lamp" is the first row => yes
        "Desk lamp" is in the last row => no
        "Floor lamp" is in the last row of the table "Cart" => yes
        "#,
    );
}

#[test]
fn an_error_names_the_click_that_is_probably_meant() {
    let suggestion = |step: &str| read(step).unwrap_err().suggestion.unwrap().to_string();
    assert_eq!(suggestion(r#"Delete "Ada""#), r#"Click "Delete" in the row of "Ada""#);
    assert_eq!(suggestion(r#"Delete the row of "Ada""#), r#"Click "Delete" in the row of "Ada""#);
    assert_eq!(suggestion(r#"Remove "Desk lamp" from the cart"#), r#"Click "Remove" in the row of "Desk lamp""#);
    assert_eq!(suggestion(r#"Add "Desk lamp" to the cart"#), r#"Click "Add to cart" in the row of "Desk lamp""#);
    assert_eq!(suggestion(r#"Click "Delete" and confirm with "Yes""#), r#"Click "Yes""#);
    assert!(suggestion("Frobnicate everything").starts_with("Click \"Save\""));
}

#[test]
fn a_name_ends_where_the_text_ends_it() {
    let page = fixture::snapshot("- list\n  - listitem \"Anna Berger\"\n  - listitem \"Max Huber-Lang\"");
    conditions(
        &page,
        &[],
        &[],
        r#"
        "Max Huber" is not in the list => yes
        "Max Huber" is shown => no
        "Max Huber-Lang" is in the list => yes
        "Anna" is shown => yes
        "#,
    );
}
