//! Continues a resumed run: resolves the action whose result was lost, fills in fields again, and determines where the
//! step continues. A run whose page cannot be loaded again ends before anything is done.

use legwork_observe::Snapshot;
use legwork_protocol::{
    Action, Code, DecidedBy, EventKind, Evidence, EvidenceKind, Status, Validation, mask_passwords,
};

use super::{
    StepContinuation, WorkflowRun, WorkflowStage,
    posted_page::PostedPage,
    resume::{Confirmation, OpenIntent, OpenStep, ResumeDecision},
};
use crate::{
    Assumption, NeedResult, ObserveRequest,
    task::{Clause, Ending, Poll, PollOutcome, Progress, StepContext, StepNotes, TaskRun, clauses, read_check},
};

impl WorkflowRun {
    pub(super) fn restore(&mut self, mut open_step: OpenStep) {
        let Some(step) = self.current_step() else {
            // Nobody observed the closing of the browser, at which a page may still send a delayed request.
            let message =
                "the run was interrupted at its end: what its last page had not sent yet may be lost".to_owned();
            self.emit(None, EventKind::WarningIssued { message });
            self.interrupted_after_last_step = true;
            return self.end(self.success());
        };
        self.enter();
        self.open_end = open_step.open.as_ref().and_then(OpenIntent::unknown_end);
        // The other intents first: the open one stays open until its outcome is known.
        for kind in std::mem::take(&mut open_step.settled) {
            self.emit(Some(self.at), kind);
        }
        if let (Some(result), None) = (&open_step.contradicted, &open_step.open) {
            let ending = Ending::contradicted_before(result);
            match self.resume_uncertainty.word().take() {
                None => return self.finish_step(ending, open_step.notes),
                Some(Assumption::Done) => {
                    let message = "assumed to be done after an interruption".to_owned();
                    return self.finish_step(Ending::success(message, None, Validation::Unvalidated), open_step.notes);
                }
                // The step starts from its beginning.
                Some(Assumption::NotDone) => {
                    open_step = open_step.started_over();
                }
            }
        }
        match open_step.resume_decision(&step, self.resume_uncertainty.word()) {
            ResumeDecision::Continue(open_step) => self.continue_step(open_step),
            ResumeDecision::Verify(open_step) if self.posted_page.is_some() => {
                self.ask(open_step, "the page that could show it was the answer to a form and cannot be loaded again")
            }
            ResumeDecision::Verify(open_step) => {
                let sentence = step.expect.as_deref().map(|expect| self.sentence(expect)).unwrap_or_default();
                match read_check(&sentence) {
                    Ok(check) => {
                        self.look = ObserveRequest::default();
                        let until = self.now + self.rules.limits.element_wait;
                        self.stage = WorkflowStage::Verifying(Poll::new(check, until), Box::new(open_step));
                    }
                    Err(_) => self.ask(open_step, "the step has no check that could show it"),
                }
            }
            ResumeDecision::Ask(open_step) => self.ask(open_step, "the step does not state how to verify it"),
        }
    }

    /// Continues the step after its committed actions, after its fields have been filled in again.
    pub(super) fn continue_step(&mut self, mut open_step: OpenStep) {
        self.settle(std::mem::take(&mut open_step.settled));
        self.skip_dialog_answer(&mut open_step);
        let OpenStep { progress, mut notes, touched, confirmation, .. } = open_step.clone();
        self.resume_uncertainty.since(open_step.fields.lost > 0 || confirmation.is_some());
        let expects = self.current_step().is_some_and(|step| step.expect.is_some());
        let message = match confirmation {
            // A new browser may never show the effect of the lost one; a person's statement replaces the evidence.
            Some(Confirmation::Person) => Some("assumed to be done after an interruption"),
            // The site's response shows that the action was executed, not that the step's expectation holds.
            Some(Confirmation::Response) if !expects => {
                Some("done before an interruption, as the site's response shows")
            }
            _ => None,
        };
        if let Some(message) = message
            && self.rest(&progress).is_some_and(|rest| rest.is_empty())
        {
            if confirmation == Some(Confirmation::Person) {
                notes.add_evidence([Evidence::neutral(EvidenceKind::Text, message)]);
            }
            return self.finish_step(Ending::success(message.to_owned(), None, Validation::Unvalidated), notes);
        }
        if let Some(ending) = self.page_lost(&progress) {
            return self.end_without_page(ending, notes, &progress);
        }
        if self.decide_about_fields(&mut open_step) {
            return self.ask_about_fields(open_step);
        }
        self.resume_uncertainty.since(open_step.fields.lost > 0 || confirmation.is_some());
        let restore = open_step.fields.actions();
        if let Some(message) = open_step.fields.warning() {
            if touched {
                notes.history.note(format!("(interrupted; the page was reloaded: {message})"));
            }
            self.emit(Some(self.at), EventKind::WarningIssued { message });
        }
        match self.current_step() {
            // The step has executed nothing yet, so its condition must still be checked.
            Some(step) if !touched && restore.is_empty() => return self.check_condition(&step),
            _ if restore.is_empty() => return self.work(progress, notes),
            _ => {}
        }
        let timeout = self.rules.limits.step;
        self.restoring = true;
        let task = self.with_context(|cx| TaskRun::of_actions(restore, timeout, cx));
        self.stage = WorkflowStage::Restoring(task, Box::new(StepContinuation { progress, notes, touched }));
    }

