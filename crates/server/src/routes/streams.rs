//! The streams of one run and of all runs.

use std::sync::Arc;

use axum::{
    extract::{Path, Request, State},
    http::HeaderMap,
    response::Response,
};
use legwork::{
    protocol::{Event, RunId},
    record::view::RecordRow,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{READ, ResponseKind, Route, RunListItem, get, runs};
use crate::{
    app::App,
    envelope::{ApiQuery, ApiResponse},
    error::ApiError,
    sse, ws,
};

pub(super) fn routes() -> Vec<Route> {
    let mut socket =
        get(READ, "/api/stream/ws/{id}", "A run's events over a WebSocket: subscribe, replay, filter, ping", socket);
    socket.response = ResponseKind::Upgrade;
    vec![
        get(READ, "/api/streams/{id}", "A run's stream: its newest event and the number of viewers", stream)
            .response::<Stream>(),
        get(READ, "/api/streams/{id}/events", "The same as the session's history", runs::history)
            .query::<runs::HistoryQuery>()
            .response::<runs::History>(),
        get(READ, "/api/stream/sse/{id}", "A run's events as they happen, starting at any number", events)
            .query::<EventsQuery>()
            .header("Last-Event-ID", "The number of the last event that was seen; beats `from`")
            .stream::<Event>(),
        get(READ, "/api/stream/record/{id}", "A run's record as rows, and then its changes", record)
            .query::<RecordQuery>()
            .header("Last-Event-ID", "The number of the last event that the rows at hand include; beats `from`")
            .stream::<RecordPatch>(),
        get(READ, "/api/stream/sse", "A row of the list whenever a run changes", all).stream::<RunListItem>(),
        socket,
    ]
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Stream {
    stream_id: RunId,
    /// Whether a process drives the run now.
    live: bool,
    last_seq: u64,
    viewers: usize,
}

async fn stream(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<ApiResponse<Stream>, ApiError> {
    let run = runs::find(&app, &id).await?;
    let summary = app.log().run(run).await?;
    Ok(ApiResponse::ok(Stream {
        stream_id: run,
        live: summary.as_ref().is_some_and(legwork::store::RunSummary::is_live),
        last_seq: summary.map_or(0, |summary| summary.last_seq),
        viewers: app.hub.viewers(run),
    }))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EventsQuery {
    /// The number of the first event; 1 if absent.
    from: Option<u64>,
    /// Only events of these types, separated by commas.
    types: Option<String>,
    /// 1: also the reply of a model while it is generated.
    deltas: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RecordQuery {
    /// The number of the last event that the client's rows include; all rows if absent.
    from: Option<u64>,
    /// 1: also the reply of a model while it is generated.
    deltas: Option<String>,
}

/// Changes to a run's record: rows that replace the rows of the client.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "written row by row, from what is JSON already; this is its schema")]
struct RecordPatch {
    /// The number of the last event that the rows include.
    seq: u64,
    /// The rows.
    rows: Vec<RecordRow>,
}

/// The number that a client sends when it reconnects.
fn last_event_id(headers: &HeaderMap) -> Result<Option<u64>, ApiError> {
    match headers.get("last-event-id").map(|value| value.to_str().unwrap_or_default()) {
        None | Some("") => Ok(None),
        Some(text) => {
            let number = text.parse::<u64>();
            number
                .map(Some)
                .map_err(|_| ApiError::bad(format!("Last-Event-ID: {text:?} is not the number of an event")))
        }
    }
}

fn is_on(flag: Option<String>) -> bool {
    flag.is_some_and(|flag| flag == "1" || flag == "true")
}

async fn events(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    ApiQuery(query): ApiQuery<EventsQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let run = runs::find(&app, &id).await?;
    let from = last_event_id(&headers)?.map_or(query.from.unwrap_or(1), |last| last.saturating_add(1));
    let types = query.types.filter(|types| !types.is_empty());
    let types = types.map(|types| types.split(',').map(|one| one.trim().to_uppercase()).collect());
    Ok(sse::run(&app, app.hub.feed(run).await?, from, types, is_on(query.deltas)))
}

async fn record(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    ApiQuery(query): ApiQuery<RecordQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let run = runs::find(&app, &id).await?;
    let from = last_event_id(&headers)?.or(query.from).unwrap_or(0);
    Ok(sse::record(&app, app.hub.record_feed(run).await?, from, is_on(query.deltas)))
}

async fn all(State(app): State<Arc<App>>) -> Response {
    sse::all(&app).await
}

async fn socket(State(app): State<Arc<App>>, Path(id): Path<String>, request: Request) -> Result<Response, ApiError> {
    let run = runs::find(&app, &id).await?;
    let feed = app.hub.feed(run).await?;
    ws::upgrade(app, feed, request)
}
