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

use super::{ADMIN, READ, Route, delete, get, post, put};
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
}

/// The key is for those who may change schedules: whoever has it can sign requests to the receiver.
fn shown(app: &App, caller: &Caller, schedule: Schedule) -> ScheduleView {
    let next = schedule.plan.next(Timestamp::now()).filter(|_| schedule.plan.enabled);
    let has_key = schedule.plan.webhook.is_some() && caller.has(TokenScope::Admin);
    let webhook_key = has_key.then(|| app.auth.webhook_key(&schedule.id));
    ScheduleView { schedule, next, webhook_key }
}

async fn list(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
) -> Result<ApiResponse<Vec<ScheduleView>>, ApiError> {
    let all = app.schedules.all(&app).await?;
    Ok(ApiResponse::ok(all.into_iter().map(|schedule| shown(&app, &caller, schedule)).collect()))
}

async fn make(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    ApiJson(plan): ApiJson<SchedulePlan>,
) -> Result<ApiResponse<ScheduleView>, ApiError> {
    plan.check(&app)?;
    let id = Uuid::now_v7().simple().to_string();
    let schedule = app.schedules.put(&app, &id, plan).await?;
    Ok(ApiResponse::ok(shown(&app, &caller, schedule)))
}

async fn change(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    ApiJson(plan): ApiJson<SchedulePlan>,
) -> Result<ApiResponse<ScheduleView>, ApiError> {
    known(&app, &id).await?;
    plan.check(&app)?;
    let schedule = app.schedules.put(&app, &id, plan).await?;
    Ok(ApiResponse::ok(shown(&app, &caller, schedule)))
}

#[derive(Serialize, JsonSchema)]
struct DeletedSchedule {
    id: String,
}

async fn forget(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<ApiResponse<DeletedSchedule>, ApiError> {
    if app.schedules.delete(&app, &id).await? { Ok(ApiResponse::ok(DeletedSchedule { id })) } else { Err(missing(&id)) }
}

async fn known(app: &App, id: &str) -> Result<(), ApiError> {
    let known = app.schedules.all(app).await?.iter().any(|one| one.id == id);
    if known { Ok(()) } else { Err(missing(id)) }
}

fn missing(id: &str) -> ApiError {
    ApiError::missing(format!("there is no schedule {id:?}"))
}
