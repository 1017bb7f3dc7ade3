//! Runs that were cut short while a field was set, which may order at once: `<select onchange="this.form.submit()">`.

use std::time::Duration;

use legwork_agent::{Assumption, Need, NeedResult, Rules};
use legwork_protocol::{
    Action, ActionFailure, ActionResult, Code, CommandId, DialogInfo, DialogKind, EventKind, OnResume, PageEffect,
    PageLog, RequestLine, RunStart, Status, Step,
};

use crate::support::{Script, brief, done, page, start};

const SHOP: &str = "- textbox \"Note\" [ref=e1] [editable]\n- combobox \"Item\" [ref=e2]\n  - option \"-\"\n  - option \"Lamp\"\n\
     - checkbox \"Gift\" [ref=e3]\n- textbox \"City\" [ref=e4] [editable]\n- button \"Place order\" [ref=e5]";
const ORDER: &str = "http://site.test/order";

/// The inputs that may order at once, with their actions.
const INPUTS: [(&str, &str); 3] = [
    ("Type \"abc\" into \"Note\"", "fill e1"),
    ("Choose \"Lamp\" from \"Item\"", "select e2"),
    ("Tick \"Gift\"", "check e3"),
];

fn request(status: Option<u16>) -> PageEffect {
    PageEffect::Request {
        method: "POST".into(),
        url: ORDER.into(),
        status,
        failure: None,
        refusal: None,
        doubt: None,
        altered: Vec::new(),
        background: false,
        earlier: false,
    }
}

fn line(number: u64, method: &str, url: &str, kind: &str, status: Option<u16>) -> RequestLine {
    RequestLine {
        number,
        method: method.into(),
        url: url.into(),
        kind: kind.into(),
        status,
        media_type: None,
        duration: None,
        bytes: None,
        failure: None,
        tab: 1,
        at: "2026-01-01T00:00:00Z".parse().expect("a time"),
    }
}

fn log(command: CommandId, requests: Vec<RequestLine>) -> EventKind {
    EventKind::PageLog(PageLog { command_id: Some(command), requests, ..PageLog::default() })
}

fn last_command(script: &Script) -> CommandId {
    let command = script.journal.iter().rev().find_map(|event| match &event.kind {
        EventKind::CommandStarted { command_id, .. } => Some(*command_id),
        _ => None,
    });
    command.expect("an action began")
}

fn steps(input: &str, on_resume: Option<OnResume>, expect: Option<&str>) -> RunStart {
    let mut begin = start(&[input, "Click \"Place order\""]);
    begin.workflow.steps[0] = Step { on_resume, expect: expect.map(str::to_owned), ..begin.workflow.steps[0].clone() };
    begin
}

/// A shop that remembers what was done on it.
struct Shop {
    did: Vec<String>,
}

/// Runs a script on the shop; `result` answers an action, or ends the process.
fn drive(
    script: &mut Script,
    text: &str,
    mut result: impl FnMut(&Action) -> Option<ActionResult>,
) -> (Option<legwork_protocol::Outcome>, Vec<String>) {
    let mut shop = Shop { did: Vec::new() };
    let outcome = script.drive(|need| {
        Some(match need {
            Need::Observe(_) if shop.did.iter().any(|did| did == "check e3") => {
                NeedResult::Observed(page(&text.replace("[ref=e3]", "[ref=e3] [checked]")))
            }
            Need::Observe(_) => NeedResult::Observed(page(text)),
            Need::Act(intents) => {
                let action = &intents[0].action;
                let result = result(action)?;
                shop.did.push(brief(action));
                NeedResult::Acted(vec![result])
            }
            Need::Ask(_) => NeedResult::Unanswered,
            need => panic!("{need:?}"),
        })
    });
    (outcome, shop.did)
}

fn well(action: &Action) -> Option<ActionResult> {
    let element = match brief(action).split_once(' ').map(|(_, target)| target.to_owned()).as_deref() {
        Some("e1" | "role=textbox[name=\"Note\"]") => Some("textbox \"Note\""),
        Some("e2") => Some("combobox \"Item\""),
        Some("e3") => Some("checkbox \"Gift\""),
        Some("e4" | "role=textbox[name=\"City\"]") => Some("textbox \"City\""),
        _ => None,
    };
    Some(ActionResult { element: element.map(str::to_owned), ..done() })
}

