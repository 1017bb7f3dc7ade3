//! The workflow that repeats a run without a model. A step that the words decided is exported as it is written. A step
//! that a model decided becomes the sentences for the actions that were carried out. What no sentence says becomes a
//! step that fails, with a comment.

mod page;
mod sentences;

use std::collections::{BTreeMap, BTreeSet};

use legwork::{
    playbooks::{OmittedStep, PlaybookStep, record},
    record::{RecordError, RecordState, RunRecord},
    replay::ReplayError,
};
use legwork_protocol::{DecidedBy, Event, EventKind, IfElse, Status, Step, StepGroup, Workflow};
use legwork_steps::{read, read_condition};
use serde_json::Value;

use crate::{
    outline::PageOutline,
    workflow_text::{CommentedStep, commented_text},
};

/// The workflow that repeats a successful run without a model, as the text of a workflow file. `outlines` are the
/// stored texts of its pages: without them, a row is named by its words instead of the text of a cell.
///
/// # Errors
/// If the run did not end as a success.
pub fn run_workflow(events: &[Event], outlines: &[PageOutline]) -> Result<String, ReplayError> {
    let run = RunRecord::fold(events)?;
    let Some(EventKind::WorkflowStarted(start)) = events.first().map(|event| &event.kind) else {
        return Err(RecordError::Empty.into());
    };
    if run.state != RecordState::Ended(Status::Success) {
        return Err(ReplayError::Unfinished { state: run.state.name() });
    }
    let workflow = &start.workflow;
    let by_model = steps_of_model(&run, events);
    let is_understood = |step: &&Step| step.group.is_some() || step.action.is_some() || read(&step.step).is_ok();
    let unread = workflow.all_steps().into_iter().enumerate().filter(|(_, step)| !is_understood(step));
    let rewritten: BTreeSet<usize> = unread.map(|(index, _)| index).chain(by_model).collect();
    // Without such a step, the run need not have opened a page of a site.
    let done = if rewritten.is_empty() { Vec::new() } else { record(&as_done(events))?.steps };
    let states = run.plan().steps().iter().zip(&run.steps).map(|(planned, step)| (planned.written, step.state));
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let defaults =
        workflow.inputs.iter().filter_map(|(name, input)| Some((name.clone(), text(input.default.as_ref()?))));
    let mut values: BTreeMap<String, String> = defaults.collect();
    values.extend(run.inputs.iter().map(|(name, value)| (name.clone(), text(value))));
    values.extend(run.variables.iter().map(|(name, variable)| (name.clone(), text(&variable.value))));
    let mut writer = WorkflowWriter { outlines, rewritten, done, states: states.collect(), values, next: 0 };
    let steps = writer.steps(&workflow.steps, false);
    Ok(commented_text(&Workflow { steps: Vec::new(), ..workflow.clone() }, &steps))
}

/// The events without what a playbook must not repeat because a model had read it on a page: whoever exports a run sees
/// the values in the file.
fn as_done(events: &[Event]) -> Vec<Event> {
    let mut events = events.to_vec();
    for event in &mut events {
        if let EventKind::CommandStarted { identity: Some(identity), .. } = &mut event.kind {
            identity.read_text = None;
        }
    }
    events
}

/// The written steps with an action that neither the words of the step decided nor a recording of their decision.
fn steps_of_model(run: &RunRecord, events: &[Event]) -> BTreeSet<usize> {
    let is_of_model = |event: &&Event| match &event.kind {
        EventKind::CommandStarted { decider: DecidedBy::Literal, .. } => false,
        EventKind::CommandStarted { identity, .. } => identity.as_ref().is_none_or(|one| one.clause.is_none()),
        _ => false,
    };
    let steps = events.iter().filter(is_of_model).filter_map(|event| run.plan().steps().get(event.step?));
    steps.map(|planned| planned.written).collect()
}

struct WorkflowWriter<'a> {
    outlines: &'a [PageOutline],
    /// The written steps that become other sentences.
    rewritten: BTreeSet<usize>,
    /// What was done in each written step.
    done: Vec<PlaybookStep>,
    states: BTreeMap<usize, RecordState>,
    /// The values of the inputs and variables in the run.
    values: BTreeMap<String, String>,
    /// The number of the next written step.
    next: usize,
}

