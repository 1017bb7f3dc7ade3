//! The server from outside: real HTTP, a real browser, the demo site.

#![expect(
    clippy::unwrap_used,
    reason = "a test may; clippy grants it to functions marked as tests, not to their helpers"
)]

mod doors;
mod flow;
mod house;
mod place;
mod requests;
mod steering;
mod timetable;
mod tls;
mod trace;
