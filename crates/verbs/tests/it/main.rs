//! Asks against a real browser, on small pages.

#![expect(clippy::unwrap_used, reason = "the helpers of tests are tests too, which the lint does not see")]

mod around;
mod below;
mod exact;
mod looking;
mod more;
mod support;
mod work;