/// How the input was interrupted.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cut {
    /// Legwork was killed; the journal contains nothing but the intent.
    Killed,
    /// Legwork was killed after the journal had recorded a request.
    KilledAfterRequest,
    /// The browser or the page was lost.
    Lost,
    /// The browser was lost after the page had sent a request.
    LostAfterRequest(Option<u16>),
}

fn interrupted(begin: RunStart, input: &str, cut: Cut) -> Script {
    let mut script = Script::begin(begin, Rules::default());
    let lost = |effects: Vec<PageEffect>| {
        let gone = ActionFailure::BrowserGone { reason: "it closed the connection".into() };
        Some(ActionResult { effects, ..ActionResult::unknown(gone, Duration::from_millis(5)) })
    };
    let (outcome, _) = drive(&mut script, SHOP, |action| match cut {
        _ if brief(action) != input => well(action),
        Cut::Killed | Cut::KilledAfterRequest => None,
        Cut::Lost => lost(Vec::new()),
        Cut::LostAfterRequest(status) => lost(vec![request(status)]),
    });
    assert_eq!(outcome.is_none(), matches!(cut, Cut::Killed | Cut::KilledAfterRequest), "{cut:?}");
    if cut == Cut::KilledAfterRequest {
        let command = last_command(&script);
        script.event(Some(0), log(command, vec![line(1, "POST", ORDER, "fetch", None)]));
    }
    script
}

const CUTS: [Cut; 5] =
    [Cut::Killed, Cut::KilledAfterRequest, Cut::Lost, Cut::LostAfterRequest(None), Cut::LostAfterRequest(Some(200))];

#[test]
fn an_input_without_an_observed_end_parks_and_is_repeated_only_if_it_was_not_done() {
    for (input, action) in INPUTS {
        for cut in CUTS {
            for (on_resume, expect) in [
                (None, None),
                (None, Some("\"Thank you\" is shown")),
                (Some(OnResume::Ask), None),
                (Some(OnResume::Ask), Some("\"Thank you\" is shown")),
                (Some(OnResume::Verify), None),
                (Some(OnResume::Verify), Some("\"Thank you\" is shown")),
            ] {
                let case = format!("{input}, {cut:?}, {on_resume:?}, {expect:?}");
                let is_known = !matches!(cut, Cut::Killed | Cut::Lost);
                let mut script = interrupted(steps(input, on_resume, expect), action, cut).resume(Rules::default());
                let (outcome, did) = drive(&mut script, SHOP, well);
                if on_resume.is_none() && !is_known {
                    // A page that sent nothing: the value is set again.
                    assert_eq!(did.first().map(String::as_str), Some(action), "{case}");
                    continue;
                }
                let outcome = outcome.expect("it ends");
                let code = outcome.error.map(|error| error.code);
                assert_eq!((outcome.status, code), (Status::Parked, Some(Code::OutcomeUnknown)), "{case}");
                assert!(did.is_empty(), "{case}: {did:?}");
                // It parks again until a person states the outcome.
                let mut script = script.resume(Rules::default());
                let (outcome, did) = drive(&mut script, SHOP, well);
                assert_eq!((outcome.map(|outcome| outcome.status), did), (Some(Status::Parked), Vec::new()), "{case}");
                let journal = script.journal.clone();
                for assume in [Assumption::Done, Assumption::NotDone] {
                    let mut begin = Script::begin(steps(input, on_resume, expect), Rules::default());
                    begin.journal.clone_from(&journal);
                    let mut script = begin.resume(Rules { assume: Some(assume), ..Rules::default() });
                    let (_, did) = drive(&mut script, SHOP, well);
                    let repeated = did.iter().filter(|did| *did == action).count();
                    assert_eq!(repeated, usize::from(assume == Assumption::NotDone), "{case}, {assume:?}: {did:?}");
                    let continues = assume == Assumption::Done || expect.is_none();
                    assert_eq!(did.iter().any(|did| did == "click e5"), continues, "{case}, {assume:?}: {did:?}");
                }
            }
        }
    }
}

