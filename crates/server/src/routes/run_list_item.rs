//! A run as a row of lists and streams.

use jiff::Timestamp;
use legwork::{
    protocol::{Question, RunId, SessionState, Status, Usage, Validation},
    record::{RecordState, StatusLabel, Tone},
    store::{RunState, RunSummary},
};
use schemars::JsonSchema;
use serde::Serialize;

/// A run as a row of a list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunListItem {
    pub(crate) run: RunId,
    pub(crate) name: String,
    /// Whether the run is a single task.
    pub(crate) task: bool,
    /// `queued`, `running`, `paused`, `parked`, `interrupted`, `success`, `failure`, `error` or `cancelled`.
    pub(crate) state: &'static str,
    /// The state of its session. `CLEANUP`: the run has ended, and its browser is being closed.
    pub(crate) session: SessionState,
    /// The state as it is displayed.
    pub(crate) verdict: StatusLabel,
    #[schemars(with = "String")]
    pub(crate) started: Timestamp,
    #[schemars(with = "String")]
    pub(crate) updated: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub(crate) ended: Option<Timestamp>,
    pub(crate) steps_total: usize,
    pub(crate) steps_done: usize,
    pub(crate) usage: Usage,
    /// How far its success was validated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) validation: Option<Validation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
    /// The question that waits for an answer. The run does nothing until it is answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) question: Option<Question>,
    /// The number of its newest event.
    pub(crate) last_seq: u64,
    /// Whether a process drives it now.
    pub(crate) live: bool,
    pub(crate) queued: bool,
    /// Its position in the queue, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) position: Option<usize>,
}

impl RunListItem {
    /// The row of a run in the log.
    pub(crate) fn of(summary: &RunSummary) -> RunListItem {
        let state = match summary.state {
            _ if summary.interrupted() => RecordState::Interrupted,
            RunState::Running => RecordState::Running,
            RunState::Paused => RecordState::Paused,
            RunState::Parked => RecordState::Ended(Status::Parked),
            RunState::Success => RecordState::Ended(Status::Success),
            RunState::Failure => RecordState::Ended(Status::Failure),
            RunState::Error => RecordState::Ended(Status::Error),
            RunState::Cancelled => RecordState::Ended(Status::Cancelled),
        };
        RunListItem {
            run: summary.run,
            name: summary.name.clone(),
            task: summary.task,
            verdict: match summary.waits_for_answer() {
                true => StatusLabel::waiting_for_answer(),
                false => StatusLabel::of_run(state, summary.validation),
            },
            state: state.name(),
            session: summary.session(),
            started: summary.started,
            updated: summary.updated,
            ended: summary.ended,
            steps_total: summary.steps_total,
            steps_done: summary.steps_done,
            usage: summary.usage,
            validation: summary.validation,
            error: summary.error.clone(),
            question: summary.question.clone().filter(|_| summary.waits_for_answer()),
            last_seq: summary.last_seq,
            live: summary.is_live(),
            queued: false,
            position: None,
        }
    }

    /// The row of a queued run.
    pub(crate) fn queued(summary: &RunSummary, position: usize) -> RunListItem {
        let verdict = StatusLabel::new(Tone::Busy, format!("Queued, number {position}"));
        RunListItem { state: "queued", verdict, queued: true, position: Some(position), ..RunListItem::of(summary) }
    }
}
