//! Before a session closes, and before an action replaces the page by another one, this module waits for work that the
//! session's actions started and that would otherwise be cut off. An offline-first application shows a change at once
//! and sends it later; closing the browser in between loses the change.
//!
//! | Waited for | Known from |
//! |---|---|
//! | requests that write (every method but GET, HEAD, OPTIONS; beacons), until the head of the response arrives | the browser's events; in workers the script |
//! | other requests of the last action that are not polling, for [`SHORT`] at most, not reported | the browser's events |
//! | database transactions that write, unsent data of a `WebSocket` | the script in the page (`saves.ts`) |
//! | saves that the last actions deferred by up to 2.5 s, or 10 s while a field is edited | the script in the page (`task-tracker/`) |
//! | messages to a worker that it may not have received yet | the script in the page (`task-tracker/`) |
//! | messages and syncs that a service worker is processing | the script in the worker (`worker.ts`) |
//!
//! Work without an end is not waited for: open streams and sockets without unsent data, requests whose response has
//! begun (the server has received their content), and timers and requests that recur without an action. A write that
//! the server repeatedly holds open for a second or longer is a long poll.
//!
//! A session that changed nothing has nothing to lose, so its pages are not asked. An idle page costs one round trip
//! per frame.

use std::{collections::HashMap, time::Duration};

use futures_util::future::join_all;
use serde_json::json;
use tokio::time::Instant;

use crate::{
    Session,
    driver_event::StartedRequest,
    frames::{EvaluateError, FrameRef, dialog_open, value_of},
    page_script::{self as script, FlushState},
    session_inner::SessionInner,
    state::{ActionEpoch, Tab},
};

/// How long requests that only read are waited for. They may be tracking pixels, or saves of an old application that
/// uses GET.
const SHORT: Duration = Duration::from_millis(500);

/// The time in seconds from which a write counts as held open by the server.
const HELD: f64 = 1.0;
/// The most seconds between the response to a write and the next write to the same endpoint for the two to count as
/// consecutive.
const AT_ONCE: f64 = 0.1;
/// After this number of consecutive writes that were held open, the next one is taken for a long poll.
const IN_A_ROW: u32 = 3;

/// From this number of requests to the same address, a request is taken for polling.
const OFTEN: u32 = 3;

/// The most endpoints that are remembered for a tab.
const PLACES: usize = 500;

/// The most pending items that are reported.
const TOLD: usize = 10;

/// The requests that write and have no response yet, and what is known about the endpoints that a tab sends requests
/// to.
#[derive(Default)]
pub(crate) struct Writes {
    under_way: HashMap<String, Write>,
    places: HashMap<String, EndpointWrites>,
}

struct Write {
    place: String,
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
        asked.held = if at - write.sent >= HELD { asked.held + 1 } else { 0 };
        asked.ended = at;
        true
    }

    /// Forgets the writes of the previous document: no events are reported for them after a navigation.
    pub(crate) fn clear(&mut self) {
        self.under_way.clear();
    }

    fn open(&self) -> impl Iterator<Item = &Write> {
        self.under_way.values().filter(|write| !write.polls)
    }

    fn is_often(&self, url: &str) -> bool {
        self.places.get(&place_of("GET", url)).is_some_and(|asked| asked.times >= OFTEN)
    }
}

fn place_of(method: &str, url: &str) -> String {
    format!("{method} {}", url.split(['?', '#']).next().unwrap_or(url))
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
    fn begin_flush(&mut self, epoch: ActionEpoch) -> bool {
        let is_due = self.changed && self.flushed != Some(epoch);
        if is_due {
            self.flushed = Some(epoch);
            self.refused_writes.clear();
        }
        is_due
    }

    /// Whether no write was sent since the last input. A change that can still be undone may then be sent only after
    /// the offer to undo it has ended.
    fn may_be_undone(&self) -> bool {
        self.last_write < self.last_input
    }

    fn take_refused(&mut self) -> Vec<String> {
        std::mem::take(&mut self.refused_writes)
    }
}

impl Tab {
    /// Whether requests of the last action that read and are not polling are in progress.
    fn short_reads(&self, since: ActionEpoch) -> bool {
        self.pending(since).any(|request| !self.writes.is_often(&request.url))
    }
}

impl Session {
    /// Waits until the work that the session's actions started would survive a close, for at most `timeouts.flush`.
    /// Returns descriptions of what is still pending then, secrets masked; the list is empty when nothing is.
    /// [`Session::close`] does this itself unless it was done since the last action; call it to learn what is pending.
    pub async fn flush(&self) -> Vec<String> {
        self.inner.flush().await
    }
}

