//! The library as a program of somebody else's has it: only what is public, in a real browser.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should panic; the lint knows only #[test] functions")]

mod approval;
mod exfiltration;
mod groups;
mod library;
mod limits;
mod page;
mod pause;
mod playbook;
mod policy;
mod replay;
mod request_limits;
mod tools;
mod two_sites;
