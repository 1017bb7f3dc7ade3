//! Totals over the events of a run. They are counted as events arrive, never estimated.

use std::collections::BTreeMap;

use legwork_protocol::{Code, Status, StepResult, Usage};
use schemars::JsonSchema;
use serde::Serialize;

use super::RecordState;

/// Totals over the events of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// Number of steps in the workflow.
    pub steps: usize,
    /// Steps that ended as a success. Skipped steps are not included.
    pub steps_done: usize,
    /// Steps that ended with any other status except skipped.
    pub steps_failed: usize,
    /// Skipped steps: their condition did not hold.
    pub steps_skipped: usize,
    /// Turns with at least one decision or command.
    pub turns: usize,
    /// Turns of the steps that have ended, as their results state them.
    pub iterations: usize,
    /// Observations of the page.
    pub observations: usize,
    /// Tokens of the text of all observations.
    pub observation_tokens: usize,
    /// Milliseconds spent on observations.
    pub observing_ms: u64,
    /// Decisions in steps, by decider. The opening of the start page is none.
    pub decisions: Decisions,
    /// Actions that were started.
    pub commands: usize,
    /// Actions that failed.
    pub commands_failed: usize,
    /// Milliseconds spent on actions, including waiting and settling.
    pub acting_ms: u64,
    /// Usage of all model calls, including failed ones.
    pub usage: Usage,
    /// The same, for each model.
    pub models: BTreeMap<String, Usage>,
    /// Model calls without a usable reply.
    pub calls_failed: u32,
    /// Transport retries within the calls.
    pub retries: u32,
    /// Milliseconds spent waiting for models.
    pub thinking_ms: u64,
    /// Number of screenshots.
    pub pictures: usize,
    /// Plans that were made or revised.
    pub plans: usize,
    /// Reflections on uncertain decisions and on failures.
    pub reflections: usize,
    /// Answers that were checked against their criteria.
    pub reviews: usize,
    /// Failures by the name of their error code: failed actions, failed model calls, and errors that ended a step. A
    /// step that ends because of a failed action counts twice, once for the action and once for the step.
    pub errors: BTreeMap<&'static str, usize>,
}

/// Decisions, by decider.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decisions {
    /// Parsed from the text of the step.
    pub literal: usize,
    /// From a playbook.
    #[serde(skip_serializing_if = "is_zero")]
    pub playbook: usize,
    /// By the decider of a program that uses Legwork as a library.
    #[serde(skip_serializing_if = "is_zero")]
    pub custom: usize,
    /// By a language model.
    pub model: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Totals {
    pub(super) fn failed(&mut self, code: Code) {
        *self.errors.entry(code.name()).or_default() += 1;
    }

    /// Subtracts the turns of a step that is started again.
    pub(super) fn forget(&mut self, result: Option<&StepResult>) {
        self.iterations -= result.map_or(0, |result| result.iterations as usize).min(self.iterations);
    }

    /// Adds `by` to the counter for this end of a step: 1 when it ends, -1 when it is started again.
    pub(super) fn count_end(&mut self, state: RecordState, by: isize) {
        let RecordState::Ended(status) = state else { return };
        let counter = match status {
            Status::Success => &mut self.steps_done,
            Status::Skipped => &mut self.steps_skipped,
            Status::Failure | Status::Error | Status::Cancelled | Status::Parked => &mut self.steps_failed,
        };
        *counter = counter.saturating_add_signed(by);
    }
}
