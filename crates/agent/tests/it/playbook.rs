//! Playbooks: what a run records, and how the next run uses it.

mod positions;

use std::{collections::BTreeMap, sync::Arc};

use legwork_agent::{
    ModelRules, Need, NeedResult, Rules,
    playbook::{OmittedStep, Playbook, record},
};
use legwork_observe::Snapshot;
use legwork_protocol::{
    Action, ActionFailure, ActionResult, DecidedBy, Event, EventKind, Outcome, PageEffect, RunStart, Status, Target,
    Validation,
};
use serde_json::json;

use crate::support::{Script, brief, done, page, reply, start};

const DONE: &str = r#"{"decision":{"action":"PROCEED","message":"Done."},"reasoning":{"analysis":"a","rationale":"b","expectedOutcome":"c"},"confidence":0.9,"command":null}"#;

fn click(target: &str) -> String {
    DONE.replace("null", &format!(r#"{{"action":"click","parameters":{{"target":"{target}"}}}}"#))
}

fn fill(target: &str, text: &str) -> String {
    DONE.replace("null", &format!(r#"{{"action":"fill","parameters":{{"target":"{target}","text":"{text}"}}}}"#))
}

fn with_model() -> Rules {
    Rules { model: Some(ModelRules::default()), ..Rules::default() }
}

fn with_playbook(playbook: &Playbook, rules: Rules) -> Rules {
    Rules { playbook: Some(Arc::new(playbook.clone())), ..rules }
}

/// A shop with these cards, and the message that an order was added.
fn shop(names: &[&str], message: &str) -> String {
    let mut text = "- heading \"Shop\" [level=1]\n- main\n".to_owned();
    for (at, name) in names.iter().enumerate() {
        text +=
            &format!("  - heading \"{name}\" [level=3]\n  - text: in stock\n  - button \"Add\" [ref=e{}]\n", at + 1);
    }
    if !message.is_empty() {
        text += &format!("- status \"{message}\"\n");
    }
    text
}

/// What happened in a run.
struct Played {
    outcome: Outcome,
    journal: Vec<Event>,
    /// The actions that the browser received.
    acted: Vec<Action>,
    /// Number of model calls.
    calls: usize,
}

impl Played {
    fn actions(&self) -> Vec<String> {
        self.acted.iter().map(brief).collect()
    }

    fn deciders(&self) -> Vec<DecidedBy> {
        let decider = |event: &Event| match &event.kind {
            EventKind::CommandStarted { decider, .. } => Some(*decider),
            _ => None,
        };
        self.journal.iter().filter_map(decider).collect()
    }

    fn playbook(&self) -> Playbook {
        record(&self.journal).expect("a successful run")
    }
}

/// Plays a run in which each action shows the next page; a model gives these replies.
fn play(begin: RunStart, rules: Rules, replies: &[String], pages: &[String]) -> Played {
    play_finding(&[], begin, rules, replies, pages)
}

/// The same with a browser that finds these refs for names and selectors.
fn play_finding(found: &[(&str, &str)], begin: RunStart, rules: Rules, replies: &[String], pages: &[String]) -> Played {
    let refs: BTreeMap<String, Target> =
        found.iter().map(|(name, reference)| ((*name).to_owned(), Target((*reference).to_owned()))).collect();
    let pages: Vec<Arc<Snapshot>> = pages.iter().map(|text| page(text)).collect();
    let (mut acted, mut calls, mut seen) = (Vec::new(), 0, 0);
    let mut script = Script::begin(begin, rules);
    let outcome = script.drive(|need| {
        Some(match need {
            Need::Observe(_) => NeedResult::Observed(pages[seen.min(pages.len() - 1)].clone()),
            Need::Decide(_) => {
                calls += 1;
                reply(replies.get(calls - 1).map_or(DONE, String::as_str))
            }
            Need::Act(intents) => {
                acted.extend(intents.iter().map(|intent| intent.action.clone()));
                seen += 1;
                NeedResult::Acted(intents.iter().map(|_| ActionResult { refs: refs.clone(), ..done() }).collect())
            }
            Need::Inspect(_) => NeedResult::Inspected(Err(ActionFailure::Unresponsive)),
            Need::Ask(_) | Need::CallDecider(_) | Need::BeginStep | Need::Done(_) => return None,
        })
    });
    Played { outcome: outcome.expect("it ends"), journal: script.journal, acted, calls }
}

const NAMES: [&str; 3] = ["Chair", "Table", "Lamp"];

/// A run in which a model chose the second of three equal buttons.
fn chosen_by_model() -> (RunStart, Played) {
    let begin = start(&["put the table into the basket"]);
    let pages = [shop(&NAMES, ""), shop(&NAMES, "Table added")];
    let played = play(begin.clone(), with_model(), &[click("e2"), DONE.to_owned()], &pages);
    assert_eq!((played.outcome.status, played.calls), (Status::Success, 2));
    (begin, played)
}

#[test]
fn one_of_several_equal_buttons_that_a_model_chose_is_repeated_without_a_model() {
    let (begin, first) = chosen_by_model();
    let pages = [shop(&NAMES, ""), shop(&NAMES, "Table added")];
    let again = play(begin, with_playbook(&first.playbook(), Rules::default()), &[], &pages);
    assert_eq!(again.outcome.status, Status::Success, "{:?}", again.outcome.error);
    assert_eq!((again.actions(), again.calls), (vec!["click e2".to_owned()], 0));
    assert_eq!(again.deciders(), [DecidedBy::Playbook]);
}

#[test]
fn a_row_inserted_above_does_not_change_which_button_is_meant() {
    let (begin, first) = chosen_by_model();
    let more = ["Sofa", "Chair", "Table", "Lamp"];
    let pages = [shop(&more, ""), shop(&more, "Table added")];
    let again = play(begin, with_playbook(&first.playbook(), Rules::default()), &[], &pages);
    assert_eq!(again.actions(), ["click e3"]);
}

/// The playbook of an earlier run is used without being asked for, and the words say a number.
#[test]
fn an_ordinal_in_the_words_stays_a_position_and_the_step_tells_that_it_is_another_row() {
    let begin = start(&["Click the second \"Add\" button"]);
    let first = play(begin.clone(), Rules::default(), &[], &[shop(&NAMES, ""), shop(&NAMES, "Table added")]);
    let playbook = first.playbook();
    let notes = |played: &Played| -> Vec<String> {
        let ended = played.journal.iter().filter_map(|event| match &event.kind {
            EventKind::StepCompleted(result) => Some(&result.evidence),
            _ => None,
        });
        let about = |fact: &String| fact.contains("number in the words");
        ended.flatten().map(|evidence| evidence.fact.clone()).filter(about).collect()
    };
    let same = [shop(&NAMES, ""), shop(&NAMES, "Table added")];
    let again = play(begin.clone(), with_playbook(&playbook, Rules::default()), &[], &same);
    assert_eq!((again.actions(), notes(&again)), (vec!["click e2".to_owned()], vec![]));
    assert_eq!(again.outcome.validation, Validation::Validated);
    let more = ["Sofa", "Chair", "Table", "Lamp"];
    let pages = [shop(&more, ""), shop(&more, "Chair added")];
    let again = play(begin.clone(), with_playbook(&playbook, Rules::default()), &[], &pages);
    assert_eq!((again.actions(), again.deciders()), (vec!["click e2".to_owned()], vec![DecidedBy::Literal]));
    assert_eq!(again.outcome.validation, Validation::Unvalidated, "only the user knows which one was meant");
    let notes = notes(&again);
    assert!(notes[0].contains("Chair") && notes[0].contains("Table"), "{notes:?}");
    let gone = [shop(&["Chair", "Lamp"], ""), shop(&["Chair", "Lamp"], "Lamp added")];
    let gone = play(begin, with_playbook(&playbook, Rules::default()), &[], &gone);
    assert_eq!((gone.outcome.status, gone.actions()), (Status::Success, vec!["click e2".to_owned()]));
    assert_eq!(gone.outcome.validation, Validation::Unvalidated);
}

#[test]
fn with_a_playbook_that_was_asked_for_an_ordinal_means_the_recorded_row() {
    let rules = || Rules { prefers_recorded_row: true, ..Rules::default() };
    let begin = start(&["Click the second \"Add\" button"]);
    let first = play(begin.clone(), Rules::default(), &[], &[shop(&NAMES, ""), shop(&NAMES, "Table added")]);
    assert_eq!(first.actions(), ["click e2"]);
    let playbook = first.playbook();
    let more = ["Sofa", "Chair", "Table", "Lamp"];
    let pages = [shop(&more, ""), shop(&more, "Table added")];
    let again = play(begin.clone(), with_playbook(&playbook, rules()), &[], &pages);
    assert_eq!(again.actions(), ["click e3"]);
    assert_eq!(again.deciders(), [DecidedBy::Playbook]);
    // Without its row, nothing is clicked, although there is a second button.
    let gone = play(begin, with_playbook(&playbook, rules()), &[], &[shop(&["Chair", "Lamp"], "")]);
    assert_eq!((gone.outcome.status, gone.actions().len()), (Status::Failure, 0));
    let error = gone.outcome.error.expect("an error");
    assert!(error.details.iter().any(|line| line.contains("Add") && line.contains('%')), "{error:#?}");
}

/// The words "the first link" mean a position; no row was meant.
#[test]
fn an_ordinal_without_a_name_stays_a_position() {
    let begin = start(&["Click the second button"]);
    let first = play(begin.clone(), Rules::default(), &[], &[shop(&NAMES, ""), shop(&NAMES, "Table added")]);
    let more = ["Sofa", "Chair", "Table", "Lamp"];
    let pages = [shop(&more, ""), shop(&more, "Chair added")];
    let again = play(begin, with_playbook(&first.playbook(), Rules::default()), &[], &pages);
    assert_eq!(again.actions(), ["click e2"]);
}

/// Two fields and a button, of which the second field can be missing.
fn form(city: &str, message: &str) -> String {
    let mut text = "- form \"Address\"\n  - text: Street\n  - textbox \"Street\" [ref=e1]\n".to_owned();
    text += &format!("  - text: {city}\n  - textbox \"{city}\" [ref=e2]\n  - button \"Save\" [ref=e3]\n");
    if !message.is_empty() {
        text += &format!("- status \"{message}\"\n");
    }
    text
}

fn filled_by_model() -> (RunStart, Playbook) {
    let mut begin = start(&["enter the address ${street} in Oslo and save it"]);
    begin.inputs.insert("street".into(), json!("Main Street 5"));
    let replies = [fill("e1", "Main Street 5"), fill("e2", "Oslo"), click("e3"), DONE.to_owned()];
    let pages = [form("City", ""), form("City", ""), form("City", ""), form("City", "The address was saved")];
    let first = play(begin.clone(), with_model(), &replies, &pages);
    assert_eq!(first.outcome.status, Status::Success);
    (begin, first.playbook())
}

#[test]
fn an_input_is_a_parameter_and_its_value_is_not_in_the_playbook() {
    let (mut begin, playbook) = filled_by_model();
    assert!(playbook.parameters.contains("street"));
    let text = serde_json::to_string(&playbook.steps).expect("plain data");
    assert!(text.contains("${street}") && !text.contains("Main Street"), "{text}");
    begin.inputs.insert("street".into(), json!("Side Road 7"));
    let pages = [form("City", ""), form("City", ""), form("City", ""), form("City", "The address was saved")];
    let again = play(begin, with_playbook(&playbook, Rules::default()), &[], &pages);
    assert_eq!(again.outcome.status, Status::Success, "{:?}", again.outcome.error);
    assert!(matches!(&again.acted[0], Action::Fill(fill) if fill.text == "Side Road 7"), "{:?}", again.acted);
}

#[test]
fn a_model_replaces_one_action_and_the_playbook_continues() {
    let (begin, playbook) = filled_by_model();
    let pages = [form("Town", ""), form("Town", ""), form("Town", ""), form("Town", "The address was saved")];
    let healed = play(begin.clone(), with_playbook(&playbook, with_model()), &[fill("e2", "Oslo")], &pages);
    assert_eq!(healed.outcome.status, Status::Success, "{:?}", healed.outcome.error);
    assert_eq!(healed.actions(), ["fill e1", "fill e2", "click e3"]);
    assert_eq!(healed.deciders(), [DecidedBy::Playbook, DecidedBy::Model, DecidedBy::Playbook]);
    assert_eq!(healed.calls, 1);
    // The healed run is a playbook for the changed page.
    let again = play(begin, with_playbook(&healed.playbook(), Rules::default()), &[], &pages);
    assert_eq!((again.outcome.status, again.calls), (Status::Success, 0));
    assert_eq!(again.actions(), ["fill e1", "fill e2", "click e3"]);
}

#[test]
fn an_action_without_its_recorded_effect_is_not_repeated() {
    let (begin, first) = chosen_by_model();
    let unchanged = [shop(&NAMES, "")];
    let again = play(begin.clone(), with_playbook(&first.playbook(), Rules::default()), &[], &unchanged);
    assert_eq!((again.outcome.status, again.actions().len()), (Status::Failure, 1));
    let message = again.outcome.error.expect("an error").message;
    assert!(message.contains("recorded effect"), "{message}");
    // A model is told what was done and continues from there.
    let pages = [shop(&NAMES, ""), shop(&NAMES, ""), shop(&NAMES, "Table added")];
    let healed = play(begin, with_playbook(&first.playbook(), with_model()), &[click("e2")], &pages);
    assert_eq!(healed.deciders(), [DecidedBy::Playbook, DecidedBy::Model]);
}

#[test]
fn detours_of_the_first_run_are_left_out() {
    let begin = start(&["put the table into the basket"]);
    let menu = "- menu \"Help\"\n  - menuitem \"About\" [ref=e9]\n".to_owned();
    let plain = shop(&NAMES, "");
    let pages = [plain.clone(), plain.clone() + &menu, plain, shop(&NAMES, "Table added")];
    let replies = [click("e1"), click("e9"), click("e2"), DONE.to_owned()];
    let first = play(begin, with_model(), &replies, &pages);
    assert_eq!(first.actions(), ["click e1", "click e9", "click e2"]);
    let actions = &first.playbook().steps[0].actions;
    assert_eq!(actions.len(), 1, "{actions:#?}");
    assert_eq!(actions[0].elements["target"].containers[0].keys, ["table"]);
}

#[test]
fn a_failed_action_is_left_out_and_an_unknown_outcome_leaves_out_the_step() {
    let begin = start(&["put the table into the basket"]);
    let fold = |result: ActionResult| {
        let mut script = Script::begin(begin.clone(), with_model());
        let (mut calls, mut acted) = (0, 0);
        script.drive(|need| {
            Some(match need {
                Need::Observe(_) if acted < 2 => NeedResult::Observed(page(&shop(&NAMES, ""))),
                Need::Observe(_) => NeedResult::Observed(page(&shop(&NAMES, "Table added"))),
                Need::Decide(_) => {
                    calls += 1;
                    reply(&[click("e1"), click("e2"), DONE.to_owned()][calls.min(3) - 1])
                }
                Need::Act(_) => {
                    acted += 1;
                    NeedResult::Acted(vec![if acted == 1 { result.clone() } else { done() }])
                }
                _ => NeedResult::Inspected(Err(ActionFailure::Unresponsive)),
            })
        });
        record(&script.journal).map(|playbook| playbook.steps[0].clone())
    };
    let moving = ActionFailure::Unresponsive;
    let failed = fold(ActionResult::failed(moving.clone(), Default::default())).expect("a playbook");
    assert_eq!(failed.actions.len(), 1);
    let unknown = fold(ActionResult::unknown(moving, Default::default())).expect("a playbook");
    assert!(unknown.actions.is_empty() && unknown.left_out.is_some(), "{unknown:#?}");
}

#[test]
fn a_password_typed_as_plain_text_leaves_out_the_step_and_a_secret_stays_a_name() {
    let login = "- form \"Sign in\"\n  - textbox \"Password\" [ref=e1] [secret]\n";
    let pages = [login.to_owned(), format!("{login}- status \"Welcome\"\n")];
    let run = |text: &str| {
        let begin = start(&["sign in as the clerk"]);
        play(begin, with_model(), &[fill("e1", text), DONE.to_owned()], &pages).playbook()
    };
    let plain = run("hunter2");
    assert!(plain.steps[0].actions.is_empty());
    assert!(!serde_json::to_string(&plain).expect("plain data").contains("hunter2"));
    let secret = run("${secret:password}");
    assert_eq!(secret.steps[0].actions.len(), 1);
    assert_eq!(secret.secrets.iter().collect::<Vec<_>>(), ["password"]);
}

#[test]
fn the_recorded_effect_contains_address_and_request() {
    let begin = start(&["put the table into the basket"]);
    let mut script = Script::begin(begin, with_model());
    let (mut calls, mut is_done) = (0, false);
    script.drive(|need| {
        Some(match need {
            Need::Observe(_) => {
                let text = shop(&NAMES, if is_done { "Table added" } else { "" });
                let mut shown = Snapshot::clone(&page(&text));
                if is_done {
                    shown.url = "http://site.test/basket/17".into();
                }
                NeedResult::Observed(Arc::new(shown))
            }
            Need::Decide(_) => {
                calls += 1;
                reply(&if calls == 1 { click("e2") } else { DONE.to_owned() })
            }
            Need::Act(_) => {
                is_done = true;
                let request = PageEffect::Request {
                    method: "POST".into(),
                    url: "http://site.test/basket?id=1".into(),
                    status: Some(303),
                    failure: None,
                    refusal: None,
                    doubt: None,
                    altered: Vec::new(),
                    background: false,
                    earlier: false,
                };
                let to = "http://site.test/basket/17".to_owned();
                let went = PageEffect::Navigated {
                    from: "http://site.test/".into(),
                    to,
                    status: Some(200),
                    status_unknown: false,
                };
                NeedResult::Acted(vec![ActionResult { effects: vec![request, went], ..done() }])
            }
            _ => NeedResult::Inspected(Err(ActionFailure::Unresponsive)),
        })
    });
    let playbook = record(&script.journal).expect("a playbook");
    let effect = &playbook.steps[0].actions[0].effect;
    assert_eq!(effect.url.as_deref(), Some("http://site.test/basket/*"));
    assert_eq!(
        serde_json::to_value(&effect.requests).expect("plain"),
        json!([{"method": "POST", "url": "http://site.test/basket"}])
    );
    assert_eq!(playbook.site, "http://site.test");
}

/// Orders of these customers, with a button in each row.
fn orders(customers: &[&str], message: &str) -> String {
    let mut text = "- heading \"Orders\" [level=1]\n- table\n".to_owned();
    for (at, customer) in customers.iter().enumerate() {
        let (at, number) = (at + 1, 1001 + at);
        text += &format!(
            "  - row\n    - cell \"{number}\"\n    - cell \"{customer}\"\n    - cell\n      - button \"Ship\" [ref=e{at}]\n"
        );
    }
    if !message.is_empty() {
        text += &format!("- status \"{message}\"\n");
    }
    text
}

/// The words of a step, the customers that the page shows, and the inputs of the first and the second run.
/// `is_named` is whether the value is the name of the row, so that the row of another value is known without a model.
#[track_caller]
fn check_other_input(
    words: &str,
    customers: &[&str],
    (first, second): (serde_json::Value, serde_json::Value),
    is_named: bool,
) {
    let with = |value: &serde_json::Value| {
        let mut begin = start(&[words]);
        begin.inputs.insert("who".into(), value.clone());
        begin.workflow.inputs.insert("who".into(), Default::default());
        begin
    };
    let pages = [orders(customers, ""), orders(customers, "1003 was shipped")];
    let recorded = play(with(&first), with_model(), &[click("e3"), DONE.to_owned()], &pages);
    assert_eq!((recorded.outcome.status, recorded.actions()), (Status::Success, vec!["click e3".to_owned()]));
    let playbook = recorded.playbook();
    assert_eq!(playbook.steps[0].actions.len(), 1, "{playbook:#?}");

    let same = play(with(&first), with_playbook(&playbook, Rules::default()), &[], &pages);
    assert_eq!((same.outcome.status, same.actions()), (Status::Success, vec!["click e3".to_owned()]), "{words}");

    let pages = [orders(customers, ""), orders(customers, "1004 was shipped")];
    let alone = play(with(&second), with_playbook(&playbook, Rules::default()), &[], &pages);
    let expected = match is_named {
        true => (Status::Success, vec!["click e4".to_owned()]),
        false => (Status::Failure, Vec::new()),
    };
    assert_eq!((alone.outcome.status, alone.actions()), expected, "{words}: {playbook:#?}");
    let replies = [click("e4"), DONE.to_owned()];
    let asked = play(with(&second), with_playbook(&playbook, with_model()), &replies, &pages);
    assert_eq!((asked.outcome.status, asked.actions()), (Status::Success, vec!["click e4".to_owned()]), "{words}");
}

#[test]
fn a_playbook_does_not_act_on_the_recorded_row_when_the_input_is_another() {
    let customers = ["Initech", "Globex", "Hooli", "Stark"];
    check_other_input("Dispatch ${who} today", &customers, (json!("Hooli"), json!("Stark")), true);
    check_other_input("Dispatch ${who} today", &customers, (json!("  HOOLI "), json!("Stark")), false);
    let long = ["Initech", "Globex Inc", "Hooli  Inc", "Stark Inc"];
    check_other_input("Dispatch ${who} today", &long, (json!("Hooli Inc"), json!("Stark Inc")), true);
    // The step does not name the input.
    check_other_input("Dispatch the customer", &customers, (json!("Hooli"), json!("Stark")), false);
    // The row does not contain the value, and a list has several.
    check_other_input("Dispatch ${who} today", &customers, (json!("the third"), json!("the fourth")), false);
    check_other_input("Dispatch ${who} today", &customers, (json!(["Hooli"]), json!(["Stark"])), false);
}

/// A page with the amount of an invoice and a field for the payment.
fn invoice(due: &str, message: &str) -> String {
    let mut text = format!(
        "- heading \"Invoice R-1\"\n- form \"Payment\"\n  - text: Amount due {due}\n  - textbox \"Amount\" [ref=e1]\n  - textbox \"Note\" [ref=e2]\n  - button \"Pay\" [ref=e3]\n"
    );
    if !message.is_empty() {
        text += &format!("- status \"{message}\"\n");
    }
    text
}

#[test]
fn a_text_that_the_model_read_on_the_page_is_decided_again() {
    let begin = start(&["enter the amount of the invoice and pay it"]);
    let pages = |due: &str| [invoice(due, ""), invoice(due, ""), invoice(due, "Payment received")];
    let replies = |amount: &str| [fill("e1", amount), click("e3"), DONE.to_owned()];
    let first = play(begin.clone(), with_model(), &replies("49.00"), &pages("49.00"));
    let playbook = first.playbook();
    assert_eq!(playbook.steps[0].left_out, Some(OmittedStep::ReadOnPage { text: "49.00".into() }), "{playbook:#?}");
    let again = play(begin.clone(), with_playbook(&playbook, with_model()), &replies("75.00"), &pages("75.00"));
    assert_eq!((again.calls, again.actions()), (3, vec!["fill e1".to_owned(), "click e3".to_owned()]));
    assert!(matches!(&again.acted[0], Action::Fill(fill) if fill.text == "75.00"), "{:?}", again.acted);
    // A text of the model's own, and one that the user gave, are repeated.
    for (words, text) in [("thank for the invoice", "Many thanks"), ("note that 49.00 has arrived", "49.00")] {
        let begin = start(&[words]);
        let first = play(begin.clone(), with_model(), &[fill("e2", text), DONE.to_owned()], &pages("49.00"));
        let again = play(begin, with_playbook(&first.playbook(), Rules::default()), &[], &pages("49.00"));
        assert_eq!((again.calls, again.actions()), (0, vec!["fill e2".to_owned()]), "{words}");
    }
}

#[test]
fn what_the_content_of_a_page_decided_is_decided_again_on_another_page() {
    let words = "put the cheapest of the goods into the basket";
    let begin = start(&[words]);
    let pages = |names: &[&str]| [shop(names, ""), shop(names, "Table added")];
    let first = play(begin.clone(), with_model(), &[click("e2"), DONE.to_owned()], &pages(&NAMES));
    let playbook = first.playbook();
    let same = play(begin.clone(), with_playbook(&playbook, Rules::default()), &[], &pages(&NAMES));
    assert_eq!((same.calls, same.actions()), (0, vec!["click e2".to_owned()]), "{:?}", same.outcome.error);
    let other = ["Sofa", "Chair", "Table", "Lamp"];
    let again =
        play(begin.clone(), with_playbook(&playbook, with_model()), &[click("e4"), DONE.to_owned()], &pages(&other));
    assert_eq!(again.actions(), ["click e4"]);
    let alone = play(begin, with_playbook(&playbook, Rules::default()), &[], &pages(&other));
    assert_eq!((alone.outcome.status, alone.actions()), (Status::Failure, Vec::new()));
}

#[test]
fn an_element_with_another_name_is_not_used_for_the_name_that_the_author_wrote() {
    let field =
        |name: &str| format!("- form \"Order\"\n  - text: {name}\n  - textbox \"{name}\" [ref=e1] [id=amount]\n");
    let begin = start(&["Type \"5\" into \"Quantity\""]);
    let first = play(begin.clone(), Rules::default(), &[], &[field("Quantity"), field("Quantity")]);
    let playbook = first.playbook();
    let other = [field("Discount in percent")];
    let again = play(begin.clone(), with_playbook(&playbook, Rules::default()), &[], &other);
    assert_eq!((again.outcome.status, again.actions()), (Status::Failure, Vec::new()));
    let only = Rules { prefers_recorded_row: true, ..with_playbook(&playbook, Rules::default()) };
    let only = play(begin, only, &[], &other);
    assert_eq!((only.outcome.status, only.actions()), (Status::Failure, Vec::new()));
}

#[test]
fn the_row_of_somebody_with_a_part_of_the_name_is_not_used() {
    let people = |names: &[&str]| {
        let row = |(at, name): (usize, &&str)| {
            format!(
                "  - row\n    - cell \"{name}\"\n    - cell \"Berlin\"\n    - cell \"Gold\"\n    - cell\n      - button \"Deactivate\" [ref=e{}]\n",
                at + 1
            )
        };
        format!("- table \"Customers\"\n{}", names.iter().enumerate().map(row).collect::<String>())
    };
    let begin = start(&["cancel the contract of John Smith"]);
    let pages = |names: &[&str]| [people(names), people(names) + "- status \"The contract was cancelled\"\n"];
    let first =
        play(begin.clone(), with_model(), &[click("e1"), DONE.to_owned()], &pages(&["Smith, John", "Lind, Ada"]));
    let playbook = first.playbook();
    let again =
        play(begin.clone(), with_playbook(&playbook, Rules::default()), &[], &pages(&["Lind, Ada", "Smith, John"]));
    assert_eq!(again.actions(), ["click e2"], "{playbook:#?}");
    let gone = play(begin, with_playbook(&playbook, Rules::default()), &[], &pages(&["Smith, Jane", "Lind, Ada"]));
    assert_eq!((gone.outcome.status, gone.actions()), (Status::Failure, Vec::new()));
}

#[test]
fn a_replay_that_was_interrupted_continues_behind_what_it_did() {
    let (begin, playbook) = filled_by_model();
    check_interruptions(&begin, &playbook, &|last| {
        form("City", if last == "click e3" { "The address was saved" } else { "" })
    });

    let order = |message: &str| {
        format!(
            "- heading \"Order\"\n- button \"Wrap as a gift\" [ref=e1]\n- button \"Send\" [ref=e2]\n- text: {message}\n"
        )
    };
    let begin = start(&["wrap the order as a gift and send it"]);
    let replies = [click("e1"), click("e2"), DONE.to_owned()];
    let pages = [order(""), order("It is wrapped"), order("The order was sent")];
    let playbook = play(begin.clone(), with_model(), &replies, &pages).playbook();
    check_interruptions(&begin, &playbook, &|last| match last {
        "click e1" => order("It is wrapped"),
        "click e2" => order("The order was sent"),
        _ => order(""),
    });
}

/// Interrupts a replay after each of its actions. `shown` is the page after an action. No click is repeated.
#[track_caller]
fn check_interruptions(begin: &RunStart, playbook: &Playbook, shown: &dyn Fn(&str) -> String) {
    let rules = || with_playbook(playbook, Rules::default());
    let recorded = &playbook.steps[0].actions;
    let clicked = recorded.iter().filter(|recorded| recorded.action.name() == "click").count();
    let count = recorded.len();
    assert!(count > 1, "{playbook:#?}");
    let play = |mut script: Script, most: usize, last: &str| {
        let mut acted: Vec<String> = Vec::new();
        let outcome = script.drive(|need| {
            Some(match need {
                Need::Observe(_) if acted.len() >= most => return None,
                Need::Observe(_) => NeedResult::Observed(page(&shown(acted.last().map_or(last, String::as_str)))),
                Need::Act(intents) => {
                    acted.extend(intents.iter().map(|intent| brief(&intent.action)));
                    NeedResult::Acted(intents.iter().map(|_| done()).collect())
                }
                other => panic!("not needed: {other:?}"),
            })
        });
        (outcome, acted, script)
    };
    for done in 1..count {
        let (outcome, first, script) = play(Script::begin(begin.clone(), rules()), done, "");
        assert!(outcome.is_none(), "it was interrupted");
        let (outcome, second, _) = play(script.resume(rules()), usize::MAX, first.last().expect("an action"));
        let outcome = outcome.expect("it ends");
        assert_eq!(outcome.status, Status::Success, "{done}: {first:?} {second:?} {:?}", outcome.error);
        let clicks = first.iter().chain(&second).filter(|action| action.starts_with("click")).count();
        assert_eq!(clicks, clicked, "{done}: {first:?} {second:?}");
    }
}

#[test]
fn what_the_page_told_the_model_to_choose_is_decided_again() {
    let page_of = |grade: &str| {
        format!(
            "- text: a {grade} customer\n- combobox \"Class\" [ref=e1]\n- radio \"{grade}\" [ref=e2]\n- button \"Save\" [ref=e3]\n"
        )
    };
    let select = DONE.replace("null", r#"{"action":"select","parameters":{"target":"e1","values":["Gold"]}}"#);
    for (words, action) in [("classify the applicant", select), ("classify the applicant", click("e2"))] {
        let begin = start(&[words]);
        let pages = [page_of("Gold"), page_of("Gold")];
        let first = play(begin, with_model(), &[action, DONE.to_owned()], &pages);
        assert_eq!(
            first.playbook().steps[0].left_out,
            Some(OmittedStep::ReadOnPage { text: "Gold".into() }),
            "{words}"
        );
    }
    // A choice that the page does not state elsewhere is repeated.
    let terms = |states: &str| {
        format!("- text: Your order\n- checkbox \"I accept the terms\" [ref=e2]{states}\n- button \"Send\" [ref=e3]\n")
    };
    let pages = [terms(""), terms(" [checked]")];
    let first = play(start(&["send the order"]), with_model(), &[click("e2"), DONE.to_owned()], &pages);
    assert_eq!(first.playbook().steps[0].actions.len(), 1);
    // So is one that the words name.
    let begin = start(&["put the applicant into the class Gold"]);
    let first = play(begin, with_model(), &[click("e2"), DONE.to_owned()], &[page_of("Gold"), page_of("Gold")]);
    assert_eq!(first.playbook().steps[0].actions.len(), 1);
}

#[test]
fn a_figure_that_only_the_page_gave_is_read_in_any_notation() {
    for (shown, typed) in
        [("1,250.00", "1250.00"), ("24 December 2026", "2026-12-24"), ("3", "3"), ("Smith, John", "John Smith")]
    {
        let begin = start(&["enter what the invoice says"]);
        let pages = [invoice(shown, ""), invoice(shown, "")];
        let first = play(begin, with_model(), &[fill("e2", typed), DONE.to_owned()], &pages);
        let left_out = first.playbook().steps[0].left_out.clone();
        assert!(
            matches!(left_out, Some(OmittedStep::ReadOnPage { .. })),
            "{shown} {typed}: {left_out:?} {:?} {:?}",
            first.acted,
            first.playbook().steps[0]
        );
    }
}

#[test]
fn a_click_does_not_invert_a_state_that_is_set_already() {
    let gift = |states: &str| format!("- form \"Order\"\n  - checkbox \"Gift wrap\" [ref=e1] [id=gift]{states}\n");
    let begin = start(&["add the gift wrap"]);
    let first = play(begin.clone(), with_model(), &[click("e1"), DONE.to_owned()], &[gift(""), gift(" [checked]")]);
    let playbook = first.playbook();
    let again = play(begin.clone(), with_playbook(&playbook, Rules::default()), &[], &[gift(""), gift(" [checked]")]);
    assert_eq!(again.actions(), ["click e1"]);
    let set = play(begin, with_playbook(&playbook, Rules::default()), &[], &[gift(" [checked]")]);
    assert_eq!((set.outcome.status, set.actions()), (Status::Failure, Vec::new()));
}

#[test]
fn another_input_means_the_cell_in_which_the_first_one_was() {
    let people = |rows: &[[&str; 3]]| {
        let row = |(at, [name, city, plan]): (usize, &[&str; 3])| {
            format!(
                "  - row\n    - cell \"{name}\"\n    - cell \"{city}\"\n    - cell \"{plan}\"\n    - cell\n      - button \"Cancel\" [ref=e{}]\n",
                at + 1
            )
        };
        format!("- table \"Customers\"\n{}", rows.iter().enumerate().map(row).collect::<String>())
    };
    let with = |customer: &str| {
        let mut begin = start(&["cancel the contract of ${customer}"]);
        begin.inputs.insert("customer".into(), json!(customer));
        begin.workflow.inputs.insert("customer".into(), Default::default());
        begin
    };
    let rows = [["Keller", "Ulm", "Gold"], ["Ali", "Jordan", "Silver"], ["Smith Ltd", "John", "Gold"]];
    let pages = [people(&rows), people(&rows) + "- text: cancelled\n"];
    let first = play(with("Keller"), with_model(), &[click("e1"), DONE.to_owned()], &pages);
    let playbook = first.playbook();
    let run = |customer: &str| play(with(customer), with_playbook(&playbook, Rules::default()), &[], &pages).actions();
    assert_eq!(run("Ali"), ["click e2"]);
    assert_eq!(run("Jordan"), Vec::<String>::new());
    // A value that the row shows in another order is no name: the record holds for it only.
    let rows = [["Keller, Mona", "Ulm", "Gold"], ["Baker, John", "Smith Ltd", "Gold"]];
    let pages = [people(&rows), people(&rows) + "- text: cancelled\n"];
    let first = play(with("Mona Keller"), with_model(), &[click("e1"), DONE.to_owned()], &pages);
    let playbook = first.playbook();
    let run = |customer: &str| play(with(customer), with_playbook(&playbook, Rules::default()), &[], &pages).actions();
    assert_eq!((run("Mona Keller"), run("John Smith")), (vec!["click e1".to_owned()], Vec::new()));
    // Another row shows the value in another column, so that only the rest of the row distinguishes the two. That rest
    // is not expected of the row of another value.
    let rows = [["Keller", "Ulm", "Gold"], ["Ali", "Jordan", "Silver"], ["Smith Ltd", "Keller", "Gold"]];
    let pages = [people(&rows), people(&rows) + "- text: cancelled\n"];
    let first = play(with("Keller"), with_model(), &[click("e1"), DONE.to_owned()], &pages);
    let playbook = first.playbook();
    let run = |customer: &str| play(with(customer), with_playbook(&playbook, Rules::default()), &[], &pages).actions();
    assert_eq!((run("Ali"), run("Keller")), (vec!["click e2".to_owned()], vec!["click e1".to_owned()]));
}

#[test]
fn what_an_earlier_step_entered_is_the_users() {
    let form = |email: &str, name: &str| {
        format!("- textbox \"E-mail\" [editable] [ref=e1]{email}\n- textbox \"Customer\" [editable] [ref=e2]{name}\n")
    };
    let begin = start(&["Type \"ada@example.org\" into \"E-mail\"", "make up a name for the buyer"]);
    let pages = [form("", ""), form(": ada@example.org", ""), form(": ada@example.org", ": Ada")];
    let first = play(begin, with_model(), &[fill("e2", "Ada"), DONE.to_owned()], &pages);
    assert_eq!(first.playbook().steps[1].actions.len(), 1, "{:#?}", first.playbook());
}
