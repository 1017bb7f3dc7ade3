//! Small entries stored beside the runs, by kind and key: the server's idempotency keys, its queue, its schedules.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::StoreError;

/// A stored entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyValueEntry {
    /// Its name among the entries of its kind.
    pub key: String,
    /// Its content, which the log does not interpret.
    pub body: String,
    /// When it was first stored.
    pub made: Timestamp,
}

/// Entries by kind and key.
#[async_trait]
pub trait KeyValueStore: Send + Sync + 'static {
    /// Stores an entry unless one with this key exists; returns whether it was stored. If two callers try at once,
    /// one succeeds.
    async fn put_if_absent(&self, kind: &str, key: &str, body: String) -> Result<bool, StoreError>;

    /// Stores an entry, replacing one with the same key.
    async fn put_entry(&self, kind: &str, key: &str, body: String) -> Result<(), StoreError>;

    /// The entry with this key.
    async fn entry(&self, kind: &str, key: &str) -> Result<Option<KeyValueEntry>, StoreError>;

    /// All entries of a kind, the oldest first.
    async fn entries(&self, kind: &str) -> Result<Vec<KeyValueEntry>, StoreError>;

    /// Deletes an entry; returns whether it existed.
    async fn delete_entry(&self, kind: &str, key: &str) -> Result<bool, StoreError>;

    /// Deletes the entries of a kind that were created before this time; returns their number.
    async fn delete_older(&self, kind: &str, before: Timestamp) -> Result<usize, StoreError>;
}
