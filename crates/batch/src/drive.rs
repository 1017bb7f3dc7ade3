//! Works on the rows of a batch until each of them is finished or waits for a person. Several rows run at the same
//! time. A row that already has a run is continued; only `retry_failed` starts it again, with a new run.

use std::{collections::BTreeMap, time::Duration};

use futures_util::{StreamExt, future::BoxFuture, stream::FuturesUnordered};
use legwork::Assumption;
use legwork_protocol::{Code, ErrorReport, RunId};
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use crate::{
    Batch, BatchError, BatchRow, BatchStore, RowClaim, RowStage, RowStatus, RowView,
    results::{BatchCounts, RowResult},
};

/// How often the loop looks whether another process cancelled the batch.
const CANCEL_CHECK: Duration = Duration::from_millis(500);

/// How often the run of a row is continued after its browser failed.
const CONTINUATIONS: usize = 2;

/// The future of the end of a run. How it ended is in its journal.
pub type RunEnd = BoxFuture<'static, ()>;

/// Starts and continues the runs of rows: with a runtime of this process, or with the queue of a server.
#[async_trait::async_trait]
pub trait RowRunner: Send + Sync {
    /// Starts the run of a row under an id that was chosen before.
    ///
    /// # Errors
    /// If the run cannot start. Nothing has been done then, and no further row is started.
    async fn start(&self, run: RunId, row: &BatchRow) -> Result<RunEnd, ErrorReport>;

    /// Continues the run of a row at the end of its journal. `assume` is the statement of a person about an action
    /// whose result was lost.
    ///
    /// # Errors
    /// As [`RowRunner::start`].
    async fn resume(&self, run: RunId, row: &BatchRow, assume: Option<Assumption>) -> Result<RunEnd, ErrorReport>;

    /// Cancels a run in progress.
    async fn cancel(&self, run: RunId);
}

/// What a continuation does with rows that are not simply waiting.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContinueRules {
    /// The answer for every row whose run waits because the outcome of an action is unknown. Without it, these rows
    /// are left alone.
    pub assume: Option<Assumption>,
    /// Whether rows that failed are started again, from the first step.
    pub retry_failed: bool,
}

/// What happened to a row.
#[derive(Clone, Debug)]
pub enum RowEvent {
    /// Its run was started or continued.
    Started {
        /// The number of the row.
        row: usize,
        /// The run.
        run: RunId,
    },
    /// Its run ended, or waits for a person.
    Ended(Box<RowResult>),
    /// The row needed no work: it was finished before, waits for a person, or its run is driven by another process.
    Unchanged(RowView),
}

/// What is to be done for a row.
enum RowPlan {
    Nothing(RowView),
    Start,
    Resume(RowClaim),
    Retry(RowClaim),
}

/// Works on a batch. The caller has its lease.
///
/// A cancelled `stop` starts no further row and waits for the rows in progress. If the batch is cancelled in the store,
/// the runs in progress are cancelled as well. `notify` is called for each row.
///
/// # Errors
/// If the log fails, a run cannot start, or too many rows failed. The rows in progress have ended then.
pub async fn drive(
    store: &BatchStore,
    batch: &Batch,
    runner: &dyn RowRunner,
    rules: ContinueRules,
    stop: &CancellationToken,
    notify: &(dyn Fn(RowEvent) + Send + Sync),
) -> Result<BatchCounts, BatchError> {
    let loop_ = BatchLoop { store, batch, runner, rules, notify, live: Mutex::default() };
    loop_.run(stop).await?;
    let views = store.views(batch).await?;
    Ok(BatchCounts::of(views.iter().map(|view| (view.status, view.validation))))
}

struct BatchLoop<'a> {
    store: &'a BatchStore,
    batch: &'a Batch,
    runner: &'a dyn RowRunner,
    rules: ContinueRules,
    notify: &'a (dyn Fn(RowEvent) + Send + Sync),
    /// The runs in progress, by row.
    live: Mutex<BTreeMap<usize, RunId>>,
}

