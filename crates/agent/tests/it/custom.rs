//! Steps and tasks that a program's own decider decides, before any model is asked.

use legwork_agent::{DeciderChoice, DeciderReply, DecisionContext, Limits, ModelRules, Need, NeedResult, Rules};
use legwork_protocol::{Action, Budget, Code, DecidedBy, Decision, EventKind, Outcome, RunStart, Status, Validation};
use serde_json::json;

use crate::support::{Script, done, page, reply, start};

const FORM: &str = "- textbox \"Name\" [ref=e1]\n- button \"Send\" [ref=e2]";
const SENT: &str = "- textbox \"Name\" [ref=e1]\n- button \"Send\" [ref=e2]\n- status \"Sent\"";
const DONE: &str = r#"{"why":"it is there","do":"done \"by the model\"","confidence":0.9}"#;

fn custom() -> Rules {
    Rules { custom: true, ..Rules::default() }
}

fn both() -> Rules {
    let schema = legwork_agent::schema::SchemaOptions {
        form: legwork_agent::schema::Form::Line,
        ..legwork_agent::schema::SchemaOptions::default()
    };
    Rules { model: Some(ModelRules { schema, ..ModelRules::default() }), ..custom() }
}

fn task(text: &str) -> RunStart {
    RunStart { task: true, ..start(&[text]) }
}

fn click(target: &str) -> Action {
    serde_json::from_value(json!({"action": "click", "parameters": {"target": target}})).expect("a click")
}

fn decided(decision: Decision) -> DeciderReply {
    DeciderReply::Decided(Box::new(decision))
}

/// What came of it, what was asked of the program, and how often a model was.
struct Played {
    outcome: Outcome,
    script: Script,
    asked: Vec<DecisionContext>,
    models: usize,
}

/// Plays a run whose first page is the form and whose every next one says that it was sent.
fn play(begin: RunStart, rules: Rules, decide: impl Fn(&DecisionContext) -> DeciderReply) -> Played {
    let (mut acted, mut asked, mut models) = (false, Vec::new(), 0);
    let mut script = Script::begin(begin, rules);
    let outcome = script.drive(|need| {
        Some(match need {
            Need::Observe(_) => NeedResult::Observed(page(if acted { SENT } else { FORM })),
            Need::CallDecider(situation) => {
                asked.push(situation.clone());
                NeedResult::DeciderReplied(decide(situation))
            }
            Need::Decide(_) => {
                models += 1;
                reply(DONE)
            }
            Need::Act(intents) => {
                acted = true;
                NeedResult::Acted(intents.iter().map(|_| done()).collect())
            }
            other => panic!("{other:?}"),
        })
    });
    Played { outcome: outcome.expect("it ends"), script, asked, models }
}

/// Clicks until it says that it was sent.
fn sends(situation: &DecisionContext) -> DeciderReply {
    let sent = legwork_observe::full_text(&situation.page, 1_000).contains("Sent");
    decided(if sent { Decision::done("Sent it.") } else { Decision::act([click("e2")], "not sent yet") })
}

#[test]
fn a_program_decides_turn_by_turn_without_a_model() {
    let played = play(task("send the form"), custom(), sends);
    let outcome = &played.outcome;
    assert_eq!((outcome.status, outcome.answer.as_deref()), (Status::Success, Some("Sent it.")), "{outcome:?}");
    assert_eq!((outcome.usage.calls, played.models), (0, 0));
    let facts = played.script.journal.iter().filter_map(|event| match &event.kind {
        EventKind::StepCompleted(result) => Some(&result.evidence),
        _ => None,
    });
    assert!(facts.flatten().any(|evidence| evidence.fact.contains("Sent")));
    let by: Vec<DecidedBy> = played
        .script
        .journal
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::AiReasoning { decider, .. } | EventKind::CommandStarted { decider, .. } => Some(*decider),
            _ => None,
        })
        .collect();
    assert_eq!(by, [DecidedBy::Custom; 3], "a decision, its action, the claim");
    let [first, second] = &played.asked[..] else { panic!("{:?}", played.asked) };
    assert_eq!((first.task.as_str(), first.turns, first.only_judge), ("send the form", 0, false));
    assert!(first.last.is_empty() && first.history.is_empty());
    assert_eq!((second.turns, second.last.len()), (1, 1));
    assert!(second.last[0].0 == click("e2") && second.last[0].1.ok());
    assert!(second.history[0].contains("click"), "{:?}", second.history);
}

