//! Actions with an unknown outcome: they were sent and their result was lost. They are not repeated until the outcome
//! has been checked.

use std::time::Duration;

use legwork_agent::{Assumption, ModelRules, Need, NeedResult, Rules};
use legwork_protocol::{
    Action, ActionFailure, ActionResult, Code, CommandId, EventKind, Extract, OnResume, Outcome, PageLog, Purpose,
    RequestLine, RunStart, Status, Step, Validation,
};

use crate::{
    model::{CLICK, DONE},
    resume::{FORM, World},
    support::{Script, brief, done, reply, start},
};

/// What strikes after a click was sent.
fn strikes() -> Vec<ActionFailure> {
    vec![
        ActionFailure::BrowserGone { reason: "it closed the connection".into() },
        ActionFailure::Crashed,
        ActionFailure::Unresponsive,
        ActionFailure::Cancelled,
        ActionFailure::Timeout { what: "the page's rest".into(), ms: 4_000 },
        ActionFailure::StaleRef { target: "e2".into() },
        ActionFailure::Download { name: "receipt.pdf".into(), reason: "broken off".into() },
    ]
}

fn failed(failure: &ActionFailure, unknown: bool) -> ActionResult {
    let failed = ActionResult::failed(failure.clone(), Duration::from_millis(5));
    ActionResult { outcome_unknown: unknown, ..failed }
}

fn with(expect: Option<&str>, on_resume: Option<OnResume>) -> RunStart {
    let mut begin = start(&["Click \"Send\"", "Click \"Again\""]);
    let step = Step { expect: expect.map(str::to_owned), on_resume, ..begin.workflow.steps[0].clone() };
    begin.workflow.steps[0] = step;
    begin
}

/// A run whose first click ends so; with the clicks that were sent.
fn struck(begin: RunStart, result: &ActionResult) -> (Script, Outcome, usize) {
    let world = World::new(FORM);
    let mut script = Script::begin(begin, Rules::default());
    let mut clicks = 0;
    let outcome = script.drive(|need| match need {
        Need::Act(intents) if brief(&intents[0].action) == "click e2" => {
            clicks += 1;
            Some(NeedResult::Acted(vec![result.clone()]))
        }
        need => world.answer(need, ""),
    });
    (script, outcome.expect("it ends"), clicks)
}

/// Every intent on record has an end.
fn ends(script: &Script) -> bool {
    let ended = |id: &CommandId| {
        script.journal.iter().any(|event| match &event.kind {
            EventKind::CommandCompleted { command_id, .. } | EventKind::CommandFailed { command_id, .. } => {
                command_id == id
            }
            _ => false,
        })
    };
    script.journal.iter().all(|event| match &event.kind {
        EventKind::CommandStarted { command_id, .. } => ended(command_id),
        _ => true,
    })
}

#[test]
fn resume_parks_after_any_failure_of_a_sent_click() {
    for failure in strikes() {
        for on_resume in [None, Some(OnResume::Ask), Some(OnResume::Verify)] {
            let (script, outcome, clicks) = struck(with(None, on_resume), &failed(&failure, true));
            assert_ne!(outcome.status, Status::Success, "{failure}");
            assert_eq!(clicks, 1, "{failure}");
            let message = outcome.error.unwrap().message;
            assert!(message.contains("the outcome is unknown"), "{message}");
            let world = World::new(FORM);
            let mut script = script.resume(Rules::default());
            let outcome = script.drive(|need| world.answer(need, "")).unwrap();
            assert_eq!(
                (outcome.status, outcome.error.map(|error| error.code), world.did()),
                (Status::Parked, Some(Code::OutcomeUnknown), Vec::new()),
                "{failure}, {on_resume:?}"
            );
            assert!(ends(&script), "{failure}");
            // It parks at each resume until a person states the outcome.
            let rules = Rules { assume: Some(Assumption::Done), ..Rules::default() };
            let outcome = script.resume(rules).drive(|need| world.answer(need, "")).unwrap();
            assert_eq!((outcome.status, world.did()), (Status::Success, vec!["click e3".to_owned()]), "{failure}");
        }
    }
}

