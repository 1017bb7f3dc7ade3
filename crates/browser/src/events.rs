//! Applies the events of the browser to the state. This runs on the reading task: it records events and sends commands
//! without awaiting their answers, and it never waits.

use std::{sync::Arc, time::Duration};

use legwork_protocol::{DialogKind, PageEffect};
use tokio::time::Instant;

use crate::{
    activity_log::Weight,
    dialogs::DialogResponse,
    downloads::DownloadProgress,
    driver::{DriverError, SessionId, Watch},
    driver_event::{DownloadState, DriverEvent, NewTab, PausedRequest, StartedRequest, WorkerKind},
    frame_tree::IsolatedWorld,
    route_table::RouteOutcome,
    session_inner::SessionInner,
    state::{SessionState, Worker},
    tabs::{FileChooser, MainNavigation, PendingRequest, Tab},
};

impl SessionInner {
    /// Adds a new tab of this session. The tab is paused until it is set up.
    pub(crate) fn tab_came(&self, new: NewTab) {
        let is_limited = self.state().tabs.limit_for_new(new.opener.as_deref()).is_some();
        self.set_up(&new.session, true, is_limited);
        let mut state = self.state();
        let epoch = state.epoch;
        let opener = new.opener.as_deref().and_then(|target| state.tabs.by_target(target)).map(Tab::number);
        let (number, url) = state.tabs.add(new, epoch);
        if let Some(user_events) = &self.user_events {
            user_events.tab_opened(number, opener);
        }
        if number > 1 {
            state.effects.push(PageEffect::TabOpened { number, url, current: false });
        }
    }

    fn set_up(&self, session: &SessionId, tab: bool, is_limited: bool) {
        let (asked_for, network_emulation, has_routes) = {
            let state = self.state();
            (state.view, state.network_emulation.clone(), !state.routes.is_empty())
        };
        let viewport = asked_for.or((!self.headed).then_some(self.options.viewport)).filter(|_| tab);
        self.driver.watch(
            session,
            &Watch {
                scripts: &self.scripts,
                restore: self.restore.as_deref(),
                tab,
                viewport,
                intercepts_requests: has_routes || is_limited || self.guard().restricts(),
                intercepts_choosers: self.options.intercept_file_choosers,
                records_bodies: self.options.record_network,
                reports_input: self.options.reports_input,
                network_emulation,
            },
        );
    }

    /// Applies an event of a tab or frame of this session. Returns the protocol session that was attached or detached.
    pub(crate) fn on_event(&self, session: &str, event: DriverEvent) -> Option<Change> {
        if let DriverEvent::ScreencastFrame(screencast) = event {
            // Screencast pictures are not part of the state, so tasks that wait for the state do not wake up.
            self.screencast.send_replace(Some((session.into(), Arc::new(screencast))));
            return None;
        }
        let event = self.with_cause(session, event);
        let ended_write = self.note_write(session, &event);
        if self.record_event(session, &event) == Weight::Light {
            if ended_write {
                self.touch();
            }
            return None;
        }
        if let Some(user_events) = &self.user_events {
            user_events.note(&self.driver, &self.state(), session, &event);
        }
        let change = self.note(session, event);
        self.touch();
        change
    }

    /// Replaces the reason of a request that failed for lack of a connection by the reason for which the proxy made
    /// none.
    fn with_cause(&self, session: &str, mut event: DriverEvent) -> DriverEvent {
        if let (Some(egress), DriverEvent::RequestFinished { request, error: Some(why), .. }) =
            (&self.egress, &mut event)
            && let Some(url) = self.state().tabs.by_session(session).and_then(|tab| tab.request_url(request))
        {
            egress.explain(url, why);
        }
        event
    }

