//! WebDriver BiDi, as spoken by Firefox itself without an intermediate program: one connection over a WebSocket, the
//! translation of events, and the driver.

mod connection;
mod discover;
mod driver;
mod events;
mod input_queue;
mod remote_value;
mod state;

pub(crate) use discover::address;
pub(crate) use driver::Bidi;
