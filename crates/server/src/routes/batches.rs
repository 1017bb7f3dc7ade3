//! Batches: start, list, read, continue, cancel.

use std::sync::Arc;

use axum::extract::{Path, State};
use jiff::Timestamp;
use legwork::{Assumption, protocol::BatchId};
use legwork_batch::{Batch, BatchCounts, ContinueRules, RowView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{READ, RUN, Route, STEER, get, post};
use crate::{
    app::App,
    batches::{BatchRequest, Batches, batch_error},
    envelope::{ApiJson, ApiResponse},
    error::ApiError,
    registry::Assume,
};

pub(super) fn routes() -> Vec<Route> {
    vec![
        post(RUN, "/api/batches", "Starts a run for each row and answers at once with the id of the batch", start)
            .request_body::<BatchRequest>()
            .accepts::<BatchItem>(),
        get(READ, "/api/batches", "The batches, the newest first", list).response::<Vec<BatchItem>>(),
        get(READ, "/api/batches/{id}", "A batch with the run and the state of each row", show)
            .response::<BatchDetails>(),
        post(RUN, "/api/batches/{id}/resume", "Continues a batch: each row is done once", resume)
            .request_body::<ResumeBatch>()
            .accepts::<BatchItem>(),
        post(STEER, "/api/batches/{id}/cancel", "Cancels a batch and its runs in progress", cancel)
            .response::<BatchItem>(),
    ]
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct BatchItem {
    id: BatchId,
    /// The name of the workflow.
    name: String,
    #[schemars(with = "String")]
    created: Timestamp,
    /// Whether this server works on it.
    live: bool,
    cancelled: bool,
    /// The number of rows in each state.
    counts: BatchCounts,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct BatchDetails {
    #[serde(flatten)]
    batch: BatchItem,
    rows: Vec<RowView>,
}

async fn details(app: &App, batch: &Batch) -> Result<BatchDetails, ApiError> {
    let store = Batches::store(app);
    let rows = store.views(batch).await.map_err(batch_error)?;
    let counts = BatchCounts::of(rows.iter().map(|row| (row.status, row.validation)));
    let cancelled = store.is_cancelled(batch.id).await.map_err(batch_error)?;
    let item = BatchItem {
        id: batch.id,
        name: batch.workflow.name.clone(),
        created: batch.created,
        live: app.batches.is_live(batch.id),
        cancelled,
        counts,
    };
    Ok(BatchDetails { batch: item, rows })
}

async fn find(app: &App, id: &str) -> Result<Batch, ApiError> {
    if id == "last" {
        return Err(ApiError::bad("an id is needed; `last` is for people"));
    }
    Batches::store(app).find(id).await.map_err(batch_error)
}

async fn start(
    State(app): State<Arc<App>>,
    ApiJson(body): ApiJson<BatchRequest>,
) -> Result<ApiResponse<BatchItem>, ApiError> {
    let batch = Batches::begin(&app, body).await?;
    Ok(ApiResponse::accepted(details(&app, &batch).await?.batch))
}

async fn list(State(app): State<Arc<App>>) -> Result<ApiResponse<Vec<BatchItem>>, ApiError> {
    let mut items = Vec::new();
    for batch in Batches::store(&app).all().await.map_err(batch_error)?.iter().rev() {
        items.push(details(&app, batch).await?.batch);
    }
    Ok(ApiResponse::ok(items))
}

async fn show(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<ApiResponse<BatchDetails>, ApiError> {
    let batch = find(&app, &id).await?;
    Ok(ApiResponse::ok(details(&app, &batch).await?))
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ResumeBatch {
    /// For every row that waits because the result of an action was lost: its outcome.
    #[serde(default)]
    assume: Option<Assume>,
    /// Start rows that failed again, from the first step.
    #[serde(default)]
    retry_failed: bool,
}

async fn resume(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    ApiJson(body): ApiJson<ResumeBatch>,
) -> Result<ApiResponse<BatchItem>, ApiError> {
    let batch = find(&app, &id).await?;
    let rules = ContinueRules { assume: body.assume.map(Assumption::from), retry_failed: body.retry_failed };
    Batches::work(&app, batch.clone(), rules).await?;
    Ok(ApiResponse::accepted(details(&app, &batch).await?.batch))
}

async fn cancel(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<ApiResponse<BatchItem>, ApiError> {
    let batch = find(&app, &id).await?;
    Batches::store(&app).cancel(batch.id).await.map_err(batch_error)?;
    Ok(ApiResponse::ok(details(&app, &batch).await?.batch))
}
