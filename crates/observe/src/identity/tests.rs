//! A recorded element is found again, or nothing is.

use legwork_protocol::Ref;

use super::{ElementLocation, identity, locate};
use crate::{Snapshot, fixture::snapshot};

/// The ref that the element `recorded` on one page has on another; `None` if it is not certain.
fn found(before: &Snapshot, recorded: &str, after: &Snapshot) -> Option<String> {
    let node = before.find_ref(Ref::parse(recorded).expect("a ref")).expect("an element");
    match locate(&identity(before, node), after) {
        ElementLocation::Certain(candidate) => Some(candidate.reference.to_string()),
        ElementLocation::Uncertain { .. } => None,
    }
}

fn check(before: &str, recorded: &str, after: &str, expected: Option<&str>) {
    let (before, after) = (snapshot(before), snapshot(after));
    assert_eq!(found(&before, recorded, &after).as_deref(), expected, "{after:#?}");
}

/// A table with a row for each entry; the refs of their buttons are counted from `e1`.
fn table(rows: &[(&str, &str)]) -> String {
    let mut text =
        "- table \"Orders\"\n  - row\n    - columnheader \"Order\"\n    - columnheader \"State\"\n".to_owned();
    for (at, (order, state)) in rows.iter().enumerate() {
        text += &format!(
            "  - row\n    - cell \"{order}\"\n    - cell \"{state}\"\n    - cell\n      - button \"Delete\" [ref=e{}]\n",
            at + 1
        );
    }
    text
}

const ROWS: [(&str, &str); 3] = [("ORD-17", "open"), ("ORD-18", "open"), ("ORD-19", "paid")];

#[test]
fn a_row_is_known_by_its_words_and_not_by_its_position() {
    let before = table(&ROWS);
    check(&before, "e2", &before, Some("e2"));
    let inserted = table(&[("ORD-99", "open"), ("ORD-17", "open"), ("ORD-18", "open"), ("ORD-19", "paid")]);
    check(&before, "e2", &inserted, Some("e3"));
    let reordered = table(&[ROWS[2], ROWS[1], ROWS[0]]);
    check(&before, "e3", &reordered, Some("e1"));
    let paid = table(&[ROWS[0], ("ORD-18", "paid"), ROWS[2]]);
    check(&before, "e2", &paid, Some("e2"));
}

#[test]
fn a_removed_row_is_not_replaced_by_a_similar_one() {
    let before = table(&ROWS);
    check(&before, "e2", &table(&[ROWS[0], ROWS[2]]), None);
    check(&before, "e2", &table(&[ROWS[0], ("ORD-20", "open"), ROWS[2]]), None);
    check(&table(&ROWS[..1]), "e1", &table(&[("ORD-18", "open")]), None);
}

/// Cards without an element around each.
fn cards(names: &[&str]) -> String {
    let card = |(at, name): (usize, &&str)| {
        format!("- heading \"{name}\" [level=3]\n- text: in stock\n- button \"Add\" [ref=e{}]\n", at + 1)
    };
    format!(
        "- heading \"Shop\" [level=1]\n- main\n{}",
        names
            .iter()
            .enumerate()
            .map(card)
            .map(|text| { text.lines().map(|line| format!("  {line}\n")).collect::<String>() })
            .collect::<String>()
    )
}

#[test]
fn a_card_without_an_element_is_known_by_the_text_before_its_button() {
    let before = cards(&["Chair", "Table", "Lamp"]);
    check(&before, "e2", &before, Some("e2"));
    check(&before, "e2", &cards(&["Sofa", "Chair", "Table", "Lamp"]), Some("e3"));
    check(&before, "e2", &cards(&["Lamp", "Chair", "Table"]), Some("e3"));
    check(&before, "e2", &cards(&["Chair", "Lamp"]), None);
    check(&before, "e2", &cards(&["Lamp"]), None);
}

/// Which side a text belongs to is not known here, so both must agree.
#[test]
fn a_button_between_two_texts_is_certain_only_if_both_agree() {
    let list = |names: &[&str]| {
        let item = |(at, name): (usize, &&str)| format!("  - button \"Add\" [ref=e{}]\n  - text: {name}\n", at + 1);
        format!("- main\n  - text: Our goods\n{}", names.iter().enumerate().map(item).collect::<String>())
    };
    let before = list(&["Chair", "Table", "Lamp"]);
    check(&before, "e2", &before, Some("e2"));
    check(&before, "e2", &list(&["Chair", "Lamp", "Table"]), None);
}

