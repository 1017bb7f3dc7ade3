//! A run in one row: the fold of its events that lists show. The log keeps it in the transaction that appends.

use jiff::Timestamp;
use legwork_protocol::{Event, EventKind, RunId, Status, Usage, Validation, mask_passwords};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a run stands, as far as its events tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// At work, or cut short: see [`RunSummary::interrupted`].
    Running,
    /// Paused.
    Paused,
    /// Waits for a person.
    Parked,
    /// Ended well.
    Success,
    /// The goal was not reached.
    Failure,
    /// Something broke.
    Error,
    /// A person stopped it.
    Cancelled,
}

impl RunState {
    /// As stored and shown.
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
            // A run is never skipped; if one said so, it ended without anything done.
            Status::Success | Status::Skipped => RunState::Success,
            Status::Failure => RunState::Failure,
            Status::Error => RunState::Error,
            Status::Cancelled => RunState::Cancelled,
            Status::Parked => RunState::Parked,
        }
    }
}

/// A run in one row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunSummary {
    /// The run.
    pub run: RunId,
    /// Its workflow's name.
    pub name: String,
    /// Whether it is a lone task.
    pub task: bool,
    /// Where it stands.
    pub state: RunState,
    /// The time of its first event.
    #[schemars(with = "String")]
    pub started: Timestamp,
    /// The time of its last event.
    #[schemars(with = "String")]
    pub updated: Timestamp,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub ended: Option<Timestamp>,
    /// Steps in all.
    pub steps_total: usize,
    /// Steps that ended well or were skipped.
    pub steps_done: usize,
    /// What the models cost so far.
    pub usage: Usage,
    /// How far its success was checked; absent before its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation: Option<Validation>,
    /// What went wrong, in a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The number of its last event.
    pub last_seq: u64,
    /// Whether a process drives it now. Not part of the fold: looked up when the row is read.
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
            last_seq: 0,
            driven: false,
        }
    }

    /// Whether it is under way by its events, and yet no process drives it: killed, or the machine went down.
    pub fn interrupted(&self) -> bool {
        matches!(self.state, RunState::Running | RunState::Paused) && !self.driven
    }

    /// Takes the next event in.
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
            }
            EventKind::WorkflowPaused { .. } => self.state = RunState::Paused,
            EventKind::WorkflowResumed { .. } => {
                self.state = RunState::Running;
                self.ended = None;
                self.validation = None;
                self.error = None;
            }
            EventKind::RunParked(outcome) => {
                self.state = RunState::Parked;
                self.error = outcome.error.as_ref().map(|error| error.message.clone());
            }
            // A resumed run may do a step again: what counts is how far it is, not how often it tried.
            EventKind::StepCompleted(result) => self.steps_done = self.steps_done.max(result.index + 1),
            EventKind::AiResponseReceived(call) => self.usage += call.usage,
            _ => {}
        }
    }
}
