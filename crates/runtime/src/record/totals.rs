//! What the events of a run add up to (the contract's LoopMetrics). Counted as events arrive, never estimated.

use std::collections::BTreeMap;

use legwork_protocol::{Code, Status, StepResult, Usage};
use schemars::JsonSchema;
use serde::Serialize;

use super::RecordState;

/// Sums over a run's events.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// Steps of the workflow.
    pub steps: usize,
    /// Steps that ended well; skipped ones are not among them.
    pub steps_done: usize,
    /// Steps that ended otherwise.
    pub steps_failed: usize,
    /// Steps whose condition did not hold.
    pub steps_skipped: usize,
    /// Turns in which something was decided or done.
    pub turns: usize,
    /// Turns of the steps that ended, as their results say.
    pub iterations: usize,
    /// Times the page was looked at.
    pub observations: usize,
    /// Tokens of the texts made of it.
    pub observation_tokens: usize,
    /// Milliseconds spent looking.
    pub observing_ms: u64,
    /// Decisions, by who decided.
    pub decisions: Decisions,
    /// Actions begun.
    pub commands: usize,
    /// Actions that failed.
    pub commands_failed: usize,
    /// Milliseconds spent acting, waiting and settling included.
    pub acting_ms: u64,
    /// Calls to models as their audit records add up, failed ones too.
    pub usage: Usage,
    /// The same, by model.
    pub models: BTreeMap<String, Usage>,
    /// Calls that gave no usable reply.
    pub calls_failed: u32,
    /// Transport retries within calls.
    pub retries: u32,
    /// Milliseconds spent waiting for models.
    pub thinking_ms: u64,
    /// Pictures taken.
    pub pictures: usize,
    /// Plans made and revised.
    pub plans: usize,
    /// Doubts and failures thought over.
    pub reflections: usize,
    /// Answers checked against their criteria.
    pub reviews: usize,
    /// Failures by the name of their code: of actions, of calls to models, and what ended a step. A step that ends by an
    /// action's failure counts for both.
    pub errors: BTreeMap<&'static str, usize>,
}

/// Decisions, by who decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decisions {
    /// Read off the step's own words.
    pub literal: usize,
    /// By the program that has Legwork as a library.
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

    /// Takes back the turns of a step that is begun again.
    pub(super) fn forget(&mut self, result: Option<&StepResult>) {
        self.iterations -= result.map_or(0, |result| result.iterations as usize).min(self.iterations);
    }

    /// Counts a step that ended so, or takes it back when it is begun again.
    pub(super) fn tally(&mut self, state: RecordState, by: isize) {
        let RecordState::Ended(status) = state else { return };
        let counter = match status {
            Status::Success => &mut self.steps_done,
            Status::Skipped => &mut self.steps_skipped,
            Status::Failure | Status::Error | Status::Cancelled | Status::Parked => &mut self.steps_failed,
        };
        *counter = counter.saturating_add_signed(by);
    }
}
