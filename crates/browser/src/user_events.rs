//! What a person does in the browser: inputs in pages, navigations by the browser's own controls, tabs, dialogs. The
//! script beside each page reports an input before the page reacts to it (`injected/src/user-input.ts`), together with
//! a capture of the page, so that the element can be described as it was.
//!
//! Events are queued on the reading task, in the order of the wire. [`Session::next_user_event`] completes them: it
//! assembles the snapshot, and determines from the tab's history how a navigation began.

use std::{collections::HashMap, sync::Arc, time::Duration};

use legwork_observe::{Capture, DocumentKey, FrameCapture, NodeKey, PageFacts, RefTable, Snapshot, assemble};
use legwork_protocol::{DialogKind, Ref};
use tokio::time::Instant;

use crate::{
    Session,
    driver::TabHistory,
    frame_tree::FrameRef,
    page_script::ReportedInput,
    session_inner::SessionInner,
    state::SessionState,
    user_event_queue::{ASK, QueuedEvent, TabTrail},
    user_input::UserInputKind,
};

/// How long after an input in a page a tab may open because of it.
const OPENS_WITHIN: Duration = Duration::from_secs(5);
/// How long after an input in a page a move in the history, or the end of the tab, may be the page's doing.
const MOVES_WITHIN: Duration = Duration::from_millis(1_500);

/// Something that a person did.
#[derive(Clone, Debug)]
pub struct UserEvent {
    /// The tab.
    pub tab: u32,
    /// What was done.
    pub kind: UserEventKind,
}

/// What a person did.
#[derive(Clone, Debug)]
pub enum UserEventKind {
    /// An input in a page.
    Input(Box<UserInput>),
    /// An address was opened in the browser's own window: by the address bar or a bookmark.
    Opened {
        /// The address.
        url: String,
    },
    /// The person went back.
    WentBack,
    /// The person went forward.
    WentForward,
    /// The person reloaded the page.
    Reloaded,
    /// A tab was opened.
    TabOpened {
        /// The tab whose page opened it.
        opener: Option<u32>,
        /// Whether an input in that tab opened it.
        by_input: bool,
    },
    /// A tab was closed.
    TabClosed {
        /// Whether it closed because of an input in it.
        by_input: bool,
    },
    /// A dialog of the page was answered.
    DialogAnswered {
        /// The kind of the dialog.
        kind: DialogKind,
        /// Whether it was accepted.
        accepted: bool,
        /// What was entered into a prompt.
        text: String,
    },
}

/// An input in a page.
#[derive(Clone, Debug)]
pub struct UserInput {
    /// The page before it reacted to the input; `None` if the input continues the previous one in the same element.
    pub page: Option<Arc<Snapshot>>,
    /// The element, on that page; `None` if the page has no element that an observation shows.
    pub element: Option<Ref>,
    /// The element onto which another one was dragged.
    pub onto: Option<Ref>,
    /// The identity of the element over several inputs.
    pub key: Option<NodeKey>,
    /// A CSS selector that names the element in its document.
    pub selector: Option<String>,
    /// The text of a clicked element, if it is short.
    pub text: Option<String>,
    /// The input.
    pub kind: UserInputKind,
}

impl Session {
    /// The next thing that a person did; `None` when all tabs are closed or the browser is gone, and in a session that
    /// does not report inputs. What was done before the session ended is still returned. Cancelling the call loses no
    /// event that was not yet taken from the queue.
    pub async fn next_user_event(&self) -> Option<UserEvent> {
        let queue = self.inner.user_events.as_ref()?;
        let mut reader = queue.reader.lock().await;
        loop {
            let over = async {
                let forever = Duration::from_secs(60 * 60);
                let is_over = |state: &mut SessionState| (state.gone.is_some() || state.tabs.is_empty()).then_some(());
                while self.inner.within(forever, is_over).await.is_none() {}
            };
            let queued = tokio::select! {
                biased;
                queued = reader.receiver.recv() => queued,
                () = over => reader.receiver.try_recv().ok(),
            };
            let (tab, at, event) = queued?;
            if let Some(kind) = self.inner.complete(&mut reader.tabs, tab, at, event).await {
                return Some(UserEvent { tab, kind });
            }
        }
    }
}

