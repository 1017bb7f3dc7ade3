//! Runs that were cut short, and how they go on.

use std::{cell::RefCell, sync::Arc};

use legwork_agent::{Assumption, ModelRules, Need, NeedResult, ResumeError, Rules, WorkflowRun};
use legwork_observe::Snapshot;
use legwork_protocol::{
    Action, ActionResult, Code, Event, EventKind, OnResume, PageEffect, RunStart, Status, Step, Validation,
};

use crate::{
    model::{CLICK, DONE},
    support::{Script, brief, done, page, reply, start},
};

/// A world that remembers what was done to it, and dies when told to.
pub(crate) struct World {
    done: RefCell<Vec<String>>,
    page: Arc<Snapshot>,
}

pub(crate) const FORM: &str = "- textbox \"Name\" [ref=e1]\n- button \"Send\" [ref=e2]\n- button \"Again\" [ref=e3]";

impl World {
    pub(crate) fn new(text: &str) -> World {
        World { done: RefCell::default(), page: page(text) }
    }

    /// Answers; with `dies_in`, the process ends while this action is under way.
    pub(crate) fn answer(&self, need: &Need, dies_in: &str) -> Option<NeedResult> {
        Some(match need {
            Need::Observe(_) => NeedResult::Observed(self.page.clone()),
            Need::Act(intents) => {
                let action = brief(&intents[0].action);
                if action == dies_in {
                    return None;
                }
                self.done.borrow_mut().push(action.clone());
                let element = match action.as_str() {
                    "fill e1" => Some("textbox \"Name\"".to_owned()),
                    _ => None,
                };
                NeedResult::Acted(vec![ActionResult { element, ..done() }])
            }
            Need::Inspect(_) => return None,
            Need::Ask(_) => NeedResult::Unanswered,
            Need::Decide(_) => reply(DONE),
            Need::CallDecider(situation) => panic!("there is no decider of one's own: {situation:?}"),
            Need::BeginStep | Need::Done(_) => return None,
        })
    }

    pub(crate) fn did(&self) -> Vec<String> {
        self.done.take()
    }
}

pub(crate) fn cut_short(begin: RunStart, world: &World, dies_in: &str) -> Script {
    let mut script = Script::begin(begin, Rules::default());
    assert_eq!(script.drive(|need| world.answer(need, dies_in)), None, "the run should have been interrupted");
    script
}

fn with(expect: Option<&str>, on_resume: Option<OnResume>) -> RunStart {
    let mut begin = start(&["Click \"Send\"", "Click \"Again\""]);
    let step = Step { expect: expect.map(str::to_owned), on_resume, ..begin.workflow.steps[0].clone() };
    begin.workflow.steps[0] = step;
    begin
}

#[test]
fn an_action_that_may_be_done_twice_is_done_again() {
    let world = World::new(FORM);
    let begin = start(&["Type \"Ada\" into \"Name\"", "Click \"Send\""]);
    let mut script = cut_short(begin, &world, "fill e1").resume(Rules::default());
    let outcome = script.drive(|need| world.answer(need, "")).unwrap();
    assert_eq!((outcome.status, world.did()), (Status::Success, vec!["fill e1".to_owned(), "click e2".to_owned()]));
    insta::assert_snapshot!(script.told().join("\n"));
}

#[test]
fn a_mutating_action_is_not_repeated_but_parks() {
    let world = World::new(FORM);
    for on_resume in [None, Some(OnResume::Ask), Some(OnResume::Verify)] {
        let mut script = cut_short(with(None, on_resume), &world, "click e2").resume(Rules::default());
        let outcome = script.drive(|need| world.answer(need, "")).unwrap();
        assert_eq!(
            (outcome.status, outcome.error.map(|error| error.code)),
            (Status::Parked, Some(Code::OutcomeUnknown))
        );
        assert_eq!(world.did(), Vec::<String>::new());
    }
}

#[test]
fn a_parked_run_asks_again_until_somebody_says() {
    let world = World::new(FORM);
    let mut script = cut_short(with(None, None), &world, "click e2").resume(Rules::default());
    assert_eq!(script.drive(|need| world.answer(need, "")).unwrap().status, Status::Parked);
    let mut script = script.resume(Rules::default());
    let outcome = script
        .drive(|need| match need {
            Need::Ask(question) => {
                assert!(question.text.contains("Click \"Send\" (click)"), "{}", question.text);
                Some(NeedResult::Answered("not done".into()))
            }
            need => world.answer(need, ""),
        })
        .unwrap();
    assert_eq!((outcome.status, world.did()), (Status::Success, vec!["click e2".to_owned(), "click e3".to_owned()]));
}

