//! Steps in plain words and whole tasks on a page that is open: runs like any other, with deciders, budgets, evidence and a
//! journal, that begin where the page is and leave it open.

use legwork_protocol::{Op, Outcome, Workflow};
use tokio_util::sync::CancellationToken;

use super::Page;
use crate::{Error, RunHandle, StartRequest};

/// What is wanted of a page, in words.
#[derive(Clone, Debug)]
pub enum PageTask {
    /// One instruction: `Click "Save"`, or what only a model can read.
    Step(String),
    /// A goal that may take many turns; needs a model.
    Task(String),
    /// What must hold on the page now, in the words of a check.
    Check(String),
}

impl PageTask {
    fn request(self) -> StartRequest {
        use legwork_protocol::Step;
        let of = |step: Step| Workflow { name: step.step.clone(), steps: vec![step], ..Workflow::default() };
        match self {
            PageTask::Step(words) => StartRequest::workflow(of(Step::new(words))),
            PageTask::Task(goal) => StartRequest::task(of(Step::new(goal))),
            PageTask::Check(words) => {
                let known = ["check ", "verify ", "make sure ", "ensure ", "assert ", "confirm "];
                let is_check = known.iter().any(|verb| words.to_lowercase().starts_with(verb));
                let words = if is_check { words } else { format!("Check that {words}") };
                StartRequest::workflow(of(Step::new(words)))
            }
        }
    }
}

impl Page {
    /// Starts a run on this page and returns at once. The page's rules, secrets and folders hold; what the request says of
    /// them is not heard. Whoever else acts on the page meanwhile gets in its way: [`Page::run`] keeps others waiting.
    ///
    /// # Errors
    /// When its model is not in order, or its secrets cannot be had: before anything is done.
    pub async fn start(&self, mut request: StartRequest) -> Result<RunHandle, Error> {
        let settings = request.settings.take().unwrap_or_else(|| self.settings.clone());
        request.secrets = self.secrets.clone();
        request.uploads = self.uploads.clone();
        self.runtime.start_on(request, settings, self.session.clone(), self.guard.clone()).await
    }

    /// Has something done, and waits for how it ended. What it changed can be asked for with [`Page::changes`].
    ///
    /// # Errors
    /// As [`Page::start`].
    pub async fn run(&self, wanted: PageTask, cancel: &CancellationToken) -> Result<Outcome, Error> {
        self.carry_out(wanted.request(), cancel, |_| ()).await
    }

    /// As [`Page::run`], for a request of any kind; hands over the run as soon as it has begun, to follow it.
    ///
    /// # Errors
    /// As [`Page::start`].
    pub async fn carry_out(
        &self,
        request: StartRequest,
        cancel: &CancellationToken,
        begun: impl FnOnce(&RunHandle),
    ) -> Result<Outcome, Error> {
        let _turn = self.turn.lock().await;
        let run = self.start(request).await?;
        begun(&run);
        let (ops, outcome) = (run.ops(), run.outcome());
        tokio::pin!(outcome);
        tokio::select! {
            outcome = &mut outcome => Ok(outcome),
            () = cancel.cancelled() => {
                // One that has ended hears nothing any more.
                let _ = ops.send(Op::Cancel { reason: Some("cancelled by who asked for it".to_owned()) }).await;
                Ok(outcome.await)
            }
        }
    }
}
