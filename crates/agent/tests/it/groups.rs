//! Loops, conditions and optional steps: what they expand to, and how they go on after an interruption.

use std::{cell::RefCell, time::Duration};

use legwork_agent::{Limits, ModelRules, Need, NeedResult, Rules};
use legwork_protocol::{
    ActionFailure, ActionResult, Code, EventKind, OnResume, Outcome, RunStart, Status, Step, Validation, Workflow,
};
use serde_json::{Value, json};

use crate::support::{Script, brief, done, page, reply};

/// A table of orders. A click on the button of a row removes the row and orders the rest differently.
struct Orders {
    rows: RefCell<Vec<(&'static str, &'static str, u32)>>,
    done: RefCell<Vec<String>>,
    banner: bool,
}

impl Orders {
    fn new(rows: &[(&'static str, &'static str)]) -> Orders {
        let rows = rows.iter().zip(1..).map(|((order, status), number)| (*order, *status, number)).collect();
        Orders { rows: RefCell::new(rows), done: RefCell::default(), banner: false }
    }

    fn text(&self) -> String {
        let mut text = String::from("- heading \"Orders\" [level=1]\n");
        if self.banner {
            text.push_str("- button \"Accept all\" [ref=e80]\n");
        }
        text.push_str("- table \"Orders\"\n  - row\n    - columnheader \"#\"\n    - columnheader \"Order\"\n    - columnheader \"Status\"\n");
        for ((order, status, reference), number) in self.rows.borrow().iter().zip(1..) {
            text.push_str(&format!(
                "  - row\n    - cell \"{number}\"\n    - cell \"{order}\"\n    - cell \"{status}\"\n    - cell\n      - button \"Ship\" [ref=e{reference}]\n"
            ));
        }
        text.push_str("- textbox \"Note\" [ref=e90]\n");
        text
    }

    /// Answers; the process ends in the action `dies_in`.
    fn answer(&self, need: &Need, dies_in: &str) -> Option<NeedResult> {
        Some(match need {
            Need::Observe(_) => NeedResult::Observed(page(&self.text())),
            Need::Act(intents) => {
                let action = brief(&intents[0].action);
                if action == dies_in {
                    return None;
                }
                if let Some(reference) = action.strip_prefix("click e").and_then(|number| number.parse::<u32>().ok()) {
                    let mut rows = self.rows.borrow_mut();
                    rows.retain(|(_, _, other)| *other != reference);
                    rows.reverse();
                }
                let text = match &intents[0].action {
                    legwork_protocol::Action::Fill(fill) => format!("{action} {}", fill.text),
                    _ => action,
                };
                self.done.borrow_mut().push(text);
                NeedResult::Acted(vec![done()])
            }
            Need::Ask(_) => NeedResult::Unanswered,
            other => panic!("not needed: {other:?}"),
        })
    }

    fn run(&self, workflow: &Value) -> (Outcome, Script) {
        let mut script = Script::begin(start(workflow), Rules::default());
        let outcome = script.drive(|need| self.answer(need, "")).expect("it ends");
        (outcome, script)
    }

    fn did(&self) -> Vec<String> {
        self.done.borrow().clone()
    }
}

fn start(steps: &Value) -> RunStart {
    let workflow: Workflow = serde_json::from_value(json!({"name": "test", "steps": steps})).expect("a workflow");
    RunStart { workflow, task: false, inputs: Default::default(), options: Default::default(), playbook: None }
}

const THREE: [(&str, &str); 3] = [("A-1", "open"), ("A-2", "late"), ("A-3", "open")];

fn texts(script: &Script) -> Vec<String> {
    script.run.results().iter().map(|result| format!("{}: {}", result.status.name(), result.text)).collect()
}

