//! Steps that need no model.

use std::{sync::Arc, time::Duration};

use legwork_agent::{Need, NeedResult, Rules};
use legwork_observe::{Attributes, Node, Reversion, Snapshot};
use legwork_protocol::{
    Action, ActionFailure, ActionResult, Budget, Code, DownloadInfo, EventKind, Outcome, PageEffect, Status, Step,
    Validation, Wait,
};

use crate::support::{Script, brief, done, page, start};

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
                Need::Observe(_) => NeedResult::Observed(if sent { after.clone() } else { before.clone() }),
                Need::Act(intents) => {
                    sent |= intents[0].action.name() == "click";
                    NeedResult::Acted(vec![done()])
                }
                other => panic!("not needed: {other:?}"),
            })
        })
        .expect("it ends");
    assert_eq!((outcome.status, outcome.validation), (Status::Success, Validation::Validated));
    insta::assert_snapshot!(script.told().join("\n"));
    // The page as it was seen after the last action, by the fingerprint under which its text is kept.
    let last = script.run.results().last().and_then(|result| result.final_page.clone()).expect("it was looked at");
    assert_eq!(last.fingerprint, format!("{:016x}", legwork_observe::fingerprint(&after)));
    assert_eq!(last.url, after.url);
    let first = script.run.results()[0].final_page.clone().expect("it was looked at");
    let filled = page("- textbox \"Name\" [ref=e1]: alice\n- button \"Send\" [ref=e2]");
    assert_eq!(first.fingerprint, format!("{:016x}", legwork_observe::fingerprint(&filled)));
}

/// The browser says that it clicked, and no fact shows it.
#[test]
fn an_action_without_evidence_is_unvalidated() {
    let same = page("- button \"Send\" [ref=e1]");
    let mut script = Script::begin(start(&["Click \"Send\""]), Rules::default());
    let outcome = script.drive(|need| {
        Some(match need {
            Need::Observe(_) => NeedResult::Observed(same.clone()),
            Need::Act(_) => NeedResult::Acted(vec![done()]),
            other => panic!("not needed: {other:?}"),
        })
    });
    let outcome = outcome.expect("it ends");
    assert_eq!((outcome.status, outcome.validation), (Status::Success, Validation::Unvalidated));
}

/// A menu's first item showed the second one; that something came of the second is not shown by it.
#[test]
fn evidence_of_earlier_actions_does_not_validate_the_last_action() {
    let closed = page("- button \"File\" [ref=e1]");
    let open = page("- button \"File\" [ref=e1]\n- button \"Print\" [ref=e2]\n- text: Choose");
    let ends = |last: std::sync::Arc<legwork_observe::Snapshot>| {
        let mut script = Script::begin(start(&["Click \"File\", click \"Print\""]), Rules::default());
        let mut clicks = 0;
        let outcome = script.drive(|need| {
            Some(match need {
                Need::Observe(_) => NeedResult::Observed([&closed, &open, &last][clicks].clone()),
                Need::Act(_) => {
                    clicks += 1;
                    NeedResult::Acted(vec![done()])
                }
                other => panic!("not needed: {other:?}"),
            })
        });
        let outcome = outcome.expect("it ends");
        assert_eq!(outcome.status, Status::Success);
        let facts = script.run.results()[0].evidence.iter().map(|fact| fact.fact.clone()).collect::<Vec<_>>();
        (outcome.validation, facts.join(", "))
    };
    let (validation, facts) = ends(open.clone());
    assert_eq!((validation, facts.as_str()), (Validation::Unvalidated, "\"Choose\" appeared"));
    let (validation, facts) = ends(closed.clone());
    assert_eq!(validation, Validation::Validated);
    assert_eq!(facts, "\"Choose\" appeared, \"Print\" is gone, \"Choose\" is gone");
}

#[test]
fn all_missing_inputs_are_listed_in_one_error() {
    let mut begin = start(&["Click \"Send\""]);
    begin.workflow.inputs.insert("user".into(), Default::default());
    begin.workflow.inputs.insert("city".into(), Default::default());
    let mut script = Script::begin(begin, Rules::default());
    let error = script.drive(|_| None).expect("it has ended").error.expect("it says why");
    assert_eq!(error.code, Code::WorkflowInvalid);
    assert_eq!(error.details, ["input \"city\" is missing", "input \"user\" is missing"]);
}

#[test]
fn a_step_waits_for_its_target() {
    let mut script = Script::begin(start(&["Click \"Send\""]), Rules::default());
    let mut looks = 0;
    let outcome = script.drive(|need| {
        Some(match need {
            Need::Observe(look) => {
                looks += 1;
                assert_eq!(look.after_change_within.is_some(), looks == 2);
                NeedResult::Observed(if looks == 1 {
                    page("- text: Loading")
                } else {
                    page("- button \"Send\" [ref=e2]")
                })
            }
            Need::Act(_) => NeedResult::Acted(vec![done()]),
            other => panic!("not needed: {other:?}"),
        })
    });
    // The second observation took the complete waiting time and contains the element.
    assert_eq!(outcome.map(|outcome| outcome.status), Some(Status::Success));
}

