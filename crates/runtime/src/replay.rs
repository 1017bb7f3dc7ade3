//! Converts a finished run to a workflow that needs no model. Literal steps stay as they are. For steps that a model
//! decided, the successful actions are kept, with the identity of the element (role and name) instead of the ref. If an
//! element is missing or found twice during the replay, the step fails, or the model decides if there is one.

use legwork_protocol::{
    Action, ActionParameter, DecidedBy, Dialog, Event, EventKind, ParameterKind, RunId, Status, Step, Target,
    TargetKind, Workflow,
};
use thiserror::Error;

use crate::{
    Error, Runtime,
    record::{CommandRecord, RecordError, RecordState, RunRecord, StepRecord},
};

/// Why a run cannot be replayed.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The run did not end as a success, so there is nothing to repeat.
    #[error("the run ended as {state}; only a successful run can be replayed")]
    Unfinished {
        /// How it ended, or its current state.
        state: &'static str,
    },
    /// The element of an action has no name that would identify it again.
    #[error("step {step}: {target} has no name that would identify it again ({action})")]
    NoIdentity {
        /// The step number, from 1.
        step: usize,
        /// The target in the run.
        target: String,
        /// The action on it.
        action: String,
    },
    /// It is unknown whether an action was done.
    #[error("step {step}: the outcome of this action is unknown: {action}")]
    OutcomeUnknown {
        /// The step number, from 1.
        step: usize,
        /// The action.
        action: String,
    },
    /// The events are not the journal of a run.
    #[error(transparent)]
    NotARun(#[from] RecordError),
}

/// The workflow that repeats a run.
///
/// # Errors
/// If the run did not end as a success, or an element has no identity.
pub fn replay_of(events: &[Event]) -> Result<Workflow, ReplayError> {
    let record = RunRecord::fold(events)?;
    let Some(EventKind::WorkflowStarted(start)) = events.first().map(|event| &event.kind) else {
        return Err(RecordError::Empty.into());
    };
    if record.state != RecordState::Ended(Status::Success) {
        return Err(ReplayError::Unfinished { state: record.state.name() });
    }
    let mut workflow = Workflow { steps: Vec::new(), ..start.workflow.clone() };
    for (written, done) in start.workflow.steps.iter().zip(&record.steps) {
        let thought_up = |decider| matches!(decider, DecidedBy::Model | DecidedBy::Custom);
        let beyond_words = done.turns.iter().flat_map(|turn| &turn.commands).any(|one| thought_up(one.decider));
        if beyond_words {
            workflow.steps.extend(actions_of(written, done)?);
        } else {
            workflow.steps.push(written.clone());
        }
    }
    Ok(workflow)
}

impl Runtime {
    /// The workflow that repeats a run.
    ///
    /// # Errors
    /// If the run does not exist or cannot be replayed.
    pub async fn replay(&self, run: RunId) -> Result<Workflow, Error> {
        let events = self.log().read(run, 1).await.map_err(Error::Store)?;
        replay_of(&events).map_err(|error| Error::Replay(run, error))
    }
}

/// The successful actions of a step, each as a step of its own.
fn actions_of(written: &Step, done: &StepRecord) -> Result<Vec<Step>, ReplayError> {
    let worked = |command: &&CommandRecord| command.result.as_ref().is_some_and(|result| result.ok());
    let unknown = |command: &&CommandRecord| command.result.as_ref().is_some_and(|result| result.outcome_unknown);
    if let Some(command) = done.turns.iter().flat_map(|turn| &turn.commands).find(unknown) {
        let action = command.action.describe(None);
        return Err(ReplayError::OutcomeUnknown { step: done.index + 1, action });
    }
    let mut steps = Vec::new();
    for command in done.turns.iter().flat_map(|turn| &turn.commands).filter(worked) {
        if !command.action.info().is_replayed {
            continue;
        }
        let element = command.result.as_ref().and_then(|result| result.element.as_deref());
        let title = command.action.describe(element);
        let action = with_stable_targets(command.action.clone(), element).map_err(|target| {
            ReplayError::NoIdentity { step: done.index + 1, target: target.0, action: title.clone() }
        })?;
        steps.push(Step { action: Some(action), timeout: written.timeout, ..Step::new(title) });
    }
    if let Some(last) = steps.last_mut() {
        last.expect.clone_from(&written.expect);
    }
    Ok(steps)
}

