//! Operations on a run: pause, resume, cancel, answer. A run that no process drives is resumed if the operation
//! requires it.

use axum::http::StatusCode;
use legwork::{
    Assumption,
    browser::{ViewerInput, ViewerState},
    live::ControlError,
    protocol::{ActionFailure, Code, ErrorReport, Op, RunId},
    store::{RunState, RunSummary},
};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::sync::mpsc;

use super::{Admission, QueuedRun, Registry, RunSpec, completion, question::open_question};
use crate::{
    batches::{Batches, batch_error},
    error::ApiError,
};

/// A person's statement about an action whose result was lost.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Assume {
    /// It was done: continue after it.
    Done,
    /// It was not done: repeat it.
    NotDone,
}

impl From<Assume> for Assumption {
    fn from(assume: Assume) -> Self {
        match assume {
            Assume::Done => Assumption::Done,
            Assume::NotDone => Assumption::NotDone,
        }
    }
}

impl Registry {
    fn ops(&self, run: RunId) -> Option<mpsc::Sender<Op>> {
        self.state().live.get(&run).map(|live| live.ops.clone())
    }

    /// Sends an op to a run in progress. Returns whether there was one. A run whose end is in the journal no longer
    /// receives ops, although its browser may still be closing.
    async fn send_op(&self, run: RunId, op: Op) -> bool {
        let Some(ops) = self.ops(run) else { return false };
        let at_work = |summary: &RunSummary| matches!(summary.state, RunState::Running | RunState::Paused);
        self.summary(run).await.is_ok_and(|summary| at_work(&summary)) && ops.send(op).await.is_ok()
    }

    /// Pauses the run: nothing is executed until it is resumed.
    pub(crate) async fn pause(&self, run: RunId) -> Result<(), ApiError> {
        if self.send_op(run, Op::Pause).await {
            return Ok(());
        }
        if self.position(run).is_some() {
            return Err(ApiError::conflict("the run is queued and has not started"));
        }
        let summary = self.summary(run).await?;
        Err(self.not_in_progress(&summary))
    }

    /// Resumes the run where it was paused, or where its journal ends.
    pub(crate) async fn resume(
        &self,
        run: RunId,
        assume: Option<Assume>,
        tab: Option<String>,
    ) -> Result<Admission, ApiError> {
        if self.send_op(run, Op::Resume).await {
            return Ok(Admission::Running);
        }
        if let Some(position) = self.position(run) {
            return Ok(Admission::Queued { position });
        }
        self.submit_resume(run, assume.map(Assumption::from), None, tab).await
    }

    /// Sends inputs of a person to the browser of a run that is paused or waits for an answer. Returns what the frames
    /// do not show, and whether these are the first inputs since the run began to wait.
    pub(crate) async fn send_input(&self, run: RunId, inputs: &[ViewerInput]) -> Result<(ViewerState, bool), ApiError> {
        let live = self.app()?.hub.live_channel(run).borrow().clone();
        let Some(live) = live else {
            let summary = self.summary(run).await?;
            if self.position(run).is_some() {
                return Err(ApiError::conflict("the run is queued and has no browser yet"));
            }
            return Err(self.not_in_progress(&summary));
        };
        live.send(inputs).await.map_err(|error| match error {
            ControlError::AtWork => ApiError::conflict(error.to_string())
                .suggest("Pause the run first; a run that waits for an answer accepts input, too."),
            ControlError::Input(failure @ ActionFailure::InvalidArgument { .. }) => ApiError::bad(failure.to_string()),
            ControlError::Input(failure @ ActionFailure::DialogOpen { .. }) => ApiError::conflict(failure.to_string())
                .suggest("Answer the dialog: {\"type\": \"dialog\", \"accept\": true}."),
            ControlError::Input(failure) => ApiError::conflict(failure.to_string()),
        })
    }

    /// Answers the run's open question.
    pub(crate) async fn answer(&self, run: RunId, text: String) -> Result<Admission, ApiError> {
        let app = self.app()?;
        let Some(asked) = open_question(&app.log().read(run, 1).await?) else {
            self.summary(run).await?;
            return Err(ApiError::conflict("the run has no open question"));
        };
        let Some(text) = asked.answer_of(&text) else {
            let options = asked.options.join(", ");
            let message = format!("{text:?} is no answer to the question; the answers are: {options}");
            return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, Code::RequestInvalid, message)
                .suggest("Send one of these answers.")
                .details(asked.options));
        };
        if self.send_op(run, Op::Answer { text: text.clone() }).await {
            return Ok(Admission::Running);
        }
        self.submit_resume(run, None, Some(text), None).await
    }

    async fn submit_resume(
        &self,
        run: RunId,
        assume: Option<Assumption>,
        answer: Option<String>,
        tab: Option<String>,
    ) -> Result<Admission, ApiError> {
        let summary = self.summary(run).await?;
        if summary.driven || self.is_live(run) {
            return Err(self.not_in_progress(&summary));
        }
        if matches!(summary.state, RunState::Success) {
            return Err(ApiError::conflict("the run has succeeded; there is nothing to resume"));
        }
        // The server does not read the file of a batch on its own machine, so the values of its rows would not be
        // hidden.
        let app = self.app()?;
        Batches::store(&app).refuse_row_with_secrets(run).await.map_err(batch_error)?;
        self.submit(QueuedRun { run, work: RunSpec::Resume { assume, answer, tab } }).await
    }

    /// Cancels the run permanently.
    pub(crate) async fn cancel(&self, run: RunId, reason: Option<String>) -> Result<(), ApiError> {
        if self.send_op(run, Op::Cancel { reason: reason.clone() }).await {
            return Ok(());
        }
        let app = self.app()?;
        let why = reason.unwrap_or_else(|| "stopped by the user".to_owned());
        let outcome = completion::failed_outcome(ErrorReport::new(Code::Cancelled, why));
        let queued = {
            let mut state = self.state();
            let index = state.queue.iter().position(|one| one.run == run);
            index.and_then(|index| state.queue.remove(index))
        };
        if let Some(waiting) = queued {
            waiting.forget(&app).await;
            waiting.release_tab(&app);
            completion::finish_abandoned(&app, &waiting, outcome).await;
            return Ok(());
        }
        if self.position(run).is_some() {
            return Err(ApiError::conflict("the run is just starting; try again"));
        }
        let summary = self.summary(run).await?;
        let open = matches!(summary.state, RunState::Running | RunState::Paused | RunState::Parked);
        if summary.driven || !open {
            return Err(self.not_in_progress(&summary));
        }
        completion::end(&app, &summary, outcome).await
    }

    /// The run's row in the log.
    async fn summary(&self, run: RunId) -> Result<RunSummary, ApiError> {
        let summary = self.app()?.log().run(run).await?;
        summary.ok_or_else(|| legwork::Error::NoSuchRun(run.to_string()).into())
    }

    fn not_in_progress(&self, summary: &RunSummary) -> ApiError {
        let state = summary.state.name();
        if self.is_live(summary.run) {
            // The end is in the journal, and the task that drives the run is still closing its browser.
            let message = format!("the run has just ended ({state}), and its browser is still being closed");
            return ApiError::conflict(message).suggest("Try again in a moment.");
        }
        if summary.driven {
            return ApiError::conflict("another process drives this run").suggest("Control it there.");
        }
        let state = if summary.interrupted() { "interrupted" } else { state };
        ApiError::conflict(format!("the run is not in progress: {state}"))
    }
}
