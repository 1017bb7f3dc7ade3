use legwork_observe::{Snapshot, fixture::snapshot};

use super::*;

fn orders(rows: &[(&str, &str)]) -> Snapshot {
    let mut text = String::from(
        "- heading \"Orders\" [level=2]\n- table \"Orders\"\n  - row\n    - columnheader \"#\"\n    - columnheader \"Order\"\n    - columnheader \"Status\"\n",
    );
    for ((order, status), number) in rows.iter().zip(1..) {
        text.push_str(&format!(
            "  - row\n    - cell \"{number}\"\n    - cell \"{order}\"\n    - cell \"{status}\"\n    - cell\n      - button \"Ship\" [ref=e{number}]\n"
        ));
    }
    text.push_str("- button \"Ship all\" [ref=e90]\n");
    snapshot(&text)
}

fn place() -> RowPlace {
    RowPlace::read("\"Orders\"").expect("a place")
}

fn key(text: &str) -> Vec<String> {
    vec![text.to_owned()]
}

#[test]
fn a_loop_names_its_variable_and_what_it_runs_over() {
    let read = |text: &str| read_loop(text).map(|words| (words.variable, words.over));
    assert_eq!(read("row in \"Orders\""), Ok(("row".into(), "\"Orders\"".into())));
    assert_eq!(read("each name in ${names}"), Ok(("name".into(), "${names}".into())));
    let refused = |text: &str, why: &str| {
        let error = read(text).expect_err(text).to_string();
        assert!(error.contains(why), "{error}");
    };
    refused("\"Orders\"", "a loop names a variable");
    refused("my row in \"Orders\"", "begins with the name of a variable");
    refused("name in names", "name in ${names}");
    assert!(RowPlace::read("e12").is_err());
}

#[test]
fn a_row_has_its_cells_by_column() {
    let rows = place().rows(&orders(&[("A-1", "open"), ("A-2", "sent")])).expect("rows");
    let values: Vec<_> = rows.rows.iter().map(LoopRow::value).collect();
    assert_eq!(
        values,
        [
            serde_json::json!({"#": "1", "Order": "A-1", "Status": "open"}),
            serde_json::json!({"#": "2", "Order": "A-2", "Status": "sent"}),
        ]
    );
}

#[test]
fn the_key_is_a_column_that_belongs_to_the_row() {
    let columns = |rows: &[(&str, &str)], given| place().rows(&orders(rows)).expect("rows").key_columns(given);
    // The number of a row changes when another row is removed.
    assert_eq!(columns(&[("A-1", "open"), ("A-2", "open")], None), Ok(vec!["Order".to_owned()]));
    assert_eq!(
        columns(&[("A", "open"), ("A", "sent"), ("B", "open")], None),
        Ok(vec!["Order".into(), "Status".into()])
    );
    let equal = columns(&[("A", "open"), ("B", "open"), ("A", "open")], None).expect_err("equal rows");
    assert_eq!(equal, "rows 1 and 3 are both A · open, so they cannot be told apart");
    assert_eq!(columns(&[("A", "x"), ("B", "y")], Some("status")), Ok(vec!["Status".to_owned()]));
    assert!(columns(&[("A", "x"), ("B", "x")], Some("Status")).expect_err("equal").contains("rows 1 and 2 are both x"));
    assert!(columns(&[("A", "x")], Some("Price")).expect_err("no column").contains("#, Order, Status"));
}

#[test]
fn only_the_row_of_the_iteration_stays_on_the_page() {
    let columns = key("Order");
    let (first, second) = (key("A-1"), key("A-2"));
    let none = Value::Null;
    let known = [KnownRow { key: &first, cells: &none }, KnownRow { key: &second, cells: &none }];
    let texts = |page: &Snapshot, current: &[String]| {
        let IterationView { page: only, presence, row } = place().with_only(page, &columns, &known, current);
        let is_row = |row: NodeIndex| {
            only.role(row) == "row" && only.below(row).any(|at| only.nodes[at].name.as_ref() == current[0])
        };
        assert_eq!(row.is_some_and(is_row), presence == RowPresence::Shown);
        let names = |role: &str| -> Vec<String> {
            only.nodes.iter().filter(|node| node.role.as_ref() == role).map(|node| node.name.to_string()).collect()
        };
        for (at, node) in only.nodes.iter().enumerate() {
            assert!(node.end > at && node.end <= only.nodes.len() && node.parent <= at, "{at}: {node:?}");
        }
        let refs =
            only.nodes.iter().filter_map(|node| node.reference).map(|found| found.to_string()).collect::<Vec<_>>();
        (presence, names("cell").get(1).cloned(), refs.join(" "))
    };
    let page = orders(&[("A-1", "open"), ("A-2", "sent"), ("new", "open")]);
    assert_eq!(texts(&page, &first), (RowPresence::Shown, Some("A-1".into()), "e1 e90".into()));
    assert_eq!(texts(&page, &second), (RowPresence::Shown, Some("A-2".into()), "e2 e90".into()));
    // The order does not matter.
    let page = orders(&[("A-2", "sent"), ("A-1", "open")]);
    assert_eq!(texts(&page, &first), (RowPresence::Shown, Some("A-1".into()), "e2 e90".into()));
    // A row that is gone leaves no other row in its place.
    let page = orders(&[("A-2", "sent")]);
    assert_eq!(texts(&page, &first), (RowPresence::Missing, None, "e90".into()));
    let page = orders(&[("A-1", "x"), ("A-1", "y")]);
    assert_eq!(texts(&page, &first), (RowPresence::Several(2), None, "e90".into()));
    // Another page is left as it is.
    let other = snapshot("- heading \"Order A-1\"\n- button \"Ship\" [ref=e1]\n");
    assert_eq!(texts(&other, &first), (RowPresence::NoTable, None, "e1".into()));
    // The table has another name, and is known by its rows.
    let mut renamed = orders(&[("A-1", "open"), ("new", "open")]);
    renamed.nodes[1].name = "Purchases".into();
    renamed.nodes[2].name = "Purchases".into();
    assert_eq!(texts(&renamed, &first), (RowPresence::Shown, Some("A-1".into()), "e1 e90".into()));
}