#[test]
fn retry_does_it_again_because_the_author_says_so() {
    let world = World::new(FORM);
    let mut script = cut_short(with(None, Some(OnResume::Retry)), &world, "click e2").resume(Rules::default());
    assert_eq!(script.drive(|need| world.answer(need, "")).unwrap().status, Status::Success);
    assert_eq!(world.did(), ["click e2", "click e3"]);
}

#[test]
fn verify_completes_the_step_when_its_expectation_holds() {
    for on_resume in [None, Some(OnResume::Verify)] {
        let begin = with(Some("Check that \"Sent\" is shown"), on_resume);
        let mut script = cut_short(begin, &World::new(FORM), "click e2").resume(Rules::default());
        let world = World::new(&format!("{FORM}\n- status \"Sent\""));
        let outcome = script.drive(|need| world.answer(need, "")).unwrap();
        assert_eq!((outcome.status, world.did()), (Status::Success, vec!["click e3".to_owned()]));
        assert_eq!(script.run.results()[0].validation, Validation::Validated);
    }
}

#[test]
fn verify_asks_when_its_expectation_does_not_hold() {
    let world = World::new(FORM);
    let begin = with(Some("Check that \"Sent\" is shown"), None);
    let mut script = cut_short(begin, &world, "click e2").resume(Rules::default());
    assert_eq!(script.drive(|need| world.answer(need, "")).unwrap().status, Status::Parked);
    assert_eq!(world.did(), Vec::<String>::new());
}

#[test]
fn the_caller_may_say_what_happened() {
    for (assume, expected) in
        [(Assumption::Done, vec!["click e3"]), (Assumption::NotDone, vec!["click e2", "click e3"])]
    {
        let world = World::new(FORM);
        let rules = Rules { assume: Some(assume), ..Rules::default() };
        let mut script = cut_short(with(None, Some(OnResume::Ask)), &world, "click e2").resume(rules);
        assert_eq!(script.drive(|need| world.answer(need, "")).unwrap().status, Status::Success);
        assert_eq!(world.did(), expected, "{assume:?}");
        // The evidence of a step that a person declared done says so.
        let stated = |event: &Event| match &event.kind {
            EventKind::StepCompleted(result) => {
                result.evidence.iter().any(|fact| fact.fact == "assumed to be done after an interruption")
            }
            _ => false,
        };
        assert_eq!(script.journal.iter().any(stated), assume == Assumption::Done, "{assume:?}");
    }
}

#[test]
fn every_intent_has_its_result_in_the_end() {
    let world = World::new(FORM);
    let rules = Rules { assume: Some(Assumption::Done), ..Rules::default() };
    let mut script = cut_short(with(None, None), &world, "click e2").resume(rules);
    // Cut short once more, later: what was settled stays settled.
    assert_eq!(script.drive(|need| world.answer(need, "click e3")), None);
    let mut script = script.resume(Rules { assume: Some(Assumption::NotDone), ..Rules::default() });
    assert_eq!(script.drive(|need| world.answer(need, "")).unwrap().status, Status::Success);
    assert_eq!(world.did(), ["click e3"]);
}

#[test]
fn fields_are_filled_in_again_but_not_after_the_page_was_left() {
    let world = World::new(FORM);
    let begin = start(&["Type \"Ada\" into \"Name\"", "Click \"Send\""]);
    // The field is committed, and its step not yet over.
    let mut script = Script::begin(begin, Rules::default());
    let died = script.drive(|need| match need {
        Need::Observe(_) if !world.done.borrow().is_empty() => None,
        need => world.answer(need, ""),
    });
    assert_eq!(died, None);
    world.did();
    let mut script = script.resume(Rules::default());
    assert_eq!(script.drive(|need| world.answer(need, "")).unwrap().status, Status::Success);
    assert_eq!(world.did(), ["fill role=textbox[name=\"Name\"]", "click e2"]);

    let mut script =
        Script::begin(start(&["Type \"Ada\" into \"Name\"", "Click \"Send\"", "Click \"Again\""]), Rules::default());
    let died = script.drive(|need| match need {
        Need::Act(intents) if brief(&intents[0].action) == "click e2" => {
            let gone = PageEffect::Navigated { from: "a".into(), to: "b".into(), status: None, status_unknown: false };
            Some(NeedResult::Acted(vec![ActionResult { effects: vec![gone], ..done() }]))
        }
        need => world.answer(need, "click e3"),
    });
    assert_eq!(died, None);
    world.did();
    let mut script = script.resume(Rules { assume: Some(Assumption::NotDone), ..Rules::default() });
    assert_eq!(script.drive(|need| world.answer(need, "")).unwrap().status, Status::Success);
    assert_eq!(world.did(), ["click e3"]);
}