/// The action with targets that are valid on a newly loaded page. The error is a target without an identity.
fn with_stable_targets(action: Action, element: Option<&str>) -> Result<Action, Target> {
    if let Action::Dialog(Dialog { accept, text, opened_by: Some(opened_by) }) = action {
        let opened_by = Some(Box::new(with_stable_targets(*opened_by, element)?));
        return Ok(Action::Dialog(Dialog { accept, text, opened_by }));
    }
    let Ok(mut wire) = serde_json::to_value(&action) else { return Ok(action) };
    let is_target = |parameter: &&ActionParameter| parameter.kind == ParameterKind::Target;
    for field in action.info().parameters().iter().filter(is_target).map(|parameter| parameter.name.as_str()) {
        let Some(target) = wire["parameters"][field].as_str().map(|target| Target(target.to_owned())) else { continue };
        if !matches!(target.kind(), TargetKind::Ref(_)) {
            continue;
        }
        let identity = element.filter(|_| field == "target").and_then(identity);
        wire["parameters"][field] = identity.ok_or(target)?.into();
    }
    Ok(serde_json::from_value(wire).unwrap_or(action))
}

/// Converts `button "Save"` to a target.
fn identity(element: &str) -> Option<String> {
    let (role, name) = element.split_once(" \"")?;
    let name = name.strip_suffix('"').filter(|name| !name.is_empty() && !name.ends_with('…'))?;
    role.chars().all(|c| c.is_ascii_lowercase()).then(|| format!("role={role}[name=\"{name}\"]"))
}

#[cfg(test)]
mod tests {
    use legwork_protocol::{ActionFailure, ActionResult, Click, CommandId, Drag, Effect, TargetParams};

    use super::*;
    use crate::record::Turn;

    /// A model may have found that the work was already done. A replay without that step would do something else.
    #[test]
    fn a_step_with_an_action_of_unknown_outcome_is_not_replayed() {
        let command = |result| CommandRecord {
            command_id: CommandId::new(),
            action: Action::Click(Click::on(Target("role=button[name=\"Order\"]".into()))),
            decider: DecidedBy::Model,
            effect: Effect::Mutating,
            started: "2026-01-01T00:00:00Z".parse().expect("a time"),
            result: Some(result),
            picture: None,
        };
        let step = |result| StepRecord {
            index: 0,
            text: "order it".into(),
            state: RecordState::Ended(Status::Success),
            started: None,
            ended: None,
            result: None,
            turns: vec![Turn { commands: vec![command(result)], ..Turn::default() }],
            questions: Vec::new(),
        };
        let took = std::time::Duration::ZERO;
        let unknown = actions_of(&Step::new("order it"), &step(ActionResult::unknown(ActionFailure::Crashed, took)));
        assert!(matches!(unknown, Err(ReplayError::OutcomeUnknown { step: 1, .. })), "{unknown:?}");
        let failed = actions_of(&Step::new("order it"), &step(ActionResult::failed(ActionFailure::Crashed, took)));
        assert!(failed.is_ok_and(|steps| steps.is_empty()));
        assert_eq!(actions_of(&Step::new("order it"), &step(ActionResult::done(took))).expect("steps").len(), 1);
    }

    #[test]
    fn a_ref_becomes_role_and_name() {
        let on = |target: &str| Action::Hover(TargetParams { target: Target(target.into()) });
        assert_eq!(with_stable_targets(on("e7"), Some("button \"Save\"")), Ok(on("role=button[name=\"Save\"]")));
        assert_eq!(with_stable_targets(on("#save"), Some("button \"Save\"")), Ok(on("#save")));
        for nameless in [None, Some("button"), Some("<div#x>"), Some("button \"\""), Some("link \"A long na…\"")] {
            assert_eq!(with_stable_targets(on("e7"), nameless), Err(Target("e7".into())), "{nameless:?}");
        }
        // The element that it is dropped on has no name.
        let drag = Action::Drag(Drag { target: Target("e1".into()), to: Target("e2".into()) });
        assert_eq!(with_stable_targets(drag, Some("listitem \"A\"")), Err(Target("e2".into())));
        let click: Click = serde_json::from_str(r#"{"target": "e1", "count": 2}"#).expect("a click");
        let again = with_stable_targets(Action::Click(click), Some("row \"Bob\"")).expect("a name");
        assert_eq!(again.target().map(|target| target.0.as_str()), Some("role=row[name=\"Bob\"]"));
    }
}
