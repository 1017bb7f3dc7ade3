//! Steps in plain language and whole tasks on an open page. They are runs like any other, with deciders, limits,
//! evidence and a journal, but they begin on the current page and leave it open.

use legwork_protocol::{Op, Outcome, Workflow};
use tokio_util::sync::CancellationToken;

use super::Page;
use crate::{Error, RunHandle, StartRequest, begin::ClientPage};

/// A piece of work on a page, in plain language.
#[derive(Clone, Debug)]
pub enum PageTask {
    /// One instruction: a literal one such as `Click "Save"`, or one that needs a model.
    Step(String),
    /// A goal that may take many turns. It needs a model.
    Task(String),
    /// A condition that must hold on the page now, in the words of a check.
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
    /// Starts a run on this page and returns at once. The page's rules, secrets and folders apply; those of the request
    /// are ignored. Where `allow_write` names sites, the words of the request name no others. Other actions on the page
    /// are not blocked and can disturb the run. [`Page::run`] blocks them.
    ///
    /// # Errors
    /// If its model is invalid or its secrets cannot be obtained. Nothing has been done then.
    pub async fn start(&self, mut request: StartRequest) -> Result<RunHandle, Error> {
        let settings = request.settings.take().unwrap_or_else(|| self.settings.clone());
        request.secrets = self.secrets.clone();
        request.uploads = self.uploads.clone();
        let shown = self.policy.lock().index().clone();
        let page = ClientPage { session: self.session.clone(), guard: self.guard.clone(), shown };
        self.runtime.start_on(request, settings, page).await
    }

    /// Executes the work and waits for its outcome. [`Page::changes`] returns what it changed.
    ///
    /// # Errors
    /// As [`Page::start`].
    pub async fn run(&self, wanted: PageTask, cancel: &CancellationToken) -> Result<Outcome, Error> {
        self.carry_out(wanted.request(), cancel, |_| ()).await
    }

    /// As [`Page::run`], for any kind of request. It passes the run to a callback as soon as it has begun, so that the
    /// caller can follow it.
    ///
    /// # Errors
    /// As [`Page::start`].
    pub async fn carry_out(
        &self,
        request: StartRequest,
        cancel: &CancellationToken,
        begun: impl FnOnce(&RunHandle),
    ) -> Result<Outcome, Error> {
        let _guard = self.last_seen.lock().await;
        // On the heap, because the stack of a thread of the runtime is too small for a run within deep calls.
        let run = Box::pin(self.start(request)).await?;
        begun(&run);
        let (ops, outcome) = (run.ops(), run.outcome());
        tokio::pin!(outcome);
        tokio::select! {
            outcome = &mut outcome => Ok(outcome),
            () = cancel.cancelled() => {
                // A run that has ended receives no more ops.
                let _ = ops.send(Op::Cancel { reason: Some("cancelled by the caller".to_owned()) }).await;
                Ok(outcome.await)
            }
        }
    }
}
