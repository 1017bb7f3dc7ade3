//! Events of the browser, written into the state. Runs on the reading task: it notes, and sends commands whose answers nobody
//! awaits, but never waits.

use std::{sync::Arc, time::Duration};

use legwork_protocol::{DialogKind, PageEffect};
use tokio::time::Instant;

use crate::{
    activity_log::Weight,
    dialogs::DialogResponse,
    downloads::DownloadProgress,
    driver::{DriverError, SessionId, Watch},
    driver_event::{DownloadState, DriverEvent, NewTab, PausedRequest, StartedRequest},
    frame_tree::IsolatedWorld,
    route_table::RouteOutcome,
    session_inner::SessionInner,
    state::SessionState,
    tabs::{FileChooser, MainNavigation, PendingRequest},
};

impl SessionInner {
    /// A page of ours came into being: it waits until we have said how it is to be watched.
    pub(crate) fn tab_came(&self, new: NewTab) {
        self.set_up(&new.session, true);
        let mut state = self.state();
        let epoch = state.epoch;
        let (number, url) = state.tabs.add(new, epoch);
        if number > 1 {
            state.effects.push(PageEffect::TabOpened { number, url, current: false });
        }
    }

    fn set_up(&self, session: &SessionId, tab: bool) {
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
                intercepts_requests: has_routes || self.guard().restricts(),
                intercepts_choosers: self.options.intercept_file_choosers,
                records_bodies: self.options.record_network,
                network_emulation,
            },
        );
    }

    /// An event of one of our tabs or frames. Answers the sessions that came or went.
    pub(crate) fn on_event(&self, session: &str, event: DriverEvent) -> Option<Change> {
        if let DriverEvent::ScreencastFrame(screencast) = event {
            // No part of the state: nobody who waits for that need wake.
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
        let change = self.note(session, event);
        self.touch();
        change
    }

    /// A request that failed for want of a connection, with the reason for which our proxy made none.
    fn with_cause(&self, session: &str, mut event: DriverEvent) -> DriverEvent {
        if let (Some(egress), DriverEvent::RequestFinished { request, error: Some(why), .. }) =
            (&self.egress, &mut event)
            && let Some(url) = self.state().tabs.by_session(session).and_then(|tab| tab.request_url(request))
        {
            egress.explain(url, why);
        }
        event
    }

    /// Notes requests that write, also those that no page waits for; whether one was answered.
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
                    && answer.status >= 400
                {
                    state.unsaved.note_refusal(format!("{place}, which answered {}", answer.status));
                }
                is_write
            }
            _ => false,
        }
    }

    /// A worker or service worker. A script that is run in it before it begins takes the page's process down, so ours comes
    /// after: what it does as it begins is not seen.
    pub(crate) fn worker_came(&self, session: SessionId) {
        /// How long a worker may take to have a context in which the script runs, and the longest pause between two tries.
        const LIMIT: Duration = Duration::from_secs(1);
        const PAUSE: Duration = Duration::from_millis(20);
        self.driver.resume(&session);
        self.state().workers.push(session.clone());
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
                    // Its globals are not there yet.
                    Err(_) => tokio::time::sleep(pause).await,
                }
                pause = (pause * 2).min(PAUSE);
            }
            starting.send_modify(|count| *count -= 1);
        });
    }

    /// Waits for workers that are starting: what an action hands to one that is not watched yet would be lost at a close.
    pub(crate) async fn workers_started(&self) {
        const LIMIT: Duration = Duration::from_millis(250);
        let mut starting = self.starting_workers.subscribe();
        // One that takes longer is not what the page works with now.
        let _ = tokio::time::timeout(LIMIT, starting.wait_for(|count| *count == 0)).await;
    }

    fn note(&self, session: &str, event: DriverEvent) -> Option<Change> {
        match event {
            DriverEvent::WorkerAttached { session, .. } => {
                self.worker_came(session.clone());
                return Some(Change::Came(session));
            }
            DriverEvent::FrameAttached { session, frame, url } => return self.frame_came(session, &frame, url),
            DriverEvent::OtherAttached { session } => self.driver.resume(&session),
            DriverEvent::SessionDetached { session: gone } => {
                let mut state = self.state();
                state.workers.retain(|worker| **worker != *gone);
                if let Some(tab) = state.tabs.by_session_mut(session) {
                    // Its frames are gone, or have come back into their parent's process under a session we know.
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
                let mut state = self.state();
                note_in(&mut state, session, event, self.options.intercept_file_choosers);
            }
        }
        None
    }

    /// A frame of another process.
    fn frame_came(&self, session: SessionId, id: &str, url: String) -> Option<Change> {
        self.set_up(&session, false);
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

    /// Notes progress; false when the download is not ours.
    pub(crate) fn download_progress(&self, id: &str, size: f64, reached: DownloadState) -> bool {
        let progress = self.state().downloads.progress(id, size, reached, self.options.max_download_bytes);
        if progress == DownloadProgress::TooLarge {
            drop(self.driver.cancel_download(self.context.as_deref(), id));
        }
        progress != DownloadProgress::Foreign
    }

    /// Lets a request go on, or not.
    fn judge(&self, session: &str, held: PausedRequest) {
        let session: SessionId = session.into();
        let verdict = url::Url::parse(&held.url).map_or(Ok(()), |url| match url.scheme() {
            "http" | "https" | "ws" | "wss" => self.guard().allows(&url),
            _ => Ok(()),
        });
        // What the rules refuse is refused, whatever is to be answered in its place.
        let verdict = verdict.and_then(|()| self.state().routes.apply(&held, self.guard()));
        match &verdict {
            Ok(Some(RouteOutcome::Answered(answer))) => self.driver.fulfill_request(&session, &held.request, answer),
            Ok(Some(RouteOutcome::Sent(headers))) => {
                self.driver.continue_request_with_headers(&session, &held.request, headers)
            }
            other => self.driver.continue_request(&session, &held.request, other.is_ok()),
        }
        if verdict.is_err() {
            let mut address = held.url;
            self.guard().mask(&mut address);
            let mut state = self.state();
            if state.effects.len() < 200 {
                state.effects.push(PageEffect::Blocked { url: address });
            }
        }
    }
}

/// What an event changes of what is known; nothing when it is of a tab or a frame that is gone.
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
            let MainNavigation { from, status } = main;
            let to = document.url;
            if to != "about:blank" || from != "about:blank" {
                state.effects.push(PageEffect::Navigated { from, to, status });
            }
        }
        DriverEvent::FrameUrlChanged { frame, url } => {
            let frames = state.tabs.by_session_mut(session)?.frames_mut();
            let from = frames.url_changed(&frame, &url)?;
            if frames.is_main(&frame) && from != url {
                state.effects.push(PageEffect::Navigated { from, to: url, status: None });
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
        DriverEvent::DialogClosed => {
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
        DriverEvent::RequestStarted(StartedRequest { request, url, document, frame, .. }) => {
            let sent = PendingRequest { begun: epoch, url, loader: document, frame };
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

/// A protocol session that came or went.
pub(crate) enum Change {
    Came(SessionId),
    Gone(String),
}
