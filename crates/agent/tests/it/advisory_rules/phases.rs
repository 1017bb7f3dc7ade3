//! Where the loop is, in the events: each phase once, when it begins.

use legwork_protocol::Phase::*;

use super::*;

#[test]
fn the_phases_of_plain_turns() {
    let played = play(task("Send it"), rules(), Site::default(), well);
    assert_eq!(
        played.script.phases(),
        [
            Initializing,
            GeneratingPrompt,
            QueryingAi,
            ProcessingResponse,
            ExecutingCommands,
            GeneratingPrompt,
            QueryingAi,
            ProcessingResponse,
            Completed,
        ]
    );
}

#[test]
fn the_phases_of_a_reply_that_is_asked_for_again() {
    let played = play(task("Send it"), rules(), Site::default(), |_, n| nth(&["no", DONE], n));
    let expected =
        [Initializing, GeneratingPrompt, QueryingAi, ProcessingResponse, QueryingAi, ProcessingResponse, Completed];
    assert_eq!(played.script.phases(), expected);
}

#[test]
fn the_phases_of_a_reflected_turn() {
    let answer = |purpose, n| match purpose {
        Act => nth(&[&click("Perhaps.", 0.3), DONE], n),
        _ => well(purpose, n),
    };
    let played = play(task("Send it"), rules(), Site::default(), answer);
    assert_eq!(
        played.script.phases(),
        [
            Initializing,
            GeneratingPrompt,
            QueryingAi,
            ProcessingResponse,
            Reflecting,
            ExecutingCommands,
            GeneratingPrompt,
            QueryingAi,
            ProcessingResponse,
            Completed,
        ]
    );
}

#[test]
fn the_phases_of_a_planned_task_and_of_a_rejected_one() {
    let played = play(task(GOAL), rules(), Site::default(), |purpose, n| match purpose {
        Act => reply(DONE),
        Validate => reply(&review("failed", "No.")),
        _ => well(purpose, n),
    });
    let turn = [GeneratingPrompt, QueryingAi, ProcessingResponse, Validating];
    let planning = [Initializing, GeneratingPrompt, QueryingAi, ProcessingResponse];
    let expected: Vec<_> = planning.into_iter().chain(turn).chain(turn).chain(turn).chain([Failed]).collect();
    assert_eq!(played.script.phases(), expected);
}

#[test]
fn the_phases_of_steps_that_need_no_model() {
    let steps = start(&["Click \"Send\"", "Check that \"Sent\" is shown"]);
    let played = play(steps, Rules::default(), Site::default(), |_, _| panic!("no model"));
    let expected = [Initializing, ExecutingCommands, Completed, Initializing, Validating, Completed];
    assert_eq!(played.script.phases(), expected);
}
