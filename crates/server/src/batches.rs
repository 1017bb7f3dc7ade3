//! The batches of this server: a request that runs once for each of its rows, through the same queue as every run.

use std::{collections::BTreeMap, sync::Arc};

use axum::http::StatusCode;
use jiff::Timestamp;
use legwork::protocol::{BatchId, Code, ErrorReport, RunId};
use legwork_batch::{
    Batch, BatchError, BatchOptions, BatchRow, BatchStore, ColumnRules, ContinueRules, RowProblem, RowRunner,
    RowsError, RunEnd, Table, bind, drive,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::broadcast::error::RecvError;

use crate::{
    app::App,
    error::ApiError,
    registry::{QueuedRun, RunSpec},
    request::Execute,
};

/// A request for a batch: what to run, and the rows.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct BatchRequest {
    /// What to run, as for `execute`. Its `inputs` are the values that all rows share.
    #[serde(rename = "run")]
    pub(crate) execute: Execute,
    /// The inputs of each row, at most 10,000: texts, numbers, true, false.
    pub(crate) rows: Vec<BTreeMap<String, Value>>,
    /// Number of runs at the same time; by default 1. The limit of the server applies as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) jobs: Option<usize>,
    /// Start no further row once this number of rows has failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) max_failures: Option<usize>,
}

/// The operations on batches.
pub(crate) struct Batches;

impl Batches {
    pub(crate) fn store(app: &App) -> BatchStore {
        BatchStore::new(app.key_value_store(), app.log())
    }

    /// Checks and stores a batch, and begins it.
    pub(crate) async fn begin(app: &Arc<App>, mut request: BatchRequest) -> Result<Batch, ApiError> {
        request.execute = request.execute.resolved(app).await?;
        let table = table_of(&request.rows).map_err(rows_error)?;
        let mut first = request.execute.clone();
        first.inputs.extend(request.rows.first().cloned().unwrap_or_default());
        // The first row is checked like a run, so that a request that cannot work is refused at once.
        let start = first.start_of_row(app, RunId::new())?;
        let columns = ColumnRules { given: request.execute.inputs.keys().cloned().collect(), ..ColumnRules::default() };
        let rows = bind(&table, &start.workflow, &columns).map_err(rows_error)?.rows;
        let kept =
            serde_json::to_value(&request.execute).map_err(|error| ApiError::internal(Code::Internal, &error))?;
        let batch = Batch {
            id: BatchId::new(),
            created: Timestamp::now(),
            workflow: start.workflow,
            task: start.task,
            inputs: request.execute.inputs,
            rows,
            options: BatchOptions {
                jobs: request.jobs.unwrap_or(1).clamp(1, 64),
                max_failures: request.max_failures,
                request: Some(kept),
                ..BatchOptions::default()
            },
        };
        Batches::store(app).create(&batch).await.map_err(batch_error)?;
        Batches::work(app, batch.clone(), ContinueRules::default()).await?;
        Ok(batch)
    }

    /// Works on a batch in the background, if no process does yet.
    pub(crate) async fn work(app: &Arc<App>, batch: Batch, rules: ContinueRules) -> Result<(), ApiError> {
        let store = Batches::store(app);
        let lease = store.lease(batch.id).await.map_err(batch_error)?;
        if store.is_cancelled(batch.id).await.map_err(batch_error)? {
            return Err(batch_error(BatchError::Cancelled(batch.id)));
        }
        let request = batch.options.request.clone().and_then(|request| serde_json::from_value::<Execute>(request).ok());
        let execute = request.ok_or_else(|| {
            ApiError::conflict("the batch was started at a terminal").suggest("`legwork batches resume` continues it.")
        })?;
        app.batches.insert(batch.id);
        let (app, stop) = (app.clone(), app.closing.clone());
        tokio::spawn(async move {
            let runner = QueueRunner { app: app.clone(), execute };
            if let Err(error) = drive(&store, &batch, &runner, rules, &stop, &|_| ()).await {
                tracing::warn!(%error, batch = %batch.id, "a batch ended early");
            }
            app.batches.remove(batch.id);
            drop(lease);
        });
        Ok(())
    }
}

