//! The HTTP server: offers the functions of the command line to programs and to the web page.
//!
//! Every request passes the access check (`access`: rate, Host, Origin, token), is routed to a handler by the one table
//! of routes (`routes`, which also defines the OpenAPI document), and its response is wrapped in one envelope. The
//! `registry` owns the runs: a few run at the same time, the others wait in a queue. For each run, one follower reads
//! the journal (`hub`), serializes each event once, and sends it to every viewer.

mod access;
mod alerts;
mod app;
mod auth;
mod batches;
mod browser_install;
mod envelope;
mod error;
mod extension_tabs;
mod gate;
mod handshake;
mod hub;
mod live_batches;
mod metrics;
mod openapi;
mod page;
mod panel_proof;
mod registry;
mod relay_socket;
mod relayed_tabs;
mod request;
mod request_problem;
mod request_value;
mod requested_fields;
mod routes;
mod run_options;
mod run_requests;
mod saved_workflows;
mod schedule_changes;
mod schedules;
mod server;
mod sse;
mod template;
mod thumbnail;
mod tls;
mod webhook;
mod workflow_inputs;
mod workflow_problems;
mod ws;

pub use browser_install::{BrowserInstall, InstallBrowser};
pub use error::ServeError;
pub use extension_tabs::{AssignedTab, ExtensionTabs};
pub use openapi::document as openapi;
pub use relayed_tabs::{RequesterKind, TabRequester};
pub use server::{Server, ServerOptions, new_link};
pub use template::Template;
