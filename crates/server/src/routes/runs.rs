//! Starting, listing and reading runs.

use std::sync::Arc;

use axum::{
    Extension,
    extract::{Path, State},
    http::HeaderMap,
};
use legwork::{
    protocol::{Code, Event, EventKind, Question, RunId, ScreenshotInfo},
    record::{LoopMetrics, RunRecord},
    store::{RunFilter, RunState, RunSummary},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::Unexpected};
use serde_json::{Value, json};

use super::{ADMIN, READ, RUN, Route, RunListItem, delete, get, post, repeat};
use crate::{
    access::Caller,
    app::App,
    envelope::{ApiJson, ApiQuery, ApiResponse, Pagination, within},
    error::ApiError,
    registry::{Admission, Key, KeyClaim, QueuedRun, RunSpec},
    request::Execute,
    request_problem::RequestProblem,
    run_requests, template,
};

/// Maximum number of events in a response.
const MAX_EVENTS: usize = 2_000;
/// Maximum number of runs on a page.
const PAGE: usize = 200;

pub(super) fn routes() -> Vec<Route> {
    vec![
        post(RUN, "/api/automation/execute", "Starts a run and answers at once with its id", execute)
            .request_body::<Execute>(|| {
                json!({
                    "steps": ["Open https://example.org", "Check that \"Example Domain\" is shown"],
                    "options": { "decider": "literal", "timeout": "5m" }
                })
            })
            .refuses(&[404, 409, 422])
            .header("Idempotency-Key", "A request with the same key and body gets the same run, for a day")
            .accepts::<Started>(),
        get(READ, "/api/automation/templates", "Workflows to start by name", templates)
            .response::<Vec<template::TemplateView>>(),
        get(READ, "/api/automation/sessions", "The runs, the newest first", list)
            .query::<RunListQuery>()
            .response::<Vec<RunListItem>>(),
        get(READ, "/api/automation/sessions/{id}", "A run: its steps, decisions, figures", show).response::<Session>(),
        delete(ADMIN, "/api/automation/sessions/{id}", "Deletes a run that no process drives", forget)
            .response::<DeletedRun>()
            .refuses(&[409]),
        get(RUN, "/api/automation/sessions/{id}/request", "The request that repeats a run", request)
            .response::<RunRequest>(),
        get(READ, "/api/automation/sessions/{id}/history", "A run's events", history)
            .query::<HistoryQuery>()
            .response::<History>(),
        get(READ, "/api/automation/sessions/{id}/screenshots", "A run's pictures", screenshots)
            .response::<Vec<Picture>>(),
    ]
}

