//! The eight fallbacks of contract §6, each by its name, with the fault put in and the run that goes on without.

use std::time::Duration;

use legwork_agent::{CompactBy, Compaction, MemoryRules, NeedResult, Rules, WorkflowRun};
use legwork_protocol::{Code, EventKind, ModelFailure, Phase, Purpose, Status, Tool};

use crate::{
    context::{history, long},
    investigate::{doubtful, rules, says, story, task, world},
    model::{CLICK, DONE},
    world::World,
};

#[test]
fn investigation_cycle_to_plain_act() {
    for nonsense in ["", "I would rather not."] {
        let played = world()
            .replies(Purpose::Act, &[&doubtful(), DONE])
            .replies(Purpose::Investigate, &[nonsense])
            .play(task(), rules(|_| {}));
        assert_eq!(story(&played).last().map(String::as_str), Some("failed: INVESTIGATION_CYCLE_FAILED"));
        assert_eq!(
            (played.outcome.status, played.done.as_slice()),
            (Status::Success, ["click e2".to_owned()].as_slice())
        );
        assert_eq!(played.calls(Purpose::Act), 2);
    }
}

#[test]
fn tool_to_the_next_tool() {
    let order = |rules: &mut Rules| rules.investigation.tools = vec![Tool::Subdom, Tool::Read, Tool::Find, Tool::Dom];
    let played = world()
        .replies(Purpose::Act, &[&doubtful(), DONE])
        .replies(Purpose::Investigate, &[&says(0.3, "", "subdom", "Name"), &says(0.9, "e2", "", "")])
        .play(task(), rules(order));
    let story = story(&played);
    let at = story.iter().position(|line| line.starts_with("Subdom")).expect("the tool was used");
    assert_eq!(story[at..at + 2], ["Subdom e1", "Subdom worked"]);
    // Text of a page is an argument of `find`, and names no part of the page for the others.
    let played = world()
        .replies(Purpose::Act, &[&doubtful(), DONE])
        .replies(Purpose::Investigate, &[&says(0.3, "", "subdom", "Ada"), &says(0.9, "e2", "", "")])
        .play(task(), rules(order));
    let story = self::story(&played);
    let at = story.iter().position(|line| line.starts_with("Subdom")).expect("the tool was used");
    assert_eq!(
        story[at..at + 5],
        ["Subdom Ada", "Subdom failed", "error INVESTIGATION_TOOL_FAILED", "Find Ada", "Find worked"]
    );
    assert_eq!(played.outcome.status, Status::Success);
    // A tool that is not there: the first one is used.
    let played = world()
        .replies(Purpose::Act, &[&doubtful(), DONE])
        .replies(Purpose::Investigate, &[&says(0.3, "", "look", ""), &says(0.9, "e2", "", "")])
        .play(task(), rules(|rules| rules.investigation.tools = vec![Tool::Dom]));
    let story = self::story(&played);
    assert!(
        story.contains(&"error UNSUPPORTED_INVESTIGATION_TOOL".to_owned()) && story.contains(&"Dom worked".to_owned()),
        "{story:#?}"
    );
}

/// What other runs learned cannot be had: the run remembers nothing, and says so.
#[test]
fn memory_to_an_empty_one() {
    let remembers = |rules: &mut Rules| rules.memory = MemoryRules { across_runs: true, ..MemoryRules::default() };
    let played = world().replies(Purpose::Act, &[CLICK, DONE]).play(task(), rules(remembers));
    assert_eq!(played.outcome.status, Status::Success);
    let warned = played.events(&["ERROR_OCCURRED CONTEXT_UNAVAILABLE no lessons about http://site.test are available"]);
    assert_eq!(warned.len(), 1, "{:#?}", played.script.told());
    assert!(!played.prompt(Purpose::Act, 0).contains("Remembered"));
}

