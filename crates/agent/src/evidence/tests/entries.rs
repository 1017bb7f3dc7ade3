//! What an entry of a list, a shown value or a list that was searched shows of a change.

use super::*;

const SENT: &str = "http://shop.test/do";

fn supports(shown: &str) -> bool {
    shown.lines().any(|line| line.starts_with('+'))
}

fn row(name: &str, state: &str, button: &str, number: u32) -> String {
    format!(
        "  - row\n    - cell \"{name}\"\n    - cell \"{state}\"\n    - cell\n      - button \"{button}\" [ref=e{number}]\n"
    )
}

fn table(rows: &[String], rest: &str) -> Snapshot {
    page(&format!("- table\n{}{rest}", rows.concat()))
}

#[test]
fn an_entry_must_state_the_result_of_its_button() {
    let shown = |button: &str, state: &str, now: &str| {
        let before = table(&[row("Acme", "Draft", button, 1), row("Globex", "Draft", button, 2)], "");
        let after = table(&[row("Acme", "Draft", button, 1), row("Globex", state, now, 2)], "");
        shows(click("e2"), &[request("POST", SENT, 200)], &before, &after)
    };
    for (button, state) in [
        ("Send", "Goes out Monday"),
        ("Book", "Option until Friday"),
        ("Approve", "Back with sales"),
        ("Approve", "Approved up to 500"),
        ("Pay", "To be clarified"),
        ("Pay", "Payment requested"),
        ("Accept", "Lapsed"),
        ("Publish", "Draft"),
    ] {
        let shown = shown(button, state, button);
        assert!(!supports(&shown), "{state} after {button}: {shown}");
    }
    assert!(!supports(&shown("Send", "Draft", "Send again")));
    for (button, state, now) in [
        ("Send", "Sent", "Send"),
        ("Publish", "Live", "Publish"),
        ("Publish", "On the site", "Unpublish"),
        ("Deactivate", "Inactive", "Activate"),
        ("Pay", "Settled", "Pay"),
    ] {
        let shown = shown(button, state, now);
        assert!(supports(&shown), "{state} after {button}: {shown}");
    }
}

#[test]
fn a_message_elsewhere_may_state_the_result_of_an_entrys_button() {
    let rows = [row("Acme", "Open", "Remind", 1), row("Globex", "Open", "Remind", 2)];
    let (before, sent) = (table(&rows, ""), [request("POST", SENT, 200)]);
    let told = table(&rows, "- status\n  - text \"Reminder sent\"\n");
    assert!(supports(&shows(click("e2"), &sent, &before, &told)));
    assert!(!supports(&shows(click("e2"), &sent, &before, &before)), "nothing shows it");
}

#[test]
fn deleting_an_entry_must_not_delete_others() {
    let people = ["Ann", "Bob", "Cleo"].map(|name| row(name, "Staff", "Remove", name.len() as u32));
    let before = table(&[row("Ann", "Staff", "Remove", 1), row("Bob", "Staff", "Remove", 2), people[2].clone()], "");
    let sent = [request("DELETE", SENT, 200)];
    let shown = |rows: &[String]| shows(click("e2"), &sent, &before, &table(rows, ""));
    assert!(supports(&shown(&[row("Ann", "Staff", "Remove", 1), people[2].clone()])));
    let all_gone = shown(&[]);
    assert!(all_gone.contains("unclear_entry") && !supports(&all_gone), "{all_gone}");
}

#[test]
fn the_value_beside_the_name_of_a_field_must_be_the_entered_one() {
    let shown = |field: &str, entered: &str, text: &str| {
        let form = format!("- textbox \"{field}\" [editable] [ref=e1]: {entered}\n- button \"Save\" [ref=e2]\n");
        let after = page(&format!("{form}- text \"{text}\"\n- status\n  - text \"Saved\"\n"));
        shows(click("e2"), &[request("PUT", SENT, 200)], &page(&form), &after)
    };
    for (field, entered, text) in [
        ("New quantity", "50", "Quantity: 10"),
        ("New delivery", "2026-12-26", "Delivery: 2026-12-25"),
        ("Reference", "REF-9", "Reference: REF-1"),
    ] {
        let shown = shown(field, entered, text);
        assert!(shown.contains("other_value") && !supports(&shown), "{text} for {entered}: {shown}");
    }
    for (field, entered, text) in [
        ("New quantity", "50", "Quantity: 50"),
        ("New price", "20", "Price: € 20.00"),
        ("New delivery", "2026-12-26", "Delivery: 26 Dec 2026"),
        ("Quantity", "50", "Weight: 10"),
        ("Name", "Ann", "Name: 3 letters or more"),
    ] {
        let shown = shown(field, entered, text);
        assert!(supports(&shown), "{text} for {entered}: {shown}");
    }
}

#[test]
fn a_new_entry_must_be_the_entered_one_once_and_beside_the_others() {
    let list = |value: &str, items: &[&str]| {
        let items: String = items.iter().map(|item| format!("  - listitem\n    - text \"{item}\"\n")).collect();
        page(&format!("- textbox \"Item\" [editable] [ref=e1]: {value}\n- button \"Add\" [ref=e2]\n- list\n{items}"))
    };
    let before = list("Bread", &["Milk", "Eggs"]);
    let shown = |items: &[&str]| shows(click("e2"), &[request("POST", SENT, 200)], &before, &list("", items));
    for items in [&["Milk", "Eggs", "Butter"][..], &["Milk", "Eggs", "Bread", "Bread"], &["Bread", "Eggs"]] {
        let shown = shown(items);
        assert!(shown.contains("other_value") && !supports(&shown), "{items:?}: {shown}");
    }
    for items in [&["Milk", "Eggs", "Bread"][..], &["Bread", "Milk", "Eggs"], &["bread", "Milk", "Eggs"]] {
        assert!(supports(&shown(items)), "{items:?}: {}", shown(items));
    }
}

