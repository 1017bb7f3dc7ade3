//! The tabs of a session. [`Tabs`] owns the list, the current tab and who opened each; [`Tab`] owns what is known of
//! one. Events change them through their methods, and everything else asks them.

use std::{collections::HashMap, sync::Arc, time::Duration};

use legwork_observe::DocumentKey;
use legwork_protocol::NetworkError;

use crate::{
    action_epoch::ActionEpoch,
    driver::SessionId,
    driver_event::{Document, NewTab},
    frame_tree::{FrameRef, FrameTree},
    guard::RequestLimit,
    mouse::Mouse,
    unsaved_work::Writes,
};

/// The open tabs, the newest last.
#[derive(Default)]
pub(crate) struct Tabs {
    tabs: Vec<Tab>,
    /// The number of the tab that actions apply to; 0 when none is open.
    current: u32,
    last_number: u32,
    /// The number of document worlds so far.
    last_document: u64,
    /// The address of a window that a page is about to open.
    opening: Option<String>,
    /// The limit for the requests of the next tab that no page opens, if one was set, or that it has none.
    next_limit: Option<Option<Arc<dyn RequestLimit>>>,
}

/// An open tab.
pub(crate) struct Tab {
    number: u32,
    target: String,
    session: SessionId,
    title: String,
    frames: FrameTree,
    crashed: bool,
    requests: HashMap<String, PendingRequest>,
    writes: Writes,
    /// The HTTP status of documents, by loader.
    statuses: HashMap<String, Option<u16>>,
    chooser: Option<FileChooser>,
    mouse: Mouse,
    /// The epoch in which the tab was opened.
    opened: ActionEpoch,
    /// The last document that did not load.
    failed: Option<FailedDocument>,
    /// The browser's own error page, if the tab shows one.
    error_page: Option<ErrorPage>,
    opener: Option<u32>,
    opener_frame: Option<String>,
    /// The address that the tab was opened for, if it is known.
    wanted: Option<String>,
    opened_by: OpenedBy,
    /// Whether the tab was opened for a URL that has not committed yet.
    awaited: bool,
    /// What its requests may not do because of an action.
    request_limit: Option<Arc<dyn RequestLimit>>,
    /// Whether its requests are paused for a limit, which may have ended since.
    is_limit_intercepting: bool,
}

/// A document whose request failed.
struct FailedDocument {
    /// The frame that it was for.
    frame: String,
    reason: String,
    /// The HTTP status, if the server answered.
    status: Option<u16>,
}

/// The browser's own error page, shown instead of a document.
#[derive(Clone, Debug)]
pub(crate) struct ErrorPage {
    /// The epoch in which it appeared.
    came: ActionEpoch,
    /// The address that could not be loaded.
    pub(crate) url: String,
    /// The browser's reason, such as `net::ERR_CONNECTION_REFUSED`; empty when it gave none.
    pub(crate) reason: String,
}

/// Who opened a tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpenedBy {
    /// The session or one of its actions.
    Us,
    /// A page, without an action.
    Page,
    /// A page, during an action that may have been the reason; settling decides.
    Unknown,
}

/// A file chooser that a page opens.
#[derive(Clone, Debug)]
pub(crate) struct FileChooser {
    pub(crate) session: SessionId,
    /// The driver's name of its element.
    pub(crate) node: String,
    pub(crate) multiple: bool,
}

/// A request in progress.
pub(crate) struct PendingRequest {
    pub(crate) begun: ActionEpoch,
    pub(crate) url: String,
    /// The method, if a script sent it and expects a response: no document, image or beacon.
    pub(crate) script_method: Option<String>,
    pub(crate) loader: String,
    /// The frame that the request belongs to; empty when it is unknown.
    pub(crate) frame: String,
}

/// The main frame of a tab has another document.
pub(crate) struct MainNavigation {
    pub(crate) from: String,
    pub(crate) status: Option<u16>,
    pub(crate) status_unknown: bool,
}

impl Tab {
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// The driver's name for the tab, which is that of its main frame too.
    pub(crate) fn target(&self) -> &str {
        &self.target
    }

    pub(crate) fn session(&self) -> &SessionId {
        &self.session
    }

    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    pub(crate) fn set_title(&mut self, title: &str) {
        title.clone_into(&mut self.title);
    }

