//! What a session may lose when it closes: whether anything was changed, and the requests for a change that have no
//! answer.

use std::collections::HashMap;

use crate::{action_epoch::ActionEpoch, background_requests::without_query, driver_event::StartedRequest};

/// The time in seconds from which a write counts as held open by the server.
const LONG_POLL_SECONDS: f64 = 1.0;

/// The most seconds between the response to a write and the next write to the same endpoint for the two to count as
/// consecutive.
const CONSECUTIVE_SECONDS: f64 = 0.1;

/// After this number of consecutive writes that were held open, the next one is taken for a long poll.
const LONG_POLLS_IN_A_ROW: u32 = 3;

/// From this number of requests to the same address, a request is taken for polling.
const POLLING_REQUESTS: u32 = 3;

/// The most endpoints that are remembered for a tab.
const MAX_ENDPOINTS: usize = 500;

/// The requests that write and have no response yet, and what is known about the endpoints that a tab sends requests
/// to.
#[derive(Default)]
pub(crate) struct Writes {
    under_way: HashMap<String, Write>,
    places: HashMap<String, EndpointWrites>,
}

pub(crate) struct Write {
    pub(crate) place: String,
    sent: f64,
    polls: bool,
}

#[derive(Default)]
struct EndpointWrites {
    times: u32,
    /// The number of consecutive writes that were held open.
    held: u32,
    ended: f64,
}

impl Writes {
    pub(crate) fn sent(&mut self, sent: &StartedRequest) {
        let place = place_of(&sent.method, &sent.url);
        if self.places.len() >= MAX_ENDPOINTS && !self.places.contains_key(&place) {
            self.places.clear();
        }
        let asked = self.places.entry(place.clone()).or_default();
        asked.times += 1;
        if matches!(sent.method.as_str(), "GET" | "HEAD" | "OPTIONS" | "") {
            return;
        }
        if sent.at - asked.ended > CONSECUTIVE_SECONDS {
            asked.held = 0;
        }
        let polls = asked.held >= LONG_POLLS_IN_A_ROW;
        self.under_way.insert(sent.request.clone(), Write { place, sent: sent.at, polls });
    }

    /// The endpoint of a request in progress, if it writes.
    pub(crate) fn place(&self, request: &str) -> Option<&str> {
        self.under_way.get(request).map(|write| write.place.as_str())
    }

    /// Records that the head of the response arrived or that the request ended in another way. Returns whether it was a
    /// write. `at` is `None` when the time is unknown.
    pub(crate) fn answered(&mut self, request: &str, at: Option<f64>) -> bool {
        let Some(write) = self.under_way.remove(request) else { return false };
        let asked = self.places.entry(write.place).or_default();
        let at = at.unwrap_or(write.sent);
        asked.held = if at - write.sent >= LONG_POLL_SECONDS { asked.held + 1 } else { 0 };
        asked.ended = at;
        true
    }

    /// Forgets the writes of the previous document: no events are reported for them after a navigation.
    pub(crate) fn clear(&mut self) {
        self.under_way.clear();
    }

    pub(crate) fn open(&self) -> impl Iterator<Item = &Write> {
        self.under_way.values().filter(|write| !write.polls)
    }

    pub(crate) fn is_often(&self, url: &str) -> bool {
        self.places.get(&place_of("GET", url)).is_some_and(|asked| asked.times >= POLLING_REQUESTS)
    }
}

fn place_of(method: &str, url: &str) -> String {
    format!("{method} {}", without_query(url))
}

/// What a session may lose when it closes: whether anything was changed, and when a page last sent a request that
/// writes.
#[derive(Default)]
pub(crate) struct UnsavedWork {
    /// An action that may have changed something was carried out.
    changed: bool,
    /// The epoch of the last action with input, and the epoch in which a page last sent a request that writes.
    last_input: ActionEpoch,
    last_write: ActionEpoch,
    /// The requests for a change that were refused since the last flush began.
    refused_writes: Vec<String>,
    /// The epoch for which pending work was last flushed.
    flushed: Option<ActionEpoch>,
}

impl UnsavedWork {
    /// Records that an action may change something.
    pub(crate) fn note_change(&mut self) {
        self.changed = true;
    }

    /// Records that an action with input begins, which may change something.
    pub(crate) fn note_input(&mut self, epoch: ActionEpoch) {
        self.changed = true;
        self.last_input = epoch;
    }

    /// Records that a page sent a request that writes.
    pub(crate) fn note_write(&mut self, epoch: ActionEpoch) {
        self.last_write = epoch;
    }

    /// Records that a server refused a change.
    pub(crate) fn note_refusal(&mut self, what: String) {
        self.refused_writes.push(what);
    }

    /// Whether pending work must be flushed in this epoch. This is the case once for each epoch.
    pub(crate) fn begin_flush(&mut self, epoch: ActionEpoch) -> bool {
        let is_due = self.changed && self.flushed != Some(epoch);
        if is_due {
            self.flushed = Some(epoch);
            self.refused_writes.clear();
        }
        is_due
    }

    /// Whether no write was sent since the last input. A change that can still be undone may then be sent only after
    /// the offer to undo it has ended.
    pub(crate) fn may_be_undone(&self) -> bool {
        self.last_write < self.last_input
    }

    pub(crate) fn take_refused(&mut self) -> Vec<String> {
        std::mem::take(&mut self.refused_writes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(request: u32, method: &str, url: &str, at: f64) -> StartedRequest {
        StartedRequest {
            request: request.to_string(),
            method: method.into(),
            url: url.into(),
            at,
            ..StartedRequest::default()
        }
    }

    #[test]
    fn what_was_changed_is_waited_for_once_after_each_action() {
        let mut unsaved = UnsavedWork::default();
        assert!(!unsaved.begin_flush(1), "nothing was changed");
        unsaved.note_refusal("POST http://a.test/old".to_owned());
        unsaved.note_input(2);
        assert!(unsaved.may_be_undone());
        assert!(unsaved.begin_flush(2) && !unsaved.begin_flush(2));
        assert!(unsaved.take_refused().is_empty(), "it was refused before");
        unsaved.note_write(2);
        unsaved.note_refusal("POST http://a.test/save".to_owned());
        assert!(!unsaved.may_be_undone());
        assert_eq!(unsaved.take_refused(), ["POST http://a.test/save"]);
        assert!(unsaved.begin_flush(3));
    }

    #[test]
    fn a_write_counts_until_its_answer_begins() {
        let mut writes = Writes::default();
        writes.sent(&sent(1, "POST", "http://a.test/save?x=1", 1.0));
        writes.sent(&sent(2, "GET", "http://a.test/list", 1.0));
        assert_eq!(writes.open().map(|write| write.place.as_str()).collect::<Vec<_>>(), ["POST http://a.test/save"]);
        writes.answered("1", Some(9.0));
        assert_eq!(writes.open().count(), 0);
    }

    #[test]
    fn a_long_poll_that_posts_does_not_count_and_a_queue_of_saves_does() {
        for (lasts, counts) in [(25.0, 0), (0.3, 1)] {
            let (mut writes, mut now) = (Writes::default(), 1.0);
            for request in 1..=4 {
                writes.sent(&sent(request, "POST", "http://a.test/x", now));
                now += lasts;
                writes.answered(&request.to_string(), Some(now));
                now += 0.01;
            }
            writes.sent(&sent(5, "POST", "http://a.test/x", now));
            assert_eq!(writes.open().count(), counts, "{lasts}");
        }
    }
}
