//! The server from outside: real HTTP, a real browser, the demo site.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests may panic; clippy allows it only in functions marked as tests"
)]

mod access;
mod alerts;
mod batches;
mod extension;
mod lifecycle;
mod requests;
mod retention;
mod schedules;
mod secrets;
mod settings;
mod steering;
mod support;
mod tls;
mod tokens;
mod trace;
mod workflows;
