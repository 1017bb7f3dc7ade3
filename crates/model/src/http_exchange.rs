//! The reply of a provider over HTTP.

use std::time::Duration;

/// A reply with any status.
pub(crate) struct HttpExchange {
    pub status: u16,
    pub retry_after: Option<Duration>,
    pub body: Vec<u8>,
}
