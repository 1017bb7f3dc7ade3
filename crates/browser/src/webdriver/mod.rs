//! Classic WebDriver, as WebKitWebDriver and safaridriver speak it: HTTP requests to a server, one at a time for each
//! browser context. What the protocol does not report is found by looking at the pages (`look.rs`).

mod context;
mod downloads;
mod driver;
mod http;
mod look;
mod page;
mod server;
mod state;
mod wire;

pub(crate) use driver::WebDriver;
pub(crate) use server::{Servers, answers};

/// A random number, so that a page cannot guess the name that is made from it.
fn random() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}
