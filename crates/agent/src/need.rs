//! What the agent asks for, what it is given, and the facts it states. The whole seam between judgement and IO.

use std::{sync::Arc, time::Duration};

use legwork_observe::Snapshot;
use legwork_protocol::{
    Action, ActionFailure, ActionResult, Budget, ChatReply, ChatRequest, DecidedBy, Decision, EventKind, Image, Lesson,
    ModelFailure, Outcome, Question, Target,
};

/// What the agent needs next. Every need but [`Need::Done`] is answered by one [`NeedResult`].
#[derive(Clone, Debug, PartialEq)]
pub enum Need {
    /// Look at the page: [`NeedResult::Observed`] or [`NeedResult::Unobservable`].
    Observe(ObserveRequest),
    /// Ask the program's own decider: [`NeedResult::Consulted`].
    Consult(DecisionContext),
    /// Ask a model: [`NeedResult::Decided`].
    Decide(ChatRequest),
    /// Carry out, in order, until one fails or the page changes: [`NeedResult::Acted`].
    Act(Vec<Intent>),
    /// Look closer, changing nothing: [`NeedResult::Inspected`].
    Inspect(InspectRequest),
    /// Ask a human: [`NeedResult::Answered`].
    Ask(Question),
    /// The run has ended.
    Done(Outcome),
}

/// What is to be decided on, for a decider that is a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DecisionContext {
    /// The words of the step or task, its variables filled in but for what a page said.
    pub task: String,
    /// What must hold afterwards, in words.
    pub expect: Option<String>,
    /// Only a judgement is wanted: whether what the task says holds. Nothing may be done.
    pub only_judge: bool,
    /// The page as it is now.
    pub page: Arc<Snapshot>,
    /// What was done in this step and what came of it, a line each, the oldest first.
    pub history: Vec<String>,
    /// What the turn before this one did.
    pub last: Vec<(Action, ActionResult)>,
    /// Turns of this step so far.
    pub turns: u32,
}

/// What the program's own decider said.
#[derive(Clone, Debug, PartialEq)]
pub enum Consulted {
    /// What to do.
    Decided(Box<Decision>),
    /// It leaves this to the model.
    Passed,
    /// It failed, and why.
    Failed(String),
}

/// How to look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ObserveRequest {
    /// Look when the page has changed since the last look, or when this time is over. Without it, look now.
    pub after_change_within: Option<Duration>,
}

/// A closer look.
#[derive(Clone, Debug, PartialEq)]
pub enum InspectRequest {
    /// A picture of the page, or of one element, for a model that can see: [`InspectResult::Picture`].
    Picture {
        /// Only this element.
        target: Option<Target>,
        /// Elements whose refs are drawn on it.
        marks: Vec<Target>,
    },
    /// The page as a text to read, from its start to its end: [`InspectResult::Text`].
    Readable,
    /// What was learned on a site in other runs: [`InspectResult::Lessons`].
    Recall {
        /// The site's origin.
        site: String,
    },
}

/// What a closer look brought.
#[derive(Clone, Debug, PartialEq)]
pub enum InspectResult {
    /// A picture.
    Picture(Image),
    /// A text, Markdown.
    Text(String),
    /// Lessons, the most trusted first.
    Lessons(Vec<Lesson>),
}

/// An action about to be carried out, and who decided so. Variables are resolved, secrets are handles.
#[derive(Clone, Debug, PartialEq)]
pub struct Intent {
    /// What to do.
    pub action: Action,
    /// Who decided.
    pub decider: DecidedBy,
}

/// What was got.
#[derive(Clone, Debug)]
pub enum NeedResult {
    /// The page.
    Observed(Arc<Snapshot>),
    /// The page cannot be seen: it hangs, crashed, or the browser is gone.
    Unobservable(ActionFailure),
    /// What the program's own decider said.
    Consulted(Consulted),
    /// The model's reply.
    Decided(Result<ChatReply, ModelFailure>),
    /// A result for every action that was carried out; fewer than asked for after a failure or a page change.
    Acted(Vec<ActionResult>),
    /// What a closer look brought.
    Inspected(Result<InspectResult, ActionFailure>),
    /// The human's answer. For a secret question this is its handle.
    Answered(String),
    /// Nobody is there to answer: the run parks, and a resume asks again.
    Unanswered,
    /// In place of any answer: a person stopped the run.
    Cancelled {
        /// Why.
        reason: String,
    },
    /// In place of any answer: a cap that only the driver can see (time, money in other runs) was reached.
    OverBudget {
        /// Which cap.
        budget: Budget,
        /// In words.
        message: String,
    },
}

/// A fact the agent states; the driver numbers it and appends it.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentEvent {
    /// The step it belongs to, from 0.
    pub step: Option<usize>,
    /// What happened.
    pub kind: EventKind,
}
