//! Reflections.

use legwork_agent::{AdvisoryRules, Trigger};
use legwork_protocol::Status;

use super::*;

/// Clicks in doubt, then is done.
fn doubting(reflect: impl Fn(usize) -> NeedResult) -> impl Fn(Purpose, usize) -> NeedResult {
    move |purpose, n| match (purpose, n) {
        (Act, 0) => reply(&click("Perhaps this.", 0.3)),
        (Reflect, n) => reflect(n),
        _ => nth(&[DONE], n),
    }
}

#[test]
fn a_doubtful_change_is_thought_over_before_it_is_done() {
    let played = play(task("Send it"), rules(), Site::default(), doubting(|n| well(Reflect, n)));
    assert_eq!((played.purposes(), played.actions()), (vec![Act, Reflect, Act], 1));
    assert_eq!(
        played.told("REFLECTION_COMPLETED"),
        ["[0] REFLECTION_COMPLETED Proceed Low, confidence 0.3 before click button \"Send\": It can be undone."]
    );
    insta::assert_snapshot!("prompt_doubt", played.prompt(Reflect, 0));
}

#[test]
fn certainty_and_what_changes_nothing_need_no_second_thought() {
    let sure = play(task("Send it"), rules(), Site::default(), well);
    assert_eq!(sure.purposes(), [Act, Act]);
    let hover = click("Perhaps.", 0.1).replace("\"click\"", "\"hover\"");
    let idle = play(task("Send it"), rules(), Site::default(), |_, n| nth(&[&hover, DONE], n));
    assert_eq!(idle.purposes(), [Act, Act]);
    let step = play(start(&["make it so"]), rules(), Site::default(), doubting(|_| panic!("steps cost no call more")));
    assert_eq!(step.purposes(), [Act, Act]);
    let thinking = |reflection| Rules { thinking: AdvisoryRules { reflection, ..AdvisoryRules::default() }, ..rules() };
    let never = play(task("Send it"), thinking(Trigger::Never), Site::default(), doubting(|_| panic!("never")));
    assert_eq!(never.purposes(), [Act, Act]);
    let always =
        play(start(&["make it so"]), thinking(Trigger::Always), Site::default(), doubting(|n| well(Reflect, n)));
    assert_eq!(always.purposes(), [Act, Reflect, Act]);
}

#[test]
fn retry_has_the_model_decide_anew() {
    let retry = |_| reply(&reflection("RETRY", "MEDIUM", "Read the terms first.", true));
    let played = play(task("Send it"), rules(), Site::default(), doubting(retry));
    assert_eq!((played.purposes(), played.actions()), (vec![Act, Reflect, Act], 0));
    let prompt = played.prompt(Act, 1);
    assert!(prompt.contains("decided on reflection against click button \"Send\": Read the terms first."), "{prompt}");
    assert!(prompt.contains("Note: Your last decision was not carried out"), "{prompt}");
}

#[test]
fn a_model_that_insists_is_not_asked_twice() {
    let answer = |purpose, n| match purpose {
        Act if n < 2 => reply(&click("Perhaps this.", 0.3)),
        Act => reply(DONE),
        _ => reply(&reflection("RETRY", "LOW", "No.", true)),
    };
    let played = play(task("Send it"), rules(), Site::default(), answer);
    assert_eq!((played.purposes(), played.actions()), (vec![Act, Reflect, Act, Act], 1));
}

#[test]
fn abort_ends_the_task() {
    let abort = |_| reply(&reflection("ABORT", "HIGH", "There is no ferry.", true));
    let played = play(task("Send it"), rules(), Site::default(), doubting(abort));
    assert_eq!((played.outcome.status, played.actions()), (Status::Failure, 0));
    assert_eq!(played.outcome.error.map(|error| error.message).as_deref(), Some("There is no ferry."));
}

#[test]
fn what_cannot_be_undone_is_left_to_a_human() {
    let high = |_| reply(&reflection("PROCEED", "HIGH", "It orders the ticket.", true));
    let attended = Rules { thinking: AdvisoryRules { attended: true, ..AdvisoryRules::default() }, ..rules() };
    let asked = |human| {
        let played = play(task("Send it"), attended.clone(), Site { human, ..Site::default() }, doubting(high));
        assert_eq!(
            played.questions,
            ["This may be irreversible: click button \"Send\". It orders the ticket. Continue? (yes / no)"]
        );
        (played.outcome.status, played.actions())
    };
    assert_eq!(asked(Some("yes")), (Status::Success, 1));
    assert_eq!(asked(Some("no")), (Status::Success, 0));
    assert_eq!(asked(None), (Status::Parked, 0));
}

