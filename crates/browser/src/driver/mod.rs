//! What the executor asks of a driver: the words of a browser's protocol, without its grammar. A driver only speaks wire;
//! waiting for the page, retrying, hit-testing and settling are done above it, once for all drivers.
//!
//! Every command is sent when its method is called, in that order; its answer may be awaited, or dropped unheard.

mod contexts;
pub(crate) mod dispatch;
mod input;
mod network;
mod pending;
mod pictures;
mod tabs;
mod worlds;

use std::sync::Arc;

pub(crate) use contexts::Contexts;
pub(crate) use input::{Drag, Input, MouseInput, MouseKind};
pub(crate) use network::{Fulfillment, Network, NetworkEmulation};
pub(crate) use pending::{DriverError, Pending, SessionId};
pub(crate) use pictures::{Pictures, Shot};
pub(crate) use tabs::{NavigationHistory, NavigationResult, Tabs, Watch};
pub(crate) use worlds::{ContextRef, Worlds};

/// A driver of a browser.
pub(crate) trait Driver: Contexts + Tabs + Network + Pictures + Worlds + Input + Send + Sync {
    /// Why there is no browser any more, if there is none.
    fn gone(&self) -> Option<Arc<str>>;
    /// Fails whatever waits for a session that will not answer any more.
    fn fail_session(&self, session: &str, error: DriverError);
}
