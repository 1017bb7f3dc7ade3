//! What contradicting facts make of steps and tasks.

use std::sync::Arc;

use legwork_agent::{EvidenceRule, ModelRules, Need, NeedResult, Rules};
use legwork_observe::Snapshot;
use legwork_protocol::{
    Action, ActionFailure, ActionResult, Code, Event, EventKind, Outcome, PageEffect, Polarity, Purpose, RunStart,
    Status, Step, StepResult, Validation,
};

use crate::{
    model::{CLICK, DONE},
    support::{Script, done, page, reply, start},
};

const FORM: &str = "- textbox \"User name\" [ref=e1]\n- textbox \"Password\" [ref=e2] [type=password] [secret]\n- button \"Log in\" [ref=e3]\n";
const REFUSED: &str = "- alert\n  - text \"Login failed.\"\n- textbox \"User name\" [ref=e1]\n- textbox \"Password\" [ref=e2] [type=password] [secret]\n- button \"Log in\" [ref=e3]\n";
const HOME: &str = "- heading \"Orders\"\n- link \"Log out\" [ref=e7]\n";
const LOG_IN: &str = "Log in as \"alice\" with password \"wrong\"";

/// A site that answers the click on `Log in` or `Send` with this status and page.
fn play(begin: RunStart, rules: Rules, status: u16, after: &str) -> (Outcome, Vec<StepResult>) {
    let (before, after) = (page(FORM), page(after));
    let mut sent = false;
    let mut script = Script::begin(begin, rules);
    let outcome = script.drive(|need| {
        Some(match need {
            Need::Observe(_) => NeedResult::Observed(if sent { after.clone() } else { before.clone() }),
            Need::Act(intents) => NeedResult::Acted(
                intents
                    .iter()
                    .map(|intent| {
                        let clicks = matches!(intent.action, Action::Click(_));
                        sent |= clicks;
                        let effects = if clicks { vec![answer(status)] } else { Vec::new() };
                        ActionResult { effects, url: before.url.clone(), ..done() }
                    })
                    .collect(),
            ),
            other => panic!("not needed: {other:?}"),
        })
    });
    (outcome.expect("it ends"), results(&script.journal))
}

fn answer(status: u16) -> PageEffect {
    PageEffect::Request {
        method: "POST".into(),
        url: "http://site.test/session".into(),
        status: Some(status),
        failure: None,
        refusal: None,
        doubt: None,
        altered: Vec::new(),
        background: false,
        earlier: false,
    }
}

fn results(journal: &[Event]) -> Vec<StepResult> {
    let result = |event: &Event| match &event.kind {
        EventKind::StepCompleted(result) | EventKind::StepFailed(result) => Some(result.clone()),
        _ => None,
    };
    journal.iter().filter_map(result).collect()
}

fn polarities(result: &StepResult, polarity: Polarity) -> Vec<&str> {
    result.evidence.iter().filter(|fact| fact.polarity == polarity).map(|fact| fact.fact.as_str()).collect()
}

fn expecting(expect: &str) -> RunStart {
    let mut begin = start(&[LOG_IN]);
    begin.workflow.steps[0].expect = Some(expect.into());
    begin
}

#[test]
fn a_refused_login_fails_its_step() {
    let (outcome, steps) = play(start(&[LOG_IN]), Rules::default(), 401, REFUSED);
    assert_eq!((outcome.status, outcome.validation), (Status::Failure, Validation::Rejected));
    let error = outcome.error.expect("it says why");
    assert_eq!(error.code, Code::Contradicted);
    assert!(error.message.contains("Login failed."), "{}", error.message);
    assert!(error.suggested_action.contains("expect: '\"Login failed.\" is shown'"), "{}", error.suggested_action);
    let against = polarities(&steps[0], Polarity::Contradicting).join("\n");
    assert!(against.contains("answered 401") && against.contains("Login failed."), "{against}");
}

