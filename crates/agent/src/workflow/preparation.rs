//! What comes before the first step: the values of the inputs, the problems of the steps, and the workflow's address.

use legwork_protocol::{Action, Code, EventKind, Open, Status, VariableInfo};

use super::{
    WorkflowRun, WorkflowStage, inputs,
    preflight::{self, PreflightContext, StepProblem, step_problems},
};
use crate::{
    DeciderChoice, NeedResult,
    task::{Ending, TaskRun},
};

impl WorkflowRun {
    pub(super) fn take_inputs(&mut self) {
        let given = match inputs::values(&self.start) {
            Ok(given) => given,
            Err(problems) => return self.end(Ending::from_error(Status::Error, inputs::error(problems))),
        };
        let problems = self.step_problems(&given);
        if !problems.is_empty() {
            let error = preflight::error(&self.start.workflow, &problems);
            return self.end(Ending::from_error(Status::Error, error));
        }
        if let Some(ending) = self.too_long_instruction(&given) {
            return self.end(ending);
        }
        for variable in given {
            self.run_context.variables.insert(variable.name.clone(), variable.value.clone());
            self.emit(None, EventKind::VariableUpdated(variable));
        }
        self.open();
    }

    /// The reasons why a step cannot run, before anything is done.
    fn step_problems(&mut self, given: &[VariableInfo]) -> Vec<StepProblem> {
        let variables = given.iter().map(|variable| (variable.name.clone(), variable.value.clone())).collect();
        let has_decider = self.with_context(|cx| cx.others_may_decide());
        let reads_steps = self.reads_steps();
        let context = PreflightContext { variables: &variables, reads_steps, has_decider };
        let mut problems = step_problems(&self.start.workflow, context);
        // Recorded actions need no words.
        let recorded = self.rules.playbook.as_ref().map(|playbook| playbook.steps.as_slice()).unwrap_or_default();
        let workflow = &self.start.workflow;
        let is_recorded = |problem: &StepProblem| {
            let written = problem.step.map(|step| workflow.written_index(step, &problem.path));
            written.and_then(|written| recorded.get(written)).is_some_and(|step| !step.actions.is_empty())
        };
        problems.retain(|problem| problem.code != Code::NotUnderstood || !is_recorded(problem));
        problems
    }

    /// Whether the parser of literal steps reads the steps first.
    pub(super) fn reads_steps(&self) -> bool {
        self.rules.decider != DeciderChoice::Model
    }

    /// Opens the workflow's URL, then starts the first step.
    fn open(&mut self) {
        let Some(url) = self.start.workflow.url.clone() else { return self.begin_step() };
        let timeout = self.rules.limits.step;
        let task = self.with_context(|cx| {
            let url = cx.resolve(&url);
            TaskRun::of_actions(vec![Action::Open(Open { url })], timeout, cx)
        });
        self.stage = WorkflowStage::Opening(task);
    }

    pub(super) fn opening(&mut self, mut task: TaskRun, response: NeedResult) {
        self.with_context(|cx| task.handle_result(response, cx));
        match task.ended() {
            None => self.stage = WorkflowStage::Opening(task),
            Some((ending, _)) if ending.status == Status::Success => self.begin_step(),
            Some((ending, _)) => self.end(ending),
        }
    }
}
