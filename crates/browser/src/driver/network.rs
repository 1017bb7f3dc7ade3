//! The traffic between page and network, and emulated conditions.

use super::pending::{DriverError, Pending, SessionId};

/// A response that replaces that of the network.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Fulfillment {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// The conditions that are emulated for the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NetworkEmulation {
    /// The CSS media type; empty for the browser's own.
    pub(crate) media: String,
    /// CSS media features by name; an empty value restores the browser's own.
    pub(crate) features: Vec<(&'static str, String)>,
    pub(crate) offline: bool,
}

pub(crate) trait Network {
    fn continue_request(&self, session: &SessionId, request: &str, goes: bool);
    /// Continues a request with these headers instead of its own.
    fn continue_request_with_headers(&self, session: &SessionId, request: &str, headers: &[(String, String)]);
    fn fulfill_request(&self, session: &SessionId, request: &str, answer: &Fulfillment);
    /// Enables or disables pausing every request before it is sent.
    fn intercept_requests(&self, session: &SessionId, on: bool) -> Pending<()>;
    /// Lets every request of a worker fail, or no longer. Not every driver reports workers.
    fn block_requests(&self, _worker: &SessionId, _on: bool) -> Pending<()> {
        Pending::new(async { Err(DriverError::Refused("requests of workers cannot be blocked".to_owned())) })
    }
    fn request_body(&self, session: &SessionId, request: &str) -> Pending<String>;
    fn response_body(&self, session: &SessionId, request: &str) -> Pending<Vec<u8>>;
    fn set_conditions(&self, session: &SessionId, network_emulation: &NetworkEmulation) -> Pending<()>;
}
