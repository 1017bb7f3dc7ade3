//! Legwork over HTTP: what the command line gives one person, for programs and for the web page.
//!
//! Requests come in through one gate (`gate`: Host, Origin, who asks, rate), reach a handler by the one table of routes
//! (`routes`, from which the OpenAPI document is made as well), and go out in one envelope. Runs are held by the
//! `registry`: a few at a time, the others in a queue. What happens in a run is read from its journal by one follower a
//! run (`hub`), made into bytes once, and handed to every viewer.

mod access;
mod app;
mod auth;
mod envelope;
mod error;
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
