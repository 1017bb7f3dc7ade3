//! The DevTools protocol, spoken thinly: one connection type over a pipe or a WebSocket, and the few methods we use.

mod connection;
mod discover;
mod driver;
mod lossy;
mod transport;
pub(crate) mod wire;

pub(crate) use connection::{CallError, Connection, EventSink, Reply, decode};
pub(crate) use discover::discover;
pub(crate) use driver::{Cdp, LATE_WORLD, WORLD};
pub(crate) use transport::Transport;
