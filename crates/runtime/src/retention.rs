//! Deletes old runs, and then the artifacts that only they used: screenshots, prompts, replies.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use legwork_store::{Artifacts, RunLog};

use crate::Error;

/// An artifact that is newer than this is kept: the event that names it may not be in the journal yet.
const MIN_AGE: Duration = Duration::from_secs(60 * 60);

/// What was deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PruneReport {
    /// Number of runs.
    pub runs: usize,
    /// Bytes of artifacts.
    pub bytes: u64,
}

/// Deletes the runs that no process drives and whose last event is older than this number of days, and the artifacts
/// that no run names.
///
/// # Errors
/// If the log or the artifacts fail. Runs are deleted first; artifacts that remain after a failure are deleted the next
/// time.
pub async fn prune(log: &dyn RunLog, artifacts: &dyn Artifacts, days: u32) -> Result<PruneReport, Error> {
    let before = Timestamp::now() - SignedDuration::from_hours(24 * i64::from(days));
    let runs = log.prune(before).await.map_err(Error::Store)?.len();
    let named = log.artifacts().await.map_err(Error::Store)?;
    let bytes = artifacts.sweep(named, MIN_AGE).await.map_err(Error::Artifacts)?;
    Ok(PruneReport { runs, bytes })
}
