//! Taking a run up again: what became of the action whose result was lost, what has to be filled in again, and where
//! its step goes on.

use legwork_protocol::{Code, DecidedBy, EventKind, Evidence, Status, Validation};

use super::{
    Then, WorkflowRun, WorkflowStage,
    resume::{Fold, OpenIntent, ResumeDecision, Vouched},
};
use crate::{
    Assumption, NeedResult, ObserveRequest,
    task::{Clause, Ending, Poll, PollOutcome, Progress, StepContext, TaskRun, clauses, read_check},
};

impl WorkflowRun {
    pub(super) fn restore(&mut self, mut fold: Fold) {
        let Some(step) = self.step_at_work() else {
            // Nobody saw the browser being closed, before which a page may still send what it has put off.
            let message =
                "the run was interrupted at its end: what its last page had not sent yet may be lost".to_owned();
            self.fact(None, EventKind::WarningIssued { message });
            self.end_is_unseen = true;
            return self.end(self.success());
        };
        self.enter(&step);
        self.open_end = fold.open.as_ref().and_then(OpenIntent::unknown_end);
        // Those of others first: what is open stays so until it is known what became of it.
        for kind in std::mem::take(&mut fold.settled) {
            self.fact(Some(self.at), kind);
        }
        if let (Some(result), None) = (&fold.contradicted, &fold.open) {
            let ending = Ending::contradicted_before(result);
            match self.outcome_inquiry.word().take() {
                None => return self.finish_step(ending, fold.notes),
                Some(Assumption::Done) => {
                    let message = "taken for done after an interruption".to_owned();
                    return self.finish_step(Ending::success(message, None, Validation::Unvalidated), fold.notes);
                }
                // The step is done from its beginning.
                Some(Assumption::NotDone) => fold = Fold { restore: fold.restore, lost: fold.lost, ..Fold::again() },
            }
        }
        match fold.resume_decision(&step, self.outcome_inquiry.word()) {
            ResumeDecision::GoOn(fold) => self.go_on(fold),
            ResumeDecision::Verify(fold) => {
                let sentence = step.expect.as_deref().map(|expect| self.sentence(expect)).unwrap_or_default();
                match read_check(&sentence) {
                    Ok(check) => {
                        self.look = ObserveRequest::default();
                        let until = self.now + self.rules.limits.element_wait;
                        self.stage = WorkflowStage::Verifying(Poll::new(check, until), Box::new(fold));
                    }
                    Err(_) => self.ask(fold, "no check in the step says how to tell"),
                }
            }
            ResumeDecision::Ask(fold) => self.ask(fold, "the step does not say how to tell"),
        }
    }

    /// Goes on with the step where its committed actions ended, its fields filled in again first.
    pub(super) fn go_on(&mut self, fold: Fold) {
        let Fold { progress, mut notes, restore, lost, settled, touched, vouched, .. } = fold;
        self.settle(settled);
        self.outcome_inquiry.since(lost > 0 || vouched.is_some());
        let expects = self.step_at_work().is_some_and(|step| step.expect.is_some());
        let message = match vouched {
            // A browser of its own may never show what the lost one did; a person's word stands for it.
            Some(Vouched::Word) => Some("taken for done after an interruption"),
            // The site's answer says that the action was done, and not what was expected of it.
            Some(Vouched::Answer) if !expects => Some("done before an interruption, as the site's answer shows"),
            _ => None,
        };
        if let Some(message) = message
            && self.rest(&progress).is_some_and(|rest| rest.is_empty())
        {
            return self.finish_step(Ending::success(message.to_owned(), None, Validation::Unvalidated), notes);
        }
        if lost > 0 {
            let message =
                format!("{lost} actions on this page are not repeated; what they changed only on the page may be lost");
            if touched {
                notes.history.note(format!("(interrupted; the page was loaded anew: {message})"));
            }
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
        self.stage = WorkflowStage::Restoring(task, Box::new(Then { progress, notes, touched }));
    }

    /// What of the step's words is still to be followed; nothing when they cannot be read.
    fn rest(&mut self, progress: &Progress) -> Option<Vec<Clause>> {
        let step = self.step_at_work()?;
        let sentence = self.sentence(&step.step);
        Some(clauses(&sentence).ok()?.into_iter().skip(progress.clauses).collect())
    }

    /// Puts on record what became of intents that had no result.
    fn settle(&mut self, settled: Vec<EventKind>) {
        for kind in settled {
            self.open_end = None;
            self.fact(Some(self.at), kind);
        }
    }

    /// Puts on record that nobody knows what became of the intent that still has no end.
    pub(super) fn leave_unknown(&mut self) {
        if let Some(kind) = self.open_end.take() {
            self.fact(Some(self.at), kind);
        }
    }

    pub(super) fn restoring(&mut self, mut task: TaskRun, then: Then, response: NeedResult) {
        self.with_context(|cx| task.give(response, cx));
        let ended = task.ended();
        self.restoring = ended.is_none();
        match ended {
            None => self.stage = WorkflowStage::Restoring(task, Box::new(then)),
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

    pub(super) fn verifying(&mut self, mut poll: Poll, fold: Box<Fold>, response: NeedResult) {
        let as_before = matches!(&response, NeedResult::Observed(page) if fold.looks_as_before(page));
        let rules = self.rules.clone();
        let mut none = Vec::new();
        let cx = StepContext { now: self.now, rules: &rules, run_context: &mut self.run_context, facts: &mut none };
        match poll.give(response, &cx) {
            PollOutcome::Look(look) => {
                self.look = look;
                self.stage = WorkflowStage::Verifying(poll, fold);
            }
            // A browser of its own has not seen what the lost one did: what is not known now will not become so.
            PollOutcome::Listen(_) => self.ask(*fold, "what an action set off cannot be seen afterwards"),
            PollOutcome::Holds(_) if as_before => self.ask(*fold, "what is expected held before it as well"),
            PollOutcome::Holds(evidence) => self.verified(*fold, evidence),
            PollOutcome::Fails(why) => self.ask(*fold, &why),
        }
    }

    /// The expectation holds. It is of the whole step, so it says that the action was done only where no deed is left.
    fn verified(&mut self, fold: Fold, evidence: Vec<Evidence>) {
        let by_words = fold.open.as_ref().is_some_and(|open| open.decider() == DecidedBy::Literal);
        let mut done = fold.clone().assuming(Assumption::Done);
        let rest = self.rest(&done.progress).filter(|_| by_words).unwrap_or_default();
        if rest.iter().any(|clause| !matches!(clause, Clause::Check(_))) {
            return self.ask(fold, "what is expected holds before the step is done to its end");
        }
        done.notes.saw(evidence);
        if !rest.is_empty() {
            return self.go_on(done);
        }
        self.settle(done.settled);
        let message = "the expectation held when the run was taken up again".to_owned();
        self.finish_step(Ending::success(message, None, Validation::Validated), done.notes);
    }
}