#[test]
fn with_nobody_there_it_is_not_done() {
    let answer = |purpose, _| match purpose {
        Act => reply(&click("Perhaps this.", 0.3)),
        _ => reply(&reflection("PROCEED", "HIGH", "It orders the ticket.", true)),
    };
    let played = play(task("Send it"), rules(), Site::default(), answer);
    assert_eq!((played.purposes(), played.actions()), (vec![Act, Reflect, Act, Reflect], 0));
    let message = played.outcome.error.map(|error| error.message);
    let expected = "no person is available to approve an action that may be irreversible: click button \"Send\"";
    assert_eq!((played.outcome.status, message.as_deref()), (Status::Failure, Some(expected)));
}

#[test]
fn without_a_usable_reflection_it_is_done_as_decided() {
    for bad in ["hm", "down"] {
        let reflect = |_| if bad == "down" { down() } else { reply(bad) };
        let played = play(task("Send it"), rules(), Site::default(), doubting(reflect));
        assert_eq!((played.outcome.status, played.actions()), (Status::Success, 1));
        assert_eq!(
            played.told("ERROR_OCCURRED REFLECTION_FAILED no reflection on a decision of low confidence").len(),
            1,
            "{:?}",
            played.script.told()
        );
    }
}

#[test]
fn the_second_failure_in_a_row_is_thought_over() {
    let press = |n: usize| {
        let command = format!(r#"{{"action":"press","parameters":{{"key":"F{n}"}}}}"#);
        CLICK.replace(r#"{"action":"click","parameters":{"target":"e2"}}"#, &command)
    };
    let failing = || Site { failing: true, ..Site::default() };
    let retry = |purpose, n| match purpose {
        Act if n < 2 => reply(&press(n)),
        Act => reply(DONE),
        _ => reply(&reflection("RETRY", "LOW", "Fill in the name first.", true)),
    };
    let played = play(task("Send it"), rules(), failing(), retry);
    // What it says at the end is not believed: its last action failed.
    assert_eq!((&played.purposes()[..4], played.outcome.status), (&[Act, Act, Reflect, Act][..], Status::Failure));
    assert!(
        played.prompt(Act, 2).contains("Note: On reflection: Fill in the name first."),
        "{}",
        played.prompt(Act, 2)
    );
    insta::assert_snapshot!("prompt_trouble", played.prompt(Reflect, 0));

    let abort = |purpose, n| match purpose {
        Act => reply(&press(n)),
        _ => reply(&reflection("ABORT", "LOW", "It cannot be sent.", true)),
    };
    let played = play(task("Send it"), rules(), failing(), abort);
    assert_eq!((played.purposes(), played.outcome.status), (vec![Act, Act, Reflect], Status::Failure));
}

#[test]
fn a_reflection_may_find_the_plan_wanting() {
    let answer = |purpose, n| match (purpose, n) {
        (Act, 0) => reply(&click("#1: Perhaps this.", 0.3)),
        (Act, _) => reply(DONE),
        (Reflect, _) => reply(&reflection("RETRY", "LOW", "The form is for buses.", false)),
        _ => well(purpose, n),
    };
    let played = play(task(GOAL), rules(), Site::default(), answer);
    assert_eq!(played.purposes(), [Plan, Act, Reflect, Plan, Act, Validate]);
    assert!(played.prompt(Plan, 1).contains("the plan fails: The form is for buses."), "{}", played.prompt(Plan, 1));
}

#[test]
fn the_seeds_shape_of_a_reflection_is_read_too() {
    let seed = r#"{"decision":{"action":"RETRY","message":"m"},"reasoning":{"analysis":"Wrong form.","confidence":0.4},"riskAssessment":{"riskLevel":"HIGH","potentialIssues":["x"],"recommendations":[]}}"#;
    let played = play(task("Send it"), rules(), Site::default(), doubting(|_| reply(seed)));
    assert_eq!(
        played.told("REFLECTION_COMPLETED"),
        ["[0] REFLECTION_COMPLETED Retry High, confidence 0.3 before click button \"Send\": Wrong form."]
    );
}

/// Each time another element is decided on in doubt, and each time advised against.
#[test]
fn a_task_is_thought_over_eight_times_at_most() {
    let decide = |n: usize| {
        let target = if n.is_multiple_of(2) { "e2" } else { "e3" };
        reply(&click("Perhaps this.", 0.3).replace("e2", target))
    };
    let answer = |purpose, n| match purpose {
        Act if n < 20 => decide(n),
        Act => reply(DONE),
        _ => reply(&reflection("RETRY", "LOW", "Rather the other one.", true)),
    };
    let played = play(task("Send it"), rules(), Site::default(), answer);
    assert_eq!(played.purposes().iter().filter(|purpose| **purpose == Reflect).count(), 8);
}
