//! What lists of records show after an entry was taken away or added, and what a later page of a form shows.

use legwork_protocol::{DialogInfo, DialogKind};

use super::*;
use crate::evidence::SetFields;

const SENT: &str = "http://shop.test/do";

fn supports(shown: &str) -> bool {
    shown.lines().any(|line| line.starts_with('+'))
}

fn customers(names: &[&str], button: &str, rest: &str) -> Snapshot {
    let row = |(number, name): (usize, &&str)| {
        format!(
            "  - row\n    - cell \"{name}\"\n    - cell \"active\"\n    - cell\n      - button \"{button}\" [ref=e{number}]\n"
        )
    };
    let rows: String = names.iter().enumerate().map(row).collect();
    page(&format!("- heading \"Customers\"\n- table\n{rows}{rest}"))
}

fn status(text: &str) -> String {
    format!("- status\n  - text \"{text}\"\n")
}

#[test]
fn an_entry_that_was_to_be_taken_away_must_be_gone_whatever_a_message_says() {
    let sent = [request("POST", SENT, 200)];
    let dialog = PageEffect::Dialog(DialogInfo {
        kind: DialogKind::Confirm,
        message: "Delete Bo?".into(),
        accepted: Some(true),
    });
    let asked = [sent[0].clone(), dialog];
    for (button, text, effects) in [
        ("Archive", "Bo archived", &sent[..]),
        ("Archive", "Done", &sent[..]),
        ("Archive", "Your changes have been saved", &sent[..]),
        ("Delete", "Bo deleted", &asked[..]),
        ("Delete", "Customer has open invoices, please settle them first", &asked[..]),
        ("Delete Bo", "Success!", &asked[..]),
    ] {
        let before = customers(&["Ann", "Bo", "Cleo"], button, "");
        let after = customers(&["Ann", "Bo", "Cleo"], button, &status(text));
        let actions = [click("e1")];
        for has_further_action in [false, true] {
            let shown = lines(&assess(Observed { has_further_action, ..observed(&actions, effects, &before, &after) }));
            assert!(!supports(&shown) && shown.contains("unclear_entry"), "{text} after {button}: {shown}");
        }
        let gone = customers(&["Ann", "Cleo"], button, &status(text));
        let shown = shows(click("e1"), effects, &before, &gone);
        assert!(supports(&shown), "{text} after {button}: {shown}");
    }
    // What the control names is not its entry.
    let before = customers(&["Ann", "Bo"], "Delete photo", "");
    let after = customers(&["Ann", "Bo"], "Delete photo", &status("Photo deleted"));
    let shown = shows(click("e1"), &sent, &before, &after);
    assert!(supports(&shown), "{shown}");
}

#[test]
fn a_dialog_that_was_answered_shows_nothing_of_the_result() {
    let dialog = PageEffect::Dialog(DialogInfo {
        kind: DialogKind::Confirm,
        message: "Remind Bo?".into(),
        accepted: Some(true),
    });
    let effects = [request("POST", SENT, 200), dialog];
    let shown = |text: &str| {
        let before = customers(&["Ann", "Bo"], "Remind", "");
        shows(click("e1"), &effects, &before, &customers(&["Ann", "Bo"], "Remind", &status(text)))
    };
    for text in ["Customer has open invoices, please settle them first", "Please contact support", "Happens tonight"] {
        assert!(!supports(&shown(text)), "{}", shown(text));
    }
    assert!(supports(&shown("Reminder sent")));
}

#[test]
fn a_count_that_goes_down_by_two_contradicts_that_one_entry_was_taken_away() {
    let sent = [request("POST", SENT, 200)];
    let shown = |count: &str| {
        let before = customers(&["Ann", "Bo", "Cleo"], "Archive", "- text \"Page 1 of 3 · 24 customers\"\n");
        // The next page moves up.
        let after =
            customers(&["Ann", "Cleo", "Dario"], "Archive", &format!("- text \"Page 1 of 3 · {count} customers\"\n"));
        shows(click("e1"), &sent, &before, &after)
    };
    assert!(!supports(&shown("22")), "{}", shown("22"));
    assert!(supports(&shown("23")), "{}", shown("23"));
}

fn orders(rows: &[&str], form: &str, rest: &str) -> Snapshot {
    let row = |text: &&str| {
        let cells: String = text.split('|').map(|cell| format!("    - cell \"{cell}\"\n")).collect();
        format!("  - row\n{cells}")
    };
    let header =
        "  - row\n    - columnheader \"No.\"\n    - columnheader \"Customer\"\n    - columnheader \"Delivery date\"\n";
    let rows: String = rows.iter().map(row).collect();
    page(&format!("{form}- heading \"Open orders\"\n- table\n{header}{rows}{rest}"))
}