    pub(crate) fn frames(&self) -> &FrameTree {
        &self.frames
    }

    pub(crate) fn frames_mut(&mut self) -> &mut FrameTree {
        &mut self.frames
    }

    pub(crate) fn writes(&self) -> &Writes {
        &self.writes
    }

    pub(crate) fn writes_mut(&mut self) -> &mut Writes {
        &mut self.writes
    }

    pub(crate) fn mouse(&self) -> &Mouse {
        &self.mouse
    }

    pub(crate) fn mouse_mut(&mut self) -> &mut Mouse {
        &mut self.mouse
    }

    pub(crate) fn url(&self) -> &str {
        self.frames.url()
    }

    pub(crate) fn request_limit(&self) -> Option<&Arc<dyn RequestLimit>> {
        self.request_limit.as_ref()
    }

    pub(crate) fn request_limit_mut(&mut self) -> &mut Option<Arc<dyn RequestLimit>> {
        &mut self.request_limit
    }

    pub(crate) fn is_limit_intercepting(&self) -> bool {
        self.is_limit_intercepting
    }

    pub(crate) fn set_limit_intercepting(&mut self, on: bool) {
        self.is_limit_intercepting = on;
    }

    /// Whether a protocol session belongs to it, as its own or as one of its frames'.
    fn has_session(&self, session: &str) -> bool {
        &*self.session == session || self.frames.sessions().any(|frame| &**frame == session)
    }

    /// The protocol sessions of the tab and its frames.
    pub(crate) fn sessions(&self) -> Vec<SessionId> {
        let mut sessions: Vec<SessionId> = self.frames.sessions().cloned().collect();
        sessions.push(self.session.clone());
        sessions.sort();
        sessions.dedup();
        sessions
    }

    pub(crate) fn is_crashed(&self) -> bool {
        self.crashed
    }

    /// The process of a session crashed. If it was the tab's own process, the page is gone; otherwise only the frames
    /// of that process are. Returns whether the page is gone.
    pub(crate) fn session_crashed(&mut self, session: &str) -> bool {
        if *self.session == *session {
            self.crashed = true;
        } else {
            self.frames.remove_session(session);
        }
        self.crashed
    }

    /// A document is about to be loaded in place of a page that may have crashed.
    pub(crate) fn revive(&mut self) {
        self.crashed = false;
    }

    /// Whether the tab is navigating to another document, or its document is not loaded yet.
    pub(crate) fn is_loading(&self) -> bool {
        self.awaited || self.frames.is_loading()
    }

    /// Whether the document that the tab is navigating to has arrived, and was parsed.
    pub(crate) fn is_next_document_parsed(&self) -> bool {
        // The document that is being left was parsed long ago, so it does not count while the server of the
        // next document has not answered.
        let is_left = self.awaited || self.unanswered(ActionEpoch::default()).is_some();
        !is_left && self.frames.is_parsed() == Some(true)
    }

    /// The requests that began in this epoch or later and are still in progress.
    pub(crate) fn pending(&self, since: ActionEpoch) -> impl Iterator<Item = &PendingRequest> {
        self.pending_with_ids(since).map(|(_, request)| request)
    }

    /// The same, with the ids of the requests.
    pub(crate) fn pending_with_ids(&self, since: ActionEpoch) -> impl Iterator<Item = (&String, &PendingRequest)> {
        self.requests.iter().filter(move |(_, request)| request.begun >= since)
    }

    /// Whether a request that is no polling has been in progress since this epoch.
    pub(crate) fn has_short_requests(&self, since: ActionEpoch) -> bool {
        self.pending(since).any(|request| !self.writes.is_often(&request.url))
    }

    /// The address of the document that the tab is navigating to, if it was requested since this epoch and its server
    /// has sent nothing yet.
    pub(crate) fn unanswered(&self, since: ActionEpoch) -> Option<&str> {
        // The identifier of a document's request is that of the document. Requests for documents of child frames are
        // excluded.
        let document = |(id, request): &(&String, &PendingRequest)| {
            request.begun >= since && request.loader == **id && request.frame == self.target
        };
        self.requests.iter().find(document).map(|(_, request)| request.url.as_str())
    }