    /// Records requests that write, including those that the page does not wait for. Returns whether one was answered.
    fn note_write(&self, session: &str, event: &DriverEvent) -> bool {
        match event {
            DriverEvent::RequestStarted(sent) => {
                let mut state = self.state();
                let epoch = state.epoch;
                if let Some(tab) = state.tabs.by_session_mut(session) {
                    tab.writes_mut().sent(sent);
                    if tab.writes().place(&sent.request).is_some() {
                        state.unsaved.note_write(epoch);
                    }
                }
                false
            }
            DriverEvent::ResponseReceived { request, .. } | DriverEvent::RequestFinished { request, .. } => {
                let at = if let DriverEvent::RequestFinished { at, .. } = event { Some(*at) } else { None };
                let mut state = self.state();
                let Some(tab) = state.tabs.by_session_mut(session) else { return false };
                let place = tab.writes().place(request).map(str::to_owned);
                let is_write = tab.writes_mut().answered(request, at);
                if let (Some(place), DriverEvent::ResponseReceived { answer, .. }) = (place, event)
                    && let Some(status @ 400..) = answer.status
                {
                    state.unsaved.note_refusal(format!("{place}, which answered {status}"));
                }
                is_write
            }
            _ => false,
        }
    }

    /// Adds a worker. While a limit holds, it starts with it. Injecting a script before the worker starts crashes the
    /// page's process in Chromium, so the script is injected afterwards and does not observe what the worker does while
    /// it starts.
    pub(crate) fn worker_came(&self, session: SessionId, kind: WorkerKind, url: String) {
        /// How long a worker may take to create the context in which the script runs, and the longest pause between two
        /// attempts.
        const LIMIT: Duration = Duration::from_secs(1);
        const PAUSE: Duration = Duration::from_millis(20);
        {
            let mut state = self.state();
            let mut worker = Worker { session: session.clone(), kind, url, is_limited: false };
            worker.is_limited = state.tabs.limit_worker(&worker);
            if worker.is_limited {
                drop(self.tell_worker(&worker));
            }
            state.workers.push(worker);
        }
        self.driver.resume(&session);
        self.starting_workers.send_modify(|count| *count += 1);
        let (driver, scripts, starting) =
            (Arc::clone(&self.driver), Arc::clone(&self.scripts), self.starting_workers.clone());
        tokio::spawn(async move {
            let (deadline, mut pause) = (Instant::now() + LIMIT, Duration::from_millis(1));
            while Instant::now() < deadline {
                match driver.evaluate_in_worker(&session, scripts.worker.clone()).within(LIMIT).await {
                    Ok(_)
                    | Err(DriverError::TargetClosed | DriverError::Disconnected(_) | DriverError::Timeout { .. }) => {
                        break;
                    }
                    // The worker's globals do not exist yet.
                    Err(_) => tokio::time::sleep(pause).await,
                }
                pause = (pause * 2).min(PAUSE);
            }
            starting.send_modify(|count| *count -= 1);
        });
    }

    /// Waits for workers that are starting. A message that an action sends to a worker that is not observed yet would
    /// be lost when the session closes.
    pub(crate) async fn workers_started(&self) {
        const LIMIT: Duration = Duration::from_millis(250);
        let mut starting = self.starting_workers.subscribe();
        // The page does not yet work with a worker that takes longer.
        let _ = tokio::time::timeout(LIMIT, starting.wait_for(|count| *count == 0)).await;
    }

