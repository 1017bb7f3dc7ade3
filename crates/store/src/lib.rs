//! The run log and artifacts: numbered events appended by compare-and-swap, on SQLite.
//!
//! A run's journal is the ordered events 1..n of that run. [`RunLog`] is the seam: append by compare-and-swap, read,
//! follow, list. [`SqliteLog`] is the default behind it; a log shared by several machines goes behind the same trait.
//! Bytes too big for an event go to [`Artifacts`], named by their hash. What runs learned of sites is kept beside the log as
//! [`Lessons`]. Who drives a run holds its [`Lease`]: that gives a
//! good message to the second one who tries, while the compare-and-swap gives the safety.

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
pub use lessons::{FORGOTTEN, Lessons, RecalledLessons, StoredLesson, trust};
pub use log::{NewEvent, RunLog, RunMatch, RunQuery, short_id};
pub use sqlite::SqliteLog;
pub use stats::{DailyStats, RunFilter, RunPage, RunStats, WorkflowStats};
pub use summary::{RunState, RunSummary};