#[test]
fn a_login_whose_page_is_left_is_validated() {
    let (outcome, steps) = play(start(&[LOG_IN]), Rules::default(), 200, HOME);
    assert_eq!((outcome.status, outcome.validation), (Status::Success, Validation::Validated));
    assert!(steps[0].evidence.iter().any(|fact| fact.fact == "the page offers link \"Log out\""), "{steps:?}");
}

#[test]
fn an_expectation_of_the_refusal_makes_it_what_was_asked_for() {
    let (outcome, steps) = play(expecting("\"Login failed.\" is shown"), Rules::default(), 401, REFUSED);
    assert_eq!((outcome.status, outcome.validation), (Status::Success, Validation::Validated));
    assert!(polarities(&steps[0], Polarity::Contradicting).is_empty(), "never under a success: {steps:?}");
    let (outcome, _) =
        play(start(&[&format!("{LOG_IN} and check that \"Login failed.\" is shown")]), Rules::default(), 401, REFUSED);
    assert_eq!((outcome.status, outcome.validation), (Status::Success, Validation::Validated));
}

#[test]
fn an_expectation_of_something_else_does_not_outweigh_a_refusal() {
    let (outcome, _) = play(expecting("the button \"Log in\" is shown"), Rules::default(), 401, REFUSED);
    assert_eq!((outcome.status, outcome.validation), (Status::Failure, Validation::Rejected));
    let (outcome, _) = play(expecting("\"Welcome\" is not shown"), Rules::default(), 401, REFUSED);
    assert_eq!(outcome.status, Status::Failure);
}

#[test]
fn a_next_step_that_checks_the_refusal_is_reached() {
    let check = "Check that \"Login failed.\" is shown";
    let (outcome, steps) = play(start(&[LOG_IN, check]), Rules::default(), 401, REFUSED);
    assert_eq!(outcome.status, Status::Success);
    // Nothing shows that the first step did what it says.
    assert_eq!((steps[0].validation, outcome.validation), (Validation::Unvalidated, Validation::Unvalidated));
    let (outcome, steps) = play(start(&[LOG_IN, "Check that \"Welcome\" is shown"]), Rules::default(), 401, REFUSED);
    assert_eq!((outcome.status, steps.len()), (Status::Failure, 1));
}

#[test]
fn no_action_follows_a_refused_one_in_the_same_step() {
    let (outcome, steps) = play(start(&[&format!("{LOG_IN}, then click \"Log in\"")]), Rules::default(), 401, REFUSED);
    assert_eq!(outcome.status, Status::Failure);
    assert_eq!(steps[0].iterations, 1);
}

#[test]
fn each_rule_can_be_switched_off_alone() {
    let rules = Rules { disabled_evidence: EvidenceRule::ALL.to_vec(), ..Rules::default() };
    let (outcome, _) = play(start(&[LOG_IN]), rules, 401, REFUSED);
    assert_eq!((outcome.status, outcome.validation), (Status::Success, Validation::Unvalidated));
}

/// A model that decides these replies, the last for ever, on a form whose server answers these statuses, the last for
/// ever.
fn model(expect: Option<&str>, replies: &[&str], statuses: &[u16]) -> (Outcome, Vec<String>) {
    let form = |status: Option<u16>| -> Arc<Snapshot> {
        page(match status {
            None => "- button \"Send\" [ref=e2]\n- link \"Help\" [ref=e3]\n",
            Some(status) if status < 400 => {
                "- button \"Send\" [ref=e2]\n- link \"Help\" [ref=e3]\n- status\n  - text \"Sent\"\n"
            }
            Some(_) => {
                "- button \"Send\" [ref=e2]\n- link \"Help\" [ref=e3]\n- status\n  - text \"Not sent: the address is invalid\"\n"
            }
        })
    };
    let (mut asked, mut prompts, mut sent) = (0, Vec::new(), 0);
    let mut begin = RunStart { task: true, ..start(&["Send the form"]) };
    begin.workflow.steps[0].expect = expect.map(str::to_owned);
    let mut script = Script::begin(begin, Rules { model: Some(ModelRules::default()), ..Rules::default() });
    let outcome = script.drive(|need| {
        Some(match need {
            Need::Observe(_) => {
                NeedResult::Observed(form((sent > 0).then(|| statuses[(sent - 1).min(statuses.len() - 1)])))
            }
            // What is thought besides the next action is another matter.
            Need::Decide(request) if request.purpose != Purpose::Act => reply("{}"),
            Need::Decide(request) => {
                prompts
                    .push(request.messages.iter().map(|message| message.text.clone()).collect::<Vec<_>>().join("\n"));
                asked += 1;
                reply(replies[(asked - 1).min(replies.len() - 1)])
            }
            Need::Act(intents) => NeedResult::Acted(
                intents
                    .iter()
                    .map(|intent| {
                        let sends = intent.action.target().is_some_and(|target| target.0 == "e2");
                        sent += usize::from(sends);
                        let effects =
                            if sends { vec![answer(statuses[(sent - 1).min(statuses.len() - 1)])] } else { vec![] };
                        ActionResult { effects, url: "http://site.test/".into(), ..done() }
                    })
                    .collect(),
            ),
            other => panic!("not needed: {other:?}"),
        })
    });
    (outcome.expect("it ends"), prompts)
}

