//! The followers of each run, which the writer notifies after each commit.

use std::{collections::HashMap, sync::Arc};

use legwork_protocol::{Event, RunId};
use parking_lot::Mutex;
use tokio::sync::broadcast;

/// The number of events that are kept for a slow follower. After that, it reads the log again.
const CHANNEL_CAPACITY: usize = 256;

/// The followers of each run.
#[derive(Default)]
pub(crate) struct Watchers(Mutex<HashMap<RunId, broadcast::Sender<Arc<Event>>>>);

impl Watchers {
    /// All events that are committed to `run` from now on.
    pub(crate) fn subscribe(&self, run: RunId) -> broadcast::Receiver<Arc<Event>> {
        let mut runs = self.0.lock();
        runs.retain(|_, sender| sender.receiver_count() > 0);
        runs.entry(run).or_insert_with(|| broadcast::channel(CHANNEL_CAPACITY).0).subscribe()
    }

    /// Notifies the followers, in the order of the commits.
    pub(crate) fn notify(&self, run: RunId, events: &[Event]) {
        let runs = self.0.lock();
        let Some(sender) = runs.get(&run) else { return };
        for event in events {
            // It is not an error if no receiver is left.
            let _ = sender.send(Arc::new(event.clone()));
        }
    }
}
