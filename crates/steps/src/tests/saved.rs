//! A saved value is the one that was asked for: by its column, label or unit, or the step fails and says what there is.

use legwork_observe::{Snapshot, fixture};

use super::{conditions, pages, table};
use crate::{Clause, read};

fn accounts() -> Snapshot {
    fixture::snapshot(
        r#"
        - heading "People" [level=1]
        - text: 24 people
        - table "Accounts"
          - row
            - columnheader "Name" [ref=e1]
            - columnheader "Seats"
            - columnheader "Amount"
            - columnheader "Due date"
          - row
            - cell "Initech"
            - cell "2"
            - cell "$734.50"
            - cell "1 March"
          - row
            - cell "Ada"
            - cell "9"
            - cell "$1.00"
            - cell
        - list "Lamps"
          - listitem
            - heading "Desk lamp" [level=3]
            - text: $24.50
            - text: 3 in stock
          - listitem
            - heading "Floor lamp" [level=3]
            - text: $80.00
            - text: was
            - text: $90.00
        - term "Order number"
        - definition "A-17"
        - text: "Total: $12"
        - textbox "Reference" [ref=e5]: R-1
        - link "Home" [ref=e6]
        "#,
    )
}

#[test]
fn a_value_is_found_by_its_column_label_or_unit() {
    table(
        &accounts(),
        r#"
        Save the amount of Initech as amount => amount="$734.50"
        Save the amount of "Initech" as amount => amount="$734.50"
        Save the due date of Initech as due => due="1 March"
        Save the "Due date" of "Initech" as due => due="1 March"
        Save the seats of Ada as seats => seats="9"
        Save the amount for Initech as amount => amount="$734.50"
        Save the number of people as n => n=24
        Save the Amount in the row of "Initech" as amount => amount="$734.50"
        Save the amount in the row of Initech as amount => amount="$734.50"
        Save the price of "Desk lamp" as price => price="$24.50"
        Save the price of "Floor lamp" as price => several 2
        Save the price of Ada as price => none []
        Save the due date of Ada as due => wrong empty
        Save the weight of Initech as w => none []
        Save the amount of Umbrella as amount => none [row "Name Seats Amount Due date", row "Initech 2 $734.50 1 March", row "Ada 9 $1.00", listitem "Desk lamp $24.50 3 in stock", listitem "Floor lamp $80.00 was $90.00"]
        Save the number of robots as n => none []
        Save the order number as order => order="A-17"
        Save the text of "Order number" as order => order="A-17"
        Save the reference as reference => save e5 reference
        Save the amount as amount => several 5
        Save "Amount" as amount => several 5
        Save the name as name => none []
        Save the text of "Home" as home => save e6 home
        Save the number of rows as n => n=2
        Save the amount of rows as n => n=2
        Save the number of items in the list "Lamps" as n => n=2
        "#,
    );
}

#[test]
fn an_amount_is_compared_as_a_number_where_it_can_be_read_in_one_way() {
    conditions(
        &accounts(),
        &[("sum", "$1,734.50".into()), ("count", "1,734".into())],
        &[],
        r#"
        the amount of Initech is 734.5 => yes
        the amount of Initech is "734.50" => yes
        the amount of Initech is 734 => no
        the amount of Ada is 1 => yes
        the amount of Ada is "€1.00" => no
        the variable sum is 1734.5 => yes
        the variable count is 1734 => no
        "#,
    );
}

#[test]
fn an_amount_in_the_other_notation_is_not_taken_for_a_small_one() {
    let page = fixture::snapshot(
        "- term \"Total\"\n- text: € 1.440,00\n- term \"Limit\"\n- text: \"1.200\"\n- term \"Change\"\n- text: (1,234.00)\n",
    );
    conditions(
        &page,
        &[("total", "1.440,00".into()), ("limit", "1.200".into()), ("change", "(1,234.00)".into())],
        &[],
        r#"
        the variable total is less than 100 => no
        the variable total is greater than 1,000 => yes
        the variable limit is less than 100 => inconclusive
        the variable limit is 1.2 => no
        the variable change is less than 2000 => inconclusive
        "#,
    );
}

