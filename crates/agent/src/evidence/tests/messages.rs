//! What the page says in words.

use super::*;

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
fn a_text_styled_as_an_error_contradicts_in_any_language() {
    let before = page("- button \"Zapisz\" [ref=e1]\n");
    let after = page("- button \"Zapisz\" [ref=e1]\n- text \"Nie udało się\" [error-styled]\n");
    assert!(shows(click("e1"), &[], &before, &after).starts_with("- refusal_text: \"Nie udało się\" appeared"));
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
        "Nothing to publish",
        "Published pages: 0",
        "Publishing opens on Monday",
        "Publish limit: 0 left",
        "Published by Eve yesterday",
    ] {
        let expected = format!("· {response}\n· unclear_message: {unclear:?} appeared");
        assert_eq!(after_click(unclear, &sent), expected, "{unclear}");
        assert_eq!(after_click(unclear, &[]), format!("· unclear_message: {unclear:?} appeared"), "{unclear}");
    }
    for clear in ["Published", "Your post is published for all to see", "New Ltd", "Saved.", "Thank you!"] {
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

#[test]
fn what_the_pressed_button_is_called_now_is_a_message() {
    let before = page("- heading \"Lamp\"\n- button \"Add to cart\" [ref=e1]");
    let sent = [request("POST", "http://shop.test/cart", 200)];
    let called = |name: &str| {
        shows(click("e1"), &sent, &before, &page(&format!("- heading \"Lamp\"\n- button {name:?} [ref=e1]")))
    };
    assert!(called("Sold out").starts_with("- refusal_text: the button that was pressed is called \"Sold out\" now"));
    for unclear in ["Requested", "Notify me when back", "Notify me"] {
        assert!(!called(unclear).contains('+'), "{unclear}: {}", called(unclear));
    }
    for done in ["Added to cart", "Remove from cart", "In cart"] {
        assert!(called(done).contains("+ response"), "{done}: {}", called(done));
    }
}

#[test]
fn what_was_opened_may_speak_of_failures() {
    let opened = |target: &str, rest: &str| {
        let before = page(&format!("- heading \"Inbox\"\n- {target} [ref=e1]"));
        shows(click("e1"), &[], &before, &page(&format!("- heading \"Inbox\"\n- {target} [ref=e1]\n{rest}")))
    };
    for (target, content) in [
        ("link \"Your statement\"", "- heading \"Your statement\"\n- text: Dear Ada, your card payment was declined."),
        ("button \"INV-3\"", "- heading \"Invoice INV-3\"\n- text: Payment failed"),
        ("tab \"Failing\"", "- text: build 11 failed\n- text: Build 9 could not be saved"),
    ] {
        let shown = opened(target, content);
        assert!(!shown.contains("- refusal_text") && shown.contains("+ new_text"), "{target}: {shown}");
    }
    for (target, refusal) in [
        ("link \"Publish\"", "- heading \"Publish\"\n- text: Your card was declined."),
        ("link \"Delete Acme\"", "- heading \"Delete Acme\"\n- text: The record could not be deleted."),
        ("button \"Your statement\"", "- heading \"Your statement\"\n- text: Access denied"),
        ("link \"Your statement\"", "- heading \"Access denied\""),
    ] {
        assert!(opened(target, refusal).contains("- refusal_text"), "{target}: {}", opened(target, refusal));
    }
}

#[test]
fn what_an_examination_finds_wrong_is_its_result() {
    let before = page("- button \"Validate\" [ref=e1]\n- button \"Save\" [ref=e2]");
    let after = page("- button \"Validate\" [ref=e1]\n- button \"Save\" [ref=e2]\n- text: Invalid value in line 1");
    let mut sent = request("POST", "http://shop.test/check", 200);
    if let PageEffect::Request { refusal, .. } = &mut sent {
        *refusal = Some("expired".into());
    }
    let effects = [sent];
    let shown = shows(click("e1"), &effects, &before, &after);
    assert!(!shown.lines().any(|line| line.starts_with('-')), "{shown}");
    assert!(shows(click("e2"), &effects, &before, &after).contains("- body_refused"));
}

#[test]
fn a_red_button_is_no_message() {
    let before = page("- button \"Delete\" [ref=e1]");
    let after = page(
        "- button \"Delete\" [ref=e1]\n- dialog\n  - heading \"Delete customer\"\n  - button \"Delete now\" [ref=e2] [error-styled]",
    );
    let action = [click("e1")];
    let shown = lines(&assess(Observed { has_further_action: true, ..observed(&action, &[], &before, &after) }));
    assert!(!shown.lines().any(|line| line.starts_with('-')), "{shown}");
}

#[test]
fn an_alert_that_names_what_was_done_or_is_under_way_does_not_contradict() {
    let before = page("- button \"Cancel subscription\" [ref=e1]");
    let said = |text: &str| {
        let after = page(&format!("- button \"Cancel subscription\" [ref=e1]\n- alert\n  - text: {text}"));
        shows(click("e1"), &[request("POST", "http://shop.test/plan", 200)], &before, &after)
    };
    for text in ["Subscription cancelled", "Your statement is being prepared"] {
        assert!(!said(text).lines().any(|line| line.starts_with('-')), "{}", said(text));
    }
    let unclear = said("Call 555-0100 about your account.");
    assert!(!unclear.contains("- ") && !unclear.contains("+ "), "the server accepted something: {unclear}");
}

#[test]
fn an_alert_that_states_nothing_contradicts_where_no_change_was_accepted() {
    let before = page("- textbox \"Name\" [editable] [ref=e1]: Orion\n- button \"Continue\" [ref=e2]");
    let after = |rest: &str| page(&format!("- button \"Continue\" [ref=e2]\n- alert\n  - text: Regions stay\n{rest}"));
    let accepted = [request("POST", "http://shop.test/setup", 200)];
    assert!(shows(click("e2"), &[], &before, &after("")).starts_with("- alert"));
    let on_itself = [request("POST", "http://shop.test/setup", 200), loaded("http://shop.test/setup", 200)];
    let shown = shows(click("e2"), &on_itself, &before, &after(""));
    assert!(shown.starts_with("- alert"), "the form was answered with a page: {shown}");
    let shown = shows(click("e2"), &accepted, &before, &after("- combobox \"Region\" [ref=e3]\n"));
    assert!(!shown.contains("- ") && shown.contains("+ response"), "the page went on: {shown}");
}

#[test]
fn a_short_text_that_came_by_itself_is_a_message_and_one_in_place_of_another_a_state() {
    let before = page("- heading \"Server\"\n- text: Running\n- button \"Restart\" [ref=e1]");
    let sent = [request("POST", "http://shop.test/restart", 200)];
    let with = |state: &str, rest: &str| {
        let after = format!("- heading \"Server\"\n- text: {state}\n- button \"Restart\" [ref=e1]\n{rest}");
        shows(click("e1"), &sent, &before, &page(&after))
    };
    for unclear in ["Server stopped", "Verified owners only", "For shared servers"] {
        let shown = with("Running", &format!("- text: {unclear}\n"));
        assert!(!shown.contains("+ "), "{unclear}: {shown}");
    }
    for unrelated in ["Business", "Server 13", "2 left"] {
        let shown = with("Running", &format!("- text: {unrelated}\n"));
        assert!(shown.contains("unrelated_effect") && !shown.contains("+ "), "{unrelated}: {shown}");
    }
    let shown = with("Running", "- text: Restarted\n");
    assert!(shown.contains("+ new_text"), "{shown}");
    // What replaces a state in words that have nothing in common with the request is left to a check.
    assert!(with("Up again", "").contains("unrelated_effect"), "{}", with("Up again", ""));
    let shown = with("Running", "- listitem\n  - text: Log line\n");
    assert!(shown.contains("unrelated_effect"), "an entry: {shown}");
}

#[test]
fn what_opens_with_a_change_that_is_sent_is_content() {
    let part = |state: &str| format!("- button \"Why was my payment declined?\" [ref=e1]{state}\n");
    let after = page(&format!("{}- text: Ask your bank about it first.\n", part(" [expanded]")));
    let sent = [request("POST", "http://shop.test/opened", 200)];
    let shown = shows(click("e1"), &sent, &page(&part("")), &after);
    assert!(shown.contains("+ element_state"), "{shown}");
}

#[test]
fn that_nothing_is_left_after_emptying_is_what_was_asked_for() {
    let before = page("- listitem\n  - text: Lamp\n- button \"Empty cart\" [ref=e1]");
    let after = page("- text: Your cart is empty.\n- button \"Empty cart\" [ref=e1]");
    let shown = shows(click("e1"), &[request("POST", "http://shop.test/cart", 200)], &before, &after);
    assert!(shown.contains("+ new_text"), "{shown}");
}

#[test]
fn the_form_that_a_link_leads_to_may_say_what_it_takes() {
    let before = page("- link \"Add user\" [ref=e1]");
    let led_to = |rest: &str| {
        let after = Snapshot { url: "http://shop.test/users/add".into(), ..page(rest) };
        shows(click("e1"), &[loaded("http://shop.test/users/add", 200)], &before, &after)
    };
    let form =
        "- heading \"Add user\"\n- textbox \"Name\" [editable] [ref=e2]\n- text: Your password can't be too common.";
    assert!(!led_to(form).contains("- refusal_text"), "{}", led_to(form));
    let refused = "- heading \"Access denied\"\n- textbox \"Search\" [editable] [ref=e2]";
    assert!(led_to(refused).contains("- refusal_text"), "{}", led_to(refused));
}

#[test]
fn a_dialog_that_was_answered_is_no_message_while_it_closes() {
    let before = page("- alertdialog \"Delete person\"\n  - text: Delete Linus?\n  - button \"Delete\" [ref=e1]");
    let closing = page("- alertdialog: Delete person Delete Linus?").nodes[1].clone();
    let after = Snapshot { transient: vec![closing], ..page("- text: Deleted") };
    let shown = shows(click("e1"), &[request("DELETE", "http://shop.test/people/1", 200)], &before, &after);
    assert!(!shown.lines().any(|line| line.starts_with('-')), "{shown}");
}

#[test]
fn a_count_below_what_was_ticked_is_no_success() {
    let rows = "- table\n  - row\n    - columnheader\n      - checkbox \"Select all\" [ref=e2] [checked]\n  - row\n    - checkbox \"Acme\" [ref=e3] [checked]\n  - row\n    - checkbox \"Globex\" [ref=e4] [checked]\n  - row\n    - checkbox \"Initech\" [ref=e5]\n";
    let before = page(&format!("- button \"Archive\" [ref=e1]\n{rows}"));
    let said = |text: &str| {
        let after = page(&format!("- button \"Archive\" [ref=e1]\n- status\n  - text: {text}\n{rows}"));
        shows(click("e1"), &[request("POST", "http://shop.test/archive", 200)], &before, &after)
    };
    let with_next_row = |text: &str| format!("{text}\n- row\n  - checkbox \"Umbrella\" [editable] [ref=e6]");
    let fewer = said("1 customer archived");
    let sent = said("Archive sent (1)");
    assert!(!sent.lines().any(|line| line.starts_with('+')), "{sent}");
    let beside = said(&with_next_row("1 customer archived"));
    assert!(!beside.lines().any(|line| line.starts_with('+')), "{beside}");
    assert!(!fewer.lines().any(|line| line.starts_with('+')) && fewer.contains("unclear_message"), "{fewer}");
    let changed = said("1 customer was changed successfully");
    assert!(!changed.lines().any(|line| line.starts_with('+')), "{changed}");
    for all in ["2 customers archived", "Archived", "3 archived in total"] {
        assert!(said(all).contains("+ response"), "{all}: {}", said(all));
    }
}

#[test]
fn a_button_that_carries_out_a_chosen_action_is_called_by_it() {
    let before = page("- combobox \"Action\" [ref=e2]: Deactivate selected products\n- button \"Go\" [ref=e1]");
    let said = |text: &str| {
        let after = page(&format!(
            "- combobox \"Action\" [ref=e2]\n- button \"Go\" [ref=e1]\n- list\n  - listitem\n    - text: {text}"
        ));
        shows(click("e1"), &[request("POST", "http://shop.test/products", 200)], &before, &after)
    };
    assert!(
        said("The 2 products were deactivated").contains("+ response"),
        "{}",
        said("The 2 products were deactivated")
    );
    assert!(!said("Ask the owner of these products").contains("+ response"));
}

#[test]
fn a_record_that_waits_for_approval_is_not_done_though_its_row_changed() {
    let row =
        |rest: &str| format!("- row\n  - cell \"INV-1\"\n  - cell \"{rest}\"\n  - button \"Mark as paid\" [ref=e1]\n");
    let before = page(&row("Open"));
    let after = |status: &str, said: &str| page(&format!("{}- status\n  - text: {said}\n", row(status)));
    let shown = |after: &Snapshot| shows(click("e1"), &[request("POST", "http://shop.test/pay", 200)], &before, after);
    let waits = shown(&after("Waiting", "INV-1 was sent to Finance for approval"));
    assert!(!waits.lines().any(|line| line.starts_with('+')), "{waits}");
    let paid = shown(&after("Paid", "INV-1 is settled with Finance now"));
    assert!(paid.contains("+ response"), "{paid}");
}

#[test]
fn an_amount_of_nothing_and_a_hint_beside_what_was_put_in_show_no_change() {
    let shown = |button: &str, text: &str| {
        let form = format!("- textbox \"Code\" [editable] [ref=e1]: SAVE5\n- button {button:?} [ref=e2]\n");
        let after = page(&format!("{form}- text: {text:?}\n"));
        shows(click("e2"), &[request("POST", "http://shop.test/coupon", 200)], &page(&form), &after)
    };
    for unclear in ["SAVE5 −€0.00", "Available to you: €0.00", "11 characters, e.g. ATU12345678"] {
        assert!(!shown("Apply", unclear).contains("+ "), "{unclear}: {}", shown("Apply", unclear));
    }
    assert!(shown("Apply", "SAVE5 −€5.00").contains("+ new_text"));
    assert!(shown("Pay", "Paid with SAVE5, due: €0.00").contains("+ new_text"));
}

#[test]
fn an_amount_or_a_count_is_no_status() {
    let before = page("- button \"Confirm\" [ref=e1]");
    let shown = |text: &str| {
        shows(click("e1"), &[], &before, &page(&format!("- button \"Confirm\" [ref=e1]\n- text: {text:?}")))
    };
    for done in ["€500.00 sent to Bob", "500 rows imported"] {
        assert!(!shown(done).contains("- "), "{done}: {}", shown(done));
    }
    assert!(shown("500 – Server error").contains("- refusal_text"));
}

#[test]
fn an_icon_beside_an_entry_may_state_a_refusal() {
    let before = page("- textbox \"Message\" [editable] [ref=e1]: Hello\n- button \"Send\" [ref=e2]");
    let shown = |icon: &str| {
        let after = page(&format!(
            "- listitem\n  - text: Hello\n  - img {icon:?}\n- textbox \"Message\" [editable] [ref=e1]\n- button \"Send\" [ref=e2]"
        ));
        shows(click("e2"), &[request("POST", "http://shop.test/messages", 200)], &before, &after)
    };
    assert!(shown("Failed to send").contains("- refusal_text"), "{}", shown("Failed to send"));
    assert!(!shown("Delivered").contains("- "), "{}", shown("Delivered"));
}

/// The facts after a button of a form was pressed that posts to `url` and shows `text`.
fn after_sending(button: &str, text: &str, url: &str) -> String {
    let form = |url: &str, rest: &str| {
        let mut page = page(&format!(
            "- heading \"Room\"\n- textbox \"Title\" [editable] [ref=e1]: Sprint\n- button {button:?} [ref=e2]\n{rest}"
        ));
        page.url = url.to_owned();
        page
    };
    let before = form("http://shop.test/room", "");
    let effects = [request("POST", "http://shop.test/do", 200)];
    shows(click("e2"), &effects, &before, &form(url, &format!("- text {text:?}\n")))
}

#[test]
fn a_message_that_does_not_state_what_was_asked_for_shows_no_success() {
    for (button, text) in [
        ("Book", "Bookings open at 09:00."),
        ("Book room", "You already hold two bookings this week, which is the most anyone gets."),
        ("Book", "Your wish is now with Facilities."),
        ("Save", "This page is a bit old. Refresh to see what changed."),
        ("Save", "Everything was already up to date."),
        ("Save", "Saved, except for Email"),
        ("Save", "E-1043"),
        ("Add contact", "We found an existing Kim Berg and opened it instead"),
        ("Apply", "Thanks, but the deadline for this year has passed."),
        ("Redeem", "Great code! It starts on 1 June."),
        ("Pay", "Payment submitted. Finance has to release it."),
        ("Create project", "Choose a plan"),
        ("Create project", "Upgrade to create"),
        ("Delete account", "Deletion is planned for 25 December"),
    ] {
        let shown = after_sending(button, text, "http://shop.test/room");
        assert!(!shown.lines().any(|line| line.starts_with('+')), "{text} after {button}: {shown}");
    }
    for (button, text) in [
        ("Book", "Booked: Monday at 09:00."),
        ("Save", "Your changes were saved"),
        ("Make admin", "Ada is now an admin"),
        ("Import", "Import complete"),
        ("Apply", "Thank you for your application"),
        ("Delete account", "Your account has been deleted"),
    ] {
        let shown = after_sending(button, text, "http://shop.test/room");
        assert!(shown.contains("+ response"), "{text} after {button}: {shown}");
    }
}

#[test]
fn a_redirect_to_the_same_page_with_a_message_in_the_query_leads_nowhere() {
    let shown = |text| after_sending("Buchen", text, "http://shop.test/room?m=1");
    let refused = shown("Der Raum ist zu dieser Zeit schon vergeben.");
    assert!(!refused.lines().any(|line| line.starts_with('+')), "{refused}");
    let booked = shown("Der Raum ist gebucht.");
    assert!(booked.contains("+ response"), "{booked}");
}

#[test]
fn mere_thanks_do_not_turn_a_change_that_was_accepted_for_later_into_one_that_was_made() {
    let before = page("- button \"Save\" [ref=e1]\n");
    let shown = |text: &str| {
        let after = page(&format!("- button \"Save\" [ref=e1]\n- text {text:?}\n"));
        shows(click("e1"), &[request("POST", "http://shop.test/do", 202)], &before, &after)
    };
    assert!(!shown("Thanks").lines().any(|line| line.starts_with('+')), "{}", shown("Thanks"));
    assert!(shown("Thank you, your changes were saved").contains("+ new_text"));
}

#[test]
fn a_message_about_another_entry_whose_name_begins_with_the_value_supports_nothing() {
    let before = page("- textbox \"Name\" [ref=e1]: Kim Berg\n- button \"Create contact\" [ref=e2]\n");
    let shown = |text: &str| {
        let after =
            page(&format!("- textbox \"Name\" [ref=e1]\n- button \"Create contact\" [ref=e2]\n- text {text:?}\n"));
        shows(click("e2"), &[request("POST", "http://shop.test/do", 200)], &before, &after)
    };
    let merged = shown("Merged with Kim Bergström");
    assert!(!merged.contains("+ ") && merged.contains("· unclear_message"), "{merged}");
    assert!(shown("Kim Berg added").contains("+ new_text"), "{}", shown("Kim Berg added"));
}

#[test]
fn an_entry_that_is_still_being_sent_supports_nothing() {
    let list = |entry: &str| {
        page(&format!("- textbox \"Item\"\n- button \"Add\" [ref=e2]\n- list\n  - listitem \"Milk\"\n{entry}"))
    };
    let before = page("- textbox \"Item\" [ref=e1]: Bread\n- button \"Add\" [ref=e2]\n- list\n  - listitem \"Milk\"\n");
    let shown = |name: &str| {
        let after = list(&format!("  - listitem\n    - text {name:?}\n"));
        shows(click("e2"), &[request("POST", "http://shop.test/add", 200)], &before, &after)
    };
    let waiting = shown("Bread ⏳");
    assert!(!waiting.contains("+ "), "{waiting}");
    assert!(shown("Bread").contains("+ "), "{}", shown("Bread"));
}

/// What a link with this name on a page with a banner leads to.
fn after_link(role: &str, name: &str, lines: &str) -> String {
    let before =
        page(&format!("- heading \"Home\"\n- alert\n  - text: Cookies are used here\n- {role} {name:?} [ref=e1]\n"));
    let after = Snapshot { url: "http://shop.test/n".into(), title: "Shop".into(), ..page(lines) };
    shows(click("e1"), &[loaded("http://shop.test/n", 200)], &before, &after)
}

fn is_contradicted(shown: &str) -> bool {
    shown.lines().any(|line| line.starts_with("- "))
}

#[test]
fn a_notice_of_the_page_that_a_link_led_to_is_not_about_the_step() {
    let rest = "- text \"12 orders\"\n";
    for (name, notice) in [
        ("Orders", "- alert\n  - text: 3 invoices are overdue.\n"),
        ("Invoices", "- alert\n  - text: 3 invoices are overdue.\n"),
        ("Dashboard", "- alert\n  - text: Maintenance on Sunday 02:00–04:00.\n"),
        ("Dashboard", "- text \"Import of orders.csv failed last night\" [error-styled]\n"),
        ("Licences", "- text \"Your trial has expired.\"\n"),
        ("Jobs", "- text \"Last backup failed\"\n- text \"Backup could not be completed on 3 May\"\n"),
    ] {
        let shown = after_link("link", name, &format!("- heading {name:?}\n{notice}{rest}"));
        assert!(!is_contradicted(&shown) && shown.contains("+ "), "{name}: {shown}");
    }
    let shown = after_link(
        "link",
        "Bestellungen",
        &format!("- heading \"Bestellungen\"\n- alert\n  - text: 3 Rechnungen\n{rest}"),
    );
    assert!(!is_contradicted(&shown), "{shown}");
    // A banner of the site was there before.
    let banner = "- heading \"Start\"\n- alert\n  - text: Cookies are used here\n";
    assert!(!is_contradicted(&after_link("link", "Overview", &format!("{banner}{rest}"))));
}

#[test]
fn a_notice_about_the_step_or_on_another_page_than_the_requested_one_contradicts() {
    let rest = "- text \"12 orders\"\n";
    for (role, name, heading, notice) in [
        ("link", "Reports", "Plans", "Reports are part of the Pro plan"),
        ("link", "Reports", "Reports", "You need the Pro plan for this"),
        ("link", "Reports", "Reports", "Access denied"),
        ("link", "Reports", "Reports", "An error occurred. Try again later."),
        ("link", "Reports", "Reports", "Reports could not be shown"),
        ("link", "Reports", "Reports", "Please log in to continue"),
        ("link", "Delete", "Delete", "Beta is used in 3 orders."),
        ("link", "Publish", "Publish", "Your trial has expired."),
        ("button", "Reports", "Reports", "Your trial has expired."),
    ] {
        let page = format!("- heading {heading:?}\n- alert\n  - text: {notice}\n{rest}");
        let shown = after_link(role, name, &page);
        assert!(is_contradicted(&shown), "{name}, {notice}: {shown}");
    }
    let alone = after_link("link", "Jobs", "- heading \"Jobs\"\n- alert\n  - text: The queue moves on every Monday.\n");
    assert!(is_contradicted(&alone), "the page consists of the message: {alone}");
}

#[test]
fn a_notice_of_a_long_page_that_was_opened_is_content_and_the_answer_of_a_short_one_is_not() {
    let url = "http://shop.test/dashboard";
    let opened = |texts: usize, notice: &str| {
        let rows: String = (0..texts).map(|n| format!("- text \"Order {n}\"\n")).collect();
        let after = Snapshot { url: url.into(), ..page(&format!("- alert\n  - text: {notice}\n{rows}")) };
        shows(Action::Open(Open { url: url.into() }), &[loaded(url, 200)], &page(""), &after)
    };
    assert!(!is_contradicted(&opened(30, "Payment failed for invoice 2026-17.")));
    assert!(is_contradicted(&opened(2, "The confirmation failed.")));
    assert!(is_contradicted(&opened(30, "Access denied")));
}

/// A list of watched pages had the class `has-error` on its wrapper while any page was down: adding a page failed.
#[test]
fn a_class_on_a_large_part_of_the_page_or_on_an_entry_is_no_message() {
    let before = page("- button \"Watch\" [ref=e1]\n- textbox \"Address\" [ref=e2]");
    let table = "- table [error-styled]\n  - row [error-styled]\n    - cell \"https://news.example/\" [error-styled]\n    - cell \"Never\" [error-styled]\n";
    let entry = "- table\n  - row\n    - cell \"https://news.example/\"\n    - cell\n      - text \"Exception: name not resolved\" [error-styled]\n";
    let rest = "- textbox \"Address\" [ref=e2]\n";
    let reloaded = [loaded(URL, 200), request("POST", URL, 302)];
    let after = page(&format!("- button \"Watch\" [ref=e1]\n{rest}{table}"));
    let shown = shows(click("e1"), &reloaded, &before, &after);
    assert!(!shown.contains("- "), "{shown}");
    // The entry was there before, and a list that is opened has such entries.
    let before = page(&format!("- button \"Watch\" [ref=e1]\n{rest}{entry}"));
    let after = page(&format!("- button \"Watch\" [ref=e1]\n{rest}{entry}- text \"Watch added.\"\n"));
    let shown = shows(click("e1"), &reloaded, &before, &after);
    assert!(!shown.contains("- "), "{shown}");
    // A short message keeps its meaning.
    let after = page(&format!("- button \"Watch\" [ref=e1]\n{rest}- text \"Nie można dodać\" [error-styled]\n"));
    assert!(shows(click("e1"), &reloaded, &before, &after).contains("- refusal_text"));
}
