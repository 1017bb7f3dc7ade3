//! What is known of a session's tabs and frames. Events write it on the reading task, in the order of the wire; everything
//! else reads it, and waits for it to change. The lock is never held across an await.

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

/// A moment between two actions: what began at or after it is the later one's doing.
pub(crate) type ActionEpoch = u64;

/// A session's tabs and what happened in them.
#[derive(Default)]
pub(crate) struct TabsState {
    pub(crate) tabs: Vec<Tab>,
    /// The number of the tab where actions go; 0 when none is open.
    pub(crate) current: u32,
    pub(crate) last_tab: u32,
    pub(crate) epoch: ActionEpoch,
    /// The action under way is input, which may open tabs.
    pub(crate) input: bool,
    /// What happened since an action last took it.
    pub(crate) effects: Vec<PageEffect>,
    /// Where the first element of the action under way was.
    pub(crate) element_box: Option<ElementBox>,
    /// How the action under way answers the first dialog that it opens; gone with the action.
    pub(crate) answer: Option<PendingDialogAnswer>,
    pub(crate) downloads: Downloads,
    pub(crate) gone: Option<String>,
    /// The address of a window that a page is about to open.
    pub(crate) opening: Option<String>,
    /// The size that the view was given since the session began.
    pub(crate) view: Option<(u32, u32)>,
    /// The folders for uploads, when they were changed since the session began.
    pub(crate) uploads: Option<Vec<std::path::PathBuf>>,
    /// What pages are made to believe, when anything was asked for.
    pub(crate) network_emulation: Option<NetworkEmulation>,
    /// Requests that are answered here or go otherwise.
    pub(crate) routes: RouteTable,
    /// Workers and service workers, by their sessions.
    pub(crate) workers: Vec<SessionId>,
    pub(crate) unsaved: UnsavedWork,
    /// Counts document worlds.
    pub(crate) last_document: u64,
}

/// An action's answer to the dialog that it opens.
#[derive(Clone, Debug)]
pub(crate) struct PendingDialogAnswer {
    /// Where the action is carried out: a dialog of another tab is none of its doing.
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
    /// How many alerts were answered since the last action began.
    pub(crate) alerts: usize,
    pub(crate) crashed: bool,
    pub(crate) requests: HashMap<String, Request>,
    pub(crate) writes: Writes,
    /// HTTP status of documents, by loader.
    pub(crate) statuses: HashMap<String, u16>,
    pub(crate) chooser: Option<Chooser>,
    pub(crate) mouse: Mouse,
    /// Opened during the action with this mark.
    pub(crate) opened: ActionEpoch,
    /// Why the last document did not load.
    pub(crate) failed: Option<(String, String)>,
    /// The browser's own page, which says so, is what the tab shows.
    pub(crate) error_page: Option<ErrorPage>,
    pub(crate) opener: Option<u32>,
    pub(crate) opener_frame: Option<String>,
    /// The address that it was opened for, as far as it was told.
    pub(crate) wanted: Option<String>,
    pub(crate) opened_by: OpenedBy,
    /// It was opened for an address and is still at the blank page that all begin with.
    pub(crate) awaited: bool,
}

/// The browser's own page in place of a site's.
#[derive(Clone, Debug)]
pub(crate) struct ErrorPage {
    /// It came during the action with this mark.
    pub(crate) came: ActionEpoch,
    /// What could not be loaded.
    pub(crate) url: String,
    /// The browser's reason, such as `net::ERR_CONNECTION_REFUSED`; empty when it gave none.
    pub(crate) reason: String,
}

/// Who opened a tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenedBy {
    /// We did, or an action of ours.
    Us,
    /// A page, of its own accord.
    Page,
    /// A page, during an action that may have been the reason: [`SessionInner::claim_tabs`](crate::session_inner::SessionInner::claim_tabs).
    Unknown,
}

/// A file chooser that the page wants to open.
#[derive(Clone, Debug)]
pub(crate) struct Chooser {
    pub(crate) session: SessionId,
    pub(crate) node: i64,
    pub(crate) multiple: bool,
}

/// A frame, the main one included.
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

/// Our world in a document.
#[derive(Clone, Debug)]
pub(crate) struct IsolatedWorld {
    pub(crate) context: String,
    pub(crate) id: i64,
    pub(crate) document: DocumentKey,
    /// The bundle runs in it.
    pub(crate) ready: bool,
    /// Its document was read once.
    pub(crate) read: bool,
}

/// A request under way.
pub(crate) struct Request {
    pub(crate) begun: ActionEpoch,
    pub(crate) url: String,
    pub(crate) loader: String,
    /// The frame that it belongs to; empty when that was not told.
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
    /// The main frame: the protocol gives it the target's name.
    pub(crate) fn main(&self) -> Option<&Frame> {
        self.frames.get(&self.target)
    }

