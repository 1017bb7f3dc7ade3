//! The interface of a run log, independent of its storage.

use async_trait::async_trait;
use jiff::Timestamp;
use legwork_protocol::{Event, EventKind, RunId};

use crate::{AppendError, Follower, Lease, LeaseError, RunFilter, RunPage, RunState, RunStats, RunSummary, StoreError};

/// The number of events that [`RunLog::read`] and [`Follower`] fetch at once, so that a long run is not in memory
/// twice.
pub(crate) const PAGE: usize = 500;

/// Numbered events of many runs.
#[async_trait]
pub trait RunLog: Send + Sync + 'static {
    /// Appends all `events` or none, as numbers `expected_seq + 1` and following; returns when they are durable.
    ///
    /// A run begins with `expected_seq` 0. [`AppendError::Conflict`] means that another process appended.
    async fn append(&self, run: RunId, expected_seq: u64, events: Vec<NewEvent>) -> Result<Vec<Event>, AppendError>;

    /// At most `limit` events of a run, starting with number `from`. An unknown run has no events.
    async fn page(&self, run: RunId, from: u64, limit: usize) -> Result<Vec<Event>, StoreError>;

    /// All events of a run, starting with number `from`.
    async fn read(&self, run: RunId, from: u64) -> Result<Vec<Event>, StoreError> {
        let mut events = Vec::new();
        let mut from = from.max(1);
        loop {
            let page = self.page(run, from, PAGE).await?;
            let full = page.len() == PAGE;
            from += page.len() as u64;
            events.extend(page);
            if !full {
                return Ok(events);
            }
        }
    }

    /// All events from number `from` on in order, including future ones. Never skips an event, even for a slow
    /// reader.
    fn follow(&self, run: RunId, from: u64) -> Follower;

    /// Runs, the newest first.
    async fn runs(&self, query: RunQuery) -> Result<Vec<RunSummary>, StoreError>;

    /// A page of the runs, the newest first, and their total number.
    async fn list(&self, filter: RunFilter) -> Result<RunPage, StoreError>;

    /// Statistics of the runs that began on a day or later (`2026-05-03`, UTC).
    async fn stats(&self, since: &str) -> Result<RunStats, StoreError>;

    /// One run.
    async fn run(&self, run: RunId) -> Result<Option<RunSummary>, StoreError>;

    /// The run that a person means with the beginning or the end of its id, or with `last`.
    async fn find_run(&self, text: &str) -> Result<RunMatch, StoreError>;

    /// Reserves a run for this process, until the lease is dropped or the process ends in any way.
    async fn lease(&self, run: RunId) -> Result<Lease, LeaseError>;

    /// Deletes a run; returns whether it existed.
    async fn delete(&self, run: RunId) -> Result<bool, StoreError>;

    /// The hashes of all artifacts that events name, which [`Artifacts::sweep`](crate::Artifacts::sweep) must keep.
    async fn artifacts(&self) -> Result<Vec<String>, StoreError>;

    /// Deletes the runs that no process drives and whose last event is older than `before`; returns them.
    async fn prune(&self, before: Timestamp) -> Result<Vec<RunId>, StoreError>;
}

/// An event before it is appended. The log assigns its id, its number and, if absent, its time.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEvent {
    /// The step of the event, from 0.
    pub step: Option<usize>,
    /// What happened.
    pub kind: EventKind,
    /// The time; by default the time of the append.
    pub time: Option<Timestamp>,
}

impl NewEvent {
    /// An event of the run as a whole.
    pub fn of_run(kind: EventKind) -> Self {
        NewEvent { step: None, kind, time: None }
    }

    /// An event of a step, from 0.
    pub fn of_step(step: usize, kind: EventKind) -> Self {
        NewEvent { step: Some(step), kind, time: None }
    }
}

/// Selects runs for a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunQuery {
    /// The maximum number of runs.
    pub limit: usize,
    /// Only runs that are older than this one, for the next page.
    pub before: Option<RunId>,
    /// Only runs in this state.
    pub state: Option<RunState>,
}

impl Default for RunQuery {
    fn default() -> Self {
        RunQuery { limit: 20, before: None, state: None }
    }
}

/// The result of a search for a run id.
#[derive(Clone, Debug, PartialEq)]
pub enum RunMatch {
    /// One run matches.
    One(Box<RunSummary>),
    /// No run matches.
    None,
    /// Several runs match; the newest ones.
    Several(Vec<RunId>),
}

/// The short form of a run id: its last 8 digits. Ids begin with the time, so the ids of one minute share their first
/// 8 digits; the last ones are random.
pub fn short_id(run: RunId) -> String {
    let id = run.to_string();
    id[id.len() - 8..].to_owned()
}
