//! Statements about all rows of a table or all items of a list.

use legwork_observe::{Snapshot, fixture};

use super::{conditions, table};

fn invoices() -> Snapshot {
    fixture::snapshot(
        r#"
        - heading "Invoices" [level=1]
        - table "Invoices"
          - row
            - columnheader "Customer" [ref=e1]
            - columnheader "Amount ▼" [ref=e2]
            - columnheader "Due"
            - columnheader "Status"
          - row
            - cell "Adler"
            - cell "$1,200.00"
            - cell "3 May 2026"
            - cell "Paid"
          - row
            - cell "berger"
            - cell "$90.50"
            - cell "21 April 2026"
            - cell "Not paid"
          - row
            - cell "Czerny"
            - cell "$9.50"
            - cell "1 February 2026"
            - cell "Paid"
        "#,
    )
}

#[test]
fn each_row_says_it() {
    conditions(
        &invoices(),
        &[],
        &[],
        r#"
        all rows contain "2026" => yes
        every row contains "2026" => yes
        each row shows "Paid" => no
        all the rows in the table "Invoices" contain "2026" => yes
        every row in "Invoices" contains "$" => yes
        every row contains "May" => no
        all rows contain "2026" in the column "Due" => yes
        all rows contain "2026" in the column "Status" => no
        all values in the column "Status" are "Paid" => no
        every value in the column "Amount" is at least 5 => yes
        every value in the column "Amount" is greater than 10 => no
        all rows have the status "Paid" => no
        all rows have "2026" => yes
        every value in the column "Size" is "3" => inconclusive
        every row in the table "Orders" contains "2026" => inconclusive
        "#,
    );
}

#[test]
fn the_rows_have_an_order() {
    conditions(
        &invoices(),
        &[],
        &[],
        r#"
        the rows are sorted by "Customer" => yes
        the rows are sorted by "Customer" in ascending order => yes
        the rows are sorted by customer descending => no
        the table is sorted by "Amount" => yes
        the table "Invoices" is sorted by amount in descending order => yes
        the table is sorted by "Amount", lowest first => no
        the table is sorted by "Amount" from low to high => no
        the rows in "Invoices" are ordered by "Due" newest first => yes
        the rows are not sorted by "Status" => yes
        the rows are sorted by "Status" => no
        the column "Amount" is sorted descending => yes
        the rows are sorted => not literal
        the rows are sorted alphabetically => inconclusive
        the rows are sorted by "Size" => inconclusive
        "#,
    );
}

#[test]
fn the_values_of_a_column_are_added_up() {
    conditions(
        &invoices(),
        &[],
        &[],
        r#"
        the sum of the column "Amount" is 1300 => yes
        the sum of the column "Amount" is "1,300.00" => yes
        the total of the column "Amount" in "Invoices" is 1300 => yes
        the sum of the "Amount" column is greater than 1000 => yes
        the sum of the column "Amount" is 1209.50 => no
        the sum of the column "Customer" is 3 => inconclusive
        the sum of the column "Amount" is "high" => not literal
        the average of the column "Amount" is 3 => not literal
        "#,
    );
}

#[test]
fn nothing_is_said_of_rows_that_are_not_on_the_page() {
    let page = |text: &str| fixture::snapshot(text);
    let check = |page: &Snapshot, lines: &str| conditions(page, &[], &[], lines);
    let drawn = page(
        r#"
        - grid "Stock" [size=400]
          - row
            - columnheader "Item"
          - row
            - gridcell "Bolt"
          - row
            - gridcell "Bolt"
        "#,
    );
    check(&drawn, "all rows contain \"Bolt\" => inconclusive\nthe rows are sorted by \"Item\" => inconclusive");
    let two = page("- list\n  - listitem \"A\"\n- list\n  - listitem \"A\"");
    check(&two, "all items contain \"A\" => inconclusive");
    let none = page("- table\n  - row\n    - columnheader \"Item\"");
    check(&none, "all rows contain \"Bolt\" => inconclusive");
    let mixed =
        page("- table\n  - row\n    - columnheader \"Price\"\n  - row\n    - cell \"$5\"\n  - row\n    - cell \"€7\"");
    check(&mixed, "the sum of the column \"Price\" is 12 => inconclusive");
    let list = page("- list \"Names\"\n  - listitem \"Ada\"\n  - listitem \"Bob\"");
    check(&list, "all items contain \"Ada\" => no\nthe list \"Names\" is sorted alphabetically => yes");
}

#[test]
fn a_table_is_sorted_by_the_header_of_a_column() {
    let page = |header: &str, rows: [&str; 2]| {
        fixture::snapshot(&format!(
            "- combobox \"Sort by\" [ref=e9]\n- table \"Stock\"\n  - row\n    - columnheader \"Item\" [ref=e1]\n    - columnheader \"Price\" {header}\n  - row\n    - cell \"Bolt\"\n    - cell \"{}\"\n  - row\n    - cell \"Nut\"\n    - cell \"{}\"",
            rows[0], rows[1]
        ))
    };
    let sort = "Sort by \"Price\"";
    let down = "Sort the table \"Stock\" by price in descending order";
    // Without a stated direction, an order that was there before says nothing: the header is clicked.
    table(
        &page("[ref=e2]", ["$2", "$1"]),
        &format!("{sort} => click e2; await yes\n{down} => click e2; nothing; await yes"),
    );
    table(
        &page("[ref=e2]", ["$1", "$2"]),
        &format!("{sort} => click e2; await yes\n{down} => click e2; click e2; await no"),
    );
    table(
        &page("[ref=e2] [descending]", ["$2", "$1"]),
        &format!("{sort} => nothing; await yes\n{down} => nothing; nothing; await yes"),
    );
    table(&page("[ref=e2] [ascending]", ["$1", "$2"]), &format!("{down} => click e2; click e2; await no"));
    // The header says that it sorts, and the rows are in another order.
    table(&page("[ref=e2] [ascending]", ["$2", "$1"]), "Sort by \"Price\" ascending => nothing; nothing; await no");
    table(
        &page("[ref=e2]", ["$2", "$1"]),
        "Sort the rows => not literal\nSort by \"Size\" => none [columnheader \"Price\" [e2]]; await inconclusive",
    );
}