#[test]
fn a_condition_that_does_not_hold_skips_the_step() {
    let mut begin = start(&["Click \"Accept\""]);
    begin.workflow.steps[0] =
        Step { when: Some("Check that \"Cookies\" is shown".into()), ..begin.workflow.steps[0].clone() };
    let mut script = Script::begin(begin, Rules::default());
    let outcome = script.drive(|need| match need {
        Need::Observe(_) => Some(NeedResult::Observed(page("- text: Hello"))),
        other => panic!("not needed: {other:?}"),
    });
    assert_eq!(outcome.map(|outcome| outcome.status), Some(Status::Success));
    assert_eq!(script.run.results()[0].status, Status::Skipped);
}

/// Drives a run. `look` returns the page of each observation, given the actions so far; `act` returns the result of
/// each action.
fn play(
    begin: legwork_protocol::RunStart,
    mut look: impl FnMut(&[String], u32) -> &'static str,
    mut act: impl FnMut(&str, u32) -> ActionResult,
) -> (Outcome, Script, Vec<String>) {
    let (mut done_so_far, mut looks, mut acts) = (Vec::new(), 0, 0);
    let mut script = Script::begin(begin, Rules::default());
    let outcome = script.drive(|need| {
        Some(match need {
            Need::Observe(_) => {
                looks += 1;
                NeedResult::Observed(page(look(&done_so_far, looks)))
            }
            Need::Act(intents) => {
                acts += 1;
                let result = act(&brief(&intents[0].action), acts);
                if result.ok() {
                    done_so_far.push(brief(&intents[0].action));
                }
                NeedResult::Acted(vec![result])
            }
            other => panic!("not needed: {other:?}"),
        })
    });
    (outcome.expect("it ends"), script, done_so_far)
}

fn failed(failure: ActionFailure) -> ActionResult {
    ActionResult::failed(failure, Duration::from_millis(5))
}

const FORM: &str = "- textbox \"Name\" [ref=e1]\n- button \"Send\" [ref=e2]";

#[test]
fn a_stale_ref_is_resolved_again_on_the_current_page() {
    let (outcome, _, did) = play(
        start(&["Click \"Send\""]),
        |_, looks| if looks == 1 { FORM } else { "- button \"Send\" [ref=e9]" },
        |action, _| match action {
            "click e2" => failed(ActionFailure::StaleRef { target: "e2".into() }),
            _ => done(),
        },
    );
    assert_eq!((outcome.status, did), (Status::Success, vec!["click e9".to_owned()]));
}

#[test]
fn a_covered_target_is_retried_and_a_timed_out_click_is_not() {
    let covered = || failed(ActionFailure::Covered { target: "e2".into(), by: "<div#consent>".into() });
    let (outcome, _, did) =
        play(start(&["Click \"Send\""]), |_, _| FORM, |_, acts| if acts == 1 { covered() } else { done() });
    assert_eq!((outcome.status, did.len()), (Status::Success, 1));
    let (outcome, _, did) = play(start(&["Click \"Send\""]), |_, _| FORM, |_, _| covered());
    assert_eq!((outcome.status, did.len()), (Status::Failure, 0));
    assert_eq!(outcome.error.map(|error| error.code), Some(Code::NotInteractable));

    let late = || failed(ActionFailure::Timeout { what: "the click".into(), ms: 5 });
    let mut tries = 0;
    let (outcome, _, _) = play(
        start(&["Click \"Send\""]),
        |_, _| FORM,
        |_, acts| {
            tries = acts;
            late()
        },
    );
    assert_eq!((outcome.status, tries), (Status::Failure, 1));
}

#[test]
fn a_closed_browser_ends_the_run_with_an_error() {
    let gone = |_: &str, _| failed(ActionFailure::BrowserGone { reason: "killed".into() });
    let (outcome, _, _) = play(start(&["Click \"Send\""]), |_, _| FORM, gone);
    assert_eq!((outcome.status, outcome.error.map(|error| error.code)), (Status::Error, Some(Code::BrowserGone)));
}

#[test]
fn the_first_step_that_fails_ends_the_run() {
    let (outcome, script, _) = play(start(&["Click \"Nowhere\"", "Click \"Send\""]), |_, _| FORM, |_, _| done());
    assert_eq!((outcome.status, script.run.results().len()), (Status::Failure, 1));
    let error = outcome.error.expect("it says why");
    assert_eq!((error.code, error.step), (Code::NotFound, Some(0)));
}

#[test]
fn each_clause_is_decided_on_the_page_of_its_moment() {
    let (outcome, script, did) = play(
        start(&["Type \"Ada\" into \"Name\" and click \"Send\", then check that \"Thanks\" is shown"]),
        |done, _| match done.len() {
            0 => "- textbox \"Name\" [ref=e1]",
            1 => "- textbox \"Name\" [ref=e1]: Ada\n- button \"Send\" [ref=e7]",
            _ => "- text: Thanks",
        },
        |_, _| done(),
    );
    assert_eq!((outcome.status, did), (Status::Success, vec!["fill e1".to_owned(), "click e7".to_owned()]));
    let result = &script.run.results()[0];
    assert_eq!(result.validation, Validation::Validated);
    let facts: Vec<&str> = result.evidence.iter().map(|evidence| evidence.fact.as_str()).collect();
    insta::assert_snapshot!(facts.join("\n"));
}

#[test]
fn an_unmet_expectation_rejects_the_step() {
    let mut begin = start(&["Click \"Send\""]);
    begin.workflow.steps[0].expect = Some("\"Thanks\" is shown".into());
    let (outcome, _, _) = play(begin.clone(), |_, _| FORM, |_, _| done());
    assert_eq!((outcome.status, outcome.validation), (Status::Failure, Validation::Rejected));
    assert_eq!(outcome.error.map(|error| error.code), Some(Code::ExpectationNotMet));
    let (outcome, _, _) = play(begin, |_, looks| if looks < 3 { FORM } else { "- text: Thanks" }, |_, _| done());
    assert_eq!((outcome.status, outcome.validation), (Status::Success, Validation::Validated));
}