impl BatchLoop<'_> {
    async fn run(&self, stop: &CancellationToken) -> Result<(), BatchError> {
        let claims = self.store.claims(self.batch.id).await?;
        let mut rows = self.batch.rows.iter();
        let mut running = FuturesUnordered::new();
        let mut check = tokio::time::interval(CANCEL_CHECK);
        let (mut failure, mut failed, mut is_cancelled) = (None, 0, false);
        loop {
            let is_stopping = stop.is_cancelled() || failure.is_some() || is_cancelled;
            while !is_stopping && running.len() < self.batch.options.jobs.max(1) {
                let Some(row) = rows.next() else { break };
                running.push(self.row(row, claims.get(&row.number), stop));
            }
            if running.is_empty() {
                break;
            }
            tokio::select! {
                Some(ended) = running.next() => match ended {
                    Ok(status) => {
                        failed += usize::from(matches!(status, Some(RowStatus::Failure | RowStatus::Error)));
                        if self.batch.options.max_failures.is_some_and(|max| failed >= max) {
                            failure.get_or_insert(BatchError::TooManyFailures { failed });
                        }
                    }
                    Err(error) => { failure.get_or_insert(error); }
                },
                _ = check.tick(), if !is_cancelled => match self.store.is_cancelled(self.batch.id).await {
                    Ok(false) => {}
                    Ok(true) => {
                        is_cancelled = true;
                        let live: Vec<RunId> = self.live.lock().values().copied().collect();
                        for run in live {
                            self.runner.cancel(run).await;
                        }
                    }
                    // The rows in progress end first.
                    Err(error) => { failure.get_or_insert(error); }
                }
            }
        }
        match failure {
            Some(failure) => Err(failure),
            None if is_cancelled => Err(BatchError::Cancelled(self.batch.id)),
            None => Ok(()),
        }
    }

    /// Works on one row; returns its state if its run ended here.
    async fn row(
        &self,
        row: &BatchRow,
        claim: Option<&RowClaim>,
        stop: &CancellationToken,
    ) -> Result<Option<RowStatus>, BatchError> {
        let (claim, end) = match self.plan(row, claim).await? {
            RowPlan::Nothing(view) => {
                (self.notify)(RowEvent::Unchanged(view));
                return Ok(None);
            }
            RowPlan::Start => {
                let claim = self.store.claim(self.batch.id, row.number).await?;
                (claim.clone(), self.runner.start(claim.run, row).await)
            }
            RowPlan::Retry(before) => {
                let earlier = before.earlier.into_iter().chain([before.run]).collect();
                let claim = RowClaim { run: RunId::new(), stage: RowStage::Claimed, earlier };
                self.store.put_claim(self.batch.id, row.number, &claim).await?;
                (claim.clone(), self.runner.start(claim.run, row).await)
            }
            RowPlan::Resume(claim) => {
                let end = self.runner.resume(claim.run, row, self.rules.assume).await;
                (claim, end)
            }
        };
        let end = end.map_err(|report| BatchError::Start { row: row.number, report: Box::new(report) })?;
        let run = claim.run;
        self.live.lock().insert(row.number, run);
        (self.notify)(RowEvent::Started { row: row.number, run });
        self.mark(row, &claim, RowStage::Started).await?;
        end.await;
        let started = RowClaim { stage: RowStage::Started, ..claim.clone() };
        let mut view = self.store.view(row.number, Some(&started)).await?;
        for _ in 0..CONTINUATIONS {
            let is_stopping = stop.is_cancelled() || self.store.is_cancelled(self.batch.id).await?;
            if is_stopping || !self.is_browser_fault(&view).await? {
                break;
            }
            // Nothing that was done is done again: the run continues at its step, and asks if the outcome of an action
            // is unknown.
            match self.runner.resume(run, row, None).await {
                Ok(end) => end.await,
                Err(report) => {
                    tracing::warn!(row = row.number, %run, error = %report.message, "the row could not be continued");
                    break;
                }
            }
            view = self.store.view(row.number, Some(&started)).await?;
        }
        self.live.lock().remove(&row.number);
        if view.status.is_over() {
            let stage = RowStage::Ended { status: view.status, validation: view.validation };
            self.mark(row, &claim, stage).await?;
        }
        let status = view.status;
        let result = RowResult::read(&**self.store.log(), &view).await?;
        (self.notify)(RowEvent::Ended(Box::new(result)));
        Ok(Some(status))
    }

    /// Whether the run of a row ended because its browser did not start, is gone or did not answer. The row is not the
    /// reason, and a new browser may do it.
    async fn is_browser_fault(&self, view: &RowView) -> Result<bool, BatchError> {
        if view.status != RowStatus::Error {
            return Ok(false);
        }
        let result = RowResult::read(&**self.store.log(), view).await?;
        let faults = [Code::BrowserLaunch, Code::BrowserGone, Code::PageUnresponsive, Code::PageLoad];
        Ok(result.error.is_some_and(|error| faults.contains(&error.code)))
    }

    async fn mark(&self, row: &BatchRow, claim: &RowClaim, stage: RowStage) -> Result<(), BatchError> {
        self.store.put_claim(self.batch.id, row.number, &RowClaim { stage, ..claim.clone() }).await
    }

    async fn plan(&self, row: &BatchRow, claim: Option<&RowClaim>) -> Result<RowPlan, BatchError> {
        let view = self.store.view(row.number, claim).await?;
        let Some(claim) = claim else { return Ok(RowPlan::Start) };
        Ok(match view.status {
            RowStatus::Waiting => RowPlan::Start,
            RowStatus::Interrupted => RowPlan::Resume(claim.clone()),
            RowStatus::Parked if self.rules.assume.is_some() => RowPlan::Resume(claim.clone()),
            RowStatus::Failure | RowStatus::Error | RowStatus::Cancelled if self.rules.retry_failed => {
                // An action that may have been done must not be done again from the first step.
                match self.store.has_unknown_outcome(claim.run).await? {
                    true => RowPlan::Resume(claim.clone()),
                    false => RowPlan::Retry(claim.clone()),
                }
            }
            RowStatus::Running
            | RowStatus::Asking
            | RowStatus::Parked
            | RowStatus::Deleted
            | RowStatus::Success
            | RowStatus::Failure
            | RowStatus::Error
            | RowStatus::Cancelled => RowPlan::Nothing(view),
        })
    }
}