    /// The address of a request under way.
    pub(crate) fn request_url(&self, request: &str) -> Option<&str> {
        self.requests.get(request).map(|request| request.url.as_str())
    }

    pub(crate) fn request_started(&mut self, id: String, request: PendingRequest) {
        self.requests.entry(id).or_insert(request);
    }

    /// A server responded to the request of a document. The request continues until the document has arrived.
    pub(crate) fn document_answered(&mut self, document: String, status: Option<u16>) {
        self.statuses.insert(document, status);
    }

    /// A request is not waited for any longer.
    pub(crate) fn request_answered(&mut self, id: &str) {
        self.requests.remove(id);
    }

    /// A request has ended, with the reason when it failed.
    pub(crate) fn request_finished(&mut self, id: &str, error: Option<String>) {
        let Some(request) = self.requests.remove(id) else { return };
        if let Some(why) = error.filter(|_| request.loader == id) {
            self.awaited = false;
            // The request for a document failed, so the frame keeps its current document.
            let status = self.statuses.get(id).copied().flatten();
            self.failed = Some(FailedDocument { frame: request.frame, reason: why, status });
        }
    }

    /// How long to wait for the announcement of a download, if the request for a document was aborted since the last
    /// action began: the browser aborts the request for a document that it saves as a file.
    pub(crate) fn download_patience(&self) -> Option<Duration> {
        let aborted =
            self.failed.as_ref().filter(|failed| NetworkError::of(&failed.reason) == NetworkError::Aborted)?;
        match aborted.status {
            // A response without content is no document and no file.
            Some(204 | 205) => None,
            // The server sent a document that no frame shows, so it is a file. A busy browser announces it late.
            Some(200..300) if self.frames.contains(&aborted.frame) => Some(Duration::from_secs(5)),
            // More often, the page aborted the request or another navigation replaced it.
            _ => Some(Duration::from_millis(500)),
        }
    }

    /// The browser's own error page, if the tab shows one that came in a later epoch than this one.
    pub(crate) fn error_page_after(&self, before: ActionEpoch) -> Option<&ErrorPage> {
        self.error_page.as_ref().filter(|page| page.came > before)
    }

    /// A frame has another document. Returns the navigation if the frame is the main one.
    pub(crate) fn navigated(&mut self, session: &str, new: &Document, epoch: ActionEpoch) -> Option<MainNavigation> {
        let from = self.frames.navigated(session, new);
        let answered = self.statuses.remove(&new.document);
        if !self.frames.is_main(&new.frame) {
            return None;
        }
        self.awaited &= new.url == "about:blank";
        // A tab begins with a blank document, before the one for which it was opened.
        if new.url != "about:blank" {
            let holds = |limit: &mut Arc<dyn RequestLimit>| {
                url::Url::parse(&new.url).is_ok_and(|document| limit.holds_on(&document))
            };
            drop(self.request_limit.take_if(|limit| !holds(limit)));
        }
        self.requests.retain(|_, request| request.loader == new.document);
        self.writes.clear();
        self.statuses.clear();
        self.crashed = false;
        self.error_page = new.unreachable.then(|| {
            let reason = self.failed.as_ref().map(|failed| failed.reason.clone()).unwrap_or_default();
            ErrorPage { came: epoch, url: new.url.clone(), reason }
        });
        Some(MainNavigation { from, status: answered.flatten(), status_unknown: answered == Some(None) })
    }

    pub(crate) fn chooser(&self) -> Option<&FileChooser> {
        self.chooser.as_ref()
    }

    pub(crate) fn chooser_opened(&mut self, chooser: FileChooser) {
        self.chooser = Some(chooser);
    }

    pub(crate) fn take_chooser(&mut self) -> Option<FileChooser> {
        self.chooser.take()
    }

    /// Whether it was opened since this epoch.
    pub(crate) fn is_opened_since(&self, epoch: ActionEpoch) -> bool {
        self.opened >= epoch
    }

    /// The address that it was opened for, else the one it is at.
    pub(crate) fn wanted_url(&self) -> &str {
        self.wanted.as_deref().unwrap_or(self.url())
    }

    /// A page opened it of its own accord.
    pub(crate) fn set_opened_by_page(&mut self) {
        self.opened_by = OpenedBy::Page;
    }
}

