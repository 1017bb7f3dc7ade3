//! Tabs and frames: opened, watched from their first moment, and led to addresses.

use super::{
    network::NetworkEmulation,
    pending::{Pending, SessionId},
};
use crate::scripts::Scripts;

/// How a tab or frame is watched from its first moment.
pub(crate) struct Watch<'a> {
    pub(crate) scripts: &'a Scripts,
    /// Puts back what the page's storage is to begin with.
    pub(crate) restore: Option<&'a str>,
    /// A whole tab, not a frame of one.
    pub(crate) tab: bool,
    /// The view, when there is no window that has one.
    pub(crate) viewport: Option<(u32, u32)>,
    /// Every request is asked about before it is made.
    pub(crate) intercepts_requests: bool,
    /// File choosers are told of instead of being opened.
    pub(crate) intercepts_choosers: bool,
    /// What requests are answered with is kept for a while, to be asked for.
    pub(crate) records_bodies: bool,
    /// None but the real ones.
    pub(crate) network_emulation: Option<NetworkEmulation>,
}

/// How a navigation by address began.
#[derive(Clone, Debug, Default)]
pub(crate) struct NavigationResult {
    /// Why no document came.
    pub(crate) error: Option<String>,
    pub(crate) is_download: bool,
}

/// A tab's history, and where in it the tab is.
#[derive(Clone, Debug, Default)]
pub(crate) struct NavigationHistory {
    pub(crate) current: i64,
    /// Names and addresses.
    pub(crate) entries: Vec<(i64, String)>,
}

pub(crate) trait Tabs {
    /// Answers the tab's name.
    fn open_tab(&self, context: Option<&str>, url: &str) -> Pending<String>;
    fn close_tab(&self, tab: &str) -> Pending<()>;
    fn activate(&self, session: &SessionId) -> Pending<()>;
    /// Sets up what is told of a new tab or frame, and lets it begin.
    fn watch(&self, session: &SessionId, watch: &Watch<'_>);
    /// Lets it begin without being watched.
    fn resume(&self, session: &SessionId);
    /// Lets it go on without us.
    fn detach(&self, session: &SessionId);
    /// Runs in the page's own world before each document's first script.
    fn run_first(&self, session: &SessionId, source: String) -> Pending<()>;
    fn navigate(&self, session: &SessionId, url: &str) -> Pending<NavigationResult>;
    fn stop(&self, session: &SessionId);
    fn reload(&self, session: &SessionId) -> Pending<()>;
    fn history(&self, session: &SessionId) -> Pending<NavigationHistory>;
    fn go(&self, session: &SessionId, entry: i64) -> Pending<()>;
    fn answer_dialog(&self, session: &SessionId, accept: bool, text: Option<&str>) -> Pending<()>;
}