#[test]
fn a_field_that_is_dropped_when_its_form_is_saved_is_not_saved() {
    let form = |name: &str, notes: &str, rest: &str| {
        page(&format!(
            "- textbox \"Name\" [editable] [ref=e1]: {name}\n- textbox \"Notes\" [editable] [ref=e2]: {notes}\n- button \"Save\" [ref=e3]\n{rest}"
        ))
    };
    let saved = "- status\n  - text \"Account saved\"\n";
    let shown = |after: &Snapshot| shows(click("e3"), &[request("POST", SENT, 200)], &form("Kim", "VIP", ""), after);
    assert!(!supports(&shown(&form("Kim", "", saved))));
    assert!(supports(&shown(&form("Kim", "VIP", saved))));
    assert!(supports(&shown(&form("", "", saved))), "emptied for the next entry");
}

#[test]
fn a_search_that_changes_nothing_finds_nothing() {
    let people = |query: &str, names: &[&str]| {
        let items: String = names.iter().map(|name| format!("  - listitem\n    - text \"{name}\"\n")).collect();
        page(&format!("- searchbox \"Search people\" [editable] [ref=e1]: {query}\n- list\n{items}"))
    };
    let all = ["Ann Lee", "Bob Ray", "Dora Fox"];
    let before = people("", &all);
    let fill = Action::Fill(legwork_protocol::Fill {
        target: legwork_protocol::Target("e1".to_owned()),
        text: "Bob".into(),
        submit: false,
    });
    let shown = |names: &[&str]| shows(fill.clone(), &[], &before, &people("Bob", names));
    assert!(!supports(&shown(&all)), "{}", shown(&all));
    assert!(!supports(&shown(&["Dora Fox"])), "{}", shown(&["Dora Fox"]));
    assert!(supports(&shown(&["Bob Ray"])), "{}", shown(&["Bob Ray"]));
}

#[test]
fn a_button_in_an_entry_must_lead_to_its_result() {
    let shown = |button: &str, after: Snapshot| {
        let before = table(&[row("Acme", "Open", button, 1), row("Globex", "Open", button, 2)], "");
        shows(click("e2"), &[request("POST", SENT, 200)], &before, &after)
    };
    let with = |button: &str, name: &str, state: &str, now: &str| {
        table(&[row("Acme", "Open", button, 1), row(name, state, now, 2)], "")
    };
    for button in ["Cancel", "Approve", "Ship"] {
        let by_state = shown(button, with(button, "Globex", "Ask Eva", button));
        assert!(!supports(&by_state), "{button}: {by_state}");
        let by_button = shown(button, with(button, "Globex", "Open", "Ask Eva"));
        assert!(!supports(&by_button), "{button}: {by_button}");
        let by_name = shown(button, with(button, "Globex part of 2 kits", "Open", button));
        assert!(!supports(&by_name), "{button}: {by_name}");
    }
    for (button, state, now) in [
        ("Cancel", "Cancelled", "Cancel"),
        ("Approve", "Open", "Approved"),
        ("Follow", "Open", "Unfollow"),
        ("Add to cart", "Open", "View cart"),
        ("Approve", "Open", "Undo"),
    ] {
        let shown = shown(button, with(button, "Globex", state, now));
        assert!(supports(&shown), "{button}, {state}, {now}: {shown}");
    }
}

#[test]
fn an_entry_that_was_moved_is_not_as_it_was() {
    let item = |name: &str, number: u32| {
        format!("  - row\n    - cell \"{name}\"\n    - cell\n      - button \"Move up\" [ref=e{number}]\n")
    };
    let before = table(&[item("Home", 1), item("Jobs", 2)], "");
    let shown = |after: &Snapshot| shows(click("e2"), &[request("POST", SENT, 200)], &before, after);
    assert!(supports(&shown(&table(&[item("Jobs", 2), item("Home", 1)], ""))));
    assert!(!supports(&shown(&before)));
}

#[test]
fn the_same_form_under_the_heading_of_another_record_shows_another_record() {
    let record = |name: &str, field: &str, tasks: &str| {
        page(&format!(
            "- heading \"{name}\"\n- textbox \"Task\" [editable] [ref=e1]{field}\n- button \"Add task\" [ref=e2]\n{tasks}"
        ))
    };
    let before = record("Uma Rao", ": Call back", "");
    let added = |name: &str| {
        let after = record(name, "", "- listitem \"Call back\"\n");
        shows(click("e2"), &[request("POST", "http://shop.test/task", 200)], &before, &after)
    };
    assert!(added("Ben Ott").contains("other_entry"), "{}", added("Ben Ott"));
    for name in ["Uma Rao", "Uma Rao: Call back", "Task added"] {
        assert!(!added(name).contains("other_entry") && added(name).contains("+ "), "{name}: {}", added(name));
    }
}