#[test]
fn a_models_step_goes_on_knowing_what_it_did() {
    let world = World::new(FORM);
    let rules = Rules { model: Some(ModelRules::default()), ..Rules::default() };
    let mut begin = start(&["send the form"]);
    begin.task = true;
    let mut script = Script::begin(begin, rules.clone());
    let died = script.drive(|need| match need {
        Need::Decide(_) if world.done.borrow().is_empty() => Some(reply(CLICK)),
        Need::Decide(_) => None,
        need => world.answer(need, ""),
    });
    assert_eq!(died, None);
    let mut script = script.resume(rules);
    let outcome = script
        .drive(|need| {
            if let Need::Decide(request) = need {
                assert!(request.messages[1].text.contains("click e2"), "{}", request.messages[1].text);
            }
            world.answer(need, "")
        })
        .unwrap();
    assert_eq!(
        (outcome.status, outcome.answer.as_deref(), outcome.usage.calls),
        (Status::Success, Some("Sent it."), 2)
    );
    assert_eq!(world.did(), ["click e2"]);
}

#[test]
fn a_run_cut_short_anywhere_sends_once() {
    let steps = [
        "Open http://site.test/",
        "Type \"Ada\" into \"Name\"",
        "Click \"Send\"",
        "Click \"Again\"",
        "Check that \"Sent\" is shown",
    ];
    for dies_after in 0..40_u32 {
        let world = World::new(&format!("{FORM}\n- status \"Sent\""));
        let mut script = Script::begin(start(&steps), Rules::default());
        let mut left = dies_after;
        let mut outcome = None;
        while outcome.is_none() {
            // Dies between needs: never inside an action, so that everything done is known.
            outcome = script.drive(|need| {
                if left == 0 && !matches!(need, Need::Act(_)) {
                    left = 40;
                    return None;
                }
                left = left.saturating_sub(1);
                world.answer(need, "")
            });
            if outcome.is_none() {
                script = script.resume(Rules::default());
            }
        }
        let clicks: Vec<String> = world.did().into_iter().filter(|action| action.starts_with("click")).collect();
        assert_eq!(
            (outcome.unwrap().status, clicks),
            (Status::Success, vec!["click e2".into(), "click e3".into()]),
            "{dies_after}"
        );
    }
}

#[test]
fn what_cannot_be_taken_up_says_why() {
    assert_eq!(WorkflowRun::resume(&[], Rules::default()).err(), Some(ResumeError::NoStart));
    let world = World::new(FORM);
    let mut script = Script::begin(start(&["Click \"Send\""]), Rules::default());
    assert_eq!(script.drive(|need| world.answer(need, "")).unwrap().status, Status::Success);
    assert_eq!(WorkflowRun::resume(&script.journal, Rules::default()).err(), Some(ResumeError::Ended));
    script.journal.remove(2);
    assert_eq!(
        WorkflowRun::resume(&script.journal, Rules::default()).err(),
        Some(ResumeError::Gap { expected: 3, found: 4 })
    );
}

#[test]
fn a_step_goes_on_after_its_committed_clauses() {
    let text = format!("{FORM}\n- status \"Sent\"");
    for (dies_in, first, then) in [
        ("click e3", vec!["fill e1", "click e2"], vec!["click e3"]),
        ("fill e1", vec![], vec!["fill e1", "click e2", "click e3"]),
    ] {
        let world = World::new(&text);
        let step = "Check that \"Sent\" is shown, type \"Ada\" into \"Name\", click \"Send\" and click \"Again\"";
        let script = cut_short(start(&[step]), &world, dies_in);
        assert_eq!(world.did(), first);
        let mut script = script.resume(Rules { assume: Some(Assumption::NotDone), ..Rules::default() });
        assert_eq!(script.drive(|need| world.answer(need, "")).unwrap().status, Status::Success);
        let again: Vec<String> = world.did().into_iter().filter(|action| !action.contains("role=")).collect();
        assert_eq!(again, then, "cut short in {dies_in}");
    }
}

