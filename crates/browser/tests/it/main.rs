//! The executor in a real browser, on small pages that the tests serve themselves.

#![expect(clippy::unwrap_used, reason = "the helpers of tests are tests too, which the lint does not see")]

mod actions;
mod frames;
mod robust;
mod settling;
mod support;
