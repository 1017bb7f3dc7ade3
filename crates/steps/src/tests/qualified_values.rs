//! Values with a sign, a unit or words that change what they say.

use super::*;

#[test]
fn a_number_is_compared_with_its_sign_and_unit() {
    for (shown, asked, result) in [
        ("120.00-", "120.00", "no"),
        ("120.00-", "-120.00", "yes"),
        ("120.00 DR", "120.00", "no"),
        ("120.00 DR", "120.00 DR", "yes"),
        ("120 k", "120", "no"),
        ("120 k", "120000", "yes"),
        ("120 Tsd. €", "120", "no"),
        ("2 M", "2", "no"),
        ("< 3", "3", "no"),
        ("ca. 3", "3", "no"),
        ("< 3", "< 3", "yes"),
        ("120.00", "120", "yes"),
        ("$1,440.00", "1440", "yes"),
        ("5 kg", "5", "yes"),
        ("-120.00", "120.00", "no"),
        ("5,-", "5", "yes"),
    ] {
        let page = legwork_observe::fixture::snapshot(&format!(
            "- table\n  - row\n    - columnheader \"Customer\"\n    - columnheader \"Balance\"\n  - row\n    - cell \"Globex\"\n    - cell \"{shown}\"\n"
        ));
        let line = format!("the balance of \"Globex\" is \"{asked}\" => {result}");
        conditions(&page, &[], &[], &line);
    }
    let page = legwork_observe::fixture::snapshot("- text \"x\"");
    for (value, condition, result) in [
        ("120.00-", "the variable b is greater than 100", "no"),
        ("120.00", "the variable b is greater than 100", "yes"),
        ("120 k", "the variable b is greater than 1000", "yes"),
        ("120.00 DR", "the variable b is greater than 100", "inconclusive"),
        ("about 24 people", "the variable b is greater than 20", "yes"),
    ] {
        conditions(&page, &[("b", Value::from(value))], &[], &format!("{condition} => {result}"));
    }
}

#[test]
fn a_text_that_is_denied_or_goes_on_is_not_shown() {
    let page = legwork_observe::fixture::snapshot(
        r#"
        - term "Paid"
        - definition "No"
        - term "Shipped"
        - definition "3 May"
        - text "Total: 12.50"
        - text "Sum: 12"
        - text "Date: 24.12.2026"
        - text "Large: 12,500"
        - table
          - row
            - cell "INV-1"
            - cell "Not overdue"
            - cell "Paid 0 of 2 instalments"
          - row
            - cell "INV-2"
            - cell "Overdue"
            - cell "Paid 2 of 2 instalments"
        "#,
    );
    conditions(
        &page,
        &[],
        &[],
        r#"
        "Shipped" is shown => yes
        "Total: 12" is shown => no
        "Total: 12.50" is shown => yes
        "Sum: 12" is shown => yes
        "Date: 24.12" is shown => yes
        "Large: 12" is shown => no
        "Overdue" appears in the row of "INV-1" => no
        "Overdue" appears in the row of "INV-2" => yes
        "Not overdue" appears in the row of "INV-1" => yes
        the row of "INV-1" contains "Paid" => no
        the row of "INV-2" contains "Paid" => yes
        the number of rows is 2 => yes
        the number of rows is "3" => no
        the number of rows is greater than 1 => yes
        the sum of the column "Amount" is 350 => inconclusive
        "#,
    );
    let denied = legwork_observe::fixture::snapshot("- term \"Paid\"\n- definition \"No\"\n");
    conditions(&denied, &[], &[], "\"Paid\" is shown => no");
    let paid = legwork_observe::fixture::snapshot("- term \"Paid\"\n- definition \"Yes\"\n");
    conditions(&paid, &[], &[], "\"Paid\" is shown => yes");
}

#[test]
fn a_page_of_a_list_is_behind_its_number() {
    let page = legwork_observe::fixture::snapshot(
        "- button \"1\" [ref=e1]\n- button \"2\" [ref=e2]\n- button \"3\" [ref=e3]\n",
    );
    table(&page, "Go to page 2 => click e2\nClick page 3 => click e3");
    let other = legwork_observe::fixture::snapshot("- button \"Room 2\" [ref=e1]\n- button \"1\" [ref=e2]\n");
    table(&other, "Go to page 2 => none [button \"Room 2\" [e1]]");
}
