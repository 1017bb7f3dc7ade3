//! Values and states of fields.

use super::*;

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

/// A page that draws its controls again after the server answered shows there what was stored.
#[test]
fn a_control_that_the_page_replaced_is_judged_by_its_new_state() {
    let check = Action::Check(legwork_protocol::TargetParams { target: Target("e1".into()) });
    let before = page("- checkbox \"Block member\" [ref=e1]\n- combobox \"Turnus\" [ref=e2]: Day\n");
    let again = page("- checkbox \"Block member\" [ref=e8]\n- combobox \"Turnus\" [ref=e9]: Day\n");
    let shown = shows(check.clone(), &[], &before, &again);
    assert_eq!(shown, "- field_value: checkbox \"Block member\" is not checked");
    let ticked = page("- checkbox \"Block member\" [ref=e8] [checked]\n");
    assert_eq!(shows(check.clone(), &[], &before, &ticked), "+ element_state: checkbox \"Block member\" is checked");
    let two = page("- checkbox \"Block member\" [ref=e8]\n- checkbox \"Block member\" [ref=e9]\n");
    assert!(!shows(check, &[], &before, &two).contains("field_value"), "it is not known which one is meant");
    let select = Action::Select(legwork_protocol::Select { target: Target("e2".into()), values: vec!["Night".into()] });
    let shown = shows(select, &[], &before, &again);
    assert_eq!(shown, "- field_value: combobox \"Turnus\" holds \"Day\" instead of \"Night\"");
}

/// The answer of a dialog belongs to the action that opens it, whose field is judged as without the dialog.
#[test]
fn a_box_that_a_dialog_confirms_is_judged_like_another() {
    let check = Action::Check(legwork_protocol::TargetParams { target: Target("e1".into()) });
    let confirmed =
        Action::Dialog(legwork_protocol::Dialog { accept: true, text: None, opened_by: Some(Box::new(check)) });
    let before = page("- checkbox \"Delete all\" [ref=e1]\n");
    let after = page("- checkbox \"Delete all\" [ref=e1] [checked]\n");
    let shown = shows(confirmed, &[], &before, &after);
    assert_eq!(shown, "+ element_state: checkbox \"Delete all\" is checked");
}

/// The contradictions that are open after these actions, as a model is told them.
fn still_open(steps: &[(&[Action], &[Action], &Snapshot)], begin: &Snapshot) -> String {
    let mut open = crate::evidence::Contradictions::default();
    let mut before = begin;
    for (actions, failed, after) in steps {
        let findings = assess(Observed { failed, ..observed(actions, &[], before, after) });
        open.update(&findings, after, crate::evidence::starts_over(actions));
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
        let mut set = crate::evidence::SetFields::default();
        let mut found = Vec::new();
        let mut before = &none;
        for (actions, after) in [(&check("e1")[..], pages[0]), (second, pages[1])] {
            let findings = assess(observed(actions, &[], before, after));
            found.extend(set.update(&findings, actions, (Some(before), after), false));
            before = after;
        }
        lines(&found)
    };
    assert_eq!(lost([&one, &both], &check("e2")), "");
    assert_eq!(
        lost([&one, &other], &check("e2")),
        "- field_value: checkbox \"red\" no longer holds \"checked\": it holds \"not checked\""
    );
    assert_eq!(
        lost([&one, &none], &[click("e3")]),
        "· reversion: checkbox \"red\" holds \"not checked\" again, as before \"checked\" was entered"
    );
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
        let mut set = crate::evidence::SetFields::default();
        let (filled, fills) = (form("Initech", value, ""), [fill("e1", value)]);
        let findings = assess(observed(&fills, &[], &before, &filled));
        assert!(set.update(&findings, &fills, (Some(&before), &filled), false).is_empty());
        let sends = [click("e3")];
        lines(&set.update(&assess(observed(&sends, &[], &filled, after)), &sends, (Some(&filled), after), false))
    };
    assert_eq!(
        after_saving("80", &form("Initech", "50", "")),
        "- field_value: after it was sent, spinbutton \"Discount\" holds \"50\" instead of \"80\""
    );
    assert_eq!(
        after_saving("80", &form("Initech", "5", "")),
        "· reversion: spinbutton \"Discount\" holds \"5\" again, as before \"80\" was entered"
    );
    // Sent with GET: the address is another one, with what was put in, and shows nothing.
    let set = |url: &str, discount: &str| Snapshot { url: url.into(), ..form("Initech", discount, "") };
    let mut fields = crate::evidence::SetFields::default();
    let (open, filled) = (set("https://shop.test/c?from=list", "5"), set("https://shop.test/c?from=list", "80"));
    let fills = [fill("e1", "80")];
    fields.update(&assess(observed(&fills, &[], &open, &filled)), &fills, (Some(&open), &filled), false);
    let (sends, back) = ([click("e3")], set("https://shop.test/c?discount=80", "5"));
    let findings = assess(observed(&sends, &[], &filled, &back));
    assert!(findings.iter().any(|finding| finding.rule == super::EvidenceRule::Address && finding.supports()));
    let lost = fields.update(&findings, &sends, (Some(&filled), &back), false);
    let doubted: Vec<_> =
        findings.into_iter().map(|finding| crate::evidence::neutralize_unless_done(finding, &lost)).collect();
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