impl WorkflowWriter<'_> {
    fn steps(&mut self, written: &[Step], in_loop: bool) -> Vec<CommentedStep> {
        written.iter().flat_map(|step| self.step(step, in_loop)).collect()
    }

    fn step(&mut self, step: &Step, in_loop: bool) -> Vec<CommentedStep> {
        let index = self.next;
        self.next += 1;
        if let Some(group) = &step.group {
            return self.group(group, in_loop);
        }
        let mut steps = match self.rewritten.contains(&index) {
            true => self.rewritten_step(index, step, in_loop),
            false => vec![CommentedStep::plain(step.clone())],
        };
        let judged = |text: &Option<String>| text.clone().filter(|text| read_condition(text).is_err());
        if let Some(when) = judged(&step.when) {
            return vec![failing(step, &format!("a model decided whether this holds: {when}"), None)];
        }
        if let Some(expect) = judged(&step.expect) {
            steps.iter_mut().for_each(|one| one.step.expect = None);
            steps.push(failing(step, &format!("a model judged whether this holds: {expect}"), None));
        }
        steps
    }

    fn group(&mut self, group: &StepGroup, in_loop: bool) -> Vec<CommentedStep> {
        let mut comments = Vec::new();
        let mut inner = |steps: Vec<CommentedStep>| -> Vec<Step> {
            let mut all = Vec::new();
            for step in steps {
                comments.extend(step.comments);
                all.extend(Some(step.step).filter(|step| *step != Step::default()));
            }
            all
        };
        let (group, conditions) = match group {
            StepGroup::If(branches) => {
                let then = inner(self.steps(&branches.then, in_loop));
                let otherwise = inner(self.steps(&branches.otherwise, in_loop));
                let condition = branches.condition.clone();
                let conditions = vec![condition.clone()];
                (StepGroup::If(IfElse { condition, then, otherwise }), conditions)
            }
            StepGroup::ForEach(each) => {
                let steps = inner(self.steps(&each.steps, true));
                let conditions = each.filter.clone().into_iter().collect();
                (StepGroup::ForEach(legwork_protocol::ForEach { steps, ..each.clone() }), conditions)
            }
        };
        let step = Step::of_group(group);
        match conditions.into_iter().find(|condition| read_condition(condition).is_err()) {
            Some(condition) => vec![failing(&step, &format!("a model decided whether this holds: {condition}"), None)],
            None => vec![CommentedStep { step, comments }],
        }
    }

    /// The sentences for what was done instead of a step.
    fn rewritten_step(&self, index: usize, step: &Step, in_loop: bool) -> Vec<CommentedStep> {
        let when = step.when.clone();
        if self.states.get(&index) == Some(&RecordState::Ended(Status::Skipped)) && when.is_none() {
            let mut left_out = failing(step, "", None);
            left_out.comments = vec![format!("was skipped in the run, and is left out: {}", step.step)];
            left_out.step = Step::default();
            return vec![left_out];
        }
        let done = self.done.get(index).cloned().unwrap_or_default();
        let sentences = match &done.left_out {
            Some(OmittedStep::NoAction) | None if done.actions.is_empty() => match &step.expect {
                Some(expect) if read_condition(expect).is_ok() => {
                    Ok((vec![Step::new(format!("Check that {expect}"))], Vec::new()))
                }
                _ => Err("it needed no action, and no sentence says what it checks".to_owned()),
            },
            Some(reason) => Err(reason.to_string()),
            None => sentences::of_actions(&done.actions, &step.step, &self.values, self.outlines, in_loop),
        };
        let (mut steps, notes) = match sentences {
            Ok(sentences) => sentences,
            Err(reason) => return vec![failing(step, &reason, when)],
        };
        let is_check = steps.len() == 1 && steps[0].step.starts_with("Check that ");
        let Some(last) = steps.last_mut() else { return vec![failing(step, "nothing was done", when)] };
        last.expect = step.expect.clone().filter(|_| !is_check);
        let mut comments = vec![format!("a model decided: {}", step.step)];
        comments.extend(notes);
        for one in &mut steps {
            (one.timeout, one.on_resume) = (step.timeout, step.on_resume);
        }
        let mut written: Vec<CommentedStep> = match (when, steps.len()) {
            (None, _) => steps.into_iter().map(CommentedStep::plain).collect(),
            (when, 1) => {
                let step = steps.remove(0);
                vec![CommentedStep::plain(Step { when, ..step })]
            }
            (Some(condition), _) => {
                let branches = IfElse { condition, then: steps, otherwise: Vec::new() };
                vec![CommentedStep::plain(Step::of_group(StepGroup::If(branches)))]
            }
        };
        if step.optional {
            match written.as_mut_slice() {
                [only] if only.step.group.is_none() => only.step.optional = true,
                _ => comments.push("it was optional; these steps are not".to_owned()),
            }
        }
        if let Some(first) = written.first_mut() {
            first.comments = comments;
        }
        written
    }
}

/// A step that fails, because no sentence says what was done. Its check states the reason.
fn failing(step: &Step, reason: &str, when: Option<String>) -> CommentedStep {
    let plain = |text: &str| text.replace(['"', '“', '”', '\\'], "'").replace("${", "{").replace(['\n', '\r'], " ");
    let words = format!("NOT EXPORTED: {} ({})", plain(&step.step), plain(reason));
    let comments = vec![format!("no sentence says this: {}: {reason}", step.step)];
    let when = when.filter(|when| read_condition(when).is_ok());
    CommentedStep { step: Step { when, ..Step::new(format!("Check that \"{words}\" is shown")) }, comments }
}

#[cfg(test)]
mod tests;
