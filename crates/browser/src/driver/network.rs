//! What goes between page and network, and what the page is made to believe of it.

use super::pending::{Pending, SessionId};

/// An answer that is given in place of the network's.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Fulfillment {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// What the page is made to believe of the world.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NetworkEmulation {
    /// The CSS media type; empty for its own.
    pub(crate) media: String,
    /// CSS media features by name; an empty value is the page's own.
    pub(crate) features: Vec<(&'static str, String)>,
    pub(crate) offline: bool,
}

pub(crate) trait Network {
    fn continue_request(&self, session: &SessionId, request: &str, goes: bool);
    /// Lets a request go with these headers in place of its own.
    fn continue_request_with_headers(&self, session: &SessionId, request: &str, headers: &[(String, String)]);
    fn fulfill_request(&self, session: &SessionId, request: &str, answer: &Fulfillment);
    /// Asks about every request before it is made, or no more.
    fn intercept_requests(&self, session: &SessionId, on: bool) -> Pending<()>;
    fn request_body(&self, session: &SessionId, request: &str) -> Pending<String>;
    fn response_body(&self, session: &SessionId, request: &str) -> Pending<Vec<u8>>;
    fn set_conditions(&self, session: &SessionId, network_emulation: &NetworkEmulation) -> Pending<()>;
}