#[test]
fn a_condition_is_looked_at_when_nothing_was_done_yet() {
    let world = World::new(FORM);
    let mut begin = start(&["Click \"Send\""]);
    begin.workflow.steps[0] = Step { when: Some("\"Cookies\" is shown".into()), ..begin.workflow.steps[0].clone() };
    let mut script = Script::begin(begin, Rules::default());
    assert_eq!(script.drive(|_| None), None);
    let mut script = script.resume(Rules::default());
    assert_eq!(script.drive(|need| world.answer(need, "")).unwrap().status, Status::Success);
    assert_eq!((script.run.results()[0].status, world.did()), (Status::Skipped, Vec::new()));
}

#[test]
fn a_field_that_submits_is_never_filled_in_again() {
    let world = World::new("- searchbox \"Search\" [ref=e1]\n- button \"Again\" [ref=e3]");
    let mut script =
        cut_short(start(&["Type \"cats\" into \"Search\" and press Enter", "Click \"Again\""]), &world, "click e3");
    let first = world.did();
    assert!(!first.is_empty());
    script = script.resume(Rules { assume: Some(Assumption::NotDone), ..Rules::default() });
    assert_eq!(script.drive(|need| world.answer(need, "")).unwrap().status, Status::Success);
    let submits = script.journal.iter().filter(|event| match &event.kind {
        EventKind::CommandStarted { action, .. } => {
            matches!(&**action, Action::Press(_)) || matches!(&**action, Action::Fill(fill) if fill.submit)
        }
        _ => false,
    });
    assert_eq!(submits.count(), 1);
}

/// A field may order what is put into it. What the page has sent is not put there again by itself.
#[test]
fn a_field_that_was_sent_at_once_is_not_filled_in_again() {
    let order = |status| legwork_protocol::PageEffect::Request {
        method: "POST".into(),
        url: "http://site.test/order".into(),
        status,
        failure: None,
        refusal: None,
        doubt: None,
        altered: Vec::new(),
        background: false,
        earlier: false,
    };
    let resumed = |on_resume: Option<OnResume>, status: Option<u16>| {
        let mut begin = start(&["Type \"1234\" into \"Name\"", "Click \"Again\""]);
        begin.workflow.steps[0].on_resume = on_resume;
        let world = World::new(FORM);
        let mut script = Script::begin(begin, Rules::default());
        let cut = script.drive(|need| match need {
            Need::Act(intents) if brief(&intents[0].action) == "fill e1" => {
                let element = Some("e1 textbox \"Name\"".to_owned());
                Some(NeedResult::Acted(vec![ActionResult { effects: vec![order(status)], element, ..done() }]))
            }
            Need::Act(_) => None,
            need => world.answer(need, ""),
        });
        assert_eq!(cut, None, "it should have been interrupted");
        let world = World::new(FORM);
        let outcome = script.resume(Rules::default()).drive(|need| world.answer(need, "")).expect("it ends");
        (outcome.status, world.did())
    };
    for on_resume in [None, Some(OnResume::Ask)] {
        let (_, did) = resumed(on_resume, Some(200));
        assert!(!did.iter().any(|action| action.starts_with("fill")), "{on_resume:?}: {did:?}");
    }
}

/// Nobody saw the page being closed, which may have had something to send.
#[test]
fn a_run_that_was_interrupted_at_its_end_is_not_validated() {
    let world = World::new(FORM);
    let mut script = Script::begin(start(&["Check that \"Send\" is shown"]), Rules::default());
    let outcome = script.drive(|need| world.answer(need, "")).expect("it ends");
    assert_eq!(outcome.validation, Validation::Validated);
    script.journal.retain(|event| !matches!(event.kind, EventKind::WorkflowCompleted(_)));
    let mut script = script.resume(Rules::default());
    let outcome = script.drive(|need| world.answer(need, "")).expect("it ends");
    assert_eq!((outcome.status, outcome.validation), (Status::Success, Validation::Unvalidated));
    assert!(script.told().iter().any(|line| line.contains("interrupted at its end")), "{:?}", script.told());
}
