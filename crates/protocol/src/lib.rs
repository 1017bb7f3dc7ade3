//! Legwork's nouns on the wire. Every crate speaks them; none of them does IO.
//!
//! A [`Workflow`] is steps in plain words. A run of it is driven by [`Op`]s and told by [`Event`]s, numbered 1..n.
//! In between, the agent reads an [`Observation`], replies with a [`Decision`] and the browser carries out [`Action`]s,
//! each answered by an [`ActionResult`]. A run ends in an [`Outcome`] with its [`Evidence`].
//!
//! These types change only together with `schemas/` and `docs/protocol.md` (`cargo xtask generate`).

mod action;
mod activity;
mod chat;
mod decision;
mod error;
mod event;
mod failure;
mod ids;
mod network_error;
mod observation;
mod op;
mod outcome;
mod reasoning;
mod result;
mod target;
mod workflow;
mod written_secret;

pub use action::*;
pub use activity::*;
pub use chat::*;
pub use decision::*;
pub use error::*;
pub use event::*;
pub use failure::*;
pub use ids::*;
pub use network_error::*;
pub use observation::*;
pub use op::*;
pub use outcome::*;
pub use reasoning::*;
pub use result::*;
pub use target::*;
pub use workflow::*;
pub use written_secret::*;