impl SessionInner {
    pub(crate) async fn flush(&self) -> Vec<String> {
        let asks_undo = {
            let mut state = self.state();
            let epoch = state.epoch;
            if !state.unsaved.begin_flush(epoch) {
                return Vec::new();
            }
            // The pending work is lost with the browser, and it is unknown what it was.
            if let Some(reason) = &state.gone {
                return vec![format!("the browser is gone: {reason}")];
            }
            state.unsaved.may_be_undone()
        };
        let limit = self.options.timeouts.flush;
        let begun = Instant::now();
        let deadline = begun + limit;
        let mut pending = loop {
            let (waited, told) = tokio::join!(self.until_written(begun, deadline), self.ask_pages(deadline, asks_undo));
            let writes = self.writes();
            let pending = [told.pending, writes].concat();
            if (pending.is_empty() && !told.waited && !waited) || Instant::now() >= deadline {
                break pending;
            }
        };
        pending.append(&mut self.state().unsaved.take_refused());
        let dialogs = self.state().tabs.iter().filter_map(|tab| tab.dialog.clone()).collect::<Vec<_>>();
        pending.extend(dialogs.iter().map(|dialog| dialog_open(dialog).to_string()));
        let crashed = |tab: &Tab| tab.crashed.then(|| format!("the page at {} crashed", tab.url()));
        pending.extend(self.state().tabs.iter().filter_map(crashed));
        let more = pending.len().saturating_sub(TOLD);
        pending.truncate(TOLD);
        if more > 0 {
            pending.push(format!("{more} more"));
        }
        for what in &mut pending {
            self.guard().mask(what);
        }
        tracing::debug!(ms = begun.elapsed().as_millis() as u64, ?pending, "flushed");
        pending
    }

    /// Waits for requests. Returns whether there were any to wait for.
    async fn until_written(&self, begun: Instant, deadline: Instant) -> bool {
        let reads = |state: &crate::state::TabsState| {
            let epoch = state.epoch;
            state.tabs.iter().any(|tab| tab.short_reads(epoch))
        };
        let writes = |state: &crate::state::TabsState| state.tabs.iter().any(|tab| tab.writes.open().next().is_some());
        let mut waited = false;
        let short = (begun + SHORT).min(deadline);
        if reads(&self.state()) && Instant::now() < short {
            waited = true;
            self.until(short, |state| (!reads(state) || state.gone.is_some()).then_some(())).await;
        }
        if writes(&self.state()) {
            waited = true;
            self.until(deadline, |state| (!writes(state) || state.gone.is_some()).then_some(())).await;
        }
        waited
    }

    fn writes(&self) -> Vec<String> {
        let state = self.state();
        state
            .tabs
            .iter()
            .flat_map(|tab| tab.writes.open())
            .map(|write| format!("an unanswered {}", write.place))
            .collect()
    }

    /// Asks all pages and workers concurrently.
    async fn ask_pages(&self, deadline: Instant, asks_undo: bool) -> FlushState {
        let frames: Vec<FrameRef> = {
            let usable: Vec<u32> = {
                let state = self.state();
                let usable = |tab: &&Tab| tab.dialog.is_none() && !tab.crashed;
                state.tabs.iter().filter(usable).map(|tab| tab.number).collect()
            };
            usable.into_iter().flat_map(|tab| self.outer_frames(tab)).collect()
        };
        let workers = self.state().workers.clone();
        let pages = join_all(frames.iter().map(|frame| self.ask_frame(frame, deadline, asks_undo)));
        let workers = join_all(workers.iter().map(|worker| self.ask_worker(worker, deadline)));
        let (pages, workers) = tokio::join!(pages, workers);
        let mut all = FlushState::default();
        for told in pages.into_iter().chain(workers) {
            all.waited |= told.waited;
            for what in told.pending {
                if !all.pending.contains(&what) {
                    all.pending.push(what);
                }
            }
        }
        all
    }

    async fn ask_frame(&self, frame: &FrameRef, deadline: Instant, asks_undo: bool) -> FlushState {
        let asked = async {
            let place = self.exec_context(frame).await?;
            let left = deadline.saturating_duration_since(Instant::now());
            let flush = script::Flush { key: &self.scripts.key, limit_ms: left.as_millis() as u64, asks_undo };
            self.call_within(&place, flush, left + self.options.timeouts.script).await
        };
        // A page whose script runs endlessly does not answer. It must not extend the wait beyond the deadline.
        match tokio::time::timeout_at(deadline + Duration::from_millis(100), asked).await {
            Ok(Ok(told)) => told,
            // The frame has a new document, which is asked in the next round.
            Ok(Err(EvaluateError::ContextDestroyed)) => FlushState { waited: true, pending: Vec::new() },
            Ok(Err(_)) => FlushState::default(),
            Err(_) => FlushState { waited: true, pending: vec!["a page that does not answer".to_owned()] },
        }
    }

    async fn ask_worker(&self, worker: &crate::driver::SessionId, deadline: Instant) -> FlushState {
        // The script in the worker is one function, stored under the random key.
        let ask = format!("globalThis[{}]?.()??[]", json!(self.scripts.key));
        let mut waited = false;
        loop {
            let asked = tokio::time::timeout_at(deadline, self.driver.evaluate_in_worker(worker, ask.clone())).await;
            let told = asked.ok().and_then(Result::ok).and_then(|told| value_of::<Vec<String>>(told).ok());
            let Some(pending) = told else {
                // The worker has ended, or is busy for longer than the flush may take.
                return FlushState { waited, pending: Vec::new() };
            };
            if pending.is_empty() || Instant::now() >= deadline {
                return FlushState { waited, pending };
            }
            waited = true;
            tokio::time::sleep_until((Instant::now() + Duration::from_millis(20)).min(deadline)).await;
        }
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
