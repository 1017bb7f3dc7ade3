//! Conditions of steps and groups: they are evaluated once, on the page as it is, by code or by a model.

use std::sync::Arc;

use legwork_observe::Snapshot;
use legwork_protocol::{Branch, Code, Evidence, Expansion, Status, Step, StepGroup, Validation};
use legwork_steps::Check;

use super::{WorkflowRun, WorkflowStage, loops::counted, of_problem, preflight};
use crate::{
    NeedResult, ObserveRequest,
    task::{Ending, Poll, PollOutcome, Progress, StepContext, StepNotes, TaskRun, evaluate, read_check},
};

impl WorkflowRun {
    /// Starts a step if its condition holds, or decides what a group expands to.
    pub(super) fn check_condition(&mut self, step: &Step) {
        match (step.group.as_deref(), &step.when) {
            (Some(StepGroup::If(branches)), _) => self.check(&branches.condition),
            (Some(StepGroup::ForEach(each)), _) => self.begin_loop(each.clone()),
            (None, Some(when)) => self.check(when),
            (None, None) => self.work(Progress::default(), StepNotes::default()),
        }
    }

    fn check(&mut self, condition: &str) {
        if let Some(problem) = preflight::undefined_in_condition(self.at, condition, &self.run_context.variables) {
            return self.finish_step(of_problem(&problem), StepNotes::default());
        }
        let sentence = self.sentence(condition);
        match read_check(&sentence) {
            // A condition is about the current state, not about a future one: one observation is enough.
            Ok(check) => {
                self.look = ObserveRequest::default();
                let poll = Poll::new(check.clone(), self.now);
                self.stage = WorkflowStage::Condition(poll, Box::new(check));
            }
            Err(_) => {
                let timeout = self.rules.limits.step;
                let task = self.with_context(|cx| TaskRun::judging(&cx.resolve_for_model(condition), timeout, cx));
                self.judging(task);
            }
        }
    }

    pub(super) fn condition(&mut self, mut poll: Poll, check: Box<Check>, response: NeedResult) {
        let rules = self.rules.clone();
        let mut none = Vec::new();
        let page = match &response {
            NeedResult::Observed(page) => Some(page.clone()),
            _ => None,
        };
        if let Some(page) = &page {
            self.run_context.observe(page.clone());
        }
        let cx = StepContext { now: self.now, rules: &rules, run_context: &mut self.run_context, facts: &mut none };
        match poll.handle_result(response, &cx) {
            PollOutcome::Look(look) => {
                self.look = look;
                self.stage = WorkflowStage::Condition(poll, check);
            }
            PollOutcome::Listen(_) => self.stage = WorkflowStage::Condition(poll, check),
            PollOutcome::Holds(evidence) => self.condition_holds(evidence, StepNotes::default()),
            PollOutcome::Fails(why) => match self.unknown_condition(&check, page) {
                Some(why) => {
                    let message = format!("the condition cannot be evaluated: {why}");
                    self.finish_step(Ending::failure(Code::ExpectationNotMet, message), StepNotes::default());
                }
                None => self.condition_fails(&why, Validation::Validated, StepNotes::default()),
            },
        }
    }

    /// The reason why it is unknown whether the condition of a group holds: neither of its branches may run then.
    fn unknown_condition(&self, check: &Check, page: Option<Arc<Snapshot>>) -> Option<String> {
        self.current_step()?.group?;
        evaluate(check, page.as_deref()?, &self.run_context.variables, &self.run_context.effects).err()
    }

    pub(super) fn judging(&mut self, mut task: TaskRun) {
        match task.ended() {
            None => self.stage = WorkflowStage::Judging(Box::new(task)),
            Some((ending, notes)) if ending.status == Status::Success => self.condition_holds(Vec::new(), notes),
            Some((ending, notes)) if ending.status == Status::Failure => {
                self.condition_fails(&ending.message, Validation::Unvalidated, notes)
            }
            Some((ending, notes)) => self.finish_step(ending, notes),
        }
    }

    fn condition_holds(&mut self, evidence: Vec<Evidence>, mut notes: StepNotes) {
        match self.current_step().and_then(|step| step.group).as_deref() {
            Some(StepGroup::If(branches)) => {
                let validation = if evidence.is_empty() { Validation::Unvalidated } else { Validation::Validated };
                notes.add_evidence(evidence);
                let message = format!("the condition holds: {}", counted(branches.then.len(), "step"));
                self.take_branch(Branch::Then, branches.then.len(), message, validation, notes);
            }
            _ => self.work(Progress::default(), StepNotes::default()),
        }
    }

    fn condition_fails(&mut self, why: &str, validation: Validation, notes: StepNotes) {
        match self.current_step().and_then(|step| step.group).as_deref() {
            Some(StepGroup::If(branches)) if branches.otherwise.is_empty() => {
                self.expansion = Some(Expansion::Branch { taken: Branch::Else, steps: 0 });
                self.skip(why, notes);
            }
            Some(StepGroup::If(branches)) => {
                let steps = branches.otherwise.len();
                let message = format!("the condition does not hold: {} of `else` ({why})", counted(steps, "step"));
                self.take_branch(Branch::Else, steps, message, validation, notes);
            }
            _ => self.skip(why, notes),
        }
    }

    /// Records which branch runs. Its steps follow.
    fn take_branch(&mut self, taken: Branch, steps: usize, message: String, validation: Validation, notes: StepNotes) {
        self.expansion = Some(Expansion::Branch { taken, steps });
        self.finish_step(Ending::success(message, None, validation), notes);
    }

    pub(super) fn skip(&mut self, why: &str, notes: StepNotes) {
        let skipped = Ending::success(format!("skipped: {why}"), None, Validation::Unvalidated);
        self.finish_step(Ending { status: Status::Skipped, ..skipped }, notes);
    }
}