    /// The reason to end a run whose page was the answer to a form, unless nothing of the step is left that needs the
    /// page, or the next clause opens another one.
    pub(super) fn page_lost(&mut self, progress: &Progress) -> Option<Ending> {
        let PostedPage { request, first_step } = self.posted_page.clone()?;
        let step = self.current_step()?;
        let needs_page = match (step.action, self.rest(progress)) {
            (Some(action), _) => !matches!(action, Action::Open(_)),
            (None, Some(rest)) => rest.first().map_or(step.expect.is_some(), |clause| !opens_page(clause)),
            (None, None) => true,
        };
        let text = self.plan.steps().get(first_step).map(|planned| mask_passwords(&planned.text()));
        needs_page.then(|| Ending::page_lost(&request, first_step, &text.unwrap_or_default()))
    }

    /// Ends a step whose page is lost. If the run has nothing left but checks, a person may state that it is done.
    pub(super) fn end_without_page(&mut self, ending: Ending, notes: StepNotes, progress: &Progress) {
        let is_check = |clause: &Clause| matches!(clause, Clause::Check(_));
        let here = self.rest(progress).is_some_and(|rest| rest.iter().all(is_check));
        let later = self.plan.steps().get(self.at + 1..).unwrap_or_default().iter().all(|planned| {
            let step = &planned.step;
            let checks = || clauses(&step.step).is_ok_and(|clauses| clauses.iter().all(is_check));
            step.group.is_none() && step.action.is_none() && checks()
        });
        match here && later {
            true => self.ask_about_outcome(ending, notes),
            false => self.finish_step(ending, notes),
        }
    }

    /// Passes over the clause that answers the dialog of an action that contained this answer.
    fn skip_dialog_answer(&mut self, open_step: &mut OpenStep) {
        let is_answered = std::mem::take(&mut open_step.answered_dialog) && open_step.progress.actions == 0;
        let next = self.rest(&open_step.progress).filter(|_| is_answered).and_then(|rest| rest.into_iter().next());
        if let Some(Clause::Do(instruction)) = next
            && instruction.answers_dialog()
        {
            open_step.progress.clauses += 1;
        }
    }

    /// The clauses that are not executed yet; `None` if the instruction is not understood.
    fn rest(&mut self, progress: &Progress) -> Option<Vec<Clause>> {
        let step = self.current_step()?;
        let sentence = self.sentence(&step.step);
        Some(clauses(&sentence).ok()?.into_iter().skip(progress.clauses).collect())
    }

    /// Records the outcome of intents that had no result.
    fn settle(&mut self, settled: Vec<EventKind>) {
        for kind in settled {
            self.open_end = None;
            self.emit(Some(self.at), kind);
        }
    }

    /// Records an unknown outcome for the intent that still has no result.
    pub(super) fn leave_unknown(&mut self) {
        if let Some(kind) = self.open_end.take() {
            self.emit(Some(self.at), kind);
        }
    }

    pub(super) fn restoring(&mut self, mut task: TaskRun, then: StepContinuation, response: NeedResult) {
        self.with_context(|cx| task.handle_result(response, cx));
        let ended = task.ended();
        self.restoring = ended.is_none();
        match ended {
            None => self.stage = WorkflowStage::Restoring(task, Box::new(then)),
            Some((ending, _)) if ending.status == Status::Success || self.rules.assume.is_some() => {
                match self.current_step() {
                    Some(step) if !then.touched => self.check_condition(&step),
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

    pub(super) fn verifying(&mut self, mut poll: Poll, open_step: Box<OpenStep>, response: NeedResult) {
        let is_observed = matches!(response, NeedResult::Observed(_));
        let as_before = is_observed && self.page.as_ref().is_some_and(|page| open_step.looks_as_before(page));
        let rules = self.rules.clone();
        let mut none = Vec::new();
        let cx = StepContext { now: self.now, rules: &rules, run_context: &mut self.run_context, facts: &mut none };
        match poll.handle_result(response, &cx) {
            PollOutcome::Look(look) => {
                self.look = look;
                self.stage = WorkflowStage::Verifying(poll, open_step);
            }
            // A new browser does not know the effects in the lost one, and waiting does not change that.
            PollOutcome::Listen(_) => self.ask(*open_step, "the effects of an action are not visible afterwards"),
            PollOutcome::Holds(_) if as_before => self.ask(*open_step, "the expectation also held before the action"),
            PollOutcome::Holds(evidence) => self.verified(*open_step, evidence),
            PollOutcome::Fails(why) => self.ask(*open_step, &why),
        }
    }

    /// The expectation holds. It applies to the whole step, so it shows that the action was executed only if no other
    /// action remains.
    fn verified(&mut self, open_step: OpenStep, evidence: Vec<Evidence>) {
        let by_words = open_step.open.as_ref().is_some_and(|open| open.decider() == DecidedBy::Literal);
        let mut done = open_step.clone().assuming(Assumption::Done);
        self.skip_dialog_answer(&mut done);
        let rest = self.rest(&done.progress).filter(|_| by_words).unwrap_or_default();
        if rest.iter().any(|clause| !matches!(clause, Clause::Check(_))) {
            return self.ask(open_step, "the expectation holds before the end of the step");
        }
        done.notes.add_evidence(evidence);
        if !rest.is_empty() {
            return self.continue_step(done);
        }
        self.settle(done.settled);
        let message = "the expectation held when the run was resumed".to_owned();
        self.finish_step(Ending::success(message, None, Validation::Validated), done.notes);
    }
}

/// Whether the clause opens a page, whatever page is shown.
fn opens_page(clause: &Clause) -> bool {
    match clause {
        Clause::Do(instruction) if !instruction.needs_page() => {
            let actions = instruction.decide(&Snapshot::default()).unwrap_or_default();
            matches!(actions.first(), Some(Action::Open(_)))
        }
        Clause::Fixed(action) => matches!(action, Action::Open(_)),
        _ => false,
    }
}
