//! Evaluation: suites of tasks with judges in code, executed by the same runtime as `legwork run` and scored with
//! confidence intervals. A development tool for `cargo xtask eval`; it is not part of the program.
//!
//! A **suite** lists tasks and creates a scene for each seed: the first page, the task, and the judge. The **judge**
//! never asks the agent: MiniWoB++ and TodoMVC pages contain a script that reports to the judge's server, and the demo
//! site keeps a ledger. The **decider** is what is evaluated: the words of a step, a scripted policy that receives the
//! prompts of a model, or a model.

pub mod accessibility;
pub mod attack;
mod error;
mod evaluate;
mod exit;
mod judge;
pub mod mutate;
mod packages;
pub mod perception;
pub mod plan;
mod policy;
pub mod report;
pub mod score;
mod scout;
mod settings;
mod suite;
pub mod truth;

pub use error::EvalError;
pub use evaluate::evaluate;
pub use exit::exit;
pub use judge::{Episode, EpisodeReport, JudgeServer, Root};