#[test]
fn retry_repeats_an_input_and_an_accepted_request_shows_that_it_was_done() {
    for (input, action) in INPUTS {
        let retry = steps(input, Some(OnResume::Retry), None);
        let mut script = interrupted(retry, action, Cut::LostAfterRequest(None)).resume(Rules::default());
        assert_eq!(drive(&mut script, SHOP, well).1, [action, "click e5"]);
        for on_resume in [None, Some(OnResume::Ask), Some(OnResume::Verify)] {
            let mut script = interrupted(steps(input, on_resume, None), action, Cut::Lost);
            let command = last_command(&script);
            script.event(Some(0), log(command, vec![line(1, "POST", &order_of_page(), "fetch", Some(201))]));
            let mut script = script.resume(Rules::default());
            assert_eq!(drive(&mut script, SHOP, well).1, ["click e5"], "{input}, {on_resume:?}");
        }
    }
}

/// An address of the site of the test page.
fn order_of_page() -> String {
    format!("{}order", page(SHOP).url)
}

#[test]
fn a_request_that_the_page_sends_by_itself_does_not_stop_an_input_from_being_repeated() {
    let (input, action) = INPUTS[1];
    let mut script = Script::begin(steps(input, None, None), Rules::default());
    let mut poll = request(Some(200));
    if let PageEffect::Request { background, .. } = &mut poll {
        *background = true;
    }
    drive(&mut script, SHOP, |_| {
        let failed = ActionResult::unknown(ActionFailure::Crashed, Duration::from_millis(5));
        Some(ActionResult { effects: vec![poll.clone()], ..failed })
    });
    let command = last_command(&script);
    script.event(Some(0), log(command, vec![line(1, "POST", ORDER, "fetch", Some(200))]));
    let mut script = script.resume(Rules::default());
    assert_eq!(drive(&mut script, SHOP, well).1, [action, "click e5"]);
}

#[test]
fn opening_an_address_is_not_repeated_if_it_was_done() {
    for on_resume in [OnResume::Ask, OnResume::Verify] {
        let mut begin = start(&["Open http://site.test/order?item=Lamp", "Click \"Place order\""]);
        begin.workflow.steps[0].on_resume = Some(on_resume);
        let mut script = Script::begin(begin, Rules::default());
        assert_eq!(drive(&mut script, SHOP, |_| None).0, None);
        let mut script = script.resume(Rules::default());
        assert_eq!(drive(&mut script, SHOP, well).0.map(|outcome| outcome.status), Some(Status::Parked));
        let mut script = script.resume(Rules { assume: Some(Assumption::Done), ..Rules::default() });
        assert_eq!(drive(&mut script, SHOP, well).1, ["click e5"], "{on_resume:?}");
    }
    // Without a rule, an address is opened again.
    let mut script = Script::begin(start(&["Open http://site.test/"]), Rules::default());
    assert_eq!(drive(&mut script, SHOP, |_| None).0, None);
    let mut script = script.resume(Rules::default());
    assert_eq!(drive(&mut script, SHOP, well).1, ["open"]);
}

/// Runs the steps and ends the process in the last one. The action `sending` reports a request for a change.
fn cut_after_request(written: &[&str], sending: &str) -> Script {
    let mut script = Script::begin(start(written), Rules::default());
    let (outcome, _) = drive(&mut script, SHOP, |action| match brief(action) {
        name if name == sending => {
            well(action).map(|result| ActionResult { effects: vec![request(Some(200))], ..result })
        }
        name if name == "click e5" => None,
        _ => well(action),
    });
    assert_eq!(outcome, None);
    let rules = Rules { assume: Some(Assumption::NotDone), ..Rules::default() };
    script.resume(rules)
}