#[test]
fn an_order_number_is_called_no_or_has_a_sign() {
    for text in ["Order no. A-1017", "Order #A-1017", "Order nr. A-1017", "Order number: A-1017", "Order No. A-1017."] {
        let page = fixture::snapshot(&format!("- heading \"Thank you\"\n- text: {text}\n- text: We ship today.\n"));
        table(&page, "Save the order number as order => order=\"A-1017\"");
    }
    let page = fixture::snapshot("- term \"Order no.\"\n- definition \"A-17\"\n");
    table(&page, "Save the order number as order => order=\"A-17\"");
    let page = fixture::snapshot("- text: Order no. is being made\n");
    table(&page, "Save the order number as order => none []");
}

#[test]
fn the_status_in_a_row_is_a_column_and_no_message() {
    let page = fixture::snapshot(
        "- table\n  - row\n    - columnheader \"Name\"\n    - columnheader \"Status\"\n  - row\n    - cell \"Acme\"\n    - cell \"Paid\"\n",
    );
    table(
        &page,
        r#"
        Save the status of Acme as s => s="Paid"
        Save the Status in the row of "Acme" as s => s="Paid"
        Save the status of "Acme" as s => s="Paid"
        "#,
    );
    conditions(&page, &[], &[], "the status of \"Acme\" is \"Paid\" => yes\nthe status of Acme is \"Open\" => no");
}

#[test]
fn a_number_that_the_page_says_otherwise_is_not_counted() {
    let page = fixture::snapshot(
        "- heading \"Results\"\n- text: 1–2 of 24 results\n- list\n  - listitem \"A\"\n  - listitem \"B\"\n- text: People (1,024)",
    );
    table(
        &page,
        r#"
        Save the number of results as n => several 2
        Save the number of results shown as n => n=2
        Save the number of people as n => n=1024
        "#,
    );
    table(&pages::users(), "Save the number of users as n => n=3");
}

#[test]
fn a_count_of_rows_needs_a_table_and_a_name_is_not_found_within_another() {
    let page = fixture::snapshot(
        "- heading \"Nothing here\"\n- term \"Subtotal\"\n- definition \"$9.10\"\n- button \"Unread\" [ref=e1]\n",
    );
    table(
        &page,
        r#"
        Save the number of rows as n => none []
        Save the number of buttons as n => n=1
        Save the number of links as n => n=0
        Save the text of "Total" as t => none [term "Subtotal"]
        Click "read" => none [button "Unread" [e1]]
        "#,
    );
    let rows = fixture::snapshot(
        "- table\n  - row\n    - cell \"Invoice 10\"\n    - button \"Delete\" [ref=e1]\n  - row\n    - cell \"Bill 3\"\n    - button \"Delete\" [ref=e2]\n",
    );
    table(
        &rows,
        "Click \"Delete\" in the row of \"Invoice 1\" => none [row \"Invoice 10 Delete\", row \"Bill 3 Delete\"]",
    );
    table(&rows, "Click \"Delete\" in the row of \"Invoice\" => click e1");
    let two =
        fixture::snapshot("- main\n  - table\n    - row\n      - cell \"a\"\n- table\n  - row\n    - cell \"b\"\n");
    table(&two, "Save the number of rows as n => n=1");
}

#[test]
fn footers_details_and_placeholders_are_no_rows_that_people_count() {
    let header = "- table\n  - row\n    - columnheader \"Name\"\n    - columnheader \"Amount\"\n";
    let row = |name: &str| format!("  - row\n    - cell \"{name}\"\n    - cell \"1\"\n");
    let page = fixture::snapshot(&format!(
        "{header}{}  - row\n    - cell \"Last login yesterday\"\n{}  - row [footer]\n    - cell \"Total\"\n    - cell \"2\"\n",
        row("Ada"),
        row("Bob"),
    ));
    table(&page, "Save the number of rows as n => n=2");
    conditions(&page, &[], &[], "there are 2 rows => yes\nthere is a row with \"Total\" => yes");
    let page = fixture::snapshot(&format!("{header}  - row\n    - cell \"No users found\"\n"));
    table(&page, "Save the number of rows as n => n=0");
    conditions(&page, &[], &[], "there are 0 rows => yes\nthe table is empty => yes");
    let page = fixture::snapshot("- table\n  - row\n    - columnheader \"Name\"\n  - row\n    - cell \"Ada\"\n");
    table(&page, "Save the number of rows as n => n=1");
}

