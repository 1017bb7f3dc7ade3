//! Tests of the program from the shell's side: output and exit codes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should panic; the lint knows only #[test] functions")]

mod apps;
mod batches;
mod crash;
mod deciding;
mod demo;
mod diagnostics;
mod durable;
mod extension;
mod external_failures;
mod extraction;
mod faults;
mod groups;
mod help;
mod kill_loop;
mod memory;
mod models;
mod network_commands;
mod page;
mod page_host;
mod page_secrets;
mod policy;
mod program;
mod record;
mod records;
mod scripts;
mod secrets_output;
mod serve;
mod support;
mod tools;
mod vault;
