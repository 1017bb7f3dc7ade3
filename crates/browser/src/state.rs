//! The state of a session's tabs and frames. Events write it on the reading task, in the order in which they arrive;
//! other tasks read it and wait for changes. The lock is never held across an await.

use std::collections::HashMap;

use legwork_observe::DocumentKey;
use legwork_protocol::{DialogInfo, ElementBox, PageEffect};

use crate::{
    act::Mouse,
    downloads::Downloads,
    driver::{NetworkEmulation, SessionId},
    flush::{UnsavedWork, Writes},
    frames::FrameRef,
    interception::RouteTable,
};

/// A counter that is incremented when an action begins. What begins at or after an epoch is attributed to its action.
pub(crate) type ActionEpoch = u64;

/// A session's tabs and what happened in them.
#[derive(Default)]
pub(crate) struct TabsState {
    pub(crate) tabs: Vec<Tab>,
    /// The number of the tab that actions apply to; 0 when none is open.
    pub(crate) current: u32,
    pub(crate) last_tab: u32,
    pub(crate) epoch: ActionEpoch,
    /// Whether the current action is input, which may open tabs.
    pub(crate) input: bool,
    /// Whether the current action may submit a form or request a change.
    pub(crate) submits: bool,
    /// The effects since an action last took them.
    pub(crate) effects: Vec<PageEffect>,
    /// The position of the first element of the current action.
    pub(crate) element_box: Option<ElementBox>,
    /// How the current action answers the first dialog that it opens; removed when the action ends.
    pub(crate) answer: Option<PendingDialogAnswer>,
    pub(crate) downloads: Downloads,
    pub(crate) gone: Option<String>,
    /// The address of a window that a page is about to open.
    pub(crate) opening: Option<String>,
    /// The size of the view, if it was changed since the session began.
    pub(crate) view: Option<(u32, u32)>,
    /// The folders for uploads, if they were changed since the session began.
    pub(crate) uploads: Option<Vec<std::path::PathBuf>>,
    /// The emulated conditions, if any were set.
    pub(crate) network_emulation: Option<NetworkEmulation>,
    /// The routes that answer or change requests.
    pub(crate) routes: RouteTable,
    /// The protocol sessions of workers and service workers.
    pub(crate) workers: Vec<SessionId>,
    pub(crate) unsaved: UnsavedWork,
    /// The number of document worlds so far.
    pub(crate) last_document: u64,
}

/// An action's answer to the dialog that it opens.
#[derive(Clone, Debug)]
pub(crate) struct PendingDialogAnswer {
    /// The tab of the action. Dialogs of other tabs are not caused by it.
    pub(crate) tab: u32,
    pub(crate) accept: bool,
    pub(crate) text: Option<String>,
}

/// An open tab.
pub(crate) struct Tab {
    pub(crate) number: u32,
    pub(crate) target: String,
    pub(crate) session: SessionId,
    pub(crate) title: String,
    pub(crate) frames: HashMap<String, Frame>,
    pub(crate) dialog: Option<DialogInfo>,
    /// The number of dialogs that were answered automatically since the last action began.
    pub(crate) alerts: usize,
    pub(crate) crashed: bool,
    pub(crate) requests: HashMap<String, Request>,
    pub(crate) writes: Writes,
    /// The HTTP status of documents, by loader.
    pub(crate) statuses: HashMap<String, u16>,
    pub(crate) chooser: Option<Chooser>,
    pub(crate) mouse: Mouse,
    /// The epoch in which the tab was opened.
    pub(crate) opened: ActionEpoch,
    /// The address of the last document that failed to load, and the reason.
    pub(crate) failed: Option<(String, String)>,
    /// The browser's own error page, if the tab shows one.
    pub(crate) error_page: Option<ErrorPage>,
    pub(crate) opener: Option<u32>,
    pub(crate) opener_frame: Option<String>,
    /// The address that the tab was opened for, if it is known.
    pub(crate) wanted: Option<String>,
    pub(crate) opened_by: OpenedBy,
    /// Whether the tab was opened for an address and still shows the initial blank page.
    pub(crate) awaited: bool,
}

/// The browser's own error page, shown instead of a document.
#[derive(Clone, Debug)]
pub(crate) struct ErrorPage {
    /// The epoch in which it appeared.
    pub(crate) came: ActionEpoch,
    /// The address that could not be loaded.
    pub(crate) url: String,
    /// The browser's reason, such as `net::ERR_CONNECTION_REFUSED`; empty when it gave none.
    pub(crate) reason: String,
}

