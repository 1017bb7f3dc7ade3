//! Investigations and looks: when, in which order, and what is left when something fails.

use legwork_agent::{Assumption, InvestigationMode, ModelRules, Need, NeedResult, Rules};
use legwork_protocol::{EventKind, Findings, Phase, Purpose, RunStart, Status, Tool};

use crate::{
    model::{CLICK, DONE},
    support::{Script, page, reply, start},
    world::{Played, World},
};

const FORM: &str =
    "- textbox \"Name\" [ref=e1]: Ada\n- button \"Send\" [ref=e2]\n- button \"Go\" [ref=e3]\n- button \"Go\" [ref=e4]";
const SENT: &str = "- textbox \"Name\" [ref=e1]: Ada\n- button \"Send\" [ref=e2]\n- button \"Go\" [ref=e3]\n- button \"Go\" [ref=e4]\n- status \"Sent\"";

pub(crate) fn rules(change: impl FnOnce(&mut Rules)) -> Rules {
    let mut rules = Rules { model: Some(ModelRules::default()), ..Rules::default() };
    change(&mut rules);
    rules
}

fn sees(rules: &mut Rules) {
    if let Some(model) = &mut rules.model {
        model.vision = true;
        model.schema.vision = true;
    }
}

pub(crate) fn task() -> RunStart {
    RunStart { task: true, ..start(&["send the form"]) }
}

pub(crate) fn world() -> World {
    World { pages: vec![FORM.into(), SENT.into()], ..World::default() }
}

pub(crate) fn doubtful() -> String {
    CLICK.replace("0.9", "0.2")
}

pub(crate) fn says(confidence: f64, target: &str, tool: &str, on: &str) -> String {
    let quoted = |text: &str| if text.is_empty() { "null".to_owned() } else { format!("{text:?}") };
    format!(
        r#"{{"insight":"A form that waits to be sent.","confidence":{confidence},"target":{},"purpose":"send it","tool":{},"on":{}}}"#,
        quoted(target),
        quoted(tool),
        quoted(on)
    )
}

/// What the investigation's events say, in order.
pub(crate) fn story(played: &Played) -> Vec<String> {
    let phase = |phase: &Phase| format!("{phase:?}");
    let told = |kind: &EventKind| match kind {
        EventKind::InvestigationStarted { reason } => Some(format!("started: {reason}")),
        EventKind::InvestigationPhaseStarted { phase: is } => Some(format!("> {}", phase(is))),
        EventKind::InvestigationPhaseCompleted { phase: is, .. } => Some(format!("< {}", phase(is))),
        EventKind::InvestigationToolStarted { tool, target } => Some(format!("{tool:?} {target}").trim().to_owned()),
        EventKind::InvestigationToolCompleted { tool, ok, .. } => {
            Some(format!("{tool:?} {}", if *ok { "worked" } else { "failed" }))
        }
        EventKind::InvestigationCompleted(Findings { target, confidence, rounds, partial, .. }) => Some(format!(
            "completed: {} {confidence} in {rounds} rounds{}",
            target.as_deref().unwrap_or("nothing"),
            if *partial { ", partial" } else { "" }
        )),
        EventKind::InvestigationFailed(error) => Some(format!("failed: {}", error.code.name())),
        EventKind::ElementDiscovered { element, purpose, confidence, method } => {
            let (confidence, method) = (confidence.expect("it is stated"), method.expect("it is stated"));
            Some(format!("discovered {element} to {purpose}, {confidence} by {method:?}"))
        }
        EventKind::ErrorOccurred(error) => Some(format!("error {}", error.code.name())),
        _ => None,
    };
    played.script.journal.iter().filter_map(|event| told(&event.kind)).collect()
}

