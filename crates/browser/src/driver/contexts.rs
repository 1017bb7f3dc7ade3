//! The browser as a whole and its contexts, which isolate sessions from other users of the browser.

use std::path::Path;

use super::pending::{Pending, SessionId};
use crate::{scripts::Scripts, storage_state::Cookie};

/// The setup of a context, which applies to its tabs from their first document on where the protocol can do so. Other
/// protocols set up each tab, see [`Watch`](super::Watch).
pub(crate) struct ContextSetup<'a> {
    pub(crate) scripts: &'a Scripts,
    /// The script that restores the initial storage.
    pub(crate) restore: Option<&'a str>,
    /// The size of the view, if there is no window that determines it.
    pub(crate) viewport: Option<(u32, u32)>,
    /// Whether every request is paused before it is sent.
    pub(crate) intercepts_requests: bool,
    /// Whether response bodies are kept for a while for later requests.
    pub(crate) records_bodies: bool,
}

pub(crate) trait Contexts {
    /// Enables the events of tabs, and returns the browser's name and version. The proxy is that of the default
    /// context, if the browser did not receive it at its start.
    fn handshake(&self, proxy: Option<&str>) -> Pending<String>;
    fn close_browser(&self) -> Pending<()>;
    /// Leaves a browser that continues to run.
    fn disconnect(&self) -> Pending<()>;
    fn prepare_context(&self, context: Option<&str>, setup: &ContextSetup<'_>) -> Pending<()>;
    /// Creates a context. With a proxy, all its connections go through this address, including those to loopback.
    fn open_context(&self, proxy: Option<&str>) -> Pending<String>;
    fn close_context(&self, context: &str) -> Pending<()>;
    fn keep_downloads(&self, context: Option<&str>, folder: &Path) -> Pending<()>;
    fn cancel_download(&self, context: Option<&str>, download: &str) -> Pending<()>;
    fn cookies(&self, context: Option<&str>) -> Pending<Vec<Cookie>>;
    fn set_cookies(&self, context: Option<&str>, cookies: &[Cookie]) -> Pending<()>;
    fn clear_cookies(&self, context: Option<&str>) -> Pending<()>;
    fn delete_cookie(&self, session: &SessionId, cookie: &Cookie) -> Pending<()>;
}
