//! What is thought besides the next action: plans, reviews of the answer, reflections, budgets told, phases.

mod guarded;
mod phases;
mod planned;
mod reflected;
mod reviewed;

use legwork_agent::{InvestigationMode, InvestigationRules, ModelRules, Need, NeedResult, Rules};
use legwork_protocol::{
    ActionFailure, ActionResult, Code, ModelFailure, Outcome, Purpose,
    Purpose::{Act, Plan, Reflect, Validate},
    RunStart,
};

use crate::{
    model::{CLICK, DONE},
    support::{Script, done, page, reply, start},
};

/// Long enough to be planned.
const GOAL: &str = "Find out which of the ferries from Kirkholm to Sandvik is the cheapest next Friday for two people \
                    with a car, and tell me its name and price.";

const PLAN: &str = r#"{"successCriteria":"The answer names the ferry and its price.","plan":"Send the form, then read the list.","actionItems":["Send the form","Read the cheapest price"],"startUrl":null}"#;

const FORM: &str = "- textbox \"Name\" [ref=e1]: Ada\n- button \"Send\" [ref=e2]\n- link \"Terms\" [ref=e3]";
const SENT: &str =
    "- textbox \"Name\" [ref=e1]: Ada\n- button \"Send\" [ref=e2]\n- link \"Terms\" [ref=e3]\n- status \"Sent\"";

fn rules() -> Rules {
    // What is looked into first is another matter.
    let investigation = InvestigationRules { mode: InvestigationMode::Never, ..InvestigationRules::default() };
    Rules { model: Some(ModelRules::default()), investigation, ..Rules::default() }
}

fn task(text: &str) -> RunStart {
    RunStart { task: true, ..start(&[text]) }
}

/// A decision with this message and confidence that clicks `Send`.
fn click(message: &str, confidence: f64) -> String {
    CLICK.replace("\"on\"", &format!("{message:?}")).replace("0.9", &confidence.to_string())
}

fn review(quality: &str, feedback: &str) -> String {
    format!(r#"{{"quality":{quality:?},"feedback":{feedback:?}}}"#)
}

fn reflection(verdict: &str, risk: &str, thought: &str, holds: bool) -> String {
    format!(r#"{{"verdict":{verdict:?},"risk":{risk:?},"thought":{thought:?},"planHolds":{holds}}}"#)
}

fn down() -> NeedResult {
    NeedResult::Decided(Err(ModelFailure { code: Code::ModelConnection, message: "refused".into(), retryable: true }))
}

struct Played {
    outcome: Outcome,
    script: Script,
    /// What was asked, in order.
    asked: Vec<(Purpose, String)>,
    questions: Vec<String>,
}

impl Played {
    fn purposes(&self) -> Vec<Purpose> {
        self.asked.iter().map(|(purpose, _)| *purpose).collect()
    }

    /// The nth prompt of a purpose.
    fn prompt(&self, purpose: Purpose, nth: usize) -> &str {
        self.asked.iter().filter(|(asked, _)| *asked == purpose).nth(nth).map(|(_, text)| text.as_str()).expect("asked")
    }

    fn told(&self, what: &str) -> Vec<String> {
        self.script.told().into_iter().filter(|line| line.contains(what)).collect()
    }

    fn actions(&self) -> usize {
        self.told("COMMAND_STARTED").len()
    }
}

/// A site: how it looks before and after the first action, which actions fail, what a human says.
struct Site {
    before: &'static str,
    after: &'static str,
    url: &'static str,
    failing: bool,
    human: Option<&'static str>,
}

impl Default for Site {
    fn default() -> Self {
        Site { before: FORM, after: SENT, url: "http://site.test/", failing: false, human: None }
    }
}

/// Plays a run; `answer` is given what is asked for and how often that was asked before.
fn play(begin: RunStart, rules: Rules, site: Site, mut answer: impl FnMut(Purpose, usize) -> NeedResult) -> Played {
    let (mut acted, mut asked, mut questions) = (0, Vec::<(Purpose, String)>::new(), Vec::new());
    let mut script = Script::begin(begin, rules);
    let outcome = script.drive(|need| {
        Some(match need {
            Need::Observe(_) => {
                let mut seen =
                    legwork_observe::Snapshot::clone(&page(if acted == 0 { site.before } else { site.after }));
                seen.url = if acted == 0 { site.url.into() } else { "http://site.test/".into() };
                NeedResult::Observed(seen.into())
            }
            Need::Decide(request) => {
                let before = asked.iter().filter(|(purpose, _)| *purpose == request.purpose).count();
                let texts: Vec<&str> = request.messages.iter().map(|message| &*message.text).collect();
                asked.push((request.purpose, texts.join("\n----\n")));
                answer(request.purpose, before)
            }
            Need::Act(_) if site.failing => {
                let failure = ActionFailure::Disabled { target: "e2".into() };
                NeedResult::Acted(vec![ActionResult::failed(failure, std::time::Duration::ZERO)])
            }
            Need::Act(_) => {
                acted += 1;
                NeedResult::Acted(vec![ActionResult { element: Some("button \"Send\"".into()), ..done() }])
            }
            Need::Ask(question) => {
                questions.push(question.text.clone());
                site.human.map_or(NeedResult::Unanswered, |answer| NeedResult::Answered(answer.into()))
            }
            other => panic!("not needed: {other:?}"),
        })
    });
    Played { outcome: outcome.expect("it ends"), script, asked, questions }
}

/// The nth of these, the last one for ever.
fn nth(replies: &[&str], n: usize) -> NeedResult {
    reply(replies[n.min(replies.len() - 1)])
}

/// What goes well: a plan, a click, an answer, a good review.
fn well(purpose: Purpose, n: usize) -> NeedResult {
    match purpose {
        Plan => reply(PLAN),
        Act => nth(&[CLICK, DONE], n),
        Validate => reply(&review("complete", "It is there.")),
        Reflect => reply(&reflection("PROCEED", "LOW", "It can be undone.", true)),
        other => panic!("not asked for: {other:?}"),
    }
}