#[test]
fn a_field_that_was_sent_when_it_lost_the_focus_is_not_filled_in_again() {
    for (moving, sending) in [("Focus \"City\"", "focus e4"), ("Wait 2 seconds", "wait")] {
        let written = ["Type \"abc\" into \"Note\"", moving, "Click \"Place order\""];
        let mut script = cut_after_request(&written, sending);
        let (outcome, did) = drive(&mut script, SHOP, well);
        assert_eq!(outcome.map(|outcome| outcome.status), Some(Status::Success), "{moving}");
        assert_eq!(did, ["click e5"], "{moving}");
        let warned = script.told().iter().any(|line| line.contains("has sent the value of") && line.contains("Note"));
        assert!(warned, "{moving}: {:?}", script.told());
    }
    // Without a request it is filled in again.
    let written = ["Type \"abc\" into \"Note\"", "Focus \"City\"", "Click \"Place order\""];
    let mut script = cut_after_request(&written, "nothing");
    assert_eq!(drive(&mut script, SHOP, well).1, ["fill role=textbox[name=\"Note\"]", "click e5"]);
}

#[test]
fn a_person_decides_about_a_field_that_the_next_input_may_have_sent() {
    let written = ["Type \"abc\" into \"Note\"", "Type \"Oslo\" into \"City\"", "Click \"Place order\""];
    for assume in [None, Some(Assumption::Done), Some(Assumption::NotDone)] {
        // The answer about the click is used up; the next resume asks about the field.
        let mut script = cut_after_request(&written, "fill e4");
        let (outcome, did) = drive(&mut script, SHOP, well);
        assert_eq!((outcome.map(|outcome| outcome.status), did), (Some(Status::Parked), Vec::new()));
        let mut script = script.resume(Rules { assume, ..Rules::default() });
        let (outcome, did) = drive(&mut script, SHOP, well);
        let status = outcome.map(|outcome| outcome.status);
        match assume {
            None => assert_eq!((status, did), (Some(Status::Parked), Vec::new())),
            Some(Assumption::Done) => assert_eq!((status, did), (Some(Status::Success), vec!["click e5".to_owned()])),
            Some(Assumption::NotDone) => {
                let again = ["fill role=textbox[name=\"Note\"]", "click e5"].map(str::to_owned).to_vec();
                assert_eq!((status, did), (Some(Status::Success), again));
            }
        }
    }
}

/// Legwork was killed while the focus was moved, before a request could be recorded. Only the author of the field's
/// step knows that it sends something then.
#[test]
fn a_guarded_field_is_not_filled_in_again_without_a_question_if_the_loss_of_focus_was_not_observed() {
    for (on_resume, asks) in [(Some(OnResume::Ask), true), (Some(OnResume::Verify), true), (None, false)] {
        let mut begin = start(&["Type \"abc\" into \"Note\"", "Focus \"City\""]);
        begin.workflow.steps[0].on_resume = on_resume;
        let mut script = Script::begin(begin, Rules::default());
        let cut = drive(&mut script, SHOP, |action| (brief(action) != "focus e4").then(|| well(action)).flatten());
        assert_eq!(cut.0, None);
        let mut script = script.resume(Rules::default());
        let (outcome, did) = drive(&mut script, SHOP, well);
        if !asks {
            assert_eq!(did, ["fill role=textbox[name=\"Note\"]", "focus e4"]);
            continue;
        }
        assert_eq!((outcome.map(|outcome| outcome.status), did), (Some(Status::Parked), Vec::new()), "{on_resume:?}");
        let mut script = script.resume(Rules { assume: Some(Assumption::Done), ..Rules::default() });
        assert_eq!(drive(&mut script, SHOP, well).1, ["focus e4"]);
    }
}