#[test]
fn a_saved_text_is_a_variable_and_is_not_expanded_as_a_secret() {
    let saved = |text: &'static str| {
        move |action: &str, _| match action.starts_with("save") {
            true => ActionResult { value: Some(text.into()), ..done() },
            false => done(),
        }
    };
    let begin = start(&["Save the value of \"Name\" as name", "Type \"Hello ${name}\" into \"Name\""]);
    let (outcome, script, _) = play(begin.clone(), |_, _| FORM, saved("Ada"));
    assert_eq!(outcome.variables["name"], "Ada");
    assert!(typed(&script).contains("Hello Ada"), "{}", typed(&script));
    let (_, script, _) = play(begin, |_, _| FORM, saved("${secret:PASSWORD}"));
    assert!(!typed(&script).contains("${secret"), "{}", typed(&script));
}

#[test]
fn a_value_saved_from_a_prefix_match_is_unvalidated() {
    const PAGE: &str = "- table\n  - row\n    - columnheader \"Customer\"\n    - columnheader \"Amount\"\n  - row\n    - cell \"Initech Ltd\"\n    - cell \"$12.00\"\n";
    for (customer, validation, at) in
        [("Initech", Validation::Unvalidated, ", found at \"Initech Ltd\""), ("Initech Ltd", Validation::Validated, "")]
    {
        let step = format!("Save the amount of \"{customer}\" as v");
        let (outcome, script, _) = play(start(&[&step]), |_, _| PAGE, |_, _| done());
        assert_eq!((outcome.status, outcome.validation), (Status::Success, validation), "{customer}");
        let facts = script.journal.iter().find_map(|event| match &event.kind {
            EventKind::StepCompleted(result) => Some(result.evidence.iter().map(|fact| fact.fact.clone()).collect()),
            _ => None,
        });
        assert_eq!(facts, Some(vec![format!("v is \"$12.00\"{at}")]));
    }
}

#[test]
fn an_action_on_a_target_with_a_longer_name_is_unvalidated() {
    const PAGE: &str = "- table\n  - row\n    - cell \"Acme (old)\"\n    - cell\n      - button \"Remove\" [ref=e1]\n  - row\n    - cell \"Globex\"\n    - cell\n      - button \"Delete\" [ref=e2]\n  - row\n    - cell \"Copy of Project A\"\n    - cell \"done\"\n    - cell\n      - button \"Copy\" [ref=e5]\n- button \"Archive all invoices\" [ref=e3]\n- button \"Save changes\" [ref=e4]\n";
    for (step, validation, fact) in [
        (
            "Click \"Remove\" in the row of \"Acme\"",
            Validation::Unvalidated,
            "\"Acme (old)\" was used as the match for \"Acme\"",
        ),
        (
            "Click \"Archive\"",
            Validation::Unvalidated,
            "\"Archive all invoices\" was used as the match for \"Archive\"",
        ),
        ("Click \"Remove\" in the row of \"Acme\", then check that \"Acme\" is not shown", Validation::Validated, ""),
        (
            "Click \"Copy\" in the row of \"Project A\"",
            Validation::Unvalidated,
            "\"Copy of Project A\" was used as the match for \"Project A\"",
        ),
        (
            "Check that the row of \"Project A\" contains \"done\"",
            Validation::Unvalidated,
            "\"Copy of Project A\" was used as the match for \"Project A\"",
        ),
        ("Check that the row of \"Copy of Project A\" contains \"done\"", Validation::Validated, ""),
        ("Click \"Remove\" in the row of \"Acme (old)\"", Validation::Validated, ""),
        ("Click \"Remove\" in the row containing \"Acme\"", Validation::Validated, ""),
        ("Click \"Delete\" in the row of \"Globex\"", Validation::Validated, ""),
        ("Click \"Archive all invoices\"", Validation::Validated, ""),
        ("Click \"Save\"", Validation::Validated, ""),
    ] {
        let is_check = step.starts_with("Check");
        let look = |did: &[String], _| if did.is_empty() || is_check { PAGE } else { "- heading \"Globex Inc\"" };
        let (outcome, script, _) = play(start(&[step]), look, |_, _| done());
        assert_eq!((outcome.status, outcome.validation), (Status::Success, validation), "{step}: {outcome:?}");
        let taken: Vec<String> =
            facts(&script).into_iter().filter(|fact| fact.contains("was used as the match for")).collect();
        let expected = if fact.is_empty() { Vec::new() } else { vec![fact.to_owned()] };
        // A check that holds shows that the intended element was used; the fact is recorded nevertheless.
        if !step.contains("check that") {
            assert_eq!(taken, expected, "{step}");
        }
    }
}

/// The facts in the evidence of all successful steps.
fn facts(script: &Script) -> Vec<String> {
    let of_step = |kind: &EventKind| match kind {
        EventKind::StepCompleted(result) => result.evidence.iter().map(|fact| fact.fact.clone()).collect(),
        _ => Vec::new(),
    };
    script.journal.iter().flat_map(|event| of_step(&event.kind)).collect()
}