#[test]
fn a_full_investigation_in_order() {
    let played = world()
        .replies(Purpose::Act, &[&doubtful(), &CLICK.replace("e2", "e1"), DONE])
        .replies(Purpose::Investigate, &[&says(0.3, "", "find", "Send"), &says(0.9, "e1", "", "")])
        .play(task(), rules(|_| {}));
    assert_eq!(played.outcome.status, Status::Success);
    insta::assert_snapshot!("investigation", story(&played).join("\n"));
    insta::assert_snapshot!("prompt_investigate_first", played.prompt(Purpose::Investigate, 0));
    insta::assert_snapshot!("prompt_investigate_second", played.prompt(Purpose::Investigate, 1));
    let act = played.prompt(Purpose::Act, 1);
    // What stands before it is the same in every turn (`prompt_first`).
    let after_it = &act[act.find("Task: ").expect("it names the task")..];
    insta::assert_snapshot!("prompt_act_after_investigation", after_it);
    assert!(act.contains("Found out by looking closer:\n```found\nhttp://site.test/: A form that waits to be sent. Act on e1 textbox \"Name\", to send it\n```"), "{act}");
    assert_eq!(played.done, ["click e1"]);
}

#[test]
fn a_confident_model_pays_nothing() {
    let play = |mode: InvestigationMode| {
        world()
            .replies(Purpose::Act, &[CLICK, DONE])
            .replies(Purpose::Investigate, &[&says(0.9, "e2", "", "")])
            .play(task(), rules(|rules| rules.investigation.mode = mode))
    };
    let (never, auto, always) =
        (play(InvestigationMode::Never), play(InvestigationMode::Auto), play(InvestigationMode::Always));
    assert_eq!((auto.asked.len(), auto.tokens()), (never.asked.len(), never.tokens()));
    assert_eq!((never.asked.len(), always.asked.len()), (2, 3));
    assert!(always.tokens() > auto.tokens() + 150, "{} {}", always.tokens(), auto.tokens());
    assert_eq!(story(&auto), Vec::<String>::new());
    assert_eq!(story(&always)[0], "started: every step is investigated before its first action");
}

#[test]
fn doubt_that_is_dispelled_costs_one_short_call_and_no_second_decision() {
    let play = |mode| {
        world()
            .replies(Purpose::Act, &[&doubtful(), DONE])
            .replies(Purpose::Investigate, &[&says(0.9, "e2", "", "")])
            .play(task(), rules(|rules| rules.investigation.mode = mode))
    };
    let played = play(InvestigationMode::Auto);
    assert_eq!((played.calls(Purpose::Act), played.calls(Purpose::Investigate)), (2, 1));
    assert_eq!(story(&played).last().map(String::as_str), Some("completed: e2 0.9 in 0 rounds"));
    assert_eq!(play(InvestigationMode::Never).calls(Purpose::Investigate), 0);
}

#[test]
fn a_target_that_is_not_there_is_looked_into() {
    let mut world = world();
    world.missing = Some("e9".into());
    let played = world
        .replies(Purpose::Act, &[&CLICK.replace("e2", "e9"), CLICK, DONE])
        .replies(Purpose::Investigate, &[&says(0.8, "e2", "", "")])
        .play(task(), rules(|_| {}));
    assert_eq!(played.outcome.status, Status::Success);
    assert_eq!(story(&played)[0], "started: nothing matches e9");
    assert_eq!(played.done, ["click e9", "click e2"]);
}

/// Whether the prompts for a decision contain what the investigation found out.
fn shows_found(played: &Played) -> Vec<bool> {
    let acts = played.asked.iter().filter(|(purpose, ..)| *purpose == Purpose::Act);
    acts.map(|(_, prompt, _)| prompt.contains("Found out by looking closer")).collect()
}

#[test]
fn what_was_found_out_is_shown_for_one_turn_after_the_page_changed_and_no_longer() {
    let mut begin = start(&["send the form", "be glad"]);
    begin.task = false;
    let world = World { pages: vec![FORM.into(), SENT.into(), SENT.into(), SENT.into()], ..World::default() };
    // It points to e1, and the model uses other elements.
    let played = world
        .replies(
            Purpose::Act,
            &[&doubtful(), CLICK, &CLICK.replace("e2", "e3"), &CLICK.replace("e2", "e4"), DONE, DONE],
        )
        .replies(Purpose::Investigate, &[&says(0.9, "e1", "", "")])
        .play(begin, rules(|_| {}));
    assert_eq!(played.outcome.status, Status::Success, "{:?}", played.outcome.error);
    assert_eq!(shows_found(&played), [false, true, true, false, false, false]);
}

