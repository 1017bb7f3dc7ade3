//! Observations stay within their budget and state what they leave out.

use insta::assert_snapshot;
use legwork_observe::{Node, Snapshot, States, expand, find, fixture::snapshot, full_text, render, tokens};
use legwork_protocol::{Ref, Target, View};
use proptest::prelude::*;

fn within(max_tokens: usize) -> View {
    View { max_tokens, ..View::default() }
}

fn invoices(rows: usize) -> Snapshot {
    let mut text = "- table \"Invoices\"\n".to_owned();
    for row in 1..=rows {
        text.push_str(&format!(
            "  - row\n    - cell \"R-{row:04}\"\n    - cell \"customer {}\"\n    - cell\n      - button \"Edit\" [ref=e{row}]\n",
            row % 7
        ));
    }
    snapshot(&text)
}

#[test]
fn a_short_page_is_rendered_completely() {
    let page = snapshot(
        r#"
        - heading "Sign in" [level=1]
        - navigation
          - list
            - listitem
              - link "Home" [ref=e4]
        - textbox "User name" [ref=e1] [required]: alice
        - checkbox "Stay" [ref=e3] [checked]
        - button "Sign in" [ref=e2]
        - text: Welcome
        "#,
    );
    assert_snapshot!(render(&page, &View::default()).text, @r#"
    - heading "Sign in" [level=1]
    - navigation:
      - link "Home" [ref=e4]
    - textbox "User name" [ref=e1] [required]: alice
    - checkbox "Stay" [ref=e3] [checked]
    - button "Sign in" [ref=e2]
    - text: Welcome
    "#);
}

#[test]
fn repeated_rows_are_rendered_as_differences() {
    let shown = render(&invoices(40), &View::default());
    let text: Vec<&str> = shown.text.lines().take(6).collect();
    assert_snapshot!(text.join("\n"), @r#"
    - table "Invoices":
      - row: R-0001 | customer 1 | button "Edit" [ref=e1]
      - row: R-0002 | customer 2 | button "Edit" [ref=e2]
      - … 38 more rows like these:
        e3 R-0003 | customer 3
        e4 R-0004 | customer 4
    "#);
    assert_eq!(shown.left_out.len(), 1);
}

#[test]
fn a_thousand_rows_are_rendered_with_their_keys() {
    let shown = render(&invoices(1_000), &View::default());
    assert!(shown.tokens <= 8_000);
    for key in ["R-0001", "R-0500", "R-1000"] {
        assert!(shown.text.contains(key), "{key} is not shown");
    }
}

#[test]
fn a_field_value_is_separated_from_the_next_element_of_its_line() {
    let mut page = snapshot(
        r#"
        - main
          - text: Buy
          - spinbutton "Quantity" [ref=e1]: 3
          - link "jars" [ref=e2]
        - listitem
          - textbox "Note" [ref=e3]: to be called
          - button "Save" [ref=e4]
        "#,
    );
    for node in page.nodes.iter_mut().filter(|node| !matches!(node.role.as_ref(), "main" | "listitem" | "document")) {
        node.joined = true;
    }
    let shown = render(&page, &View::default()).text;
    assert!(shown.contains(r#"spinbutton "Quantity" [ref=e1]: 3 | link "jars" [ref=e2]"#), "{shown}");
    assert!(shown.contains(r#"textbox "Note" [ref=e3]: to be called | button "Save" [ref=e4]"#), "{shown}");
    assert!(shown.contains(r#"text: Buy spinbutton"#), "a text without a value is not separated: {shown}");
}

#[test]
fn an_unlimited_budget_does_not_overflow() {
    let shown = render(&invoices(3), &within(usize::MAX));
    assert_eq!(shown.text, render(&invoices(3), &View::default()).text);
    assert!(!render(&invoices(1_000), &within(usize::MAX)).text.is_empty());
    assert!(!legwork_observe::diff(&invoices(3), &invoices(4), &within(usize::MAX)).text.is_empty());
}

#[test]
fn the_view_limits_the_output_by_interactivity_root_and_depth() {
    let page = snapshot(
        r#"
        - main
          - text: Much text
          - dialog "Really?"
            - text: Sure?
            - button "Yes" [ref=e1]
        - link "Imprint" [ref=e2]
        "#,
    );
    let interactive = View { interactive: true, ..View::default() };
    assert_snapshot!(render(&page, &interactive).text, @r#"
    - button "Yes" [ref=e1]
    - link "Imprint" [ref=e2]
    "#);
    let rooted = View { root: Some(Target("role=dialog".into())), ..View::default() };
    assert_snapshot!(render(&page, &rooted).text, @r#"
    - dialog "Really?":
      - text: Sure?
      - button "Yes" [ref=e1]
    "#);
    let shallow = render(&page, &View { depth: Some(1), ..View::default() });
    assert_snapshot!(format!("{}{}", shallow.text, shallow.left_out.join("\n")), @r#"
    - main:
    - link "Imprint" [ref=e2]
    4 nodes are below the depth of the view; use a larger depth or another root
    "#);
    assert_snapshot!(expand(&page, Ref(1), 100).text, @r#"- button "Yes" [ref=e1]"#);
}

#[test]
fn find_matches_collapsed_rows() {
    let found = find(&invoices(1_000), "r-0777", 200).expect("it is plain text");
    assert_snapshot!(found.text, @r#"
    in table "Invoices":
    - row: R-0777 | customer 0 | button "Edit" [ref=e777]
    "#);
    let found = find(&invoices(1_000), "/R-09\\d\\d/", 120).expect("it is a regular expression");
    assert_eq!(found.matches, 100);
    assert!(found.tokens <= 120 && found.text.ends_with("more lines match\n"), "{}", found.text);
    assert!(find(&invoices(1), "/(/", 100).is_err());
    assert_snapshot!(find(&invoices(1), "zebra", 100).expect("it is plain text").text, @"nothing on the page matches zebra");
}

#[test]
fn find_matches_texts_but_no_refs_and_shows_the_row_of_a_match() {
    let page = orders(50, &[24]);
    let found = find(&page, "24", 400).expect("it is plain text");
    assert_eq!(found.matches, 1, "refs such as e240 do not match: {}", found.text);
    assert_snapshot!(found.text, @r#"
    in table:
    - row: checkbox "Select row" [ref=e240] [checked] | cell "24" | link "0" [ref=e241] | cell "Desk" | link "Copy row as JSON" [ref=e242] | link "Delete" [ref=e243]
    "#);
    let by_ref = find(&page, "e903", 400).expect("it is plain text");
    assert_snapshot!(by_ref.text, @r#"
    in the page:
    - link "Query" [ref=e903]
    "#);
    assert_eq!(find(&page, "e24", 400).expect("it is plain text").matches, 0, "no element has this ref");
}

#[test]
fn find_matches_addresses_only_if_no_text_matches() {
    let page = snapshot(
        r#"
        - heading "Orders" [level=1]
        - list
          - listitem
            - link "Open" [ref=e1] [href=http://site.test/orders/24]
            - text: paid
            - button "Delete" [ref=e2]
          - listitem
            - text: Order 24
            - button "Delete" [ref=e4]
        "#,
    );
    assert_snapshot!(find(&page, "24", 400).expect("it is plain text").text, @r#"
    in heading "Orders":
    - text: Order 24 | button "Delete" [ref=e4]
    "#);
    assert_snapshot!(find(&page, "orders/24", 400).expect("it is plain text").text, @r#"
    in heading "Orders":
    - link "Open" [ref=e1] | text: paid | button "Delete" [ref=e2]
    "#);
}

/// A page with any number of nodes: sections with texts, links and fields.
fn endless(nodes: usize) -> Snapshot {
    let mut page = Snapshot { nodes: vec![Node { role: "document".into(), ..Node::default() }], ..Snapshot::default() };
    for at in 1..nodes {
        let (role, name) = match at % 11 {
            0 => ("heading", format!("Part {at}")),
            1 | 5 => ("link", format!("see {at}")),
            7 => ("textbox", format!("Field {at}")),
            _ => ("text", format!("Some words about the number {at} {}", "and more ".repeat(at % 23))),
        };
        let is_actionable = matches!(role, "link" | "textbox");
        page.nodes.push(Node {
            role: role.into(),
            name: name.trim().into(),
            end: at + 1,
            states: States(if is_actionable { States::ACTIONABLE } else { 0 }),
            reference: is_actionable.then_some(Ref(at as u32)),
            ..Node::default()
        });
    }
    page.nodes[0].end = page.nodes.len();
    page
}

#[test]
fn a_page_with_a_hundred_thousand_nodes_stays_within_the_budget() {
    let page = endless(100_000);
    for max in [500, 8_000] {
        let shown = render(&page, &within(max));
        assert!(shown.tokens <= max && shown.tokens * 2 > max, "{} tokens of {max}", shown.tokens);
        assert!(shown.left_out.iter().any(|line| line.contains("lines did not fit")), "{:?}", shown.left_out);
    }
}

fn any_page() -> impl Strategy<Value = Snapshot> {
    let role = prop::sample::select(vec![
        "text", "text", "text", "link", "button", "textbox", "heading", "list", "listitem", "term", "table", "row",
        "cell", "generic", "combobox", "option", "img", "iframe", "main",
    ]);
    let name = prop_oneof!["[a-z]{0,6}", "\\PC{0,40}", "([a-z]{1,9} ){0,80}"];
    let node = (role, name, 0_usize..6, any::<bool>(), prop::option::of("[a-z\n]{0,9}"), 1_usize..12);
    prop::collection::vec(node, 1..60).prop_map(|nodes| {
        let mut page =
            Snapshot { nodes: vec![Node { role: "document".into(), ..Node::default() }], ..Snapshot::default() };
        let mut open = vec![0];
        for (role, name, up, joined, value, times) in nodes {
            open.truncate(open.len().saturating_sub(up).max(1));
            let parent = *open.last().expect("the document stays open");
            for _ in 0..times {
                let index = page.nodes.len();
                let is_actionable =
                    matches!(role, "link" | "button" | "textbox" | "combobox") || role != "text" && joined;
                page.nodes.push(Node {
                    parent,
                    role: role.into(),
                    name: name.trim().into(),
                    joined,
                    value: value.as_deref().filter(|_| role == "textbox").map(Into::into),
                    states: States(if is_actionable { States::ACTIONABLE } else { 0 }),
                    reference: Some(Ref(index as u32)),
                    ..Node::default()
                });
            }
            open.push(page.nodes.len() - 1);
        }
        for index in (0..page.nodes.len()).rev() {
            page.nodes[index].end = page.nodes[index].end.max(index + 1);
            let (parent, end) = (page.nodes[index].parent, page.nodes[index].end);
            page.nodes[parent].end = page.nodes[parent].end.max(end);
        }
        page
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn rendering_stays_within_the_token_budget_and_reports_omissions(page in any_page(), max in 1_usize..600) {
        let shown = render(&page, &within(max));
        prop_assert!(shown.tokens <= max);
        prop_assert_eq!(shown.tokens, tokens::count(&shown.text));
        let full = render(&page, &within(1_000_000));
        prop_assert!(full.text == shown.text || !shown.left_out.is_empty());
    }

    #[test]
    fn every_rendered_ref_exists_in_the_snapshot(page in any_page()) {
        let shown = render(&page, &View::default());
        for part in shown.text.split("[ref=").skip(1) {
            let reference = part.split(']').next().and_then(Ref::parse).expect("a ref follows");
            prop_assert!(page.find_ref(reference).is_some());
        }
    }

    #[test]
    fn every_ref_of_an_actionable_element_is_printed(page in any_page()) {
        let printed = full_text(&page, usize::MAX);
        let is_printed = |at: usize| {
            page.nodes[at].reference.is_some_and(|reference| printed.contains(&format!("[ref={reference}]")))
        };
        for (at, node) in page.nodes.iter().enumerate().filter(|(_, node)| node.states.actionable()) {
            // A wrapper is represented by the only element in it, a heading by the element that it names.
            let is_represented = node.role.as_ref() == "generic" && page.below(at).any(is_printed)
                || node.role.as_ref() == "heading" && is_printed(node.parent);
            prop_assert!(is_printed(at) || is_represented, "{:?} is not in {}", node, printed);
        }
    }

    #[test]
    fn find_stays_within_the_token_budget(page in any_page(), max in 1_usize..200) {
        prop_assert!(find(&page, "a", max).expect("it is plain text").tokens <= max);
    }
}

/// A table with a box to tick in each row; the rows in `ticked` have it checked.
fn orders(rows: u32, ticked: &[u32]) -> Snapshot {
    let mut text = "- link \"Structure\" [ref=e901]\n- link \"Content\" [ref=e902]\n- link \"Query\" [ref=e903]\n- link \"Drop\" [ref=e904]\n- table\n".to_owned();
    for row in 1..=rows {
        let (first, checked) = (row * 10, if ticked.contains(&row) { " [checked]" } else { "" });
        text.push_str(&format!(
            "  - row\n    - cell\n      - checkbox \"Select row\" [ref=e{first}]{checked}\n    - cell \"{row}\"\n    - cell\n      - link \"{}\" [ref=e{}]\n    - cell \"{}\"\n    - cell\n      - link \"Copy row as JSON\" [ref=e{}]\n      - link \"Delete\" [ref=e{}]\n",
            row % 8,
            first + 1,
            ["Desk", "Chair", "Lamp"][row as usize % 3],
            first + 2,
            first + 3
        ));
    }
    snapshot(&text)
}

#[test]
fn a_page_that_fits_is_shown_again_without_gaps() {
    let page = orders(50, &[]);
    let shown = render(&page, &View { brief: true, ..within(16_000) });
    for row in 3..=50 {
        let line = format!("e{}–e{} {row} | {} | ", row * 10, row * 10 + 3, row % 8);
        assert!(shown.text.contains(&line), "{line} is missing: {}", shown.text);
    }
    for link in ["Structure e901", "Content e902", "Query e903", "Drop e904"] {
        assert!(shown.text.contains(link), "{link} is missing: {}", shown.text);
    }
    assert!(shown.tokens < render(&page, &within(16_000)).tokens);
    assert!(render(&page, &View { brief: true, ..within(400) }).tokens <= 400, "a large page stays within its budget");
}

#[test]
fn the_state_of_one_row_among_many_is_shown() {
    let shown = render(&orders(50, &[5, 24]), &within(16_000)).text;
    let lines: Vec<&str> = shown.lines().map(str::trim).filter(|line| line.contains("checked")).collect();
    assert_eq!(lines, ["e50–e53 5 | 5 | Lamp | e50 [checked]", "e240–e243 24 | 0 | Desk | e240 [checked]"]);
    let keys = render(&invoices(40), &View::default()).text;
    assert!(!keys.contains("checked"), "{keys}");
}

#[test]
fn equal_numbers_in_a_row_are_both_shown() {
    let shown = render(&orders(50, &[]), &within(16_000)).text;
    assert!(shown.contains(" 16 | 0 | Chair"), "{shown}");
    assert!(shown.contains(" 11 | 3 | Lamp"), "{shown}");
    assert!(shown.contains(" 17 | 1 | Lamp"), "the 1 is part of the 17 but another value: {shown}");
}

#[test]
fn items_that_can_be_clicked_are_printed_with_ref_and_text() {
    let page = snapshot(
        r#"
        - list
          - listitem [ref=e1]
            - text: Order 17
          - listitem
            - text: Plain
        - term [ref=e2]
          - text: Delivery
        - generic [ref=e3]
          - text: Card
          - button "Remove" [ref=e4]
        - generic [ref=e5]
          - button "Alone" [ref=e6]
        "#,
    );
    assert_snapshot!(render(&page, &View::default()).text, @r#"
    - listitem [ref=e1]: Order 17
    - Plain
    - term [ref=e2]: Delivery
    - generic [ref=e3]:
      - text: Card
      - button "Remove" [ref=e4]
    - button "Alone" [ref=e6]
    "#);
    assert_snapshot!(render(&page, &View { interactive: true, ..View::default() }).text, @r#"
    - listitem [ref=e1]: Order 17
    - term [ref=e2]: Delivery
    - generic [ref=e3]: Card
    - button "Remove" [ref=e4]
    - button "Alone" [ref=e6]
    "#);
}

#[test]
fn generated_ids_are_not_printed() {
    let page = snapshot(
        "- textbox [ref=e1] [id=:r1:]\n- textbox [ref=e2] [id=mui-83920112] [name=city]\n- textbox [ref=e3] [id=street]",
    );
    assert_snapshot!(render(&page, &View::default()).text, @r"
    - textbox [ref=e1]
    - textbox [ref=e2] [id=city]
    - textbox [ref=e3] [id=street]
    ");
}
