//! What follows the actions that were executed: the next action of a clause whose page requires one, and the recorded
//! actions from the one on that could not be used.

use legwork_observe::Snapshot;
use legwork_protocol::Action;

use super::{Clause, ExecutedActions, LiteralRun, Progress};
use crate::{
    playbook::PlaybookAction,
    task::{Ending, Task, recorded::ReplayRemainder},
};

impl LiteralRun {
    /// Repeats recorded actions of a task, of which so many were executed before an interruption.
    pub(crate) fn replay(actions: Vec<PlaybookAction>, task: &Task, done: usize) -> LiteralRun {
        let clauses = actions.into_iter().map(|action| Clause::Recorded(Box::new(action))).collect();
        let repeats_iteration = task.repeats_iteration.clone();
        let progress = Progress { clauses: done, actions: 0 };
        LiteralRun { repeats_iteration, ..LiteralRun::new(clauses, task.text.clone(), progress) }
    }

    /// Uses the elements that a playbook recorded, where the words do not name one element.
    pub(crate) fn with_recorded(self, recorded: Vec<PlaybookAction>) -> LiteralRun {
        LiteralRun { recorded, ..self }
    }

    /// Whether it repeats recorded actions, which the words of the step did not decide.
    pub(crate) fn is_replay(&self) -> bool {
        self.clauses.iter().any(|clause| matches!(clause, Clause::Recorded(_)))
    }

    /// The recorded actions from the current one on, which could not be used because of `ending`. If the words leave a
    /// choice, there are none, because an earlier row must not influence the decision.
    pub(crate) fn remainder(&self, ending: &Ending) -> Option<ReplayRemainder> {
        if self.has_choice {
            return None;
        }
        let rest = self.clauses.get(self.progress.clauses..)?.iter();
        let actions: Vec<PlaybookAction> = rest
            .filter_map(|clause| match clause {
                Clause::Recorded(action) => Some((**action).clone()),
                _ => None,
            })
            .collect();
        (!actions.is_empty()).then(|| ReplayRemainder { actions, reason: ending.message.clone() })
    }

    pub(super) fn may_follow_up(&self, done: &[Action]) -> bool {
        match self.clauses.get(self.progress.clauses) {
            Some(Clause::Do(instruction)) => instruction.may_follow_up(done),
            _ => false,
        }
    }

    /// The next action of the clause, if the page after its actions requires one; without it, the clause is done.
    ///
    /// The page can be assessed several times for the same actions. The clause is completed only once, because the next
    /// one would be skipped otherwise.
    pub(super) fn follow_up(&mut self, done: &mut ExecutedActions, page: &Snapshot) -> Option<Action> {
        if !done.may_follow_up {
            return None;
        }
        let next = match (self.clauses.get(self.progress.clauses), &done.before) {
            (Some(Clause::Do(instruction)), Some(before)) => instruction.follow_up(&done.actions, before, page),
            _ => None,
        };
        if next.is_none() {
            done.may_follow_up = false;
            self.next_clause();
        }
        next
    }
}
