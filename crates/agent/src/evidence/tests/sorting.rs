//! Sorted tables, and texts that repeat what was entered.

use super::*;

#[test]
fn a_table_that_was_in_order_already_is_sorted() {
    let url = "http://shop.test/orders?sort=price__asc";
    let led = |prices: [&str; 3], url: &str| {
        let lines = format!(
            "- table\n  - row\n    - columnheader \"Name\"\n    - columnheader \"Price\"\n      - link \"Price\" [ref=e1]\n{}",
            prices.map(|price| format!("  - row\n    - cell \"x\"\n    - cell \"{price}\"\n")).concat()
        );
        let before = page(&lines);
        shows(click("e1"), &[loaded(url, 200)], &before, &Snapshot { url: url.into(), ..page(&lines) })
    };
    assert!(led(["$9.00", "$10.00", "$11.00"], url).contains("+ address"));
    assert!(led(["$11.00", "$10.00", "$9.00"], url).contains("+ address"));
    for prices in [["$9.00", "$11.00", "$10.00"], ["$9.00", "$9.00", "$9.00"]] {
        assert!(led(prices, url).contains("· same_page"), "the order was ignored, or cannot be told: {prices:?}");
    }
    assert!(led(["$9.00", "$10.00", "$11.00"], "http://shop.test/orders?page=2").contains("· same_page"));
}

#[test]
fn a_text_that_repeats_the_value_of_the_closed_field_is_no_change_by_itself() {
    let before = page("- text: Flow 1\n- textbox \"Name\" [ref=e1] [editable]: Sensors\n- button \"Done\" [ref=e2]\n");
    let shown = |after: &str| {
        let after = Snapshot { title: "Node-RED : Sensors".into(), title_changes_itself: true, ..page(after) };
        shows(click("e2"), &[], &before, &after)
    };
    let saved = shown("- heading \"Sensors\" [self-changing]\n");
    assert!(saved.contains("+ title") && !saved.contains("· self_changing"), "{saved}");
    let open = shown("- text: Other\n- textbox \"Name\" [ref=e1] [editable]: Sensors\n- button \"Done\" [ref=e2]\n");
    assert!(open.contains("· self_changing"), "a preview of an open field: {open}");
}