#[test]
fn a_model_that_always_claims_success_is_rejected_after_three_claims() {
    let (outcome, prompts) = model(None, &[CLICK, DONE], &[422]);
    assert_eq!((outcome.status, outcome.validation), (Status::Failure, Validation::Rejected));
    assert_eq!(outcome.error.map(|error| error.code), Some(Code::Contradicted));
    assert_eq!(prompts.len(), 4, "one action and three claims");
    assert!(prompts[1].contains("contradicts the success: "), "{}", prompts[1]);
    assert!(prompts[2].contains("said it was done, but: "), "{}", prompts[2]);
}

#[test]
fn a_model_that_mends_the_cause_is_done() {
    let (outcome, _) = model(None, &[CLICK, CLICK, DONE], &[422, 200]);
    // Nobody checked the claim itself; nothing speaks against it any more.
    assert_eq!((outcome.status, outcome.validation), (Status::Success, Validation::Unvalidated));
}

#[test]
fn a_model_may_do_what_is_expected_to_be_refused() {
    let (outcome, _) = model(Some("\"Not sent: the address is invalid\" is shown"), &[CLICK, DONE], &[422]);
    assert_eq!((outcome.status, outcome.validation), (Status::Success, Validation::Validated));
    let (outcome, _) = model(Some("the button \"Send\" is shown"), &[CLICK, DONE], &[422]);
    assert_eq!((outcome.status, outcome.validation), (Status::Failure, Validation::Rejected));
}

#[test]
fn an_unrelated_action_does_not_outweigh_a_refusal() {
    let help = CLICK.replace("\"e2\"", "\"e3\"");
    let (outcome, _) = model(None, &[CLICK, &help, DONE], &[422]);
    assert_eq!((outcome.status, outcome.validation), (Status::Failure, Validation::Rejected));
}

/// The process died after the server's refusal was on record and before the page was looked at.
#[test]
fn a_refusal_on_record_is_not_forgotten_by_a_resume() {
    let mut begin = start(&[LOG_IN]);
    begin.workflow.steps.push(Step::new("Click \"Next\""));
    let (before, after) = (page(FORM), page(HOME));
    let mut sent = false;
    let mut script = Script::begin(begin, Rules::default());
    let cut = script.drive(|need| match need {
        Need::Observe(_) => (!sent).then(|| NeedResult::Observed(before.clone())),
        Need::Act(intents) => Some(NeedResult::Acted(
            intents
                .iter()
                .map(|intent| {
                    let clicks = matches!(intent.action, Action::Click(_));
                    sent |= clicks;
                    let effects = if clicks { vec![answer(401)] } else { Vec::new() };
                    ActionResult { effects, url: before.url.clone(), ..done() }
                })
                .collect(),
        )),
        other => panic!("not needed: {other:?}"),
    });
    assert_eq!(cut, None);
    let mut script = script.resume(Rules::default());
    let outcome = script.drive(|need| {
        Some(match need {
            Need::Observe(_) => NeedResult::Observed(after.clone()),
            Need::Act(intents) => NeedResult::Acted(intents.iter().map(|_| done()).collect()),
            other => panic!("not needed: {other:?}"),
        })
    });
    let outcome = outcome.expect("it ends");
    assert_eq!((outcome.status, outcome.validation), (Status::Failure, Validation::Rejected));
}

