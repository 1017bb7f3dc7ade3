//! The streams of a run and of all runs.

use std::sync::Arc;

use axum::{
    extract::{Path, Query, Request, State},
    http::HeaderMap,
    response::Response,
};
use legwork::protocol::RunId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ResponseKind, Route, get, runs};
use crate::{app::App, envelope::ApiResponse, error::ApiError, sse, ws};

pub(super) fn routes() -> Vec<Route> {
    let mut socket =
        get("/api/stream/ws/{id}", "A run's events over a WebSocket: subscribe, replay, filter, ping", socket);
    socket.response = ResponseKind::Upgrade;
    vec![
        get("/api/streams/{id}", "A run's stream: its newest event, who looks", stream).response::<Stream>(),
        get("/api/streams/{id}/events", "The same as the session's history", runs::history)
            .number("from", "The first event's number; 1 without it")
            .number("limit", "At most 2000")
            .response::<runs::History>(),
        get("/api/stream/sse/{id}", "A run's events as they happen, from any number on", events)
            .number("from", "The first event's number; 1 without it")
            .with("types", "Only these types, separated by commas")
            .number("deltas", "1: a model's words as they come, as well")
            .header("Last-Event-ID", "The number of the last event that was seen; beats `from`")
            .bytes("text/event-stream"),
        get("/api/stream/sse", "A row of the list whenever a run changes", all).bytes("text/event-stream"),
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
        live: summary.as_ref().is_some_and(|summary| summary.driven),
        last_seq: summary.map_or(0, |summary| summary.last_seq),
        viewers: app.hub.viewers(run),
    }))
}

#[derive(Deserialize)]
struct Wanted {
    from: Option<u64>,
    types: Option<String>,
    deltas: Option<String>,
}

async fn events(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    query: Result<Query<Wanted>, axum::extract::rejection::QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let Query(wanted) = query.map_err(|error| ApiError::bad(error.body_text()))?;
    let run = runs::find(&app, &id).await?;
    let last = match headers.get("last-event-id").map(|value| value.to_str().unwrap_or_default()) {
        None | Some("") => None,
        Some(text) => Some(
            text.parse::<u64>().map_err(|_| ApiError::bad(format!("Last-Event-ID: {text:?} is no event's number")))?,
        ),
    };
    let from = last.map_or(wanted.from.unwrap_or(1), |last| last.saturating_add(1));
    let types = wanted.types.filter(|types| !types.is_empty());
    let types = types.map(|types| types.split(',').map(|one| one.trim().to_uppercase()).collect());
    let deltas = wanted.deltas.is_some_and(|deltas| deltas == "1" || deltas == "true");
    Ok(sse::run(&app, app.hub.feed(run).await?, from, types, deltas))
}

async fn all(State(app): State<Arc<App>>) -> Response {
    sse::all(&app).await
}

async fn socket(State(app): State<Arc<App>>, Path(id): Path<String>, request: Request) -> Result<Response, ApiError> {
    let run = runs::find(&app, &id).await?;
    let feed = app.hub.feed(run).await?;
    ws::upgrade(app, feed, request)
}
