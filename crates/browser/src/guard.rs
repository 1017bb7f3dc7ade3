//! The rules of a run: which addresses it may request, and which secrets it may use where. The executor calls them;
//! higher layers implement them.

use std::{net::SocketAddr, sync::Arc};

use legwork_protocol::ActionFailure;
use secrecy::SecretString;
use thiserror::Error;
use url::Url;

/// A rule that forbids something, phrased for the reader of the failure.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct RequestDenial {
    /// The rule, and what it allows.
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
    /// A refusal with this reason.
    pub fn new(reason: impl Into<String>) -> Self {
        RequestDenial { reason: reason.into(), is_fixed: false }
    }

    /// A refusal by a rule that no setting changes.
    pub fn fixed(reason: impl Into<String>) -> Self {
        RequestDenial { reason: reason.into(), is_fixed: true }
    }
}

/// What the requests of a tab may not do because of an action. Every method must return at once, because the calls come
/// from the reading task.
pub trait RequestLimit: Send + Sync {
    /// Checks a request before it is sent, redirects included.
    ///
    /// # Errors
    /// If the limit refuses the request.
    fn allows(&self, request: &LimitedRequest<'_>) -> Result<(), RequestDenial>;

    /// Whether the limit still holds when the tab has a new document of this address.
    fn holds_on(&self, document: &Url) -> bool;

    /// The limit for another tab with a document of this address, to which the page of the action can pass messages.
    fn in_other_tab(&self, _document: &str) -> Option<Arc<dyn RequestLimit>> {
        None
    }

    /// Whether an action must not be carried out in a browser that cannot limit requests.
    fn is_required(&self) -> bool {
        true
    }
}

/// A request of a tab with a limit.
#[derive(Clone, Copy, Debug)]
pub struct LimitedRequest<'a> {
    /// `GET`, `POST`…
    pub method: &'a str,
    /// The address.
    pub url: &'a Url,
    /// The body, if it is a text that the browser reports.
    pub body: Option<&'a str>,
    /// Whether it is for the document of the tab itself, not of a frame.
    pub is_page: bool,
}

/// The tab to which a limit applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitedTab {
    /// The current one; if none is open, the next one that opens.
    Current,
    /// The next one that opens.
    Next,
}

/// The rules of a run. The executor enforces them, below the journal and the model. Every method must return at once,
/// because some calls come from the reading task.
pub trait Guard: Send + Sync {
    /// Whether the rules may refuse an address. If not, requests are not intercepted, which saves time on each.
    fn restricts(&self) -> bool {
        true
    }

    /// Checks an address before it is requested. This covers documents and every request of a page, including
    /// redirects.
    fn allows(&self, url: &Url) -> Result<(), RequestDenial>;

    /// Checks an address to which an allowed host was resolved before a connection is made.
    fn allows_connection(&self, _: SocketAddr) -> Result<(), RequestDenial> {
        Ok(())
    }

    /// Replaces `${secret:NAME}` by the secret's value. Refuses when a secret is not bound to the origin.
    fn reveal(&self, text: &str, origin: &Url) -> Result<SecretString, RequestDenial>;

    /// Whether the text contains a `${secret:NAME}`.
    fn holds_secret(&self, text: &str) -> bool;

    /// Replaces the values of secrets by their handles.
    fn mask(&self, text: &mut String);
}

/// Rules that allow every address and contain no secret.
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