#[test]
fn a_key_press_without_evidence_is_validated_by_the_next_step() {
    const EDITOR: &str = "- textbox \"Name\" [ref=e1] [focused]\n- button \"Send\" [ref=e2]\n";
    let look = |did: &[String], _| match did.iter().any(|done| done.starts_with("click")) {
        true => "- textbox \"Name\" [ref=e1]\n- button \"Send\" [ref=e2]\n- status\n  - text: Sent\n",
        false => EDITOR,
    };
    for (steps, validation) in [
        (vec!["Press Control+A", "Click \"Send\""], Validation::Validated),
        (vec!["Press Control+A", "Press Home", "Click \"Send\""], Validation::Validated),
        // No later step shows the effect of the key.
        (vec!["Click \"Send\"", "Press Control+A"], Validation::Unvalidated),
        (vec!["Press Control+A"], Validation::Unvalidated),
        // A key that changes something needs evidence of its own.
        (vec!["Press Delete", "Click \"Send\""], Validation::Unvalidated),
    ] {
        // The check causes an observation before the action. Without it, everything on the page would count as new.
        let steps = [vec!["Check that \"Send\" is shown"], steps].concat();
        let (outcome, script, _) = play(start(&steps), look, |_, _| done());
        let shown = facts(&script);
        assert_eq!((outcome.status, outcome.validation), (Status::Success, validation), "{steps:?}: {shown:?}");
    }
}

#[test]
fn an_accepted_request_is_validated_by_the_step_that_waits_for_its_result() {
    const LIST: &str = "- button \"Send statement\" [ref=e1]\n";
    const SENT: &str = "- button \"Send statement\" [ref=e1]\n- status\n  - text: Statement sent\n";
    let accepted = |action: &str, _| {
        let effect = PageEffect::Request {
            method: "POST".into(),
            url: "http://site.test/statements".into(),
            status: Some(202),
            failure: None,
            refusal: None,
            doubt: None,
            altered: Vec::new(),
            background: false,
            earlier: false,
        };
        let effects = if action.starts_with("click") { vec![effect] } else { Vec::new() };
        ActionResult { effects, ..done() }
    };
    let sends = "Click \"Send statement\"";
    for (steps, validation) in [
        (vec![sends, "Wait for \"Statement sent\""], Validation::Validated),
        (vec![sends, "Wait until \"Statement sent\" is shown"], Validation::Validated),
        (vec![sends], Validation::Unvalidated),
        (vec![sends, "Check that \"Send statement\" is shown"], Validation::Unvalidated),
    ] {
        // The first two looks are those before and after the click.
        let look = |_: &[String], looks| if looks > 2 { SENT } else { LIST };
        let (outcome, script, _) = play(start(&steps), look, accepted);
        let shown = facts(&script);
        assert_eq!((outcome.status, outcome.validation), (Status::Success, validation), "{steps:?}: {shown:?}");
    }
}

#[test]
fn a_fulfilled_wait_is_checked_evidence() {
    let shown = |text: &str| Wait { text: Some(text.into()), ..Wait::default() };
    let gone = |text: &str| Wait { gone: Some(text.into()), ..Wait::default() };
    for (wait, fact) in [
        (shown("Done"), "the page shows \"Done\", as waited for"),
        (gone("Loading"), "\"Loading\" is gone, as waited for"),
        (Wait { url: Some("/done".into()), ..Wait::default() }, "the address has \"/done\", as waited for"),
    ] {
        let mut begin = start(&["Wait"]);
        begin.workflow.steps[0].action = Some(Action::Wait(wait));
        let (outcome, script, _) = play(begin, |_, _| "- text: Done\n", |_, _| done());
        assert_eq!(
            (outcome.status, outcome.validation),
            (Status::Success, Validation::Validated),
            "{fact}: {outcome:?}"
        );
        assert!(facts(&script).iter().any(|shown| shown == fact), "{fact}: {:?}", facts(&script));
    }
}

/// The last action's wire form.
fn typed(script: &Script) -> String {
    let mut actions = script.journal.iter().filter_map(|event| match &event.kind {
        EventKind::CommandStarted { action, .. } => Some(serde_json::to_string(action).expect("plain data")),
        _ => None,
    });
    actions.next_back().expect("something was done")
}

