//! `cargo xtask truth`: does Legwork report a success that did not happen?
//!
//! A **behaviour** is one way in which a page answers an action: a small page, a server handler and the truth about what
//! was asked. It has two variants, one in which the request takes effect and one in which the page refuses it, and is asked
//! for in several phrasings and by several deciders. One of each is a **case** ([`case`]). The **site** ([`site`]) serves
//! every case under a path of its own and records what arrived; the truth is read from that record, never from Legwork.
//! [`families`] holds the behaviours, [`run`] carries the cases out, [`report`] counts the verdicts.

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
