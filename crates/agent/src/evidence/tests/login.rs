//! Log-ins, and what else asks who somebody is.

use super::*;

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
fn a_login_is_shown_by_what_is_gone_and_by_what_is_offered() {
    let before = page(LOGIN);
    let home = |lines: &str| Snapshot { url: "http://shop.test/home".into(), ..page(lines) };
    let shown = shows(click("e3"), &[], &before, &home("- heading \"Orders\"\n- link \"Log out\" [ref=e9]\n"));
    assert!(shown.contains("+ signed_in: the page offers link \"Log out\""), "{shown}");
    let shown =
        shows(click("e3"), &[], &before, &home("- heading \"Orders\"\n- table\n  - row\n    - cell \"SO-1\"\n"));
    assert!(shown.contains("+ signed_in: the password field is gone"), "{shown}");
    let code = home("- textbox \"Verification code\" [ref=e9] [editable]\n");
    let shown = shows(click("e3"), &[], &before, &code);
    assert!(shown.contains("- login_form: textbox \"Verification code\" is asked for"), "{shown}");
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
    let print = next("- heading \"Welcome, alice\"\n- text \"This site is protected by reCAPTCHA\"\n");
    assert!(shows(click("e3"), &[], &before, &print).contains("+ signed_in"));
}

#[test]
fn a_login_button_is_known_by_role_and_name_as_well() {
    let form = page(LOGIN);
    let shown = shows(click("role=button[name=\"Log in\"]"), &[], &form, &form);
    assert!(shown.contains("- login_form: textbox \"Password\" is still there"), "{shown}");
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
fn what_a_page_says_to_somebody_who_is_logged_in_is_not_about_the_log_in() {
    let before = page(LOGIN);
    let after = page("- heading \"Hi Ada\"\n- text: Your last payment failed.\n- button \"Log out\" [ref=e4]");
    let actions = [click("e3")];
    let shown =
        |after: &Snapshot| lines(&assess(Observed { is_login: true, ..observed(&actions, &[], &before, after) }));
    assert!(!shown(&after).contains("- refusal_text"), "{}", shown(&after));
    let refused = page("- heading \"Hi\"\n- text: Your last payment failed.");
    assert!(shown(&refused).contains("- refusal_text"), "nothing says that somebody is logged in");
}

#[test]
fn a_change_that_asks_who_sent_it_is_not_made_yet() {
    let before = page("- button \"Withdraw $50\" [ref=e1]");
    let sent = [request("POST", "http://shop.test/out", 200)];
    let answered =
        |rest: &str| shows(click("e1"), &sent, &before, &page(&format!("- button \"Withdraw $50\" [ref=e1]\n{rest}")));
    for asks in [
        "- heading \"One more thing\"\n- textbox \"Code\" [editable] [ref=e2]\n- button \"Continue\" [ref=e3]",
        "- textbox \"PIN\" [editable] [ref=e2] [type=password] [secret]: \"\"",
        "- checkbox \"I am not a robot\" [ref=e2]",
    ] {
        assert!(answered(asks).starts_with("- login_form:"), "{asks}: {}", answered(asks));
    }
    let new_row = "- textbox \"Amount\" [editable] [ref=e2]\n- textbox \"Code\" [editable] [ref=e3]";
    assert!(!answered(new_row).contains("login_form"), "a form: {}", answered(new_row));
    let after = page("- button \"Withdraw $50\" [ref=e1]\n- textbox \"Code\" [editable] [ref=e2]");
    let action = [click("e1")];
    let has_further_action = Observed { has_further_action: true, ..observed(&action, &sent, &before, &after) };
    assert!(!lines(&assess(has_further_action)).contains("login_form"), "the next step fills it in");
}

#[test]
fn the_second_page_of_a_log_in_takes_what_the_first_sent() {
    let name = page("- heading \"Sign in\"\n- textbox \"Email\" [ref=e1]: ada\n- button \"Next\" [ref=e2]");
    let word = page(
        "- heading \"Welcome, ada\"\n- textbox \"Password\" [ref=e1] [type=password]\n- button \"Sign in\" [ref=e2]",
    );
    let word = Snapshot { url: format!("{URL}/password"), ..word };
    let sent = [request("POST", &word.url, 200), loaded(&word.url, 200)];
    let shown = shows(click("e2"), &sent, &name, &word);
    assert!(!shown.contains("- login_form") && shown.contains("+ "), "{shown}");
    let elsewhere = Snapshot { url: "http://shop.test/wizard".into(), ..name };
    assert!(shows(click("e2"), &sent, &elsewhere, &word).contains("- login_form"), "the session has ended");
}

/// What the button with this name shows on a page with a filled user name.
fn after_name(button: &str, lines: &str) -> String {
    let before = page(&format!("- textbox \"E-mail\" [editable] [ref=e1]: a@b.test\n- button {button:?} [ref=e2]\n"));
    shows(click("e2"), &[request("POST", "http://shop.test/in", 200)], &before, &page(lines))
}

#[test]
fn a_log_in_without_a_password_field_that_asks_for_more_is_not_complete() {
    for lines in [
        "- heading \"Check your e-mail\"\n- text \"We sent a link to you.\"\n",
        "- textbox \"Password\" [editable] [type=password] [secret]\n- button \"Log in\"\n",
        "- textbox \"Code\" [editable]\n- button \"Go\"\n",
    ] {
        let shown = after_name("Sign in", lines);
        assert!(shown.starts_with("- login_form"), "{lines}: {shown}");
    }
    let requested =
        after_name("Email me a link", "- heading \"Check your e-mail\"\n- text \"We sent a link to you.\"\n");
    assert!(!requested.contains("login_form"), "{requested}");
    let known = after_name("Sign in", "- heading \"Check your e-mail settings\"\n- link \"Log out\"\n");
    assert!(!known.contains("- login_form"), "{known}");
}

#[test]
fn a_field_for_each_digit_is_a_second_factor() {
    let fields: String = (1..=6).map(|at| format!("- textbox \"Digit {at}\" [editable]\n")).collect();
    let shown = shows(click("e3"), &[], &page(LOGIN), &page(&fields));
    assert!(shown.starts_with("- login_form: textbox \"Digit 1\" is asked for"), "{shown}");
    let form = "- textbox \"Line 1\" [editable]\n- textbox \"Line 2\" [editable]\n- textbox \"Town\" [editable]\n- textbox \"Zip\" [editable]\n";
    assert!(shows(click("e3"), &[], &page(LOGIN), &page(form)).contains("+ signed_in"));
}

#[test]
fn a_dialog_that_asks_to_log_in_first_contradicts() {
    let before = |button: &str| page(&format!("- button {button:?} [ref=e1]\n"));
    let dialog = "- dialog \"Welcome back\"\n  - textbox \"E-mail\" [editable]\n  - textbox \"Password\" [editable] [type=password] [secret]\n  - button \"Log in\"\n";
    let shown = |button: &str| {
        let after = page(&format!("- button {button:?} [ref=e1]\n{dialog}"));
        shows(click("e1"), &[], &before(button), &after)
    };
    assert!(shown("Add to favourites").starts_with("- login_form: a dialog asks to log in first"));
    assert!(!shown("My account").contains("login_form"));
    assert!(!shown("Log in").contains("login_form"));
}

#[test]
fn a_dialog_that_closed_while_the_page_still_offers_to_log_in_logged_nobody_in() {
    let before = page(&format!("- button \"Log in\" [ref=e9]\n- dialog \"Log in\"\n{}", LOGIN.replace("- ", "  - ")));
    let shown = |rest: &str| shows(click("e3"), &[], &before, &page(rest));
    assert!(shown("- button \"Log in\" [ref=e9]\n").starts_with("- login_form: the page still offers"));
    assert!(shown("- text \"Welcome, alice\"\n- button \"Log in\" [ref=e9]\n").contains("+ signed_in"));
    assert!(shown("- button \"Cart\"\n").contains("+ signed_in: the page no longer offers to log in"));
}

#[test]
fn a_page_that_offers_to_log_in_instead_of_to_log_out_has_ended_the_session() {
    let before = |button: &str| page(&format!("- link \"Log out\"\n- button {button:?} [ref=e1]\n"));
    let shown = |button: &str| {
        let after = page(&format!("- link \"Log in\"\n- button {button:?} [ref=e1]\n"));
        shows(click("e1"), &[request("POST", "http://shop.test/save", 200)], &before(button), &after)
    };
    assert!(shown("Save").starts_with("- login_form: the session has ended"));
    assert!(!shown("Delete account").contains("login_form"));
}

#[test]
fn a_session_that_ends_while_a_user_is_saved_contradicts() {
    let shown = |button: &str| {
        let before = page(&format!("- link \"Log out\" [ref=e1]\n- button {button:?} [ref=e2]\n"));
        shows(click("e2"), &[], &before, &page("- link \"Log in\" [ref=e3]\n- heading \"Welcome\"\n"))
    };
    for button in ["Save user", "Add member", "Invite", "Save profile", "Assign", "Add to catalog"] {
        let contradicts = "- login_form: the session has ended: the page offers link \"Log in\" instead of a log-out";
        assert!(shown(button).contains(contradicts), "{button}: {}", shown(button));
    }
    for button in ["Log out", "Abmelden", "Sign out everywhere", "Delete account", "Switch user"] {
        assert!(!shown(button).contains("login_form"), "{button}: {}", shown(button));
    }
}

/// What the log-in form of `alice` leads to.
fn after_login(title: &str, lines: &str) -> String {
    let before = page(&LOGIN.replace("[ref=e1]", "[editable] [ref=e1]"));
    let after = Snapshot { url: "http://shop.test/in".into(), title: title.into(), ..page(lines) };
    let sent = [request("POST", "http://shop.test/in", 200), loaded("http://shop.test/in", 200)];
    let actions = [click("e3")];
    lines_of(Observed { is_login: true, ..observed(&actions, &sent, &before, &after) })
}

fn lines_of(observed: Observed<'_>) -> String {
    lines(&assess(observed))
}

#[test]
fn a_page_that_shows_no_user_leaves_a_log_in_open() {
    for (title, rest) in [
        ("Sign in failed – Nordwind", "- heading \"Nordwind\"\n- link \"Forgot your details?\"\n"),
        (
            "Nordwind",
            "- heading \"Nordwind\"\n- text \"The ERP for small firms.\"\n- link \"Sign in\"\n- link \"Register\"\n",
        ),
        (
            "Nordwind",
            "- heading \"Nordwind\"\n- table\n  - row\n    - cell \"Plan\"\n- link \"A\"\n- link \"B\"\n- link \"C\"\n- link \"D\"\n- link \"Log in\"\n",
        ),
        ("Nordwind", "- heading \"Nordwind\"\n- table\n  - row\n    - cell \"Plan\"\n- link \"Log in / Register\"\n"),
        ("Nordwind", "- heading \"Willkommen bei Nordwind\"\n- text \"Ihr Zugang wurde noch nicht freigeschaltet.\"\n"),
        ("Nordwind", "- heading \"Nordwind\"\n- text \"Anmeldungen sind ab 14:00 Uhr wieder möglich.\"\n"),
        (
            "Nordwind",
            "- heading \"You are signed in on 2 other devices\"\n- list\n  - listitem\n    - text: Firefox\n    - button \"Sign out\"\n  - listitem\n    - text: Safari\n    - button \"Sign out\"\n",
        ),
        ("Nordwind", "- heading \"Hello alice\"\n- text \"This account was closed on 3 March. Contact support.\"\n"),
        (
            "Nordwind",
            "- heading \"Approve sign-in\"\n- text \"Open the Authenticator app on your phone and tap 42.\"\n",
        ),
        ("Nordwind", "- heading \"Choose a workspace\"\n- text \"alice is not a member of Nordwind Wien.\"\n"),
        (
            "Nordwind",
            "- heading \"One more step\"\n- text \"Select all images with traffic lights.\"\n- button \"Verify\"\n",
        ),
    ] {
        let shown = after_login(title, rest);
        assert!(!shown.contains("+ "), "{rest}: {shown}");
    }
}

#[test]
fn a_page_that_shows_the_user_completes_a_log_in() {
    for rest in [
        "- heading \"Welcome, alice\"\n- text \"You have 3 new messages.\"\n- link \"Log out\"\n",
        "- heading \"Dashboard\"\n- list\n  - listitem\n    - link \"Orders\"\n  - listitem\n    - link \"Log out\"\n",
        "- heading \"Dashboard\"\n- button \"alice\"\n",
        "- heading \"Dashboard\"\n- text \"Signed in as alice\"\n",
        "- heading \"Welcome\"\n",
        "- heading \"Dashboard\"\n- link \"My account\"\n",
        "- heading \"Orders\"\n- table\n  - row\n    - cell \"SO-1\"\n",
        "- heading \"Dashboard\"\n- link \"Orders\"\n- link \"Invoices\"\n- link \"Customers\"\n- link \"Reports\"\n",
        "- text \"Login successful\"\n",
    ] {
        let shown = after_login("Dashboard", rest);
        assert!(shown.contains("+ signed_in") && !shown.contains("- "), "{rest}: {shown}");
    }
}

#[test]
fn a_notice_to_a_user_who_is_logged_in_does_not_fail_the_log_in() {
    for notice in [
        "- alert\n  - text: 3 invoices are overdue\n",
        "- alert\n  - text: Maintenance on Sunday 02:00–04:00.\n",
        "- alert\n  - text: Your password expires in 5 days.\n",
        "- alert\n  - text: Payment failed for invoice 2026-17.\n",
        "- text \"Import of orders.csv failed last night\" [error-styled]\n",
    ] {
        let shown = after_login("Dashboard", &format!("- heading \"Dashboard\"\n{notice}- link \"Log out\"\n"));
        assert!(shown.contains("+ signed_in") && !shown.contains("\n- ") && !shown.starts_with("- "), "{shown}");
        let refused = after_login("Nordwind", &format!("- heading \"Nordwind\"\n{notice}"));
        assert!(refused.starts_with("- "), "nothing shows a user: {refused}");
    }
    let locked = "- heading \"Hello alice\"\n- alert\n  - text: Your account could not be opened\n";
    assert!(after_login("Nordwind", locked).starts_with("- "));
}
