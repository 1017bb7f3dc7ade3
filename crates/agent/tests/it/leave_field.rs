//! A run that ends in a field leaves it before its page is closed, and what the page does then is part of the outcome.

use std::time::Duration;

use legwork_agent::{ModelRules, Need, NeedResult, Rules};
use legwork_protocol::{
    Action, ActionFailure, ActionResult, Outcome, PageEffect, Purpose, RunStart, Status, Validation,
};

use crate::support::*;

const FIELD: &str = "- textbox \"Name\" [ref=e1] [editable] [focused]\n- button \"Save\" [ref=e2]\n";
const LEFT: &str = "- textbox \"Name\" [ref=e1] [editable]\n- button \"Save\" [ref=e2]\n";

fn closing() -> Rules {
    Rules { closes_page: true, ..Rules::default() }
}

/// Runs on a page that shows `left` once its field is left, which answers with `result`; tells the names of what was
/// done.
fn play(begin: RunStart, rules: Rules, left: &str, result: &ActionResult) -> (Outcome, Vec<&'static str>) {
    play_on(FIELD, begin, rules, left, result)
}

fn play_on(
    field: &str,
    begin: RunStart,
    rules: Rules,
    left: &str,
    result: &ActionResult,
) -> (Outcome, Vec<&'static str>) {
    let (before, after) = (page(field), page(left));
    let (mut done_so_far, mut is_left) = (Vec::new(), false);
    let outcome = Script::begin(begin, rules).drive(|need| {
        Some(match need {
            Need::Observe(_) => NeedResult::Observed(if is_left { after.clone() } else { before.clone() }),
            Need::Act(intents) => NeedResult::Acted(
                intents
                    .iter()
                    .map(|intent| {
                        done_so_far.push(intent.action.name());
                        is_left |= matches!(intent.action, Action::Blur(_));
                        let result = if is_left { result.clone() } else { done() };
                        ActionResult { url: before.url.clone(), ..result }
                    })
                    .collect(),
            ),
            other => panic!("not needed: {other:?}"),
        })
    });
    (outcome.expect("it ends"), done_so_far)
}

fn refused() -> ActionResult {
    let request = PageEffect::Request {
        method: "POST".into(),
        url: "http://site.test/name".into(),
        status: Some(500),
        failure: None,
        refusal: None,
        doubt: None,
        altered: Vec::new(),
        background: false,
        earlier: false,
    };
    ActionResult { effects: vec![request], ..done() }
}

fn changed() -> ActionResult {
    let failure = ActionFailure::ValueDiffers {
        target: "textbox \"Name\"".into(),
        expected: Some("Ada".into()),
        actual: Some("ADA".into()),
    };
    ActionResult::failed(failure, Duration::from_millis(5))
}

#[test]
fn a_run_that_ends_in_a_field_leaves_it() {
    let (outcome, did) = play(start(&["Type \"Ada\" into \"Name\""]), closing(), LEFT, &done());
    assert_eq!(did, ["fill", "blur"]);
    assert_eq!((outcome.status, outcome.validation), (Status::Success, Validation::Validated));
}

#[test]
fn an_editor_that_goes_with_its_value_leaves_the_run_unvalidated() {
    let field = "- textbox \"Name\" [ref=e1] [editable] [focused]: Ada\n";
    let stale = ActionResult::failed(ActionFailure::StaleRef { target: "e1".into() }, Duration::from_millis(5));
    for (left, result, expected) in [
        ("- text: Ada L.\n", done(), Validation::Validated),
        ("- text: Bob\n", done(), Validation::Unvalidated),
        ("- text: Ada\n", stale.clone(), Validation::Validated),
        ("- text: Bob\n", stale, Validation::Unvalidated),
    ] {
        let start = start(&["Type \"Ada\" into \"Name\""]);
        let (outcome, _) = play_on(field, start, closing(), left, &result);
        assert_eq!((outcome.status, outcome.validation), (Status::Success, expected), "{left}");
    }
}

#[test]
fn a_field_is_left_after_the_checks_that_end_a_run() {
    let check = "Check that \"Name\" is \"Ada\"";
    let (outcome, did) = play(start(&["Type \"Ada\" into \"Name\"", check]), closing(), LEFT, &refused());
    assert_eq!(did, ["fill", "blur"]);
    assert_eq!(outcome.status, Status::Failure, "what was filled in before the check was not saved");
}

