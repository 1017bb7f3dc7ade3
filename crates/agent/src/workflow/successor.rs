//! What follows a step, for the evidence of its actions.

use std::sync::Arc;

use legwork_protocol::PlannedStep;

use super::WorkflowRun;
use crate::task::{NextStep, next_step};

impl WorkflowRun {
    /// What the next step means for the current one. An action that another one follows needs less evidence, because
    /// that one finds its target or fails. The next iteration of a loop finds its own row whatever became of this one.
    /// Therefore the last step of each iteration is judged by the step after the loop, like the last step of the last
    /// iteration.
    ///
    /// The variables of the next step are not filled in: the current one may set them, and this use does not need them.
    pub(super) fn next_step(&self) -> NextStep {
        let steps = self.plan.steps();
        let read = |at: usize| steps.get(at).map(|next| next_step(&next.step.step)).unwrap_or_default();
        let own = &steps[self.at].within;
        let is_of_other_iteration = |next: &PlannedStep| {
            let mut loops = next.within.iter().zip(own);
            loops.any(|(other, own)| Arc::ptr_eq(&other.iterations, &own.iterations) && other.index != own.index)
        };
        let next = self.at + 1;
        match (next..steps.len()).find(|at| !is_of_other_iteration(&steps[*at])) {
            Some(after) if after == next => read(next),
            after => {
                let after = after.map(read).unwrap_or_default();
                NextStep { answers_dialog: read(next).answers_dialog, ..after }
            }
        }
    }
}