#[test]
fn of_a_table_that_is_drawn_in_part_nothing_is_said_of_the_rest() {
    let page = fixture::snapshot(
        r#"
        - grid "Orders" [size=5000]
          - row
            - columnheader "Customer"
            - columnheader "Status"
          - row
            - cell "Globex"
            - cell "Paid"
        - list "Members"
          - listitem "Ada" [size=90]
          - listitem "Bob" [size=90]
        - list "Owners"
          - listitem "Ada" [size=1]
        "#,
    );
    table(
        &page,
        r#"
        Save the number of rows as n => several 2
        Save the number of rows shown as n => n=1
        Save the number of items in the list "Owners" as n => n=1
        Save the number of items in the list "Members" as n => several 2
        "#,
    );
    conditions(
        &page,
        &[],
        &[],
        r#"
        "Globex" is in the table => yes
        "Initech" is not in the table => inconclusive
        there is no row with "Initech" => inconclusive
        there are 1 rows => inconclusive
        "Cy" is not in the list "Members" => inconclusive
        "Cy" is not in the list "Owners" => yes
        "#,
    );
}

#[test]
fn a_value_in_a_sentence_is_the_value_alone() {
    let page = fixture::snapshot(
        r#"
        - text: Your account number: 4711
        - text: Your order number is A-4711.
        - text: The tracking number is on its way
        - text: Please quote the invoice number when you pay
        - text: Our customer code
        - text: C-12
        "#,
    );
    table(
        &page,
        r#"
        Save the account number as n => n="4711"
        Save "Account number" as n => n="4711"
        Save the order number as n => n="A-4711"
        Save the customer code as n => n="C-12"
        Save the tracking number as n => none []
        Save the invoice number as n => none []
        Save the text of "invoice number" as n => n="Please quote the invoice number when you pay"
        "#,
    );
}

