//! The program as the shell sees it: what it prints, what it exits with.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should panic; the lint knows only #[test] functions")]

mod apps;
mod bad;
mod closer;
mod crash;
mod deciding;
mod demo;
mod driven;
mod durable;
mod hand;
mod hand_around;
mod hand_host;
mod hand_kept;
mod hand_secrets;
mod help;
mod kill_loop;
mod memory;
mod models;
mod policy;
mod program;
mod serve;
mod stored;
mod tools;
mod wrong;