/// A model whose click on `Send` fails each time.
#[test]
fn a_model_that_claims_success_after_its_action_failed_is_rejected() {
    let play = |replies: &[&str]| {
        let mut asked = 0;
        let mut script = Script::begin(
            RunStart { task: true, ..start(&["Send the form"]) },
            Rules { model: Some(ModelRules::default()), ..Rules::default() },
        );
        let outcome = script.drive(|need| {
            Some(match need {
                Need::Observe(_) => {
                    NeedResult::Observed(page("- button \"Send\" [ref=e2]\n- textbox \"Name\" [ref=e3]\n"))
                }
                Need::Decide(request) if request.purpose != Purpose::Act => reply("{}"),
                Need::Decide(_) => {
                    asked += 1;
                    reply(replies[(asked - 1).min(replies.len() - 1)])
                }
                Need::Act(intents) => NeedResult::Acted(
                    intents
                        .iter()
                        .map(|intent| match intent.action {
                            Action::Click(_) => {
                                let disabled = ActionFailure::Disabled { target: "e2".into() };
                                ActionResult::failed(disabled, std::time::Duration::ZERO)
                            }
                            _ => done(),
                        })
                        .collect(),
                ),
                other => panic!("not needed: {other:?}"),
            })
        });
        outcome.expect("it ends")
    };
    let outcome = play(&[CLICK, DONE]);
    assert_eq!((outcome.status, outcome.validation), (Status::Failure, Validation::Rejected));
    assert!(outcome.error.expect("it says why").message.contains("click failed: "));
    // Who looked again after the failure may know better.
    let read =
        CLICK.replace(r#"{"action":"click","parameters":{"target":"e2"}}"#, r#"{"action":"read","parameters":{}}"#);
    assert_eq!(play(&[CLICK, &read, DONE]).status, Status::Success);
}

/// The validation of a run whose actions the server accepts. The page changes from `before` to `after` with the action;
/// the first `delay` observations of it still show `before`.
fn accepted(begin: RunStart, before: &Arc<Snapshot>, after: &Arc<Snapshot>, delay: u32) -> Validation {
    let (mut sent, mut looks) = (false, 0);
    let mut script = Script::begin(begin, Rules::default());
    let outcome = script.drive(|need| {
        Some(match need {
            Need::Observe(_) => {
                looks += u32::from(sent);
                NeedResult::Observed(if looks > delay { after.clone() } else { before.clone() })
            }
            Need::Act(intents) => {
                sent = true;
                let acted = |_| ActionResult { effects: vec![answer(200)], url: before.url.clone(), ..done() };
                NeedResult::Acted(intents.iter().map(acted).collect())
            }
            other => panic!("not needed: {other:?}"),
        })
    });
    let outcome = outcome.expect("it ends");
    assert_eq!(outcome.status, Status::Success, "{:?}", outcome.error);
    outcome.validation
}

/// A check of the next step counts like one in `expect`, whatever the page shows besides.
#[test]
fn a_check_that_the_action_made_true_validates_a_step_whose_effect_is_unclear() {
    let table = |status: &str| {
        page(&format!(
            "- table\n  - row\n    - columnheader \"Room\"\n    - columnheader \"Status\"\n  - row\n    - cell \"215\"\n    - cell {status:?}\n    - cell\n      - button \"Mark clean\" [ref=e3]\n"
        ))
    };
    let run = |next: &str| {
        let begin = start(&["Click \"Mark clean\" in the row of \"215\"", next]);
        accepted(begin, &table("Dirty"), &table("Clean, no guest"), 0)
    };
    assert_eq!(run("Check that the status of \"215\" is \"Clean, no guest\""), Validation::Validated);
    assert_eq!(run("Check that the row of \"215\" contains \"Clean\""), Validation::Unvalidated, "the button does");
    assert_eq!(run("Check that \"215\" is shown"), Validation::Unvalidated, "it was shown before");
}

/// The validation of a run that clicks `Post` and then does `next`. The page shows the text `later` only after the
/// click was assessed.
fn posted(next: &str, expect: Option<&str>, later: &str) -> Validation {
    let form = "- text \"Legend: Posted\"\n- button \"Post\" [ref=e3]\n";
    let mut begin = start(&["Click \"Post\"", next]);
    begin.workflow.steps[0].expect = expect.map(str::to_owned);
    accepted(begin, &page(form), &page(&format!("{form}{later}")), 1)
}

#[test]
fn a_check_validates_a_step_without_a_visible_effect_only_if_it_did_not_hold_before() {
    let receipt = "- text \"Receipt 81\"\n";
    assert_eq!(posted("Check that \"Receipt 81\" is shown", None, receipt), Validation::Validated);
    assert_eq!(posted("Check that \"Posted\" is shown", None, receipt), Validation::Unvalidated);
    assert_eq!(posted("Check that \"Receipt 81\" is not shown", None, ""), Validation::Unvalidated);
    let shown = "Check that \"Receipt 81\" is shown";
    assert_eq!(posted(shown, Some("\"Posted\" is shown"), receipt), Validation::Validated, "the next step shows it");
}

/// Opens an address that leads to a log-in form, and logs in there.
fn start_page(begin: RunStart, status: u16, notice: &str) -> Outcome {
    let form = Arc::new(Snapshot {
        url: "http://site.test/login".into(),
        ..Snapshot::clone(&page(&format!("- heading \"Sign in\"\n{notice}\n{FORM}")))
    });
    let after = page("- link \"Log out\" [ref=e9]\n- heading \"Orders\"");
    let mut sent = false;
    let mut script = Script::begin(begin, Rules::default());
    let outcome = script.drive(|need| {
        Some(match need {
            Need::Observe(_) => NeedResult::Observed(if sent { after.clone() } else { form.clone() }),
            Need::Act(intents) => NeedResult::Acted(
                intents
                    .iter()
                    .map(|intent| {
                        sent |= matches!(intent.action, Action::Click(_));
                        let opened = PageEffect::Navigated {
                            from: "about:blank".into(),
                            to: form.url.clone(),
                            status: Some(status),
                            status_unknown: false,
                        };
                        let opens = matches!(intent.action, Action::Open(_));
                        ActionResult { effects: opens.then_some(opened).into_iter().collect(), ..done() }
                    })
                    .collect(),
            ),
            other => panic!("not needed: {other:?}"),
        })
    });
    outcome.expect("it ends")
}

#[test]
fn a_start_page_that_asks_to_sign_in_is_open_and_the_next_steps_sign_in() {
    let url = || Some("http://site.test/orders".to_owned());
    let log_in = "Log in as \"alice\" with password \"right\"";
    for (status, notice) in [
        (200, "- status\n  - text \"Please sign in\""),
        (200, "- alert\n  - text \"Your session has expired\""),
        (200, "- heading \"You must sign in to continue\""),
        (401, ""),
    ] {
        let mut begin = start(&[log_in]);
        begin.workflow.url = url();
        let outcome = start_page(begin, status, notice);
        assert_eq!(outcome.status, Status::Success, "{notice}: {:?}", outcome.error);
        let outcome = start_page(start(&["Open http://site.test/orders", log_in]), status, notice);
        assert_eq!(outcome.status, Status::Success, "first step, {notice}: {:?}", outcome.error);
    }
    // Nothing follows that could sign in, or the page refuses something else.
    let alone = start_page(start(&["Open http://site.test/orders"]), 200, "- status\n  - text \"Please sign in\"");
    assert_eq!(alone.validation, Validation::Rejected);
    let mut begin = start(&[log_in]);
    begin.workflow.url = url();
    assert_eq!(start_page(begin.clone(), 500, "").validation, Validation::Rejected);
    assert_eq!(start_page(begin, 200, "- heading \"Page not found\"").validation, Validation::Rejected);
}