const FILLED: &str = "- textbox \"Customer\" [editable] [ref=e1]: Greta Maier\n- textbox \"Delivery date\" [editable] [ref=e2]: 24/12/2026\n- button \"Create order\" [ref=e3]\n";
const EMPTY: &str = "- textbox \"Customer\" [editable] [ref=e1]\n- textbox \"Delivery date\" [editable] [ref=e2]\n- button \"Create order\" [ref=e3]\n";

#[test]
fn a_record_that_its_list_does_not_have_was_not_added() {
    let sent = [request("POST", SENT, 200)];
    let earlier = ["1000|Ada Lind|01/02/2026"];
    let shown = |rows: &[&str]| {
        let after = orders(rows, EMPTY, &status("Order 1001 created"));
        shows(click("e3"), &sent, &orders(&earlier, FILLED, ""), &after)
    };
    assert!(!supports(&shown(&earlier)), "{}", shown(&earlier));
    let added = [earlier[0], "1001|Greta Maier|24/12/2026"];
    assert!(supports(&shown(&added)), "{}", shown(&added));
    let notes = |notes: &[&str], value: &str, rest: &str| {
        let notes: String = notes.iter().map(|note| format!("  - listitem \"{note}\"\n")).collect();
        page(&format!(
            "- textbox \"Note\" [editable] [ref=e1]{value}\n- button \"Save note\" [ref=e2]\n- heading \"Saved notes\"\n- list\n{notes}{rest}"
        ))
    };
    let before = notes(&["Buy milk"], ": Call Ada", "");
    let shown = |list: &[&str]| shows(click("e2"), &sent, &before, &notes(list, "", &status("Note saved")));
    assert!(!supports(&shown(&["Buy milk"])), "{}", shown(&["Buy milk"]));
    assert!(supports(&shown(&["Call Ada", "Buy milk"])));
    // The list of another kind of records says nothing.
    let contact = |value: &str, rest: &str| {
        page(&format!(
            "- textbox \"Message\" [editable] [ref=e1]{value}\n- button \"Send message\" [ref=e2]\n- heading \"News\"\n- list\n  - listitem \"We moved\"\n{rest}"
        ))
    };
    let shown = shows(click("e2"), &sent, &contact(": Hello there", ""), &contact("", &status("Message sent")));
    assert!(supports(&shown), "{shown}");
}

#[test]
fn a_new_record_must_have_the_entered_values_and_be_there_once() {
    let sent = [request("POST", SENT, 200)];
    let shown = |rows: &[&str], has_further_action: bool| {
        let (before, after) = (orders(&[], FILLED, ""), orders(rows, EMPTY, &status("Order 1001 created")));
        let actions = [click("e3")];
        lines(&assess(Observed { has_further_action, ..observed(&actions, &sent, &before, &after) }))
    };
    for has_further_action in [false, true] {
        for rows in [
            &["1001|Greta Maier|01/01/2027"][..],
            &["1001|Ada Lind|24/12/2026"],
            &["1001|Greta Maier|24/12/2026", "1002|Greta Maier|24/12/2026"],
        ] {
            let shown = shown(rows, has_further_action);
            assert!(!supports(&shown) && shown.contains("other_value"), "{rows:?} {has_further_action}: {shown}");
        }
        assert!(supports(&shown(&["1001|Greta Maier|24/12/2026"], has_further_action)));
    }
}

#[test]
fn input_that_the_server_refuses_and_the_page_says_so_is_not_supported() {
    let answer = |refusal: &str| {
        let PageEffect::Request { method, url, status, .. } = request("POST", SENT, 200) else { unreachable!() };
        [PageEffect::Request {
            method,
            url,
            status,
            failure: None,
            refusal: Some(refusal.into()),
            doubt: None,
            altered: Vec::new(),
            background: false,
            earlier: false,
        }]
    };
    let form = |value: &str, rest: &str| page(&format!("- textbox \"Company\" [editable] [ref=e1]{value}\n{rest}"));
    let shown = |refusal: &str, text: &str| {
        let (actions, effects) = ([fill("e1", "Ltd")], answer(refusal));
        let (before, after) = (form("", ""), form(": Ltd", &status(text)));
        lines(&assess(Observed { has_further_action: true, ..observed(&actions, &effects, &before, &after) }))
    };
    let refused = shown("error: Not saved, it is locked", "Not saved, it is locked");
    assert!(!supports(&refused), "{refused}");
    // A form that the server validates meanwhile.
    let other = shown("error: The e-mail is missing", "1 field left");
    assert!(supports(&other), "{other}");
    let ended = shown("it led to the log-in page /login", "All changes saved");
    assert!(ended.starts_with("- body_refused"), "{ended}");
}

