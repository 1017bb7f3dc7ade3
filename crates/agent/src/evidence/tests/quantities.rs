//! Values of which the page shows only a part: a lowered number, a shortened text, a choice that was left out.

use super::*;

const SENT: &str = "http://shop.test/do";

fn supports(shown: &str) -> bool {
    shown.lines().any(|line| line.starts_with('+'))
}

#[test]
fn a_smaller_number_than_the_entered_one_supports_nothing() {
    let sent = [request("POST", SENT, 200)];
    let form = |rest: &str| {
        page(&format!(
            "- heading \"Desk lamp\"\n- text \"€ 39.00\"\n- spinbutton \"Quantity\" [editable] [ref=e1]: 10\n- button \"Add to cart\" [ref=e2]\n{rest}"
        ))
    };
    let table = |quantity: &str| {
        format!(
            "- table\n  - row\n    - columnheader \"Product\"\n    - columnheader \"Qty\"\n    - columnheader \"Total\"\n  - row\n    - cell \"Desk lamp\"\n    - cell \"{quantity}\"\n    - cell \"€ 156.00\"\n"
        )
    };
    let status = |text: &str| format!("- status\n  - text \"{text}\"\n");
    let shown = |before: &str, after: &str| shows(click("e2"), &sent, &form(before), &form(after));
    let cart = |count: u32| format!("- text \"Cart: {count}\"\n");
    for after in [
        cart(4),
        status("4 × Desk lamp added to cart"),
        status("4 lamps added to cart"),
        table("4"),
        status("Added to cart. Only 4 left in stock."),
    ] {
        assert!(!supports(&shown(&cart(0), &after)), "{after}: {}", shown(&cart(0), &after));
    }
    for after in [
        cart(10),
        cart(1),
        status("10 × Desk lamp added to cart"),
        status("1 item added to cart"),
        table("10"),
        status("Added to cart"),
        status("Added to cart. Only 40 left in stock."),
        status("2 boxes with 10 lamps added to cart"),
        status("10 lamps added to cart. Only 4 left in stock."),
    ] {
        assert!(supports(&shown(&cart(0), &after)), "{after}: {}", shown(&cart(0), &after));
    }
    assert!(supports(&shown(&cart(2), &cart(12))), "{}", shown(&cart(2), &cart(12)));
}

#[test]
fn the_beginning_of_a_value_is_another_value() {
    let sent = [request("POST", SENT, 200)];
    let form = |value: &str, rest: &str| {
        page(&format!("- textbox \"Title\" [editable] [ref=e1]{value}\n- button \"Save\" [ref=e2]\n{rest}"))
    };
    let shown = |text: &str| {
        let after = form("", &format!("- status\n  - text \"{text}\"\n"));
        shows(click("e2"), &sent, &form(": Quarterly maintenance contract", ""), &after)
    };
    assert!(!supports(&shown("Saved “Quarterly maintenanc”")), "{}", shown("Saved “Quarterly maintenanc”"));
    // The form stays, with what was entered.
    let entered = ": Quarterly maintenance contract";
    let after = form(entered, "- status\n  - text \"Saved “Quarterly maintenanc”\"\n");
    let stays = shows(click("e2"), &sent, &form(entered, ""), &after);
    assert!(!supports(&stays), "{stays}");
    for text in
        ["Saved “Quarterly maintenance contract”", "Saved “Quarterly maintenanc…”", "Saved", "“Quarterly” saved"]
    {
        assert!(supports(&shown(text)), "{text}: {}", shown(text));
    }
}

#[test]
fn an_amount_after_a_sentence_is_compared_too() {
    let sent = [request("POST", SENT, 200)];
    let form = |rest: &str| {
        page(&format!("- textbox \"Amount\" [editable] [ref=e1]: 1,500\n- button \"Save\" [ref=e2]\n{rest}"))
    };
    let shown = |text: &str| shows(click("e2"), &sent, &form(""), &form(&format!("- status\n  - text \"{text}\"\n")));
    assert!(!supports(&shown("Saved. New amount: € 1.50")), "{}", shown("Saved. New amount: € 1.50"));
    for text in ["Saved. New amount: € 1,500.00", "Saved. Amount: 1500", "Saved.", "Saved. Max. amount: € 5,000.00"]
    {
        assert!(supports(&shown(text)), "{text}: {}", shown(text));
    }
}

#[test]
fn a_chosen_option_that_the_list_of_chosen_ones_lacks_was_left_out() {
    let sent = [request("POST", SENT, 200)];
    let form = |rest: &str| {
        page(&format!(
            "- heading \"Roles of Tom Huber\"\n- listbox \"Roles\" [ref=e1]: Sales, Support, Admin\n  - option \"Sales\" [selected]\n  - option \"Support\" [selected]\n  - option \"Admin\" [selected]\n  - option \"Guest\"\n- button \"Save\" [ref=e2]\n{rest}"
        ))
    };
    let shown = |roles: &str| {
        let after = format!("- status\n  - text \"Roles saved\"\n- text \"{roles}\"\n");
        shows(click("e2"), &sent, &form("- text \"Current roles: Guest\"\n"), &form(&after))
    };
    for roles in ["Current roles: Sales, Support", "Current roles: Sales"] {
        assert!(!supports(&shown(roles)), "{roles}: {}", shown(roles));
    }
    for roles in ["Current roles: Sales, Support, Admin", "Sales, Support and 1 more", "Roles of Tom"] {
        assert!(supports(&shown(roles)), "{roles}: {}", shown(roles));
    }
}