#[test]
fn what_one_step_found_out_is_shown_to_the_next() {
    let mut begin = start(&["send the form", "send it again"]);
    begin.task = false;
    let world = World { pages: vec![FORM.into()], ..World::default() };
    let played = world
        .replies(Purpose::Act, &[&doubtful(), DONE, &CLICK.replace("e2", "e1"), DONE])
        .replies(Purpose::Investigate, &[&says(0.9, "e1", "", "")])
        .play(begin, rules(|_| {}));
    assert_eq!(shows_found(&played), [false, true, true, false]);
}

#[test]
fn an_investigation_that_found_nothing_leaves_no_text() {
    let nothing = r#"{"insight":"","confidence":0.9,"target":null,"purpose":null,"tool":null,"on":null}"#;
    let mut world = world();
    world.missing = Some("e9".into());
    let played = world
        .replies(Purpose::Act, &[&CLICK.replace("e2", "e9"), CLICK, DONE])
        .replies(Purpose::Investigate, &[nothing])
        .play(task(), rules(|_| {}));
    assert_eq!(shows_found(&played), [false; 3]);
}

#[test]
fn a_model_is_told_that_another_tool_was_used() {
    let prompt = |tool: &str, on: &str| {
        let mut world = world();
        world.read = Some("Name Ada".into());
        let played = world
            .replies(Purpose::Act, &[&doubtful(), DONE])
            .replies(Purpose::Investigate, &[&says(0.3, "", tool, on), &says(0.9, "e2", "", "")])
            .play(task(), rules(|rules| rules.investigation.tools = vec![Tool::Find, Tool::Read]));
        played.prompt(Purpose::Investigate, 1).to_owned()
    };
    let failed = prompt("find", "Nowhere");
    assert!(failed.contains("; read was used instead)"), "{failed}");
    assert!(failed.contains("(find failed: "), "{failed}");
    let unavailable = prompt("look", "Send");
    assert!(unavailable.contains("(look is not available; find was used instead)"), "{unavailable}");
    let as_requested = prompt("find", "Send");
    assert!(!as_requested.contains("instead"), "{as_requested}");
}

#[test]
fn a_resumed_run_knows_what_was_found_out_but_not_by_refs_of_a_lost_browser() {
    let mut script = Script::begin(task(), rules(|_| {}));
    let mut replies = [doubtful(), says(0.9, "e2", "", "")].into_iter();
    let mut asked = Vec::new();
    let stopped = script.drive(|need| match need {
        Need::Observe(_) => Some(NeedResult::Observed(page(FORM))),
        Need::Decide(_) => Some(reply(&replies.next()?)),
        _ => None,
    });
    assert_eq!(stopped, None, "the process is gone before the click");
    let mut script = script.resume(Rules { assume: Some(Assumption::NotDone), ..rules(|_| {}) });
    script.drive(|need| match need {
        Need::Observe(_) => Some(NeedResult::Observed(page(FORM))),
        Need::Decide(request) => {
            asked.push(request.messages.iter().map(|message| message.text.to_string()).collect::<String>());
            None
        }
        _ => None,
    });
    let found = "http://site.test/: A form that waits to be sent. Act on button \"Send\", to send it";
    assert!(asked[0].contains(found), "{}", asked[0]);
}

#[test]
fn a_tool_that_told_something_on_the_site_before_is_used_first() {
    let steps = |replies: &[&str], rules: Rules| {
        let mut begin = start(&["send the form", "send it again"]);
        begin.task = false;
        world()
            .replies(Purpose::Act, &[&doubtful(), DONE, &doubtful(), DONE])
            .replies(Purpose::Investigate, replies)
            .play(begin, rules)
    };
    // Nobody wishes for a tool in the second step: the first of the order is used.
    let second = says(0.3, "", "", "Send");
    let sure = says(0.9, "e2", "", "");
    let set = |rules: &mut Rules| {
        rules.investigation.tools = vec![Tool::Dom, Tool::Find];
        rules.investigation.max_rounds = 1;
    };
    let used = |first: &str| {
        let played = steps(&[&says(0.3, "", first, "Send"), &sure, &second, &sure], rules(set));
        let mut tools = story(&played);
        tools.retain(|line| line.ends_with("worked"));
        tools
    };
    assert_eq!(used("find"), ["Find worked", "Find worked"]);
    assert_eq!(used("dom"), ["Dom worked", "Dom worked"]);
}

