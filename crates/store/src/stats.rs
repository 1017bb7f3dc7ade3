//! Queries about many runs, answered by the database: a page of a list with the total number, and statistics per day
//! and per workflow. No caller has to read all runs for them.

use crate::{RunState, RunSummary};

/// Selects a page of runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunFilter {
    /// Runs in one of these states; empty for all states.
    pub states: Vec<RunState>,
    /// Runs whose name or id contains this text in lower case; empty for all.
    pub words: String,
    /// The number of newest runs to skip.
    pub offset: usize,
    /// The maximum number of runs.
    pub limit: usize,
}

/// A page of runs, the newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunPage {
    /// The runs of the page.
    pub runs: Vec<RunSummary>,
    /// The total number of runs.
    pub total: usize,
}

/// Statistics of the runs since a day.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunStats {
    /// Days on which a run began, in UTC, the oldest first.
    pub days: Vec<DailyStats>,
    /// Workflows by name, the most frequent first; at most [`RunStats::WORKFLOWS`].
    pub workflows: Vec<WorkflowStats>,
}

impl RunStats {
    /// The maximum number of workflows: each single task has its own name, so there may be many.
    pub const WORKFLOWS: usize = 200;
}

/// The runs that began on one day.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DailyStats {
    /// The day, as in `2026-05-03`.
    pub day: String,
    /// The number of runs.
    pub runs: usize,
    /// Runs that ended as a success.
    pub success: usize,
    /// Runs that ended as a validated success.
    pub validated: usize,
    /// Runs whose claimed success was rejected.
    pub rejected: usize,
    /// Runs that ended as a failure.
    pub failure: usize,
    /// Runs that ended with an error.
    pub error: usize,
    /// Runs that a person cancelled.
    pub cancelled: usize,
    /// Runs that wait for a person.
    pub parked: usize,
    /// Runs that ended and have a known duration.
    pub timed: usize,
    /// Their total duration in milliseconds.
    pub took_ms: f64,
    /// Input tokens of models.
    pub prompt_tokens: u64,
    /// Output tokens of models.
    pub completion_tokens: u64,
    /// The cost, if any of it is known.
    pub cost_usd: Option<f64>,
}

/// The runs of one workflow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkflowStats {
    /// The name of the workflow.
    pub name: String,
    /// The number of runs.
    pub runs: usize,
    /// Runs that ended as a success.
    pub success: usize,
    /// Runs that ended as a validated success.
    pub validated: usize,
    /// Runs that ended without being cancelled.
    pub judged: usize,
    /// The median duration in milliseconds.
    pub median_ms: Option<f64>,
    /// Input and output tokens.
    pub tokens: u64,
    /// The cost, if any of it is known.
    pub cost_usd: Option<f64>,
}