/// Runs rows through the queue of the server.
struct QueueRunner {
    app: Arc<App>,
    execute: Execute,
}

#[async_trait::async_trait]
impl RowRunner for QueueRunner {
    async fn start(&self, run: RunId, row: &BatchRow) -> Result<RunEnd, ErrorReport> {
        let mut execute = self.execute.clone();
        execute.inputs.extend(row.values.clone());
        let ends = self.app.registry.ends();
        // After a restart, the server itself puts a queued run back into its queue.
        if self.app.registry.position(run).is_none() && !self.app.registry.is_live(run) {
            let queued = QueuedRun { run, work: RunSpec::Start(Box::new(execute)) };
            self.app.registry.submit(queued).await.map_err(|refused| *refused.error)?;
        }
        // A run that only waits in the queue has no journal yet, and counts as not started.
        let mut events = self.app.log().follow(run, 1);
        tokio::select! {
            _ = events.next() => {}
            () = self.app.closing.cancelled() => {}
        }
        Ok(self.end(run, ends))
    }

    async fn resume(
        &self,
        run: RunId,
        _row: &BatchRow,
        assume: Option<legwork::Assumption>,
    ) -> Result<RunEnd, ErrorReport> {
        let ends = self.app.registry.ends();
        let queued = QueuedRun { run, work: RunSpec::Resume { assume, answer: None, tab: None } };
        self.app.registry.submit(queued).await.map_err(|refused| *refused.error)?;
        Ok(self.end(run, ends))
    }

    async fn cancel(&self, run: RunId) {
        // The run may have ended already.
        let _ = self.app.registry.cancel(run, Some("the batch was cancelled".to_owned())).await;
    }
}

impl QueueRunner {
    fn end(&self, run: RunId, mut ends: tokio::sync::broadcast::Receiver<RunId>) -> RunEnd {
        let app = self.app.clone();
        Box::pin(async move {
            loop {
                tokio::select! {
                    ended = ends.recv() => match ended {
                        Ok(other) if other != run => {}
                        Ok(_) | Err(RecvError::Closed) => return,
                        // Ends were missed: the run may be among them.
                        Err(RecvError::Lagged(_)) => {
                            if app.registry.position(run).is_none() && !app.registry.is_live(run) {
                                return;
                            }
                        }
                    },
                    () = app.closing.cancelled() => return,
                }
            }
        })
    }
}

fn table_of(rows: &[BTreeMap<String, Value>]) -> Result<Table, Vec<RowProblem>> {
    let objects = rows.iter().map(|row| row.iter().map(|(name, value)| (name.clone(), value.clone())).collect());
    Table::of_objects(objects.collect())
}

fn rows_error(problems: Vec<RowProblem>) -> ApiError {
    unusable_rows(&RowsError { file: "the request".to_owned(), problems })
}

/// The answer for rows that cannot be used.
pub(crate) fn unusable_rows(error: &RowsError) -> ApiError {
    let report = error.standard();
    ApiError { status: StatusCode::UNPROCESSABLE_ENTITY, error: Box::new(report), retry_after: None, challenge: None }
}

/// The answer for an error of batches.
pub(crate) fn batch_error(error: BatchError) -> ApiError {
    let status = match &error {
        BatchError::Rows(_) => StatusCode::UNPROCESSABLE_ENTITY,
        BatchError::Unknown(_) => StatusCode::NOT_FOUND,
        BatchError::Several { .. }
        | BatchError::SecretRow { .. }
        | BatchError::Held { .. }
        | BatchError::Cancelled(_)
        | BatchError::Changed { .. } => StatusCode::CONFLICT,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    ApiError { status, error: Box::new(error.standard()), retry_after: None, challenge: None }
}
