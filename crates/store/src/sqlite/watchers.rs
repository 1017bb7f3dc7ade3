//! Who follows which run: the writer tells them what it committed.

use std::{collections::HashMap, sync::Arc};

use legwork_protocol::{Event, RunId};
use parking_lot::Mutex;
use tokio::sync::broadcast;

/// Events kept for a follower that is slow; beyond them it reads the log again.
const CAPACITY: usize = 256;

/// The followers of each run.
#[derive(Default)]
pub(crate) struct Watchers(Mutex<HashMap<RunId, broadcast::Sender<Arc<Event>>>>);

impl Watchers {
    /// Everything committed to `run` from now on.
    pub(crate) fn subscribe(&self, run: RunId) -> broadcast::Receiver<Arc<Event>> {
        let mut runs = self.0.lock();
        runs.retain(|_, sender| sender.receiver_count() > 0);
        runs.entry(run).or_insert_with(|| broadcast::channel(CAPACITY).0).subscribe()
    }

    /// Tells the followers, in the order of the commits.
    pub(crate) fn notify(&self, run: RunId, events: &[Event]) {
        let runs = self.0.lock();
        let Some(sender) = runs.get(&run) else { return };
        for event in events {
            // No receiver left is no failure: nobody looks any more.
            let _ = sender.send(Arc::new(event.clone()));
        }
    }
}
