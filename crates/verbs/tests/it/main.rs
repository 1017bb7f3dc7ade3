//! Tests of commands in a real browser, on small pages.

#![expect(clippy::unwrap_used, reason = "the helpers of tests are tests too, which the lint does not see")]

mod assertions;
mod limits;
mod looking;
mod network;
mod run;
mod scripting;
mod support;
