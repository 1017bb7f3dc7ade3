use proptest::prelude::*;

use super::{outcome, pages};
use crate::{Clause, Facts, read, read_condition};

fn refusal(step: &str) -> String {
    read(step).expect_err("it is not literal").to_string()
}

#[test]
fn what_was_not_understood_is_said() {
    insta::assert_snapshot!(refusal("Click \"Save"), @r#"the quote that opens at "Save is not closed"#);
    insta::assert_snapshot!(refusal("Clik \"Save\""), @r#"`Clik "Save"` is not something this can do literally; write it like: Click "Save""#);
    insta::assert_snapshot!(refusal("Click \"Save\" sideways"), @r#"`sideways` beside `Save` was not understood as a place or a kind of element; understood: Click "Save" · not understood: "sideways"; write it like: the "Name" button in the row of "Bob""#);
    insta::assert_snapshot!(refusal("Save the text of \"Total\""), @r#"it does not say as which variable; write it like: Save the text of "Total" as total"#);
    insta::assert_snapshot!(refusal("Find the cheapest flight to Oslo"), @r#"`Find the cheapest flight to Oslo` is not something this can do literally; write it like: Click "Save", Type "Ada" into "Name", Choose "Blue" from "Colour", Check that "Done" is shown"#);
    insta::assert_snapshot!(read_condition("Welcome back").expect_err("not a condition").to_string(), @r#"`Welcome back` does not say what should hold; write it like: "Welcome back" is shown"#);
}

#[test]
fn what_is_not_there_is_said() {
    let source_text = |step: &str, page: &legwork_observe::Snapshot| {
        let sentence = read(step).expect("it reads");
        let Clause::Do(instruction) = &sentence.clauses()[0] else { panic!("an instruction") };
        instruction.decide(page).expect_err("nothing fits").to_string()
    };
    insta::assert_snapshot!(source_text("Click \"Sign on\"", &pages::login()), @r#"there is no "Sign on", the nearest are: link "Sign in" [e2], button "Sign in" [e6], button "Sign in with Google" [e8]"#);
    insta::assert_snapshot!(source_text("Click \"Sign in\"", &pages::login()), @r#"2 elements fit "Sign in": link "Sign in" [e2], button "Sign in" [e6]; say `the link "Sign in"` or `the button "Sign in"`"#);
    insta::assert_snapshot!(source_text("Type \"x\" into \"Home\"", &pages::login()), @r#""Home" is link "Home" [e1]; that cannot be filled in; there is textbox "User name:" [e3], searchbox "Search the site" [e9], textbox "Password" [e4]"#);
    insta::assert_snapshot!(source_text("Click \"Edit\" in the row of \"Carl\"", &pages::users()), @r#"there is no row of "Carl", the nearest are: row "Bob Smith admin 1,200 Edit Delete", row "Bobby Tables user 80 Edit Delete", row "Carol user 7 Edit Delete""#);
    insta::assert_snapshot!(source_text("Log in as \"a\" with password \"b\"", &pages::shop()), @r#"there is no password field; open the log-in page first; when it asks for the name and the password on two pages, write the steps one by one"#);
}

#[test]
fn what_needs_no_page() {
    let needs = |step: &str| match &read(step).expect("it reads").clauses()[0] {
        Clause::Do(instruction) => instruction.needs_page(),
        Clause::Check(_) => true,
    };
    let without: Vec<&str> = [
        "Open https://x.test/",
        "Press Enter",
        "Wait 2 seconds",
        "Go back",
        "Reload",
        "Wait until the address contains \"/done\"",
        "Open a new tab",
        "Type \"x\"",
        "Scroll down",
    ]
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
        let _ = read(&text);
        let _ = read_condition(&text);
    }

    #[test]
    fn words_in_any_order_never_panic(words in prop::collection::vec(prop::sample::select(vec![
        "click", "type", "\"a\"", "'b'", "into", "in", "the", "row", "of", "and", "then", ",", ".", "with", "is", "not", "shown", "second", "last", "button", "field",
        "check", "that", "there", "are", "3", "wait", "until", "for", "from", "choose", "as", "save", "tab", "dialog", "press", "enter", "times", "no", "to", "under", "e1", "next", "has", "column",
    ]), 0..12)) {
        let text = words.join(" ");
        let page = pages::users();
        let _ = outcome(&text, &page);
        if let Ok(check) = read_condition(&text) {
            let variables = std::collections::BTreeMap::new();
            let _ = check.evaluate(&Facts { page: &page, variables: &variables, effects: &[] });
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

/// Sentences for pages that are not here: they read, whatever the page.
#[test]
fn steps_of_real_workflows_read() {
    let refused: Vec<String> = r#"
        Click "Accept all cookies"
        Type "${secret:demo_password}" into "Password"
        Choose "Navy" and "White" from "Colours"
        Select the radio button "Card"
        Save the text of "Order number" as order_number
        Check that the variable total is "€ 123.60"
        Hover over the button "More"
        Click the link "Add" in the row of "Authors"
        Tick the checkbox in the row of "The Waves"
        Type "Harbour tides" into the first text box in the region "Editor"
        Type "Harbour log" into the text box in the row of "Title of this TiddlyWiki"
        Click the button "Yes, I’m sure"
        Type "Flush" into the field "Search"
        Check that "5 products for “line”" is shown
        Check that "stock.csv" was downloaded
        "#
    .lines()
    .map(str::trim)
    .filter(|line| !line.is_empty())
    .filter_map(|step| read(step).err().map(|error| format!("{step}: {error}")))
    .collect();
    assert_eq!(refused, Vec::<String>::new());
}