/// Each question of a run is answered once, and the answers lead to its end.
#[test]
fn a_person_who_answers_every_question_with_done_ends_the_run() {
    let enter = "Type \"abc\" into \"Note\", press Enter and check that \"Thank you\" is shown";
    let both = "Click \"Place order\" and check that \"Thank you\" is shown";
    for (written, cut) in [(vec![enter], "press"), (vec![INPUTS[0].0, "Type \"Oslo\" into \"City\"", both], "click e5")]
    {
        let mut begin = start(&written);
        begin.workflow.steps.iter_mut().for_each(|step| step.on_resume = Some(OnResume::Ask));
        let mut script = Script::begin(begin, Rules::default());
        drive(&mut script, SHOP, |action| match brief(action) {
            name if name == cut => {
                let cancelled = ActionResult::unknown(ActionFailure::Cancelled, Duration::from_millis(5));
                Some(ActionResult { effects: vec![request(None)], ..cancelled })
            }
            name if name == "fill e4" => {
                well(action).map(|result| ActionResult { effects: vec![request(Some(200))], ..result })
            }
            _ => well(action),
        });
        let mut statuses = Vec::new();
        for _ in 0..3 {
            script = script.resume(Rules { assume: Some(Assumption::Done), ..Rules::default() });
            let (outcome, did) = drive(&mut script, SHOP, well);
            assert_eq!(did, Vec::<String>::new(), "{cut}");
            statuses.push(outcome.expect("it ends").status);
            if statuses.last() == Some(&Status::Success) {
                break;
            }
        }
        // The first answer is about the action, the second about the check that does not hold on the new page.
        assert_eq!(statuses, [Status::Parked, Status::Success], "{cut}");
    }
}

#[test]
fn a_dialog_that_was_answered_is_not_answered_again() {
    let confirmed = || {
        let dialog = DialogInfo { kind: DialogKind::Confirm, message: "Sure?".into(), accepted: Some(true) };
        Some(ActionResult { effects: vec![PageEffect::Dialog(dialog)], ..done() })
    };
    let mut begin = start(&["Click \"Place order\" and accept the dialog", "Type \"abc\" into \"Note\""]);
    begin.workflow.steps[0].on_resume = Some(OnResume::Ask);
    // Killed during the click.
    let mut script = Script::begin(begin.clone(), Rules::default());
    assert_eq!(drive(&mut script, SHOP, |_| None).0, None);
    let mut script = script.resume(Rules::default());
    assert_eq!(drive(&mut script, SHOP, well).0.map(|outcome| outcome.status), Some(Status::Parked));
    let mut script = script.resume(Rules { assume: Some(Assumption::Done), ..Rules::default() });
    let (outcome, did) = drive(&mut script, SHOP, well);
    assert_eq!((outcome.map(|outcome| outcome.status), did), (Some(Status::Success), vec!["fill e1".to_owned()]));
    // Killed after the click, before the dialog clause was passed.
    let mut script = Script::begin(begin, Rules::default());
    let mut has_clicked = false;
    let cut = script.drive(|need| match need {
        Need::Observe(_) if has_clicked => None,
        Need::Observe(_) => Some(NeedResult::Observed(page(SHOP))),
        Need::Act(_) => {
            has_clicked = true;
            Some(NeedResult::Acted(vec![confirmed()?]))
        }
        need => panic!("{need:?}"),
    });
    assert_eq!(cut, None);
    let mut script = script.resume(Rules::default());
    let (outcome, did) = drive(&mut script, SHOP, well);
    assert_eq!((outcome.map(|outcome| outcome.status), did), (Some(Status::Success), vec!["fill e1".to_owned()]));
}

/// A wizard whose second page is the answer to a form, or to which a redirect led; killed on that page.
fn killed_on_second_page(next: &[&str], requests: &[(&str, &str, u16)]) -> Script {
    const SECOND: &str = "http://site.test/second";
    let mut written = vec!["Type \"abc\" into \"Note\"", "Click \"Place order\""];
    written.extend(next);
    let mut script = Script::begin(start(&written), Rules::default());
    let mut has_left = false;
    let cut = script.drive(|need| match need {
        Need::Observe(_) if has_left => None,
        Need::Observe(_) => Some(NeedResult::Observed(page(SHOP))),
        Need::Act(intents) if brief(&intents[0].action) == "click e5" => {
            has_left = true;
            let to = SECOND.to_owned();
            let gone = PageEffect::Navigated { from: "a".into(), to, status: Some(200), status_unknown: false };
            Some(NeedResult::Acted(vec![ActionResult { effects: vec![gone], ..done() }]))
        }
        Need::Act(intents) => Some(NeedResult::Acted(vec![well(&intents[0].action)?])),
        need => panic!("{need:?}"),
    });
    assert_eq!(cut, None);
    let command = last_command(&script);
    let lines =
        (1..).zip(requests).map(|(number, (method, url, status))| line(number, method, url, "document", Some(*status)));
    script.event(Some(1), log(command, lines.collect()));
    script
}

