//! Legwork over HTTP: what the command line gives one person, for programs and for the web page.
//!
//! Every request passes the access check (`access`: rate, Host, Origin, token), reaches a handler through the one table of routes
//! (`routes`, which also defines the OpenAPI document), and is answered in one envelope. The `registry` holds the runs: a few at a
//! time, the others in a queue. One follower per run reads its journal (`hub`), serializes each event once, and sends it to every
//! viewer.

mod access;
mod app;
mod auth;
mod envelope;
mod error;
mod http;
mod hub;
mod metrics;
mod openapi;
mod page;
mod registry;
mod request;
mod routes;
mod schedules;
mod server;
mod sse;
mod template;
mod thumbnail;
mod tls;
mod webhook;
mod ws;

pub use error::ServeError;
pub use openapi::document as openapi;
pub use server::{Server, ServerOptions, new_link};
pub use template::Template;
