//! Evaluation: suites of tasks with judges in code, carried out by the same runtime as `legwork run`, scored with
//! confidence intervals. A development tool, behind `cargo xtask eval`; nothing of it ships.
//!
//! A **suite** names tasks and sets a scene for each seed: the page to begin with, what is asked, and who judges. The
//! **judge** never asks the agent: MiniWoB++ and TodoMVC pages are served with a script that tells the judge's server
//! what it sees, the demo site keeps a ledger. A **decider** is what is measured: the step's own words, a scripted policy
//! that sees only what a model would be sent, or a model.

mod error;
mod evaluate;
mod judge;
mod packages;
pub mod plan;
mod policy;
pub mod report;
pub mod score;
mod scout;
mod suite;
pub mod truth;

pub use error::EvalError;
pub use evaluate::evaluate;
pub use judge::{Episode, JudgeServer, Root, Told};
