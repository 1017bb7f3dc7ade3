//! Taking a run up again: what became of the action whose result was lost, what has to be filled in again, and where
//! its step goes on.

use legwork_protocol::{Code, EventKind, Status, Validation};

use super::{
    Stage, Then, WorkflowRun,
    resume::{self, Fold, OpenIntent, Verdict},
};
use crate::{
    Assumption, Got, Look,
    task::{Context, Ending, Judged, Poll, Progress, TaskRun, clauses, read_check},
};

impl WorkflowRun {
    pub(super) fn take_up(&mut self, fold: Fold) {
        let Some(step) = self.step_at_work() else { return self.end(self.success()) };
        self.enter(&step);
        match fold.verdict(&step, self.rules.assume) {
            Verdict::GoOn(fold) => self.go_on(fold),
            Verdict::Verify(fold) => {
                let sentence = step.expect.as_deref().map(|expect| self.sentence(expect)).unwrap_or_default();
                match read_check(&sentence) {
                    Ok(check) => {
                        self.look = Look::default();
                        let until = self.now + self.rules.limits.element_wait;
                        self.stage = Stage::Verifying(Poll::new(check, until), Box::new(fold));
                    }
                    Err(_) => self.ask(fold, "no check in the step says how to tell"),
                }
            }
            Verdict::Ask(fold) => self.ask(fold, "the step does not say how to tell"),
        }
    }

    /// Goes on with the step where its committed actions ended, its fields filled in again first.
    fn go_on(&mut self, fold: Fold) {
        let Fold { progress, notes, restore, lost, settled, touched, vouched, .. } = fold;
        self.settle(settled);
        if vouched && self.has_done_all(&progress) {
            // A browser of its own may never show what the lost one did; a person's word stands for it.
            let message = "taken for done after an interruption".to_owned();
            return self.finish_step(Ending::success(message, None, Validation::Unvalidated), notes);
        }
        if lost > 0 {
            let message =
                format!("{lost} actions on this page are not repeated; what they changed only on the page may be lost");
            self.fact(Some(self.at), EventKind::WarningIssued { message });
        }
        match self.step_at_work() {
            // Nothing was done in it yet: whether it is to be done at all is still open.
            Some(step) if !touched && restore.is_empty() => return self.gate(&step),
            _ if restore.is_empty() => return self.work(progress, notes),
            _ => {}
        }
        let timeout = self.rules.limits.step;
        self.restoring = true;
        let task = self.with_context(|cx| TaskRun::of_actions(restore, timeout, cx));
        self.stage = Stage::Restoring(task, Box::new(Then { progress, notes, touched }));
    }

    /// Whether the step's words have been followed to their end.
    fn has_done_all(&mut self, progress: &Progress) -> bool {
        let Some(step) = self.step_at_work() else { return false };
        let sentence = self.sentence(&step.step);
        clauses(&sentence).is_ok_and(|clauses| progress.clauses >= clauses.len())
    }

    /// Puts on record what became of the intent that had no result.
    fn settle(&mut self, settled: Option<EventKind>) {
        if let Some(kind) = settled {
            self.fact(Some(self.at), kind);
        }
    }

    pub(super) fn restoring(&mut self, mut task: TaskRun, then: Then, got: Got) {
        self.with_context(|cx| task.give(got, cx));
        let ended = task.ended();
        self.restoring = ended.is_none();
        match ended {
            None => self.stage = Stage::Restoring(task, Box::new(then)),
            Some((ending, _)) if ending.status == Status::Success || self.rules.assume.is_some() => {
                match self.step_at_work() {
                    Some(step) if !then.touched => self.gate(&step),
                    _ => self.work(then.progress, then.notes),
                }
            }
            Some((ending, _)) if ending.status == Status::Failure => {
                let why =
                    format!("what was filled in before the interruption cannot be filled in again: {}", ending.message);
                self.finish_step(Ending::parked(Code::OutcomeUnknown, why), then.notes);
            }
            Some((ending, _)) => self.finish_step(ending, then.notes),
        }
    }

    pub(super) fn verifying(&mut self, mut poll: Poll, fold: Box<Fold>, got: Got) {
        let rules = self.rules.clone();
        let mut none = Vec::new();
        let cx = Context { now: self.now, rules: &rules, known: &mut self.known, facts: &mut none };
        match poll.give(got, &cx) {
            Judged::Look(look) => {
                self.look = look;
                self.stage = Stage::Verifying(poll, fold);
            }
            // A browser of its own has not seen what the lost one did: what is not known now will not become so.
            Judged::Listen(_) => self.ask(*fold, "what an action set off cannot be seen afterwards"),
            Judged::Holds(evidence) => {
                let Fold { mut notes, settled, .. } = fold.assuming(Assumption::Done);
                self.settle(settled);
                notes.saw(evidence);
                let message = "the expectation held when the run was taken up again".to_owned();
                self.finish_step(Ending::success(message, None, Validation::Validated), notes);
            }
            Judged::Fails(why) => self.ask(*fold, &why),
        }
    }

    fn ask(&mut self, fold: Fold, why: &str) {
        let what = fold.open.as_ref().map(OpenIntent::in_words).unwrap_or_default();
        let question = format!(
            "The run was cut short while it did this: {what}. Nobody knows whether it was done ({why}). Was it done? (done / not done)"
        );
        self.stage = Stage::Asking(Box::new(fold), question);
    }

    pub(super) fn asked(&mut self, fold: Box<Fold>, question: String, got: &Got) {
        let Got::Answered(answer) = got else {
            let what = fold.open.as_ref().map(OpenIntent::in_words).unwrap_or_default();
            let message = format!("nobody knows whether this was done: {what}");
            return self.finish_step(Ending::parked(Code::OutcomeUnknown, message), fold.notes);
        };
        match resume::assumption(answer) {
            Some(assumption) => self.go_on(fold.assuming(assumption)),
            None => self.stage = Stage::Asking(fold, question),
        }
    }
}
