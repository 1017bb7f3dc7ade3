//! The checks and waits among the clauses of a step.

use std::sync::Arc;

use legwork_observe::Snapshot;
use legwork_protocol::{DecidedBy, Phase};

use super::{LiteralRun, LiteralStage};
use crate::{
    Need,
    task::{
        Clause, Ending, Poll, StepNotes, Transition, as_before_action, intents, poll::PollOutcome,
        run_context::StepContext,
    },
};

impl LiteralRun {
    pub(super) fn check(
        &mut self,
        mut poll: Poll,
        page: Arc<Snapshot>,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        cx.phase(Phase::Validating);
        match poll.judge(&page, &cx.run_context.variables, &cx.run_context.effects, cx.now) {
            PollOutcome::Look(look) => {
                self.stage = LiteralStage::Checking(Box::new(poll));
                Transition::Need(Need::Observe(look))
            }
            PollOutcome::Listen(time) => {
                self.stage = LiteralStage::Checking(Box::new(poll));
                Transition::Need(Need::Act(intents(vec![Poll::listening(time)], DecidedBy::Literal)))
            }
            PollOutcome::Holds(evidence) => {
                if let Some(time) = poll.waits_for_response(cx) {
                    self.stage = LiteralStage::Checking(Box::new(poll));
                    return Transition::Need(Need::Act(intents(vec![Poll::listening(time)], DecidedBy::Literal)));
                }
                // The clause waited for it once; the checks that follow do not wait again.
                cx.run_context.unanswered.clear();
                if let Some(Clause::Check(check)) = self.clauses.get(self.progress.clauses) {
                    notes.checks.push(check.to_string());
                }
                notes.iterations += 1;
                notes.decider = Some(DecidedBy::Literal);
                let held_before = poll.held_before(cx);
                if poll.is_result() && held_before && notes.lacks_support {
                    notes.add_evidence(as_before_action(evidence));
                    self.passed(cx);
                    return self.clause(Some(page), notes, cx);
                }
                if !poll.is_general() {
                    notes.has_longer_name = false;
                    notes.note_check(held_before);
                }
                let mut evidence = notes.weighed_against_effect(evidence, held_before);
                if let Some(longer) = poll.longer_name(&page) {
                    notes.note_longer_name(&longer);
                    evidence.iter_mut().for_each(|fact| fact.checked = false);
                }
                notes.add_evidence(evidence);
                self.passed(cx);
                self.clause(Some(page), notes, cx)
            }
            PollOutcome::Fails(why) => Transition::Ended(Ending::not_as_expected(why, &cx.run_context.unanswered)),
        }
    }
}
