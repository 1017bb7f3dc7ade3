//! Ends that no drive loop writes: of a run that never started, of a run that no process drives, and of all runs when
//! the server stops.

use std::time::Duration;

use legwork::{
    protocol::{Code, ErrorReport, EventKind, Outcome, RunStart, SessionState, Status},
    store::{NewEvent, RunSummary},
};
use tokio::time::Instant;

use super::{QueuedRun, Registry, RunSpec, question::open_question};
use crate::{app::App, error::ApiError};

/// How long a run may take to reach a point at which no action is in progress.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(8);
/// How often that is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The outcome of a run that ended with this error.
pub(super) fn failed_outcome(error: ErrorReport) -> Outcome {
    Outcome {
        status: if error.code == Code::Cancelled { Status::Cancelled } else { Status::Error },
        validation: Default::default(),
        answer: None,
        variables: Default::default(),
        usage: Default::default(),
        budget: None,
        error: Some(error),
    }
}

fn closing_events(outcome: Outcome) -> [NewEvent; 2] {
    let status = EventKind::SessionStatus { status: SessionState::of_outcome(outcome.status), message: String::new() };
    [EventKind::of_outcome(outcome), status].map(NewEvent::of_run)
}

/// Writes the end of a queued run that will never start. It needs a record, because its id was already returned to a
/// client.
pub(super) async fn finish_abandoned(app: &App, waiting: &QueuedRun, outcome: Outcome) {
    let RunSpec::Start(execute) = &waiting.work else { return };
    let Ok(subject) = execute.subject(app) else { return };
    let start = RunStart {
        workflow: subject.reading.workflow.unwrap_or_default(),
        task: subject.task,
        inputs: execute.inputs.clone(),
        options: Default::default(),
        playbook: None,
    };
    let mut events = vec![NewEvent::of_run(EventKind::WorkflowStarted(start))];
    events.extend(closing_events(outcome));
    if let Err(error) = app.log().append(waiting.run, 0, events).await {
        tracing::error!(%error, run = %waiting.run.hyphenated(), "the end of a run that never began is not on record");
    }
}

/// Ends a run that no process drives.
pub(super) async fn end(app: &App, summary: &RunSummary, outcome: Outcome) -> Result<(), ApiError> {
    let _lease = app.log().lease(summary.run).await.map_err(legwork::Error::Lease)?;
    app.log().append(summary.run, summary.last_seq, closing_events(outcome).into()).await?;
    Ok(())
}

impl Registry {
    /// Stops all runs so that they can be resumed later: each run is paused, which lets the current action complete and
    /// record its result, and is then aborted.
    pub(crate) async fn shut_down(&self, app: &App) {
        let runs: Vec<_> = {
            let mut state = self.state();
            state.closing = true;
            state.live.iter().map(|(run, live)| (*run, live.ops.clone(), live.abandon.clone())).collect()
        };
        for (run, ops, _) in &runs {
            // Does not wait: a run that does not receive the op now is aborted below.
            let _ = ops.try_send(legwork::protocol::Op::Pause);
            tracing::info!(run = %run.hyphenated(), "is paused, because the server stops");
        }
        let until = Instant::now() + SHUTDOWN_TIMEOUT;
        for (run, _, abandon) in &runs {
            while !abandon.is_finished() && Instant::now() < until && !self.is_idle(app, *run).await {
                tokio::time::sleep(POLL_INTERVAL).await;
            }
            abandon.abort();
        }
        let mut busy = self.busy.subscribe();
        // The task that owns a run removes it from the registry.
        let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, busy.wait_for(|busy| *busy == 0)).await;
    }

    /// Whether the run has no action in progress: it is paused, or waits for an answer.
    async fn is_idle(&self, app: &App, run: legwork::protocol::RunId) -> bool {
        match app.log().run(run).await {
            Ok(Some(summary)) if summary.state == legwork::store::RunState::Paused => true,
            Ok(Some(_)) => app.log().read(run, 1).await.is_ok_and(|events| open_question(&events).is_some()),
            _ => false,
        }
    }
}