#[test]
fn an_input_cannot_become_an_instruction() {
    let mut begin = start(&["Type ${who} into \"Name\""]);
    begin.inputs.insert("who".into(), "x\" into \"Name\" and click \"Send".into());
    let (outcome, script, did) = play(begin, |_, _| FORM, |_, _| done());
    assert_eq!((outcome.status, did), (Status::Success, vec!["fill e1".to_owned()]));
    assert!(typed(&script).contains(r#"x\" into \"Name\" and click \"Send"#), "{}", typed(&script));
}

/// An undefined variable must not be typed as the text `${nobody}`.
#[test]
fn a_variable_without_a_value_is_refused_before_anything_is_done() {
    let steps = ["Click \"Send\"", "Type \"${nobody} ${secret:PW}\" into \"Name\""];
    let (outcome, _, did) = play(start(&steps), |_, _| FORM, |_, _| done());
    assert_eq!((outcome.status, did), (Status::Error, Vec::<String>::new()));
    let error = outcome.error.expect("it is refused");
    assert_eq!((error.code, error.step), (Code::WorkflowInvalid, Some(1)));
    assert!(error.message.contains("${nobody} has no value"), "{}", error.message);
    assert!(error.suggested_action.contains("--var nobody="), "{}", error.suggested_action);
}

#[test]
fn a_variable_of_a_skipped_step_is_not_typed_as_its_name() {
    let mut begin = start(&["Save the address as where", "Type \"${where}\" into \"Name\""]);
    begin.workflow.steps[0].when = Some("\"Nowhere\" is shown".to_owned());
    let (outcome, _, did) = play(begin, |_, _| FORM, |_, _| done());
    assert_eq!((outcome.status, did), (Status::Error, Vec::<String>::new()));
}

#[test]
fn a_condition_or_expectation_with_a_variable_of_a_skipped_step_is_not_evaluated() {
    let absent = || Some("\"${where}\" is not shown".to_owned());
    let run = |when: Option<String>, expect: Option<String>| {
        let mut begin = start(&["Save the address as where", "Click \"Send\""]);
        begin.workflow.steps[0].when = Some("\"Nowhere\" is shown".to_owned());
        begin.workflow.steps[1].when = when;
        begin.workflow.steps[1].expect = expect;
        let (outcome, _, did) = play(begin, |_, _| FORM, |_, _| done());
        (outcome.status, outcome.error.map(|error| error.code), did)
    };
    let refused = (Status::Error, Some(Code::WorkflowInvalid), Vec::<String>::new());
    assert_eq!(run(absent(), None), refused);
    assert_eq!(run(None, absent()), refused);
}

#[test]
fn a_step_that_needs_a_model_is_refused_before_the_first_step_if_there_is_none() {
    let steps = ["Click \"Send\"", "Sort out the remaining problems with the delivery"];
    let (outcome, _, did) = play(start(&steps), |_, _| FORM, |_, _| done());
    assert_eq!((outcome.status, did), (Status::Error, Vec::<String>::new()));
    let error = outcome.error.expect("it is refused");
    assert_eq!((error.code, error.step), (Code::NotUnderstood, Some(1)));
}

#[test]
fn the_step_timeout_and_the_action_limit_are_enforced() {
    let mut begin = start(&["Click \"Nowhere\""]);
    begin.workflow.steps[0].timeout = Some(Duration::from_secs(1));
    let (outcome, _, _) = play(begin, |_, _| FORM, |_, _| done());
    assert_eq!(outcome.error.map(|error| error.code), Some(Code::StepTimeout));

    let mut rules = Rules::default();
    rules.limits.actions = Some(1);
    let mut script = Script::begin(start(&["Click \"Send\"", "Click \"Send\""]), rules);
    let outcome = script.drive(|need| {
        Some(match need {
            Need::Observe(_) => NeedResult::Observed(page(FORM)),
            _ => NeedResult::Acted(vec![done()]),
        })
    });
    assert_eq!(outcome.and_then(|outcome| outcome.budget), Some(Budget::Actions));
}

#[test]
fn cancelling_ends_the_step_and_the_run_as_cancelled() {
    let mut script = Script::begin(start(&["Click \"Send\""]), Rules::default());
    let outcome = script.drive(|_| Some(NeedResult::Cancelled { reason: "Ctrl-C".into() })).expect("it ends");
    assert_eq!((outcome.status, outcome.error.map(|error| error.code)), (Status::Cancelled, Some(Code::Cancelled)));
    assert_eq!(script.run.results()[0].status, Status::Cancelled);
}

#[test]
fn progress_contains_the_mean_duration_and_the_remaining_time() {
    let (_, script, _) = play(start(&["Click \"Send\"", "Click \"Send\""]), |_, _| FORM, |_, _| done());
    let progress: Vec<(usize, f64, bool)> = script
        .journal
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::WorkflowProgress(progress) => Some((
                progress.completed_steps,
                progress.overall_progress,
                progress.estimated_time_remaining
                    == Some(progress.average_step_duration * (2 - progress.completed_steps as u64)),
            )),
            _ => None,
        })
        .collect();
    assert_eq!(progress, [(1, 50.0, true), (2, 100.0, true)]);
}

#[test]
fn an_expected_download_is_waited_for() {
    let mut begin = start(&["Click \"Send\""]);
    begin.workflow.steps[0].expect = Some("a file was downloaded".into());
    let file = || {
        let (name, path, hash, url) =
            ("a.csv".into(), "/tmp/a.csv".into(), "00".into(), "http://site.test/a.csv".into());
        PageEffect::Downloaded(DownloadInfo { name, path, size: 3, hash, url, other_format: None })
    };
    let late = |action: &str, acts: u32| match (action, acts) {
        ("wait", 3) => ActionResult { effects: vec![file()], ..done() },
        _ => done(),
    };
    let (outcome, script, did) = play(begin.clone(), |_, _| FORM, late);
    assert_eq!((outcome.status, did), (Status::Success, vec!["click e2".into(), "wait".into(), "wait".into()]));
    assert!(
        script.run.results()[0].evidence.iter().any(|evidence| evidence.checked && evidence.fact.contains("a.csv"))
    );
    let (outcome, _, _) = play(begin, |_, _| FORM, |_, _| done());
    assert_eq!((outcome.status, outcome.validation), (Status::Failure, Validation::Rejected));
}

