//! What became of the requests that an action set off, as effects of that action: whoever judges the action must know that
//! the server refused it, whatever the page shows.
//!
//! Reported are requests for a change, because their responses show what was done, and others that failed. Left out is what
//! no page waits for (beacons, reports, preflights, pictures) and what was broken off by leaving the page.

use std::collections::HashSet;

use legwork_protocol::{PageEffect, RequestLine};

use crate::shared::Shared;

/// The most requests that one action reports; the newest, because the last response decides.
const MOST: usize = 20;
/// The most kinds of background requests that are remembered of a session.
const BACKGROUND: usize = 500;

/// The kinds of requests, by method and address without its query, that pages of a session send without being acted on:
/// while they load, and between actions. A page that polls is no sign of what an action did.
#[derive(Default)]
pub(crate) struct BackgroundRequests {
    known: HashSet<(String, String)>,
    /// An action on an element is under way, which may be the cause of what is sent.
    acting: bool,
}

/// Where in the session's requests an action began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestMark(u64);

impl BackgroundRequests {
    /// Remembers a request unless an action may be its cause.
    pub(crate) fn note(&mut self, method: &str, url: &str) {
        if !self.acting && self.known.len() < BACKGROUND {
            self.known.insert(kind_of(method, url));
        }
    }
}

fn kind_of(method: &str, url: &str) -> (String, String) {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    (method.to_owned(), path.to_owned())
}

impl Shared {
    /// An action begins. One that only loads a page (`acts_on_page` is false) causes nothing but what pages do by themselves.
    pub(crate) fn begin_requests(&self, acts_on_page: bool) -> RequestMark {
        let mut activity = self.activity();
        activity.background.acting = acts_on_page;
        RequestMark(activity.requests.last())
    }

    /// The action ended: the requests since it began that tell what became of it, oldest first.
    pub(crate) fn end_requests(&self, since: RequestMark) -> Vec<PageEffect> {
        let mut activity = self.activity();
        activity.background.acting = false;
        let mut reported: Vec<PageEffect> = activity
            .requests
            .after(since.0)
            .filter(|line| is_reported(line))
            .map(|line| PageEffect::Request {
                method: line.method.clone(),
                url: line.url.clone(),
                status: line.status,
                failure: line.failure.clone(),
                background: activity.background.known.contains(&kind_of(&line.method, &line.url)),
            })
            .collect();
        reported.drain(..reported.len().saturating_sub(MOST));
        reported
    }
}

fn is_reported(line: &RequestLine) -> bool {
    let changes = matches!(line.method.as_str(), "POST" | "PUT" | "PATCH" | "DELETE");
    let aborted = line.failure.as_deref().is_some_and(|why| {
        // Broken off by the page or by leaving it; or refused by this run's own rules, which is an effect of its own.
        why.contains("ERR_ABORTED") || why.contains("ERR_BLOCKED_BY")
    });
    let failed = line.status.is_some_and(|status| status >= 400) || line.failure.is_some();
    match line.kind.as_str() {
        "document" => changes && !aborted,
        "xhr" | "fetch" => (changes || failed) && !aborted,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(method: &str, kind: &str, status: Option<u16>, failure: Option<&str>) -> RequestLine {
        RequestLine {
            number: 1,
            method: method.into(),
            url: "http://shop.test/api".into(),
            kind: kind.into(),
            status,
            media_type: None,
            duration: None,
            bytes: None,
            failure: failure.map(Into::into),
            tab: 1,
            at: jiff::Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn changes_and_failures_are_reported_but_not_what_no_page_waits_for() {
        let reported = |method, kind, status, failure| is_reported(&line(method, kind, status, failure));
        assert!(reported("POST", "fetch", Some(201), None));
        assert!(reported("DELETE", "xhr", None, None));
        assert!(reported("POST", "document", Some(303), None));
        assert!(reported("GET", "fetch", Some(500), None));
        assert!(reported("GET", "xhr", None, Some("net::ERR_CONNECTION_REFUSED")));
        assert!(!reported("GET", "fetch", Some(200), None));
        assert!(!reported("GET", "document", Some(500), None), "the navigation itself tells it");
        assert!(!reported("POST", "ping", Some(500), None));
        assert!(!reported("GET", "image", Some(404), None));
        assert!(!reported("POST", "fetch", None, Some("net::ERR_ABORTED")));
        assert!(!reported("POST", "fetch", None, Some("net::ERR_BLOCKED_BY_CLIENT")));
    }

    #[test]
    fn what_a_page_asks_for_by_itself_is_known_by_method_and_path() {
        let mut background = BackgroundRequests::default();
        background.note("POST", "http://shop.test/poll?n=1");
        background.acting = true;
        background.note("POST", "http://shop.test/orders");
        assert!(background.known.contains(&kind_of("POST", "http://shop.test/poll?n=2")));
        assert!(!background.known.contains(&kind_of("GET", "http://shop.test/poll")));
        assert!(!background.known.contains(&kind_of("POST", "http://shop.test/orders")));
    }
}