#[test]
fn a_key_that_now_belongs_to_another_row_shows_none() {
    let table = |rows: &[(&str, &str)]| {
        let rows = rows.iter().map(|(place, name)| {
            format!(
                "  - row\n    - cell \"{place}\"\n    - cell \"{name}\"\n    - cell\n      - button \"Ship\" [ref=e1]\n"
            )
        });
        let head = "- table \"Orders\"\n  - row\n    - columnheader \"Place\"\n    - columnheader \"Customer\"\n";
        snapshot(&(head.to_owned() + &rows.collect::<String>()))
    };
    let before = table(&[("10", "Ada"), ("20", "Bob"), ("30", "Cid")]);
    let rows = place().rows(&before).expect("rows");
    let columns = rows.key_columns(None).expect("a key");
    assert_eq!(columns, ["Place"]);
    let values: Vec<(Vec<String>, Value)> =
        rows.rows.iter().map(|row| (row.key(&columns).expect("a key"), row.value())).collect();
    let known: Vec<KnownRow<'_>> = values.iter().map(|(key, cells)| KnownRow { key, cells }).collect();
    let presence = |page: &Snapshot| place().with_only(page, &columns, &known, &key("20")).presence;
    assert_eq!(presence(&before), RowPresence::Shown);
    assert_eq!(presence(&table(&[("10", "Bob"), ("20", "Cid"), ("30", "Ada")])), RowPresence::Moved);
    // The action changed the row itself.
    assert_eq!(presence(&table(&[("20", "Bob (shipped)"), ("30", "Cid")])), RowPresence::Shown);
}

#[test]
fn a_button_of_the_header_or_the_footer_is_in_no_row() {
    let page = snapshot(
        "- table \"Orders\"\n  - row\n    - columnheader \"Order\"\n    - columnheader\n      - button \"Delete\" [ref=e1]\n  - row\n    - cell \"A-1\"\n    - cell \"locked\"\n  - row\n    - cell \"A-2\"\n    - cell\n      - button \"Delete\" [ref=e2]\n- button \"Delete\" [ref=e3]\n",
    );
    let (first, second, none) = (key("A-1"), key("A-2"), Value::Null);
    let known = [KnownRow { key: &first, cells: &none }, KnownRow { key: &second, cells: &none }];
    let refs = |current: &[String]| {
        let only = place().with_only(&page, &key("Order"), &known, current).page;
        only.nodes.iter().filter_map(|node| node.reference).map(|found| found.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(refs(&first), ["e3"]);
    assert_eq!(refs(&second), ["e2", "e3"]);
}

#[test]
fn a_condition_on_a_row_sees_only_the_row() {
    let page = orders(&[("A-1", "open"), ("A-2", "sent")]);
    let rows = place().rows(&page).expect("rows").rows;
    let alone = rows[1].alone(&page);
    let names: Vec<&str> = alone.nodes.iter().map(|node| node.name.as_ref()).filter(|name| !name.is_empty()).collect();
    assert_eq!(names, ["Orders", "#", "Order", "Status", "2", "A-2", "sent", "Ship"]);
}

#[test]
fn an_item_of_a_list_has_a_title_and_a_text() {
    let page = snapshot(
        "- heading \"Tasks\" [level=2]\n- list\n  - listitem\n    - link \"Call Ada\" [ref=e1]\n    - text: today\n    - button \"Done\" [ref=e2]\n  - listitem\n    - link \"Call Bob\" [ref=e3]\n    - text: today\n    - button \"Done\" [ref=e4]\n",
    );
    let rows = RowPlace::read("the list under \"Tasks\"")
        .or_else(|_| RowPlace::read("\"Tasks\""))
        .expect("a place")
        .rows(&page);
    let rows = rows.expect("items");
    let texts: Vec<&str> = rows.rows[1].cells.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, ["Call Bob", "Call Bob today"]);
    assert_eq!(rows.key_columns(None), Ok(vec!["title".to_owned()]));
}

#[test]
fn an_item_of_a_menu_with_the_name_is_not_the_table() {
    let page = snapshot(
        "- navigation\n  - list\n    - listitem\n      - link \"Orders\" [ref=e1]\n    - listitem\n      - link \"Stock\" [ref=e2]\n- heading \"Orders\" [level=1]\n- table\n  - row\n    - columnheader \"Order\"\n  - row\n    - cell \"A-1\"\n",
    );
    assert_eq!(place().rows(&page).expect("the table").rows.len(), 1);
}

#[test]
fn what_is_no_single_table_is_refused() {
    let page = snapshot("- heading \"Orders\" [level=2]\n- text: none\n");
    assert!(matches!(place().rows(&page), Err(ResolveError::NotFound { .. })));
    let two = snapshot(
        "- region \"Orders\"\n  - table \"Open\"\n    - row\n      - cell \"a\"\n  - table \"Sent\"\n    - row\n      - cell \"b\"\n",
    );
    assert!(matches!(place().rows(&two), Err(ResolveError::Ambiguous { count: 2, .. })));
}
