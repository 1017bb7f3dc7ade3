//! What a run allows, asked by the executor: which addresses, and which secrets where. Implemented above.

use std::net::SocketAddr;

use legwork_protocol::ActionFailure;
use secrecy::SecretString;
use thiserror::Error;
use url::Url;

/// A rule that forbids something, phrased for whoever reads why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct RequestDenial {
    /// Which rule, and what is allowed.
    pub reason: String,
    /// Whether no setting of the run changes the rule.
    pub is_fixed: bool,
}

impl From<RequestDenial> for ActionFailure {
    fn from(RequestDenial { reason, is_fixed }: RequestDenial) -> ActionFailure {
        if is_fixed { ActionFailure::Forbidden { reason } } else { ActionFailure::Refused { reason } }
    }
}

impl RequestDenial {
    /// A refusal for this reason.
    pub fn new(reason: impl Into<String>) -> Self {
        RequestDenial { reason: reason.into(), is_fixed: false }
    }

    /// A refusal by a rule that no setting changes.
    pub fn fixed(reason: impl Into<String>) -> Self {
        RequestDenial { reason: reason.into(), is_fixed: true }
    }
}

/// What a run allows. Called below the journal and the model; every method must answer at once.
pub trait Guard: Send + Sync {
    /// Whether any address may be refused. When not, requests are not intercepted, which saves time on each.
    fn restricts(&self) -> bool {
        true
    }

    /// Whether this address may be asked for: documents and every request of a page, redirects included.
    fn allows(&self, url: &Url) -> Result<(), RequestDenial>;

    /// Whether a connection may be made to this address, which an allowed host was resolved to.
    fn allows_connection(&self, _: SocketAddr) -> Result<(), RequestDenial> {
        Ok(())
    }

    /// Replaces `${secret:NAME}` by the secret's value; refuses when a secret is not bound to the origin.
    fn reveal(&self, text: &str, origin: &Url) -> Result<SecretString, RequestDenial>;

    /// Whether the text has a `${secret:NAME}`.
    fn holds_secret(&self, text: &str) -> bool;

    /// Replaces secret values by their handles.
    fn mask(&self, text: &mut String);
}

/// A guard that allows every address and knows no secret.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRules;

impl Guard for NoRules {
    fn restricts(&self) -> bool {
        false
    }
    fn allows(&self, _: &Url) -> Result<(), RequestDenial> {
        Ok(())
    }
    fn reveal(&self, text: &str, _: &Url) -> Result<SecretString, RequestDenial> {
        Ok(SecretString::from(text))
    }
    fn holds_secret(&self, _: &str) -> bool {
        false
    }
    fn mask(&self, _: &mut String) {}
}
