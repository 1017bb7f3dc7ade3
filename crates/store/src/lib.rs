//! The run log and artifacts: numbered events on SQLite, appended by compare-and-swap.
//!
//! The journal of a run is the ordered events 1..n of that run. [`RunLog`] is the interface: append by
//! compare-and-swap, read, follow, list. [`SqliteLog`] implements it; a log that several machines share would
//! implement the same trait. Content that is too large for an event is stored in [`Artifacts`], named by its hash.
//! [`Lessons`] about sites are stored beside the log. The process that drives a run holds its [`Lease`]. The lease
//! gives a second process a good error message; the compare-and-swap ensures that only one process can append.

mod artifacts;
mod error;
mod follow;
mod key_value;
mod lease;
mod lessons;
mod log;
mod sqlite;
mod stats;
mod summary;

pub use artifacts::{ArtifactError, Artifacts, FileArtifacts};
pub use error::{AppendError, LeaseError, StoreError};
pub use follow::Follower;
pub use key_value::{KeyValueEntry, KeyValueStore};
pub use lease::{Holder, Lease};
pub use lessons::{Lessons, MIN_TRUST, RecalledLessons, StoredLesson, trust};
pub use log::{NewEvent, RunLog, RunMatch, RunQuery, short_id};
pub use sqlite::SqliteLog;
pub use stats::{DailyStats, RunFilter, RunPage, RunStats, WorkflowStats};
pub use summary::{IllegalTransition, RunState, RunSummary};
