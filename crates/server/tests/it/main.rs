//! The server from outside: real HTTP, a real browser, the demo site.

#![expect(
    clippy::unwrap_used,
    reason = "a test may; clippy grants it to functions marked as tests, not to their helpers"
)]

mod access;
mod lifecycle;
mod requests;
mod retention;
mod schedules;
mod steering;
mod support;
mod tls;
mod trace;
