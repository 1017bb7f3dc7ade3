//! Forgetting old runs, and then what only they had: pictures, prompts, replies.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use legwork_store::{Artifacts, RunLog};

use crate::Error;

/// An artifact that was put so recently is left alone: the event that names it may not be on record yet.
const FRESH: Duration = Duration::from_secs(60 * 60);

/// What was forgotten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PruneReport {
    /// Runs.
    pub runs: usize,
    /// Bytes of artifacts.
    pub bytes: u64,
}

/// Forgets the runs that nobody drives and that nothing happened in for so many days, and the artifacts that no run names.
///
/// # Errors
/// When the log or the artifacts fail. Runs go first: what is left of a failure in between goes the next time.
pub async fn prune(log: &dyn RunLog, artifacts: &dyn Artifacts, days: u32) -> Result<PruneReport, Error> {
    let before = Timestamp::now() - SignedDuration::from_hours(24 * i64::from(days));
    let runs = log.prune(before).await.map_err(Error::Store)?.len();
    let named = log.artifacts().await.map_err(Error::Store)?;
    let bytes = artifacts.sweep(named, FRESH).await.map_err(Error::Artifacts)?;
    Ok(PruneReport { runs, bytes })
}