#[test]
fn a_reply_that_cannot_be_used_is_asked_for_once_more() {
    let played = world()
        .replies(Purpose::Act, &[&doubtful(), DONE])
        .replies(Purpose::Investigate, &["I would rather not.", &says(0.9, "e2", "", "")])
        .play(task(), rules(|_| {}));
    assert_eq!(story(&played).last().map(String::as_str), Some("completed: e2 0.9 in 0 rounds"));
    let again = played.prompt(Purpose::Investigate, 1);
    assert!(again.contains("I would rather not.") && again.contains("That reply cannot be used"), "{again}");
}

#[test]
fn rounds_have_an_end() {
    let played = world()
        .replies(Purpose::Act, &[&doubtful(), CLICK, DONE])
        .replies(Purpose::Investigate, &[&says(0.3, "", "find", "Send")])
        .play(task(), rules(|_| {}));
    assert_eq!(played.calls(Purpose::Investigate), 4);
    assert!(played.prompt(Purpose::Investigate, 3).contains("No more tools: decide."));
    assert_eq!(story(&played).last().map(String::as_str), Some("completed: e2 0.3 in 3 rounds, partial"));
}

#[test]
fn a_model_that_sees_assesses_by_the_picture_too() {
    let mut world = world();
    world.picture = true;
    let played = world
        .replies(Purpose::Act, &[&doubtful(), DONE])
        .replies(Purpose::Investigate, &[&says(0.3, "", "look", ""), &says(0.9, "e2", "", "")])
        .replies(Purpose::Look, &["A form; e2 sends it."])
        .play(task(), rules(sees));
    let pictures: Vec<(Purpose, usize)> = played.asked.iter().map(|(purpose, _, images)| (*purpose, *images)).collect();
    use Purpose::{Act, Investigate, Look};
    assert_eq!(pictures, [(Act, 0), (Investigate, 1), (Look, 1), (Investigate, 0), (Act, 0)]);
    assert!(
        played.prompt(Investigate, 1).contains("```found\nlook : A form; e2 sends it.\n```"),
        "{}",
        played.prompt(Investigate, 1)
    );
}

