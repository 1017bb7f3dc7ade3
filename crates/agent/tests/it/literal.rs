//! Steps that need no model.

use legwork_agent::{Got, Need, Rules};
use legwork_protocol::{Code, Status, Step, Validation};

use crate::script::{Script, done, page, start};

#[test]
fn a_workflow_runs_without_a_model() {
    let mut begin = start(&["Type \"${user}\" into \"Name\"", "Click \"Send\"", "Check that \"Welcome\" is shown"]);
    begin.workflow.url = Some("http://site.test/".into());
    begin.inputs.insert("user".into(), "alice".into());
    let before = page("- textbox \"Name\" [ref=e1]\n- button \"Send\" [ref=e2]");
    let after = page("- heading \"Welcome\"");
    let mut sent = false;
    let mut script = Script::begin(begin, Rules::default());
    let outcome = script
        .drive(|need| {
            Some(match need {
                Need::Observe(_) => Got::Observed(if sent { after.clone() } else { before.clone() }),
                Need::Act(intents) => {
                    sent |= intents[0].action.name() == "click";
                    Got::Acted(vec![done()])
                }
                other => panic!("not needed: {other:?}"),
            })
        })
        .expect("it ends");
    assert_eq!((outcome.status, outcome.validation), (Status::Success, Validation::Unvalidated));
    insta::assert_snapshot!(script.told().join("\n"));
}

#[test]
fn what_is_missing_is_named_all_at_once() {
    let mut begin = start(&["Click \"Send\""]);
    begin.workflow.inputs.insert("user".into(), Default::default());
    begin.workflow.inputs.insert("city".into(), Default::default());
    let mut script = Script::begin(begin, Rules::default());
    let error = script.drive(|_| None).expect("it has ended").error.expect("it says why");
    assert_eq!(error.code, Code::WorkflowInvalid);
    assert_eq!(error.details, ["input \"city\" is missing", "input \"user\" is missing"]);
}

#[test]
fn a_target_that_comes_late_is_waited_for() {
    let mut script = Script::begin(start(&["Click \"Send\""]), Rules::default());
    let mut looks = 0;
    let outcome = script.drive(|need| {
        Some(match need {
            Need::Observe(look) => {
                looks += 1;
                assert_eq!(look.after_change_within.is_some(), looks == 2);
                Got::Observed(if looks == 1 { page("- text: Loading") } else { page("- button \"Send\" [ref=e2]") })
            }
            Need::Act(_) => Got::Acted(vec![done()]),
            other => panic!("not needed: {other:?}"),
        })
    });
    // The second look took the whole waiting time, and the element was there at its end.
    assert_eq!(outcome.map(|outcome| outcome.status), Some(Status::Success));
}

#[test]
fn a_condition_that_does_not_hold_skips_the_step() {
    let mut begin = start(&["Click \"Accept\""]);
    begin.workflow.steps[0] =
        Step { when: Some("Check that \"Cookies\" is shown".into()), ..begin.workflow.steps[0].clone() };
    let mut script = Script::begin(begin, Rules::default());
    let outcome = script.drive(|need| match need {
        Need::Observe(_) => Some(Got::Observed(page("- text: Hello"))),
        other => panic!("not needed: {other:?}"),
    });
    assert_eq!(outcome.map(|outcome| outcome.status), Some(Status::Success));
    assert_eq!(script.run.results()[0].status, Status::Skipped);
}