#[test]
fn a_field_is_left_alone_where_the_page_stays_or_something_follows() {
    let (_, did) = play(start(&["Type \"Ada\" into \"Name\""]), Rules::default(), LEFT, &done());
    assert_eq!(did, ["fill"], "whoever lends the page may go on in the field");
    let (_, did) = play(start(&["Type \"Ada\" into \"Name\" and press Enter"]), closing(), LEFT, &done());
    assert_eq!(did, ["fill", "press"]);
    let (_, did) = play(start(&["Type \"Ada\" into \"Name\"", "Click \"Save\""]), closing(), LEFT, &done());
    assert_eq!(did, ["fill", "click"]);
}

#[test]
fn what_the_server_refuses_when_the_field_is_left_fails_the_run() {
    let (outcome, _) = play(start(&["Type \"Ada\" into \"Name\""]), closing(), LEFT, &refused());
    assert_eq!((outcome.status, outcome.validation), (Status::Failure, Validation::Rejected));
    assert!(outcome.error.expect("it says why").message.contains("500"));
}

#[test]
fn a_value_that_the_page_changes_when_its_field_is_left_fails_the_run() {
    let (outcome, _) = play(start(&["Type \"Ada\" into \"Name\""]), closing(), LEFT, &changed());
    assert_eq!((outcome.status, outcome.validation), (Status::Failure, Validation::Rejected));
    let message = outcome.error.expect("it says why").message;
    assert!(message.contains("\"ADA\" instead of \"Ada\"") && message.contains("left"), "{message}");
}

#[test]
fn a_field_that_went_away_needs_no_leaving() {
    let failure = ActionFailure::StaleRef { target: "e1".into() };
    let gone = ActionResult::failed(failure, Duration::from_millis(5));
    let (outcome, did) = play(start(&["Type \"Ada\" into \"Name\""]), closing(), LEFT, &gone);
    assert_eq!((outcome.status, did.as_slice()), (Status::Success, &["fill", "blur"][..]));
}

#[test]
fn a_page_that_breaks_as_its_field_is_left_is_no_success() {
    let failure =
        ActionFailure::Unreachable { url: "http://gone.test/".into(), reason: "ERR_CONNECTION_REFUSED".into() };
    let broken = ActionResult::failed(failure, Duration::from_millis(5));
    let (outcome, _) = play(start(&["Type \"Ada\" into \"Name\""]), closing(), LEFT, &broken);
    assert_ne!(outcome.status, Status::Success);
}

#[test]
fn a_model_is_told_what_came_of_leaving_and_its_claims_do_not_count() {
    let (before, after) = (page(FIELD), page(LEFT));
    let (mut asked, mut prompts, mut is_left) = (0, Vec::new(), false);
    let begin = RunStart { task: true, ..start(&["Enter the name Ada"]) };
    let rules = Rules { model: Some(ModelRules::default()), ..closing() };
    let outcome = Script::begin(begin, rules).drive(|need| {
        Some(match need {
            Need::Observe(_) => NeedResult::Observed(if is_left { after.clone() } else { before.clone() }),
            Need::Decide(request) if request.purpose != Purpose::Act => reply("{}"),
            Need::Decide(request) => {
                prompts.push(request.messages.iter().map(|message| &*message.text).collect::<String>());
                asked += 1;
                reply(match asked {
                    1 => "{\"decision\":\"PROCEED\",\"message\":\"\",\"commands\":[\"fill e1 \\\"Ada\\\"\"]}",
                    _ => "{\"decision\":\"PROCEED\",\"message\":\"it is entered\",\"commands\":[]}",
                })
            }
            Need::Act(intents) => {
                is_left |= intents.iter().any(|intent| matches!(intent.action, Action::Blur(_)));
                let result = if is_left { changed() } else { done() };
                NeedResult::Acted(vec![ActionResult { url: before.url.clone(), ..result }])
            }
            other => panic!("not needed: {other:?}"),
        })
    });
    let outcome = outcome.expect("it ends");
    assert_eq!((outcome.status, outcome.validation), (Status::Failure, Validation::Rejected), "{outcome:?}");
    assert!(prompts.iter().any(|prompt| prompt.contains("ADA")), "{prompts:#?}");
}

#[test]
fn a_run_that_was_cut_short_while_it_left_its_field_goes_on() {
    let mut script = Script::begin(start(&["Type \"Ada\" into \"Name\""]), closing());
    let shown = page(FIELD);
    let world = |need: &Need, survives: bool| match need {
        Need::Observe(_) => Some(NeedResult::Observed(shown.clone())),
        Need::Act(intents) if survives || !matches!(intents[0].action, Action::Blur(_)) => {
            Some(NeedResult::Acted(vec![ActionResult { url: shown.url.clone(), ..done() }]))
        }
        _ => None,
    };
    assert_eq!(script.drive(|need| world(need, false)), None);
    let outcome = script.resume(closing()).drive(|need| world(need, true)).expect("it ends");
    assert_eq!(outcome.status, Status::Success);
}
