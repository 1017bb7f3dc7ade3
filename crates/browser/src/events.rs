//! Applies the events of the browser to the state. This runs on the reading task: it records events and sends commands
//! without awaiting their answers, and it never waits.

use std::{sync::Arc, time::Duration};

use legwork_observe::DocumentKey;
use legwork_protocol::{DialogInfo, DialogKind, PageEffect};
use tokio::time::Instant;

use crate::{
    act::Mouse,
    activity::Weight,
    driver::{DriverError, SessionId, Watch},
    driver_event::{Document, DriverEvent, NewTab, PausedRequest, StartedRequest},
    interception::RouteOutcome,
    session_inner::SessionInner,
    state::{Chooser, ErrorPage, Frame, IsolatedWorld, OpenedBy, Request as Pending, Tab, TabsState},
};

impl SessionInner {
    /// Adds a new tab of this session. The tab is paused until it is set up.
    pub(crate) fn tab_came(&self, new: NewTab) {
        let NewTab { session, tab: target, opener, opener_frame, url, title, .. } = new;
        self.set_up(&session, true);
        let mut state = self.state();
        let opener = opener.and_then(|id| state.by_target(&id)).map(|tab| tab.number);
        state.last_tab += 1;
        let number = state.last_tab;
        let mut main = Frame::new(None, session.clone());
        main.url.clone_from(&url);
        // A tab that a page opens starts with a blank document, and loads its address only after it is resumed.
        let opening = opener.and_then(|_| state.opening.take());
        let awaited = opening.is_some();
        let opened = state.epoch;
        state.tabs.push(Tab {
            number,
            frames: [(target.clone(), main)].into(),
            target,
            session,
            title,
            dialog: None,
            alerts: 0,
            crashed: false,
            requests: Default::default(),
            writes: Default::default(),
            statuses: Default::default(),
            chooser: None,
            mouse: Mouse::default(),
            opened,
            failed: None,
            error_page: None,
            opener,
            opener_frame,
            wanted: opening.clone(),
            opened_by: OpenedBy::Unknown,
            awaited,
        });
        if number > 1 {
            let url = opening.unwrap_or(url);
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
        let change = self.note(session, event);
        self.touch();
        change
    }

    /// Replaces the reason of a request that failed for lack of a connection by the reason for which the proxy made
    /// none.
    fn with_cause(&self, session: &str, mut event: DriverEvent) -> DriverEvent {
        if let (Some(egress), DriverEvent::RequestFinished { request, error: Some(why), .. }) =
            (&self.egress, &mut event)
            && let Some(sent) = self.state().by_session(session).and_then(|tab| tab.requests.get(request))
        {
            egress.explain(&sent.url, why);
        }
        event
    }

    /// Records requests that write, including those that the page does not wait for. Returns whether one was answered.
    fn note_write(&self, session: &str, event: &DriverEvent) -> bool {
        match event {
            DriverEvent::RequestStarted(sent) => {
                let mut state = self.state();
                let epoch = state.epoch;
                if let Some(tab) = state.by_session(session) {
                    tab.writes.sent(sent);
                    if tab.writes.place(&sent.request).is_some() {
                        state.unsaved.note_write(epoch);
                    }
                }
                false
            }
            DriverEvent::ResponseReceived { request, .. } | DriverEvent::RequestFinished { request, .. } => {
                let at = if let DriverEvent::RequestFinished { at, .. } = event { Some(*at) } else { None };
                let mut state = self.state();
                let Some(tab) = state.by_session(session) else { return false };
                let place = tab.writes.place(request).map(str::to_owned);
                let is_write = tab.writes.answered(request, at);
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

    /// Adds a worker or service worker. Injecting a script before the worker starts crashes the page's process in
    /// Chromium, so the script is injected afterwards and does not observe what the worker does while it starts.
    pub(crate) fn worker_came(&self, session: SessionId) {
        /// How long a worker may take to create the context in which the script runs, and the longest pause between two
        /// attempts.
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
            DriverEvent::WorkerAttached { session, .. } => {
                self.worker_came(session.clone());
                return Some(Change::Came(session));
            }
            DriverEvent::FrameAttached { session, frame, url } => return self.frame_came(session, &frame, url),
            DriverEvent::OtherAttached { session } => self.driver.resume(&session),
            DriverEvent::SessionDetached { session: gone } => {
                let mut state = self.state();
                state.workers.retain(|worker| **worker != *gone);
                if let Some(tab) = state.by_session(session) {
                    // The frames of this session were removed, or returned to their parent's process and thus to a
                    // known session.
                    tab.frames.retain(|_, frame| *frame.session != *gone);
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
                let tab = state.by_session(session)?;
                if *tab.session == *session {
                    tab.crashed = true;
                    tab.dialog = None;
                } else {
                    tab.frames.retain(|_, frame| *frame.session != *session);
                }
            }
            event => {
                let mut state = self.state();
                note_in(&mut state, session, event, self.options.intercept_file_choosers);
            }
        }
        None
    }

    /// Adds a frame of another process.
    fn frame_came(&self, session: SessionId, id: &str, url: String) -> Option<Change> {
        self.set_up(&session, false);
        let mut state = self.state();
        let tab = state.tabs.iter_mut().find(|tab| tab.frames.contains_key(id))?;
        let frame = tab.frames.get_mut(id)?;
        frame.session = session.clone();
        frame.world = None;
        frame.url = url;
        Some(Change::Came(session))
    }

    fn dialog_opened(&self, state: &mut TabsState, session: &str, kind: DialogKind, mut message: String) {
        self.guard().mask(&mut message);
        let Some(number) = state.by_session(session).map(|tab| tab.number) else { return };
        let answer = match kind {
            // An alert leaves nothing to decide and would only block the page, so it is accepted at once.
            DialogKind::Alert => Some((true, None)),
            _ => state.answer.take_if(|answer| answer.tab == number).map(|answer| (answer.accept, answer.text)),
        };
        let Some(tab) = state.tab_mut(number) else { return };
        let mut info = DialogInfo { kind, message, accepted: None };
        match answer {
            None => {
                tab.dialog = Some(info.clone());
                state.effects.push(PageEffect::Dialog(info));
            }
            Some((accept, prompt_text)) => {
                drop(self.driver.answer_dialog(&tab.session, accept, prompt_text.as_deref()));
                tab.alerts += 1;
                if kind == DialogKind::Beforeunload && !accept {
                    tab.stays();
                }
                info.accepted = Some(accept);
                /// The most alerts of one action that are reported. A page may open thousands.
                const TOLD: usize = 20;
                if tab.alerts <= TOLD {
                    state.effects.push(PageEffect::Dialog(info));
                }
            }
        }
    }

    /// Continues, answers or refuses a paused request.
    fn judge(&self, session: &str, held: PausedRequest) {
        let session: SessionId = session.into();
        let verdict = url::Url::parse(&held.url).map_or(Ok(()), |url| match url.scheme() {
            "http" | "https" | "ws" | "wss" => self.guard().allows(&url),
            _ => Ok(()),
        });
        // The rules apply before the routes, so that no route allows a request that the rules refuse.
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

/// Applies an event to the state. Returns `None` when the event belongs to a tab or frame that is gone.
fn note_in(state: &mut TabsState, session: &str, event: DriverEvent, intercepts_choosers: bool) -> Option<()> {
    let epoch = state.epoch;
    match event {
        DriverEvent::ContextCreated { frame, world, number, origin, ready } => {
            state.last_document += 1;
            let document = DocumentKey(state.last_document);
            let frame = state.by_session(session)?.frames.get_mut(&frame)?;
            frame.origin = origin;
            frame.world = Some(IsolatedWorld { context: world, id: number, document, ready, read: false });
        }
        DriverEvent::ContextDestroyed { world: gone } => {
            for frame in state.by_session(session)?.frames.values_mut() {
                frame.world.take_if(|world| world.context == gone);
            }
        }
        DriverEvent::ContextsCleared => {
            for frame in state.by_session(session)?.frames.values_mut() {
                frame.world.take_if(|_| *frame.session == *session);
            }
        }
        DriverEvent::FrameAdded { frame, parent } => {
            let tab = state.by_session(session)?;
            tab.frames.entry(frame).or_insert_with(|| Frame::new(Some(parent), session.into()));
        }
        DriverEvent::FrameRemoved { frame } => state.by_session(session)?.remove_frame(&frame),
        DriverEvent::FrameNavigated(document) => return navigated(state, session, document),
        DriverEvent::FrameUrlChanged { frame: id, url } => {
            let tab = state.by_session(session)?;
            let main = tab.target == id;
            let frame = tab.frames.get_mut(&id)?;
            frame.navigating = false;
            let from = std::mem::replace(&mut frame.url, url.clone());
            if main && from != url {
                state.effects.push(PageEffect::Navigated { from, to: url, status: None });
            }
        }
        DriverEvent::FrameNavigationStarted { frame } => {
            state.by_session(session)?.frames.get_mut(&frame)?.navigating = true
        }
        DriverEvent::FrameLoading { frame } => state.by_session(session)?.frames.get_mut(&frame)?.loading = true,
        DriverEvent::FrameStopped { frame, loaded } => {
            let frame = state.by_session(session)?.frames.get_mut(&frame)?;
            frame.navigating = false;
            frame.loading &= !loaded;
        }
        DriverEvent::DocumentParsed { whole } => {
            let tab = state.by_session(session)?;
            let own = |frame: &Frame| *frame.session == *session && frame.parent.is_none();
            let frame = tab.frames.values_mut().find(|frame| own(frame))?;
            frame.parsed = true;
            frame.loading &= !whole;
        }
        DriverEvent::WindowOpenRequested { url } => {
            let goes = url.starts_with("http");
            let new = state.tabs.iter_mut().find(|tab| {
                tab.opened == epoch && tab.opener.is_some() && tab.main().is_some_and(|f| f.loader.is_empty())
            });
            match new {
                // The tab was reported before this event.
                Some(tab) if goes => (tab.awaited, tab.wanted) = (true, Some(url)),
                Some(_) => {}
                None => state.opening = goes.then_some(url),
            }
        }
        DriverEvent::DialogClosed => state.by_session(session)?.dialog = None,
        DriverEvent::ChooserOpened { field, multiple } => {
            let chooser = Chooser { session: session.into(), node: field?, multiple };
            let tab = state.by_session(session)?;
            tab.chooser = Some(chooser);
            let number = tab.number;
            if intercepts_choosers {
                state.effects.push(PageEffect::ChooserOpened { tab: number, multiple });
            }
        }
        DriverEvent::DragIntercepted { data } => state.by_session(session)?.mouse.begin_drag(data),
        DriverEvent::RequestStarted(StartedRequest { request, url, document, frame, method, kind, .. }) => {
            let script_method = matches!(kind.as_str(), "xhr" | "fetch").then_some(method);
            let sent = Pending { begun: epoch, url, script_method, loader: document, frame };
            state.by_session(session)?.requests.entry(request).or_insert(sent);
        }
        DriverEvent::ResponseReceived { document: Some(document), answer, .. } => {
            state.by_session(session)?.statuses.insert(document, answer.status);
        }
        DriverEvent::ResponseReceived { request, .. } => {
            state.by_session(session)?.requests.remove(&request);
        }
        DriverEvent::RequestFinished { request: id, error, .. } => {
            let tab = state.by_session(session)?;
            let request = tab.requests.remove(&id)?;
            if let Some(why) = error.filter(|_| request.loader == id) {
                tab.awaited = false;
                // The request for a document failed, so the frame keeps its current document.
                tab.failed = Some((request.url, why));
            }
        }
        _ => {}
    }
    Some(())
}

fn navigated(state: &mut TabsState, session: &str, new: Document) -> Option<()> {
    let Document { frame: id, parent, document, url: to, kept, unreachable } = new;
    let epoch = state.epoch;
    let tab = state.by_session(session)?;
    let main = tab.target == id;
    let frame = tab.frames.entry(id.clone()).or_insert_with(|| Frame::new(parent, session.into()));
    // The frame keeps its world: it may already be that of the new document, but never that of the old one.
    frame.session = session.into();
    frame.navigating = false;
    frame.parsed = false;
    frame.loading = !kept;
    frame.loader.clone_from(&document);
    let from = std::mem::replace(&mut frame.url, to.clone());
    let children: Vec<String> =
        tab.frames.iter().filter(|(_, f)| f.parent.as_ref() == Some(&id)).map(|(id, _)| id.clone()).collect();
    for child in children {
        tab.remove_frame(&child);
    }
    if main {
        tab.awaited &= to == "about:blank";
        tab.requests.retain(|_, request| request.loader == document);
        tab.writes.clear();
        let status = tab.statuses.remove(&document);
        tab.statuses.clear();
        tab.crashed = false;
        tab.error_page = unreachable.then(|| {
            let reason = tab.failed.as_ref().map(|(_, why)| why.clone()).unwrap_or_default();
            ErrorPage { came: epoch, url: to.clone(), reason }
        });
        if to != "about:blank" || from != "about:blank" {
            state.effects.push(PageEffect::Navigated { from, to, status });
        }
    }
    Some(())
}

/// A protocol session that was attached or detached.
pub(crate) enum Change {
    Came(SessionId),
    Gone(String),
}