    pub(crate) fn url(&self) -> &str {
        self.main().map_or("", |frame| &frame.url)
    }

    /// Whether the main frame is on its way to another document, or that document is not yet loaded.
    pub(crate) fn is_loading(&self) -> bool {
        self.awaited || self.main().is_some_and(|frame| frame.navigating || frame.loading)
    }

    /// Requests begun at or after a mark that are still under way.
    pub(crate) fn pending(&self, since: ActionEpoch) -> impl Iterator<Item = &Request> {
        self.requests.values().filter(move |request| request.begun >= since)
    }

    /// The request of the document that the tab is on its way to, when it was made at or after a mark and its server has
    /// sent nothing yet.
    pub(crate) fn unanswered(&self, since: ActionEpoch) -> Option<&Request> {
        // The request of a document has the document's own name; those of frames inside the page are not the tab's.
        let document = |(id, request): &(&String, &Request)| {
            request.begun >= since && request.loader == **id && request.frame == self.target
        };
        self.requests.iter().find(document).map(|(_, request)| request)
    }

    /// It is not left after all.
    pub(crate) fn stays(&mut self) {
        for frame in self.frames.values_mut() {
            frame.navigating = false;
        }
    }

    /// Forgets a frame and those inside it.
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
    /// The sessions of its frames, its own among them.
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

    /// The tab that a protocol session belongs to, by its own or one of its frames'.
    pub(crate) fn by_session(&mut self, session: &str) -> Option<&mut Tab> {
        self.tabs
            .iter_mut()
            .find(|tab| &*tab.session == session || tab.frames.values().any(|frame| &*frame.session == session))
    }

    /// Begins an action.
    pub(crate) fn begin_epoch(&mut self) -> ActionEpoch {
        self.epoch += 1;
        self.input = false;
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

    /// The input of the action with this mark begins now: the tabs that came before are none of its doing.
    pub(crate) fn input_begins(&mut self, epoch: ActionEpoch) {
        for tab in self.tabs.iter_mut().filter(|tab| tab.opened >= epoch && tab.opened_by == OpenedBy::Unknown) {
            tab.opened_by = OpenedBy::Page;
        }
    }

    /// Tabs that came since a mark, opened from this one, of which it is not known who opened them.
    pub(crate) fn unclaimed(&self, opener: u32, since: ActionEpoch) -> Vec<u32> {
        let unclaimed = |tab: &&Tab| {
            tab.opened >= since && tab.opened_by == OpenedBy::Unknown && tab.opener.is_none_or(|from| from == opener)
        };
        self.tabs.iter().filter(unclaimed).map(|tab| tab.number).collect()
    }

    pub(crate) fn has_unclaimed(&self, opener: u32, since: ActionEpoch) -> bool {
        !self.unclaimed(opener, since).is_empty()
    }

    /// Whether a tab was opened by a frame of the origin of the frame acted in. A link that is clicked with a key held has
    /// no frame that opened its tab: the browser itself did.
    pub(crate) fn is_acted_in(&self, tab: u32, acted: Option<&FrameRef>, opened: &Tab) -> bool {
        let (Some(tab), Some(acted)) = (self.tab(tab), acted) else { return false };
        let Some(opener) = opened.opener_frame.as_ref().or(opened.opener.map(|_| &tab.target)) else { return true };
        if *opener == acted.id {
            return true;
        }
        let origin = |id: &String| tab.frames.get(id).map(|frame| frame.origin.as_str());
        // An opaque origin is like no other, not even like another that is opaque.
        origin(opener).is_some_and(|of| of.starts_with("http") && Some(of) == origin(&acted.id))
    }

    /// Goes on in this tab.
    pub(crate) fn adopt(&mut self, number: u32) {
        if let Some(tab) = self.tab_mut(number) {
            tab.opened_by = OpenedBy::Us;
        }
        self.current = number;
    }

    /// Goes on in a tab that we or an action of ours opened, and tells.
    pub(crate) fn claim(&mut self, number: u32) {
        self.adopt(number);
        let address = self.tab(number).map(|tab| tab.url().to_owned()).unwrap_or_default();
        let told = self.effects.iter_mut().find_map(|effect| match effect {
            PageEffect::TabOpened { number: of, current, .. } if *of == number => Some(current),
            _ => None,
        });
        match told {
            Some(current) => *current = true,
            // It was told of with the action that a dialog held up.
            None => self.effects.push(PageEffect::TabOpened { number, url: address, current: true }),
        }
    }

    /// Takes a tab away and goes on in the one that opened it, or the last that no page opened by itself.
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
