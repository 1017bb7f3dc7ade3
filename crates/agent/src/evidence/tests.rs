//! Each rule on small pages, and the cases that independent trials found.

use legwork_observe::{Snapshot, fixture};
use legwork_protocol::{Action, AlteredValue, Click, Fill, Open, PageEffect, Polarity, Select, Target};

use super::{Churn, Covered, EvidenceRule, Finding, Observed, assess};

mod effects;
mod entries;
mod fields;
mod labelled;
mod login;
mod messages;
mod not_all;
mod not_sent;
mod opened;
mod quantities;
mod questions;
mod records;
mod requests;
mod sorting;
mod states;
mod unrelated;

const URL: &str = "http://shop.test/login";

fn page(lines: &str) -> Snapshot {
    Snapshot { url: URL.into(), title: "Shop".into(), ..fixture::snapshot(lines) }
}

fn click(reference: &str) -> Action {
    Action::Click(Click::on(Target(reference.into())))
}

fn fill(reference: &str, text: &str) -> Action {
    Action::Fill(Fill { target: Target(reference.into()), text: text.into(), submit: false })
}

fn request(method: &str, url: &str, status: u16) -> PageEffect {
    PageEffect::Request {
        method: method.into(),
        url: url.into(),
        status: Some(status),
        failure: None,
        refusal: None,
        doubt: None,
        altered: Vec::new(),
        background: false,
        earlier: false,
    }
}

fn loaded(url: &str, status: u16) -> PageEffect {
    PageEffect::Navigated { from: URL.into(), to: url.into(), status: Some(status), status_unknown: false }
}

/// What one action showed: a line a finding, `+` supporting, `-` contradicting, `·` neutral.
fn shows(action: Action, effects: &[PageEffect], before: &Snapshot, after: &Snapshot) -> String {
    lines(&assess(observed(&[action], effects, before, after)))
}

fn observed<'a>(
    actions: &'a [Action],
    effects: &'a [PageEffect],
    before: &'a Snapshot,
    after: &'a Snapshot,
) -> Observed<'a> {
    static NONE: std::sync::LazyLock<(Churn, Covered)> = std::sync::LazyLock::new(Default::default);
    Observed {
        actions,
        failed: &[],
        effects,
        before: Some(before),
        after,
        is_login: false,
        answers_dialog: false,
        has_further_action: false,
        is_lent: false,
        churn: &NONE.0,
        covered: &NONE.1,
        disabled: &[],
    }
}

fn lines(findings: &[Finding]) -> String {
    let line = |finding: &Finding| {
        let sign = match finding.evidence.polarity {
            Polarity::Supporting => '+',
            Polarity::Contradicting => '-',
            Polarity::Neutral => '·',
        };
        format!("{sign} {}: {}", finding.rule.name(), finding.evidence.fact)
    };
    findings.iter().map(line).collect::<Vec<_>>().join("\n")
}

const LOGIN: &str = "- textbox \"User name\" [ref=e1]: alice\n- textbox \"Password\" [ref=e2] [type=password] [secret]: ••••\n- button \"Log in\" [ref=e3]\n";

#[test]
fn what_changes_by_itself_is_neutral() {
    let before = page("- button \"Like\" [ref=e1]\n- text \"Tip: save often\" [self-changing]\n- text \"12:30:05\"\n");
    let after = page("- button \"Like\" [ref=e1]\n- text \"Tip: use tags\" [self-changing]\n- text \"12:30:06\"\n");
    let shown = shows(click("e1"), &[], &before, &after);
    assert!(!shown.is_empty() && shown.lines().all(|line| line.starts_with('·')), "{shown}");
}

#[test]
fn a_rule_that_is_switched_off_finds_nothing() {
    let before = page("- button \"Save\" [ref=e1]\n");
    let (actions, effects) = ([click("e1")], [request("POST", "http://shop.test/save", 500)]);
    let with = observed(&actions, &effects, &before, &before);
    let without = Observed { disabled: &[EvidenceRule::RequestRefused], ..with };
    assert_eq!((assess(with).len(), assess(without).len()), (1, 0));
}

