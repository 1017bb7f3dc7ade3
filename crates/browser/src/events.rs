//! Events of the browser, written into the state. Runs on the reading task: it notes, and sends commands whose answers nobody
//! awaits, but never waits.

use legwork_observe::DocumentKey;
use legwork_protocol::{DialogInfo, DialogKind, PageEffect};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::{
    cdp::{LATE_WORLD, WORLD, decode, wire::*},
    driver::{DriverError, SessionId, Watch},
    shared::Shared,
    state::{Chooser, Frame, Request as Pending, State, Tab, World},
};

/// Requests whose outcome may change what the page says. Pictures, media and the like do not.
fn matters(kind: &str) -> bool {
    matches!(kind, "Document" | "Script" | "Stylesheet" | "XHR" | "Fetch")
}

fn read<T: DeserializeOwned>(params: &RawValue) -> Option<T> {
    decode(params.get().as_bytes()).inspect_err(|error| tracing::debug!(%error, "an event of another shape")).ok()
}

impl Shared {
    /// A page of ours came into being: it waits until we have said how it is to be watched.
    pub(crate) fn page_attached(&self, attached: &AttachedToTarget) {
        let session: SessionId = attached.session_id.as_str().into();
        self.set_up(&session, true);
        let info = &attached.target_info;
        let mut state = self.state();
        let opener = info.opener_id.as_deref().and_then(|id| state.by_target(id)).map(|tab| tab.number);
        state.last_tab += 1;
        let number = state.last_tab;
        let mut main = Frame::new(None, session.clone());
        main.url.clone_from(&info.url);
        // What a page opens comes up blank, and goes to its address once we let it.
        let opening = opener.and_then(|_| state.opening.take());
        let awaited = opening.is_some();
        let opened = state.clock;
        state.tabs.push(Tab {
            number,
            target: info.target_id.clone(),
            session,
            title: info.title.clone(),
            frames: [(info.target_id.clone(), main)].into(),
            dialog: None,
            alerts: 0,
            crashed: false,
            requests: Default::default(),
            statuses: Default::default(),
            chooser: None,
            drag: None,
            opened,
            failed: None,
            opener,
            awaited,
        });
        if number > 1 {
            state.effects.push(PageEffect::TabOpened { number, url: opening.unwrap_or_else(|| info.url.clone()) });
        }
        state.current = number;
    }

    fn set_up(&self, session: &SessionId, tab: bool) {
        let viewport = (tab && !self.headed).then_some(self.options.viewport);
        self.driver.watch(session, &Watch { scripts: &self.scripts, tab, viewport, judged: self.guard().restricts() });
    }

    /// An event of one of our protocol sessions. Answers the sessions that came or went.
    pub(crate) fn page_event(&self, session: &str, method: &str, params: &RawValue) -> Option<Change> {
        let change = self.note(session, method, params);
        self.touch();
        change
    }

    fn note(&self, session: &str, method: &str, params: &RawValue) -> Option<Change> {
        match method {
            "Target.attachedToTarget" => return self.frame_attached(&read(params)?),
            "Target.detachedFromTarget" => {
                let detached: DetachedFromTarget = read(params)?;
                let mut state = self.state();
                if let Some(tab) = state.by_session(&detached.session_id) {
                    // Its frames are gone, or have come back into their parent's process under a session we know.
                    tab.frames.retain(|_, frame| *frame.session != *detached.session_id);
                }
                return Some(Change::Gone(detached.session_id));
            }
            "Fetch.requestPaused" => self.judge(session, &read(params)?),
            _ => {
                let mut state = self.state();
                self.note_in(&mut state, session, method, params);
            }
        }
        None
    }