/// The run with this id.
pub(super) async fn find(app: &App, id: &str) -> Result<RunId, ApiError> {
    if let Ok(run) = id.parse::<RunId>()
        && app.registry.position(run).is_some()
    {
        return Ok(run);
    }
    if matches!(id, "last" | "latest") {
        return Err(ApiError::bad("`last` is not accepted by the API; send the id of the run"));
    }
    Ok(app.runtime.find_run(id).await?)
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Started {
    session_id: RunId,
    /// The same id.
    stream_id: RunId,
    /// `running` or `queued`.
    state: &'static str,
    /// The position in the queue, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<usize>,
    links: Links,
}

#[derive(Serialize, JsonSchema)]
struct Links {
    #[serde(rename = "self")]
    this: String,
    events: String,
    sse: String,
    ws: String,
}

impl Started {
    pub(super) fn new(run: RunId, put: Admission) -> Started {
        let (state, position) = match put {
            Admission::Running => ("running", None),
            Admission::Queued { position } => ("queued", Some(position)),
        };
        let links = Links {
            this: format!("/api/automation/sessions/{run}"),
            events: format!("/api/automation/sessions/{run}/history"),
            sse: format!("/api/stream/sse/{run}"),
            ws: format!("/api/stream/ws/{run}"),
        };
        Started { session_id: run, stream_id: run, state, position, links }
    }
}

async fn execute(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    ApiJson(body): ApiJson<Execute>,
) -> Result<ApiResponse<Started>, ApiError> {
    let body = body.resolved(&app).await?;
    let run = RunId::new();
    let key = match headers.get("idempotency-key") {
        Some(key) => {
            let text = key.to_str().map_err(|_| ApiError::bad("Idempotency-Key: printable ASCII characters"))?;
            Some(Key::new(text, &body)?)
        }
        None => None,
    };
    let kept = app.key_value_store();
    if let Some(key) = &key
        && let KeyClaim::Existing(before) = key.claim(&*kept, run).await?
    {
        caller.run.set(before);
        let put = app.registry.position(before).map_or(Admission::Running, |position| Admission::Queued { position });
        return Ok(ApiResponse::accepted(Started::new(before, put)));
    }
    match app.registry.submit(QueuedRun { run, work: RunSpec::Start(Box::new(body)) }).await {
        Ok(put) => {
            caller.run.set(run);
            Ok(ApiResponse::accepted(Started::new(run, put)))
        }
        Err(refused) => {
            if let Some(key) = key {
                key.release(&*kept).await;
            }
            Err(refused)
        }
    }
}

async fn templates(State(app): State<Arc<App>>) -> ApiResponse<Vec<template::TemplateView>> {
    ApiResponse::ok(app.templates.shown())
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RunListQuery {
    /// The number of the page, from 1.
    #[schemars(range(min = 1))]
    page: Option<usize>,
    /// Items per page, at most 200; 20 if absent.
    #[schemars(range(min = 1, max = PAGE))]
    page_size: Option<usize>,
    /// Only runs in this state.
    #[schemars(extend("enum" = STATES))]
    state: Option<String>,
    /// Only runs whose name or id contains this text.
    q: Option<String>,
}

async fn list(
    State(app): State<Arc<App>>,
    ApiQuery(query): ApiQuery<RunListQuery>,
) -> Result<ApiResponse<Vec<RunListItem>>, ApiError> {
    let state = query.state.as_deref().filter(|state| !state.is_empty());
    // The row of a running or paused run does not store whether the run was interrupted. There are few such rows, so
    // they are filtered here.
    let at_work = vec![RunState::Running, RunState::Paused];
    let (stored, apart) = match state {
        None => (Vec::new(), false),
        Some("queued") => (Vec::new(), true),
        Some("interrupted") => (at_work, true),
        Some(name) => match state_named(name)? {
            RunState::Running | RunState::Paused => (at_work, true),
            other => (vec![other], false),
        },
    };
    let queue = app.registry.queued();
    let mut rows: Vec<RunListItem> = queue
        .iter()
        .enumerate()
        .filter_map(|(index, waiting)| Some(RunListItem::queued(&waiting.summary(&app)?, index + 1)))
        .rev()
        .collect();
    let words = query.q.unwrap_or_default().to_lowercase();
    rows.retain(|row| {
        state.is_none_or(|state| row.state == state)
            && (words.is_empty()
                || row.name.to_lowercase().contains(&words)
                || row.run.to_string().contains(&words.replace('-', "")))
    });
    let page_size = within("pageSize", query.page_size, 20, 1..=PAGE)?;
    let page = within("page", query.page, 1, 1..=usize::MAX)?;
    let start = (page - 1).saturating_mul(page_size);
    let mut total = rows.len();
    let mut rows: Vec<RunListItem> = rows.into_iter().skip(start).take(page_size).collect();
    if state != Some("queued") {
        // Queued runs come first.
        let (offset, limit) = match apart {
            true => (0, usize::MAX),
            false => (start.saturating_sub(total), page_size - rows.len()),
        };
        let listed = app.log().list(RunFilter { states: stored, words, offset, limit }).await?;
        let mut stored: Vec<RunListItem> = listed.runs.iter().map(RunListItem::of).collect();
        if apart {
            stored.retain(|row| state == Some(row.state));
            total += stored.len();
            rows.extend(stored.into_iter().skip(start.saturating_sub(rows.len())).take(page_size - rows.len()));
        } else {
            total += listed.total;
            rows.append(&mut stored);
        }
    }
    let has_next = start.saturating_add(rows.len()) < total;
    Ok(ApiResponse::page(rows, Pagination { total, page, page_size, has_next, has_previous: page > 1 }))
}

/// The states by which runs can be listed.
const STATES: [&str; 9] =
    ["running", "queued", "paused", "parked", "interrupted", "success", "failure", "error", "cancelled"];

fn state_named(name: &str) -> Result<RunState, ApiError> {
    serde_json::from_value(Value::String(name.to_owned()))
        .map_err(|_| RequestProblem::choice(&STATES, Unexpected::Str(name)).named("state").into())
}

/// A run with its record.
#[derive(Serialize, JsonSchema)]
struct Session {
    summary: RunListItem,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<usize>,
    /// Its events, folded; absent while it is queued.
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<RunRecord>,
    /// Whether a process drives it now.
    live: bool,
    paused: bool,
    /// The question that waits for an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<Question>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metrics: Option<LoopMetrics>,
}

async fn show(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<ApiResponse<Session>, ApiError> {
    let run = find(&app, &id).await?;
    let waiting = app.registry.queued().into_iter().enumerate().find(|(_, waiting)| waiting.run == run);
    let Some(summary) = app.log().run(run).await? else {
        let row = waiting.and_then(|(index, waiting)| Some(RunListItem::queued(&waiting.summary(&app)?, index + 1)));
        let summary = row.ok_or_else(|| legwork::Error::NoSuchRun(id))?;
        return Ok(ApiResponse::ok(Session {
            state: summary.state,
            position: summary.position,
            summary,
            record: None,
            live: false,
            paused: false,
            question: None,
            metrics: None,
        }));
    };
    let (record, _) = record(&app, &summary).await?;
    let row = match waiting {
        // A resumed run that is queued.
        Some((index, _)) => RunListItem::queued(&summary, index + 1),
        None => RunListItem::of(&summary),
    };
    Ok(ApiResponse::ok(Session {
        state: row.state,
        position: row.position,
        live: summary.is_live(),
        paused: summary.driven && summary.state == RunState::Paused,
        question: record.open_question().cloned(),
        metrics: Some(record.metrics()),
        record: Some(record),
        summary: row,
    }))
}

/// A run's events and their fold.
pub(super) async fn record(app: &App, summary: &RunSummary) -> Result<(RunRecord, Vec<Event>), ApiError> {
    let events = app.log().read(summary.run, 1).await?;
    let mut record = RunRecord::fold(&events).map_err(|error| ApiError::internal(Code::DataCorruption, &error))?;
    if !summary.driven {
        record.abandoned();
    }
    Ok((record, events))
}

/// The row of a run in the queue or the log; none if it was deleted.
pub(super) async fn list_item(app: &App, run: RunId) -> Result<Option<RunListItem>, ApiError> {
    let queue = app.registry.queued();
    let waiting = queue.iter().enumerate().find(|(_, waiting)| waiting.run == run);
    if let Some((index, waiting)) = waiting {
        return Ok(waiting.summary(app).map(|summary| RunListItem::queued(&summary, index + 1)));
    }
    Ok(app.log().run(run).await?.as_ref().map(RunListItem::of))
}

#[derive(Serialize, JsonSchema)]
struct DeletedRun {
    run: RunId,
}

async fn forget(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<ApiResponse<DeletedRun>, ApiError> {
    let run = find(&app, &id).await?;
    if app.registry.position(run).is_some() || app.registry.is_live(run) {
        return Err(ApiError::conflict("the run is under way").suggest("Cancel it first."));
    }
    // The lease is held during the deletion, so that nobody resumes the run meanwhile.
    let lease = app.log().lease(run).await.map_err(legwork::Error::Lease)?;
    let gone = app.log().delete(run).await?;
    drop(lease);
    run_requests::delete(&*app.key_value_store(), run).await?;
    if gone { Ok(ApiResponse::ok(DeletedRun { run })) } else { Err(legwork::Error::NoSuchRun(id).into()) }
}

/// The request that repeats a run.
#[derive(Serialize, JsonSchema)]
struct RunRequest {
    /// The body for `execute`.
    request: Execute,
    /// What it runs, in the notation of a workflow file; of a task, its goal.
    text: String,
}

async fn request(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<ApiResponse<RunRequest>, ApiError> {
    let run = find(&app, &id).await?;
    let request = repeat::of_run(&app, run).await?;
    let text = repeat::text(&app, &request);
    Ok(ApiResponse::ok(RunRequest { request, text }))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HistoryQuery {
    /// The number of the first event; 1 if absent.
    from: Option<u64>,
    /// Number of events, at most 2000; 500 if absent.
    #[schemars(range(min = 1, max = MAX_EVENTS))]
    limit: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct History {
    events: Vec<Event>,
    /// The number to request next; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<u64>,
    /// The number of the run's newest event.
    last_seq: u64,
}

pub(super) async fn history(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    ApiQuery(HistoryQuery { from, limit }): ApiQuery<HistoryQuery>,
) -> Result<ApiResponse<History>, ApiError> {
    let limit = within("limit", limit, 500, 1..=MAX_EVENTS)?;
    let run = find(&app, &id).await?;
    let last_seq = app.log().run(run).await?.map_or(0, |summary| summary.last_seq);
    let events = app.log().page(run, from.unwrap_or(1).max(1), limit).await?;
    let next = events.last().map(|event| event.seq + 1).filter(|next| *next <= last_seq);
    Ok(ApiResponse::ok(History { events, next, last_seq }))
}

#[derive(Serialize, JsonSchema)]
struct Picture {
    /// The hash, for `/api/screenshots/{id}`.
    id: String,
    /// The number of its event.
    seq: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<usize>,
    /// The page's address, if an earlier event contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(flatten)]
    info: ScreenshotInfo,
}

async fn screenshots(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<ApiResponse<Vec<Picture>>, ApiError> {
    let run = find(&app, &id).await?;
    let mut url = None;
    let mut pictures = Vec::new();
    for event in app.log().read(run, 1).await? {
        match event.kind {
            EventKind::PageNavigated(page) => url = Some(page.url),
            EventKind::PageObserved(page) => url = Some(page.url),
            EventKind::ScreenshotCaptured(info) => {
                let id = info.image.hash.clone();
                pictures.push(Picture { id, seq: event.seq, step: event.step, url: url.clone(), info });
            }
            _ => {}
        }
    }
    Ok(ApiResponse::ok(pictures))
}