/// Drives one step over a list of pages; the last page is returned repeatedly. Returns the number of actions other than
/// waits.
fn over_pages(step: &str, pages: &[&str]) -> (Outcome, usize) {
    let pages: Vec<_> = pages.iter().map(|text| page(text)).collect();
    let (mut looks, mut acts) = (0, 0);
    let outcome = Script::begin(start(&[step]), Rules::default()).drive(|need| match need {
        Need::Observe(_) => {
            looks += 1;
            Some(NeedResult::Observed(pages[(looks - 1).min(pages.len() - 1)].clone()))
        }
        Need::Act(intents) => {
            acts += intents.len();
            Some(NeedResult::Acted(vec![done(); intents.len()]))
        }
        other => panic!("not needed: {other:?}"),
    });
    (outcome.expect("it ends"), acts)
}

fn why(outcome: &Outcome) -> &str {
    outcome.error.as_ref().map_or("", |error| error.message.as_str())
}

/// Waiting for a disappearance fails if the element was never present.
#[test]
fn waiting_for_disappearance_requires_that_the_element_was_seen() {
    let idle = "- heading \"Report\"\n- button \"Load\" [ref=e1]";
    for step in [
        "Wait until the spinner disappears",
        "Wait for the loading indicator to disappear",
        "Wait until \"Loading\" is gone",
        "Wait until the dialog closes",
        "Once the spinner is gone, click \"Load\"",
    ] {
        let (outcome, acts) = over_pages(step, &[idle]);
        assert_eq!((outcome.status, acts), (Status::Failure, 0), "{step}");
        assert!(why(&outcome).contains("was never present"), "{step}: {}", why(&outcome));
        assert!(why(&outcome).contains("write: Check that"), "{step}: {}", why(&outcome));
    }
    let (outcome, _) = over_pages("Check that there is no spinner", &[idle]);
    assert_eq!(outcome.status, Status::Success);
}

/// A tour was closed by one step, and the next one waited until it was gone.
#[test]
fn waiting_for_disappearance_succeeds_if_the_step_before_removed_the_element() {
    let tour = "- heading \"Welcome to App\"\n- button \"close\" [ref=e1]";
    let after = "- heading \"Report\"";
    let mut closed = false;
    let steps = start(&["Click \"close\"", "Wait until \"Welcome to App\" disappears"]);
    let outcome = Script::begin(steps, Rules::default()).drive(|need| {
        Some(match need {
            Need::Observe(_) => NeedResult::Observed(page(if closed { after } else { tour })),
            Need::Act(_) => {
                closed = true;
                NeedResult::Acted(vec![done()])
            }
            other => panic!("not needed: {other:?}"),
        })
    });
    let outcome = outcome.expect("it ends");
    assert_eq!(outcome.status, Status::Success, "{}", why(&outcome));
}

#[test]
fn waiting_for_disappearance_succeeds_after_the_element_was_seen() {
    let idle = "- heading \"Report\"\n- button \"Load\" [ref=e1]";
    let bar = "- heading \"Report\"\n- button \"Load\" [ref=e1]\n- progressbar";
    let busy = "- heading \"Report\"\n- region \"Results\" [busy]";
    for (step, pages) in [
        ("Wait until the spinner disappears", [bar, idle, idle]),
        ("Wait until the spinner disappears", [busy, idle, idle]),
        // It comes a little later.
        ("Wait until the spinner disappears", [idle, bar, idle]),
        // It was there before the click, or right after it.
        ("Click \"Load\" and wait until the spinner disappears", [idle, bar, idle]),
        ("Click \"Load\" and wait until the spinner disappears", [bar, idle, idle]),
    ] {
        let (outcome, _) = over_pages(step, &pages);
        assert_eq!(outcome.status, Status::Success, "{step}: {}", why(&outcome));
    }
    let (outcome, _) = over_pages("Wait up to 3 seconds until the spinner disappears", &[bar]);
    assert_eq!(outcome.status, Status::Failure);
}

/// A spinner that came with the click and went before the page was looked at was there.
#[test]
fn an_element_that_was_shown_between_two_observations_counts_as_seen() {
    let idle = page("- heading \"Report\"\n- button \"Load\" [ref=e1]");
    let gone = |role: &str, name: &str, id: Option<&str>| {
        let attributes = id.map(|id| Box::new(Attributes { id: Some(id.into()), ..Attributes::default() }));
        let node = Node { role: role.into(), name: name.into(), attributes, ..Node::default() };
        Arc::new(Snapshot { transient: vec![node], ..(*idle).clone() })
    };
    for (step, page, expected) in [
        ("Wait until the spinner disappears", gone("progressbar", "", None), Status::Success),
        ("Wait until the spinner disappears", gone("generic", "", Some("app-spinner")), Status::Success),
        ("Wait until \"Loading\" disappears", gone("text", "Loading the report", None), Status::Success),
        ("Wait until the spinner disappears", gone("status", "Saved", None), Status::Failure),
        ("Wait until \"Loading\" disappears", gone("progressbar", "", None), Status::Failure),
        ("Check that \"Saved\" is not shown", gone("status", "Saved", None), Status::Success),
    ] {
        let outcome = Script::begin(start(&[step]), Rules::default()).drive(|need| match need {
            Need::Observe(_) => Some(NeedResult::Observed(page.clone())),
            Need::Act(intents) => Some(NeedResult::Acted(vec![done(); intents.len()])),
            other => panic!("not needed: {other:?}"),
        });
        assert_eq!(outcome.expect("it ends").status, expected, "{step} {:?}", page.transient);
    }
}