#[test]
fn a_refused_draft_fails_no_step_while_its_form_is_incomplete() {
    let page = |button: &str, value: &str| {
        page(&format!("- textbox \"Title\" [editable] [ref=e1]{value}\n- button \"{button}\" [ref=e2]\n"))
    };
    let shown = |button: &str, status: u16| {
        shows(fill("e1", "Fair"), &[request("POST", SENT, status)], &page(button, ""), &page(button, ": Fair"))
    };
    for button in ["Publish", "Save draft", "Submit"] {
        assert!(supports(&shown(button, 400)) && !shown(button, 400).starts_with('-'), "{}", shown(button, 400));
        assert!(shown(button, 403).starts_with('-'), "{}", shown(button, 403));
    }
    // The field saves itself.
    for button in ["Add user", "New project", "Help"] {
        assert!(shown(button, 422).starts_with('-'), "{}", shown(button, 422));
    }
    let sent =
        shows(click("e2"), &[request("POST", SENT, 400)], &page("Publish", ": Fair"), &page("Publish", ": Fair"));
    assert!(sent.starts_with('-'), "{sent}");
}

#[test]
fn a_value_of_an_earlier_page_of_a_form_must_be_shown_at_its_end() {
    let at = |path: &str, lines: &str| Snapshot { url: format!("http://shop.test{path}"), ..page(lines) };
    let plan = |team: &str, value: &str| {
        at(
            "/onboard/2",
            &format!(
                "- radiogroup \"Plan\"\n  - radio \"Basic\" [ref=e1]\n  - radio \"Team\"{team} [ref=e2]\n- spinbutton \"Seats\" [editable] [ref=e3]{value}\n- button \"Next\" [ref=e4]\n"
            ),
        )
    };
    let seats = |value: &str| plan(" [checked]", value);
    let check = Action::Check(legwork_protocol::TargetParams { target: Target("e2".into()) });
    let terms = at("/onboard/3", "- checkbox \"I agree\" [ref=e1]\n- button \"Finish\" [ref=e2]\n");
    let end = |shown: &str| {
        let mut set = SetFields::default();
        let mut step = |actions: &[Action], before: &Snapshot, after: &Snapshot| {
            let findings = assess(observed(actions, &[], before, after));
            lines(&set.update(&findings, actions, (Some(before), after), true))
        };
        assert_eq!(step(std::slice::from_ref(&check), &plan("", ""), &seats("")), "");
        assert_eq!(step(&[fill("e3", "7")], &seats(""), &seats(": 7")), "");
        assert_eq!(step(&[click("e4")], &seats(": 7"), &terms), "");
        step(&[click("e2")], &terms, &at("/onboard/3", &format!("- heading \"Onboarding complete\"\n{shown}")))
    };
    assert_eq!(end("- text \"Seats: 7\"\n"), "");
    assert_eq!(end("- text \"Welcome\"\n"), "");
    assert_eq!(end("- text \"Team\"\n"), "");
    for other in ["- text \"Seats: 1\"\n", "- text \"Plan: Basic\"\n", "- text \"Basic\"\n"] {
        assert!(end(other).contains("· other_value"), "{other}: {}", end(other));
    }
}

#[test]
fn the_sent_file_must_be_shown_if_a_file_is() {
    let form = |value: &str, rest: &str| {
        page(&format!("- textbox \"Document\" [ref=e1] [type=file]{value}\n- button \"Upload\" [ref=e2]\n{rest}"))
    };
    let shown = |entry: &str| {
        let list = format!("- list\n  - listitem \"{entry}\"\n- status\n  - text \"Upload complete\"\n");
        shows(click("e2"), &[request("POST", SENT, 200)], &form(": report.pdf", ""), &form("", &list))
    };
    assert!(supports(&shown("report.pdf (13 bytes) Q3")), "{}", shown("report.pdf (13 bytes) Q3"));
    assert!(supports(&shown("Q3 report")), "{}", shown("Q3 report"));
    for entry in ["untitled.bin (13 bytes) Q3", "report.pdf (0 bytes) Q3"] {
        assert!(!supports(&shown(entry)), "{}", shown(entry));
    }
}
