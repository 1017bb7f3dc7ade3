//! The health of the server, its environment, and the integrity of its records.

use std::{collections::BTreeSet, sync::Arc};

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use legwork::store::{RunFilter, RunState};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Access, READ, Route, get,
    setup::{self, BrowserSetup},
};
use crate::{app::App, envelope::ApiResponse, error::ApiError};

/// Number of newest runs that the report includes.
const MAX_RUNS: usize = 10_000;

pub(super) fn routes() -> Vec<Route> {
    let health = get(Access::Open, "/api/health", "Whether the server is running", health).response::<Liveness>();
    vec![
        health,
        get(READ, "/api/health/detailed", "The environment of the server and the integrity of its data", detailed)
            .response::<DetailedHealth>(),
        get(READ, "/metrics", "Figures for Prometheus", metrics).bytes("application/openmetrics-text"),
    ]
}

#[derive(Serialize, JsonSchema)]
struct Liveness {
    status: &'static str,
}

async fn health() -> ApiResponse<Liveness> {
    ApiResponse::ok(Liveness { status: "ok" })
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct DetailedHealth {
    /// `ok`, or `degraded` if something below is not in order.
    status: &'static str,
    browser: BrowserSetup,
    store: Store,
    keys: Vec<super::settings::ProviderKey>,
    queue: Queue,
    integrity: Integrity,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Store {
    data_dir: String,
    runs: usize,
    /// Size of the run log in bytes.
    log_bytes: u64,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Queue {
    live: usize,
    max_concurrent: usize,
    waiting: usize,
    max_queue: usize,
}

/// The integrity of the data: whether everything that belongs together exists.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Integrity {
    ok: bool,
    /// Runs that are in progress according to the log, but that no process drives. Each can be resumed.
    orphans: Vec<String>,
    /// Number of artifacts that events refer to and that do not exist.
    missing_artifacts: usize,
    /// The hashes of some of them.
    missing: Vec<String>,
}

async fn detailed(State(app): State<Arc<App>>) -> Result<ApiResponse<DetailedHealth>, ApiError> {
    let settings = app.runtime.settings();
    let browser = setup::browser(&app);
    let all = app.log().list(RunFilter::default()).await?.total;
    let at_work =
        RunFilter { states: vec![RunState::Running, RunState::Paused], limit: MAX_RUNS, ..RunFilter::default() };
    let runs = app.log().list(at_work).await?.runs;
    let orphans: Vec<String> = runs.iter().filter(|run| run.interrupted()).map(|run| run.run.to_string()).collect();
    let (live, waiting) = app.registry.load();
    let (max_concurrent, max_queue) = app.registry.limits();
    let integrity = integrity(&app, orphans).await?;
    let driven = runs.iter().filter(|run| run.driven && run.state == RunState::Running).count();
    tracing::debug!(driven, live, "health was checked");
    let log = settings.data_dir.join("runs.db");
    Ok(ApiResponse::ok(DetailedHealth {
        status: if browser.found && integrity.ok { "ok" } else { "degraded" },
        browser,
        store: Store {
            data_dir: settings.data_dir.display().to_string(),
            runs: all,
            log_bytes: std::fs::metadata(log).map_or(0, |about| about.len()),
        },
        keys: super::settings::keys(&settings, &BTreeSet::new()),
        queue: Queue { live, max_concurrent, waiting, max_queue },
        integrity,
    }))
}

async fn integrity(app: &App, orphans: Vec<String>) -> Result<Integrity, ApiError> {
    let named: BTreeSet<String> = app.log().artifacts().await?.into_iter().collect();
    let artifacts = app.artifacts();
    let look = move || -> Vec<String> {
        named.into_iter().filter(|hash| artifacts.path(hash).is_some_and(|path| !path.exists())).collect()
    };
    let missing = tokio::task::spawn_blocking(look).await.unwrap_or_default();
    let missing_artifacts = missing.len();
    Ok(Integrity {
        ok: missing_artifacts == 0,
        orphans,
        missing_artifacts,
        missing: missing.into_iter().take(20).collect(),
    })
}

async fn metrics(State(app): State<Arc<App>>) -> Response {
    let (live, queued) = app.registry.load();
    let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    app.metrics.live.set(count(live));
    app.metrics.queued.set(count(queued));
    app.metrics.viewers.set(count(app.hub.all_viewers()));
    ([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], app.metrics.text())
        .into_response()
}
