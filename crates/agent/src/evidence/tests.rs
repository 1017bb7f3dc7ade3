//! Each rule on small pages, and the cases that independent trials found.

use legwork_observe::{Snapshot, fixture};
use legwork_protocol::{Action, Click, Fill, Open, PageEffect, Polarity, Target};

use super::{Churn, EvidenceRule, Finding, Observed, assess};

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
        background: false,
        earlier: false,
    }
}

fn loaded(url: &str, status: u16) -> PageEffect {
    PageEffect::Navigated { from: URL.into(), to: url.into(), status: Some(status) }
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
    static NONE: std::sync::LazyLock<Churn> = std::sync::LazyLock::new(Churn::default);
    Observed {
        actions,
        failed: &[],
        effects,
        before: Some(before),
        after,
        is_login: false,
        answers_dialog: false,
        goes_on: false,
        churn: &NONE,
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
fn a_refused_login_that_answers_401_and_says_so_is_contradicted() {
    let before = page(LOGIN);
    let after = page(&format!("- alert\n  - text \"Login failed.\"\n{LOGIN}"));
    let shown = shows(click("e3"), &[request("POST", "http://shop.test/api/login", 401)], &before, &after);
    assert!(shown.contains("- request_refused: POST http://shop.test/api/login answered 401"), "{shown}");
    assert!(shown.contains("- alert: alert \"Login failed.\" appeared"), "{shown}");
    assert!(shown.contains("- login_form:"), "{shown}");
    assert!(!shown.contains("+ "), "{shown}");
}

#[test]
fn an_order_that_answers_500_is_contradicted_whatever_else_appears() {
    let before = page("- button \"Place order\" [ref=e1]\n");
    let after = Snapshot {
        url: "http://shop.test/orders".into(),
        ..page("- heading \"Sorry\"\n- text \"your order was not placed\"\n")
    };
    let shown = shows(click("e1"), &[loaded("http://shop.test/orders", 500)], &before, &after);
    assert!(shown.starts_with("- http_error: http://shop.test/orders answered 500"), "{shown}");
    assert!(shown.contains("- refusal_text: \"your order was not placed\" appeared"), "{shown}");
}

#[test]
fn a_browser_error_page_is_no_page_that_appeared() {
    let before = page("- link \"Docs\" [ref=e1]\n");
    let after = Snapshot {
        url: "chrome-error://chromewebdata/".into(),
        ..page("- heading \"This site can’t be reached\"\n")
    };
    assert!(shows(click("e1"), &[], &before, &after).starts_with("- error_page:"));
}

#[test]
fn a_login_is_shown_by_what_is_gone_and_by_what_is_offered() {
    let before = page(LOGIN);
    let home = |lines: &str| Snapshot { url: "http://shop.test/home".into(), ..page(lines) };
    let shown = shows(click("e3"), &[], &before, &home("- heading \"Orders\"\n- link \"Log out\" [ref=e9]\n"));
    assert!(shown.contains("+ signed_in: the page offers link \"Log out\""), "{shown}");
    let shown = shows(click("e3"), &[], &before, &home("- heading \"Orders\"\n"));
    assert!(shown.contains("+ signed_in: the password field is gone"), "{shown}");
    let code = home("- textbox \"Verification code\" [ref=e9] [editable]\n");
    let shown = shows(click("e3"), &[], &before, &code);
    assert!(shown.contains("- login_form: textbox \"Verification code\" is asked for"), "{shown}");
}

#[test]
fn an_alert_that_states_a_success_supports() {
    let before = page("- button \"Save\" [ref=e1]\n");
    let shown = shows(click("e1"), &[], &before, &page("- alert\n  - text \"Saved!\"\n- button \"Save\" [ref=e1]\n"));
    assert_eq!(shown, "+ new_text: alert \"Saved!\" appeared");
    let shown = shows(
        click("e1"),
        &[],
        &before,
        &page("- alert\n  - text \"Slot 14 was given away\"\n- button \"Save\" [ref=e1]\n"),
    );
    assert!(shown.starts_with("- alert:"), "an alert that states no success: {shown}");
}

#[test]
fn words_in_the_targets_own_name_are_no_refusal() {
    let before = page("- link \"Error log\" [ref=e1]\n- button \"Lock\" [ref=e2]\n");
    let shown = shows(click("e1"), &[], &before, &page("- heading \"Error log\"\n"));
    assert!(!shown.contains("- "), "{shown}");
    let shown = shows(click("e2"), &[], &before, &page("- status\n  - text \"The door is locked\"\n"));
    assert!(!shown.contains("- "), "{shown}");
}

#[test]
fn a_dialog_of_the_page_that_asks_is_answered_by_what_follows() {
    let before = page("- button \"Delete\" [ref=e1]");
    let asks = |role: &str| {
        page(&format!(
            "- button \"Delete\" [ref=e1]\n- {role} \"Are you sure?\"\n  - text: This action cannot be undone.\n  - button \"Cancel\" [ref=e2]\n  - button \"Continue\" [ref=e3]\n"
        ))
    };
    for role in ["dialog", "alertdialog"] {
        let (actions, after) = ([click("e1")], asks(role));
        let shown = lines(&assess(Observed { goes_on: true, ..observed(&actions, &[], &before, &after) }));
        assert!(!shown.contains("- "), "{role}: {shown}");
    }
    let shown = shows(click("e1"), &[], &before, &asks("alertdialog"));
    assert!(shown.contains("- alert"), "nothing answers it: {shown}");
}

#[test]
fn a_login_that_needs_more_is_not_complete() {
    let before = page(
        "- textbox \"User\" [ref=e1]\n- textbox \"Password\" [ref=e2] [type=password]\n- button \"Log in\" [ref=e3]\n",
    );
    for after in [
        "- text: ada, this account has been temporarily suspended. Contact support.",
        "- text: Enter the 6-digit code\n- textbox \"Code\" [ref=e4] [editable]",
        "- textbox \"Code\" [ref=e4] [editable]",
        "- text: Your account is waiting for approval by an administrator.",
    ] {
        let (actions, after) = ([click("e3")], page(after));
        let shown = lines(&assess(Observed { is_login: true, ..observed(&actions, &[], &before, &after) }));
        assert!(shown.contains("- login_form"), "{shown}");
    }
}

#[test]
fn a_list_of_what_happened_is_no_refusal_and_a_list_of_errors_is_one() {
    let before = page("- button \"Show\" [ref=e1]");
    let listed = |texts: [&str; 3]| {
        let items: String = texts.iter().map(|text| format!("  - listitem\n    - text: {text}\n")).collect();
        page(&format!("- button \"Show\" [ref=e1]\n- list\n{items}"))
    };
    let log = listed(["09:12 Login failed for bob", "09:14 bob logged in", "09:20 Report sent"]);
    let shown = shows(click("e1"), &[], &before, &log);
    assert!(!shown.contains("- "), "{shown}");
    let errors = listed(["Could not save the name", "The date could not be saved", "See the handbook"]);
    let shown = shows(click("e1"), &[], &before, &errors);
    assert!(shown.contains("- refusal_text"), "{shown}");
}

#[test]
fn content_that_speaks_of_failures_is_no_refusal() {
    let before = page("- link \"Payments\" [ref=e1]\n");
    let after = page(
        "- table\n  - row\n    - cell \"Payment declined\"\n- article\n  - text \"Unfortunately the factory has been closed\"\n- heading \"Payments\"\n",
    );
    let shown = shows(click("e1"), &[], &before, &after);
    assert!(!shown.contains("- refusal_text"), "{shown}");
}

#[test]
fn the_last_response_to_a_method_and_address_counts() {
    let before = page("- button \"Save\" [ref=e1]\n");
    let retried = [
        request("POST", "http://api.shop.test/items?try=1", 503),
        request("POST", "http://api.shop.test/items?try=2", 201),
    ];
    let shown = shows(click("e1"), &retried, &before, &before);
    assert_eq!(shown, "+ response: POST http://api.shop.test/items?try=2 answered 201");
}

#[test]
fn a_response_whose_body_breaks_off_is_a_connection_error() {
    let before = page("- button \"Place order\" [ref=e1]\n");
    let after = page("- button \"Place order\" [ref=e1]\n- heading \"Thank you\"\n");
    let broken = |method: &str| PageEffect::Request {
        method: method.into(),
        url: "http://shop.test/order".into(),
        status: Some(200),
        failure: Some("net::ERR_CONTENT_LENGTH_MISMATCH".into()),
        refusal: None,
        background: false,
        earlier: false,
    };
    for method in ["POST", "PUT", "DELETE", "GET"] {
        let shown = shows(click("e1"), &[broken(method)], &before, &after);
        let fact = format!("- connection_error: {method} http://shop.test/order answered 200, and the body broke off");
        assert!(shown.contains(&fact), "{shown}");
    }
    // A lookup while a field is filled in.
    let field = page("- textbox \"Town\" [ref=e1]\n");
    let filled = page("- textbox \"Town\" [ref=e1]: Oslo\n");
    let shown = shows(fill("e1", "Oslo"), &[broken("GET")], &field, &filled);
    assert!(shown.contains("· connection_error") && !shown.contains("- "), "{shown}");
}

#[test]
fn other_sites_polls_and_lookups_say_nothing() {
    let before = page("- button \"Save\" [ref=e1]\n- textbox \"City\" [ref=e2]\n");
    let poll = PageEffect::Request {
        method: "POST".into(),
        url: "http://shop.test/heartbeat".into(),
        status: Some(500),
        failure: None,
        refusal: None,
        background: true,
        earlier: false,
    };
    let effects = [
        poll,
        request("POST", "https://tracker.example/collect", 403),
        request("GET", "http://shop.test/items/7", 404),
    ];
    let shown = shows(click("e1"), &effects, &before, &before);
    assert!(shown.lines().all(|line| line.starts_with('·')), "{shown}");
    let shown = shows(
        Action::Open(Open { url: URL.into() }),
        &[request("GET", "http://shop.test/api/me", 401)],
        &before,
        &before,
    );
    assert!(!shown.contains("- "), "a page that loads probes for a session: {shown}");
}

#[test]
fn a_field_that_holds_something_else_contradicts() {
    let before = page("- textbox \"Name\" [ref=e1]\n");
    let shown = shows(fill("e1", "Ada"), &[], &before, &page("- textbox \"Name\" [ref=e1]: Adam\n"));
    assert_eq!(shown, "- field_value: textbox \"Name\" holds \"Adam\" instead of \"Ada\"");
    let shown = shows(fill("e1", "Ada"), &[], &before, &before);
    assert_eq!(shown, "- field_value: textbox \"Name\" holds \"\" instead of \"Ada\"");
    let shown = shows(fill("e1", "Ada"), &[], &before, &page("- textbox \"Name\" [ref=e1]: ADA\n"));
    assert_eq!(shown, "+ element_state: textbox \"Name\" holds \"ADA\"");
}

#[test]
fn a_form_that_is_being_filled_in_may_complain_of_other_fields() {
    let before = page("- textbox \"Password\" [ref=e1]\n- textbox \"Repeat\" [ref=e2]\n");
    let after = page(
        "- textbox \"Password\" [ref=e1]: abc\n- textbox \"Repeat\" [ref=e2] [invalid]\n- alert\n  - text \"The passwords do not match\"\n",
    );
    let shown = shows(fill("e1", "abc"), &[], &before, &after);
    assert!(!shown.contains("- "), "{shown}");
    let sent = shows(click("e9"), &[], &before, &after);
    assert!(
        sent.contains("- invalid_field: textbox \"Repeat\" is marked invalid") && sent.contains("- alert:"),
        "{sent}"
    );
    let own = shows(fill("e2", ""), &[], &before, &after);
    assert!(own.contains("- invalid_field"), "{own}");
}

#[test]
fn fields_that_stay_invalid_after_a_click_without_effect_contradict() {
    let form = page("- textbox \"Email\" [ref=e1] [invalid]\n- button \"Save\" [ref=e2]\n");
    assert_eq!(shows(click("e2"), &[], &form, &form), "- invalid_field: textbox \"Email\" is marked invalid");
}

#[test]
fn what_changes_by_itself_is_neutral() {
    let before = page("- button \"Like\" [ref=e1]\n- text \"Tip: save often\" [self-changing]\n- text \"12:30:05\"\n");
    let after = page("- button \"Like\" [ref=e1]\n- text \"Tip: use tags\" [self-changing]\n- text \"12:30:06\"\n");
    let shown = shows(click("e1"), &[], &before, &after);
    assert!(!shown.is_empty() && shown.lines().all(|line| line.starts_with('·')), "{shown}");
}

#[test]
fn a_text_styled_as_an_error_contradicts_in_any_language() {
    let before = page("- button \"Zapisz\" [ref=e1]\n");
    let after = page("- button \"Zapisz\" [ref=e1]\n- text \"Nie udało się\" [error-styled]\n");
    assert!(shows(click("e1"), &[], &before, &after).starts_with("- refusal_text: \"Nie udało się\" appeared"));
}

#[test]
fn a_dialog_that_waits_contradicts_unless_the_next_step_answers_it() {
    use legwork_protocol::{DialogInfo, DialogKind};
    let before = page("- button \"Delete\" [ref=e1]\n");
    let dialog = |kind, message: &str, accepted| DialogInfo { kind, message: message.into(), accepted };
    let after = Snapshot { dialog: Some(dialog(DialogKind::Confirm, "Really?", None)), ..page("") };
    let actions = [click("e1")];
    let waits = observed(&actions, &[], &before, &after);
    assert!(lines(&assess(waits)).starts_with("- dialog_open: the confirm dialog \"Really?\" is open"));
    let answered = Observed { answers_dialog: true, ..waits };
    assert!(!lines(&assess(answered)).contains("- "));
    let refused = PageEffect::Dialog(dialog(DialogKind::Alert, "Could not delete", Some(true)));
    assert!(shows(click("e1"), &[refused], &before, &before).starts_with("- alert:"));
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
fn a_body_that_says_that_a_change_failed_contradicts_and_one_of_a_check_while_typing_does_not() {
    let before = page("- button \"Place order\" [ref=e1]\n- textbox \"Email\" [ref=e2]: a@b\n");
    let PageEffect::Request { method, url, status, failure, background, .. } =
        request("POST", "http://shop.test/orders", 200)
    else {
        unreachable!()
    };
    let said = [PageEffect::Request {
        method,
        url,
        status,
        failure,
        refusal: Some("Out of stock".into()),
        background,
        earlier: false,
    }];
    assert_eq!(
        shows(click("e1"), &said, &before, &before),
        "- body_refused: POST http://shop.test/orders answered 200, and says: Out of stock"
    );
    assert!(!shows(fill("e2", "a@b"), &said, &before, &before).contains("- "));
}

#[test]
fn a_link_to_nothing_has_no_address() {
    let before = page("- link \"Report\" [ref=e1]\n");
    let at = |url: &str| Snapshot { url: url.into(), ..page("- link \"Report\" [ref=e1]\n") };
    assert_eq!(shows(click("e1"), &[], &before, &at(&format!("{URL}#"))), "");
    let shown = shows(click("e1"), &[], &before, &at(&format!("{URL}#/report")));
    assert_eq!(shown, format!("+ address: the address is {URL}#/report"));
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

/// The contradictions that are open after these actions, as a model is told them.
fn still_open(steps: &[(&[Action], &[Action], &Snapshot)], begin: &Snapshot) -> String {
    let mut open = super::Contradictions::default();
    let mut before = begin;
    for (actions, failed, after) in steps {
        let findings = assess(Observed { failed, ..observed(actions, &[], before, after) });
        open.update(&findings, after, super::starts_over(actions));
        before = after;
    }
    open.in_words()
}

#[test]
fn a_field_that_could_not_be_set_is_not_forgotten_when_its_form_is_sent() {
    let form = page("- textbox \"Code\" [ref=e1]: 1277\n- button \"Save\" [ref=e2]\n");
    let sent = Snapshot { url: "http://shop.test/saved".into(), ..page("- text \"Saved\"\n") };
    let (failed, save) = ([fill("e1", "A12-77")], [click("e2")]);
    let open = still_open(&[(&[], &failed, &form), (&save, &[], &sent)], &form);
    assert_eq!(open, "textbox \"Code\" holds \"1277\" instead of \"A12-77\"");
    let choice =
        [Action::Select(legwork_protocol::Select { target: Target("e3".into()), values: vec!["Blue".into()] })];
    let list = page("- combobox \"Colour\" [ref=e3]: Red\n");
    let open = still_open(&[(&[], &choice, &list)], &list);
    assert_eq!(open, "combobox \"Colour\" holds \"Red\" instead of \"Blue\"");
}

#[test]
fn a_field_that_is_set_in_another_way_or_left_behind_is_no_contradiction() {
    let form = page("- textbox \"Day\" [ref=e1]: 2026-01-01\n- button \"24\" [ref=e2]\n");
    let picked = page("- textbox \"Day\" [ref=e1]: 24 Dec 2026\n- button \"24\" [ref=e2]\n");
    let failed = [fill("e1", "2026-12-24")];
    assert_eq!(still_open(&[(&[], &failed, &form), (&[click("e2")], &[], &picked)], &form), "");
    let right = page("- textbox \"Day\" [ref=e1]: 2026-12-24\n");
    assert_eq!(still_open(&[(&[], &failed, &form), (&failed, &[], &right)], &form), "");
    let home = Snapshot { url: "http://shop.test/".into(), ..page("- text \"Home\"\n") };
    let open = [Action::Open(Open { url: "http://shop.test/".into() })];
    assert_eq!(still_open(&[(&[], &failed, &form), (&open, &[], &home)], &form), "");
}

#[test]
fn a_list_that_closes_on_its_old_value_has_not_taken_the_choice() {
    let open = page(
        "- combobox \"Size\" [ref=e1] [expanded]: Small\n- option \"Small\" [ref=e2]\n- option \"Large\" [ref=e3]\n",
    );
    let shown = shows(click("e3"), &[], &open, &page("- combobox \"Size\" [ref=e1]: Small\n"));
    assert!(
        shown.starts_with("- field_value: combobox \"Size\" still holds \"Small\" instead of \"Large\""),
        "{shown}"
    );
    for taken in ["- combobox \"Size\" [ref=e1]: Large\n", "- text \"Large ×\"\n- combobox \"Size\" [ref=e1]: Small\n"]
    {
        assert!(!shows(click("e3"), &[], &open, &page(taken)).contains("- "), "{taken}");
    }
}

#[test]
fn a_page_that_asks_for_more_after_a_login_is_no_login_and_a_reminder_is_one() {
    let before = page(LOGIN);
    let next = |lines: &str| Snapshot { url: "http://shop.test/next".into(), ..page(lines) };
    for demand in ["Confirm your e-mail address", "Are you human?", "Please solve the captcha to continue"] {
        let shown = shows(click("e3"), &[], &before, &next(&format!("- heading \"{demand}\"\n- button \"Next\"\n")));
        assert!(shown.contains("- login_form"), "{demand}: {shown}");
    }
    let rows: String = (0..30).map(|n| format!("- text \"Order {n}\"\n")).collect();
    let shown = shows(click("e3"), &[], &before, &next(&format!("- text \"Verify your email to get news\"\n{rows}")));
    assert!(shown.contains("+ signed_in"), "{shown}");
    let print = next("- heading \"Orders\"\n- text \"This site is protected by reCAPTCHA\"\n");
    assert!(shows(click("e3"), &[], &before, &print).contains("+ signed_in"));
}

#[test]
fn a_login_button_is_known_by_role_and_name_as_well() {
    let form = page(LOGIN);
    let shown = shows(click("role=button[name=\"Log in\"]"), &[], &form, &form);
    assert!(shown.contains("- login_form: textbox \"Password\" is still there"), "{shown}");
}

#[test]
fn a_field_that_loses_what_was_set_when_another_is_set_contradicts() {
    let check = |reference: &str| [Action::Check(legwork_protocol::TargetParams { target: Target(reference.into()) })];
    let boxes = |red: &str, green: &str| {
        page(&format!(
            "- checkbox \"red\" [ref=e1]{red}\n- checkbox \"green\" [ref=e2]{green}\n- button \"Save\" [ref=e3]\n"
        ))
    };
    let (none, one, both, other) =
        (boxes("", ""), boxes(" [checked]", ""), boxes(" [checked]", " [checked]"), boxes("", " [checked]"));
    let lost = |pages: [&Snapshot; 2], second: &[Action]| {
        let mut set = super::SetFields::default();
        let mut found = Vec::new();
        let mut before = &none;
        for (actions, after) in [(&check("e1")[..], pages[0]), (second, pages[1])] {
            let findings = assess(observed(actions, &[], before, after));
            found.extend(set.update(&findings, actions, Some(before), after));
            before = after;
        }
        lines(&found)
    };
    assert_eq!(lost([&one, &both], &check("e2")), "");
    assert_eq!(
        lost([&one, &other], &check("e2")),
        "- field_value: checkbox \"red\" no longer holds \"checked\": it holds \"not checked\""
    );
    assert_eq!(lost([&one, &none], &[click("e3")]), "", "a form that was sent may be emptied");
}

#[test]
fn a_number_that_the_page_lowers_when_it_is_saved_contradicts() {
    let form = |heading: &str, discount: &str, note: &str| {
        page(&format!(
            "- heading \"{heading}\"\n- spinbutton \"Discount\" [ref=e1]: {discount}\n\
             - textbox \"Note\" [ref=e2]: {note}\n- button \"Save\" [ref=e3]\n"
        ))
    };
    let before = form("Initech", "5", "");
    let after_saving = |value: &str, after: &Snapshot| {
        let mut set = super::SetFields::default();
        let (filled, fills) = (form("Initech", value, ""), [fill("e1", value)]);
        let findings = assess(observed(&fills, &[], &before, &filled));
        assert!(set.update(&findings, &fills, Some(&before), &filled).is_empty());
        let sends = [click("e3")];
        lines(&set.update(&assess(observed(&sends, &[], &filled, after)), &sends, Some(&filled), after))
    };
    assert_eq!(
        after_saving("80", &form("Initech", "50", "")),
        "- field_value: after it was sent, spinbutton \"Discount\" holds \"50\" instead of \"80\""
    );
    assert_eq!(
        after_saving("80", &form("Initech", "5", "")),
        "· reversion: spinbutton \"Discount\" holds \"5\" again, as before \"80\" was put there"
    );
    // Sent back to the form by its plain address: the address is another one, and shows nothing.
    let set = |url: &str, discount: &str| Snapshot { url: url.into(), ..form("Initech", discount, "") };
    let mut fields = super::SetFields::default();
    let (open, filled) = (set("https://shop.test/c?from=list", "5"), set("https://shop.test/c?from=list", "80"));
    let fills = [fill("e1", "80")];
    fields.update(&assess(observed(&fills, &[], &open, &filled)), &fills, Some(&open), &filled);
    let (sends, back) = ([click("e3")], set("https://shop.test/c", "5"));
    let findings = assess(observed(&sends, &[], &filled, &back));
    assert!(findings.iter().any(|finding| finding.rule == super::EvidenceRule::Address && finding.supports()));
    let lost = fields.update(&findings, &sends, Some(&filled), &back);
    let doubted: Vec<_> = findings.into_iter().map(|finding| super::doubt_unless_done(finding, &lost)).collect();
    assert!(!doubted.iter().any(super::Finding::supports), "{}", lines(&doubted));
    assert_eq!(
        after_saving("2026-12-31", &form("Initech", "2026-03-31", "")),
        "- field_value: after it was sent, spinbutton \"Discount\" holds \"2026-03-31\" instead of \"2026-12-31\""
    );
    for (value, after, why) in [
        ("80", form("Initech", "80.00", ""), "the same number"),
        ("80", form("Initech", "", ""), "the form was emptied"),
        ("80", form("Initech", "0", ""), "the form was emptied"),
        ("80", form("Globex", "50", ""), "another entry"),
        ("80", form("Initech", "50", "call them"), "another entry"),
    ] {
        assert_eq!(after_saving(value, &after), "", "{why}");
    }
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
    assert_eq!(after_click(&before), format!("+ {accepted}"));
    assert_eq!(
        after_click(&with("3 likes", "4 likes")),
        format!("· {accepted}\n· reversion: \"3 likes\" was taken back")
    );
    for meanwhile in ["Saving…", "Saved"] {
        assert_eq!(after_click(&with("Save", meanwhile)), format!("+ {accepted}"), "{meanwhile}");
    }
}

#[test]
fn a_message_beside_a_file_field_that_is_emptied_shows_no_upload() {
    let upload =
        Action::Upload(legwork_protocol::Upload { target: Target("e1".into()), files: vec!["in/cv.txt".into()] });
    let before = page("- button \"CV\" [ref=e1] [type=file]\n");
    let after_upload = |rest: &str, effects: &[PageEffect]| {
        shows(upload.clone(), effects, &before, &page(&format!("- button \"CV\" [ref=e1] [type=file]{rest}")))
    };
    assert_eq!(
        after_upload("\n- text: Only pictures are welcome here\n", &[]),
        "· new_text: \"Only pictures are welcome here\" appeared\n· field_value: button \"CV\" holds no file"
    );
    for (rest, effects) in [
        (": cv.txt\n- text: Looks good\n", vec![]),
        ("\n- text: cv.txt is attached\n", vec![]),
        ("\n- text: Ada\n- text: Bob\n", vec![]),
        ("\n- text: Attached\n", vec![request("POST", "http://shop.test/files", 200)]),
    ] {
        assert!(after_upload(rest, &effects).starts_with('+'), "{rest}");
    }
}

#[test]
fn a_page_that_leads_back_to_itself_shows_nothing() {
    let before = page("- link \"Report\" [ref=e1]\n");
    let shown = shows(click("e1"), &[loaded(URL, 200)], &before, &before);
    assert_eq!(shown, format!("· response: {URL} answered 200"));
}

#[test]
fn a_message_that_was_shown_for_a_moment_counts_as_one_that_stays() {
    let before = page("- button \"Save\" [ref=e1]");
    let transient = |role: &str, text: &str| {
        let node = legwork_observe::Node { role: role.into(), name: text.into(), ..Default::default() };
        Snapshot { transient: vec![node], ..before.clone() }
    };
    let after_click = |role, text| shows(click("e1"), &[], &before, &transient(role, text));
    for (role, text, told) in [
        ("alert", "Could not save", "- alert: alert \"Could not save\" appeared for a moment"),
        ("status", "Could not save", "- refusal_text: \"Could not save\" appeared for a moment"),
        ("status", "Saved", "+ new_text: \"Saved\" appeared for a moment"),
        ("status", "Saving…", "· new_text: \"Saving…\" appeared for a moment"),
        ("text", "Could not save", ""),
        ("progressbar", "", ""),
    ] {
        assert_eq!(after_click(role, text).trim(), told);
    }
}

#[test]
fn a_choice_that_is_sent_at_once_is_answered_by_the_messages_of_the_page() {
    let before = page("- combobox \"Plan\" [ref=e1]: Basic\n  - option \"Basic\"\n  - option \"Pro\"");
    let after = page(
        "- combobox \"Plan\" [ref=e1]: Pro\n  - option \"Basic\"\n  - option \"Pro\"\n- alert\n  - text: Payment failed. Your plan was not changed.",
    );
    let choose =
        || Action::Select(legwork_protocol::Select { target: Target("e1".into()), values: vec!["Pro".into()] });
    let sent = [request("PUT", &format!("{URL}plan"), 200)];
    let shown = shows(choose(), &sent, &before, &after);
    assert!(shown.contains("- alert: alert \"Payment failed. Your plan was not changed.\" appeared"), "{shown}");
    let shown = shows(choose(), &[], &before, &after);
    assert!(!shown.lines().any(|line| line.starts_with('-')), "a form that is being filled in: {shown}");
}

#[test]
fn a_page_that_asks_to_log_in_has_not_taken_what_was_sent() {
    let before = page("- textbox \"Note\" [ref=e1]: hello\n- button \"Save\" [ref=e2]\n- button \"Log out\" [ref=e3]");
    let form =
        page("- heading \"Sign in\"\n- textbox \"Password\" [ref=e1] [type=password]\n- button \"Sign in\" [ref=e2]");
    let login = Snapshot { url: format!("{URL}login"), ..form };
    let sent = [request("POST", &format!("{URL}notes"), 303), loaded(&format!("{URL}login"), 200)];
    let shown = shows(click("e2"), &sent, &before, &login);
    assert!(shown.contains("- login_form: the page asks to log in"), "{shown}");
    let shown = shows(click("e3"), &sent, &before, &login);
    assert!(!shown.contains("- login_form"), "who logs out is led there: {shown}");
}

#[test]
fn a_dialog_that_asks_a_question_waits_for_its_answer() {
    let before = page("- button \"Delete\" [ref=e1]");
    let asks = page(
        "- button \"Delete\" [ref=e1]\n- dialog\n  - text: Delete Acme?\n  - button \"Cancel\" [ref=e2]\n  - button \"Delete it\" [ref=e3]",
    );
    let shown = shows(click("e1"), &[], &before, &asks);
    assert!(shown.contains("- alert: dialog \"Delete Acme? Cancel Delete it\" waits for an answer"), "{shown}");
    let action = [click("e1")];
    let goes_on = Observed { goes_on: true, ..observed(&action, &[], &before, &asks) };
    assert!(!lines(&assess(goes_on)).contains("waits"), "the next step answers it");
    let done = [request("DELETE", &format!("{URL}acme"), 200)];
    assert!(!shows(click("e1"), &done, &before, &asks).contains("waits"), "it was sent already");
}

#[test]
fn words_of_a_refusal_that_were_put_in_are_no_refusal() {
    const WORDS: &str = "This failed for me, invalid token error";
    let before = page(&format!("- textbox \"Comment\" [editable] [ref=e1]: {WORDS}\n- button \"Send\" [ref=e2]"));
    let shown_after = |text: &str| {
        let after =
            page(&format!("- textbox \"Comment\" [editable] [ref=e1]\n- button \"Send\" [ref=e2]\n- text: {text}"));
        shows(click("e2"), &[request("POST", &format!("{URL}comments"), 201)], &before, &after)
    };
    assert!(!shown_after(WORDS).lines().any(|line| line.starts_with('-')), "{}", shown_after(WORDS));
    assert!(shown_after("Your comment could not be sent: access denied").contains("- refusal_text"));
}

#[test]
fn a_lookup_that_came_in_the_end_neither_contradicts_nor_supports() {
    let before = page("- button \"Load more\" [ref=e1]");
    let lookup = |status| request("GET", &format!("{URL}items"), status);
    let shown = shows(click("e1"), &[lookup(401), lookup(200)], &before, &before);
    assert!(shown.starts_with("· response: GET"), "{shown}");
}

#[test]
fn a_question_in_an_element_without_a_role_is_one_where_a_button_leaves() {
    let shown_after = |rest: &str| {
        let before = page("- button \"Delete\" [ref=e1]");
        shows(click("e1"), &[], &before, &page(&format!("- button \"Delete\" [ref=e1]\n{rest}")))
    };
    let asks = "- text: Delete Acme?\n- text: This removes all orders.\n- button \"Delete\" [ref=e3]\n- button \"Cancel\" [ref=e2]";
    assert!(shown_after(asks).contains("- alert: the question \"Delete Acme?\" waits for an answer"));
    for answer in [
        "- text: How do I pay?\n- text: By card.\n- button \"Helpful\" [ref=e2]\n- button \"Copy\" [ref=e3]",
        "- text: New order\n- button \"Save\" [ref=e2]\n- button \"Cancel\" [ref=e3]",
    ] {
        assert!(!shown_after(answer).contains("waits"), "{answer}");
    }
}

#[test]
fn a_late_answer_to_an_earlier_action_contradicts_and_never_supports() {
    let before = page("- textbox \"Item\" [ref=e1]");
    let after = page("- textbox \"Item\" [ref=e1]: lamp");
    let late = |status| match request("POST", &format!("{URL}order"), status) {
        PageEffect::Request { method, url, status, failure, refusal, background, .. } => {
            [PageEffect::Request { method, url, status, failure, refusal, background, earlier: true }]
        }
        _ => unreachable!(),
    };
    let shown = shows(fill("e1", "lamp"), &late(500), &before, &after);
    assert!(shown.contains("- request_refused: POST") && shown.contains("(sent by an earlier action)"), "{shown}");
    let shown = shows(fill("e1", "lamp"), &late(200), &before, &after);
    assert!(shown.contains("· response: POST"), "{shown}");
}

#[test]
fn a_form_that_comes_back_with_what_was_put_into_it_shows_nothing() {
    let form = |url: &str, note: &str| Snapshot {
        url: format!("{URL}{url}"),
        ..page(&format!(
            "- heading \"New code\"\n- textbox \"Code\" [ref=e1]: A-1\n- button \"Save\" [ref=e2]\n- text: {note}"
        ))
    };
    let empty = page("- heading \"New code\"\n- textbox \"Code\" [ref=e1]\n- button \"Save\" [ref=e2]\n- text: Hint");
    let saved = |note: &str, status: u16| {
        let mut set = super::SetFields::default();
        let (filled, fills) = (form("new", "Hint"), [fill("e1", "A-1")]);
        set.update(&assess(observed(&fills, &[], &empty, &filled)), &fills, Some(&empty), &filled);
        let (sends, after) = ([click("e2")], form("codes", note));
        let sent = [request("POST", &format!("{URL}codes"), status), loaded(&format!("{URL}codes"), 200)];
        let findings = assess(observed(&sends, &sent, &filled, &after));
        let lost = set.update(&findings, &sends, Some(&filled), &after);
        let doubt = |finding| if lost.is_empty() { finding } else { super::doubt_unless_done(finding, &lost) };
        let judged: Vec<_> = findings.into_iter().map(doubt).collect();
        (lines(&lost), judged.iter().any(super::Finding::supports))
    };
    let (lost, supports) = saved("At least 8 letters", 200);
    assert!(lost.contains("· reversion: the form came back with what was put into it") && !supports, "{lost}");
    assert!(saved("The code was saved", 200).1, "it says that it was done");
    assert_eq!(saved("At least 8 letters", 303), (String::new(), true), "it was led elsewhere");
}

#[test]
fn a_message_that_states_neither_a_success_nor_a_refusal_shows_no_change() {
    let before = page("- textbox \"Name\" [editable] [ref=e1]: New Ltd\n- button \"Publish\" [ref=e2]");
    let sent = [request("POST", "http://shop.test/posts", 200)];
    let after_click = |text: &str, effects: &[PageEffect]| {
        let after =
            format!("- textbox \"Name\" [editable] [ref=e1]: New Ltd\n- button \"Publish\" [ref=e2]\n- text: {text}");
        shows(click("e2"), effects, &before, &page(&after))
    };
    let response = "response: POST http://shop.test/posts answered 200";
    for unclear in [
        "Saved as draft.",
        "Submitted for review. An editor will publish it.",
        "2 published, 1 skipped",
        "You are the last owner, so nothing is different now",
        "Spend $20 more to use SAVE10",
        "Your change has been sent to an administrator for approval.",
        "Name updated. Time zone unchanged.",
    ] {
        let expected = format!("· {response}\n· unclear_message: {unclear:?} appeared");
        assert_eq!(after_click(unclear, &sent), expected, "{unclear}");
        assert_eq!(after_click(unclear, &[]), format!("· unclear_message: {unclear:?} appeared"), "{unclear}");
    }
    for clear in ["Published", "Your post is published for all to see", "New Ltd", "Saved.", "Thank you!", "3 left"] {
        let expected = format!("+ {response}\n+ new_text: {clear:?} appeared");
        assert_eq!(after_click(clear, &sent), expected, "{clear}");
    }
}

#[test]
fn a_part_of_the_page_that_opens_is_no_unclear_message() {
    let form = "- textbox \"Name\" [editable] [ref=e1]: New Ltd\n- button \"Go\" [ref=e2]";
    let before = page(form);
    let text = "- text: How would you like to pay today?";
    for after in [
        format!("{form}\n{text}\n- textbox \"Card number\" [editable] [ref=e3]"),
        format!("{form}\n{text}\n- text: one\n- text: two\n- text: three"),
        format!("- button \"Go\" [ref=e2]\n{text}"),
    ] {
        let shown = shows(click("e2"), &[], &before, &page(&after));
        assert!(shown.starts_with('+'), "{after}: {shown}");
    }
}
