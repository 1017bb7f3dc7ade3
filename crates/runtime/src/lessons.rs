//! What runs learn of sites: asked for when one is first seen, added to when a run ends. None of it can stop a run.

use std::sync::Arc;

use jiff::Timestamp;
use legwork_protocol::{ActionFailure, Lesson, RunId};
use legwork_store::{Lessons, RunLog};

/// Lessons that an agent is given of one site; it shows a few of them.
const MOST: usize = 100;

/// What is known of a site, the most trusted first. A site whose rows cannot all be read is one of which nothing is known.
pub(crate) async fn recall(lessons: &dyn Lessons, site: &str) -> Result<Vec<Lesson>, ActionFailure> {
    let failed = |reason: String| ActionFailure::NotAvailable { what: "the memory".into(), reason };
    let recalled = lessons.recall(Some(site), Timestamp::now()).await.map_err(|error| failed(error.to_string()))?;
    match recalled.unreadable {
        0 => Ok(recalled.lessons.into_iter().map(|kept| kept.lesson).take(MOST).collect()),
        many => Err(failed(format!("{many} of its rows cannot be read; `legwork memory prune` takes them away"))),
    }
}

/// Adds what a run taught since event `after`. A failure is logged: the run has ended by then.
pub(crate) async fn learn<S: RunLog + Lessons>(store: &Arc<S>, run: RunId, after: u64, keep: usize) {
    let learned = async {
        let events = store.read(run, 1).await?;
        store.learn(legwork_agent::memory::learn(&events, after), Timestamp::now(), keep).await
    };
    if let Err(error) = learned.await {
        tracing::warn!(%run, %error, "nothing was learned from the run");
    }
}