    fn note_in(&self, state: &mut State, session: &str, method: &str, params: &RawValue) -> Option<()> {
        let clock = state.clock;
        match method {
            "Runtime.executionContextCreated" => {
                let created: ContextCreated = read(params)?;
                let ready = created.context.name == WORLD;
                if ready || created.context.name == LATE_WORLD {
                    state.last_document += 1;
                    let document = DocumentKey(state.last_document);
                    let frame = state.by_session(session)?.frames.get_mut(&created.context.aux_data.frame_id)?;
                    let ContextInfo { unique_id, id, origin, .. } = created.context;
                    frame.origin = origin;
                    frame.world = Some(World { context: unique_id, id, document, ready });
                }
            }
            "Runtime.executionContextDestroyed" => {
                let gone: ContextDestroyed = read(params)?;
                for frame in state.by_session(session)?.frames.values_mut() {
                    frame.world.take_if(|world| world.context == gone.execution_context_unique_id);
                }
            }
            "Runtime.executionContextsCleared" => {
                for frame in state.by_session(session)?.frames.values_mut() {
                    frame.world.take_if(|_| *frame.session == *session);
                }
            }
            "Page.frameAttached" => {
                let attached: FrameAttached = read(params)?;
                let tab = state.by_session(session)?;
                tab.frames
                    .entry(attached.frame_id)
                    .or_insert_with(|| Frame::new(Some(attached.parent_frame_id), session.into()));
            }
            "Page.frameDetached" => {
                let detached: FrameDetached = read(params)?;
                // A swap means that the frame goes on in another process, whose session has come or will.
                if detached.reason != "swap" {
                    state.by_session(session)?.remove_frame(&detached.frame_id);
                }
            }
            "Page.frameNavigated" => return navigated(state, session, read(params)?),
            "Page.navigatedWithinDocument" => {
                let moved: WithinDocument = read(params)?;
                let tab = state.by_session(session)?;
                let main = tab.target == moved.frame_id;
                let frame = tab.frames.get_mut(&moved.frame_id)?;
                frame.navigating = false;
                let from = std::mem::replace(&mut frame.url, moved.url.clone());
                if main && from != moved.url {
                    state.effects.push(PageEffect::Navigated { from, to: moved.url, status: None });
                }
            }
            "Page.frameRequestedNavigation" => {
                let asked: RequestedNavigation = read(params)?;
                // Other schemes open other programs, and no document follows.
                let document =
                    ["http:", "https:", "about:", "blob:"].iter().any(|scheme| asked.url.starts_with(scheme));
                if asked.disposition == "currentTab" && document {
                    state.by_session(session)?.frames.get_mut(&asked.frame_id)?.navigating = true;
                }
            }
            "Page.frameStartedNavigating" => {
                let started: StartedNavigating = read(params)?;
                if !started.navigation_type.to_ascii_lowercase().contains("samedocument") {
                    state.by_session(session)?.frames.get_mut(&started.frame_id)?.navigating = true;
                }
            }
            "Page.frameStartedLoading" => {
                let which: FrameOnly = read(params)?;
                state.by_session(session)?.frames.get_mut(&which.frame_id)?.loading = true;
            }
            "Page.frameStoppedLoading" | "Page.frameClearedScheduledNavigation" => {
                let which: FrameOnly = read(params)?;
                let frame = state.by_session(session)?.frames.get_mut(&which.frame_id)?;
                frame.navigating = false;
                frame.loading &= method != "Page.frameStoppedLoading";
            }
            "Page.domContentEventFired" | "Page.loadEventFired" => {
                let tab = state.by_session(session)?;
                let id = tab
                    .frames
                    .iter()
                    .find(|(_, f)| *f.session == *session && f.parent.is_none())
                    .map(|(id, _)| id.clone());
                let frame = tab.frames.get_mut(&id?)?;
                frame.parsed = true;
                frame.loading &= method != "Page.loadEventFired";
            }
            "Page.windowOpen" => {
                let opening: WindowOpen = read(params)?;
                let goes = opening.url.starts_with("http");
                let new = state.tabs.iter_mut().find(|tab| {
                    tab.opened == clock && tab.opener.is_some() && tab.main().is_some_and(|f| f.loader.is_empty())
                });
                match new {
                    // Told of late.
                    Some(tab) if goes => tab.awaited = true,
                    Some(_) => {}
                    None => state.opening = goes.then_some(opening.url),
                }
            }
            "Page.javascriptDialogOpening" => self.dialog_opening(state, session, read(params)?),
            "Page.javascriptDialogClosed" => state.by_session(session)?.dialog = None,
            "Page.fileChooserOpened" => {
                let opened: FileChooserOpened = read(params)?;
                let chooser = Chooser {
                    session: session.into(),
                    node: opened.backend_node_id?,
                    multiple: opened.mode == "selectMultiple",
                };
                state.by_session(session)?.chooser = Some(chooser);
            }
            "Input.dragIntercepted" => {
                let intercepted: DragIntercepted = read(params)?;
                state.by_session(session)?.drag = Some(intercepted.data);
            }
            "Inspector.targetCrashed" => {
                self.driver.give_up(session, DriverError::Crashed);
                let tab = state.by_session(session)?;
                if *tab.session == *session {
                    tab.crashed = true;
                    tab.dialog = None;
                } else {
                    tab.frames.retain(|_, frame| *frame.session != *session);
                }
            }
            "Network.requestWillBeSent" => {
                let sent: RequestSent = read(params)?;
                let kind = sent.r#type.as_deref().unwrap_or("");
                let tab = state.by_session(session)?;
                if matters(kind) {
                    let request = Pending { begun: clock, url: sent.request.url, loader: sent.loader_id };
                    tab.requests.entry(sent.request_id).or_insert(request);
                }
            }
            "Network.responseReceived" => {
                let response: ResponseReceived = read(params)?;
                if response.r#type == "Document" {
                    state.by_session(session)?.statuses.insert(response.loader_id, response.response.status);
                } else if response.response.mime_type == "text/event-stream" {
                    state.by_session(session)?.requests.remove(&response.request_id);
                }
            }
            "Network.loadingFinished" => {
                let ended: LoadingEnded = read(params)?;
                state.by_session(session)?.requests.remove(&ended.request_id);
            }
            "Network.loadingFailed" => {
                let ended: LoadingEnded = read(params)?;
                let tab = state.by_session(session)?;
                let request = tab.requests.remove(&ended.request_id)?;
                if request.loader == ended.request_id {
                    tab.awaited = false;
                    // A document that does not come: the frame stays where it is.
                    tab.failed = Some((request.url, ended.error_text.unwrap_or_default()));
                }
            }
            _ => {}
        }
        Some(())
    }

    /// A frame of another process.
    fn frame_attached(&self, attached: &AttachedToTarget) -> Option<Change> {
        let session: SessionId = attached.session_id.as_str().into();
        if attached.target_info.r#type != "iframe" {
            self.driver.resume(&session);
            return None;
        }
        self.set_up(&session, false);
        let mut state = self.state();
        let id = &attached.target_info.target_id;
        let tab = state.tabs.iter_mut().find(|tab| tab.frames.contains_key(id))?;
        let frame = tab.frames.get_mut(id)?;
        frame.session = session.clone();
        frame.world = None;
        frame.url.clone_from(&attached.target_info.url);
        Some(Change::Came(session))
    }

    fn dialog_opening(&self, state: &mut State, session: &str, opening: DialogOpening) {
        let kind = match opening.r#type.as_str() {
            "alert" => DialogKind::Alert,
            "confirm" => DialogKind::Confirm,
            "prompt" => DialogKind::Prompt,
            _ => DialogKind::Beforeunload,
        };
        let mut message = opening.message;
        self.guard().mask(&mut message);
        let armed = state.armed.take_if(|_| kind != DialogKind::Alert);
        let Some(tab) = state.by_session(session) else { return };
        let answer = match kind {
            DialogKind::Alert => Some((true, None)),
            _ => armed,
        };
        let mut info = DialogInfo { kind, message, accepted: None };
        match answer {
            None => tab.dialog = Some(info),
            Some((accept, prompt_text)) => {
                drop(self.driver.answer_dialog(&tab.session, accept, prompt_text.as_deref()));
                tab.alerts += 1;
                info.accepted = Some(accept);
                /// A page that opens a thousand alerts is told of in twenty.
                const TOLD: usize = 20;
                if tab.alerts <= TOLD {
                    state.effects.push(PageEffect::Dialog(info));
                }
            }
        }
    }

    /// Lets a request go on, or not.
    fn judge(&self, session: &str, paused: &RequestPaused) {
        let session: SessionId = session.into();
        let verdict = url::Url::parse(&paused.request.url).map_or(Ok(()), |url| match url.scheme() {
            "http" | "https" | "ws" | "wss" => self.guard().allows(&url),
            _ => Ok(()),
        });
        self.driver.let_request(&session, &paused.request_id, verdict.is_ok());
        if verdict.is_err() {
            let mut url = paused.request.url.clone();
            self.guard().mask(&mut url);
            let mut state = self.state();
            if state.effects.len() < 200 {
                state.effects.push(PageEffect::Blocked { url });
            }
        }
    }
}

