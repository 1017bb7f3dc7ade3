//! Events of the browser, written into the state. Runs on the reading task: it notes, and sends commands whose answers nobody
//! awaits, but never waits.

use std::sync::Arc;

use legwork_observe::DocumentKey;
use legwork_protocol::{DialogInfo, DialogKind, PageEffect};

use crate::{
    act::Point,
    activity::Weight,
    driver::{DriverError, SessionId, Watch},
    mock::Turned,
    shared::Shared,
    state::{Chooser, ErrorPage, Frame, Request as Pending, State, Tab, World},
    told::{Document, Held, NewTab, Sent, Told},
};

impl Shared {
    /// A page of ours came into being: it waits until we have said how it is to be watched.
    pub(crate) fn tab_came(&self, new: NewTab) {
        let NewTab { session, tab: target, opener, url, title, .. } = new;
        self.set_up(&session, true);
        let mut state = self.state();
        let opener = opener.and_then(|id| state.by_target(&id)).map(|tab| tab.number);
        state.last_tab += 1;
        let number = state.last_tab;
        let mut main = Frame::new(None, session.clone());
        main.url.clone_from(&url);
        // What a page opens comes up blank, and goes to its address once we let it.
        let opening = opener.and_then(|_| state.opening.take());
        let awaited = opening.is_some();
        let opened = state.clock;
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
            statuses: Default::default(),
            chooser: None,
            drag: None,
            pointer: Point::default(),
            held: None,
            opened,
            failed: None,
            error_page: None,
            opener,
            awaited,
        });
        if number > 1 {
            state.effects.push(PageEffect::TabOpened { number, url: opening.unwrap_or(url) });
        }
        state.current = number;
    }

    fn set_up(&self, session: &SessionId, tab: bool) {
        let (asked_for, conditions, mocks) = {
            let state = self.state();
            (state.view, state.conditions.clone(), !state.mocks.is_empty())
        };
        let viewport = asked_for.or((!self.headed).then_some(self.options.viewport)).filter(|_| tab);
        self.driver.watch(
            session,
            &Watch {
                scripts: &self.scripts,
                restore: self.restore.as_deref(),
                tab,
                viewport,
                judged: mocks || self.guard().restricts(),
                holds_choosers: self.options.hold_choosers,
                keeps_bodies: self.options.keep_exchanges,
                conditions,
            },
        );
    }

    /// An event of one of our tabs or frames. Answers the sessions that came or went.
    pub(crate) fn told(&self, session: &str, told: Told) -> Option<Change> {
        if let Told::Drawn(drawn) = told {
            // No part of the state: nobody who waits for that need wake.
            self.drawn.send_replace(Some((session.into(), Arc::new(drawn))));
            return None;
        }
        if self.hear(session, &told) == Weight::Light {
            return None;
        }
        let change = self.note(session, told);
        self.touch();
        change
    }

    fn note(&self, session: &str, told: Told) -> Option<Change> {
        match told {
            Told::FrameCame { session, frame, url } => return self.frame_came(session, &frame, url),
            Told::OtherCame { session } => self.driver.resume(&session),
            Told::SessionGone { session: gone } => {
                let mut state = self.state();
                if let Some(tab) = state.by_session(session) {
                    // Its frames are gone, or have come back into their parent's process under a session we know.
                    tab.frames.retain(|_, frame| *frame.session != *gone);
                }
                return Some(Change::Gone(gone));
            }
            Told::RequestHeld(held) => self.judge(session, held),
            Told::DialogOpened { kind, message } => {
                let mut state = self.state();
                self.dialog_opened(&mut state, session, kind, message);
            }
            Told::Crashed => {
                self.driver.give_up(session, DriverError::Crashed);
                let mut state = self.state();
                let tab = state.by_session(session)?;
                if *tab.session == *session {
                    tab.crashed = true;
                    tab.dialog = None;
                } else {
                    tab.frames.retain(|_, frame| *frame.session != *session);
                }
            }
            told => {
                let mut state = self.state();
                note_in(&mut state, session, told, self.options.hold_choosers);
            }
        }
        None
    }

    /// A frame of another process.
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

    fn dialog_opened(&self, state: &mut State, session: &str, kind: DialogKind, mut message: String) {
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
    fn judge(&self, session: &str, held: Held) {
        let session: SessionId = session.into();
        let verdict = url::Url::parse(&held.url).map_or(Ok(()), |url| match url.scheme() {
            "http" | "https" | "ws" | "wss" => self.guard().allows(&url),
            _ => Ok(()),
        });
        // What the rules refuse is refused, whatever is to be answered in its place.
        let verdict = verdict.and_then(|()| match self.state().mocks.iter().rev().find(|mock| mock.fits(&held.url)) {
            None => Ok(None),
            Some(mock) => mock.turn(&held, self.guard()).map(Some),
        });
        match &verdict {
            Ok(Some(Turned::Answered(answer))) => self.driver.answer_request(&session, &held.request, answer),
            Ok(Some(Turned::Sent(headers))) => self.driver.let_request_with(&session, &held.request, headers),
            other => self.driver.let_request(&session, &held.request, other.is_ok()),
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
fn note_in(state: &mut State, session: &str, told: Told, holds_choosers: bool) -> Option<()> {
    let clock = state.clock;
    match told {
        Told::WorldMade { frame, world, number, origin, ready } => {
            state.last_document += 1;
            let document = DocumentKey(state.last_document);
            let frame = state.by_session(session)?.frames.get_mut(&frame)?;
            frame.origin = origin;
            frame.world = Some(World { context: world, id: number, document, ready, read: false });
        }
        Told::WorldGone { world: gone } => {
            for frame in state.by_session(session)?.frames.values_mut() {
                frame.world.take_if(|world| world.context == gone);
            }
        }
        Told::WorldsGone => {
            for frame in state.by_session(session)?.frames.values_mut() {
                frame.world.take_if(|_| *frame.session == *session);
            }
        }
        Told::FrameAdded { frame, parent } => {
            let tab = state.by_session(session)?;
            tab.frames.entry(frame).or_insert_with(|| Frame::new(Some(parent), session.into()));
        }
        Told::FrameRemoved { frame } => state.by_session(session)?.remove_frame(&frame),
        Told::FrameNavigated(document) => return navigated(state, session, document),
        Told::FrameMoved { frame: id, url } => {
            let tab = state.by_session(session)?;
            let main = tab.target == id;
            let frame = tab.frames.get_mut(&id)?;
            frame.navigating = false;
            let from = std::mem::replace(&mut frame.url, url.clone());
            if main && from != url {
                state.effects.push(PageEffect::Navigated { from, to: url, status: None });
            }
        }
        Told::FrameLeaving { frame } => state.by_session(session)?.frames.get_mut(&frame)?.navigating = true,
        Told::FrameLoading { frame } => state.by_session(session)?.frames.get_mut(&frame)?.loading = true,
        Told::FrameStopped { frame, loaded } => {
            let frame = state.by_session(session)?.frames.get_mut(&frame)?;
            frame.navigating = false;
            frame.loading &= !loaded;
        }
        Told::Parsed { whole } => {
            let tab = state.by_session(session)?;
            let own = |frame: &Frame| *frame.session == *session && frame.parent.is_none();
            let frame = tab.frames.values_mut().find(|frame| own(frame))?;
            frame.parsed = true;
            frame.loading &= !whole;
        }
        Told::WindowOpening { url } => {
            let goes = url.starts_with("http");
            let new = state.tabs.iter_mut().find(|tab| {
                tab.opened == clock && tab.opener.is_some() && tab.main().is_some_and(|f| f.loader.is_empty())
            });
            match new {
                // Told of late.
                Some(tab) if goes => tab.awaited = true,
                Some(_) => {}
                None => state.opening = goes.then_some(url),
            }
        }
        Told::DialogClosed => state.by_session(session)?.dialog = None,
        Told::ChooserOpened { field, multiple } => {
            let chooser = Chooser { session: session.into(), node: field?, multiple };
            let tab = state.by_session(session)?;
            tab.chooser = Some(chooser);
            let number = tab.number;
            if holds_choosers {
                state.effects.push(PageEffect::ChooserOpened { tab: number, multiple });
            }
        }
        Told::DragBegan { data } => state.by_session(session)?.drag = Some(data),
        Told::RequestSent(Sent { request, url, document, frame, .. }) => {
            let sent = Pending { begun: clock, url, loader: document, frame };
            state.by_session(session)?.requests.entry(request).or_insert(sent);
        }
        Told::RequestAnswered { document: Some(document), answer, .. } => {
            state.by_session(session)?.statuses.insert(document, answer.status);
        }
        Told::RequestAnswered { request, .. } => {
            state.by_session(session)?.requests.remove(&request);
        }
        Told::RequestEnded { request: id, error, .. } => {
            let tab = state.by_session(session)?;
            let request = tab.requests.remove(&id)?;
            if let Some(why) = error.filter(|_| request.loader == id) {
                tab.awaited = false;
                // A document that does not come: the frame stays where it is.
                tab.failed = Some((request.url, why));
            }
        }
        _ => {}
    }
    Some(())
}

fn navigated(state: &mut State, session: &str, new: Document) -> Option<()> {
    let Document { frame: id, parent, document, url: to, kept, unreachable } = new;
    let clock = state.clock;
    let tab = state.by_session(session)?;
    let main = tab.target == id;
    let frame = tab.frames.entry(id.clone()).or_insert_with(|| Frame::new(parent, session.into()));
    // A world of the new document may have been told of already, never one of the old.
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
        let status = tab.statuses.remove(&document);
        tab.statuses.clear();
        tab.crashed = false;
        tab.error_page = unreachable.then(|| {
            let reason = tab.failed.as_ref().map(|(_, why)| why.clone()).unwrap_or_default();
            ErrorPage { came: clock, url: to.clone(), reason }
        });
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