#[test]
fn a_page_that_was_the_answer_to_a_form_is_not_loaded_again_by_its_address() {
    const SECOND: &str = "http://site.test/second";
    let posted = [("POST", SECOND, 200)];
    for assume in [None, Some(Assumption::Done), Some(Assumption::NotDone)] {
        let script = killed_on_second_page(&["Type \"Oslo\" into \"City\""], &posted);
        let mut script = script.resume(Rules { assume, ..Rules::default() });
        assert!(!script.run.restores_page());
        let (outcome, did) = drive(&mut script, SHOP, well);
        let outcome = outcome.expect("it ends");
        let error = outcome.error.expect("it says why");
        assert_eq!((outcome.status, error.code, did), (Status::Error, Code::PageNotRestorable, Vec::new()));
        assert!(error.message.contains("POST http://site.test/second"), "{}", error.message);
        assert!(error.suggested_action.contains("again from step 1"), "{}", error.suggested_action);
    }
    // If only checks are left, a person may state that it is done: nothing can be sent.
    let mut script = killed_on_second_page(&["Check that \"Thank you\" is shown"], &posted).resume(Rules::default());
    let (outcome, did) = drive(&mut script, SHOP, well);
    assert_eq!((outcome.map(|outcome| outcome.status), did), (Some(Status::Parked), Vec::new()));
    let mut script = script.resume(Rules { assume: Some(Assumption::Done), ..Rules::default() });
    let (outcome, did) = drive(&mut script, SHOP, well);
    assert_eq!((outcome.map(|outcome| outcome.status), did), (Some(Status::Success), Vec::new()));
    // A step that opens another page needs none.
    let script = killed_on_second_page(&["Open http://site.test/", "Click \"Place order\""], &posted);
    let mut script = script.resume(Rules::default());
    let (outcome, did) = drive(&mut script, SHOP, well);
    let outcome = outcome.expect("it ends");
    assert_eq!((outcome.status, did), (Status::Success, vec!["open".into(), "click e5".into()]), "{:?}", outcome.error);
    // The usual form redirects to a page that its address leads to.
    let redirected = [("POST", "http://site.test/send", 303), ("GET", SECOND, 200)];
    let script = killed_on_second_page(&["Type \"Oslo\" into \"City\""], &redirected);
    let mut script = script.resume(Rules::default());
    assert!(script.run.restores_page());
    assert_eq!(drive(&mut script, SHOP, well).1, ["fill e4"]);
}

/// The site redirected the form to a page that cannot be loaded: nobody knows whether it accepted the form.
#[test]
fn a_redirect_to_a_page_that_cannot_be_loaded_does_not_show_that_a_form_was_accepted() {
    let mut begin = start(&["Click \"Place order\"", "Type \"abc\" into \"Note\""]);
    for on_resume in [None, Some(OnResume::Ask), Some(OnResume::Verify)] {
        begin.workflow.steps[0].on_resume = on_resume;
        let mut script = Script::begin(begin.clone(), Rules::default());
        drive(&mut script, SHOP, |_| {
            let (url, reason) = ("http://site.test/loop".to_owned(), "net::ERR_TOO_MANY_REDIRECTS".to_owned());
            Some(ActionResult::unknown(ActionFailure::Unreachable { url, reason }, Duration::from_millis(5)))
        });
        let command = last_command(&script);
        script.event(Some(0), log(command, vec![line(1, "POST", &order_of_page(), "document", Some(303))]));
        let mut script = script.resume(Rules::default());
        let (outcome, did) = drive(&mut script, SHOP, well);
        assert_eq!((outcome.map(|outcome| outcome.status), did), (Some(Status::Parked), Vec::new()), "{on_resume:?}");
    }
}
