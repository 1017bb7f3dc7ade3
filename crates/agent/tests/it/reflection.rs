//! Runs that were cut short on a page that changed without being left: a new browser loads it anew, and a check that
//! does not hold there is no verdict.

use legwork_agent::{Assumption, ModelRules, Need, NeedResult, Rules};
use legwork_protocol::{ActionFailure, Code, Outcome, RunStart, Status, Validation};

use crate::{
    model::CLICK,
    resume::{FORM, World, cut_short},
    support::{Script, brief, reply, start},
};

const SENT: &str = "Check that \"Sent\" is shown";

fn sent() -> World {
    World::new(&format!("{FORM}\n- status \"Sent\""))
}

/// A run of these steps, the first with this expectation.
fn expecting(steps: &[&str], expect: &str) -> RunStart {
    let mut begin = start(steps);
    begin.workflow.steps[0].expect = Some(expect.to_owned());
    begin
}

fn assuming(word: Assumption) -> Rules {
    Rules { assume: Some(word), ..Rules::default() }
}

/// The process ends when the page is to be looked at after "Send" was clicked and its result is on record.
fn dead_after_send(begin: RunStart) -> Script {
    let (world, mut sent) = (World::new(FORM), false);
    let mut script = Script::begin(begin, Rules::default());
    let died = script.drive(|need| match need {
        Need::Observe(_) if sent => None,
        need => {
            sent |= matches!(need, Need::Act(intents) if brief(&intents[0].action) == "click e2");
            world.answer(need, "")
        }
    });
    assert_eq!((died, sent), (None, true));
    script
}

/// Goes on in a new browser, where the page is as it was before anything was done.
fn go_on(script: &mut Script) -> (Outcome, Vec<String>) {
    let world = World::new(FORM);
    (script.drive(|need| world.answer(need, "")).expect("the run goes on to its end"), world.did())
}

fn ended(outcome: Outcome) -> (Status, Option<Code>) {
    (outcome.status, outcome.error.map(|error| error.code))
}

#[test]
fn a_check_that_a_new_page_cannot_pass_parks() {
    for begin in [
        expecting(&["Click \"Send\"", "Click \"Again\""], SENT),
        start(&["Click \"Send\" and check that \"Sent\" is shown", "Click \"Again\""]),
        start(&["Click \"Send\"", SENT, "Click \"Again\""]),
    ] {
        let mut script = dead_after_send(begin).resume(Rules::default());
        let (outcome, did) = go_on(&mut script);
        assert_eq!((ended(outcome), did), ((Status::Parked, Some(Code::OutcomeUnknown)), vec![]));

        // Asked again it parks again, and a person's word is enough.
        let mut script = script.resume(Rules::default());
        assert_eq!(go_on(&mut script).0.status, Status::Parked);
        let mut script = script.resume(assuming(Assumption::Done));
        let (outcome, did) = go_on(&mut script);
        assert_eq!((outcome.status, did), (Status::Success, vec!["click e3".to_owned()]));
        assert!(script.run.results().iter().all(|result| result.validation == Validation::Unvalidated));
    }
}

#[test]
fn a_person_who_says_not_done_agrees_with_the_check_and_nothing_is_repeated() {
    let mut script = dead_after_send(expecting(&["Click \"Send\""], SENT)).resume(assuming(Assumption::NotDone));
    let (outcome, did) = go_on(&mut script);
    assert_eq!((ended(outcome), did), ((Status::Failure, Some(Code::ExpectationNotMet)), vec![]));
}

#[test]
fn somebody_who_is_there_is_asked() {
    for (answer, status) in [("done", Status::Success), ("not done", Status::Failure)] {
        let mut script = dead_after_send(expecting(&["Click \"Send\""], SENT)).resume(Rules::default());
        let (world, mut asked) = (World::new(FORM), 0);
        let outcome = script.drive(|need| match need {
            Need::Ask(question) => {
                asked += 1;
                assert!(
                    question.text.contains("page was reloaded") && question.text.contains("Sent"),
                    "{}",
                    question.text
                );
                Some(NeedResult::Answered(if asked == 1 { "what?" } else { answer }.into()))
            }
            need => world.answer(need, ""),
        });
        assert_eq!((outcome.unwrap().status, asked, world.did()), (status, 2, vec![]));
    }
}

#[test]
fn a_check_that_holds_on_the_new_page_is_a_verdict() {
    let mut script = dead_after_send(expecting(&["Click \"Send\""], SENT)).resume(Rules::default());
    let world = sent();
    assert_eq!(script.drive(|need| world.answer(need, "")).unwrap().validation, Validation::Validated);
    assert_eq!(world.did(), Vec::<String>::new());
}