const FORM: &str = "- form \"Account\"
  - text: Street
  - textbox \"Street\" [ref=e1] [id=street]
  - text: City
  - textbox \"City\" [ref=e2] [id=city]
  - button \"Save\" [ref=e3] [id=save]
  - button \"Cancel\" [ref=e4] [id=cancel]";

#[test]
fn renamed_ids_and_reordered_fields_are_recognized_by_their_names() {
    let renamed = FORM.replace("[id=street]", "[id=a]").replace("[id=city]", "[id=b]").replace("[id=save]", "[id=c]");
    check(FORM, "e2", &renamed, Some("e2"));
    check(FORM, "e3", &renamed, Some("e3"));
    let reordered = "- form \"Account\"
  - text: City
  - textbox \"City\" [ref=e2] [id=city]
  - text: Street
  - textbox \"Street\" [ref=e1] [id=street]
  - button \"Cancel\" [ref=e4] [id=cancel]
  - button \"Save\" [ref=e3] [id=save]";
    check(FORM, "e2", reordered, Some("e2"));
    check(FORM, "e3", reordered, Some("e3"));
}

#[test]
fn a_rephrased_element_is_recognized_by_its_id_where_it_was() {
    check(FORM, "e3", &FORM.replace("\"Save\"", "\"Save address\""), Some("e3"));
    // The same id in the same place, but perhaps another function.
    check(FORM, "e3", &FORM.replace("\"Save\"", "\"Delete everything\""), None);
    check(FORM, "e1", &FORM.replace("\"Street\" [ref", "\"Road and number\" [ref"), Some("e1"));
    let elsewhere = "- text: Nothing here\n- button \"Store\" [ref=e3] [id=save]";
    check(FORM, "e3", elsewhere, None);
}

/// A number in an id belongs to a position, and a number in a name to a thing.
#[test]
fn numbers_do_not_identify_another_thing() {
    let order = |number: &str| format!("- text: Orders\n- button \"Delete order {number}\" [ref=e1] [id=delete]");
    check(&order("17"), "e1", &order("17"), Some("e1"));
    check(&order("17"), "e1", &order("18"), None);
    let inbox =
        |count: &str| format!("- navigation\n  - link \"Inbox ({count})\" [ref=e1]\n  - link \"Sent\" [ref=e2]");
    check(&inbox("3"), "e1", &inbox("4"), Some("e1"));
}

#[test]
fn a_twin_makes_an_element_uncertain_unless_its_own_attributes_differ() {
    let plain = "- text: Terms\n- button \"Accept\" [ref=e1]\n- text: Read them first";
    let twins = "- text: Terms\n- button \"Accept\" [ref=e1]\n- button \"Accept\" [ref=e2]\n- text: Read them first";
    check(plain, "e1", twins, None);
    let with_id = twins.replace("[ref=e1]", "[ref=e1] [id=accept]");
    check(&plain.replace("[ref=e1]", "[ref=e1] [id=accept]"), "e1", &with_id, Some("e1"));
}

#[test]
fn an_element_of_the_same_name_in_other_surroundings_is_another_one() {
    let before = "- text: Delete your account\n- button \"Confirm\" [ref=e1]\n- text: This cannot be undone";
    let after = "- text: Subscribe to our letter\n- button \"Confirm\" [ref=e1]\n- text: Weekly news";
    check(before, "e1", after, None);
    // In a part of the page that is named and the same, the only element of the name is meant.
    let order = |texts: [&str; 2]| {
        let [first, last] = texts;
        format!("- form \"New order\"\n  - text: {first}\n  - button \"Place order\" [ref=e1]\n  - text: {last}")
    };
    check(&order(["Terms", "Help"]), "e1", &order(["Delivery", "Payment"]), Some("e1"));
    check(&order(["Terms", "Help"]), "e1", &order(["Delivery", "Payment"]).replace("New order", "Old order"), None);
}

