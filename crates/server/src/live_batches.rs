//! The batches that this server drives now.

use std::collections::HashSet;

use legwork::protocol::BatchId;
use parking_lot::Mutex;

/// The ids of the batches that this server drives now.
#[derive(Default)]
pub(crate) struct LiveBatches(Mutex<HashSet<BatchId>>);

impl LiveBatches {
    pub(crate) fn insert(&self, batch: BatchId) {
        self.0.lock().insert(batch);
    }

    pub(crate) fn remove(&self, batch: BatchId) {
        self.0.lock().remove(&batch);
    }

    /// Whether this server drives the batch.
    pub(crate) fn is_live(&self, batch: BatchId) -> bool {
        self.0.lock().contains(&batch)
    }
}