#[test]
fn what_it_leaves_is_the_models() {
    let played =
        play(
            task("send the form"),
            both(),
            |situation| {
                if situation.turns == 0 { sends(situation) } else { DeciderReply::Passed }
            },
        );
    assert_eq!(played.outcome.answer.as_deref(), Some("by the model"), "{:?}", played.outcome);
    assert_eq!((played.asked.len(), played.models), (2, 1));

    let played = play(task("send the form"), custom(), |_| DeciderReply::Passed);
    let error = played.outcome.error.expect("nobody is left");
    assert_eq!(error.code, Code::NotUnderstood);
    assert!(error.message.contains("own decider made no decision"), "{}", error.message);
    assert_eq!(played.asked.len(), 1);
}

#[test]
fn words_that_say_what_to_do_come_first_unless_they_are_to_be_left() {
    let literal = play(start(&["Click \"Send\""]), custom(), sends);
    assert_eq!((literal.outcome.status, literal.asked.len()), (Status::Success, 0));
    let left = play(start(&["Click \"Send\""]), Rules { decider: DeciderChoice::Model, ..custom() }, sends);
    assert_eq!((left.outcome.status, left.asked.len()), (Status::Success, 2), "{:?}", left.outcome);
    let kept = play(start(&["send it off"]), Rules { decider: DeciderChoice::Literal, ..custom() }, sends);
    assert_eq!((kept.outcome.status, kept.asked.len()), (Status::Error, 0));
}

#[test]
fn its_failures_and_its_giving_up_end_the_step_with_their_words() {
    let failed = play(task("send the form"), custom(), |_| DeciderReply::Failed("the rules file is empty".into()));
    let error = failed.outcome.error.expect("it failed");
    assert_eq!(error.message, "the program's own decider failed: the rules file is empty");
    let gone = play(task("send the form"), custom(), |_| decided(Decision::abort("there is no form")));
    let error = gone.outcome.error.expect("it gave up");
    assert_eq!((error.code, error.message.as_str()), (Code::CommandFailed, "there is no form"));
}

#[test]
fn it_is_held_to_turns_and_to_not_repeating_itself() {
    let limits = Limits { max_turns_per_task: 3, ..Limits::default() };
    let wait = |turn: u32| -> Action {
        serde_json::from_value(json!({"action": "scroll", "parameters": {"direction": "down", "screens": turn + 1}}))
            .expect("a scroll")
    };
    let endless = play(task("send the form"), Rules { limits, ..custom() }, |situation| {
        decided(Decision::act([wait(situation.turns)], "on and on"))
    });
    assert_eq!(endless.outcome.budget, Some(Budget::Iterations), "{:?}", endless.outcome);
    assert_eq!(endless.asked.len(), 3);
    let same = play(task("send the form"), custom(), |_| decided(Decision::act([click("e2")], "again")));
    assert_eq!(same.outcome.error.map(|error| error.code), Some(Code::LoopDetected));
}

#[test]
fn it_judges_what_no_code_can_and_may_not_act_then() {
    let mut begin = start(&["Click \"Send\""]);
    begin.workflow.steps[0].expect = Some("the mood of the letter fits a good customer".into());
    let happy = play(begin.clone(), custom(), |situation| {
        assert!(situation.only_judge || situation.expect.is_some(), "{situation:?}");
        decided(Decision::done("they are"))
    });
    assert_eq!((happy.outcome.status, happy.outcome.validation), (Status::Success, Validation::Unvalidated));
    let mut begin = start(&["Click \"Send\""]);
    begin.workflow.steps[0].when = Some("the mood of the letter fits a bad customer".into());
    let acts = play(begin, custom(), |situation| {
        assert!(situation.only_judge, "{situation:?}");
        decided(Decision::act([click("e2")], "whatever"))
    });
    let error = acts.outcome.error.expect("it may not act");
    assert!(error.message.contains("only a judgement"), "{}", error.message);
}