impl SessionInner {
    async fn complete(
        &self,
        tabs: &mut HashMap<u32, TabTrail>,
        tab: u32,
        at: Instant,
        event: QueuedEvent,
    ) -> Option<UserEventKind> {
        match event {
            QueuedEvent::Report { frame, document, main, url, report } => {
                let input = self.input(frame, document, main, url, &report).await?;
                // Neither causes a navigation.
                if !matches!(input.kind, UserInputKind::Verify { .. } | UserInputKind::Leave) {
                    let trail = tabs.entry(tab).or_default();
                    (trail.last_input, trail.has_moved) = (Some(at), false);
                }
                Some(UserEventKind::Input(Box::new(input)))
            }
            QueuedEvent::Navigated { is_document, history } => {
                let history = history.await.ok()??;
                let trail = tabs.entry(tab).or_default();
                let by_page = !trail.has_moved && trail.had_input(at, MOVES_WITHIN);
                trail.has_moved = true;
                let before = trail.history.replace(history.clone());
                let kind = match (&before, trail.is_by_person) {
                    (Some(before), _) => moved(before, &history, is_document),
                    // The first address of a tab that the person opened.
                    (None, true) => moved(&TabHistory::default(), &history, is_document),
                    (None, false) => None,
                };
                kind.filter(|kind| {
                    // The address bar is the person's, whatever was done in the page before.
                    matches!(kind, UserEventKind::Opened { .. }) || !by_page
                })
            }
            QueuedEvent::TabOpened { opener } => {
                let by_input =
                    opener.and_then(|opener| tabs.get(&opener)).is_some_and(|trail| trail.had_input(at, OPENS_WITHIN));
                if tab > 1 {
                    let trail = tabs.entry(tab).or_default();
                    (trail.opener, trail.is_by_person) = (opener, !by_input);
                    return Some(UserEventKind::TabOpened { opener, by_input });
                }
                // The first tab is opened by Legwork, and so is its address, if there is one. What follows is the
                // person's.
                let history = self.history(tab).await;
                tabs.entry(tab).or_default().history = history;
                None
            }
            QueuedEvent::TabClosed => {
                // A page can close only a tab that a page opened.
                let by_input =
                    tabs.remove(&tab).is_some_and(|trail| trail.opener.is_some() && trail.had_input(at, MOVES_WITHIN));
                Some(UserEventKind::TabClosed { by_input })
            }
            QueuedEvent::DialogAnswered { kind, accepted, mut text } => {
                self.guard().mask(&mut text);
                Some(UserEventKind::DialogAnswered { kind, accepted, text })
            }
        }
    }

    async fn history(&self, tab: u32) -> Option<TabHistory> {
        let session = self.state().tabs.get(tab)?.session().clone();
        self.driver.history(&session).within(ASK).await.ok()
    }