/// Who opened a tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenedBy {
    /// The session or one of its actions.
    Us,
    /// A page, without an action.
    Page,
    /// A page, during an action that may have caused it.
    /// [`SessionInner::claim_tabs`](crate::session_inner::SessionInner::claim_tabs) decides.
    Unknown,
}

/// A file chooser that a page opens.
#[derive(Clone, Debug)]
pub(crate) struct Chooser {
    pub(crate) session: SessionId,
    pub(crate) node: i64,
    pub(crate) multiple: bool,
}

/// A frame, including the main frame.
pub(crate) struct Frame {
    pub(crate) parent: Option<String>,
    pub(crate) session: SessionId,
    pub(crate) url: String,
    pub(crate) origin: String,
    pub(crate) loader: String,
    pub(crate) world: Option<IsolatedWorld>,
    /// Its element in its parent's world.
    pub(crate) owner: Option<(DocumentKey, u32)>,
    pub(crate) navigating: bool,
    pub(crate) loading: bool,
    pub(crate) parsed: bool,
}

/// The isolated world of Legwork in a document.
#[derive(Clone, Debug)]
pub(crate) struct IsolatedWorld {
    pub(crate) context: String,
    pub(crate) id: i64,
    pub(crate) document: DocumentKey,
    /// Whether the bundle runs in it.
    pub(crate) ready: bool,
    /// Whether its document was captured before.
    pub(crate) read: bool,
}

/// A request in progress.
pub(crate) struct Request {
    pub(crate) begun: ActionEpoch,
    pub(crate) url: String,
    /// The method, if a script sent it and expects a response: no document, image or beacon.
    pub(crate) script_method: Option<String>,
    pub(crate) loader: String,
    /// The frame that the request belongs to; empty when it is unknown.
    pub(crate) frame: String,
}

impl Frame {
    pub(crate) fn new(parent: Option<String>, session: SessionId) -> Self {
        Frame {
            parent,
            session,
            url: String::new(),
            origin: String::new(),
            loader: String::new(),
            world: None,
            owner: None,
            navigating: false,
            loading: false,
            parsed: false,
        }
    }
}

impl Tab {
    /// The main frame, whose identifier is that of its target.
    pub(crate) fn main(&self) -> Option<&Frame> {
        self.frames.get(&self.target)
    }

    pub(crate) fn url(&self) -> &str {
        self.main().map_or("", |frame| &frame.url)
    }

    /// Whether the tab is navigating to another document, or its document is not loaded yet.
    pub(crate) fn is_loading(&self) -> bool {
        self.awaited || self.main().is_some_and(|frame| frame.navigating || frame.loading)
    }

    /// The requests that began in this epoch or later and are still in progress.
    pub(crate) fn pending(&self, since: ActionEpoch) -> impl Iterator<Item = &Request> {
        self.requests.values().filter(move |request| request.begun >= since)
    }

    /// The request for the tab's next document, if it was sent in this epoch or later and its server has sent nothing
    /// yet.
    pub(crate) fn unanswered(&self, since: ActionEpoch) -> Option<&Request> {
        // The identifier of a document's request is that of the document. Requests for documents of child frames are
        // excluded.
        let document = |(id, request): &(&String, &Request)| {
            request.begun >= since && request.loader == **id && request.frame == self.target
        };
        self.requests.iter().find(document).map(|(_, request)| request)
    }

    /// Notes that the navigation was cancelled.
    pub(crate) fn stays(&mut self) {
        for frame in self.frames.values_mut() {
            frame.navigating = false;
        }
    }

    /// Removes a frame and its descendants.
    pub(crate) fn remove_frame(&mut self, id: &str) {
        let mut gone = vec![id.to_owned()];
        while let Some(id) = gone.pop() {
            self.frames.remove(&id);
            gone.extend(
                self.frames.iter().filter(|(_, f)| f.parent.as_ref() == Some(&id)).map(|(child, _)| child.clone()),
            );
        }
    }
}

impl Tab {
    /// The protocol sessions of the tab and its frames.
    pub(crate) fn sessions(&self) -> Vec<SessionId> {
        let mut sessions: Vec<SessionId> = self.frames.values().map(|frame| frame.session.clone()).collect();
        sessions.push(self.session.clone());
        sessions.sort();
        sessions.dedup();
        sessions
    }
}

impl TabsState {
    pub(crate) fn tab(&self, number: u32) -> Option<&Tab> {
        self.tabs.iter().find(|tab| tab.number == number)
    }

    pub(crate) fn tab_mut(&mut self, number: u32) -> Option<&mut Tab> {
        self.tabs.iter_mut().find(|tab| tab.number == number)
    }

