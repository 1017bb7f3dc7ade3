//! Runs as scripts of other tools, and recordings of other tools as workflows (docs/scripts.md).
//!
//! [`PlaywrightScript::of_run`] converts the journal of a run to statements that no language owns; [`playwright`]
//! writes them in TypeScript or Python. [`import`] reads recordings. Pure: no IO. What cannot be expressed is never
//! dropped silently: a script gets a line that fails with the reason, an import reports the line.

mod comment;
pub mod import;
mod outline;
pub mod playwright;
mod recording;
mod run_workflow;
mod script;
mod sentence;
mod statement;
#[cfg(test)]
mod test_journal;
mod workflow_text;

pub use outline::{NamedElement, PageOutline, named_elements};
pub use recording::{RecordedStep, Recorder, RecorderOptions};
pub use run_workflow::run_workflow;
pub use script::{PlaywrightScript, ScriptError};
pub use workflow_text::workflow_text;