#[test]
fn resume_repeats_an_action_that_failed_before_it_was_sent() {
    for failure in [
        ActionFailure::BrowserGone { reason: "it did not start".into() },
        ActionFailure::Crashed,
        ActionFailure::Unresponsive,
        ActionFailure::Cancelled,
    ] {
        let (script, outcome, _) = struck(with(None, Some(OnResume::Ask)), &failed(&failure, false));
        assert_ne!(outcome.status, Status::Success);
        let world = World::new(FORM);
        let outcome = script.resume(Rules::default()).drive(|need| world.answer(need, "")).unwrap();
        assert_eq!(
            (outcome.status, world.did()),
            (Status::Success, vec!["click e2".into(), "click e3".into()]),
            "{failure}"
        );
    }
}

#[test]
fn retry_does_it_again_because_the_author_says_so() {
    let (script, ..) = struck(with(None, Some(OnResume::Retry)), &failed(&ActionFailure::Crashed, true));
    let world = World::new(FORM);
    let outcome = script.resume(Rules::default()).drive(|need| world.answer(need, "")).unwrap();
    assert_eq!((outcome.status, world.did()), (Status::Success, vec!["click e2".into(), "click e3".into()]));
}

#[test]
fn on_resume_verify_succeeds_if_the_expectation_holds() {
    let begin = with(Some("Check that \"Sent\" is shown"), None);
    let (script, ..) = struck(begin, &failed(&ActionFailure::Crashed, true));
    let world = World::new(&format!("{FORM}\n- status \"Sent\""));
    let mut script = script.resume(Rules::default());
    let outcome = script.drive(|need| world.answer(need, "")).unwrap();
    assert_eq!((outcome.status, world.did()), (Status::Success, vec!["click e3".to_owned()]));
    assert_eq!(script.run.results()[0].validation, Validation::Validated);
}

/// The run with a request on record for its last command.
fn with_request_in_journal(mut script: Script, method: &str, status: Option<u16>) -> Script {
    let command = script.journal.iter().rev().find_map(|event| match &event.kind {
        EventKind::CommandStarted { command_id, .. } => Some(*command_id),
        _ => None,
    });
    let request = RequestLine {
        number: 1,
        method: method.into(),
        url: format!("{}order", crate::support::page(FORM).url),
        kind: "fetch".into(),
        status,
        media_type: None,
        duration: None,
        bytes: None,
        failure: None,
        tab: 1,
        at: "2026-01-01T00:00:00Z".parse().expect("a time"),
    };
    let activity = PageLog {
        command_id: command,
        console: Vec::new(),
        requests: vec![request],
        console_left_out: 0,
        requests_left_out: 0,
    };
    script.event(Some(0), EventKind::PageLog(activity));
    script
}

#[test]
fn resume_continues_if_a_successful_response_is_in_the_journal() {
    for on_resume in [None, Some(OnResume::Ask), Some(OnResume::Verify), Some(OnResume::Retry)] {
        let (script, ..) = struck(with(None, on_resume), &failed(&ActionFailure::Crashed, true));
        let world = World::new(FORM);
        let mut script = with_request_in_journal(script, "POST", Some(201)).resume(Rules::default());
        let outcome = script.drive(|need| world.answer(need, "")).unwrap();
        assert_eq!((outcome.status, world.did()), (Status::Success, vec!["click e3".to_owned()]), "{on_resume:?}");
        let first = &script.run.results()[0];
        assert!(first.evidence.iter().any(|seen| seen.fact.contains("was answered with 201")), "{:?}", first.evidence);
        // The page after the action was not observed.
        assert_eq!(first.validation, Validation::Unvalidated);
        assert!(ends(&script));
    }
}

#[test]
fn resume_parks_if_the_expectation_fails_despite_a_successful_response() {
    let begin = with(Some("Check that \"Sent\" is shown"), None);
    let (script, ..) = struck(begin, &failed(&ActionFailure::Crashed, true));
    let world = World::new(FORM);
    let mut script = with_request_in_journal(script, "POST", Some(201)).resume(Rules::default());
    let outcome = script.drive(|need| world.answer(need, "")).unwrap();
    assert_eq!((outcome.status, world.did()), (Status::Parked, Vec::<String>::new()));
}

