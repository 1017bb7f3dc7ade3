//! Where a change led to.

use legwork_observe::Snapshot;
use legwork_protocol::{Action, Press, Target};

use super::{LOGIN, click, loaded, page, request, shows};
use crate::evidence::{Observed, assess};

const ELSEWHERE: &str = "http://shop.test/elsewhere";

/// What a button shows that sends a change and is led to a page of these lines.
fn led_to(button: &str, form: &str, path: &str, lines: &str) -> String {
    let before = page(&format!("- heading \"Project Orion\"\n{form}- button {button:?} [ref=e9]\n"));
    let url = format!("http://shop.test/{path}");
    let after = Snapshot { url: url.clone(), ..page(lines) };
    shows(click("e9"), &[request("POST", "http://shop.test/do", 303), loaded(&url, 200)], &before, &after)
}

#[test]
fn a_page_that_says_nothing_of_what_was_asked_for_supports_nothing() {
    for (button, path, lines) in [
        ("Create project", "pricing", "- heading \"Choose the plan that fits\"\n- text: Free, 3 projects\n"),
        ("Publish", "email", "- heading \"Confirm your email address\"\n"),
        ("Confirm", "email", "- heading \"Confirm your email address\"\n"),
        ("Save changes", "", "- heading \"Acme\"\n- link \"Log in\"\n- link \"Start free trial\"\n"),
        ("Finish", "1", "- heading \"Step 1 of 3, Contact\"\n"),
        ("Submit report", "home", "- heading \"Home\"\n- text: Good morning, Ann\n"),
        ("Open account", "terms", "- heading \"Our terms have changed\"\n"),
        ("Buy ticket", "line", "- heading \"You are now in line\"\n- text: \"Number in line: 4,211\"\n"),
        ("Pay now", "m", "- heading \"Back soon\"\n- text: We are doing scheduled work on our systems.\n"),
        ("Duplicate", "?error=limit", "- heading \"Project Orion\"\n- button \"Duplicate\" [ref=e9]\n"),
        ("Delete project", "projects", "- heading \"Projects\"\n- text: Active ones are kept\n- link \"Orion\"\n"),
    ] {
        let shown = led_to(button, "", path, lines);
        assert!(!shown.contains("+ ") && shown.contains("· unrelated_page"), "{button}: {shown}");
    }
}

#[test]
fn a_page_that_is_tied_to_what_was_asked_for_supports() {
    const NAME: &str = "- textbox \"Name\" [editable] [ref=e1]: Zoe\n";
    const TITLE: &str = "- textbox \"Title\" [editable] [ref=e1]: Minutes of May\n";
    for (button, form, path, lines) in [
        ("Create project", "", "p/9", "- heading \"Project 9\"\n"),
        ("Save changes", NAME, "customers", "- cell \"Zoe\"\n"),
        ("Save changes", NAME, "customers/7", "- textbox \"Name\" [editable] [ref=e1]: Zoe\n"),
        ("Choose this plan", "- radio \"Pro\" [checked]\n", "billing", "- text: Pro, monthly\n"),
        ("Submit report", "", "home", "- heading \"Home\"\n- status\n  - text: Report received\n"),
        ("Add to cart", "", "cart", "- heading \"Your bag\"\n"),
        ("Next", "", "2", "- heading \"Delivery\"\n"),
        ("Log out", "", "", "- link \"Log in\"\n"),
        ("Delete project", "", "projects", "- heading \"Projects\"\n- link \"Vega\"\n"),
        ("Save changes", TITLE, "notes/minutes-of-may", "- heading \"Overview\"\n"),
        ("Save changes", TITLE, "notes/Minutes%20of%20May", "- heading \"Overview\"\n"),
    ] {
        let shown = led_to(button, form, path, lines);
        assert!(shown.contains("+ address"), "{button}: {shown}");
    }
}

#[test]
fn a_heading_that_is_gone_is_a_record_only_if_it_names_the_object_of_the_button() {
    let list = "- heading \"Projects\"\n- text: Projects with active parts are kept\n- listitem\n  - text: Orion\n";
    let shown = |heading: &str, button: &str| {
        let before = page(&format!("- heading {heading:?}\n- button {button:?} [ref=e9]\n"));
        let after = Snapshot { url: ELSEWHERE.into(), ..page(list) };
        shows(click("e9"), &[request("POST", "http://shop.test/do", 303), loaded(ELSEWHERE, 200)], &before, &after)
    };
    assert!(shown("Workspace", "Delete project").contains("· unrelated_page"));
    assert!(shown("Project Vega", "Delete project").contains("+ address"));
    assert!(shown("Vega", "Delete").contains("+ address"));
}