#[test]
fn a_title_and_texts_that_the_page_changes_and_removes_by_itself_are_neutral() {
    let before = page("- button \"Like\" [ref=e1]\n- text \"Saved a moment ago\"\n");
    let after = Snapshot {
        title: "(1) Shop".into(),
        title_changes_itself: true,
        removed_itself: vec!["Notice: Saved a moment ago".into()],
        ..page("- button \"Like\" [ref=e1]\n")
    };
    let shown = shows(click("e1"), &[], &before, &after);
    assert!(shown.contains("the title is") && shown.contains("is gone"), "{shown}");
    assert!(shown.lines().all(|line| line.starts_with("· self_changing")), "{shown}");
    let after = Snapshot { removed_itself: Vec::new(), title: "Shop".into(), ..after };
    assert!(shows(click("e1"), &[], &before, &after).starts_with("+ removal"));
}

#[test]
fn what_the_page_takes_back_leaves_the_response_without_weight() {
    let before = page("- button \"Like\" [ref=e1]\n- text: 3 likes");
    let with = |text: &str, meanwhile: &str| {
        let back = legwork_observe::Reversion { text: text.into(), meanwhile: meanwhile.into() };
        Snapshot { reversions: vec![back], ..before.clone() }
    };
    let after_click =
        |after: &Snapshot| shows(click("e1"), &[request("POST", "http://shop.test/like", 200)], &before, after);
    let accepted = "response: POST http://shop.test/like answered 200";
    assert_eq!(
        after_click(&with("3 likes", "4 likes")),
        format!("· {accepted}\n· reversion: \"3 likes\" was reverted")
    );
    assert_eq!(after_click(&with("Save", "Saved")), format!("+ {accepted}"));
    assert!(after_click(&with("Save", "Saving…")).contains("no_visible_effect"), "that it is saved is shown nowhere");
}

#[test]
fn beside_what_the_page_takes_back_only_a_lasting_success_supports() {
    let before = page("- button \"Delete\" [ref=e1]\n- row\n  - cell: Acme\n");
    let after = |rest: &str, toast: Option<&str>| {
        let node =
            |text: &str| legwork_observe::Node { role: "status".into(), name: text.into(), ..Default::default() };
        let reversions = vec![legwork_observe::Reversion { text: "Acme".into(), meanwhile: "".into() }];
        let lines = format!("- button \"Delete\" [ref=e1]\n- row\n  - cell: Acme\n{rest}");
        Snapshot { reversions, transient: toast.map(node).into_iter().collect(), ..page(&lines) }
    };
    let sent = [request("DELETE", "http://shop.test/customers/1", 200)];
    let supports = |after: &Snapshot| shows(click("e1"), &sent, &before, after).contains('+');
    assert!(!supports(&after("", Some("Acme deleted"))));
    assert!(!supports(&after("- text: 12 customers\n", None)));
    assert!(supports(&after("- text: The visit was deleted\n", None)));
}

#[test]
fn what_fails_beside_a_change_that_is_accepted_and_stated_contradicts_only_where_it_may_be_the_change() {
    let before = page("- button \"Save\" [ref=e1]\n");
    let after_click = |text: &str, others: &[PageEffect]| {
        let mut sent = vec![request("POST", "http://shop.test/orders", 200)];
        sent.extend_from_slice(others);
        shows(click("e1"), &sent, &before, &page(&format!("- button \"Save\" [ref=e1]\n{text}")))
    };
    let contradicts = |shown: &str| shown.lines().any(|line| line.starts_with('-'));
    let secondary = [
        request("POST", "http://shop.test/api/presence", 500),
        request("GET", "http://shop.test/api/me", 500),
        request("PUT", "http://shop.test/messages/seen", 403),
    ];
    let shown = after_click("- status\n  - text: Order saved\n", &secondary);
    assert!(!contradicts(&shown) && shown.contains("+ new_text"), "{shown}");
    assert!(contradicts(&after_click("", &secondary)), "the page does not say that it is done");
    let shown = after_click("- status\n  - text: Order saved as draft\n", &secondary);
    assert!(contradicts(&shown), "{shown}");
    let publish = [request("POST", "http://shop.test/orders/1/publish", 500)];
    let (actions, mut sent) = ([click("e1")], vec![request("POST", "http://shop.test/orders", 200)]);
    sent.extend(publish);
    let after = page("- button \"Save\" [ref=e1]\n- status\n  - text: Order saved\n");
    let findings = assess(observed(&actions, &sent, &before, &after));
    assert!(findings.iter().any(|finding| finding.contradicts() && !finding.weak), "it may be what was asked for");
    let alert = "- alert\n  - text: Two more orders wait here\n";
    assert!(!contradicts(&after_click(&format!("- status\n  - text: Order saved\n{alert}"), &[])));
    let shown = after_click(alert, &[]);
    assert!(!contradicts(&shown) && !shown.contains("+ "), "{shown}");
    assert!(contradicts(&after_click(alert, &[request("PUT", "http://shop.test/orders/1", 500)])));
    assert!(contradicts(&after_click("- status\n  - text: Order saved\n- alert\n  - text: Payment failed\n", &[])));
}

