//! The DevTools protocol, as a thin layer: one connection type over a pipe or a WebSocket, and the few methods that are
//! used.

mod connection;
mod console;
mod discover;
mod driver;
mod events;
mod lossy;
mod requests;
mod wire;

pub(crate) use connection::{CallError, Connection, PendingReply};
pub(crate) use discover::discover;
pub(crate) use driver::Cdp;