/// The findings of a click on a button after `Mail` was ticked and `Note` filled in, on a page with this box and note
/// and these lines.
fn after_ticking(button: &str, (checked, note): (bool, &str), lines_after: &str) -> Vec<super::Finding> {
    let form = |checked: bool, note: &str, lines: &str| {
        let checked = if checked { " [checked]" } else { "" };
        page(&format!(
            "- heading \"Settings\"\n- radio \"Mail\" [ref=e1]{checked}\n- textbox \"Note\" [ref=e2]: {note}\n\
             - button {button:?} [ref=e3]\n{lines}"
        ))
    };
    let mut set = crate::evidence::SetFields::default();
    let check = [Action::Check(legwork_protocol::TargetParams { target: Target("e1".into()) })];
    let pages = [form(false, "", ""), form(true, "", ""), form(true, "Hello", "")];
    let fills = [fill("e2", "Hello")];
    set.update(&assess(observed(&check, &[], &pages[0], &pages[1])), &check, (Some(&pages[0]), &pages[1]), true);
    set.update(&assess(observed(&fills, &[], &pages[1], &pages[2])), &fills, (Some(&pages[1]), &pages[2]), true);
    let (sends, after) = ([click("e3")], form(checked, note, lines_after));
    let sent = [request("POST", "http://shop.test/settings", 200)];
    let findings = assess(observed(&sends, &sent, &pages[2], &after));
    let lost = set.update(&findings, &sends, (Some(&pages[2]), &after), false);
    let doubted = findings
        .into_iter()
        .map(|finding| if lost.is_empty() { finding } else { crate::evidence::neutralize_unless_done(finding, &lost) });
    doubted.chain(lost.clone()).collect()
}

#[test]
fn a_choice_that_goes_back_when_it_is_saved_is_not_saved_whatever_the_page_says() {
    let supports = |button: &str, now: (bool, &str), lines: &str| {
        after_ticking(button, now, lines).iter().any(super::Finding::supports)
    };
    assert!(supports("Save", (true, "Hello"), "- text: Settings saved\n"));
    assert!(!supports("Save", (false, "Hello"), ""), "{}", lines(&after_ticking("Save", (false, "Hello"), "")));
    assert!(!supports("Save", (false, "Hello"), "- text: Settings saved\n"), "the page holds something else");
    // What is emptied for the next entry loses its choices as well.
    assert!(supports("Save", (false, ""), "- text: Settings saved\n"));
    let several = lines(&after_ticking("Add", (false, "Hello"), "- text: Hello was added\n"));
    assert!(supports("Add", (false, "Hello"), "- text: Hello was added\n"), "a form for several entries: {several}");
}

