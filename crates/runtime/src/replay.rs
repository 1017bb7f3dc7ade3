//! Repeats a finished run: the request to run its workflow again with the playbook of its actions, so that no model is
//! needed. Steps that the words decided are read again; the playbook says which elements they meant.

use std::collections::BTreeSet;

use legwork_agent::playbook::{OmittedStep, RecordingError, record};
use legwork_protocol::{DecidedBy, Event, EventKind, RunId, Status};
use thiserror::Error;

use crate::{
    Error, Runtime, StartRequest,
    playbooks::of_workflow,
    record::{RecordError, RecordState, RunRecord},
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
    /// A step that a model decided cannot be repeated without one.
    #[error("step {step} cannot be repeated: {reason}")]
    Step {
        /// The step number, from 1.
        step: usize,
        /// The reason.
        reason: OmittedStep,
    },
    /// The run opened no page of a site.
    #[error(transparent)]
    Record(#[from] RecordingError),
    /// The events are not the journal of a run.
    #[error(transparent)]
    NotARun(#[from] RecordError),
}

/// The playbook of a successful run and the request that repeats the run with it.
///
/// # Errors
/// If the run did not end as a success, or a step that a model decided cannot be repeated.
pub fn replay_of(events: &[Event]) -> Result<StartRequest, ReplayError> {
    let run = RunRecord::fold(events)?;
    let state = run.state;
    let Some(EventKind::WorkflowStarted(start)) = events.first().map(|event| &event.kind) else {
        return Err(RecordError::Empty.into());
    };
    if state != RecordState::Ended(Status::Success) {
        return Err(ReplayError::Unfinished { state: state.name() });
    }
    // The written steps in which a model decided. The steps of a run are more if it has loops.
    let of_model = |event: &&Event| is_model_decision(event);
    let steps = events.iter().filter(of_model).filter_map(|event| run.plan().steps().get(event.step?));
    let by_model: BTreeSet<usize> = steps.map(|planned| planned.written).collect();
    let recorded = record(events)?;
    for (index, step) in recorded.steps.iter().enumerate() {
        match &step.left_out {
            None | Some(OmittedStep::Skipped | OmittedStep::NoAction | OmittedStep::NeedsModel { .. }) => {}
            // The words of the step decide again.
            Some(_) if !by_model.contains(&index) => {}
            Some(reason) => return Err(ReplayError::Step { step: index + 1, reason: reason.clone() }),
        }
    }
    let playbook = of_workflow(recorded, start);
    Ok(StartRequest { playbook: Some(playbook), ..StartRequest::workflow(start.workflow.clone()) })
}

fn is_model_decision(event: &Event) -> bool {
    match &event.kind {
        EventKind::CommandStarted { decider, .. } => matches!(decider, DecidedBy::Model | DecidedBy::Custom),
        _ => false,
    }
}

impl Runtime {
    /// The request that repeats a run. Its inputs, secrets and other parts are the caller's.
    ///
    /// # Errors
    /// If the run does not exist or cannot be replayed.
    pub async fn replay(&self, run: RunId) -> Result<StartRequest, Error> {
        let events = self.log().read(run, 1).await.map_err(Error::Store)?;
        replay_of(&events).map_err(|error| Error::Replay(run, error))
    }
}
