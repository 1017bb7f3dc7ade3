//! A run in one row, for lists: a fold of its events, which the log updates in the transaction that appends them.

use jiff::Timestamp;
use legwork_protocol::{
    Event, EventKind, Expansion, Question, RunId, SessionState, Status, Usage, Validation, mask_passwords,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The state of a run according to its events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// In progress, or interrupted: see [`RunSummary::interrupted`].
    Running,
    /// Paused.
    Paused,
    /// Waiting for a person.
    Parked,
    /// Ended as a success.
    Success,
    /// Ended without reaching the goal.
    Failure,
    /// Ended because of an error.
    Error,
    /// Cancelled by a person.
    Cancelled,
}

impl RunState {
    /// The name as stored and shown.
    pub fn name(self) -> &'static str {
        match self {
            RunState::Running => "running",
            RunState::Paused => "paused",
            RunState::Parked => "parked",
            RunState::Success => "success",
            RunState::Failure => "failure",
            RunState::Error => "error",
            RunState::Cancelled => "cancelled",
        }
    }

    fn ended(status: Status) -> RunState {
        match status {
            // Only steps are skipped. If a run had this status, it ended without doing anything.
            Status::Success | Status::Skipped => RunState::Success,
            Status::Failure => RunState::Failure,
            Status::Error => RunState::Error,
            Status::Cancelled => RunState::Cancelled,
            Status::Parked => RunState::Parked,
        }
    }
}

/// A change of a session's state that no run makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalTransition {
    /// The state before it.
    pub from: SessionState,
    /// The state after it.
    pub to: SessionState,
}

impl std::fmt::Display for IllegalTransition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "from {:?} to {:?}", self.from, self.to)
    }
}

/// A run in one row of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunSummary {
    /// The id of the run.
    pub run: RunId,
    /// The name of its workflow.
    pub name: String,
    /// Whether it is a single task.
    pub task: bool,
    /// Its state.
    pub state: RunState,
    /// The time of its first event.
    #[schemars(with = "String")]
    pub started: Timestamp,
    /// The time of its last event.
    #[schemars(with = "String")]
    pub updated: Timestamp,
    /// The time of its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub ended: Option<Timestamp>,
    /// The number of steps.
    pub steps_total: usize,
    /// The number of steps that were completed or skipped.
    pub steps_done: usize,
    /// The usage of models so far.
    pub usage: Usage,
    /// The validation of its success; absent before its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation: Option<Validation>,
    /// The error in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The question that waits for an answer. A parked run keeps its question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
    /// Whether it has begun a step.
    #[serde(default)]
    pub active: bool,
    /// The number of its last event.
    pub last_seq: u64,
    /// Whether a process drives it now. Not part of the fold: it is looked up when the row is read.
    #[serde(skip)]
    pub driven: bool,
}

impl RunSummary {
    /// A run before its first event.
    pub fn new(run: RunId, now: Timestamp) -> Self {
        RunSummary {
            run,
            name: String::new(),
            task: false,
            state: RunState::Running,
            started: now,
            updated: now,
            ended: None,
            steps_total: 0,
            steps_done: 0,
            usage: Usage::default(),
            validation: None,
            error: None,
            question: None,
            active: false,
            last_seq: 0,
            driven: false,
        }
    }

    /// Whether its events say that it is in progress, but no process drives it: the process was killed, or the
    /// machine stopped.
    pub fn interrupted(&self) -> bool {
        matches!(self.state, RunState::Running | RunState::Paused) && !self.driven
    }

    /// Whether the run is in progress. The process that drives a run keeps its lease for a moment after the last event,
    /// when the run has already ended.
    pub fn is_live(&self) -> bool {
        matches!(self.state, RunState::Running | RunState::Paused) && self.driven
    }

    /// Whether the run does nothing until a person answers its question.
    pub fn waits_for_answer(&self) -> bool {
        let can_be_answered = match self.state {
            RunState::Running => self.driven,
            RunState::Parked => true,
            _ => false,
        };
        can_be_answered && self.question.is_some()
    }

    /// The state of its session. A process that still drives an ended run closes its browser.
    pub fn session(&self) -> SessionState {
        match self.state {
            RunState::Running if self.active => SessionState::Active,
            RunState::Running => SessionState::Initializing,
            RunState::Paused | RunState::Parked => SessionState::Paused,
            _ if self.driven => SessionState::Cleanup,
            RunState::Success => SessionState::Completed,
            RunState::Failure | RunState::Error => SessionState::Failed,
            RunState::Cancelled => SessionState::Cancelled,
        }
    }

    /// The transition that an event would cause, if it is illegal: a run that ended would end again, pause or, after a
    /// success, continue.
    pub(crate) fn illegal_transition(&self, event: &EventKind) -> Option<IllegalTransition> {
        let to = match event {
            EventKind::WorkflowPaused { .. } => SessionState::Paused,
            EventKind::WorkflowResumed { .. } => SessionState::Active,
            EventKind::RunParked(outcome)
            | EventKind::WorkflowCompleted(outcome)
            | EventKind::WorkflowFailed(outcome)
            | EventKind::RunCancelled(outcome) => SessionState::of_outcome(outcome.status),
            _ => return None,
        };
        let from = RunSummary { driven: false, ..self.clone() }.session();
        let legal = match (from, to) {
            // A run without steps pauses and ends too. An interrupted run is active, and its resume is the next fact.
            (SessionState::Initializing, _) | (SessionState::Active, SessionState::Active) => true,
            // A parked run that is resumed may wait for the same person again.
            (SessionState::Paused, SessionState::Paused) => true,
            _ => from.may_become(to),
        };
        (!legal).then_some(IllegalTransition { from, to })
    }

    /// Applies the next event.
    pub fn apply(&mut self, event: &Event) {
        self.last_seq = event.seq;
        self.updated = event.time;
        match &event.kind {
            EventKind::WorkflowStarted(start) => {
                self.name = mask_passwords(&start.workflow.name);
                self.task = start.task;
                self.started = event.time;
                self.steps_total = start.workflow.steps.len();
            }
            EventKind::WorkflowCompleted(outcome)
            | EventKind::WorkflowFailed(outcome)
            | EventKind::RunCancelled(outcome) => {
                self.state = RunState::ended(outcome.status);
                self.ended = Some(event.time);
                self.validation = Some(outcome.validation);
                self.error = outcome.error.as_ref().map(|error| error.message.clone());
                self.question = None;
            }
            EventKind::WorkflowPaused { .. } => self.state = RunState::Paused,
            EventKind::WorkflowResumed { .. } => {
                self.state = RunState::Running;
                self.ended = None;
                self.validation = None;
                self.error = None;
                // A resumed run asks its question again, if it still needs the answer.
                self.question = None;
            }
            EventKind::RunParked(outcome) => {
                self.state = RunState::Parked;
                self.error = outcome.error.as_ref().map(|error| error.message.clone());
            }
            // A resumed run may repeat a step; the highest completed step counts, not the number of attempts.
            EventKind::StepCompleted(result) => {
                self.steps_done = self.steps_done.max(result.index + 1);
                self.steps_total += result.expansion.as_ref().map_or(0, Expansion::steps);
            }
            EventKind::StepStarted { .. } => self.active = true,
            EventKind::QuestionAsked(question) => self.question = Some(question.clone()),
            EventKind::QuestionAnswered { .. } => self.question = None,
            EventKind::AiResponseReceived(call) => self.usage += call.usage,
            _ => {}
        }
    }
}