/// A page is told by what has changed on it; where the change says no less than the page, the whole page is shown.
#[test]
fn filtered_context_to_the_traditional_one() {
    let other: String =
        (0..40).map(|n| format!("- link \"Another page's link number {n}\" [ref=e{}]\n", n + 20)).collect();
    let small = "- status \"Sent\"";
    let form = &world().pages[0];
    for (next, told) in [(format!("{form}\n{small}"), true), (other, false)] {
        let world = World { pages: vec![form.clone(), next], ..World::default() };
        let played = world.replies(Purpose::Act, &[CLICK, DONE]).play(task(), rules(|_| {}));
        let prompt = played.prompt(Purpose::Act, 1);
        assert_eq!(prompt.contains("```changes"), told, "{prompt}");
        assert_eq!(prompt.contains("link number 39"), !told, "{prompt}");
        assert_eq!(prompt.contains("button \"Send\""), told, "{prompt}");
        assert_eq!(played.outcome.status, Status::Success);
    }
}

#[test]
fn discovery_to_the_selectors_that_were_given() {
    for wrong in ["e77", "text=Go", "div.send"] {
        let played = world()
            .replies(Purpose::Act, &[&doubtful(), CLICK, DONE])
            .replies(Purpose::Investigate, &[&says(0.9, wrong, "", "")])
            .play(task(), rules(|rules| rules.investigation.max_rounds = 0));
        let story = story(&played);
        assert!(story.contains(&"error ELEMENT_DISCOVERY_FAILED".to_owned()), "{story:#?}");
        assert_eq!(story.last().map(String::as_str), Some("completed: e2 0.9 in 0 rounds, partial"));
        assert_eq!(
            (played.outcome.status, played.done.as_slice()),
            (Status::Success, ["click e2".to_owned()].as_slice())
        );
    }
}

#[test]
fn time_out_to_partial_results() {
    let played = world()
        .replies(Purpose::Act, &[&doubtful(), CLICK, DONE])
        .replies(Purpose::Investigate, &[&says(0.3, "e2", "find", "Send")])
        .play(task(), rules(|rules| rules.investigation.timeout = Duration::from_millis(15)));
    let story = story(&played);
    assert!(story.contains(&"error INVESTIGATION_TIMEOUT".to_owned()), "{story:#?}");
    assert_eq!(story.last().map(String::as_str), Some("completed: e2 0.3 in 1 rounds, partial"));
    assert!(played.prompt(Purpose::Act, 1).contains("(not looked into to the end)"));
    assert_eq!(played.outcome.status, Status::Success);
}

/// A history that a model makes short as it grows is made short by a rule when the model does not.
#[test]
fn progressive_context_to_the_static_one() {
    let compaction = Compaction { by: CompactBy::Model, ..Compaction::default() };
    let rules = Rules { context_tokens: 6_000, compaction, ..Rules::default() };
    let down = ModelFailure { code: Code::ModelRateLimit, message: "slow down".into(), retryable: true };
    let long = long(60, rules, 20, move |_| NeedResult::Decided(Err(down.clone())));
    let said = "ERROR_OCCURRED CONTEXT_GENERATION_FAILED the model did not shorten the history, a rule does: slow down";
    assert!(long.events.iter().any(|line| line.contains(said)), "{:#?}", long.events);
    assert!(history(&long).contains("actions on"), "{}", history(&long));
}

/// Nobody answers: the run ends as an error that names it, its journal reads to the end, and it can be taken up again.
#[test]
fn a_model_that_is_down_to_a_clean_failure() {
    let played = world().replies(Purpose::Act, &[""]).play(task(), rules(|_| {}));
    let error = played.outcome.error.as_ref().expect("it says why");
    assert_eq!((played.outcome.status, error.code), (Status::Error, Code::ModelConnection));
    let journal = &played.script.journal;
    assert!(journal.iter().any(|event| matches!(event.kind, EventKind::StepFailed(_))));
    assert!(matches!(journal.last().map(|event| &event.kind), Some(EventKind::WorkflowFailed(_))));
    assert_eq!(played.script.phases().last(), Some(&Phase::Failed));
    assert!(WorkflowRun::resume(journal, rules(|_| {})).is_ok());
}
