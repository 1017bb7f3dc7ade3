//! Schedules: list, create, change, delete.

use std::sync::Arc;

use axum::{
    Extension,
    extract::{Path, State},
};
use jiff::Timestamp;
use legwork_access::TokenScope;
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use super::{
    ADMIN, READ, RUN, Route, RunListItem, delete, get, post, put,
    runs::{self, Started},
};
use crate::{
    access::Caller,
    app::App,
    envelope::{ApiJson, ApiResponse},
    error::ApiError,
    schedules::{Schedule, SchedulePlan},
};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(READ, "/api/schedules", "The schedules and their next start times", list).response::<Vec<ScheduleView>>(),
        post(ADMIN, "/api/schedules", "Creates a schedule for a workflow", make)
            .request_body::<SchedulePlan>()
            .response::<ScheduleView>(),
        put(ADMIN, "/api/schedules/{id}", "Changes a schedule", change)
            .request_body::<SchedulePlan>()
            .response::<ScheduleView>(),
        post(RUN, "/api/schedules/{id}/run", "Starts a run of a schedule now", run_now).accepts::<Started>(),
        delete(ADMIN, "/api/schedules/{id}", "Deletes a schedule", forget).response::<DeletedSchedule>(),
    ]
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ScheduleView {
    #[serde(flatten)]
    schedule: Schedule,
    /// The next start time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    next: Option<Timestamp>,
    /// The key that signs its webhooks; only for callers with the scope `admin`.
    #[serde(skip_serializing_if = "Option::is_none")]
    webhook_key: Option<String>,
    /// Its newest runs that are on record, the newest first.
    results: Vec<RunListItem>,
}

/// The key is for those who may change schedules: whoever has it can sign requests to the receiver.
async fn shown(app: &App, caller: &Caller, schedule: Schedule) -> Result<ScheduleView, ApiError> {
    let next = schedule.plan.next(Timestamp::now()).filter(|_| schedule.plan.enabled);
    let has_key = schedule.plan.webhook.is_some() && caller.has(TokenScope::Admin);
    let webhook_key = has_key.then(|| app.auth.webhook_key(&schedule.id));
    let mut results = Vec::new();
    for run in &schedule.runs {
        results.extend(runs::list_item(app, *run).await?);
    }
    Ok(ScheduleView { schedule, next, webhook_key, results })
}

async fn list(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
) -> Result<ApiResponse<Vec<ScheduleView>>, ApiError> {
    let all = app.schedules.all(&app).await?;
    let mut views = Vec::with_capacity(all.len());
    for schedule in all {
        views.push(shown(&app, &caller, schedule).await?);
    }
    Ok(ApiResponse::ok(views))
}

async fn make(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    ApiJson(plan): ApiJson<SchedulePlan>,
) -> Result<ApiResponse<ScheduleView>, ApiError> {
    plan.check(&app).await?;
    let id = Uuid::now_v7().simple().to_string();
    let schedule = app.schedules.put(&app, &id, plan).await?;
    Ok(ApiResponse::ok(shown(&app, &caller, schedule).await?))
}

async fn change(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    ApiJson(plan): ApiJson<SchedulePlan>,
) -> Result<ApiResponse<ScheduleView>, ApiError> {
    known(&app, &id).await?;
    plan.check(&app).await?;
    let schedule = app.schedules.put(&app, &id, plan).await?;
    Ok(ApiResponse::ok(shown(&app, &caller, schedule).await?))
}

#[derive(Serialize, JsonSchema)]
struct DeletedSchedule {
    id: String,
}

async fn forget(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<ApiResponse<DeletedSchedule>, ApiError> {
    if app.schedules.delete(&app, &id).await? { Ok(ApiResponse::ok(DeletedSchedule { id })) } else { Err(missing(&id)) }
}

async fn run_now(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<ApiResponse<Started>, ApiError> {
    let (run, admission) = app.schedules.run_now(&app, &id).await?.ok_or_else(|| missing(&id))?;
    caller.run.set(run);
    Ok(ApiResponse::accepted(Started::new(run, admission)))
}

async fn known(app: &App, id: &str) -> Result<(), ApiError> {
    let known = app.schedules.all(app).await?.iter().any(|one| one.id == id);
    if known { Ok(()) } else { Err(missing(id)) }
}

fn missing(id: &str) -> ApiError {
    ApiError::missing(format!("there is no schedule {id:?}"))
}
