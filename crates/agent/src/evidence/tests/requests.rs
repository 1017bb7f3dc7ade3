//! Responses, documents and the changes that pages ask their servers for.

use super::*;

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
fn the_last_response_to_a_method_and_address_counts() {
    let before = page("- button \"Save\" [ref=e1]\n");
    let retried = [
        request("POST", "http://api.shop.test/items?try=1", 503),
        request("POST", "http://api.shop.test/items?try=2", 201),
    ];
    let shown = shows(click("e1"), &retried, &before, &before);
    let accepted = "· response: POST http://api.shop.test/items?try=2 answered 201\n· no_visible_effect: ";
    assert!(shown.starts_with(accepted), "{shown}");
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
        doubt: None,
        altered: Vec::new(),
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
        doubt: None,
        altered: Vec::new(),
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
fn a_body_that_says_that_a_change_failed_contradicts_and_one_of_a_check_while_typing_does_not() {
    let before = page("- button \"Place order\" [ref=e1]\n- textbox \"Email\" [ref=e2]: a@b\n");
    let mut said = [request("POST", "http://shop.test/orders", 200)];
    if let [PageEffect::Request { refusal, .. }] = &mut said {
        *refusal = Some("Out of stock".into());
    }
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
fn a_page_that_leads_back_to_itself_shows_nothing() {
    let before = page("- link \"Report\" [ref=e1]\n");
    let shown = shows(click("e1"), &[loaded(URL, 200)], &before, &before);
    assert_eq!(shown, format!("· response: {URL} answered 200"));
}

#[test]
fn a_lookup_that_came_in_the_end_neither_contradicts_nor_supports() {
    let before = page("- button \"Load more\" [ref=e1]");
    let lookup = |status| request("GET", &format!("{URL}items"), status);
    let shown = shows(click("e1"), &[lookup(401), lookup(200)], &before, &before);
    assert!(shown.starts_with("· response: GET"), "{shown}");
}

#[test]
fn a_late_answer_to_an_earlier_action_contradicts_and_never_supports() {
    let before = page("- textbox \"Item\" [ref=e1]");
    let after = page("- textbox \"Item\" [ref=e1]: lamp");
    let late = |status| {
        let mut late = [request("POST", &format!("{URL}order"), status)];
        if let [PageEffect::Request { earlier, .. }] = &mut late {
            *earlier = true;
        }
        late
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
            "- heading \"New code\"\n- textbox \"Code\" [editable] [ref=e1]: A-1\n- button \"Save\" [ref=e2]\n- text: {note}"
        ))
    };
    let empty = page(
        "- heading \"New code\"\n- textbox \"Code\" [editable] [ref=e1]\n- button \"Save\" [ref=e2]\n- text: Hint",
    );
    let saved = |note: &str, status: u16| {
        let mut set = crate::evidence::SetFields::default();
        let (filled, fills) = (form("new", "Hint"), [fill("e1", "A-1")]);
        set.update(&assess(observed(&fills, &[], &empty, &filled)), &fills, (Some(&empty), &filled), false);
        let (sends, after) = ([click("e2")], form("codes", note));
        let sent = [request("POST", &format!("{URL}codes"), status), loaded(&format!("{URL}codes"), 200)];
        let findings = assess(observed(&sends, &sent, &filled, &after));
        let lost = set.update(&findings, &sends, (Some(&filled), &after), false);
        let doubt =
            |finding| if lost.is_empty() { finding } else { crate::evidence::neutralize_unless_done(finding, &lost) };
        let judged: Vec<_> = findings.into_iter().map(doubt).collect();
        (lines(&lost), judged.iter().any(super::Finding::supports))
    };
    let (lost, supports) = saved("At least 8 letters", 200);
    assert!(lost.contains("· reversion: the form came back with what was put into it") && !supports, "{lost}");
    assert!(saved("The code was saved", 200).1, "it says that it was done");
    assert_eq!(saved("At least 8 letters", 303), (String::new(), true), "it was led elsewhere");
}

#[test]
fn a_refusal_after_which_a_part_of_the_same_address_was_changed_is_no_refusal() {
    let before = page("- button \"Save\" [ref=e1]");
    let after = page("- button \"Save\" [ref=e1]\n- text: Saved");
    let shown = |effects: &[PageEffect]| shows(click("e1"), effects, &before, &after);
    let there = request("POST", "http://shop.test/items", 409);
    let changed = request("PUT", "http://shop.test/items/7", 204);
    assert!(!shown(&[there.clone(), changed.clone()]).contains("- request_refused"));
    assert!(shown(&[changed, there.clone()]).contains("- request_refused"), "the refusal came last");
    assert!(shown(&[there, request("PUT", "http://shop.test/itemsets", 204)]).contains("- request_refused"));
}

#[test]
fn telemetry_of_known_makers_says_nothing() {
    let before = page("- button \"Save\" [ref=e1]");
    let after = page("- button \"Save\" [ref=e1]\n- text: Saved");
    let shown = shows(click("e1"), &[request("POST", "http://shop.test/_vercel/insights/event", 404)], &before, &after);
    assert!(!shown.lines().any(|line| line.starts_with('-')), "{shown}");
}