#[test]
fn of_radio_buttons_the_last_choice_counts() {
    let group = |first: bool| {
        let [a, b] = [first, !first].map(|set| if set { " [checked]" } else { "" });
        page(&format!("- radio \"Day\" [ref=e1]{a}\n- radio \"Night\" [ref=e2]{b}\n- button \"Save\" [ref=e3]\n"))
    };
    let check = |to: &str| [Action::Check(legwork_protocol::TargetParams { target: Target(to.into()) })];
    let (night, day) = (group(false), group(true));
    let mut set = crate::evidence::SetFields::default();
    let mut step = |actions: &[Action], before: &Snapshot, after: &Snapshot| {
        lines(&set.update(&assess(observed(actions, &[], before, after)), actions, (Some(before), after), true))
    };
    assert_eq!(step(&check("e1"), &night, &day), "");
    assert_eq!(step(&check("e2"), &day, &night), "", "the first choice is replaced, not lost");
    assert_eq!(step(&[click("e3")], &night, &night), "");
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
fn a_required_field_that_is_emptied_for_the_next_entry_does_not_contradict() {
    let before = page("- textbox \"Subject\" [ref=e1] [required]: Broken export\n- button \"Submit\" [ref=e2]\n");
    let after = page("- textbox \"Subject\" [ref=e1] [required] [invalid]\n- button \"Submit\" [ref=e2]\n");
    let sent = |status| [request("POST", "http://shop.test/tickets", status)];
    assert!(!shows(click("e2"), &sent(201), &before, &after).contains("- invalid_field"));
    assert!(shows(click("e2"), &sent(422), &before, &after).contains("- invalid_field"));
    assert!(shows(click("e2"), &[], &before, &after).contains("- invalid_field"), "nothing was sent");
}

#[test]
fn gestures_and_what_came_without_a_name_are_evidence() {
    let list = page("- listitem [ref=e1]: Milk\n");
    let hover = Action::Hover(legwork_protocol::TargetParams { target: Target("e1".into()) });
    assert!(shows(hover, &[], &list, &list).starts_with("+ element_state: the pointer is over"));
    let typed = Action::Type(legwork_protocol::Type { target: None, text: "Oat milk".into() });
    let field = |value: &str| page(&format!("- textbox \"Title\" [editable] [focused] [ref=e1]: {value}\n"));
    assert!(shows(typed, &[], &field("Milk"), &field("Oat milk")).contains("+ element_state: textbox \"Title\" holds"));
    let cell = page("- gridcell [ref=e1]\n");
    let editor = page("- gridcell [ref=e1]\n  - textbox [editable] [focused] [ref=e2]\n");
    assert!(shows(click("e1"), &[], &cell, &editor).contains("+ new_text: textbox appeared"));
    let header = |arrow: &str| page(&format!("- columnheader \"Name{arrow}\" [ref=e1]\n"));
    assert!(shows(click("e1"), &[], &header(""), &header(" ▲")).contains("is called \"Name ▲\" now"));
}

#[test]
fn a_choice_that_is_shown_beside_its_field_is_evidence() {
    let select = |values: &[&str]| {
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        Action::Select(Select { target: Target("e1".into()), values })
    };
    let before = page("- cell\n  - text: Hooli\n- combobox \"Customer\" [ref=e1]");
    let after = page("- cell\n  - text: Hooli\n- combobox \"Customer\" [ref=e1]\n- text: Hooli");
    let shown = "+ element_state: combobox \"Customer\" shows \"Hooli\"";
    assert_eq!(shows(select(&["Hooli"]), &[], &before, &after), shown);
    assert_eq!(shows(select(&["Hooli", "Acme"]), &[], &before, &after), "");
    assert_eq!(shows(select(&["Hooli"]), &[], &before, &before), "");
}

#[test]
fn a_field_that_holds_the_value_after_a_failed_action_holds_no_other() {
    let shown = |value: &str| {
        let (failed, page) = ([fill("e1", "Oslo")], page(&format!("- textbox \"Town\" [ref=e1]: {value}\n")));
        lines(&assess(Observed { failed: &failed, ..observed(&[], &[], &page, &page) }))
    };
    assert!(shown("Oslo").contains("textbox \"Town\" was not set to \"Oslo\""), "{}", shown("Oslo"));
    assert!(shown("Bergen").contains("holds \"Bergen\" instead of \"Oslo\""), "{}", shown("Bergen"));
}

#[test]
fn a_list_of_choices_that_returns_to_its_first_one_is_no_doubt_if_the_page_shows_the_choice() {
    let form = |day: &str, rest: &str| {
        page(&format!(
            "- combobox \"Day\" [ref=e1]: {day}\n  - option \"Mon\"\n  - option \"Wed\"\n- button \"Add day\" [ref=e2]\n- table\n  - row\n    - cell \"Tue\"\n{rest}"
        ))
    };
    let shown = |rest: &str| {
        let select =
            Action::Select(legwork_protocol::Select { target: Target("e1".into()), values: vec!["Wed".into()] });
        let (open, chosen, after) = (form("Mon", ""), form("Wed", ""), form("Mon", rest));
        let mut set = crate::evidence::SetFields::default();
        let (chooses, sends) = ([select], [click("e2")]);
        set.update(&assess(observed(&chooses, &[], &open, &chosen)), &chooses, (Some(&open), &chosen), true);
        let findings = assess(observed(&sends, &[request("POST", "http://shop.test/days", 200)], &chosen, &after));
        lines(&set.update(&findings, &sends, (Some(&chosen), &after), false))
    };
    assert_eq!(shown("  - row\n    - cell \"Wed\"\n"), "");
    assert!(shown("").contains("reversion"), "{}", shown(""));
}

#[test]
fn an_entry_that_is_gone_with_the_entered_value_is_new() {
    let form = |value: &str, rows: &str| {
        page(&format!(
            "- textbox \"E-mail\" [editable] [ref=e1]{value}\n- button \"Unsubscribe\" [ref=e2]\n- list\n{rows}"
        ))
    };
    let (ann, kim) = ("  - listitem\n    - text \"ann@x.test\"\n", "  - listitem\n    - text \"kim@x.test\"\n");
    let shown = |rows: &str| {
        let (open, filled, after) =
            (form("", &format!("{ann}{rows}")), form(": kim@x.test", &format!("{ann}{rows}")), form("", ann));
        let mut set = crate::evidence::SetFields::default();
        let (fills, sends) = ([fill("e1", "kim@x.test")], [click("e2")]);
        set.update(&assess(observed(&fills, &[], &open, &filled)), &fills, (Some(&open), &filled), true);
        let findings = assess(observed(&sends, &[request("POST", "http://shop.test/u", 200)], &filled, &after));
        lines(&set.update(&findings, &sends, (Some(&filled), &after), false))
    };
    assert_eq!(shown(kim), "");
    assert!(shown("").contains("the page shows nothing new"), "{}", shown(""));
}
