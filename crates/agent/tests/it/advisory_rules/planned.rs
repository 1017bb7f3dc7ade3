//! Plans.

use legwork_agent::{AdvisoryRules, DeciderChoice, Trigger};
use legwork_protocol::{Code, DecidedBy, Status, Validation};

use super::*;

fn planning(when: Trigger) -> Rules {
    Rules { thinking: AdvisoryRules { planning: when, ..AdvisoryRules::default() }, ..rules() }
}

#[test]
fn a_task_is_planned_done_and_its_answer_validated() {
    let answer = |purpose, n| match (purpose, n) {
        (Act, 0) => reply(&click("#1: I send the form.", 0.9)),
        (Act, 1) => reply(&DONE.replace("Sent it.", "#2: Sjøbris, 42 €.")),
        _ => well(purpose, n),
    };
    let played = play(task(GOAL), rules(), Site::default(), answer);
    assert_eq!(played.purposes(), [Plan, Act, Act, Validate]);
    let outcome = &played.outcome;
    assert_eq!((outcome.status, outcome.validation), (Status::Success, Validation::Validated));
    assert_eq!(outcome.answer.as_deref(), Some("Sjøbris, 42 €."), "the item's number is no part of the answer");
    assert_eq!(outcome.usage.calls, 4, "every call counts");
    insta::assert_snapshot!("events", played.script.told().join("\n"));
    insta::assert_snapshot!("prompt_plan", played.prompt(Plan, 0));
    insta::assert_snapshot!("prompt_act", played.prompt(Act, 1).split("----\n").last().expect("ours"));
    insta::assert_snapshot!("prompt_review", played.prompt(Validate, 0));
}

#[test]
fn what_is_asked_beside_the_task_and_the_page_is_short() {
    let played = play(task(GOAL), rules(), Site::default(), well);
    let tokens = |purpose| {
        let prompt = played.prompt(purpose, 0).replace(GOAL, "");
        let bare: Vec<&str> =
            prompt.split("```").enumerate().filter(|(at, _)| at % 2 == 0).map(|(_, text)| text).collect();
        legwork_observe::tokens::count(&bare.join(""))
    };
    assert!(tokens(Plan) <= 130, "{}", tokens(Plan));
    assert!(tokens(Validate) <= 150, "{}", tokens(Validate));
}

#[test]
fn a_plan_is_made_only_where_it_promises_something() {
    let planned = |begin: RunStart, when| play(begin, planning(when), Site::default(), well).purposes().contains(&Plan);
    let list = "type \"Ada Lovelace\" into the Name field of the form; type \"ada@example.org\" into the Email field below it; \
                click the \"Next\" button and click the \"Send\" button";
    let literal = |begin: RunStart| {
        let model = Rules { decider: DeciderChoice::Model, ..planning(Trigger::Auto) };
        play(begin, model, Site::default(), well).purposes()
    };
    assert!(planned(task(GOAL), Trigger::Auto));
    assert!(!planned(task("Which ferry is the cheapest?"), Trigger::Auto), "short");
    assert_eq!(literal(task(list)), [Act, Act, Validate], "a list of instructions is reviewed, and needs no plan");
    assert!(!planned(start(&[GOAL]), Trigger::Auto), "a step");
    assert!(planned(start(&[GOAL]), Trigger::Always) && planned(task("Do it"), Trigger::Always));
    assert!(!planned(task(GOAL), Trigger::Never));
}

#[test]
fn without_a_usable_plan_the_task_is_done_all_the_same() {
    for (bad, calls) in [(r#"{"decision":{"action":"PROCEED"}}"#, 2), ("down", 1)] {
        let answer = |purpose, n| match purpose {
            Plan if bad == "down" => down(),
            Plan => reply(bad),
            _ => well(purpose, n),
        };
        let played = play(task(GOAL), rules(), Site::default(), answer);
        assert_eq!((played.outcome.status, played.outcome.validation), (Status::Success, Validation::Unvalidated));
        assert_eq!(played.purposes().iter().filter(|purpose| **purpose == Plan).count(), calls, "{bad}");
        let code = if bad == "down" { Code::AiCommunication } else { Code::SchemaValidation };
        let said = format!("ERROR_OCCURRED {} no plan was made, done without one", code.name());
        assert_eq!(played.told(&said).len(), 1, "{:?}", played.script.told());
    }
}

#[test]
fn a_plan_says_where_to_begin_only_before_any_page_was_seen() {
    let begins = |url: &'static str, start_url: &str| {
        let plan = PLAN.replace("null", &format!("{start_url:?}"));
        let answer = |purpose, n| match purpose {
            Plan => reply(&plan),
            Act => reply(DONE),
            _ => well(purpose, n),
        };
        let played = play(task(GOAL), rules(), Site { url, ..Site::default() }, answer);
        assert_eq!(played.outcome.status, Status::Success);
        (played.told("COMMAND_STARTED"), played.told("which is not an http or https address").len())
    };
    assert_eq!(begins("about:blank", "https://ferries.test/").0, ["[0] COMMAND_STARTED model open"]);
    assert_eq!(begins("http://site.test/", "https://ferries.test/"), (Vec::new(), 0), "a page is open");
    for refused in ["javascript:alert(1)", "file:///etc/passwd", "ferries", "https://${note}/"] {
        assert_eq!(begins("about:blank", refused), (Vec::new(), 1), "{refused}");
    }
}

