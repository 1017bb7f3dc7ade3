//! The run log and artifacts: numbered events appended by compare-and-swap, on SQLite.
//!
//! A run's journal is the ordered events 1..n of that run. [`RunLog`] is the seam: append by compare-and-swap, read,
//! follow, list. [`SqliteLog`] is the default behind it; a log shared by several machines goes behind the same trait.
//! Bytes too big for an event go to [`Artifacts`], named by their hash. What runs learned of sites is kept beside the log as
//! [`Lessons`]. Who drives a run holds its [`Lease`]: that gives a
//! good message to the second one who tries, while the compare-and-swap gives the safety.

mod artifacts;
mod error;
mod figures;
mod follow;
mod kept;
mod lease;
mod lessons;
mod log;
mod sqlite;
mod summary;

pub use artifacts::{ArtifactError, Artifacts, FileArtifacts};
pub use error::{AppendError, LeaseError, StoreError};
pub use figures::{DayFigures, Figures, Listed, Listing, WorkflowFigures};
pub use follow::Follower;
pub use kept::{Kept, Note};
pub use lease::{Holder, Lease};
pub use lessons::{FORGOTTEN, KeptLesson, Lessons, Recalled, trust};
pub use log::{Found, NewEvent, RunLog, RunQuery, short_id};
pub use sqlite::SqliteLog;
pub use summary::{RunState, RunSummary};
