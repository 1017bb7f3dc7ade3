//! The seam: what any run log can do, whatever it is made of.

use async_trait::async_trait;
use jiff::Timestamp;
use legwork_protocol::{Event, EventKind, RunId};

use crate::{AppendError, Follower, Lease, LeaseError, RunFilter, RunPage, RunState, RunStats, RunSummary, StoreError};

/// Events fetched in one go by [`RunLog::read`] and [`Follower`], so that a long run never sits in memory twice.
pub(crate) const PAGE: usize = 500;

/// Numbered events of many runs.
#[async_trait]
pub trait RunLog: Send + Sync + 'static {
    /// Appends `events` as numbers `expected_seq + 1`…, all or none; returns when they are durable.
    ///
    /// A run begins with `expected_seq` 0. [`AppendError::Conflict`] says that somebody else appended.
    async fn append(&self, run: RunId, expected_seq: u64, events: Vec<NewEvent>) -> Result<Vec<Event>, AppendError>;

    /// At most `limit` events of a run from number `from` on; a run that is not there has none.
    async fn page(&self, run: RunId, from: u64, limit: usize) -> Result<Vec<Event>, StoreError>;

    /// All events of a run from number `from` on.
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

    /// Every event from number `from` on, in order, those to come as well. Never skips one, however slow the reader.
    fn follow(&self, run: RunId, from: u64) -> Follower;

    /// Runs, the newest first.
    async fn runs(&self, query: RunQuery) -> Result<Vec<RunSummary>, StoreError>;

    /// A page of the runs, the newest first, and how many there are.
    async fn list(&self, filter: RunFilter) -> Result<RunPage, StoreError>;

    /// How the runs went that began on a day or later (`2026-05-03`, UTC).
    async fn stats(&self, since: &str) -> Result<RunStats, StoreError>;

    /// One run.
    async fn run(&self, run: RunId) -> Result<Option<RunSummary>, StoreError>;

    /// The run that a person means: the beginning or the end of its id, or `last`.
    async fn find_run(&self, text: &str) -> Result<RunMatch, StoreError>;

    /// Takes the right to drive a run, until the lease is dropped or this process ends, however it ends.
    async fn lease(&self, run: RunId) -> Result<Lease, LeaseError>;

    /// Forgets a run; says whether it was there.
    async fn delete(&self, run: RunId) -> Result<bool, StoreError>;

    /// The hashes of the artifacts that any event names: what [`Artifacts::sweep`](crate::Artifacts::sweep) must keep.
    async fn artifacts(&self) -> Result<Vec<String>, StoreError>;

    /// Forgets the runs that nobody drives and whose last event is older than `before`; returns them.
    async fn prune(&self, before: Timestamp) -> Result<Vec<RunId>, StoreError>;
}

/// An event to be: the log gives it its id, number and, if it has none, its time.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEvent {
    /// The step it belongs to, from 0.
    pub step: Option<usize>,
    /// What happened.
    pub kind: EventKind,
    /// When; now, if absent.
    pub time: Option<Timestamp>,
}

impl NewEvent {
    /// Of the run as a whole.
    pub fn of_run(kind: EventKind) -> Self {
        NewEvent { step: None, kind, time: None }
    }

    /// Of a step, from 0.
    pub fn of_step(step: usize, kind: EventKind) -> Self {
        NewEvent { step: Some(step), kind, time: None }
    }
}

/// Which runs to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunQuery {
    /// At most so many.
    pub limit: usize,
    /// Only those older than this one: the next page.
    pub before: Option<RunId>,
    /// Only those in this state.
    pub state: Option<RunState>,
}

impl Default for RunQuery {
    fn default() -> Self {
        RunQuery { limit: 20, before: None, state: None }
    }
}

/// What a typed run id stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum RunMatch {
    /// This run.
    One(Box<RunSummary>),
    /// No run.
    None,
    /// Several: the newest few of them.
    Several(Vec<RunId>),
}

/// The form of a run's id that people type: its last 8 digits. Ids begin with the time, so that those of one minute share
/// their first 8; the last ones are random.
pub fn short_id(run: RunId) -> String {
    let id = run.to_string();
    id[id.len() - 8..].to_owned()
}