    async fn input(
        &self,
        frame: FrameRef,
        document: DocumentKey,
        main: Option<DocumentKey>,
        url: String,
        report: &str,
    ) -> Option<UserInput> {
        let mut report: ReportedInput = serde_json::from_str(report)
            .inspect_err(|error| tracing::warn!(%error, "an input of another shape is not recorded"))
            .ok()?;
        let key = report.path.first().map(|element| NodeKey { document, element: *element });
        let Some(mut text) = report.capture.take() else {
            let ReportedInput { selector, input: kind, .. } = report;
            return Some(UserInput { page: None, element: None, onto: None, key, selector, text: None, kind });
        };
        self.guard().mask(&mut text);
        let capture = Capture::read(&text)
            .inspect_err(|error| tracing::warn!(%error, "the page of an input cannot be read"))
            .ok()?;
        let mut captures = self.other_frames(&frame, main).await;
        let title = captures.first().map_or(&capture, |main| &main.capture).title.clone();
        let is_main = main == Some(document);
        let parent = match captures.is_empty() || is_main {
            true => None,
            false => self.owner_of(&frame).await,
        };
        let own = FrameCapture { document, capture, parent };
        captures.insert(if is_main { 0 } else { captures.len() }, own);
        let mut url = url;
        self.guard().mask(&mut url);
        let facts = PageFacts { url, title, tabs: self.tab_list(), dialog: None };
        // The refs are for this page only, because no action uses them.
        let mut refs = RefTable::default();
        let page = assemble(facts, captures, &mut refs);
        let mut shown = |path: &[u32]| {
            let nodes: Vec<(Ref, bool)> = path
                .iter()
                .filter_map(|element| {
                    let reference = refs.assign(NodeKey { document, element: *element });
                    let node = &page.nodes[page.find_ref(reference)?];
                    Some((reference, node.states.actionable()))
                })
                .collect();
            // The innermost element that is acted on; otherwise the innermost that is shown.
            nodes.iter().find(|(_, is_control)| *is_control).or(nodes.first()).map(|(reference, _)| *reference)
        };
        let (element, onto) = (shown(&report.path), shown(&report.onto));
        let ReportedInput { selector, mut text, input: kind, .. } = report;
        if let Some(text) = &mut text {
            self.guard().mask(text);
        }
        Some(UserInput { page: Some(Arc::new(page)), element, onto, key, selector, text, kind })
    }

    /// Captures of the frames of other origins, as they are now; the main frame first. None if the page has already
    /// changed.
    async fn other_frames(&self, of: &FrameRef, main: Option<DocumentKey>) -> Vec<FrameCapture> {
        let mut captures = Vec::new();
        for frame in self.outer_frames(of.tab).iter().filter(|frame| *frame != of) {
            let is_same = || self.state().tabs.get(of.tab).is_some_and(|tab| tab.frames().main_document() == main);
            if !is_same() {
                return Vec::new();
            }
            let Ok(Ok(capture)) = tokio::time::timeout(ASK, self.capture_frame(frame)).await else { continue };
            captures.push(capture);
            if !is_same() {
                return Vec::new();
            }
        }
        captures
    }
}

/// How a navigation began, by the history before and after it; `None` if the page began it.
fn moved(before: &TabHistory, now: &TabHistory, is_document: bool) -> Option<UserEventKind> {
    let current = now.entries.get(now.current)?;
    let place = before.entries.iter().position(|entry| entry.id == current.id);
    match place {
        Some(place) if place < before.current => Some(UserEventKind::WentBack),
        Some(place) if place > before.current => Some(UserEventKind::WentForward),
        Some(_) => (is_document && current.is_reloaded).then_some(UserEventKind::Reloaded),
        None if current.is_typed => Some(UserEventKind::Opened { url: current.url.clone() }),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::TabHistoryEntry;

    fn history(current: usize, ids: &[i64]) -> TabHistory {
        let entry = |id: &i64| TabHistoryEntry {
            id: *id,
            url: format!("http://{id}.test/"),
            is_typed: *id > 100,
            is_reloaded: *id == 2,
        };
        TabHistory { current, entries: ids.iter().map(entry).collect() }
    }

    #[test]
    fn the_history_tells_how_a_navigation_began() {
        let before = history(1, &[1, 2, 3]);
        let kind = |now: &TabHistory| moved(&before, now, true).map(|kind| format!("{kind:?}"));
        assert_eq!(kind(&history(0, &[1, 2, 3])).as_deref(), Some("WentBack"));
        assert_eq!(kind(&history(2, &[1, 2, 3])).as_deref(), Some("WentForward"));
        assert_eq!(kind(&history(1, &[1, 2, 3])).as_deref(), Some("Reloaded"));
        assert_eq!(kind(&history(2, &[1, 2, 4])), None, "a link");
        assert_eq!(kind(&history(2, &[1, 2, 104])).as_deref(), Some("Opened { url: \"http://104.test/\" }"));
        assert!(moved(&before, &before, false).is_none(), "the page replaced its address");
    }
}