#[test]
fn a_link_to_another_address_is_another_link() {
    let link = |path: &str| format!("- text: More\n- link \"Details\" [ref=e1] [href=http://a.test/{path}]");
    check(&link("x?session=1"), "e1", &link("x?session=2"), Some("e1"));
    check(&link("x"), "e1", &link("y"), None);
}

#[test]
fn a_secret_goes_only_into_a_field_for_secrets() {
    let field = |kind: &str| format!("- text: Sign in\n- textbox \"Password\" [ref=e1] [id=password]{kind}");
    check(&field(" [secret]"), "e1", &field(" [secret]"), Some("e1"));
    check(&field(" [secret]"), "e1", &field(""), None);
}

/// A table of people with the same city and plan, and a button in each row.
fn people(names: &[(&str, &str)]) -> String {
    let row = |(at, (name, city)): (usize, &(&str, &str))| {
        format!(
            "  - row\n    - cell \"{name}\"\n    - cell \"{city}\"\n    - cell \"Gold\"\n    - cell\n      - button \"Deactivate\" [ref=e{}]\n",
            at + 1
        )
    };
    format!("- table \"Customers\"\n{}", names.iter().enumerate().map(row).collect::<String>())
}

#[test]
fn a_row_of_somebody_with_a_part_of_the_name_is_another_row() {
    let before = people(&[("Smith, John", "Berlin"), ("Lind, Ada", "Ulm")]);
    check(&before, "e1", &people(&[("Lind, Ada", "Ulm"), ("Smith, John", "Berlin")]), Some("e2"));
    check(&before, "e1", &people(&[("Smith, Jane", "Berlin"), ("Lind, Ada", "Ulm")]), None);
    check(&before, "e1", &people(&[("Smith, John Jr", "Berlin"), ("Lind, Ada", "Ulm")]), None);
    // The same without an element around each entry.
    let named = |name: &str| cards(&["Sofa", name, "Lamp"]);
    check(&named("Chair, oak"), "e2", &named("Chair, pine"), None);
}

#[test]
fn a_text_that_the_instruction_names_is_a_name_of_the_row() {
    let before = snapshot(&people(&[("John Smith", "Berlin"), ("John Smith", "Ulm")]));
    let node = before.find_ref(Ref(1)).expect("an element");
    let is_named = |text: &str| text == "John Smith";
    let recorded = super::identity_named(&before, node, &is_named);
    assert_eq!(recorded.containers[0].names, ["John Smith"]);
    let after = |name: &str| snapshot(&people(&[(name, "Berlin"), ("Ada Lind", "Ulm")]));
    assert!(matches!(locate(&recorded, &after("John Smith")), ElementLocation::Certain(_)));
    assert!(matches!(locate(&recorded, &after("Jane Doe")), ElementLocation::Uncertain { .. }));
}

#[test]
fn a_button_with_a_word_in_common_is_another_function() {
    let page = |name: &str| format!("- text: Account\n- button \"{name}\" [ref=e1] [id=state]\n- text: Settings");
    for (recorded, live, is_same) in [
        ("Lock account", "Unlock account", false),
        ("Approve request", "Reject request", false),
        ("Place order", "Cancel order", false),
        ("Delete", "Delete all", false),
        ("Send", "Do not send", false),
        ("Place order", "Place order now", true),
        ("Save changes", "Save", true),
        ("Inbox (3)", "Inbox (4)", true),
    ] {
        check(&page(recorded), "e1", &page(live), is_same.then_some("e1"));
    }
    // An element with the recorded name is not passed over for one with the recorded attributes.
    let both = "- text: Account\n- button \"Unlock account\" [ref=e1] [id=state]\n- button \"Lock account\" [ref=e2]\n- text: Settings";
    assert_ne!(found(&snapshot(&page("Lock account")), "e1", &snapshot(both)).as_deref(), Some("e1"));
}

