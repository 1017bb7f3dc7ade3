//! What the page newly shows has to refer to the requested change.

use legwork_observe::Snapshot;
use legwork_protocol::PageEffect;

use super::{click, loaded, observed, page, request, shows};
use crate::evidence::{EvidenceRule, Finding, Observed, assess};

const DO: &str = "http://shop.test/do";

fn sent() -> [PageEffect; 1] {
    [request("POST", DO, 200)]
}

/// Whether a click on `e9`, which sends a change, is supported.
fn is_supported(before: &str, after: &str) -> bool {
    assess(observed(&[click("e9")], &sent(), &page(before), &page(after))).iter().any(Finding::supports)
}

#[test]
fn a_state_refers_to_the_request_if_it_states_the_action_or_is_named_by_the_button() {
    for (button, was, is) in [
        ("Close claim", "Open", "Closed"),
        ("Mark clean", "Dirty", "Clean"),
        ("Activate", "Inactive", "Active"),
        ("Block", "Bo Finch", "Bo Finch – blocked"),
        ("Add to cart", "Cart: 0 items", "Cart: 1 item"),
    ] {
        let of = |state: &str| format!("- heading \"M-1\"\n- text {state:?}\n- button {button:?} [ref=e9]\n");
        assert!(is_supported(&of(was), &of(is)), "{button}: {is}");
    }
    for (button, was, is) in [
        ("Close claim", "Open", "Open – letter sent"),
        ("Cancel trip", "Confirmed", "Confirmed · fee note sent"),
        ("Send", "New", "In outbox"),
        ("Activate", "New", "Test mode"),
    ] {
        let of = |state: &str| format!("- heading \"M-1\"\n- text {state:?}\n- button {button:?} [ref=e9]\n");
        assert!(!is_supported(&of(was), &of(is)), "{button}: {is}");
    }
}

#[test]
fn an_entered_value_refers_to_the_request_in_any_notation() {
    let form = |field: &str, value: &str, shown: &str| {
        format!("- text {shown:?}\n- textbox {field:?} [editable] [ref=e1]: {value}\n- button \"Hand over\" [ref=e9]\n")
    };
    for (field, value, was, is) in [
        ("Keys", "3", "No keys out", "3 keys out"),
        ("Day", "2027-01-15", "1 Jul 2024", "15 Jan 2027"),
        ("Amount", "1250", "None so far", "1.250,00 €"),
        ("Donor", "Ines Weber", "None so far", "Weber, Ines"),
    ] {
        assert!(is_supported(&form(field, value, was), &form(field, "", is)), "{is}");
    }
    for (field, value, was, is) in [
        ("Keys", "3", "No keys out", "2 keys out"),
        ("Day", "2027-01-15", "1 Jul 2024", "15 Mar 2027"),
        ("Day", "2027-01-15", "1 Jul 2024", "15 Jan 2028"),
        ("New reading", "84990", "Nothing to check", "Readings to check (1)"),
    ] {
        assert!(!is_supported(&form(field, value, was), &form(field, "", is)), "{is}");
    }
}

#[test]
fn a_dialog_that_closes_is_no_effect_but_an_entry_that_is_gone_is() {
    let list = |rest: &str| format!("- heading \"Donors\"\n- row\n  - cell \"A. Moor\"\n{rest}");
    let linde = "- row\n  - cell \"K. Linde\"\n";
    let dialog = "- dialog \"Confirm\"\n  - text \"Delete this donor?\"\n  - button \"Yes\" [ref=e9]\n";
    let question = "- text \"Remove this donor?\"\n- button \"Yes, remove\" [ref=e9]\n- button \"No\"\n";
    for opened in [dialog, question] {
        let before = list(&format!("{linde}{opened}"));
        assert!(!is_supported(&before, &list(linde)), "{opened}");
        assert!(is_supported(&before, &list("")), "{opened}");
        let moved = format!("{}- text \"K. Linde – 4 open jobs\"\n", list(""));
        assert!(!is_supported(&before, &moved), "the entry was moved: {opened}");
    }
}

