//! Before a close, and before an action opens another page in place of this one: wait for what our actions set off and would be
//! cut off. A local-first application shows a change at once and hands it on later; who closes the browser in between loses it.
//!
//! | Waited for | Known from |
//! |---|---|
//! | requests that write (every method but GET, HEAD, OPTIONS; beacons), until the head of the answer came | the browser's events; in workers our script |
//! | other requests of the last action that are no polling, for [`SHORT`] at most, and silently | the browser's events |
//! | database transactions that write, data that a `WebSocket` has not sent | our script in the page (`saves.ts`) |
//! | saves put off for up to 2.5 s by the last actions | our script in the page (`task-tracker/`) |
//! | messages to a worker that may not have it yet | our script in the page (`task-tracker/`) |
//! | messages and syncs that a service worker is at | our script in the worker (`worker.ts`) |
//!
//! What goes on for ever is not waited for: open streams and sockets without unsent data, requests whose answer has begun (what
//! they carried has arrived), timers and requests that come again and again without an action. A write that is held open by its
//! server again and again, each time for a second and more, is a long poll.
//!
//! A session in which nothing was changed has nothing to lose, and is not asked. An idle page costs one round trip a frame.

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

/// How long requests are waited for that only read: they may be images that count, or saves of an old application.
const SHORT: Duration = Duration::from_millis(500);

/// How much is said of what is pending.
const TOLD: usize = 10;

impl Session {
    /// Waits until what the session's actions set off would survive a close, as long as `timeouts.flush` says, and answers with
    /// what was still pending then, secrets masked; with nothing when nothing was. [`Session::close`] does this by itself
    /// unless it was done since the last action; this is for who wants to know.
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
            // What it was doing is lost with it, and nobody can say what that was.
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

    /// Whether it had to wait for requests.
    async fn until_written(&self, begun: Instant, deadline: Instant) -> bool {
        let reads = |state: &SessionState| {
            let epoch = state.epoch;
            state.tabs.iter().any(|tab| tab.has_short_reads(epoch))
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

    /// Asks the pages and workers, all at once.
    async fn ask_pages(&self, deadline: Instant, asks_undo: bool) -> FlushState {
        let frames: Vec<FrameRef> = {
            let usable: Vec<u32> = {
                let state = self.state();
                let usable = |tab: &&Tab| !state.is_stuck(tab);
                state.tabs.iter().filter(usable).map(Tab::number).collect()
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
        // A page whose own code runs on and on answers nothing; that is no reason to wait longer than for its requests.
        match tokio::time::timeout_at(deadline + Duration::from_millis(100), asked).await {
            Ok(Ok(told)) => told,
            // Another document has come; that one is asked in the next round.
            Ok(Err(EvaluateError::ContextDestroyed)) => FlushState { waited: true, pending: Vec::new() },
            Ok(Err(_)) => FlushState::default(),
            Err(_) => FlushState { waited: true, pending: vec!["a page that does not answer".to_owned()] },
        }
    }

    async fn ask_worker(&self, worker: &crate::driver::SessionId, deadline: Instant) -> FlushState {
        // The script in workers has one function, under the name that only we know.
        let ask = format!("globalThis[{}]?.()??[]", json!(self.scripts.key));
        let mut waited = false;
        loop {
            let asked = tokio::time::timeout_at(deadline, self.driver.evaluate_in_worker(worker, ask.clone())).await;
            let told = asked.ok().and_then(Result::ok).and_then(|told| value_of::<Vec<String>>(told).ok());
            let Some(pending) = told else {
                // It has ended, or is busy with something that takes longer than a close may.
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
