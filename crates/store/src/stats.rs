//! Questions about many runs at once, answered by the log itself: a page of a list with how many there are, and how runs went
//! per day and per workflow. Nobody reads all runs for them.

use crate::{RunState, RunSummary};

/// A page of the runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunFilter {
    /// In one of these states; in any when there is none.
    pub states: Vec<RunState>,
    /// The name or the id has this in it, in lower case; empty for any.
    pub words: String,
    /// How many of the newest are passed over.
    pub offset: usize,
    /// At most so many.
    pub limit: usize,
}

/// Runs of a list, the newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunPage {
    /// Those of the page.
    pub runs: Vec<RunSummary>,
    /// How many there are in all.
    pub total: usize,
}

/// How runs went since a day.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunStats {
    /// Days on which a run began, UTC, the oldest first.
    pub days: Vec<DailyStats>,
    /// Workflows by name, those that ran most often first; at most [`RunStats::WORKFLOWS`].
    pub workflows: Vec<WorkflowStats>,
}

impl RunStats {
    /// The most workflows told of: lone tasks have a name each.
    pub const WORKFLOWS: usize = 200;
}

/// The runs that began on a day.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DailyStats {
    /// `2026-05-03`.
    pub day: String,
    /// All of them.
    pub runs: usize,
    /// Those that ended well.
    pub success: usize,
    /// Of these, those whose success evidence shows.
    pub validated: usize,
    /// Those whose claim of success was rejected.
    pub rejected: usize,
    /// Those that failed.
    pub failure: usize,
    /// Those in which something broke.
    pub error: usize,
    /// Those that a person stopped.
    pub cancelled: usize,
    /// Those that wait for a person.
    pub parked: usize,
    /// Those that ended, whose time is known.
    pub timed: usize,
    /// Milliseconds these took together.
    pub took_ms: f64,
    /// Tokens read by models.
    pub prompt_tokens: u64,
    /// Tokens written by them.
    pub completion_tokens: u64,
    /// What they cost, when any of it is known.
    pub cost_usd: Option<f64>,
}

/// The runs of a workflow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkflowStats {
    /// Its name.
    pub name: String,
    /// All of them.
    pub runs: usize,
    /// Those that ended well.
    pub success: usize,
    /// Of these, those whose success evidence shows.
    pub validated: usize,
    /// Those that ended by themselves, well or not.
    pub judged: usize,
    /// Milliseconds the middle one took.
    pub median_ms: Option<f64>,
    /// Tokens read and written.
    pub tokens: u64,
    /// What they cost, when any of it is known.
    pub cost_usd: Option<f64>,
}