#[test]
fn resume_parks_without_a_successful_response_to_a_mutating_request() {
    for (method, status) in [("POST", None), ("POST", Some(500)), ("POST", Some(409)), ("GET", Some(200))] {
        let (script, ..) = struck(with(None, None), &failed(&ActionFailure::Crashed, true));
        let world = World::new(FORM);
        let mut script = with_request_in_journal(script, method, status).resume(Rules::default());
        let outcome = script.drive(|need| world.answer(need, "")).unwrap();
        assert_eq!((outcome.status, world.did()), (Status::Parked, Vec::<String>::new()), "{method} {status:?}");
    }
}

#[test]
fn parking_records_a_result_for_every_intent() {
    let world = World::new(FORM);
    let mut script = Script::begin(with(None, None), Rules::default());
    assert_eq!(script.drive(|need| world.answer(need, "click e2")), None);
    assert!(!ends(&script));
    let mut script = script.resume(Rules::default());
    assert_eq!(script.drive(|need| world.answer(need, "")).unwrap().status, Status::Parked);
    assert!(ends(&script));
    let unknown = script.journal.iter().any(|event| match &event.kind {
        EventKind::CommandFailed { result, .. } => result.outcome_unknown,
        _ => false,
    });
    assert!(unknown, "the result has outcome_unknown");
}

#[test]
fn a_cancelled_extraction_records_a_result() {
    let world = World::new(FORM);
    let mut begin = start(&["take the names"]);
    let extract = Extract { instruction: "the names".into(), fields: vec!["name".into()], ..Extract::default() };
    begin.workflow.steps[0].action = Some(Action::Extract(extract));
    let rules = Rules { model: Some(ModelRules::default()), ..Rules::default() };
    let mut script = Script::begin(begin, rules);
    let outcome = script.drive(|need| match need {
        Need::Decide(_) | Need::Inspect(_) => Some(NeedResult::Cancelled { reason: "stopped by the user".into() }),
        need => world.answer(need, ""),
    });
    assert_eq!(outcome.unwrap().status, Status::Cancelled);
    assert!(script.journal.iter().any(|event| matches!(event.kind, EventKind::CommandStarted { .. })));
    assert!(ends(&script));
}

/// Runs a model's turn after a click with this result. Returns its prompts and the number of clicks.
fn prompts_and_clicks_after(failure: &ActionFailure, unknown: bool) -> (Vec<String>, usize) {
    let world = World::new(FORM);
    let mut begin = start(&["send the form"]);
    begin.task = true;
    let rules = Rules { model: Some(ModelRules::default()), ..Rules::default() };
    let mut script = Script::begin(begin, rules);
    let (mut prompts, mut clicks) = (Vec::new(), 0);
    script.drive(|need| match need {
        Need::Decide(request) if request.purpose != Purpose::Act => Some(reply("{}")),
        Need::Decide(request) => {
            prompts.push(request.messages[1].text.to_string());
            Some(reply(if prompts.len() == 1 { CLICK } else { DONE }))
        }
        Need::Act(_) => {
            clicks += 1;
            Some(NeedResult::Acted(vec![failed(failure, unknown)]))
        }
        need => world.answer(need, ""),
    });
    (prompts, clicks)
}

#[test]
fn the_prompt_after_an_unknown_outcome_asks_the_model_to_verify() {
    let failure = ActionFailure::Timeout { what: "the page's rest".into(), ms: 4_000 };
    let (prompts, clicks) = prompts_and_clicks_after(&failure, true);
    assert_eq!(clicks, 1);
    assert!(prompts[1].contains("The outcome of your last action is unknown"), "{}", prompts[1]);
    assert!(prompts[1].contains("the outcome is unknown: it was sent and may have been done"), "{}", prompts[1]);
    let (prompts, _) = prompts_and_clicks_after(&failure, false);
    assert!(!prompts[1].contains("outcome"), "{}", prompts[1]);
}

