//! The requests that pages send by themselves, and the cause of those that are sent now.

use std::collections::HashSet;

/// The most kinds of background requests that are remembered of a session.
const BACKGROUND: usize = 500;

/// The kinds of requests, by method and address without its query, that pages of a session send without being acted on:
/// while they load, and between actions. A page that polls is no sign of what an action did.
#[derive(Default)]
pub(crate) struct BackgroundRequests {
    pub(crate) known: HashSet<(String, String)>,
    pub(crate) cause: RequestCause,
    /// The numbers of requests for a change that had no answer when their action ended.
    pub(crate) unanswered: Vec<u64>,
}

/// What may be the cause of the requests that are sent now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RequestCause {
    /// The page itself: it loads, or nothing is done to it.
    #[default]
    Page,
    /// The action on an element that is under way.
    Action,
    /// Nothing is done but to wait: what the action before it put off, if the page did not send it before.
    Wait,
}

/// Where in the session's requests an action began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestMark(pub(crate) u64);

impl BackgroundRequests {
    /// Remembers a request unless an action may be its cause.
    pub(crate) fn note(&mut self, method: &str, url: &str) {
        if self.cause == RequestCause::Page && self.known.len() < BACKGROUND {
            self.known.insert(kind_of(method, url));
        }
    }
}

pub(crate) fn kind_of(method: &str, url: &str) -> (String, String) {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    (method.to_owned(), path.to_owned())
}

/// Whether a request by this method asks for a change.
pub(crate) fn is_change(method: &str) -> bool {
    matches!(method, "POST" | "PUT" | "PATCH" | "DELETE")
}
