//! What a session may lose when it closes: whether anything was changed, and the requests for a change that have no answer.

use std::collections::HashMap;

use crate::{action_epoch::ActionEpoch, driver_event::StartedRequest};

/// A write that takes this long, and that another to the same place follows at once, may be a poll …
const HELD: f64 = 1.0;

/// … `at once` being so many seconds …
const AT_ONCE: f64 = 0.1;

/// … and is one after so many in a row.
const IN_A_ROW: u32 = 3;

/// How often a page may ask for the same before that is taken for polling.
const OFTEN: u32 = 3;

/// The most places that are told apart in a tab.
const PLACES: usize = 500;

/// Requests that write and are not answered, and what is known of the places that a tab asks.
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
    /// Writes in a row that were held open.
    held: u32,
    ended: f64,
}

impl Writes {
    pub(crate) fn sent(&mut self, sent: &StartedRequest) {
        let place = place_of(&sent.method, &sent.url);
        if self.places.len() >= PLACES && !self.places.contains_key(&place) {
            self.places.clear();
        }
        let asked = self.places.entry(place.clone()).or_default();
        asked.times += 1;
        if matches!(sent.method.as_str(), "GET" | "HEAD" | "OPTIONS" | "") {
            return;
        }
        if sent.at - asked.ended > AT_ONCE {
            asked.held = 0;
        }
        let polls = asked.held >= IN_A_ROW;
        self.under_way.insert(sent.request.clone(), Write { place, sent: sent.at, polls });
    }

    /// What a request under way asks for, when it writes.
    pub(crate) fn place(&self, request: &str) -> Option<&str> {
        self.under_way.get(request).map(|write| write.place.as_str())
    }

    /// The head of its answer came, or it ended otherwise; whether it was a write. The moment is absent when it was not told.
    pub(crate) fn answered(&mut self, request: &str, at: Option<f64>) -> bool {
        let Some(write) = self.under_way.remove(request) else { return false };
        let asked = self.places.entry(write.place).or_default();
        let at = at.unwrap_or(write.sent);
        asked.held = if at - write.sent >= HELD { asked.held + 1 } else { 0 };
        asked.ended = at;
        true
    }

    /// The document is another: what the old one asked for is not told of any more.
    pub(crate) fn clear(&mut self) {
        self.under_way.clear();
    }

    pub(crate) fn open(&self) -> impl Iterator<Item = &Write> {
        self.under_way.values().filter(|write| !write.polls)
    }

    pub(crate) fn is_often(&self, url: &str) -> bool {
        self.places.get(&place_of("GET", url)).is_some_and(|asked| asked.times >= OFTEN)
    }
}

fn place_of(method: &str, url: &str) -> String {
    format!("{method} {}", url.split(['?', '#']).next().unwrap_or(url))
}

/// What a session may lose when it closes: whether anything was changed, and when a page last asked a server for a change.
#[derive(Default)]
pub(crate) struct UnsavedWork {
    /// An action was carried out that may have changed something.
    changed: bool,
    /// The last action with input, and the last at whose time a page asked for a change.
    last_input: ActionEpoch,
    last_write: ActionEpoch,
    /// Requests for a change that were refused since the close was begun to be waited for.
    refused_writes: Vec<String>,
    /// What was pending was waited for after the action with this mark.
    flushed: Option<ActionEpoch>,
}

impl UnsavedWork {
    /// An action may change something.
    pub(crate) fn note_change(&mut self) {
        self.changed = true;
    }

    /// An action with input begins, which may change something.
    pub(crate) fn note_input(&mut self, epoch: ActionEpoch) {
        self.changed = true;
        self.last_input = epoch;
    }

    /// A page asks a server for a change.
    pub(crate) fn note_write(&mut self, epoch: ActionEpoch) {
        self.last_write = epoch;
    }

    /// A server refused a change.
    pub(crate) fn note_refusal(&mut self, what: String) {
        self.refused_writes.push(what);
    }

    /// Whether anything is to be waited for after the action with this mark; it is waited for once.
    pub(crate) fn begin_flush(&mut self, epoch: ActionEpoch) -> bool {
        let is_due = self.changed && self.flushed != Some(epoch);
        if is_due {
            self.flushed = Some(epoch);
            self.refused_writes.clear();
        }
        is_due
    }

    /// Nothing was asked of a server since the last input: what can still be undone may be sent only when it no longer can.
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
