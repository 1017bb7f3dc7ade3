//! Tabs and frames: opening, setting up and navigating.

use super::{
    network::NetworkEmulation,
    pending::{Pending, SessionId},
};
use crate::scripts::Scripts;

/// The setup of a new tab or frame, which applies before its first script runs.
pub(crate) struct Watch<'a> {
    pub(crate) scripts: &'a Scripts,
    /// The script that restores the initial storage.
    pub(crate) restore: Option<&'a str>,
    /// Whether this is a tab and not a frame.
    pub(crate) tab: bool,
    /// The size of the view, if there is no window that determines it.
    pub(crate) viewport: Option<(u32, u32)>,
    /// Whether every request is paused before it is sent.
    pub(crate) intercepts_requests: bool,
    /// Whether file choosers are reported instead of opened.
    pub(crate) intercepts_choosers: bool,
    /// Whether response bodies are kept for a while for later requests.
    pub(crate) records_bodies: bool,
    /// Whether the script reports the inputs of a person ([`SessionOptions::reports_input`](crate::SessionOptions)).
    pub(crate) reports_input: bool,
    /// The emulated conditions; `None` for the real ones.
    pub(crate) network_emulation: Option<NetworkEmulation>,
}

/// The start of a navigation by address.
#[derive(Clone, Debug, Default)]
pub(crate) struct NavigationResult {
    /// Why no document was loaded.
    pub(crate) error: Option<String>,
    pub(crate) is_download: bool,
}

/// The history of a tab.
#[derive(Clone, Debug, Default)]
pub(crate) struct TabHistory {
    /// The index of the entry that is shown.
    pub(crate) current: usize,
    pub(crate) entries: Vec<TabHistoryEntry>,
}

#[derive(Clone, Debug)]
pub(crate) struct TabHistoryEntry {
    pub(crate) id: i64,
    /// The address, as it was typed if it was.
    pub(crate) url: String,
    /// Whether the navigation began in the window of the browser: by its address bar or a bookmark.
    pub(crate) is_typed: bool,
    /// Whether the last navigation to it was a reload.
    pub(crate) is_reloaded: bool,
}

pub(crate) trait Tabs {
    /// Returns the tab's identifier.
    fn open_tab(&self, context: Option<&str>, url: &str) -> Pending<String>;
    /// Attaches to the tab of the user's own browser that an extension relays. Returns its session.
    fn attach_assigned_tab(&self) -> Pending<SessionId>;
    fn close_tab(&self, tab: &str) -> Pending<()>;
    fn activate(&self, session: &SessionId) -> Pending<()>;
    /// Sets up a new tab or frame, and resumes it.
    fn watch(&self, session: &SessionId, watch: &Watch<'_>);
    /// Resumes it without setup.
    fn resume(&self, session: &SessionId);
    /// Resumes it and detaches from it.
    fn detach(&self, session: &SessionId);
    /// Registers a script that runs in the page's main world before each document's first script.
    fn run_first(&self, session: &SessionId, source: String) -> Pending<()>;
    fn navigate(&self, session: &SessionId, url: &str) -> Pending<NavigationResult>;
    fn stop(&self, session: &SessionId);
    fn reload(&self, session: &SessionId) -> Pending<()>;
    /// The tab's history.
    fn history(&self, session: &SessionId) -> Pending<TabHistory>;
    /// Moves by entries in the tab's history. Returns false if there is no such entry; the initial blank page of a tab
    /// does not count as one.
    fn traverse_history(&self, session: &SessionId, by: i64) -> Pending<bool>;
    fn answer_dialog(&self, session: &SessionId, accept: bool, text: Option<&str>) -> Pending<()>;
}
