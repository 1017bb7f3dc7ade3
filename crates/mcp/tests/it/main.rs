//! The server as a client has it, over streams and over HTTP, with a real browser.

#![expect(clippy::unwrap_used, reason = "the helpers of tests are tests too, which the lint does not see")]

mod apart;
mod calls;
mod door;
mod files;
mod model;
mod runs;
mod secrets;
mod sessionless;
mod support;
mod toolbox;