#[test]
fn look_is_described_by_a_model_that_sees_and_refused_otherwise() {
    let look = |marks: &str| {
        CLICK.replace(
            r#"{"action":"click","parameters":{"target":"e2"}}"#,
            &format!(r#"{{"action":"look","parameters":{{{marks}}}}}"#),
        )
    };
    let play = |marks: &str, rules: Rules, said: &str| {
        let mut world = world();
        world.picture = true;
        world.replies(Purpose::Act, &[&look(marks), DONE]).replies(Purpose::Look, &[said]).play(task(), rules)
    };
    let played = play("\"marks\":true", rules(sees), "A form.\nIts button e2 is green.");
    insta::assert_snapshot!("prompt_look", played.prompt(Purpose::Look, 0));
    let act = played.prompt(Purpose::Act, 1);
    assert!(act.contains("look: marks true → A form. Its button e2 is green."), "{act}");
    assert!(played.prompt(Purpose::Act, 0).contains(" look,"));
    let told = played.events(&["COMMAND"]);
    assert_eq!(told, ["[0] COMMAND_STARTED model look", "[0] COMMAND_COMPLETED"]);
    let played = play("", rules(|_| {}), "");
    let act = played.prompt(Purpose::Act, 1);
    assert!(
        act.contains("→ failed: look: the model cannot see pictures; read or find what you look for instead"),
        "{act}"
    );
    assert!(!played.prompt(Purpose::Act, 0).contains(" look,") && played.calls(Purpose::Look) == 0);
    let played = play("", rules(sees), "");
    assert!(played.prompt(Purpose::Act, 1).contains("the picture was not described (refused)"));
}

/// The first click changes nothing: the same page is doubted again, and was looked into already.
#[test]
fn a_page_is_looked_into_once() {
    let again = World { pages: vec![FORM.into(), FORM.into(), SENT.into()], ..World::default() };
    let played = again
        .replies(Purpose::Act, &[&doubtful(), &doubtful().replace("e2", "e1"), DONE])
        .replies(Purpose::Investigate, &[&says(0.9, "e2", "", "")])
        .replies(Purpose::Reflect, &[r#"{"verdict":"PROCEED","risk":"LOW","thought":"fine","planHolds":true}"#])
        .play(task(), rules(|_| {}));
    assert_eq!(played.done, ["click e2", "click e1"]);
    assert_eq!(played.calls(Purpose::Investigate), 1);
    // What was looked into already can only be thought over.
    assert_eq!(played.calls(Purpose::Reflect), 1);
}

#[test]
fn a_tool_is_not_used_twice_on_the_same() {
    let order = |rules: &mut Rules| rules.investigation.tools = vec![Tool::Find, Tool::Subdom, Tool::Dom];
    let played = world()
        .replies(Purpose::Act, &[&doubtful(), CLICK, DONE])
        .replies(Purpose::Investigate, &[&says(0.3, "", "find", "Send")])
        .play(task(), rules(order));
    let mut tools = story(&played);
    tools.retain(|line| line.ends_with("worked"));
    assert_eq!(tools, ["Find worked", "Subdom worked", "Dom worked"]);
    assert_eq!(played.events(&["was used on"]).len(), 2, "{:#?}", played.script.told());
}

#[test]
fn a_selector_is_read_and_not_searched_as_a_text() {
    let order = |rules: &mut Rules| rules.investigation.tools = vec![Tool::Find, Tool::Subdom, Tool::Read];
    let world = World { read: Some("42".into()), ..world() };
    let played = world
        .replies(Purpose::Act, &[&doubtful(), DONE])
        .replies(Purpose::Investigate, &[&says(0.3, "", "", "#total"), &says(0.9, "e2", "", "")])
        .play(task(), rules(order));
    let mut tools = story(&played);
    tools.retain(|line| ["Find", "Subdom", "Read"].iter().any(|tool| line.starts_with(tool)));
    assert_eq!(tools, ["Read #total", "Read worked"]);
}

#[test]
fn an_element_of_the_decision_has_the_confidence_of_the_decision() {
    let played = world()
        .replies(Purpose::Act, &[&doubtful(), CLICK, DONE])
        .replies(Purpose::Investigate, &[&says(0.9, "", "", "")])
        .play(task(), rules(|_| {}));
    let found = story(&played).into_iter().find(|line| line.starts_with("discovered")).expect("it names one");
    assert_eq!(found, "discovered e2 button \"Send\" to send it, 0.2 by GivenTarget");
}

/// A model that does not answer would hold the investigation, and with it the run, for as long as its own limits allow.
#[test]
fn a_model_call_has_the_time_that_is_left_and_its_end_is_the_end_of_the_investigation() {
    let timeout = std::time::Duration::from_secs(60);
    let mut script = Script::begin(task(), rules(|rules| rules.investigation.timeout = timeout));
    let mut limits = Vec::new();
    let mut replies = [doubtful(), says(0.3, "", "find", "Send")].into_iter();
    script.drive(|need| match need {
        Need::Observe(_) => Some(NeedResult::Observed(page(FORM))),
        Need::Decide(request) if request.purpose == Purpose::Investigate => {
            limits.push(request.time_limit.expect("it has a limit"));
            Some(reply(&replies.next()?))
        }
        Need::Decide(request) => {
            assert_eq!(request.time_limit, None, "{:?}", request.purpose);
            Some(reply(&replies.next()?))
        }
        _ => None,
    });
    assert_eq!(limits.len(), 2);
    assert!(limits[0] <= timeout && limits[1] < limits[0], "{limits:?}");
}