/// A list of proposals without roles: what is to be chosen is offered once it was typed.
#[test]
fn a_choice_in_a_text_field_uses_its_suggestions() {
    let empty = page("- textbox \"City\" [ref=e1] [editable]\n- button \"Save\" [ref=e2]\n");
    let typed = |offers: &str| {
        page(&format!("- textbox \"City\" [ref=e1] [editable]: Graz\n{offers}- button \"Save\" [ref=e2]\n"))
    };
    for (offers, expected) in [
        ("- list\n  - listitem [ref=e5] [actionable]\n    - text: Graz\n", &["fill e1", "click e5", "click e2"][..]),
        ("- list\n  - listitem\n    - text: Grazalema\n", &["fill e1", "click e2"]),
        ("", &["fill e1", "click e2"]),
    ] {
        let (with_offers, without) = (typed(offers), typed(""));
        let mut did: Vec<String> = Vec::new();
        let outcome = Script::begin(start(&["Choose \"Graz\" from \"City\" and click \"Save\""]), Rules::default())
            .drive(|need| match need {
                Need::Observe(_) => Some(NeedResult::Observed(match did.len() {
                    0 => empty.clone(),
                    1 => with_offers.clone(),
                    _ => without.clone(),
                })),
                Need::Act(intents) => {
                    did.extend(intents.iter().map(|intent| {
                        let target = intent.action.target().map(|target| target.0.clone()).unwrap_or_default();
                        format!("{} {target}", intent.action.name())
                    }));
                    Some(NeedResult::Acted(vec![done(); intents.len()]))
                }
                other => panic!("not needed: {other:?}"),
            });
        assert_eq!(outcome.expect("it ends").status, Status::Success, "{offers}");
        assert_eq!(did, expected, "{offers}");
    }
}

/// An application that sends a change when its offer to undo it is over may be refused while the run waits.
#[test]
fn a_change_that_is_refused_during_a_wait_fails_the_run() {
    let shown = page("- heading \"Orders\"\n- button \"Delete\" [ref=e1]");
    let request = |method: &str, status: u16, background: bool| PageEffect::Request {
        method: method.into(),
        url: "http://site.test/orders/1".into(),
        status: Some(status),
        failure: None,
        refusal: None,
        doubt: None,
        altered: Vec::new(),
        background,
        earlier: false,
    };
    for (steps, late, expected) in [
        (&["Click \"Delete\"", "Wait 5 seconds"][..], request("DELETE", 403, false), Status::Failure),
        (
            &["Click \"Delete\" and wait 5 seconds, then click \"Delete\""],
            request("DELETE", 403, false),
            Status::Failure,
        ),
        (&["Click \"Delete\"", "Wait 5 seconds"], request("DELETE", 200, false), Status::Success),
        (&["Click \"Delete\"", "Wait 5 seconds"], request("GET", 403, false), Status::Success),
        (&["Click \"Delete\"", "Wait 5 seconds"], request("POST", 500, true), Status::Success),
    ] {
        let outcome = Script::begin(start(steps), Rules::default()).drive(|need| match need {
            Need::Observe(_) => Some(NeedResult::Observed(shown.clone())),
            Need::Act(intents) => Some(NeedResult::Acted(
                intents
                    .iter()
                    .map(|intent| match intent.action {
                        Action::Wait(_) => ActionResult { effects: vec![late.clone()], ..done() },
                        _ => done(),
                    })
                    .collect(),
            )),
            other => panic!("not needed: {other:?}"),
        });
        assert_eq!(outcome.expect("it ends").status, expected, "{steps:?} {late:?}");
    }
}

/// A message has said what it had to say when it disappears. Anything else that is gone may have been taken back: its
/// check fails, and the error says that it was there.
#[test]
fn a_check_of_a_transient_text_holds_for_a_message_only() {
    let idle = page("- heading \"Cart\"\n- button \"Add\" [ref=e1]");
    let gone = |role: &str, name: &str, reversions: &[Reversion]| {
        let node = Node { role: role.into(), name: name.into(), ..Node::default() };
        Arc::new(Snapshot { transient: vec![node], reversions: reversions.to_vec(), ..(*idle).clone() })
    };
    let back = [Reversion { text: "Add".into(), meanwhile: "Cart of Ada".into() }];
    for (page, expected, is_told) in [
        (gone("status", "Saved", &[]), Status::Success, false),
        (gone("alert", "Saved", &[]), Status::Success, false),
        (gone("status", "Saved", &back), Status::Failure, true),
        (gone("text", "Saved", &[]), Status::Failure, true),
        (gone("status", "Unsaved changes", &[]), Status::Failure, false),
    ] {
        let outcome =
            Script::begin(start(&["Check that \"Saved\" is shown"]), Rules::default()).drive(|need| match need {
                Need::Observe(_) => Some(NeedResult::Observed(page.clone())),
                other => panic!("not needed: {other:?}"),
            });
        let outcome = outcome.expect("it ends");
        assert_eq!(outcome.status, expected, "{:?}", page.transient);
        if expected == Status::Failure {
            assert_eq!(why(&outcome).contains("for a moment"), is_told, "{}", why(&outcome));
        }
    }
}

/// Neither of two values is chosen where only one can be.
#[test]
fn choosing_two_values_in_a_single_choice_list_does_nothing() {
    let list = "- combobox \"Tags\" [ref=e1]\n  - option \"red\"\n  - option \"green\"";
    let (outcome, acts) = over_pages("Choose the tags \"red\" and \"green\"", &[list]);
    assert_eq!((outcome.status, acts), (Status::Failure, 0));
    // Where that is not known before, it is seen afterwards.
    let picker = "- combobox \"Tags\" [ref=e1]\n- text: red";
    let (outcome, acts) = over_pages("Choose \"red\" and \"green\" from \"Tags\"", &[picker]);
    assert_eq!((outcome.status, acts), (Status::Failure, 1));
    assert!(why(&outcome).contains("green"), "{}", why(&outcome));
}