#[test]
fn in_the_middle_of_a_run_a_dialog_that_closes_is_no_effect_but_anything_new_is() {
    let judged = |before: &str, after: &str| {
        let (action, before, after) = ([click("e9")], page(before), page(after));
        let effects = sent();
        assess(Observed { has_further_action: true, ..observed(&action, &effects, &before, &after) })
    };
    let is_unseen = |findings: &[Finding]| findings.iter().any(|finding| finding.rule == EvidenceRule::NoVisibleEffect);
    let claims = "- row\n  - cell \"M-1\"\n  - cell \"Open\"\n";
    let dialog =
        format!("{claims}- dialog \"Confirm\"\n  - text \"Close this claim?\"\n  - button \"Confirm\" [ref=e9]\n");
    assert!(is_unseen(&judged(&dialog, claims)));
    assert!(!is_unseen(&judged(&dialog, &claims.replace("Open", "Closed"))));
    let next = format!("{claims}- textbox \"Reason\" [editable] [ref=e3]\n");
    assert!(!is_unseen(&judged(&dialog, &next)), "the next form is an effect");
    let cookies =
        format!("{claims}- dialog \"Cookies\"\n  - text \"We use cookies\"\n  - button \"Accept\" [ref=e9]\n");
    assert!(!is_unseen(&judged(&cookies, claims)), "the consent has no other effect");
    let button = format!("{claims}- button \"Approve\" [ref=e9]\n");
    assert!(is_unseen(&judged(&button, &button)));
}

#[test]
fn another_page_that_repeats_the_input_must_not_ask_for_more() {
    let led_to = |lines: &str| {
        let before =
            page("- textbox \"Applicant\" [editable] [ref=e1]: Ada Finch\n- button \"Submit application\" [ref=e9]\n");
        let url = "http://shop.test/summary";
        let after = Snapshot { url: url.into(), ..page(lines) };
        shows(click("e9"), &[request("POST", DO, 200), loaded(url, 200)], &before, &after)
    };
    for lines in [
        "- heading \"Summary\"\n- text \"Ada Finch\"\n- button \"Confirm and submit\"\n",
        "- heading \"Please check your data\"\n- term\n  - text \"Name\"\n- text \"Ada Finch\"\n",
        "- heading \"Demande de Ada Finch\"\n- text \"Il manque une pièce.\"\n",
        "- heading \"Antrag von Ada Finch\"\n- text \"Bitte noch unterschreiben.\"\n",
        "- heading \"Ada Finch\"\n- text \"It is submitted as soon as the fee has arrived.\"\n",
        "- heading \"Fishing permit for Ada Finch\"\n- text \"Pay 24 € to go on.\"\n- button \"Pay\"\n",
    ] {
        assert!(led_to(lines).contains("· unrelated_page"), "{lines}: {}", led_to(lines));
    }
    for lines in [
        "- heading \"Ada Finch\"\n- text \"Your application was submitted.\"\n",
        "- heading \"Applicants\"\n- link \"Ada Finch\"\n",
        "- heading \"Record\"\n- term\n  - text \"Name\"\n- text \"Ada Finch\"\n- button \"Edit\"\n",
    ] {
        assert!(led_to(lines).contains("+ "), "{lines}: {}", led_to(lines));
    }
}

#[test]
fn another_date_or_number_in_the_same_row_counts_although_the_row_shows_other_values() {
    let form = "- textbox \"New rent\" [editable] [ref=e1]: 820\n- textbox \"Valid from\" [editable] [ref=e2]: 2027-01-01\n- button \"Adjust rent\" [ref=e9]\n";
    let row = |day: &str| format!("- row\n  - cell \"820.00\"\n  - cell {day:?}\n{form}");
    assert!(!is_supported(form, &row("1 Mar 2027")));
    assert!(is_supported(form, &row("1 Jan 2027")));
    let form = "- textbox \"Cola\" [editable] [ref=e1]: 3\n- textbox \"Water\" [editable] [ref=e2]: 1\n- button \"Charge to room\" [ref=e9]\n";
    let row = |count: &str| {
        format!(
            "- row\n  - cell \"Cola\"\n  - cell {count:?}\n  - cell \"4.00\"\n- row\n  - cell \"Water\"\n  - cell \"1\"\n  - cell \"2.00\"\n{form}"
        )
    };
    assert!(!is_supported(form, &row("1")));
    assert!(is_supported(form, &row("3")));
}