#[test]
fn a_value_that_comes_back_otherwise_than_it_was_put_in_leaves_nothing_else_with_weight() {
    let form = |limit: &str| {
        format!(
            "- spinbutton \"Credit limit\" [editable] [ref=e2]: {limit}\n- combobox \"Priority\" [ref=e3]: High\n- switch \"Auto-renew\" [checked] [ref=e4]\n- combobox \"Regions\" [editable] [ref=e5]\n- button \"Save\" [ref=e1]\n"
        )
    };
    let before = page(&form("25000"));
    let after = page(&format!("{}- status\n  - text: Customer saved\n", form("25000")));
    let answered = |name: &str, sent: &str, answered: &str| {
        let mut saved = [request("PUT", "http://shop.test/customers/1", 200)];
        if let [PageEffect::Request { altered, .. }] = &mut saved {
            *altered = vec![AlteredValue { name: name.into(), sent: sent.into(), answered: answered.into() }];
        }
        shows(click("e1"), &saved, &before, &after)
    };
    let capped = answered("credit", "25000", "1000");
    assert!(
        capped.contains("· value_altered: the server answered with \"credit\" \"1000\" instead of \"25000\""),
        "{capped}"
    );
    assert!(!capped.lines().any(|line| line.starts_with('+')), "{capped}");
    assert!(!answered("credit", "25000", "").lines().any(|line| line.starts_with('+')));
    assert!(!answered("priority", "high", "normal").lines().any(|line| line.starts_with('+')), "a choice");
    assert!(!answered("autoRenew", "true", "false").lines().any(|line| line.starts_with('+')), "a switch");
    assert!(!answered("regions", "APAC, EMEA", "APAC").lines().any(|line| line.starts_with('+')), "a list of choices");
    // Another form of the value, and what was put into no field.
    for (name, sent, other) in [
        ("credit", "25000", "25000.00"),
        ("credit", "25000", "25,000 EUR"),
        ("version", "3", "4"),
        ("auto_renew", "on", "true"),
        ("regions", "APAC, EMEA", "APAC, EMEA, LATAM"),
        ("regions", "APAC, LATAM", "APAC, EMEA, LATAM"),
        ("isNew", "true", "false"),
        ("tags", "a, b", ""),
    ] {
        let shown = answered(name, sent, other);
        assert!(shown.contains("+ response") && !shown.contains("value_altered"), "{shown}");
    }
}

#[test]
fn a_refusal_that_repeats_the_name_of_the_button_is_a_refusal() {
    let after_click = |button: &str, says: &str| {
        let page = page(&format!("- button {button:?} [ref=e1]\n"));
        let mut effect = request("POST", "http://shop.test/orders", 200);
        if let PageEffect::Request { refusal, .. } = &mut effect {
            *refusal = Some(says.into());
        }
        shows(click("e1"), &[effect], &page, &page)
    };
    for (button, says) in [
        ("Create order", "Could not create the order"),
        ("Send invoice", "No such invoice"),
        ("Save", "status: failed"),
    ] {
        let shown = after_click(button, says);
        assert!(shown.starts_with("- body_refused") && !shown.contains("+ "), "{button}: {shown}");
    }
    assert!(!after_click("Mark as failed", "status: Failed").contains("body_refused"), "it was asked for");
}

#[test]
fn another_method_that_the_server_accepts_replaces_one_that_it_does_not_support() {
    let before = page("- button \"Save\" [ref=e1]\n");
    let after = page("- button \"Save\" [ref=e1]\n- status\n  - text: Saved\n");
    let url = "http://shop.test/save";
    let shown = |first: u16, last: u16| {
        shows(click("e1"), &[request("PUT", url, first), request("POST", url, last)], &before, &after)
    };
    assert!(!shown(405, 200).contains("- request_refused"), "{}", shown(405, 200));
    assert!(shown(403, 200).contains("- request_refused"), "refused for another reason");
    assert!(shown(405, 500).contains("- request_refused"));
}

#[test]
fn a_command_that_sends_a_get_whose_response_refuses_is_open() {
    let refused = PageEffect::Request {
        method: "GET".into(),
        url: "http://shop.test/delete?id=2".into(),
        status: Some(200),
        failure: None,
        refusal: Some("success: false".into()),
        doubt: None,
        altered: Vec::new(),
        background: false,
        earlier: false,
    };
    let shown = |button: &str| {
        let before = page(&format!("- button {button:?} [ref=e1]\n- text: Beta\n"));
        shows(click("e1"), std::slice::from_ref(&refused), &before, &page("- status\n  - text: Project deleted\n"))
    };
    assert!(!shown("Delete").contains("+ ") && shown("Delete").contains("· doubtful_body"), "{}", shown("Delete"));
    assert!(shown("Show more").contains("+ ") && !shown("Show more").contains("- "), "a lookup that found nothing");
}

#[test]
fn a_state_that_the_button_asked_for_is_no_doubt() {
    let sent = |doubt: &str| {
        let mut effect = request("POST", "http://shop.test/do", 200);
        if let PageEffect::Request { doubt: said, .. } = &mut effect {
            *said = Some(doubt.into());
        }
        [effect]
    };
    let shown = |button: &str| {
        let before = page(&format!("- button {button:?} [ref=e1]\n"));
        shows(click("e1"), &sent("result: skipped"), &before, &page("- status\n  - text: Saved\n"))
    };
    assert!(shown("Save").contains("· doubtful_body"), "{}", shown("Save"));
    assert!(!shown("Skip").contains("doubtful_body"), "{}", shown("Skip"));
}