#[test]
fn another_label_of_a_choice_is_another_choice() {
    let choice = |role: &str, name: &str| {
        format!("- form \"Order\"\n  - text: Delivery\n  - {role} \"{name}\" [ref=e1] [id=choice] [name=ship]")
    };
    for role in ["radio", "checkbox", "switch"] {
        check(&choice(role, "Express"), "e1", &choice(role, "Standard"), None);
        check(&choice(role, "Express"), "e1", &choice(role, "Express delivery"), Some("e1"));
    }
    // The radio buttons of a group have one name, which identifies none of them.
    let group = "- radio \"Express\" [ref=e1] [name=ship]\n- radio \"Standard\" [ref=e2] [name=ship]";
    let page = snapshot(group);
    let node = page.find_ref(Ref(1)).expect("an element");
    assert!(!identity(&page, node).attributes.contains_key("name"));
}

/// A named text as an agent decides it: one that shares a word with the instruction.
fn found_named(before: &str, recorded: &str, after: &str, instruction: &[&str]) -> Option<String> {
    let (before, after) = (snapshot(before), snapshot(after));
    let node = before.find_ref(Ref::parse(recorded).expect("a ref")).expect("an element");
    let is_named = |text: &str| instruction.iter().any(|word| text.to_lowercase().contains(word));
    match locate(&super::identity_named(&before, node, &is_named), &after) {
        ElementLocation::Certain(candidate) => Some(candidate.reference.to_string()),
        ElementLocation::Uncertain { .. } => None,
    }
}

#[test]
fn a_row_is_named_by_the_text_that_the_instruction_means() {
    let tickets = |rows: &[[&str; 2]]| {
        let row = |(at, [level, title]): (usize, &[&str; 2])| {
            format!(
                "  - row\n    - cell \"{level}\"\n    - cell \"{title}\"\n    - cell\n      - button \"Close\" [ref=e{}]\n",
                at + 1
            )
        };
        format!("- table \"Tickets\"\n{}", rows.iter().enumerate().map(row).collect::<String>())
    };
    let before = tickets(&[["High", "Printer broken"], ["Low", "New badge"]]);
    let named = |after: &[[&str; 2]]| found_named(&before, "e1", &tickets(after), &["printer"]);
    assert_eq!(named(&[["High", "Scanner broken"], ["Low", "New badge"]]), None);
    // Its other texts may change.
    assert_eq!(named(&[["High", "Old badge"], ["Medium", "Printer broken"]]).as_deref(), Some("e2"));
}

#[test]
fn a_page_or_dialog_about_another_record_is_another_page() {
    let request = |name: &str| {
        format!("- heading \"Request of {name}\"\n- text: {name}\n- button \"Approve\" [ref=e1] [id=approve]")
    };
    let named = |name: &str| found_named(&request("Ada Lind"), "e1", &request(name), &["ada", "lind"]);
    assert_eq!(named("Ada Lind").as_deref(), Some("e1"));
    assert_eq!(named("Bob Meier"), None);
    let dialog = |name: &str| {
        format!(
            "- list\n  - listitem\n    - text: Ada Lind\n- dialog \"Delete {name}?\"\n  - button \"Delete\" [ref=e1]"
        )
    };
    assert_eq!(found_named(&dialog("Ada Lind"), "e1", &dialog("Bob Meier"), &["ada"]), None);
    let form = |name: &str| {
        format!(
            "- form \"Customer\"\n  - textbox \"Name\" [editable] [ref=e1]: {name}\n  - button \"Save\" [ref=e2] [id=save]"
        )
    };
    assert_eq!(found_named(&form("Ada Lind"), "e2", &form("Bob Meier"), &["ada"]), None);
}

#[test]
fn signs_belong_to_a_name_and_an_icon_needs_something_of_its_own() {
    let stock = |name: &str| {
        format!("- table \"Stock\"\n  - row\n    - cell \"{name}\"\n    - cell\n      - button \"Discard\" [ref=e1]\n")
    };
    check(&stock("AB+"), "e1", &stock("AB+"), Some("e1"));
    check(&stock("AB+"), "e1", &stock("AB-"), None);
    let row = |icons: &str| format!("- table \"People\"\n  - row\n    - cell \"Mona Keller\"\n    - cell\n{icons}");
    let [mail, delete] = ["      - button [ref=e1]\n", "      - button [ref=e2]\n"];
    check(&row(&format!("{mail}{delete}")), "e1", &row(delete), None);
    check(&row("      - button [ref=e1] [id=mail]\n"), "e1", &row("      - button [ref=e2] [id=mail]\n"), Some("e2"));
}
