//! The types that Legwork's crates exchange and write to disk. All crates depend on them; they do no IO.
//!
//! A [`Workflow`] is a list of steps in natural language. [`Op`]s control a run of it, and [`Event`]s, numbered 1..n,
//! record it. In each turn the agent reads an [`Observation`] and replies with a [`Decision`]; the browser executes its
//! [`Action`]s and returns an [`ActionResult`] for each. A run ends with an [`Outcome`] and its [`Evidence`].
//!
//! A change to these types also changes the generated `schemas/` and `docs/protocol.md` (`cargo xtask generate`).

mod action;
mod activity;
mod aliases;
mod chat;
mod clock;
mod decision;
mod error;
mod event;
mod failure;
mod identity;
mod ids;
mod network_error;
mod observation;
mod op;
mod outcome;
mod placeholder;
mod policy_decision;
mod reasoning;
mod result;
mod target;
mod workflow;
mod written_secret;

pub use action::*;
pub use activity::*;
pub use aliases::*;
pub use chat::*;
pub use decision::*;
pub use error::*;
pub use event::*;
pub use failure::*;
pub use identity::*;
pub use ids::*;
pub use network_error::*;
pub use observation::*;
pub use op::*;
pub use outcome::*;
pub use placeholder::*;
pub use policy_decision::*;
pub use reasoning::*;
pub use result::*;
pub use target::*;
pub use workflow::*;
pub use written_secret::*;
