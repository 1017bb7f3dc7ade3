//! The executor in a real browser, on small pages that the tests serve themselves.

mod actions;
mod frames;
mod robust;
mod settling;
mod support;