#[test]
fn the_page_after_a_log_in_may_be_any() {
    let before = page(LOGIN);
    let after = Snapshot {
        url: ELSEWHERE.into(),
        ..page("- heading \"Items\"\n- link \"Chair\"\n- link \"Lamp\"\n- link \"Desk\"\n- button \"Menu\"\n")
    };
    let effects = [request("POST", "http://shop.test/login", 303), loaded(ELSEWHERE, 200)];
    let shown = shows(click("e3"), &effects, &before, &after);
    assert!(shown.contains("+ signed_in: the password field is gone") && !shown.contains("unrelated_page"), "{shown}");
}

#[test]
fn an_action_that_follows_finds_the_page_or_fails() {
    let before = page("- button \"Finish\" [ref=e9]\n");
    let after = Snapshot { url: ELSEWHERE.into(), ..page("- heading \"Summary\"\n") };
    let effects = [request("POST", "http://shop.test/do", 303), loaded(ELSEWHERE, 200)];
    let action = [click("e9")];
    let findings = assess(Observed { has_further_action: true, ..super::observed(&action, &effects, &before, &after) });
    assert!(findings.iter().any(crate::evidence::Finding::supports));
}

#[test]
fn another_address_with_the_same_texts_shows_nothing() {
    let lines = "- text: Page 1 of 2\n- link \"Next\" [ref=e1]\n";
    let url = "http://shop.test/orders?page=2";
    let led = |lines: &str, effects: &[legwork_protocol::PageEffect]| {
        let before = page("- text: Page 1 of 2\n- link \"Next\" [ref=e1]\n");
        shows(click("e1"), effects, &before, &Snapshot { url: url.into(), ..page(lines) })
    };
    let shown = led(lines, &[loaded(url, 200)]);
    assert!(!shown.contains("+ ") && shown.contains("· same_page"), "{shown}");
    assert!(led(&lines.replace("Page 1", "Page 2"), &[loaded(url, 200)]).contains("+ address"));
    assert!(led(lines, &[]).contains("+ address"), "a script changes it when it has done something");
}

#[test]
fn the_enter_key_submits_a_form_like_its_button() {
    let led = |field: &str, text: &str| {
        let before = page(&format!("- textbox {field:?} [editable] [ref=e1]: Orion\n"));
        let after = Snapshot { url: ELSEWHERE.into(), ..page(&format!("- heading {text:?}\n")) };
        let press = Action::Press(Press { key: "Enter".into(), target: Some(Target("e1".into())) });
        shows(press, &[request("POST", "http://shop.test/do", 303), loaded(ELSEWHERE, 200)], &before, &after)
    };
    assert!(led("Project", "Choose the plan that fits").contains("· unrelated_page"));
    assert!(led("Project", "Choose the plan that fits").contains("state in `expect`"));
    assert!(led("Project", "Orion").contains("+ address"));
    assert!(led("Search", "Results").contains("+ address"), "a search requests another page");
}

#[test]
fn an_error_in_the_address_counts_although_another_action_follows() {
    let before = page("- button \"Duplicate\" [ref=e9]\n");
    let after = Snapshot { url: format!("{ELSEWHERE}?error=limit"), ..page("- heading \"Projects\"\n") };
    let effects = [request("POST", "http://shop.test/do", 303), loaded(ELSEWHERE, 200)];
    let action = [click("e9")];
    let findings = assess(Observed { has_further_action: true, ..super::observed(&action, &effects, &before, &after) });
    assert!(!findings.iter().any(crate::evidence::Finding::supports));
}

