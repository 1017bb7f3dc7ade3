//! The browser as a whole and its contexts, which isolate sessions from other users of the browser.

use std::path::Path;

use super::pending::{Pending, SessionId};
use crate::storage_state::Cookie;

pub(crate) trait Contexts {
    /// Enables the events of tabs, and returns the browser's name and version.
    fn handshake(&self) -> Pending<String>;
    fn close_browser(&self) -> Pending<()>;
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