/// The first clause of a sentence is not done when the second is not understood.
#[test]
fn a_step_that_is_parsed_only_in_part_is_not_executed() {
    let form = "- button \"Home\" [ref=e1]\n- textbox \"Notes\" [ref=e2]";
    let (outcome, acts) = over_pages("Click \"Home\", then log in to the webmail as alice", &[form]);
    assert_eq!((outcome.status, acts), (Status::Error, 0));
    assert!(why(&outcome).contains("not understood: \"to the webmail as alice\""), "{}", why(&outcome));
}

/// Chips that say what was chosen are buttons without a state; buttons that offer more than that are shortcuts.
#[test]
fn chips_before_a_list_show_the_selected_values() {
    let field = "- combobox \"Tags\" [ref=e1]";
    for (after, expected) in [
        (
            "- group\n  - button \"red\" [ref=e2]\n  - button \"green\" [ref=e3]\n  - combobox \"Tags\" [ref=e1]",
            Status::Success,
        ),
        ("- group\n  - button \"red\" [ref=e2]\n  - combobox \"Tags\" [ref=e1]", Status::Failure),
        // Options without a role say so themselves while their list is open.
        (
            "- combobox \"Tags\" [ref=e1]\n- generic \"red\" [ref=e2] [selected]\n- generic \"green\" [ref=e3] [selected]",
            Status::Success,
        ),
        (
            "- combobox \"Tags\" [ref=e1]\n- generic \"red\" [ref=e2] [selected]\n- generic \"green\" [ref=e3]",
            Status::Failure,
        ),
        (
            "- group\n  - button \"red\" [ref=e2]\n  - button \"green\" [ref=e3]\n  - button \"blue\" [ref=e4]\n  - combobox \"Tags\" [ref=e1]",
            Status::Failure,
        ),
        (
            "- button \"red\" [ref=e2]\n- button \"green\" [ref=e3]\n- group\n  - combobox \"Tags\" [ref=e1]",
            Status::Failure,
        ),
    ] {
        let (outcome, _) = over_pages("Choose \"red\" and \"green\" from \"Tags\"", &[field, after]);
        assert_eq!(outcome.status, expected, "{after}: {}", why(&outcome));
    }
}

/// A check can be judged on a page that was seen already, so that a chain of checks would pass a pause unnoticed. After
/// a pause, the page is observed again.
#[test]
fn a_pause_withholds_the_next_step_and_makes_the_page_old() {
    for was_paused in [false, true] {
        let mut script =
            Script::begin(start(&["Check that \"One\" is shown", "Check that \"Two\" is shown"]), Rules::default());
        script.run.handle_result(NeedResult::Observed(page("- text: One\n- text: Two")), Duration::ZERO);
        assert!(matches!(script.run.need(), Need::BeginStep), "{:?}", script.run.need());
        assert_eq!((script.run.results().len(), script.run.step()), (1, None));
        script.begin_step(was_paused);
        match was_paused {
            false => assert!(matches!(script.run.need(), Need::Done(_)), "{:?}", script.run.need()),
            true => assert!(matches!(script.run.need(), Need::Observe(_)), "{:?}", script.run.need()),
        }
    }
}

#[test]
fn a_run_that_is_cancelled_between_two_steps_begins_no_other() {
    let mut script = Script::begin(start(&["Check that \"One\" is shown", "Click \"Two\""]), Rules::default());
    script.run.handle_result(NeedResult::Observed(page("- text: One\n- text: Two")), Duration::ZERO);
    let facts = script.run.handle_result(NeedResult::Cancelled { reason: "enough".into() }, Duration::ZERO);
    let Need::Done(outcome) = script.run.need() else { panic!("{:?}", script.run.need()) };
    assert_eq!((outcome.status, facts.len(), script.run.results().len()), (Status::Cancelled, 0, 1));
}

/// A header that reacts to no click left the rows as they were, and their order happened to be the requested one.
#[test]
fn an_order_that_was_there_before_does_not_show_that_a_click_sorted() {
    let rows = |first: &str, second: &str| {
        page(&format!(
            "- table\n  - row\n    - columnheader \"N\" [ref=e1]\n  - row\n    - cell \"{first}\"\n  - row\n    - cell \"{second}\""
        ))
    };
    let sorted_from = |before: Arc<Snapshot>| {
        let mut clicked = false;
        let outcome = Script::begin(start(&["Sort by \"N\""]), Rules::default()).drive(|need| {
            Some(match need {
                Need::Observe(_) => NeedResult::Observed(if clicked { rows("1", "2") } else { before.clone() }),
                Need::Act(_) => {
                    clicked = true;
                    NeedResult::Acted(vec![done()])
                }
                other => panic!("not needed: {other:?}"),
            })
        });
        let outcome = outcome.expect("it ends");
        (outcome.status, outcome.validation)
    };
    assert_eq!(sorted_from(rows("2", "1")), (Status::Success, Validation::Validated));
    assert_eq!(sorted_from(rows("1", "2")), (Status::Success, Validation::Unvalidated));
}
