//! The requests that pages send by themselves, and the cause of those that are sent now.

use std::collections::HashSet;

/// The most kinds of background requests that are remembered for a session.
const BACKGROUND: usize = 500;

/// The kinds of requests, by method and by address without query, that the pages of a session send without being acted
/// on: while they load, and between actions. Requests of a polling page say nothing about what an action did.
#[derive(Default)]
pub(crate) struct BackgroundRequests {
    known: HashSet<(String, String)>,
    pub(crate) cause: RequestCause,
    /// The numbers of requests for a change that had no response when their action ended.
    pub(crate) unanswered: Vec<u64>,
}

/// The possible cause of the requests that are currently sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RequestCause {
    /// The page itself, while it loads or no action is in progress.
    #[default]
    Page,
    /// The action on an element that is in progress.
    Action,
    /// A wait. The page may send what the previous action deferred; requests that it has not sent before may be part of
    /// that.
    Wait,
}

/// The position in the session's requests at which an action began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestMark(pub(crate) u64);

impl BackgroundRequests {
    /// Remembers a request unless an action may be its cause.
    pub(crate) fn note(&mut self, method: &str, url: &str) {
        if self.cause == RequestCause::Page && self.known.len() < BACKGROUND {
            self.known.insert(kind_of(method, url));
        }
    }

    /// Whether the page also sends such a request without being acted on.
    pub(crate) fn knows(&self, method: &str, url: &str) -> bool {
        self.known.contains(&kind_of(method, url))
    }
}

pub(crate) fn kind_of(method: &str, url: &str) -> (String, String) {
    (method.to_owned(), without_query(url).to_owned())
}

/// A URL without query and fragment.
pub(crate) fn without_query(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or(url)
}

/// Whether a request with this method asks for a change.
pub(crate) fn is_change(method: &str) -> bool {
    matches!(method, "POST" | "PUT" | "PATCH" | "DELETE")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_asks_for_by_itself_is_known_by_method_and_path() {
        let mut background = BackgroundRequests::default();
        background.note("POST", "http://shop.test/poll?n=1");
        background.cause = RequestCause::Action;
        background.note("POST", "http://shop.test/orders");
        assert!(background.knows("POST", "http://shop.test/poll?n=2"));
        assert!(!background.knows("GET", "http://shop.test/poll"));
        assert!(!background.knows("POST", "http://shop.test/orders"));
    }
}
