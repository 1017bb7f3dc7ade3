//! Whether a failed step is tried again. A step that may have changed something is not: decision 003 leaves to a person
//! or to `on_resume` what follows then.

use legwork_protocol::{Action, ActionResult, Effect, Status};

use crate::{Intent, task::Ending};

/// The tries that are left for the current step. A resumed step has none, because the journal does not state what its
/// first process had tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StepRetries {
    left: u32,
}

impl StepRetries {
    pub(super) fn new(most: u32) -> StepRetries {
        StepRetries { left: most }
    }

    /// Notes what the step did. Only after reading, it may be tried again. A tool of the program may have had an effect
    /// although it failed.
    pub(super) fn note(&mut self, intents: &[Intent], results: &[ActionResult]) {
        let changed = intents.iter().zip(results).any(|(Intent { action, .. }, result)| {
            let done = result.ok() || result.outcome_unknown || matches!(action, Action::Call(_));
            done && action.effect() != Effect::ReadOnly
        });
        if changed {
            self.left = 0;
        }
    }

    /// Uses one try if the step ended with an error that another try may avoid.
    pub(super) fn take(&mut self, ending: &Ending) -> bool {
        let failed = matches!(ending.status, Status::Failure | Status::Error) && ending.budget.is_none();
        let may =
            failed && self.left > 0 && ending.error.as_ref().is_some_and(|error| error.retryable && error.recoverable);
        self.left -= u32::from(may);
        may
    }
}
