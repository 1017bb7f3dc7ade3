//! Playbooks of workflows with loops and conditions: what one row teaches about another.

use std::{cell::RefCell, sync::Arc};

use legwork_agent::{
    ModelRules, Need, NeedResult, Rules,
    playbook::{OmittedStep, Playbook, record},
};
use legwork_protocol::{Action, ActionFailure, DecidedBy, EventKind, Outcome, RunStart, Status, Workflow};
use serde_json::{Value, json};

use crate::support::{Script, brief, done, page, reply};

const DONE: &str = r#"{"decision":{"action":"PROCEED","message":"Done."},"reasoning":{"analysis":"a","rationale":"b","expectedOutcome":"c"},"confidence":0.9,"command":null}"#;

fn click(target: &str) -> String {
    DONE.replace("null", &format!(r#"{{"action":"click","parameters":{{"target":"{target}"}}}}"#))
}

fn fill(target: &str, text: &str) -> String {
    DONE.replace("null", &format!(r#"{{"action":"fill","parameters":{{"target":"{target}","text":"{text}"}}}}"#))
}

/// A table of orders with two buttons in each row: `Ship` has the number of the row, `Edit` that number and 20.
struct Orders {
    rows: RefCell<Vec<(&'static str, u32)>>,
    done: RefCell<Vec<String>>,
    message: RefCell<String>,
}

impl Orders {
    fn new(orders: &[&'static str]) -> Orders {
        let rows = orders.iter().copied().zip(1..).collect();
        Orders { rows: RefCell::new(rows), done: RefCell::default(), message: RefCell::default() }
    }

    fn text(&self) -> String {
        let mut text = String::from(
            "- heading \"Orders\" [level=1]\n- table \"Orders\"\n  - row\n    - columnheader \"Order\"\n    - columnheader \"State\"\n",
        );
        for (order, number) in self.rows.borrow().iter() {
            let edit = number + 20;
            text.push_str(&format!(
                "  - row\n    - cell \"{order}\"\n    - cell \"open\"\n    - cell\n      - button \"Edit\" [ref=e{edit}]\n      - button \"Ship\" [ref=e{number}]\n"
            ));
        }
        text.push_str("- form \"Note\"\n  - text: Note\n  - textbox \"Note\" [ref=e90]\n");
        let message = self.message.borrow();
        if !message.is_empty() {
            text.push_str(&format!("- status \"{message}\"\n"));
        }
        text
    }

    fn act(&self, action: &Action) {
        let words = brief(action);
        if let Some(number) = words.strip_prefix("click e").and_then(|number| number.parse::<u32>().ok()) {
            let mut rows = self.rows.borrow_mut();
            if let Some(at) = rows.iter().position(|(_, own)| *own == number) {
                let (order, _) = rows.remove(at);
                *self.message.borrow_mut() = format!("{order} was shipped");
            }
            rows.reverse();
        }
        let text = match action {
            Action::Fill(fill) => format!("{words} {}", fill.text),
            _ => words,
        };
        self.done.borrow_mut().push(text);
    }

    /// Runs the workflow; a model gives these replies.
    fn run(&self, begin: RunStart, rules: Rules, replies: &[String]) -> Played {
        let mut script = Script::begin(begin, rules);
        let mut calls = 0;
        let outcome = script.drive(|need| {
            Some(match need {
                Need::Observe(_) => NeedResult::Observed(page(&self.text())),
                Need::Decide(_) => {
                    calls += 1;
                    reply(replies.get(calls - 1).map_or(DONE, String::as_str))
                }
                Need::Act(intents) => {
                    intents.iter().for_each(|intent| self.act(&intent.action));
                    NeedResult::Acted(intents.iter().map(|_| done()).collect())
                }
                Need::Inspect(_) => NeedResult::Inspected(Err(ActionFailure::Unresponsive)),
                other => panic!("not needed: {other:?}"),
            })
        });
        let deciders = script.journal.iter().filter_map(|event| match &event.kind {
            EventKind::CommandStarted { decider, .. } => Some(*decider),
            _ => None,
        });
        let deciders = deciders.collect();
        let playbook = record(&script.journal).ok();
        Played { outcome: outcome.expect("it ends"), playbook, deciders, calls }
    }

    fn did(&self) -> Vec<String> {
        self.done.borrow().clone()
    }
}

struct Played {
    outcome: Outcome,
    playbook: Option<Playbook>,
    deciders: Vec<DecidedBy>,
    calls: usize,
}

impl Played {
    fn playbook(&self) -> &Playbook {
        assert_eq!(self.outcome.status, Status::Success, "{:?}", self.outcome.error);
        self.playbook.as_ref().expect("a successful run")
    }
}

fn start(steps: Value) -> RunStart {
    let workflow: Workflow = serde_json::from_value(json!({"name": "test", "steps": steps})).expect("a workflow");
    RunStart { workflow, task: false, inputs: Default::default(), options: Default::default(), playbook: None }
}

fn with_model() -> Rules {
    Rules { model: Some(ModelRules::default()), ..Rules::default() }
}

fn with_playbook(playbook: &Playbook, rules: Rules) -> Rules {
    Rules { playbook: Some(Arc::new(playbook.clone())), ..rules }
}

fn for_each(step: &str) -> RunStart {
    start(json!([{"for_each": "row in \"Orders\"", "steps": [step]}]))
}

#[test]
fn what_a_model_did_in_some_rows_is_repeated_in_other_rows_without_a_model() {
    let begin = for_each("dispatch the order");
    let replies = [click("e1"), DONE.into(), click("e2"), DONE.into()];
    let first = Orders::new(&["A-1", "A-2"]).run(begin.clone(), with_model(), &replies);
    assert_eq!(first.calls, 4);
    let playbook = first.playbook();
    // The group, and one step for all rows.
    assert_eq!((playbook.steps.len(), playbook.steps[1].actions.len()), (2, 1), "{playbook:#?}");
    assert_eq!(playbook.steps[0].left_out, Some(OmittedStep::Group));
    let world = Orders::new(&["B-7", "B-8", "C-9"]);
    let again = world.run(begin, with_playbook(playbook, Rules::default()), &[]);
    assert_eq!(again.outcome.status, Status::Success, "{:?}", again.outcome.error);
    assert_eq!(world.did(), ["click e1", "click e2", "click e3"]);
    assert_eq!(again.deciders, [DecidedBy::Playbook; 3]);
}

/// What a model did otherwise in one row, it did for a reason that the record does not contain.
#[test]
fn a_loop_in_which_a_model_did_something_else_in_one_row_is_not_recorded() {
    let replies = [click("e1"), DONE.into(), click("e2"), DONE.into(), fill("e90", "unpaid"), DONE.into()];
    let first = Orders::new(&["A-1", "A-2", "A-3"]).run(for_each("dispatch the order"), with_model(), &replies);
    assert_eq!(first.playbook().steps[1].left_out, Some(OmittedStep::RowsDiffer));
}

#[test]
fn one_row_is_enough_for_an_element_in_the_row() {
    let begin = for_each("dispatch the order");
    let first = Orders::new(&["A-1"]).run(begin.clone(), with_model(), &[click("e1"), DONE.into()]);
    let world = Orders::new(&["B-7", "B-8"]);
    let again = world.run(begin, with_playbook(first.playbook(), Rules::default()), &[]);
    assert_eq!(
        (again.outcome.status, world.did()),
        (Status::Success, vec!["click e1".to_owned(), "click e2".to_owned()])
    );
}

#[test]
fn a_text_of_the_row_stands_for_its_column_and_a_text_of_all_rows_for_itself() {
    let begin = for_each("note the order as processed");
    let notes = |texts: [&str; 2]| {
        let replies = [fill("e90", texts[0]), DONE.into(), fill("e90", texts[1]), DONE.into()];
        Orders::new(&["A-1", "A-2"]).run(begin.clone(), with_model(), &replies)
    };
    let repeat = |playbook: &Playbook| {
        let world = Orders::new(&["B-7", "C-8"]);
        let again = world.run(begin.clone(), with_playbook(playbook, Rules::default()), &[]);
        assert_eq!(again.outcome.status, Status::Success, "{:?}", again.outcome.error);
        world.did().into_iter().filter(|action| action.starts_with("fill")).collect::<Vec<_>>()
    };
    assert_eq!(repeat(notes(["A-1 ok", "A-2 ok"]).playbook()), ["fill e90 B-7 ok", "fill e90 C-8 ok"]);
    assert_eq!(repeat(notes(["checked", "checked"]).playbook()), ["fill e90 checked", "fill e90 checked"]);
    // What differs and is no text of the row cannot be repeated for another one.
    let neither = notes(["first", "second"]);
    assert_eq!(neither.playbook().steps[1].left_out, Some(OmittedStep::RowsDiffer));
}

#[test]
fn a_text_of_a_single_row_is_repeated_only_if_it_is_known_what_it_is() {
    let recorded = |step: &str, text: &str| {
        let first = Orders::new(&["A-1"]).run(for_each(step), with_model(), &[fill("e90", text), DONE.into()]);
        first.playbook().steps[1].clone()
    };
    let unknown = recorded("note the order as processed", "checked");
    assert_eq!(unknown.left_out, Some(OmittedStep::OneRow { text: "checked".into() }));
    let named = recorded("note the order as processed", "processed");
    assert!(matches!(&named.actions[0].action, Action::Fill(fill) if fill.text == "processed"), "{named:#?}");
    let column = recorded("note the order as processed", "A-1");
    assert!(matches!(&column.actions[0].action, Action::Fill(fill) if fill.text == "${row.Order}"), "{column:#?}");
}

/// The first step removes the row, so that the second one has none. Another row has the same button.
#[test]
fn without_its_row_a_recorded_action_is_not_executed() {
    let steps =
        |second: &str| start(json!([{"for_each": "row in \"Orders\"", "steps": [second, "dispatch the order"]}]));
    let replies = [DONE.into(), click("e1"), DONE.into(), DONE.into(), click("e2"), DONE.into()];
    let first = Orders::new(&["A-1", "A-2"]).run(steps("wave"), with_model(), &replies);
    let playbook = first.playbook();
    let begin = steps("Click \"Ship\"");
    let world = Orders::new(&["B-7", "B-8"]);
    let again = world.run(begin, with_playbook(playbook, Rules::default()), &[]);
    assert_eq!((again.outcome.status, world.did()), (Status::Failure, vec!["click e1".to_owned()]));
    let message = again.outcome.error.expect("an error").message;
    assert!(message.contains("does not show the row of the loop"), "{message}");
}

#[test]
fn steps_outside_and_the_branch_that_ran_are_recorded_and_the_other_branch_is_kept_from_an_earlier_run() {
    let begin = start(json!([
        "dispatch the order A-1",
        {"if": "\"A-2\" is shown", "then": ["note that an order is left"], "else": ["dispatch the other order"]}
    ]));
    let replies = [click("e1"), DONE.into(), fill("e90", "left"), DONE.into()];
    let first = Orders::new(&["A-1", "A-2"]).run(begin.clone(), with_model(), &replies);
    let playbook = first.playbook();
    let recorded = |playbook: &Playbook| playbook.steps.iter().map(|step| step.actions.len()).collect::<Vec<_>>();
    assert_eq!(recorded(playbook), [1, 0, 1, 0]);
    assert_eq!(playbook.steps[3].left_out, Some(OmittedStep::NotReached));
    // The other branch: a model decides what is not recorded.
    let world = Orders::new(&["A-1", "A-3"]);
    let other = world.run(begin.clone(), with_playbook(playbook, with_model()), &[click("e2"), DONE.into()]);
    assert_eq!(world.did(), ["click e1", "click e2"]);
    assert_eq!(other.deciders, [DecidedBy::Playbook, DecidedBy::Model]);
    let mut both = other.playbook().clone();
    assert_eq!(recorded(&both), [1, 0, 0, 1]);
    both.complete_from(playbook);
    assert_eq!(recorded(&both), [1, 0, 1, 1]);
    let world = Orders::new(&["A-1", "A-2"]);
    let again = world.run(begin, with_playbook(&both, Rules::default()), &[]);
    assert_eq!((again.outcome.status, world.did()), (Status::Success, vec!["click e1".into(), "fill e90 left".into()]));
}

/// The values of a list, with a row for each of them that the loop does not know.
#[test]
fn a_loop_over_a_list_does_not_act_on_the_row_of_an_earlier_value() {
    let mut begin = start(json!([{"for_each": "name in ${names}", "steps": ["dispatch ${name} today"]}]));
    begin.inputs.insert("names".into(), json!(["Hooli"]));
    begin.workflow.inputs.insert("names".into(), Default::default());
    let orders = ["Hooli", "Stark", "Initech"];
    let first = Orders::new(&orders).run(begin.clone(), with_model(), &[click("e1"), DONE.into()]);
    begin.inputs.insert("names".into(), json!(["Stark"]));
    let world = Orders::new(&orders);
    let again = world.run(begin, with_playbook(first.playbook(), with_model()), &[click("e2"), DONE.into()]);
    assert_eq!((again.outcome.status, world.did()), (Status::Success, vec!["click e2".to_owned()]));
}

#[test]
fn a_step_whose_words_let_each_row_decide_is_not_recorded() {
    for words in ["approve it if it is below 100, otherwise reject it", "dispatch the order when it is paid"] {
        let replies = [click("e1"), DONE.into(), click("e2"), DONE.into()];
        let first = Orders::new(&["A-1", "A-2"]).run(for_each(words), with_model(), &replies);
        assert_eq!(first.playbook().steps[1].left_out, Some(OmittedStep::Conditional), "{words}");
    }
}
