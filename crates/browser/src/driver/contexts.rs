//! The browser as a whole and its contexts: what is kept apart from what else the browser does.

use std::path::Path;

use super::pending::{Pending, SessionId};
use crate::storage_state::Cookie;

pub(crate) trait Contexts {
    /// Begins to tell of tabs; answers name and version.
    fn handshake(&self) -> Pending<String>;
    fn close_browser(&self) -> Pending<()>;
    /// A new context, whose connections all go through the proxy at this address, those to loopback too.
    fn open_context(&self, proxy: Option<&str>) -> Pending<String>;
    fn close_context(&self, context: &str) -> Pending<()>;
    fn keep_downloads(&self, context: Option<&str>, folder: &Path) -> Pending<()>;
    fn cancel_download(&self, context: Option<&str>, download: &str) -> Pending<()>;
    fn cookies(&self, context: Option<&str>) -> Pending<Vec<Cookie>>;
    fn set_cookies(&self, context: Option<&str>, cookies: &[Cookie]) -> Pending<()>;
    fn clear_cookies(&self, context: Option<&str>) -> Pending<()>;
    fn delete_cookie(&self, session: &SessionId, cookie: &Cookie) -> Pending<()>;
}