/// What is shown where the page before had a dialog in front of a page that was not in the snapshot.
fn shows_from_dialog(under: &Snapshot, dialog: &Snapshot, after: &Snapshot, effects: &[PageEffect]) -> String {
    let under = std::sync::Arc::new(under.clone());
    let mut covered = Covered::default();
    covered.learn(&under, dialog, true);
    let action = [click("e9")];
    lines(&assess(Observed { covered: &covered, ..observed(&action, effects, dialog, after) }))
}

#[test]
fn what_a_dialog_covered_is_not_new_when_it_comes_back() {
    let list = "- heading \"Customers\"\n- text \"Dana Reed\"\n- alert: You cannot add more than 9 users\n- row\n  - cell: Acme\n- row\n  - cell: Globex\n";
    let under = page(list);
    let dialog = page("- dialog \"Delete Acme?\"\n  - text: Delete Acme?\n  - button \"Delete\" [ref=e9]\n");
    let deleted = [request("DELETE", "http://shop.test/customers/1", 200)];
    assert_eq!(
        shows_from_dialog(&under, &dialog, &under, &deleted),
        "· response: DELETE http://shop.test/customers/1 answered 200\n· unrelated_effect: nothing that the page newly shows refers to what was asked for; state in `expect` what it is to show"
    );
    // What was not there is new, and what has gone from the page below is gone.
    let after = page(&list.replace("- row\n  - cell: Acme\n", "").replace("Dana Reed", "Acme was deleted"));
    let shown = shows_from_dialog(&under, &dialog, &after, &deleted);
    assert!(shown.contains("+ new_text: \"Acme was deleted\" appeared") && !shown.contains("Customers"), "{shown}");
}

#[test]
fn a_menu_that_is_always_there_covers_nothing() {
    let view = |lines: &str| {
        page(&format!("- menu\n  - menuitem \"Orders\" [ref=e9]\n  - menuitem \"Settings\" [ref=e8]\n{lines}"))
    };
    let orders = view("- heading \"Orders of today\"\n- text: SO-101\n- text: SO-102\n- text: Initech\n- text: Globex");
    let settings = view("- heading \"Settings of the shop\"\n- text: Company\n- text: Country");
    let shown = shows_from_dialog(&orders, &settings, &orders, &[]);
    assert!(shown.contains("+ new_text: \"Orders of today\" appeared"), "{shown}");
}

#[test]
fn what_is_accepted_for_later_is_not_done() {
    let before = page("- button \"Delete\" [ref=e1]\n- row\n  - cell \"Acme\"\n");
    let after_click = |rest: &str, statuses: &[u16]| {
        let sent: Vec<PageEffect> =
            statuses.iter().map(|status| request("DELETE", &format!("http://shop.test/{status}"), *status)).collect();
        shows(click("e1"), &sent, &before, &page(&format!("- button \"Delete\" [ref=e1]\n{rest}")))
    };
    for rest in ["", "- row\n  - cell \"Acme\"\n- text: Deletion pending"] {
        let shown = after_click(rest, &[202]);
        assert!(shown.lines().all(|line| line.starts_with('·')), "{shown}");
    }
    assert!(after_click("", &[202, 200]).contains("+ response"));
    assert!(after_click("- text: Acme deleted", &[202]).contains("+ new_text"));
}
