//! The stream of all runs, for lists: it sends the row of a run whenever the run changes. One task polls the log for
//! all viewers.

use std::{collections::HashMap, sync::Arc, time::Duration};

use axum::body::Bytes;
use legwork::{
    protocol::RunId,
    store::{RunLog, RunQuery, RunSummary},
};
use parking_lot::Mutex;
use tokio::sync::broadcast;

use crate::routes::RunListItem;

/// Interval between two reads of the list. It is polled, because other processes drive runs too and do not notify this
/// one.
const POLL_INTERVAL: Duration = Duration::from_millis(400);
/// The number of newest runs that are read.
const MAX_RUNS: usize = 60;
/// Capacity of the channel for changes. If a viewer falls behind, it is sent the whole list again.
const CHANNEL_CAPACITY: usize = 256;

/// The stream of all runs.
pub(crate) struct RunListFeed {
    log: Arc<dyn RunLog>,
    sender: Mutex<Option<broadcast::Sender<Bytes>>>,
}

fn sse(summary: &RunSummary) -> Bytes {
    let row = serde_json::to_string(&RunListItem::of(summary)).expect("a row is words and numbers");
    Bytes::from(format!("event: run\ndata: {row}\n\n"))
}

impl RunListFeed {
    pub(super) fn new(log: Arc<dyn RunLog>) -> Self {
        RunListFeed { log, sender: Mutex::new(None) }
    }

    /// The changed rows from now on. Starts the polling task if there is none.
    pub(crate) fn watch(&self) -> broadcast::Receiver<Bytes> {
        let mut sender = self.sender.lock();
        if let Some(there) = sender.as_ref().filter(|there| there.receiver_count() > 0) {
            return there.subscribe();
        }
        let (fresh, receiver) = broadcast::channel(CHANNEL_CAPACITY);
        *sender = Some(fresh.clone());
        tokio::spawn(poll(self.log.clone(), fresh));
        receiver
    }

    /// The current rows, the oldest first.
    pub(crate) async fn now(&self) -> Vec<Bytes> {
        let runs = self.log.runs(RunQuery { limit: MAX_RUNS, ..RunQuery::default() }).await.unwrap_or_default();
        runs.iter().rev().map(sse).collect()
    }
}

async fn poll(log: Arc<dyn RunLog>, to: broadcast::Sender<Bytes>) {
    // The first read sends every row, which includes what changed since the viewer read the list.
    let mut known: HashMap<RunId, (u64, bool)> = HashMap::new();
    let mut clock = tokio::time::interval(POLL_INTERVAL);
    while to.receiver_count() > 0 {
        clock.tick().await;
        let runs = match log.runs(RunQuery { limit: MAX_RUNS, ..RunQuery::default() }).await {
            Ok(runs) => runs,
            Err(error) => {
                tracing::warn!(%error, "the list of runs cannot be read");
                continue;
            }
        };
        let mut fresh = HashMap::with_capacity(runs.len());
        for run in runs.iter().rev() {
            let state = (run.last_seq, run.driven);
            if known.get(&run.run) != Some(&state) {
                // Sending fails if no viewer is left. The loop condition ends the task then.
                let _ = to.send(sse(run));
            }
            fresh.insert(run.run, state);
        }
        known = fresh;
    }
}