#[test]
fn a_literal_step_with_an_unknown_outcome_is_handed_to_the_model() {
    let world = World::new(FORM);
    let rules = Rules { model: Some(ModelRules::default()), ..Rules::default() };
    let mut script = Script::begin(start(&["Click \"Send\""]), rules);
    let (mut prompt, mut clicks) = (String::new(), 0);
    script.drive(|need| match need {
        Need::Decide(request) => {
            prompt = request.messages[1].text.to_string();
            Some(reply(DONE))
        }
        Need::Act(_) => {
            clicks += 1;
            Some(NeedResult::Acted(vec![failed(&ActionFailure::StaleRef { target: "e2".into() }, true)]))
        }
        need => world.answer(need, ""),
    });
    assert_eq!(clicks, 1);
    assert!(prompt.contains("the outcome is unknown"), "{prompt}");
}

/// The page has refused nothing; the expected state may still appear when the server responds.
#[test]
fn a_failed_expectation_with_a_pending_request_has_an_unknown_outcome() {
    let request = |status| legwork_protocol::PageEffect::Request {
        method: "POST".into(),
        url: "http://site.test/orders".into(),
        status,
        failure: None,
        refusal: None,
        doubt: None,
        altered: Vec::new(),
        background: false,
        earlier: false,
    };
    let ended = |effects: Vec<legwork_protocol::PageEffect>| {
        let world = World::new(FORM);
        let mut script = Script::begin(with(Some("\"Sent\" is shown"), Some(OnResume::Ask)), Rules::default());
        let outcome = script.drive(|need| match need {
            Need::Act(intents) if brief(&intents[0].action) == "click e2" => {
                Some(NeedResult::Acted(vec![ActionResult { effects: effects.clone(), ..done() }]))
            }
            need => world.answer(need, ""),
        });
        let outcome = outcome.expect("it ends");
        let question = script.resume(Rules::default()).drive(|need| world.answer(need, "")).expect("it ends");
        (outcome.status, outcome.validation, outcome.error.expect("it says why"), question)
    };
    let (status, validation, error, question) = ended(vec![request(None)]);
    assert_eq!((status, validation, error.code), (Status::Failure, Validation::Unvalidated, Code::OutcomeUnknown));
    assert!(error.message.contains("POST http://site.test/orders has not been answered yet"), "{}", error.message);
    assert!(error.suggested_action.contains("--assume not-done"), "{}", error.suggested_action);
    // The question contains the text of the step and no ref, because a ref means nothing to a person.
    let asked = question.error.expect("it parks").message;
    assert!(asked.contains("Click \"Send\" (click)") && !asked.contains("e2"), "{asked}");

    let (_, validation, error, _) = ended(vec![request(Some(200))]);
    assert_eq!((validation, error.code), (Validation::Rejected, Code::ExpectationNotMet));
}

/// A click succeeded, the server has not responded to its request, and the page was closed before the next observation.
/// The request may have been aborted.
#[test]
fn a_pending_mutating_request_at_an_interruption_has_an_unknown_outcome() {
    let unanswered = |method: &str, background| legwork_protocol::PageEffect::Request {
        method: method.into(),
        url: "http://shop.test/orders".into(),
        status: None,
        failure: None,
        refusal: None,
        doubt: None,
        altered: Vec::new(),
        background,
        earlier: false,
    };
    let resumed = |effect: legwork_protocol::PageEffect, on_resume| {
        let world = World::new(FORM);
        let mut script = Script::begin(with(None, on_resume), Rules::default());
        let mut clicked = false;
        let cut = script.drive(|need| match need {
            Need::Act(intents) if brief(&intents[0].action) == "click e2" => {
                clicked = true;
                Some(NeedResult::Acted(vec![ActionResult { effects: vec![effect.clone()], ..done() }]))
            }
            Need::Observe(_) if clicked => None,
            need => world.answer(need, ""),
        });
        assert_eq!(cut, None, "the run should have been interrupted");
        let outcome = script.resume(Rules::default()).drive(|need| world.answer(need, "")).expect("it ends");
        (outcome.status, world.did())
    };
    for on_resume in [None, Some(OnResume::Ask), Some(OnResume::Verify)] {
        assert_eq!(resumed(unanswered("POST", false), on_resume), (Status::Parked, Vec::new()), "{on_resume:?}");
    }
    let again = vec!["click e2".to_owned(), "click e3".to_owned()];
    assert_eq!(resumed(unanswered("POST", false), Some(OnResume::Retry)), (Status::Success, again));
    for other in [unanswered("GET", false), unanswered("POST", true)] {
        assert_eq!(resumed(other, None), (Status::Success, vec!["click e3".to_owned()]));
    }
}

