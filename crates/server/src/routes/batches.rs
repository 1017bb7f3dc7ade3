//! Batches: reading a file of rows, start, list, read, continue, cancel, results.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use axum::{
    extract::{Path, State},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use legwork::{
    Assumption,
    protocol::{BatchId, Status},
    record::{RecordState, StatusLabel, Tone},
};
use legwork_batch::{
    Batch, BatchCounts, BatchRow, ColumnRules, ContinueRules, RowFile, RowProblem, RowProblemKind, RowResult,
    RowStatus, RowView, bind, result_csv, result_lines,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{READ, RUN, Route, STEER, get, post};
use crate::{
    app::{App, ROWS_LIMIT},
    batches::{BatchRequest, Batches, batch_error, unusable_rows},
    envelope::{ApiJson, ApiQuery, ApiResponse, RowsBody},
    error::ApiError,
    registry::Assume,
    request::Execute,
};

pub(super) fn routes() -> Vec<Route> {
    vec![
        post(RUN, "/api/batches", "Starts a run for each row and answers at once with the id of the batch", start)
            .request_body::<BatchRequest>(|| {
                json!({
                    "run": { "text": "url: https://shop.example\nType \"${customer}\" into \"Name\"" },
                    "rows": [{ "customer": "Ada" }, { "customer": "Bob" }],
                    "jobs": 2
                })
            })
            .refuses(&[404, 409, 422])
            .accepts::<BatchItem>(),
        get(READ, "/api/batches", "The batches, the newest first", list)
            .query::<BatchQuery>()
            .response::<Vec<BatchItem>>(),
        post(RUN, "/api/batches/rows", "Reads a file of rows (CSV, JSON lines or a workbook) and starts nothing", read)
            .query::<RowFileQuery>()
            .file_body()
            .response::<RowTable>()
            .refuses(&[404, 422]),
        get(READ, "/api/batches/{id}", "A batch with the run and the state of each row", show)
            .query::<RowQuery>()
            .response::<BatchDetails>(),
        get(READ, "/api/batches/{id}/results", "The results of the rows, as a file", results)
            .query::<ResultsQuery>()
            .bytes("text/csv"),
        post(RUN, "/api/batches/{id}/resume", "Continues a batch: each row is done once", resume)
            .request_body::<ResumeBatch>(|| json!({ "assume": "done", "retryFailed": true }))
            .refuses(&[409, 422])
            .accepts::<BatchItem>(),
        post(STEER, "/api/batches/{id}/cancel", "Cancels a batch and its runs in progress", cancel)
            .response::<BatchItem>()
            .refuses(&[409]),
    ]
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct BatchItem {
    id: BatchId,
    /// The name of the workflow.
    name: String,
    /// The id of the saved workflow that it runs, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    workflow_id: Option<String>,
    /// Whether this server can continue it. A batch that was started at a terminal is continued there.
    is_own: bool,
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
    /// The requested rows.
    rows: Vec<BatchRowItem>,
    /// The number of rows with the requested state.
    matches: usize,
}

/// A row with its values.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct BatchRowItem {
    #[serde(flatten)]
    view: RowView,
    /// The state as it is displayed.
    verdict: StatusLabel,
    /// The values of its inputs, without those of secret columns.
    values: BTreeMap<String, Value>,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RowQuery {
    /// Only rows in this state.
    state: Option<RowStatus>,
    /// How many of these rows are left out at the beginning.
    offset: Option<usize>,
    /// How many rows are returned; by default all.
    limit: Option<usize>,
}

async fn item(app: &App, batch: &Batch) -> Result<BatchItem, ApiError> {
    let none = RowQuery { limit: Some(0), ..RowQuery::default() };
    Ok(details(app, batch, &none).await?.batch)
}

async fn details(app: &App, batch: &Batch, query: &RowQuery) -> Result<BatchDetails, ApiError> {
    let store = Batches::store(app);
    let mut rows = store.views(batch).await.map_err(batch_error)?;
    let counts = BatchCounts::of(rows.iter().map(|row| (row.status, row.validation)));
    let cancelled = store.is_cancelled(batch.id).await.map_err(batch_error)?;
    let item = BatchItem {
        id: batch.id,
        name: batch.workflow.name.clone(),
        workflow_id: workflow_id(batch),
        is_own: batch.options.request.is_some(),
        created: batch.created,
        live: app.batches.is_live(batch.id),
        cancelled,
        counts,
    };
    rows.retain(|row| query.state.is_none_or(|state| row.status == state));
    let matches = rows.len();
    let values: HashMap<usize, &BatchRow> = batch.rows.iter().map(|row| (row.number, row)).collect();
    let rows = rows.into_iter().skip(query.offset.unwrap_or(0)).take(query.limit.unwrap_or(usize::MAX));
    let rows = rows.map(|view| BatchRowItem {
        values: values.get(&view.row).map(|row| row.values.clone()).unwrap_or_default(),
        verdict: verdict(&view),
        view,
    });
    Ok(BatchDetails { batch: item, rows: rows.collect(), matches })
}

fn verdict(view: &RowView) -> StatusLabel {
    let state = match view.status {
        RowStatus::Waiting => RecordState::Pending,
        RowStatus::Running => RecordState::Running,
        RowStatus::Asking => return StatusLabel::waiting_for_answer(),
        RowStatus::Interrupted => RecordState::Interrupted,
        RowStatus::Parked => RecordState::Ended(Status::Parked),
        RowStatus::Success => RecordState::Ended(Status::Success),
        RowStatus::Failure => RecordState::Ended(Status::Failure),
        RowStatus::Error => RecordState::Ended(Status::Error),
        RowStatus::Cancelled => RecordState::Ended(Status::Cancelled),
        RowStatus::Deleted => return StatusLabel::new(Tone::Wait, "Deleted before its end"),
    };
    StatusLabel::of_run(state, view.validation)
}

/// The saved workflow that a batch runs.
fn workflow_id(batch: &Batch) -> Option<String> {
    Some(batch.options.request.as_ref()?.get("workflowId")?.as_str()?.to_owned())
}

async fn find(app: &App, id: &str) -> Result<Batch, ApiError> {
    if id == "last" {
        return Err(ApiError::bad("`last` is not accepted by the API; send the id of the batch"));
    }
    Batches::store(app).find(id).await.map_err(batch_error)
}

async fn start(
    State(app): State<Arc<App>>,
    ApiJson(body): ApiJson<BatchRequest, ROWS_LIMIT>,
) -> Result<ApiResponse<BatchItem>, ApiError> {
    let batch = Batches::begin(&app, body).await?;
    Ok(ApiResponse::accepted(item(&app, &batch).await?))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BatchQuery {
    /// Only batches of the saved workflow with this id.
    workflow: Option<String>,
}

async fn list(
    State(app): State<Arc<App>>,
    ApiQuery(query): ApiQuery<BatchQuery>,
) -> Result<ApiResponse<Vec<BatchItem>>, ApiError> {
    let mut batches = Batches::store(&app).all().await.map_err(batch_error)?;
    batches.retain(|batch| query.workflow.is_none() || workflow_id(batch) == query.workflow);
    let mut items = Vec::new();
    for batch in batches.iter().rev() {
        items.push(item(&app, batch).await?);
    }
    Ok(ApiResponse::ok(items))
}

async fn show(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    ApiQuery(query): ApiQuery<RowQuery>,
) -> Result<ApiResponse<BatchDetails>, ApiError> {
    let batch = find(&app, &id).await?;
    Ok(ApiResponse::ok(details(&app, &batch, &query).await?))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RowFileQuery {
    /// The name of the file, whose end says what it contains: .csv, .tsv, .jsonl, .ndjson or .xlsx.
    name: String,
    /// The sheet of a workbook; by default the first one.
    sheet: Option<String>,
    /// The id of the saved workflow that will run for each row. The answer then says what in the rows does not fit to
    /// it.
    workflow: Option<String>,
}

/// The rows of a file as a request for a batch contains them.
#[derive(Serialize, JsonSchema)]
struct RowTable {
    /// The names of the columns.
    columns: Vec<String>,
    /// The rows, without their empty cells.
    rows: Vec<Map<String, Value>>,
    /// What does not fit to the workflow. A batch with these rows is refused until it is corrected.
    problems: Vec<RowTableProblem>,
}

/// What in the rows does not fit to the workflow.
#[derive(Serialize, JsonSchema)]
struct RowTableProblem {
    kind: RowTableProblemKind,
    /// The column or the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<String>,
    /// The problem in words, with its row and column.
    message: String,
}

#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum RowTableProblemKind {
    /// The workflow has no input of this name. The column can be left out.
    UnknownColumn,
    /// There is no column for an input. One value can be given for all rows.
    MissingColumn,
    /// A cell or a column has to be changed.
    Content,
}

impl RowTableProblem {
    fn of(problem: &RowProblem) -> RowTableProblem {
        let kind = match problem.kind {
            RowProblemKind::UnknownColumn { .. } | RowProblemKind::UndeclaredSecret(_) => {
                RowTableProblemKind::UnknownColumn
            }
            RowProblemKind::MissingColumn => RowTableProblemKind::MissingColumn,
            _ => RowTableProblemKind::Content,
        };
        RowTableProblem { kind, column: problem.column.clone(), message: problem.to_string() }
    }
}

/// Maximum number of problems of a table in an answer.
const MAX_TABLE_PROBLEMS: usize = 50;

async fn read(
    State(app): State<Arc<App>>,
    ApiQuery(query): ApiQuery<RowFileQuery>,
    RowsBody(content): RowsBody,
) -> Result<ApiResponse<RowTable>, ApiError> {
    let sheet = query.sheet.filter(|sheet| !sheet.is_empty());
    let file = RowFile::with_content(&query.name, content);
    let table = file.and_then(|file| file.table(sheet.as_deref())).map_err(|error| unusable_rows(&error))?;
    let problems = match query.workflow {
        Some(id) => {
            let subject =
                Execute { workflow_id: Some(id), ..Execute::default() }.resolved(&app).await?.subject(&app)?;
            // The problems of a workflow that cannot be read are those of its own page.
            let bound = subject.reading.workflow.map(|workflow| bind(&table, &workflow, &ColumnRules::default()));
            bound.and_then(Result::err).unwrap_or_default()
        }
        None => Vec::new(),
    };
    let problems = problems.iter().take(MAX_TABLE_PROBLEMS).map(RowTableProblem::of).collect();
    let object = |cells: Vec<Option<Value>>| {
        table.columns.iter().zip(cells).filter_map(|(name, cell)| Some((name.clone(), cell?))).collect()
    };
    let rows = table.rows.iter().map(|row| object(row.cells.clone())).collect();
    Ok(ApiResponse::ok(RowTable { columns: table.columns.clone(), rows, problems }))
}

#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ResultsFormat {
    /// A table with a column for each value.
    #[default]
    Csv,
    /// One object per line.
    Jsonl,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ResultsQuery {
    /// `csv` (default) or `jsonl`.
    format: Option<ResultsFormat>,
}

async fn results(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    ApiQuery(query): ApiQuery<ResultsQuery>,
) -> Result<Response, ApiError> {
    let batch = find(&app, &id).await?;
    let store = Batches::store(&app);
    let mut results = Vec::with_capacity(batch.rows.len());
    for view in store.views(&batch).await.map_err(batch_error)? {
        results.push(RowResult::read(&**store.log(), &view).await?);
    }
    let (text, kind, end) = match query.format.unwrap_or_default() {
        ResultsFormat::Csv => (result_csv(&results).map_err(batch_error)?, "text/csv; charset=utf-8", "csv"),
        ResultsFormat::Jsonl => (result_lines(&results), "application/x-ndjson", "jsonl"),
    };
    let name = format!("attachment; filename=\"batch-{}.{end}\"", batch.id);
    let mut response = text.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_str(&name).expect("an id is letters and digits"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("sandbox; default-src 'none'"));
    Ok(response)
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
    Ok(ApiResponse::accepted(item(&app, &batch).await?))
}

async fn cancel(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<ApiResponse<BatchItem>, ApiError> {
    let batch = find(&app, &id).await?;
    Batches::store(&app).cancel(batch.id).await.map_err(batch_error)?;
    Ok(ApiResponse::ok(item(&app, &batch).await?))
}