    fn note(&self, session: &str, event: DriverEvent) -> Option<Change> {
        match event {
            DriverEvent::WorkerAttached { session, kind, url, .. } => {
                self.worker_came(session.clone(), kind, url);
                return Some(Change::Came(session));
            }
            DriverEvent::FrameAttached { session, frame, url } => return self.frame_came(session, &frame, url),
            DriverEvent::OtherAttached { session } => self.driver.resume(&session),
            DriverEvent::SessionDetached { session: gone } => {
                let mut state = self.state();
                state.workers.retain(|worker| *worker.session != *gone);
                if let Some(tab) = state.tabs.by_session_mut(session) {
                    // The frames of this session were removed, or returned to their parent's process and thus to a
                    // known session.
                    tab.frames_mut().remove_session(&gone);
                }
                return Some(Change::Gone(gone));
            }
            DriverEvent::RequestPaused(held) => self.judge(session, held),
            DriverEvent::DialogOpened { kind, message } => {
                let mut state = self.state();
                self.dialog_opened(&mut state, session, kind, message);
            }
            DriverEvent::Crashed => {
                self.driver.fail_session(session, DriverError::Crashed);
                let mut state = self.state();
                let tab = state.tabs.by_session_mut(session)?;
                if tab.session_crashed(session) {
                    let number = tab.number();
                    state.dialogs.take(number);
                }
            }
            event => {
                let is_document = matches!(event, DriverEvent::FrameNavigated(_));
                {
                    let mut state = self.state();
                    note_in(&mut state, session, event, self.options.intercept_file_choosers);
                }
                if is_document {
                    self.release_workers();
                }
            }
        }
        None
    }

    /// Adds a frame of another process.
    fn frame_came(&self, session: SessionId, id: &str, url: String) -> Option<Change> {
        let is_limited = self.state().tabs.by_frame(id).is_some_and(Tab::is_limit_intercepting);
        self.set_up(&session, false, is_limited);
        let mut state = self.state();
        state.tabs.by_frame_mut(id)?.frames_mut().moved(id, session.clone(), url)?;
        Some(Change::Came(session))
    }

    fn dialog_opened(&self, state: &mut SessionState, session: &str, kind: DialogKind, mut message: String) {
        self.guard().mask(&mut message);
        let Some(tab) = state.tabs.by_session_mut(session) else { return };
        match state.dialogs.opened(tab.number(), kind, message) {
            DialogResponse::Wait(info) => state.effects.push(PageEffect::Dialog(info)),
            DialogResponse::Answer { info, accept, text, is_reported } => {
                drop(self.driver.answer_dialog(tab.session(), accept, text.as_deref()));
                if kind == DialogKind::Beforeunload && !accept {
                    tab.frames_mut().navigation_cancelled();
                }
                if is_reported {
                    state.effects.push(PageEffect::Dialog(info));
                }
            }
        }
    }

    pub(crate) fn download_begun(&self, id: String, url: String, name: &str) {
        let mut state = self.state();
        let epoch = state.epoch;
        state.downloads.begin(id, url, name, epoch);
    }

    /// Records progress. Returns false when the download does not belong to this session.
    pub(crate) fn download_progress(&self, id: &str, size: f64, reached: DownloadState) -> bool {
        let progress = self.state().downloads.progress(id, size, reached, self.options.max_download_bytes);
        if progress == DownloadProgress::TooLarge {
            drop(self.driver.cancel_download(self.context.as_deref(), id));
        }
        progress != DownloadProgress::Foreign
    }

    /// Continues, answers or refuses a paused request.
    fn judge(&self, session: &str, held: PausedRequest) {
        let session: SessionId = session.into();
        let verdict = url::Url::parse(&held.url).map_or(Ok(()), |url| match url.scheme() {
            "http" | "https" | "ws" | "wss" => self.guard().allows(&url),
            _ => Ok(()),
        });
        // The rules apply before the routes, so that no route allows a request that the rules refuse.
        let limited = self.check_limit(&session, &held);
        let verdict = verdict.and_then(|()| limited.clone());
        let verdict = verdict.and_then(|()| self.state().routes.apply(&held, self.guard()));
        match &verdict {
            Ok(Some(RouteOutcome::Answered(answer))) => self.driver.fulfill_request(&session, &held.request, answer),
            Ok(Some(RouteOutcome::Sent(headers))) => {
                self.driver.continue_request_with_headers(&session, &held.request, headers)
            }
            other => self.driver.continue_request(&session, &held.request, other.is_ok()),
        }
        if verdict.is_err() {
            self.note_blocked(held, limited.err());
        }
    }
}