/// The browser looks for a name on the whole page, of which the model saw one row.
#[test]
fn a_name_that_is_unique_in_the_row_that_a_model_saw_means_the_element_in_this_row() {
    for target in ["button \\\"Ship\\\"", "\\\"Ship\\\"", "button \\\"Ship\\\" >> nth=0", "text=Ship >> nth=-1"] {
        let world = Orders::new(&THREE);
        let begin = start(&json!([
            {"for_each": "row in \"Orders\"", "steps": ["dispatch the goods of ${row.Order}"]}
        ]));
        let rules = Rules { model: Some(ModelRules::default()), ..Rules::default() };
        let mut script = Script::begin(begin, rules);
        let mut replies = 0;
        let outcome = script.drive(|need| match need {
            Need::Decide(_) => {
                replies += 1;
                let command = if replies % 2 == 1 { format!("click {target}") } else { "done \\\"ok\\\"".to_owned() };
                Some(reply(&format!(r#"{{"why": "so", "do": "{command}", "confidence": 0.9}}"#)))
            }
            need => world.answer(need, ""),
        });
        let outcome = outcome.expect("it ends");
        assert_eq!(world.did(), ["click e1", "click e2", "click e3"], "{target}: {outcome:?}");
    }
}

#[test]
fn every_row_that_was_there_is_done_once() {
    let world = Orders::new(&THREE);
    let (outcome, script) = world.run(&json!([
        {"for_each": "row in \"Orders\"", "steps": ["Type \"${row.Order}\" into \"Note\"", "Click \"Ship\""]}
    ]));
    assert_eq!((outcome.status, outcome.validation), (Status::Success, Validation::Validated), "{outcome:?}");
    // The rows move after each click, and the numbers in the first column belong to other rows then.
    assert_eq!(world.did(), ["fill e90 A-1", "click e1", "fill e90 A-2", "click e2", "fill e90 A-3", "click e3"]);
    assert_eq!(
        texts(&script)[..3],
        [
            "success: For each row in \"Orders\"",
            "success: row 1 of 3 (A-1): Type \"${row.Order}\" into \"Note\"",
            "success: row 1 of 3 (A-1): Click \"Ship\"",
        ]
    );
    let said = &script.run.results()[0].message;
    assert_eq!(said, "3 rows in \"Orders\", identified by Order; only the rows of the page shown");
}

#[test]
fn a_row_that_appears_during_the_loop_is_not_done() {
    let world = Orders::new(&THREE[..2]);
    let mut script = Script::begin(
        start(&json!([{"for_each": "row in \"Orders\"", "steps": ["Click \"Ship\""]}])),
        Rules::default(),
    );
    let outcome = script.drive(|need| {
        if let Need::Act(_) = need {
            world.rows.borrow_mut().insert(0, ("new", "open", 50 + world.did().len() as u32));
        }
        world.answer(need, "")
    });
    assert_eq!(outcome.expect("it ends").status, Status::Success);
    assert_eq!(world.did(), ["click e1", "click e2"]);
}

#[test]
fn only_the_selected_rows_are_done_and_a_condition_is_of_the_row() {
    let world = Orders::new(&THREE);
    let (outcome, script) = world.run(&json!([
        {"for_each": "row in \"Orders\"", "where": "\"${row.Status}\" is \"open\"", "steps": [
            {"if": "\"A-3\" is shown", "then": ["Type \"last\" into \"Note\""], "else": ["Click \"Ship\""]}
        ]}
    ]));
    assert_eq!(outcome.status, Status::Success, "{outcome:?}");
    assert_eq!(world.did(), ["click e1", "fill e90 last"]);
    assert!(script.run.results()[0].message.starts_with("2 of 3 rows where"), "{:?}", script.run.results()[0]);
}

#[test]
fn a_run_that_died_in_a_row_goes_on_there() {
    for on_resume in [OnResume::Retry, OnResume::Ask] {
        let world = Orders::new(&THREE);
        let begin = start(&json!([
            {"for_each": "row in \"Orders\"", "steps": [
                {"step": "Click \"Ship\"", "on_resume": on_resume}
            ]},
            "Type \"end\" into \"Note\""
        ]));
        let mut script = Script::begin(begin, Rules::default());
        assert_eq!(script.drive(|need| world.answer(need, "click e2")), None);
        // The table is read again by nobody: the rows are on record, and the first one is gone.
        let mut script = script.resume(Rules::default());
        let outcome = script.drive(|need| world.answer(need, "")).expect("it ends");
        if on_resume == OnResume::Ask {
            assert_eq!(outcome.status, Status::Parked);
            assert_eq!(world.did(), ["click e1"]);
            continue;
        }
        assert_eq!(outcome.status, Status::Success, "{outcome:?}");
        assert_eq!(world.did(), ["click e1", "click e2", "click e3", "fill e90 end"]);
    }
}

#[test]
fn a_branch_is_not_chosen_again_after_an_interruption() {
    let world = Orders::new(&THREE[..1]);
    let begin = start(&json!([
        {"if": "\"A-1\" is shown", "then": ["Click \"Ship\"", {"step": "Type \"x\" into \"Note\"", "on_resume": "retry"}],
         "else": ["Type \"none\" into \"Note\""]}
    ]));
    let mut script = Script::begin(begin, Rules::default());
    assert_eq!(script.drive(|need| world.answer(need, "fill e90")), None);
    assert!(!world.text().contains("A-1"), "the condition does not hold any more");
    let mut script = script.resume(Rules::default());
    assert_eq!(script.drive(|need| world.answer(need, "")).expect("it ends").status, Status::Success);
    assert_eq!(world.did(), ["click e1", "fill e90 x"]);
}

#[test]
fn a_row_that_is_gone_fails_and_no_other_row_is_touched() {
    let world = Orders::new(&THREE[..2]);
    let (outcome, _) = world.run(&json!([
        {"for_each": "row in \"Orders\"", "steps": ["Click \"Ship\"", "Click \"Ship\""]}
    ]));
    assert_eq!(outcome.status, Status::Failure);
    assert_eq!(world.did(), ["click e1"]);
    let error = outcome.error.expect("an error");
    assert!(error.message.starts_with("row 1 of 2 (A-1): there is no"), "{}", error.message);
    assert!(
        error.message.contains("the table does not show this row now; if a step changed its text in the column Order"),
        "{}",
        error.message
    );
    assert_eq!(error.step, Some(2));
}

#[test]
fn rows_that_cannot_be_told_apart_and_too_many_rows_are_refused_before_the_first() {
    let loops = json!([{"for_each": "row in \"Orders\"", "steps": ["Click \"Ship\""]}]);
    let world = Orders::new(&[("A", "open"), ("A", "open")]);
    let (outcome, _) = world.run(&loops);
    let error = outcome.error.expect("an error");
    assert!(error.message.contains("rows 1 and 2 are both A · open"), "{}", error.message);
    let world = Orders::new(&THREE);
    let limits = Limits { max_iterations: 2, ..Limits::default() };
    let mut script = Script::begin(start(&loops), Rules { limits, ..Rules::default() });
    let outcome = script.drive(|need| world.answer(need, "")).expect("it ends");
    assert_eq!(outcome.error.expect("an error").code, Code::BudgetExceeded);
    assert!(world.did().is_empty());
}

#[test]
fn no_row_is_a_success_that_says_so() {
    let world = Orders::new(&[]);
    let (outcome, script) = world.run(&json!([{"for_each": "row in \"Orders\"", "steps": ["Click \"Ship\""]}]));
    assert_eq!(outcome.status, Status::Success);
    assert!(script.run.results()[0].message.starts_with("0 rows in \"Orders\""));
    // A table that is not there is no table without rows.
    let (outcome, _) = world.run(&json!([{"for_each": "row in \"Invoices\"", "steps": ["Click \"Ship\""]}]));
    assert_eq!(outcome.status, Status::Failure);
}

#[test]
fn a_condition_that_cannot_be_evaluated_takes_no_branch() {
    let world = Orders::new(&THREE);
    let (outcome, _) = world.run(&json!([
        {"if": "the field \"Total\" is empty", "then": ["Click \"Ship\""], "else": ["Type \"x\" into \"Note\""]}
    ]));
    assert_eq!((outcome.status, world.did()), (Status::Failure, Vec::new()), "{outcome:?}");
    let why = outcome.error.expect("an error").message;
    assert!(why.contains("cannot be evaluated"), "{why}");
}

#[test]
fn a_loop_runs_over_the_values_of_a_list() {
    let world = Orders::new(&[]);
    let mut begin = start(&json!([
        {"for_each": "name in ${names}", "steps": ["Type \"${name}\" into \"Note\""]}
    ]));
    // A command line gives a list as text.
    begin.inputs.insert("names".into(), json!("[\"Ada\", \"Bob\"]"));
    let mut script = Script::begin(begin.clone(), Rules::default());
    let outcome = script.drive(|need| world.answer(need, "")).expect("it ends");
    assert_eq!(outcome.status, Status::Success, "{outcome:?}");
    assert_eq!(world.did(), ["fill e90 Ada", "fill e90 Bob"]);
    assert_eq!(texts(&script)[1], "success: name 1 of 2 (Ada): Type \"${name}\" into \"Note\"");
    begin.inputs.insert("names".into(), json!("Ada"));
    let mut script = Script::begin(begin, Rules::default());
    let outcome = script.drive(|_| panic!("nothing is needed")).expect("it ends");
    assert!(outcome.error.expect("an error").message.contains("no list"));
}

#[test]
fn an_optional_step_is_skipped_only_if_its_element_is_absent() {
    let accept = json!([{"step": "Click \"Accept all\"", "optional": true}, "Type \"x\" into \"Note\""]);
    let absent = Orders::new(&[]);
    let (outcome, script) = absent.run(&accept);
    assert_eq!((outcome.status, absent.did()), (Status::Success, vec!["fill e90 x".to_owned()]));
    let skipped = &script.run.results()[0];
    assert_eq!(skipped.status, Status::Skipped);
    assert!(skipped.message.starts_with("skipped: the step is optional: there is no"), "{}", skipped.message);
    assert!(skipped.duration <= Duration::from_millis(2100), "{:?}", skipped.duration);

    let present = Orders { banner: true, ..Orders::new(&[]) };
    let (outcome, script) = present.run(&accept);
    assert_eq!(outcome.status, Status::Success);
    assert_eq!((script.run.results()[0].status, present.did()[0].as_str()), (Status::Success, "click e80"));

    // A refusal by the page is not forgiven.
    let covered = Orders { banner: true, ..Orders::new(&[]) };
    let mut script = Script::begin(start(&accept), Rules::default());
    let outcome = script.drive(|need| match need {
        Need::Act(_) => {
            let failure = ActionFailure::Disabled { target: "e80".into() };
            Some(NeedResult::Acted(vec![ActionResult::failed(failure, Duration::from_secs(6))]))
        }
        need => covered.answer(need, ""),
    });
    assert_eq!(outcome.expect("it ends").status, Status::Failure);

    // Neither is a step of which a part was done.
    let half = Orders { banner: true, ..Orders::new(&[]) };
    let (outcome, _) = half.run(&json!([
        {"step": "Click \"Accept all\" and click \"Continue\"", "optional": true}
    ]));
    assert_eq!((outcome.status, half.did()), (Status::Failure, vec!["click e80".to_owned()]));
}

#[test]
fn all_branches_are_read_before_the_first_step() {
    let refused = |steps: Value, why: &[&str]| {
        let mut script = Script::begin(start(&steps), Rules::default());
        let outcome = script.drive(|need| panic!("nothing is needed: {need:?}")).expect("it ends");
        let error = outcome.error.expect("an error");
        let said = format!("{} {}", error.message, error.details.join(" "));
        why.iter().for_each(|why| assert!(said.contains(why), "{said}"));
    };
    refused(
        json!(["Click \"A\"", {"if": "\"A\" is shown", "then": ["Click \"A\""], "else": ["Make everyone happy"]}]),
        &["step 2.2 (Make everyone happy)"],
    );
    refused(
        json!([{"for_each": "row in \"Orders\"", "steps": ["Click \"Ship\"", "Type \"${rwo.Order}\" into \"Note\""]}]),
        &["step 1.2", "${rwo.Order} has no value", "known here: row"],
    );
    refused(json!([{"for_each": "row of \"Orders\"", "steps": ["Click \"Ship\""]}]), &["row in \"Orders\""]);
    refused(
        json!([{"for_each": "row in \"Orders\"", "where": "it looks fine to everyone", "steps": ["Click \"Ship\""]}]),
        &["step 1"],
    );
    refused(json!([{"for_each": "name in ${names}", "steps": ["Click \"Ship\""]}]), &["${names} has no value"]);
    refused(
        json!([{"for_each": "row in \"A\"", "steps": [{"for_each": "row in \"B\"", "steps": ["Click \"Ship\""]}]}]),
        &["in use already"],
    );
}

#[test]
fn a_column_that_the_rows_do_not_have_is_named_before_anything_is_done() {
    let world = Orders::new(&THREE);
    let (outcome, _) = world.run(&json!([
        {"for_each": "row in \"Orders\"", "steps": ["Type \"${row.Price}\" into \"Note\""]}
    ]));
    assert!(world.did().is_empty());
    let error = outcome.error.expect("an error");
    assert!(
        error.message.contains("row 1 of 3 (A-1): row has no column \"Price\"; it has #, Order, Status"),
        "{}",
        error.message
    );
}

#[test]
fn a_page_value_in_a_loop_selects_no_secret() {
    let world = Orders::new(&[("${secret:PW}", "open")]);
    let (_, script) = world.run(&json!([
        {"for_each": "row in \"Orders\"", "steps": ["Type \"${row.Order}\" into \"Note\""]}
    ]));
    assert_eq!(world.did(), ["fill e90 $ {secret:PW}"]);
    let set = script.journal.iter().find_map(|event| match &event.kind {
        EventKind::VariableUpdated(variable) => Some(variable.clone()),
        _ => None,
    });
    let provenance = set.expect("the row is a variable").provenance;
    assert_eq!(provenance, Some(legwork_protocol::Provenance::Page("http://site.test".into())));
}

#[test]
fn a_step_with_options_is_written_and_read_without_loss() {
    let step = Step { optional: true, ..Step::new("Click \"Accept\"") };
    let wire = serde_json::to_value(&step).expect("json");
    assert_eq!(wire, json!({"step": "Click \"Accept\"", "optional": true}));
    assert_eq!(serde_json::from_value::<Step>(wire).expect("the same"), step);
}
