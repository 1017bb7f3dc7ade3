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

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use tokio::time::Instant;

use crate::{
    Session,
    evaluate_error::{EvaluateError, dialog_open, value_of},
    frame_tree::FrameRef,
    page_script::{self as script, FlushState},
    session_inner::SessionInner,
    state::SessionState,
    tabs::Tab,
};

/// How long requests that only read are waited for. They may be tracking pixels, or saves of an old application that
/// uses GET.
const SHORT: Duration = Duration::from_millis(500);

/// The most pending items that are reported.
const TOLD: usize = 10;

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
        let dialogs = self.state().dialogs.open().cloned().collect::<Vec<_>>();
        pending.extend(dialogs.iter().map(|dialog| dialog_open(dialog).to_string()));
        let crashed = |tab: &Tab| tab.is_crashed().then(|| format!("the page at {} crashed", tab.url()));
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
        let reads = |state: &SessionState| {
            let epoch = state.epoch;
            state.tabs.iter().any(|tab| tab.has_short_requests(epoch))
        };
        let writes = |state: &SessionState| state.tabs.iter().any(|tab| tab.writes().open().next().is_some());
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
            .flat_map(|tab| tab.writes().open())
            .map(|write| format!("an unanswered {}", write.place))
            .collect()
    }

    /// Asks all pages and workers concurrently.
    async fn ask_pages(&self, deadline: Instant, asks_undo: bool) -> FlushState {
        let frames: Vec<FrameRef> = {
            let usable: Vec<u32> = {
                let state = self.state();
                let usable = |tab: &&Tab| !state.is_stuck(tab);
                state.tabs.iter().filter(usable).map(Tab::number).collect()
            };
            usable.into_iter().flat_map(|tab| self.outer_frames(tab)).collect()
        };
        let workers: Vec<_> = self.state().workers.iter().map(|worker| worker.session.clone()).collect();
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
