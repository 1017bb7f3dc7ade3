//! Lessons about sites: read when a run first observes a site, and added when a run ends. An error here never stops a
//! run.

use std::sync::Arc;

use jiff::Timestamp;
use legwork_protocol::{ActionFailure, Lesson, RunId};
use legwork_store::{Lessons, RunLog};

/// Maximum number of lessons of a site that an agent receives; it shows a few of them.
const MAX_LESSONS: usize = 100;

/// The lessons of a site, the most trusted first. If some rows of a site cannot be read, the site has no lessons.
pub(crate) async fn recall(lessons: &dyn Lessons, site: &str) -> Result<Vec<Lesson>, ActionFailure> {
    let failed = |reason: String| ActionFailure::NotAvailable { what: "the memory".into(), reason };
    let recalled = lessons.recall(Some(site), Timestamp::now()).await.map_err(|error| failed(error.to_string()))?;
    match recalled.unreadable {
        0 => Ok(recalled.lessons.into_iter().map(|kept| kept.lesson).take(MAX_LESSONS).collect()),
        many => Err(failed(format!("{many} of its rows cannot be read; `legwork memory prune` deletes them"))),
    }
}

/// Adds what a run has learned since event `after`. A failure is only logged, because the run has ended by then.
pub(crate) async fn learn<S: RunLog + Lessons>(store: &Arc<S>, run: RunId, after: u64, keep: usize) {
    let learned = async {
        let events = store.read(run, 1).await?;
        store.learn(legwork_agent::memory::learn(&events, after), Timestamp::now(), keep).await
    };
    if let Err(error) = learned.await {
        tracing::warn!(run = %run.hyphenated(), %error, "nothing was learned from the run");
    }
}
