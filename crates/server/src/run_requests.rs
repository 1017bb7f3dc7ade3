//! The requests that started runs, so that a person can repeat or change them. They are key-value entries beside the
//! runs and are deleted with them.

use jiff::Timestamp;
use legwork::{
    protocol::RunId,
    store::{KeyValueStore, StoreError},
};
use serde::{Serialize, de::DeserializeOwned};

/// The kind of the key-value entries, by the id of the run.
const KIND: &str = "run-request";

/// Stores the request of a run. A failure is only logged: the run does not depend on it.
pub(crate) async fn store(entries: &dyn KeyValueStore, run: RunId, request: &impl Serialize) {
    let stored = match serde_json::to_string(request) {
        Ok(body) => entries.put_entry(KIND, &run.to_string(), body).await,
        Err(error) => {
            tracing::warn!(%error, run = %run.hyphenated(), "the request of the run cannot be stored");
            return;
        }
    };
    if let Err(error) = stored {
        tracing::warn!(%error, run = %run.hyphenated(), "the request of the run was not stored; it can be repeated from its record only");
    }
}

/// The stored request of a run. None if there is none, or if another version stored it.
pub(crate) async fn find<T: DeserializeOwned>(
    entries: &dyn KeyValueStore,
    run: RunId,
) -> Result<Option<T>, StoreError> {
    let entry = entries.entry(KIND, &run.to_string()).await?;
    Ok(entry.and_then(|entry| serde_json::from_str(&entry.body).ok()))
}

/// Deletes the request of a run.
pub(crate) async fn delete(entries: &dyn KeyValueStore, run: RunId) -> Result<(), StoreError> {
    entries.delete_entry(KIND, &run.to_string()).await.map(drop)
}

/// Deletes the requests of the runs that were started before a point in time.
pub(crate) async fn delete_older(entries: &dyn KeyValueStore, before: Timestamp) -> Result<usize, StoreError> {
    entries.delete_older(KIND, before).await
}