/// Applies an event to the state. Returns `None` when the event belongs to a tab or frame that is gone.
fn note_in(state: &mut SessionState, session: &str, event: DriverEvent, intercepts_choosers: bool) -> Option<()> {
    let epoch = state.epoch;
    match event {
        DriverEvent::ContextCreated { frame, world, number, origin, ready } => {
            let document = state.tabs.next_document();
            let world = IsolatedWorld { context: world, id: number, document, ready, read: false };
            state.tabs.by_session_mut(session)?.frames_mut().world_created(&frame, origin, world)?;
        }
        DriverEvent::ContextDestroyed { world } => {
            state.tabs.by_session_mut(session)?.frames_mut().world_destroyed(&world)
        }
        DriverEvent::ContextsCleared => state.tabs.by_session_mut(session)?.frames_mut().worlds_cleared(session),
        DriverEvent::FrameAdded { frame, parent } => {
            state.tabs.by_session_mut(session)?.frames_mut().add(frame, parent, session)
        }
        DriverEvent::FrameRemoved { frame } => state.tabs.by_session_mut(session)?.frames_mut().remove(&frame),
        DriverEvent::FrameNavigated(document) => {
            let main = state.tabs.by_session_mut(session)?.navigated(session, &document, epoch)?;
            let MainNavigation { from, status, status_unknown } = main;
            let to = document.url;
            if to != "about:blank" || from != "about:blank" {
                state.effects.push(PageEffect::Navigated { from, to, status, status_unknown });
            }
        }
        DriverEvent::FrameUrlChanged { frame, url } => {
            let frames = state.tabs.by_session_mut(session)?.frames_mut();
            let from = frames.url_changed(&frame, &url)?;
            if frames.is_main(&frame) && from != url {
                state.effects.push(PageEffect::Navigated { from, to: url, status: None, status_unknown: false });
            }
        }
        DriverEvent::FrameNavigationStarted { frame } => {
            state.tabs.by_session_mut(session)?.frames_mut().navigation_started(&frame)
        }
        DriverEvent::FrameLoading { frame } => state.tabs.by_session_mut(session)?.frames_mut().loading_started(&frame),
        DriverEvent::FrameStopped { frame, loaded } => {
            state.tabs.by_session_mut(session)?.frames_mut().stopped(&frame, loaded)
        }
        DriverEvent::DocumentParsed { whole } => {
            state.tabs.by_session_mut(session)?.frames_mut().parsed(session, whole)
        }
        DriverEvent::WindowOpenRequested { url } => state.tabs.window_requested(url, epoch),
        DriverEvent::DialogClosed { .. } => {
            let number = state.tabs.by_session(session)?.number();
            state.dialogs.take(number);
        }
        DriverEvent::ChooserOpened { field, multiple } => {
            let chooser = FileChooser { session: session.into(), node: field?, multiple };
            let tab = state.tabs.by_session_mut(session)?;
            tab.chooser_opened(chooser);
            if intercepts_choosers {
                state.effects.push(PageEffect::ChooserOpened { tab: tab.number(), multiple });
            }
        }
        DriverEvent::DragIntercepted { data } => state.tabs.by_session_mut(session)?.mouse_mut().begin_drag(data),
        DriverEvent::RequestStarted(StartedRequest { request, url, document, frame, method, kind, .. }) => {
            let script_method = matches!(kind.as_str(), "xhr" | "fetch").then_some(method);
            let sent = PendingRequest { begun: epoch, url, script_method, loader: document, frame };
            state.tabs.by_session_mut(session)?.request_started(request, sent);
        }
        DriverEvent::ResponseReceived { document: Some(document), answer, .. } => {
            state.tabs.by_session_mut(session)?.document_answered(document, answer.status)
        }
        DriverEvent::ResponseReceived { request, .. } => state.tabs.by_session_mut(session)?.request_answered(&request),
        DriverEvent::RequestFinished { request, error, .. } => {
            state.tabs.by_session_mut(session)?.request_finished(&request, error)
        }
        _ => {}
    }
    Some(())
}

/// A protocol session that was attached or detached.
pub(crate) enum Change {
    Came(SessionId),
    Gone(String),
}
