//! Tests of the server from a client's side, over streams and over HTTP, in a real browser.

#![expect(clippy::unwrap_used, reason = "the helpers of tests are tests too, which the lint does not see")]

mod batches;
mod calls;
mod external_tools;
mod files;
mod http_access;
mod http_tokens;
mod isolation;
mod model;
mod rules;
mod runs;
mod secrets;
mod sessionless;
mod support;