#[test]
fn with_the_page_left_there_is_no_doubt_any_more() {
    let steps = ["Click \"Send\"", "Open http://site.test/ and check that \"Sent\" is shown"];
    let (outcome, did) = go_on(&mut dead_after_send(start(&steps)).resume(Rules::default()));
    assert_eq!((ended(outcome), did), ((Status::Failure, Some(Code::ExpectationNotMet)), vec!["open".to_owned()]));
}

#[test]
fn a_persons_word_on_an_action_does_not_make_the_check_after_it_fail() {
    let begin = start(&["Click \"Send\" and check that \"Sent\" is shown"]);
    let mut script = cut_short(begin, &World::new(FORM), "click e2").resume(assuming(Assumption::Done));
    let (outcome, did) = go_on(&mut script);
    assert_eq!((ended(outcome), did), ((Status::Parked, Some(Code::OutcomeUnknown)), vec![]));
}

#[test]
fn what_held_before_the_action_does_not_show_that_it_was_done() {
    let begin = expecting(&["Click \"Send\""], "Check that \"Name\" is shown");
    let mut script = cut_short(begin, &World::new(FORM), "click e2").resume(Rules::default());
    let (outcome, did) = go_on(&mut script);
    assert_eq!((ended(outcome), did), ((Status::Parked, Some(Code::OutcomeUnknown)), vec![]));
}

#[test]
fn an_expectation_does_not_stand_for_deeds_that_are_left() {
    let begin = expecting(&["Click \"Send\" and click \"Again\""], SENT);
    let mut script = cut_short(begin, &World::new(FORM), "click e2").resume(Rules::default());
    let world = sent();
    let outcome = script.drive(|need| world.answer(need, "")).unwrap();
    assert_eq!((ended(outcome), world.did()), ((Status::Parked, Some(Code::OutcomeUnknown)), vec![]));
}

#[test]
fn checks_that_are_left_are_made() {
    for (check, status) in [("Name", Status::Success), ("Total", Status::Parked)] {
        let begin = expecting(&[&format!("Click \"Send\" and check that \"{check}\" is shown")], SENT);
        let mut script = cut_short(begin, &World::new(FORM), "click e2").resume(Rules::default());
        let world = sent();
        let outcome = script.drive(|need| world.answer(need, "")).unwrap();
        assert_eq!((outcome.status, world.did()), (status, vec![]), "{check}");
    }
}

#[test]
fn a_page_that_cannot_be_seen_is_no_verdict() {
    let mut script =
        cut_short(expecting(&["Click \"Send\""], SENT), &World::new(FORM), "click e2").resume(Rules::default());
    let world = World::new(FORM);
    let outcome = script.drive(|need| match need {
        Need::Observe(_) => {
            Some(NeedResult::Unobservable(ActionFailure::Timeout { what: "the page".into(), ms: 10_000 }))
        }
        need => world.answer(need, ""),
    });
    assert_eq!(ended(outcome.unwrap()), (Status::Parked, Some(Code::OutcomeUnknown)));
}

#[test]
fn what_may_be_done_twice_is_done_again_whatever_a_person_says() {
    let begin = start(&["Type \"Ada\" into \"Name\"", "Click \"Send\""]);
    let mut script = cut_short(begin, &World::new(FORM), "fill e1").resume(assuming(Assumption::Done));
    let (outcome, did) = go_on(&mut script);
    assert_eq!((outcome.status, did), (Status::Success, vec!["fill e1".to_owned(), "click e2".to_owned()]));
}

#[test]
fn a_model_is_told_that_the_page_was_loaded_anew() {
    let rules = Rules { model: Some(ModelRules::default()), ..Rules::default() };
    let mut begin = start(&["send the form"]);
    begin.task = true;
    let (world, mut clicked) = (World::new(FORM), false);
    let mut script = Script::begin(begin, rules.clone());
    script.drive(|need| match need {
        Need::Decide(_) if clicked => None,
        Need::Decide(_) => Some(reply(CLICK)),
        need => {
            clicked |= matches!(need, Need::Act(_));
            world.answer(need, "")
        }
    });
    let (mut script, mut told) = (script.resume(rules), false);
    script.drive(|need| {
        if let Need::Decide(request) = need {
            told |= request.messages.iter().any(|message| message.text.contains("page was reloaded"));
        }
        world.answer(need, "")
    });
    assert!(told);
}