fn navigated(state: &mut State, session: &str, navigated: FrameNavigated) -> Option<()> {
    let info = navigated.frame;
    let tab = state.by_session(session)?;
    let main = tab.target == info.id;
    let parent = info.parent_id.clone();
    let frame = tab.frames.entry(info.id.clone()).or_insert_with(|| Frame::new(parent, session.into()));
    // A world of the new document may have been told of already, never one of the old.
    frame.session = session.into();
    frame.navigating = false;
    frame.parsed = false;
    frame.loading = navigated.r#type != "BackForwardCacheRestore";
    frame.loader.clone_from(&info.loader_id);
    let to = info.unreachable_url.unwrap_or(info.url) + info.url_fragment.as_deref().unwrap_or("");
    let from = std::mem::replace(&mut frame.url, to.clone());
    let children: Vec<String> =
        tab.frames.iter().filter(|(_, f)| f.parent.as_ref() == Some(&info.id)).map(|(id, _)| id.clone()).collect();
    for child in children {
        tab.remove_frame(&child);
    }
    if main {
        tab.awaited &= to == "about:blank";
        tab.requests.retain(|_, request| request.loader == info.loader_id);
        let status = tab.statuses.remove(&info.loader_id);
        tab.statuses.clear();
        tab.crashed = false;
        if to != "about:blank" || from != "about:blank" {
            state.effects.push(PageEffect::Navigated { from, to, status });
        }
    }
    Some(())
}

/// A protocol session that came or went.
pub(crate) enum Change {
    Came(SessionId),
    Gone(String),
}
