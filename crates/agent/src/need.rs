//! The interface between decisions and IO: what the agent requests, the results that it receives, and the events that
//! it emits.

use std::{sync::Arc, time::Duration};

use legwork_observe::Snapshot;
use legwork_protocol::{
    Action, ActionFailure, ActionIdentity, ActionResult, Budget, ChatReply, ChatRequest, DecidedBy, Decision,
    EventKind, Image, Lesson, ModelFailure, Outcome, Question, Target,
};

/// What the agent needs next. Every need except [`Need::Done`] is answered with one [`NeedResult`].
#[derive(Clone, Debug, PartialEq)]
pub enum Need {
    /// Begin the next step, as soon as the run is not paused: [`NeedResult::StepMayBegin`].
    BeginStep,
    /// Observe the page: [`NeedResult::Observed`] or [`NeedResult::Unobservable`].
    Observe(ObserveRequest),
    /// Call the program's own decider: [`NeedResult::DeciderReplied`].
    CallDecider(DecisionContext),
    /// Call a model: [`NeedResult::Decided`].
    Decide(ChatRequest),
    /// Execute these actions in order, until one fails or the page changes: [`NeedResult::Acted`].
    Act(Vec<Intent>),
    /// Inspect the page without changing it: [`NeedResult::Inspected`].
    Inspect(InspectRequest),
    /// Ask a person: [`NeedResult::Answered`].
    Ask(Question),
    /// The run has ended.
    Done(Outcome),
}

/// The input of a decider that is part of the program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DecisionContext {
    /// The instruction of the step or task. Its variables are filled in, except those whose values come from a page.
    pub task: String,
    /// The condition that must hold afterwards.
    pub expect: Option<String>,
    /// The decider must only judge whether the statement in `task` is true. It must not act.
    pub only_judge: bool,
    /// The current page.
    pub page: Arc<Snapshot>,
    /// The actions of this step and their results, one per line, oldest first.
    pub history: Vec<String>,
    /// The actions of the previous turn.
    pub last: Vec<(Action, ActionResult)>,
    /// Number of turns of this step so far.
    pub turns: u32,
}

/// The reply of the program's own decider.
#[derive(Clone, Debug, PartialEq)]
pub enum DeciderReply {
    /// Its decision.
    Decided(Box<Decision>),
    /// It leaves the decision to the model.
    Passed,
    /// It failed, for this reason.
    Failed(String),
}

/// Options of an observation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ObserveRequest {
    /// Observe when the page has changed since the last observation, or after this time. Without it, observe now.
    pub after_change_within: Option<Duration>,
}

/// A request to inspect the page.
#[derive(Clone, Debug, PartialEq)]
pub enum InspectRequest {
    /// A screenshot of the page or of one element, for a model that accepts images: [`InspectResult::Picture`].
    Picture {
        /// The element to capture; without it, the page.
        target: Option<Target>,
        /// Elements whose refs are drawn on the screenshot.
        marks: Vec<Target>,
    },
    /// The complete page as text: [`InspectResult::Text`].
    Readable,
    /// The lessons that other runs learned on a site: [`InspectResult::Lessons`].
    Recall {
        /// The origin of the site.
        site: String,
    },
}

/// The result of an inspection.
#[derive(Clone, Debug, PartialEq)]
pub enum InspectResult {
    /// A screenshot.
    Picture(Image),
    /// A text in Markdown.
    Text(String),
    /// Lessons, most trusted first.
    Lessons(Vec<Lesson>),
}

/// An action to execute, and who decided on it. Variables are filled in, secrets are handles.
#[derive(Clone, Debug, PartialEq)]
pub struct Intent {
    /// The action.
    pub action: Action,
    /// Who decided.
    pub decider: DecidedBy,
    /// What identifies its elements again, for the event of the intent.
    pub identity: Option<Box<ActionIdentity>>,
}

/// The result of a need.
#[derive(Clone, Debug)]
pub enum NeedResult {
    /// The next step may begin.
    StepMayBegin {
        /// Whether the run was paused before. A person may have changed the page, so it is observed again.
        was_paused: bool,
    },
    /// The page.
    Observed(Arc<Snapshot>),
    /// The page is not observable: it does not respond, it crashed, or the browser is gone.
    Unobservable(ActionFailure),
    /// The reply of the program's own decider.
    DeciderReplied(DeciderReply),
    /// The model's reply.
    Decided(Result<ChatReply, ModelFailure>),
    /// The results of the executed actions, in order. After a failure or a page change they are fewer than the actions.
    Acted(Vec<ActionResult>),
    /// The result of the inspection.
    Inspected(Result<InspectResult, ActionFailure>),
    /// The person's answer. For a question that asks for a secret, it is the handle of the secret.
    Answered(String),
    /// No person is available to answer: the run parks, and a resume asks again.
    Unanswered,
    /// Instead of any result: a person cancelled the run.
    Cancelled {
        /// The reason.
        reason: String,
    },
    /// Instead of any result: the run reached a budget that only the drive loop can check (time, or the cost of other
    /// runs).
    OverBudget {
        /// The budget.
        budget: Budget,
        /// The message for the person.
        message: String,
    },
}

impl NeedResult {
    /// The name, for the message of a defect.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            NeedResult::StepMayBegin { .. } => "step may begin",
            NeedResult::Observed(_) => "observed",
            NeedResult::Unobservable(_) => "unobservable",
            NeedResult::DeciderReplied(_) => "decider replied",
            NeedResult::Decided(_) => "decided",
            NeedResult::Acted(_) => "acted",
            NeedResult::Inspected(_) => "inspected",
            NeedResult::Answered(_) => "answered",
            NeedResult::Unanswered => "unanswered",
            NeedResult::Cancelled { .. } => "cancelled",
            NeedResult::OverBudget { .. } => "over budget",
        }
    }
}

/// An event that the agent emits. The drive loop numbers it and appends it to the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentEvent {
    /// The step it belongs to, from 0.
    pub step: Option<usize>,
    /// The event.
    pub kind: EventKind,
}
