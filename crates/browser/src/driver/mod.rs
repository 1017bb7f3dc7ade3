//! The interface between the executor and a driver: the operations of a browser's protocol, without its syntax. A
//! driver only translates to its protocol. Waiting for the page, retries, hit-testing and settling are implemented
//! above it, once for all drivers.
//!
//! Every command is sent when its method is called, in the order of the calls. Its answer may be awaited or dropped.

mod contexts;
pub(crate) mod dispatch;
mod input;
mod network;
mod pending;
mod pictures;
mod tabs;
mod worlds;

use std::sync::Arc;

pub(crate) use contexts::{ContextSetup, Contexts};
pub(crate) use input::{Drag, Input, MouseInput, MouseKind};
pub(crate) use network::{Fulfillment, Network, NetworkEmulation};
pub(crate) use pending::{DriverError, Pending, SessionId};
pub(crate) use pictures::{PictureSeries, Pictures, Shot};
pub(crate) use tabs::{NavigationResult, TabHistory, TabHistoryEntry, Tabs, Watch};
pub(crate) use worlds::{ContextRef, Worlds, script_expression};

use crate::capabilities::Capabilities;

/// A driver of a browser.
pub(crate) trait Driver: Contexts + Tabs + Network + Pictures + Worlds + Input + Send + Sync {
    /// What the browser can do through this driver.
    fn capabilities(&self) -> Capabilities;
    /// The reason for which the browser is gone; `None` while it is connected.
    fn gone(&self) -> Option<Arc<str>>;
    /// Fails all pending commands of a session that will not answer any more.
    fn fail_session(&self, session: &str, error: DriverError);
}
