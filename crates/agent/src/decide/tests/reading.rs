use proptest::prelude::*;

use super::{check, literal, outcome, pages};

fn refusal(step: &str) -> String {
    literal::read(step).expect_err("it is not literal").to_string()
}

#[test]
fn what_was_not_understood_is_said() {
    insta::assert_snapshot!(refusal("Click \"Save"), @"");
    insta::assert_snapshot!(refusal("Clik \"Save\""), @"");
    insta::assert_snapshot!(refusal("Click \"Save\" sideways"), @"");
    insta::assert_snapshot!(refusal("Save the text of \"Total\""), @"");
    insta::assert_snapshot!(refusal("Log out"), @"");
    insta::assert_snapshot!(refusal("Find the cheapest flight to Oslo"), @"");
    insta::assert_snapshot!(check::read("Welcome back").expect_err("not a condition").to_string(), @"");
}

#[test]
fn what_is_not_there_is_said() {
    let said = |step: &str, page: &legwork_observe::Snapshot| {
        let sentence = literal::read(step).expect("it reads");
        let literal::Clause::Do(instruction) = &sentence.clauses()[0] else { panic!("an instruction") };
        instruction.decide(page).expect_err("nothing fits").to_string()
    };
    insta::assert_snapshot!(said("Click \"Sign on\"", &pages::login()), @"");
    insta::assert_snapshot!(said("Click \"Sign in\"", &pages::login()), @"");
    insta::assert_snapshot!(said("Type \"x\" into \"Home\"", &pages::login()), @"");
    insta::assert_snapshot!(said("Click \"Edit\" in the row of \"Carl\"", &pages::users()), @"");
    insta::assert_snapshot!(said("Log in as \"a\" with password \"b\"", &pages::shop()), @"");
}

#[test]
fn what_needs_no_page() {
    let needs = |step: &str| match &literal::read(step).expect("it reads").clauses()[0] {
        literal::Clause::Do(instruction) => instruction.needs_page(),
        literal::Clause::Check(_) => true,
    };
    let without: Vec<&str> = ["Open /x", "Press Enter", "Wait 2 seconds", "Go back", "Reload", "Wait for \"Done\"", "Open a new tab", "Type \"x\"", "Scroll down"]
        .into_iter()
        .filter(|step| needs(step))
        .collect();
    assert_eq!(without, Vec::<&str>::new());
    assert!(needs("Click \"Save\""));
    assert!(needs("Press Enter in \"Name\""));
}

proptest! {
    #[test]
    fn reading_never_panics(text in "\\PC{0,80}") {
        let _ = literal::read(&text);
        let _ = check::read(&text);
    }

    #[test]
    fn words_in_any_order_never_panic(words in prop::collection::vec(prop::sample::select(vec![
        "click", "type", "\"a\"", "'b'", "into", "in", "the", "row", "of", "and", "then", ",", ".", "with", "is", "not", "shown", "second", "last", "button", "field",
        "check", "that", "there", "are", "3", "wait", "until", "for", "from", "choose", "as", "save", "tab", "dialog", "press", "enter", "times", "no", "to", "under", "e1", "next", "has", "column",
    ]), 0..12)) {
        let text = words.join(" ");
        let page = pages::users();
        let _ = outcome(&text, &page);
        if let Ok(check) = check::read(&text) {
            let variables = std::collections::BTreeMap::new();
            let _ = check::check(&check, &check::Facts { page: &page, variables: &variables, effects: &[] });
        }
    }

    #[test]
    fn quoted_names_come_through(name in "[^\"\\\\\\p{C}“”]{1,30}") {
        prop_assume!(!name.trim().is_empty() && !name.trim().starts_with("css=") && !name.contains("text=") && !name.contains("role=") && !name.contains("xpath="));
        let mut page = pages::login();
        let at = page.nodes.iter().position(|node| node.role.as_ref() == "button").expect("a button");
        page.nodes[at].name = name.as_str().into();
        let reference = page.nodes[at].reference.expect("a ref");
        prop_assert_eq!(outcome(&format!("Click the button \"{name}\""), &page), format!("click {reference}"));
    }
}