#[test]
fn a_greeting_with_an_entered_value_carries_no_page_that_says_something_else() {
    let form = "- textbox \"Name\" [editable] [ref=e1]: Falk\n";
    for lines in [
        "- heading \"Thank you, Falk\"\n- text: Our host will answer you tonight.\n",
        "- heading \"Dear Falk\"\n- text: There is no room on this day. Have a look at other days.\n",
        "- heading \"Hola, Falk\"\n- text: Le llamaremos para fijar la hora.\n",
    ] {
        let shown = led_to("Book", form, "answer", lines);
        assert!(!shown.contains("+ ") && shown.contains("· unrelated_page"), "{lines}: {shown}");
        // The same texts without another address, as a script shows them.
        let before = page(&format!("- heading \"Table\"\n{form}- button \"Book\" [ref=e9]\n"));
        let after = page(&format!("{lines}- button \"Book\" [ref=e9]\n"));
        let shown = shows(click("e9"), &[request("POST", "http://shop.test/do", 200)], &before, &after);
        assert!(!shown.contains("+ ") && shown.contains("· unclear_message"), "{lines}: {shown}");
    }
    for lines in [
        "- heading \"Thank you, Falk\"\n- text: Your table is booked for tonight.\n",
        "- heading \"Thank you, Falk\"\n",
        "- heading \"Thank you for your order, Falk\"\n- text: You will hear from us by e-mail.\n",
    ] {
        let shown = led_to("Book", form, "answer", lines);
        assert!(shown.contains("+ "), "{lines}: {shown}");
    }
}

const UNCHANGED: &str =
    "- button \"Merge\" [ref=e1]\n- textbox \"Ticket\" [editable] [ref=e2]\n- heading \"Merged tickets (0)\"";

#[test]
fn a_response_is_no_evidence_if_the_page_shows_nothing_new() {
    let before = page(
        "- button \"Merge\" [ref=e1]\n- textbox \"Ticket\" [editable] [ref=e2]: 4702\n- heading \"Merged tickets (0)\"",
    );
    let silent = "the page shows nothing new";
    let effects = [request("POST", "http://shop.test/merge", 200)];
    let findings = shows(click("e1"), &effects, &before, &page(UNCHANGED));
    assert!(findings.contains(silent) && !findings.contains("+ "), "{findings}");
    let count =
        "- button \"Merge\" [ref=e1]\n- textbox \"Ticket\" [editable] [ref=e2]\n- heading \"Merged tickets (1)\"";
    let findings = shows(click("e1"), &effects, &before, &page(count));
    assert!(!findings.contains(silent) && findings.contains("+ "), "{findings}");
    let effects = [request("POST", "http://shop.test/merge", 303), loaded(crate::evidence::tests::URL, 200)];
    let findings = shows(click("e1"), &effects, &before, &page(UNCHANGED));
    assert!(findings.contains(silent), "{findings}");
    let findings = shows(click("e1"), &effects, &before, &before.clone());
    assert!(!findings.contains(silent) && findings.contains("+ "), "the server stored the value: {findings}");
}

#[test]
fn a_choice_that_the_page_shows_as_a_text_is_a_visible_effect() {
    let deal = |owner: &str, chosen: &str| {
        page(&format!(
            "- term\n  - text \"Owner\"\n- text \"{owner}\"\n- combobox \"New owner\" [ref=e2]: {chosen}\n  - option \"Lena Voss\"\n  - option \"Omar Said\"\n- button \"Reassign\" [ref=e1]"
        ))
    };
    let effects = [request("POST", "http://shop.test/owner", 200)];
    let (before, reset) = (deal("Lena Voss", "Omar Said"), "Omar Said");
    let shown = shows(click("e1"), &effects, &before, &deal("Omar Said", reset));
    assert!(shown.contains("+ response"), "{shown}");
    let shown = shows(click("e1"), &effects, &before, &deal("Lena Voss", reset));
    assert!(!shown.contains("+ "), "{shown}");
}

#[test]
fn a_time_that_was_entered_is_no_clock() {
    let slot = |begin: &str| {
        page(&format!(
            "- text \"Begin: {begin}\"\n- textbox \"Begin\" [editable] [ref=e2]: 14:00\n- button \"Save slot\" [ref=e1]"
        ))
    };
    let effects = [request("POST", "http://shop.test/slot", 200)];
    assert!(shows(click("e1"), &effects, &slot("09:00"), &slot("14:00")).contains("+ new_text"));
}

#[test]
fn a_sentence_with_the_name_and_the_value_of_a_field_is_tied_to_its_form() {
    let sent = [request("POST", "http://shop.test/do", 200)];
    let form =
        |rest: &str| page(&format!("- textbox \"City\" [editable] [ref=e1]: Graz\n- button \"Save\" [ref=e2]\n{rest}"));
    let supports = |text: &str| {
        let shown = shows(click("e2"), &sent, &form(""), &form(&format!("- text \"{text}\"\n")));
        shown.lines().any(|line| line.starts_with('+'))
    };
    assert!(supports("Customer 4711: City is now Graz"));
    // `The City cannot be Graz` is a refusal and contradicts, whatever else is observed.
    assert!(!supports("Please check whether the City is Graz"));
}
