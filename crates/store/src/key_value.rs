//! Small notes kept beside the runs, by kind and key: the server's idempotency keys, its queue, its schedules.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::StoreError;

/// A note as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyValueEntry {
    /// Its name among those of its kind.
    pub key: String,
    /// What it says; the log does not look into it.
    pub body: String,
    /// When it was first kept.
    pub made: Timestamp,
}

/// Notes by kind and key.
#[async_trait]
pub trait KeyValueStore: Send + Sync + 'static {
    /// Keeps a note unless there is one of that name; says whether it was kept. Of two who try at once, one succeeds.
    async fn put_if_absent(&self, kind: &str, key: &str, body: String) -> Result<bool, StoreError>;

    /// Keeps a note, over one of that name.
    async fn put_entry(&self, kind: &str, key: &str, body: String) -> Result<(), StoreError>;

    /// A note by its name.
    async fn entry(&self, kind: &str, key: &str) -> Result<Option<KeyValueEntry>, StoreError>;

    /// All of a kind, the oldest first.
    async fn entries(&self, kind: &str) -> Result<Vec<KeyValueEntry>, StoreError>;

    /// Drops a note; says whether it was there.
    async fn delete_entry(&self, kind: &str, key: &str) -> Result<bool, StoreError>;

    /// Drops those of a kind that were made before; says how many.
    async fn delete_older(&self, kind: &str, before: Timestamp) -> Result<usize, StoreError>;
}
