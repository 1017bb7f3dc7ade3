//! Observations stay within their budget and state what they leave out.

use insta::assert_snapshot;
use legwork_observe::{Node, Snapshot, States, expand, find, fixture::snapshot, render, tokens};
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
        "text", "text", "text", "link", "button", "textbox", "heading", "list", "listitem", "table", "row", "cell",
        "generic", "combobox", "option", "img", "iframe", "main",
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
                    matches!(role, "link" | "button" | "textbox" | "combobox") || role == "generic" && joined;
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
    fn find_stays_within_the_token_budget(page in any_page(), max in 1_usize..200) {
        prop_assert!(find(&page, "a", max).expect("it is plain text").tokens <= max);
    }
}
