//! Idempotency keys: a request with a key can be sent twice, and the second one gets the result of the first. Keys are
//! stored for a day.

use axum::http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use legwork::protocol::Code;
use legwork::{protocol::RunId, store::KeyValueStore};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::ApiError;

const KIND: &str = "idempotency";
const LIFETIME: SignedDuration = SignedDuration::from_hours(24);
const MAX_LENGTH: usize = 255;

#[derive(Serialize, Deserialize)]
struct Body {
    run: RunId,
    /// SHA-256 of the request.
    request: String,
}

/// What is known about a key.
pub(crate) enum KeyClaim {
    /// The key is new, so the run can be created.
    New,
    /// The run was created already.
    Existing(RunId),
}

/// The key of a client.
pub(crate) struct Key {
    key: String,
    request: String,
}

impl Key {
    /// A key and the request that it belongs to.
    pub(crate) fn new(key: &str, request: &impl Serialize) -> Result<Key, ApiError> {
        if key.is_empty() || key.len() > MAX_LENGTH || !key.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
            return Err(ApiError::bad(format!("Idempotency-Key: 1 to {MAX_LENGTH} printable ASCII characters")));
        }
        let text = serde_json::to_vec(request).map_err(|error| ApiError::internal(Code::Internal, &error))?;
        let request = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Key { key: key.to_owned(), request })
    }

    /// Claims the key for a run. If two requests arrive at once, one claims the key and the other receives that run.
    pub(crate) async fn claim(&self, store: &dyn KeyValueStore, run: RunId) -> Result<KeyClaim, ApiError> {
        store.delete_older(KIND, Timestamp::now() - LIFETIME).await?;
        let body = serde_json::to_string(&Body { run, request: self.request.clone() })
            .map_err(|error| ApiError::internal(Code::Internal, &error))?;
        if store.put_if_absent(KIND, &self.key, body).await? {
            return Ok(KeyClaim::New);
        }
        let note = store.entry(KIND, &self.key).await?;
        let Some(before) = note.and_then(|note| serde_json::from_str::<Body>(&note.body).ok()) else {
            return Err(ApiError::conflict("the Idempotency-Key has just expired; send the request again"));
        };
        if before.request != self.request {
            return Err(ApiError::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                Code::RequestInvalid,
                "this Idempotency-Key was used for another request",
            )
            .suggest("Use a new key for a new request."));
        }
        Ok(KeyClaim::Existing(before.run))
    }

    /// Releases the key, because no run was created.
    pub(crate) async fn release(&self, store: &dyn KeyValueStore) {
        if let Err(error) = store.delete_entry(KIND, &self.key).await {
            tracing::warn!(%error, "an Idempotency-Key of a refused request is still reserved");
        }
    }
}