/// A page that shows its success message before the server has responded.
#[test]
fn a_satisfied_expectation_waits_for_the_pending_response() {
    const THANKS: &str =
        "- textbox \"Name\" [ref=e1]\n- button \"Send\" [ref=e2]\n- button \"Again\" [ref=e3]\n- text: Thank you";
    let request = |status, earlier| legwork_protocol::PageEffect::Request {
        method: "POST".into(),
        url: "http://site.test/orders".into(),
        status,
        failure: None,
        refusal: None,
        doubt: None,
        altered: Vec::new(),
        background: false,
        earlier,
    };
    let ended = |answer: Option<u16>, check: bool| {
        let mut begin = with((!check).then_some("\"Thank you\" is shown"), None);
        if check {
            begin.workflow.steps[0].step = "Click \"Send\" and check that \"Thank you\" is shown".into();
        }
        begin.workflow.steps.truncate(1);
        let mut script = Script::begin(begin, Rules::default());
        let mut clicked = false;
        let outcome = script.drive(|need| match need {
            Need::Act(intents) if brief(&intents[0].action) == "click e2" => {
                clicked = true;
                Some(NeedResult::Acted(vec![ActionResult { effects: vec![request(None, false)], ..done() }]))
            }
            Need::Act(intents) if intents[0].action.name() == "wait" => {
                let effects = answer.map(|status| request(Some(status), true)).into_iter().collect();
                Some(NeedResult::Acted(vec![ActionResult { effects, ..done() }]))
            }
            Need::Observe(_) => Some(NeedResult::Observed(crate::support::page(if clicked { THANKS } else { FORM }))),
            need => panic!("{need:?}"),
        });
        let outcome = outcome.expect("it ends");
        (outcome.status, outcome.validation)
    };
    for check in [false, true] {
        assert_eq!(ended(Some(500), check), (Status::Failure, Validation::Rejected), "{check}");
        assert_eq!(ended(Some(201), check).0, Status::Success, "{check}");
    }
    assert_eq!(ended(Some(201), false).1, Validation::Validated);
    assert_eq!(ended(None, false), (Status::Success, Validation::Unvalidated), "nobody answered");
}

/// A refused step is not considered done just because all of its actions have results.
#[test]
fn resume_does_not_repeat_a_refused_step() {
    const REFUSED: &str = "- textbox \"Name\" [ref=e1]\n- button \"Send\" [ref=e2]\n- button \"Again\" [ref=e3]\n- alert\n  - text: Your card was declined. The order was not placed.";
    let mut clicks = 0;
    let mut play = |script: &mut Script| {
        let mut clicked = false;
        script.drive(|need| match need {
            Need::Act(_) => {
                (clicks, clicked) = (clicks + 1, true);
                Some(NeedResult::Acted(vec![done()]))
            }
            Need::Observe(_) => Some(NeedResult::Observed(crate::support::page(if clicked { REFUSED } else { FORM }))),
            need => panic!("{need:?}"),
        })
    };
    let mut script = Script::begin(with(None, Some(OnResume::Verify)), Rules::default());
    let outcome = play(&mut script).expect("it ends");
    assert_eq!((outcome.status, outcome.validation), (Status::Failure, Validation::Rejected));
    let mut script = script.resume(Rules::default());
    let outcome = play(&mut script).expect("it ends");
    let error = outcome.error.expect("it says why");
    assert_eq!(
        (outcome.status, outcome.validation, error.code),
        (Status::Failure, Validation::Rejected, Code::Contradicted)
    );
    assert!(error.message.contains("card was declined"), "{}", error.message);
    assert!(error.suggested_action.contains("--assume not-done"), "{}", error.suggested_action);
    let mut script = script.resume(Rules { assume: Some(Assumption::NotDone), ..Rules::default() });
    play(&mut script).expect("it ends");
    assert_eq!(clicks, 2, "it is repeated only if a person states that it was not done");
}
