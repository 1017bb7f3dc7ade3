//! A failed step is tried again only if it is configured, and only if it cannot have changed anything.

use std::time::Duration;

use legwork_agent::{Need, NeedResult, Rules};
use legwork_protocol::{ActionFailure, ActionResult, Code, EventKind, Outcome, Status};

use crate::support::{Script, brief, done, page, start};

fn rules(retries: u32) -> Rules {
    let mut rules = Rules::default();
    rules.limits.max_step_retries = retries;
    rules
}

/// Plays a step whose element appears only after a step has given up waiting for it.
fn play(step: &str, retries: u32, click: &dyn Fn(usize) -> ActionResult) -> (Outcome, Script, Vec<String>) {
    let (before, after) =
        (page("- textbox \"Name\" [ref=e1]"), page("- textbox \"Name\" [ref=e1]\n- button \"Send\" [ref=e2]"));
    let mut script = Script::begin(start(&[step]), rules(retries));
    let (mut acts, mut waited) = (Vec::new(), Duration::ZERO);
    let outcome = script.drive(|need| {
        Some(match need {
            Need::Observe(look) => {
                let shown = if waited > Duration::from_secs(6) { &after } else { &before };
                waited += look.after_change_within.unwrap_or(Duration::from_millis(10));
                NeedResult::Observed(shown.clone())
            }
            Need::Act(intents) => {
                acts.push(brief(&intents[0].action));
                NeedResult::Acted(vec![if acts.last().is_some_and(|act| act.starts_with("click")) {
                    click(acts.len())
                } else {
                    done()
                }])
            }
            other => panic!("not needed: {other:?}"),
        })
    });
    (outcome.expect("it ends"), script, acts)
}

fn warnings(script: &Script) -> usize {
    let is_retry =
        |kind: &EventKind| matches!(kind, EventKind::WarningIssued { message } if message.contains("is tried again"));
    script.journal.iter().filter(|event| is_retry(&event.kind)).count()
}

#[test]
fn a_step_that_found_nothing_is_tried_again_if_it_is_configured() {
    let (outcome, script, acts) = play("Click \"Send\"", 0, &|_| done());
    assert_eq!((outcome.status, acts.len(), warnings(&script)), (Status::Failure, 0, 0), "{:#?}", script.told());
    let (outcome, script, acts) = play("Click \"Send\"", 2, &|_| done());
    assert_eq!((outcome.status, acts.len()), (Status::Success, 1), "{:#?}", script.told());
    assert!((1..=2).contains(&warnings(&script)), "{:#?}", script.told());
    let begun = script.journal.iter().filter(|event| matches!(event.kind, EventKind::StepStarted { .. })).count();
    assert_eq!(begun, 1, "it is the same step");
}

#[test]
fn a_step_that_typed_something_is_not_tried_again() {
    let (outcome, script, acts) = play("Type \"Ada\" into \"Name\" and click \"Send\"", 2, &|_| done());
    assert_eq!((outcome.status, warnings(&script)), (Status::Failure, 0), "{:#?}", script.told());
    assert_eq!(acts.len(), 1);
}

#[test]
fn an_action_with_an_unknown_outcome_is_not_sent_again() {
    let lost = |_| ActionResult {
        outcome_unknown: true,
        ..ActionResult::failed(ActionFailure::Unresponsive, Duration::from_millis(5))
    };
    let mut script = Script::begin(start(&["Click \"Send\""]), rules(3));
    let shown = page("- button \"Send\" [ref=e2]");
    let mut acts = 0;
    let outcome = script.drive(|need| {
        Some(match need {
            Need::Observe(_) => NeedResult::Observed(shown.clone()),
            Need::Act(_) => {
                acts += 1;
                NeedResult::Acted(vec![lost(acts)])
            }
            other => panic!("not needed: {other:?}"),
        })
    });
    assert_ne!(outcome.expect("it ends").status, Status::Success);
    assert_eq!((acts, warnings(&script)), (1, 0), "{:#?}", script.told());
}

/// Another try cannot understand what the first one did not.
#[test]
fn a_step_that_is_not_understood_is_not_tried_again() {
    let (outcome, script, _) = play("Sort out the delivery", 2, &|_| done());
    assert_eq!(outcome.error.map(|error| error.code), Some(Code::NotUnderstood));
    assert_eq!(warnings(&script), 0);
}