#[test]
fn a_failure_says_what_there_is() {
    let source_text = |step: &str| {
        let sentence = read(step).expect("it reads");
        let Clause::Do(instruction) = &sentence.clauses()[0] else { panic!("an instruction") };
        instruction.decide(&accounts()).expect_err("nothing fits").to_string()
    };
    insta::assert_snapshot!(source_text("Save the price of Ada as price"), @r#"there is no “price” of Ada; the row of Ada has the columns “Name”, “Seats”, “Amount”, “Due date”"#);
    insta::assert_snapshot!(source_text("Save the number of robots as n"), @r#"there is no number of robots; no text says it, such as “24 robots”; to count what is shown: `Save the number of rows as n`"#);
}

#[test]
fn a_check_asks_for_the_same_value() {
    conditions(
        &accounts(),
        &[],
        &[],
        r#"
        the amount of Initech is "$734.50" => yes
        the amount of Initech is "2" => no
        the amount of Initech is not "2" => yes
        the amount of Initech is greater than 700 => yes
        the price of Ada is "Ada" => inconclusive
        the amount of Ada is "$1.00" => yes
        the price of Ada is not "7" => inconclusive
        "#,
    );
}

#[test]
fn several_values_are_all_chosen_or_none() {
    let page = |multiple: &str, second: &str| {
        fixture::snapshot(&format!(
            "- listbox \"Tags\" [ref=e1]{multiple}\n  - option \"red\" [selected]\n  - option \"green\"{second}\n  - option \"blue\""
        ))
    };
    let both = "Choose the tags \"red\" and \"green\"";
    table(&page(" [multiple]", " [selected]"), &format!("{both} => select e1 red|green; nothing"));
    table(
        &page(" [multiple]", ""),
        &format!("{both} => select e1 red|green; wrong not chosen, although it was asked for"),
    );
    table(
        &page("", ""),
        r#"
        Choose the tags "red" and "green" => wrong listbox "Tags" [e1]; wrong not chosen, although it was asked for
        Choose "red" and "green" => wrong listbox "Tags" [e1]; wrong not chosen, although it was asked for
        Choose "red" and "green" from "Tags" => wrong listbox "Tags" [e1]; wrong not chosen, although it was asked for
        Choose the tag "green" => select e1 green
        Choose the fruit "green" => none []
        "#,
    );
    let boxes = fixture::snapshot(
        "- group \"Tags\"\n  - checkbox \"red\" [ref=e1] [checked]\n  - checkbox \"green\" [ref=e2]\n- radio \"small\" [ref=e3]\n- radio \"large\" [ref=e4]",
    );
    table(
        &boxes,
        r#"
        Choose the tags "red" and "green" => check e2; wrong not chosen, although it was asked for
        Choose "small" and "large" => wrong radio "large" [e4]; wrong not chosen, although it was asked for
        "#,
    );
    let picker = fixture::snapshot(
        "- combobox \"Tags\" [ref=e1]\n- button \"Remove red\" [ref=e2]\n- generic [ref=e3]\n  - text: green",
    );
    table(
        &picker,
        "Choose \"red\" and \"green\" from \"Tags\" => select e1 red|green; wrong not chosen, although it was asked for",
    );
}

#[test]
fn a_cell_that_spans_others_makes_no_value_of_another_column() {
    let page = fixture::snapshot(
        r#"
        - table
          - row
            - columnheader "Customer"
            - columnheader "Invoice"
            - columnheader "Amount"
          - row
            - cell "Initech"
            - cell "I-1"
            - cell "$99.00"
          - row
            - cell "I-2"
            - cell "$500.00"
          - row
            - cell "Details of I-2"
          - row
            - cell "Acme Ltd"
            - cell "I-9"
            - cell "$1.00"
          - row
            - cell "Hooli"
            - cell "I-3"
            - cell "$7.00"
            - cell
              - button "Edit" [ref=e1]
          - row
            - cell "Umbrella"
            - cell "I-4"
            - cell "$8.00"
            - cell "$9.00"
        "#,
    );
    table(
        &page,
        r#"
        Save the amount of "I-1" as v => none []
        Save the amount of Initech as v => none []
        Save the amount of "Acme Ltd" as v => v="$1.00"
        Save the customer of "I-2" as v => none []
        Save the amount of "I-2" as v => none []
        Save the amount of "Hooli" as v => v="$7.00"
        Save the amount of "Umbrella" as v => none []
        "#,
    );
}

#[test]
fn a_value_of_a_record_of_another_name_says_which() {
    let page = fixture::snapshot(
        "- table\n  - row\n    - columnheader \"Customer\"\n    - columnheader \"Parent\"\n    - columnheader \"Amount\"\n  \
         - row\n    - cell \"Initech Ltd\"\n    - cell\n    - cell \"$12.00\"\n  \
         - row\n    - cell \"Hooli\"\n    - cell \"Globex\"\n    - cell \"$99.00\"\n",
    );
    table(
        &page,
        r#"
        Save the amount of Initech as v => v="$12.00" at "Initech Ltd" in part
        Save the amount in the row of "Initech" as v => v="$12.00" at "Initech Ltd" in part
        Save the amount of "Initech Ltd" as v => v="$12.00"
        Save the amount of Globex as v => v="$99.00" at "Hooli"
        Save the amount of Hooli as v => v="$99.00"
        "#,
    );
}

#[test]
fn a_term_says_more_than_its_name_and_its_value_follows() {
    // As the browser tells it: a definition has no role of its own.
    let page = fixture::snapshot(
        r#"
        - term "VAT 20 %"
        - text: € 240,00
        - term "Total (incl. VAT)"
          - text: Total (incl. VAT)
        - text: € 1.440,00
        - term "Discount code (optional)"
        - term "Weight of all"
        - button "Change" [ref=e1]
        "#,
    );
    table(
        &page,
        r#"
        Save the total as v => v="€ 1.440,00"
        Save the VAT as v => several 2
        Save the discount code as v => wrong a term without a value
        Save the weight as v => wrong a term without a value
        "#,
    );
}

#[test]
fn an_amount_with_a_name_of_its_own_is_not_the_price() {
    let page = fixture::snapshot(
        r#"
        - heading "Desk lamp" [level=2]
        - text: $49.00 $39.00
        - text: Shipping $5.00
        - heading "Floor lamp" [level=2]
        - text: now $39.00
        "#,
    );
    table(
        &page,
        r#"
        Save the price of "Desk lamp" as v => none []
        Save the price of "Floor lamp" as v => v="now $39.00"
        "#,
    );
}

#[test]
fn an_amount_right_behind_its_label_is_its_value_and_a_mailbox_says_its_number() {
    let page = fixture::snapshot(
        "- text: Subtotal$100.00\n- text: Total due($45.00)\n- status\n  - text: You have 3 unread messages.\n",
    );
    table(
        &page,
        r#"
        Save the subtotal as v => v="$100.00"
        Save the total due as v => v="($45.00)"
        Save the number of unread messages as n => n=3
        "#,
    );
    conditions(
        &page,
        &[("due", "Total due($45.00)".into()), ("amount", "($45.00)".into())],
        &[],
        "the variable due is greater than 0 => inconclusive\nthe variable amount is greater than 0 => inconclusive",
    );
}
