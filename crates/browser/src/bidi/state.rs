//! What the driver must know of the browser to translate its events: the tabs and their frames, the requests under way
//! and the downloads. It has the protocol's identifiers only; everything else is the executor's.

use std::collections::{HashMap, HashSet};

use crate::{driver::SessionId, driver_event::ResponseHead};

/// The identifier of the user context that exists from the start.
pub(super) const DEFAULT_CONTEXT: &str = "default";

#[derive(Default)]
pub(super) struct State {
    /// Tabs and frames, by the protocol's identifier of their context.
    pub(super) frames: HashMap<String, BidiFrame>,
    /// The sandboxes of Legwork, with their context.
    pub(super) sandboxes: HashMap<String, String>,
    pub(super) requests: HashMap<String, BidiRequest>,
    /// The identifiers of the requests of documents, by the identifiers of the documents.
    pub(super) document_requests: HashMap<String, String>,
    /// Requests that were refused here.
    pub(super) refused: HashSet<String>,
    /// The identifiers of downloads without a navigation, by their address.
    pub(super) downloads: HashMap<String, String>,
    /// The tabs for which requests are paused; the intercept is there while this is not empty.
    pub(super) intercepted: HashSet<String>,
    pub(super) intercept: Option<String>,
    /// What was set up for user contexts, to be removed with them: the scripts.
    pub(super) scripts: HashMap<String, Vec<String>>,
    /// The folders for downloads, by user context.
    pub(super) folders: HashMap<String, std::path::PathBuf>,
    /// Whether tabs that appear are new. Those that are reported before belong to somebody else.
    pub(super) connected: bool,
    /// Whether the windows are all Legwork's, so that the tabs that Firefox adds to them can be closed.
    pub(super) owns_windows: bool,
    /// The tab whose window has the focus.
    pub(super) active: Option<SessionId>,
    /// The number of contexts and documents so far, which states their order.
    pub(super) clock: u64,
}

/// A tab or a frame.
pub(super) struct BidiFrame {
    /// The tab that it belongs to.
    pub(super) tab: SessionId,
    pub(super) parent: Option<String>,
    pub(super) user_context: String,
    pub(super) window: String,
    /// The document that it shows, by the identifier of the navigation to it.
    pub(super) document: String,
    /// The next document, whose response has begun.
    pub(super) next_document: Option<String>,
    /// The sandbox of Legwork, its origin and whether the bundle runs in it.
    pub(super) sandbox: Option<(String, String, bool)>,
    /// When it was created, and when its present document was.
    pub(super) created: u64,
    pub(super) document_created: u64,
    /// Whether the tab belongs to somebody else.
    pub(super) foreign: bool,
}

/// A request under way.
#[derive(Default)]
pub(super) struct BidiRequest {
    /// The identifier in the events of the driver: for a document, that of the document.
    pub(super) id: String,
    pub(super) redirects: u64,
    /// The head of the redirect response that the request follows.
    pub(super) redirected: Option<ResponseHead>,
}

impl State {
    pub(super) fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    /// The tab of a context, unless it belongs to somebody else.
    pub(super) fn tab_of(&self, context: &str) -> Option<SessionId> {
        let frame = self.frames.get(context)?;
        let is_foreign = self.frames.get(&*frame.tab).is_none_or(|tab| tab.foreign);
        (!is_foreign).then(|| frame.tab.clone())
    }

    /// The protocol's identifier of a request that an event of the driver named.
    pub(super) fn wire_request(&self, request: &str) -> String {
        self.document_requests.get(request).cloned().unwrap_or_else(|| request.to_owned())
    }

    /// The frames inside a frame that were created since its present document.
    pub(super) fn children_since(&self, frame: &str, since: u64) -> Vec<String> {
        let mut children: Vec<(u64, String)> = self
            .frames
            .iter()
            .filter(|(_, child)| child.parent.as_deref() == Some(frame) && child.created > since)
            .map(|(id, child)| (child.created, id.clone()))
            .collect();
        children.sort();
        children.into_iter().map(|(_, id)| id).collect()
    }

    /// Removes a frame and its descendants.
    pub(super) fn remove(&mut self, frame: &str) -> Option<BidiFrame> {
        let removed = self.frames.remove(frame);
        for child in self.children_since(frame, 0) {
            self.remove(&child);
        }
        removed
    }
}