impl Tabs {
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &Tab> {
        self.tabs.iter()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tabs.is_empty()
    }

    pub(crate) fn get(&self, number: u32) -> Option<&Tab> {
        self.tabs.iter().find(|tab| tab.number == number)
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Tab> {
        self.tabs.iter_mut()
    }

    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut Tab> {
        self.tabs.iter_mut().find(|tab| tab.number == number)
    }

    /// The tab where actions go.
    pub(crate) fn current(&self) -> Option<&Tab> {
        self.get(self.current)
    }

    pub(crate) fn by_target(&self, target: &str) -> Option<&Tab> {
        self.tabs.iter().find(|tab| tab.target == target)
    }

    pub(crate) fn by_target_mut(&mut self, target: &str) -> Option<&mut Tab> {
        self.tabs.iter_mut().find(|tab| tab.target == target)
    }

    /// The tab that a protocol session belongs to, whether it is that of the tab or of one of its frames.
    pub(crate) fn by_session(&self, session: &str) -> Option<&Tab> {
        self.tabs.iter().find(|tab| tab.has_session(session))
    }

    pub(crate) fn by_session_mut(&mut self, session: &str) -> Option<&mut Tab> {
        self.tabs.iter_mut().find(|tab| tab.has_session(session))
    }

    pub(crate) fn by_frame(&self, frame: &str) -> Option<&Tab> {
        self.tabs.iter().find(|tab| tab.frames.contains(frame))
    }

    pub(crate) fn by_frame_mut(&mut self, frame: &str) -> Option<&mut Tab> {
        self.tabs.iter_mut().find(|tab| tab.frames.contains(frame))
    }

    /// A key for a document that a world was made in.
    pub(crate) fn next_document(&mut self) -> DocumentKey {
        self.last_document += 1;
        DocumentKey(self.last_document)
    }

    /// Adds a tab that opened in this epoch. Returns its number and the URL that it will have.
    pub(crate) fn add(&mut self, new: NewTab, epoch: ActionEpoch) -> (u32, String) {
        let NewTab { session, tab: target, opener, opener_frame, url, title, .. } = new;
        let request_limit = self.limit_for_new(opener.as_deref());
        if opener.is_none() {
            self.next_limit = None;
        }
        let opener = opener.and_then(|id| self.by_target(&id)).map(|tab| tab.number);
        self.last_number += 1;
        let number = self.last_number;
        // A tab that a page opens starts with a blank document, and loads its address only after it is resumed.
        let opening = opener.and_then(|_| self.opening.take());
        self.tabs.push(Tab {
            number,
            frames: FrameTree::new(target.clone(), session.clone(), url.clone()),
            target,
            session,
            title,
            crashed: false,
            requests: HashMap::new(),
            writes: Writes::default(),
            statuses: HashMap::new(),
            chooser: None,
            mouse: Mouse::default(),
            opened: epoch,
            failed: None,
            error_page: None,
            opener,
            opener_frame,
            awaited: opening.is_some(),
            wanted: opening.clone(),
            opened_by: OpenedBy::Unknown,
            is_limit_intercepting: request_limit.is_some(),
            request_limit,
        });
        (number, opening.unwrap_or(url))
    }

    pub(crate) fn next_limit(&self) -> Option<Option<Arc<dyn RequestLimit>>> {
        self.next_limit.clone()
    }

    pub(crate) fn limit_next(&mut self, limit: Option<Arc<dyn RequestLimit>>) {
        self.next_limit = Some(limit);
    }

    /// A page is about to open a window for an address, or did so in this epoch.
    pub(crate) fn window_requested(&mut self, url: String, epoch: ActionEpoch) {
        let goes = url.starts_with("http");
        let new = self.tabs.iter_mut().find(|tab| tab.opened == epoch && tab.opener.is_some() && tab.frames.is_new());
        match new {
            // The tab was reported before this event.
            Some(tab) if goes => (tab.awaited, tab.wanted) = (true, Some(url)),
            Some(_) => {}
            None => self.opening = goes.then_some(url),
        }
    }

    /// An action begins in the current tab.
    pub(crate) fn begin_action(&mut self) {
        self.opening = None;
        let current = self.current;
        if let Some(tab) = self.get_mut(current) {
            tab.chooser = None;
        }
        for tab in &mut self.tabs {
            tab.failed = None;
        }
    }

    /// The action with the second mark continues the one with the first: what that one opened belongs to it.
    pub(crate) fn continue_action(&mut self, from: ActionEpoch, to: ActionEpoch) {
        for tab in self.tabs.iter_mut().filter(|tab| tab.opened == from) {
            tab.opened = to;
        }
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
    pub(crate) fn is_opened_from(&self, opened: &Tab, tab: u32, acted: Option<&FrameRef>) -> bool {
        let (Some(tab), Some(acted)) = (self.get(tab), acted) else { return false };
        let Some(opener) = opened.opener_frame.as_ref().or(opened.opener.map(|_| &tab.target)) else { return true };
        *opener == acted.id || tab.frames.have_same_origin(opener, &acted.id)
    }

    /// Continues in this tab, which we or an action of ours opened.
    pub(crate) fn adopt(&mut self, number: u32) {
        if let Some(tab) = self.get_mut(number) {
            tab.opened_by = OpenedBy::Us;
        }
        self.current = number;
    }

    /// Removes a tab and continues in the one that opened it, or the last that no page opened by itself.
    pub(crate) fn remove(&mut self, target: &str) -> Option<Tab> {
        let at = self.tabs.iter().position(|tab| tab.target == target)?;
        let tab = self.tabs.remove(at);
        if self.current == tab.number {
            let opener = tab.opener.filter(|number| self.get(*number).is_some());
            let ours = || self.tabs.iter().rev().find(|tab| tab.opened_by == OpenedBy::Us).map(|tab| tab.number);
            self.current = opener.or_else(ours).unwrap_or(0);
        }
        Some(tab)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tab(target: &str, opener: Option<&str>) -> NewTab {
        let opener = opener.map(str::to_owned);
        let (url, title) = ("about:blank".to_owned(), String::new());
        let (context, opener_frame) = (None, opener.clone());
        NewTab { session: target.into(), tab: target.to_owned(), context, opener, opener_frame, url, title }
    }

    #[test]
    fn a_tab_that_closes_leaves_the_one_that_opened_it_current() {
        let mut tabs = Tabs::default();
        tabs.add(tab("a", None), 0);
        tabs.adopt(1);
        tabs.add(tab("b", Some("a")), 1);
        tabs.add(tab("c", Some("a")), 1);
        assert_eq!(tabs.unclaimed(1, 1), [2, 3]);
        tabs.adopt(2);
        assert_eq!(tabs.remove("b").unwrap().number(), 2);
        assert_eq!(tabs.current().unwrap().number(), 1);
        // The tab that the page opened by itself does not become current.
        tabs.remove("a");
        assert!(tabs.current().is_none() && !tabs.is_empty());
    }

    #[test]
    fn tabs_opened_before_input_are_not_attributed_to_the_action() {
        let mut tabs = Tabs::default();
        tabs.add(tab("a", None), 0);
        tabs.adopt(1);
        tabs.add(tab("b", Some("a")), 1);
        tabs.input_begins(1);
        assert!(!tabs.has_unclaimed(1, 1));
        tabs.add(tab("c", Some("a")), 1);
        tabs.continue_action(1, 2);
        assert_eq!(tabs.unclaimed(1, 2), [3]);
    }

    #[test]
    fn a_window_is_awaited_until_it_is_at_its_address() {
        let mut tabs = Tabs::default();
        tabs.add(tab("a", None), 0);
        tabs.window_requested("http://a.test/".to_owned(), 1);
        assert_eq!(tabs.add(tab("b", Some("a")), 1), (2, "http://a.test/".to_owned()));
        assert!(tabs.get(2).unwrap().is_loading());
        let (frame, document, url) = ("b".to_owned(), "d".to_owned(), "http://a.test/".to_owned());
        let new = Document { frame, parent: None, document, url, kept: true, unreachable: false };
        assert_eq!(tabs.get_mut(2).unwrap().navigated("b", &new, 1).unwrap().from, "about:blank");
        assert!(!tabs.get(2).unwrap().is_loading());
    }
}
