//! The recorded actions of a step: those of the playbook, or in a loop those of the iterations before it.

use legwork_protocol::{DecidedBy, EventKind, Status, Step, StepResult, Validation};

use super::WorkflowRun;
use crate::{
    AgentEvent,
    playbook::PlaybookStep,
    task::{Progress, RecordedActions, StepNotes},
};

impl WorkflowRun {
    /// The recorded actions of the current step. The iterations of this run are newer than the playbook. The element of
    /// an optional step may be there or not: its words decide each time. A step that continues after an interruption is
    /// not at its beginning, where the recorded actions begin, unless it has executed nothing but these.
    pub(super) fn recorded_actions(&self, step: &Step, progress: Progress, notes: &StepNotes) -> RecordedActions {
        let is_new = notes.iterations == 0 && notes.decider.is_none();
        let is_replayed = notes.replayed > 0 && !notes.is_decided_anew;
        if step.optional || progress != Progress::default() || !(is_new || is_replayed) {
            return RecordedActions::default();
        }
        let written = self.plan.steps()[self.at].written;
        let playbook = || self.rules.playbook.as_ref().and_then(|playbook| playbook.steps.get(written));
        let iterations = self.iterations.get(&written);
        let actions = iterations.or_else(playbook).map(|step| step.actions.clone()).unwrap_or_default();
        RecordedActions { actions, repeats_iteration: iterations.map(|_| step.step.clone()) }
    }

    /// The written step that a model decided in an iteration that ended with these events, if another iteration follows
    /// and the rules allow repeating it. Only a validated iteration is repeated: the actions of another one may have
    /// been wrong.
    pub fn decided_iteration(&self, events: &[AgentEvent]) -> Option<usize> {
        let mut results = events.iter().filter_map(|event| match &event.kind {
            EventKind::StepCompleted(result) => Some(result),
            _ => None,
        });
        let is_repeatable = |result: &&StepResult| {
            result.status == Status::Success
                && result.validation == Validation::Validated
                && matches!(result.decider, Some(DecidedBy::Model | DecidedBy::Custom))
        };
        let result = results.rfind(is_repeatable).filter(|_| self.rules.repeats_iterations)?;
        let steps = self.plan.steps();
        let planned = steps.get(result.index).filter(|planned| !planned.within.is_empty())?;
        let follows = steps[result.index + 1..].iter().any(|later| later.written == planned.written);
        follows.then_some(planned.written)
    }

    /// Sets what the iterations so far recorded for a written step, from [`crate::playbook::record_iterations`].
    pub fn repeat_iterations(&mut self, written: usize, step: PlaybookStep) {
        self.iterations.insert(written, step);
    }
}