    pub(crate) fn current(&self) -> Option<&Tab> {
        self.tab(self.current)
    }

    pub(crate) fn by_target(&self, target: &str) -> Option<&Tab> {
        self.tabs.iter().find(|tab| tab.target == target)
    }

    /// The tab that a protocol session belongs to, whether it is that of the tab or of one of its frames.
    pub(crate) fn by_session(&mut self, session: &str) -> Option<&mut Tab> {
        self.tabs
            .iter_mut()
            .find(|tab| &*tab.session == session || tab.frames.values().any(|frame| &*frame.session == session))
    }

    /// Begins an action.
    pub(crate) fn begin_epoch(&mut self) -> ActionEpoch {
        self.epoch += 1;
        self.input = false;
        self.submits = false;
        self.opening = None;
        self.element_box = None;
        let current = self.current;
        if let Some(tab) = self.tab_mut(current) {
            tab.alerts = 0;
            tab.chooser = None;
        }
        for tab in &mut self.tabs {
            tab.failed = None;
        }
        self.epoch
    }

    /// Notes that the input of the action begins now. Tabs that were opened before were not caused by it.
    pub(crate) fn input_begins(&mut self, epoch: ActionEpoch) {
        for tab in self.tabs.iter_mut().filter(|tab| tab.opened >= epoch && tab.opened_by == OpenedBy::Unknown) {
            tab.opened_by = OpenedBy::Page;
        }
    }

    /// The tabs that were opened from this tab in this epoch or later and are not yet attributed to an action or a
    /// page.
    pub(crate) fn unclaimed(&self, opener: u32, since: ActionEpoch) -> Vec<u32> {
        let unclaimed = |tab: &&Tab| {
            tab.opened >= since && tab.opened_by == OpenedBy::Unknown && tab.opener.is_none_or(|from| from == opener)
        };
        self.tabs.iter().filter(unclaimed).map(|tab| tab.number).collect()
    }

    pub(crate) fn has_unclaimed(&self, opener: u32, since: ActionEpoch) -> bool {
        !self.unclaimed(opener, since).is_empty()
    }

    /// Whether a tab was opened by a frame that has the origin of the frame acted in. If a link is clicked with a
    /// modifier key, the browser itself opens the tab, and there is no opener frame.
    pub(crate) fn is_acted_in(&self, tab: u32, acted: Option<&FrameRef>, opened: &Tab) -> bool {
        let (Some(tab), Some(acted)) = (self.tab(tab), acted) else { return false };
        let Some(opener) = opened.opener_frame.as_ref().or(opened.opener.map(|_| &tab.target)) else { return true };
        if *opener == acted.id {
            return true;
        }
        let origin = |id: &String| tab.frames.get(id).map(|frame| frame.origin.as_str());
        // An opaque origin differs from every other origin, including other opaque ones.
        origin(opener).is_some_and(|of| of.starts_with("http") && Some(of) == origin(&acted.id))
    }

    /// Makes this tab the current one.
    pub(crate) fn adopt(&mut self, number: u32) {
        if let Some(tab) = self.tab_mut(number) {
            tab.opened_by = OpenedBy::Us;
        }
        self.current = number;
    }

    /// Makes a tab that the session or its action opened the current one, and reports it.
    pub(crate) fn claim(&mut self, number: u32) {
        self.adopt(number);
        let address = self.tab(number).map(|tab| tab.url().to_owned()).unwrap_or_default();
        let told = self.effects.iter_mut().find_map(|effect| match effect {
            PageEffect::TabOpened { number: of, current, .. } if *of == number => Some(current),
            _ => None,
        });
        match told {
            Some(current) => *current = true,
            // The tab was already reported with the action that a dialog interrupted.
            None => self.effects.push(PageEffect::TabOpened { number, url: address, current: true }),
        }
    }

    /// Removes a tab. If it was current, its opener becomes current, or else the last tab that no page opened by
    /// itself.
    pub(crate) fn close_tab(&mut self, target: &str) -> Option<Tab> {
        let at = self.tabs.iter().position(|tab| tab.target == target)?;
        let tab = self.tabs.remove(at);
        if self.current == tab.number {
            let opener = tab.opener.filter(|number| self.tab(*number).is_some());
            let ours = || self.tabs.iter().rev().find(|tab| tab.opened_by == OpenedBy::Us).map(|tab| tab.number);
            self.current = opener.or_else(ours).unwrap_or(0);
        }
        self.effects.push(PageEffect::TabClosed { number: tab.number });
        Some(tab)
    }
}
