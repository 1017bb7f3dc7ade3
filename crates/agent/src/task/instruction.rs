//! The instruction of a step or task.

use std::time::Duration;

use legwork_protocol::Action;

use super::NextStep;
use crate::playbook::PlaybookAction;

/// A step's instruction and options, with variables filled in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Task {
    /// The instruction as a model reads it.
    pub(crate) text: String,
    /// The instruction for the parser: each variable is replaced by one quoted text.
    pub(crate) sentence: String,
    /// The action to execute, whatever the instruction says.
    pub(crate) action: Option<Action>,
    /// The condition that must hold afterwards, for the parser.
    pub(crate) expect: Option<String>,
    /// The same condition as a model reads it.
    pub(crate) expect_text: Option<String>,
    /// Whether it is a single task: it returns an answer and may take more turns.
    pub(crate) is_whole_task: bool,
    /// The maximum duration.
    pub(crate) timeout: Duration,
    /// Whether it only judges a condition. Nothing may be done.
    pub(crate) is_condition: bool,
    /// What the next step means for this one.
    pub(crate) next_step: NextStep,
    /// Whether the page is closed after this step.
    pub(crate) closes_page: bool,
    /// The recorded actions of the step, if there is a playbook or an earlier iteration.
    pub(crate) recorded: Vec<PlaybookAction>,
    /// The written instruction, if the recorded actions are those of an earlier iteration of this run.
    pub(crate) repeats_iteration: Option<String>,
    /// Whether the step is skipped if its element is not there.
    pub(crate) is_optional: bool,
}

/// What was recorded for a step.
#[derive(Default)]
pub(crate) struct RecordedActions {
    pub(crate) actions: Vec<PlaybookAction>,
    /// The written instruction, if an earlier iteration of this run recorded them.
    pub(crate) repeats_iteration: Option<String>,
}