#[test]
fn the_prompt_for_a_plan_says_that_no_page_is_open() {
    let played = play(task(GOAL), rules(), Site { url: "about:blank", ..Site::default() }, well);
    let prompt = played.prompt(Plan, 0);
    assert!(prompt.contains("No page is open: startUrl is where to begin.") && !prompt.contains("```page"), "{prompt}");
}

#[test]
fn the_model_may_say_that_the_plan_does_not_work() {
    let answer = |purpose, n| match (purpose, n) {
        (Act, 0) => reply(CLICK),
        (Act, 1) => reply(&click("REPLAN: there is no list of prices.", 0.9)),
        (Act, _) => reply(DONE),
        (Plan, 1) => reply(&PLAN.replace("Send the form", "Open the terms")),
        _ => well(purpose, n),
    };
    let played = play(task(GOAL), rules(), Site::default(), answer);
    assert_eq!(played.purposes(), [Plan, Act, Act, Plan, Act, Validate]);
    assert_eq!(played.actions(), 1, "what it decided with it is not carried out");
    assert_eq!(
        played.told("PLAN_UPDATED"),
        [
            "[0] PLAN_UPDATED 0 [\"Send the form\", \"Read the cheapest price\"]",
            "[0] PLAN_UPDATED 1 [\"Open the terms\", \"Read the cheapest price\"]",
        ]
    );
    insta::assert_snapshot!("prompt_replan", played.prompt(Plan, 1));
    assert!(played.prompt(Act, 2).contains("#1 Open the terms"));
}

#[test]
fn a_command_in_a_line_follows_the_plan_too() {
    let mut rules = rules();
    rules.model = rules.model.map(|mut model| {
        model.schema.form = legwork_agent::schema::Form::Line;
        model
    });
    let answer = |purpose, n| match (purpose, n) {
        (Act, 0) => reply(r##"{"why":"#2: the list is here","do":"click e2","confidence":0.9}"##),
        (Act, 1) => reply(r#"{"why":"REPLAN: there are no prices","do":"click e2","confidence":0.9}"#),
        (Act, _) => reply(r#"{"why":"as shown","do":"done \"Sjøbris\"","confidence":0.9}"#),
        _ => well(purpose, n),
    };
    let played = play(task(GOAL), rules, Site::default(), answer);
    assert_eq!((played.purposes(), played.actions()), (vec![Plan, Act, Act, Plan, Act, Validate], 1));
    let note =
        |n| played.prompt(Act, n).split("Plan: ").last().expect("the plan").split(". ").next().unwrap_or_default();
    assert_eq!([note(0), note(1)], ["#1 Send the form; #2 Read the cheapest price", "#2 Read the cheapest price"]);
    assert!(played.prompt(Act, 0).contains("Begin why with `#n:`"), "{}", played.prompt(Act, 0));
    assert_eq!(played.outcome.answer.as_deref(), Some("Sjøbris"));
}

#[test]
fn a_plan_is_revised_three_times_at_most() {
    let answer = |purpose, n| match purpose {
        Act if n < 6 => reply(&click(&format!("REPLAN: no ({n})"), 0.9)),
        Act => reply(DONE),
        _ => well(purpose, n),
    };
    let played = play(task(GOAL), rules(), Site::default(), answer);
    assert_eq!(played.told("PLAN_UPDATED").len(), 4);
    assert_eq!(played.outcome.status, Status::Success);
}

#[test]
fn failing_again_and_again_contradicts_the_plan() {
    let press = |n: usize| {
        CLICK.replace(
            r#"{"action":"click","parameters":{"target":"e2"}}"#,
            &format!(r#"{{"action":"press","parameters":{{"key":"F{n}"}}}}"#),
        )
    };
    let answer = |purpose, n| match purpose {
        Act => reply(&press(n)),
        _ => well(purpose, n),
    };
    let played = play(task(GOAL), rules(), Site { failing: true, ..Site::default() }, answer);
    assert_eq!(played.purposes(), [Plan, Act, Act, Reflect, Act, Plan, Act, Act]);
    assert!(played.prompt(Plan, 1).contains("the plan fails: e2 is disabled"), "{}", played.prompt(Plan, 1));
}

#[test]
fn a_resumed_task_keeps_its_plan_and_its_reviews() {
    let answer = |purpose, n| match (purpose, n) {
        (Validate, _) => reply(&review("partial", "The price is missing.")),
        (Act, _) => reply(DONE),
        _ => well(purpose, n),
    };
    let mut script = Script::begin(task(GOAL), rules());
    let mut asked = 0;
    let cut = script.drive(|need| match need {
        Need::Observe(_) => Some(NeedResult::Observed(page(FORM))),
        Need::Decide(request) => {
            asked += 1;
            (asked <= 3).then(|| answer(request.purpose, 0))
        }
        other => panic!("not needed: {other:?}"),
    });
    assert_eq!(cut, None);
    let mut script = script.resume(rules());
    let mut purposes = Vec::new();
    let outcome = script.drive(|need| {
        Some(match need {
            Need::Observe(_) => NeedResult::Observed(page(FORM)),
            Need::Decide(request) => {
                purposes.push(request.purpose);
                answer(request.purpose, 0)
            }
            other => panic!("not needed: {other:?}"),
        })
    });
    assert_eq!(purposes, [Act, Validate, Act, Validate], "no second plan, and the first review counts");
    assert_eq!(outcome.map(|outcome| outcome.validation), Some(Validation::Rejected));
    assert_eq!(script.run.results()[0].decider, Some(DecidedBy::Model));
}
