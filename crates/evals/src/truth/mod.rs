//! `cargo xtask truth`: does Legwork report a success that did not happen?
//!
//! A **behaviour** is one way in which a page responds to an action: a small page, a server handler and the truth about
//! the request. It has two variants, one in which the action takes effect and one in which the page refuses it. It is
//! requested in several phrasings and by several deciders. One combination is a **case** ([`case`]). The **site**
//! ([`site`]) serves every case under its own path and records the requests. The truth is read from that record, never
//! from Legwork. The module [`families`] contains the behaviours, [`run`] executes the cases, and [`report`] counts the
//! verdicts.

mod ablation;
mod case;
mod families;
mod model;
mod phrase;
pub mod plan;
pub mod report;
mod run;
mod site;

pub use ablation::{Ablation, ablate};
pub use run::truth;
