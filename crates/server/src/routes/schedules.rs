//! Schedules: list, create, change, delete.

use std::sync::Arc;

use axum::{
    Extension,
    extract::{Path, State},
};
use jiff::Timestamp;
use legwork::protocol::RunId;
use legwork_access::TokenScope;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use super::{
    ADMIN, READ, RUN, Route, RunListItem, delete, get, post, put,
    runs::{self, Started},
};
use crate::{
    access::Caller,
    alerts::{Alert, AlertChannel, AlertError, AlertKind, Delivery, Payload},
    app::App,
    envelope::{ApiJson, ApiQuery, ApiResponse},
    error::ApiError,
    schedules::{Schedule, SchedulePlan, ScheduleTimes},
};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(READ, "/api/schedules", "The schedules and their next start times", list).response::<Vec<ScheduleView>>(),
        post(ADMIN, "/api/schedules", "Creates a schedule for a workflow", make)
            .request_body::<SchedulePlan>(|| {
                json!({
                    "name": "Every weekday", "cron": "30 9 * * MON-FRI", "timezone": "Europe/Lisbon", "template": "demo"
                })
            })
            .refuses(&[404, 422])
            .response::<ScheduleView>(),
        get(
            READ,
            "/api/schedules/preview",
            "The next start times of a cron expression, or what is wrong in it",
            preview,
        )
        .query::<ScheduleTimesQuery>()
        .response::<SchedulePreview>(),
        put(ADMIN, "/api/schedules/{id}", "Changes a schedule", change)
            .request_body::<SchedulePlan>(|| {
                json!({
                    "name": "Every weekday", "cron": "30 9 * * MON-FRI", "timezone": "Europe/Lisbon", "template": "demo"
                })
            })
            .refuses(&[422])
            .response::<ScheduleView>(),
        post(RUN, "/api/schedules/{id}/run", "Starts a run of a schedule now", run_now)
            .accepts::<Started>()
            .refuses(&[409, 422]),
        post(ADMIN, "/api/alerts/test", "Sends a test message to the addresses of a schedule", test_alerts)
            .request_body::<AlertTest>(|| json!({ "name": "Every weekday", "email": ["ada@example.org"] }))
            .response::<Vec<AlertTestResult>>(),
        delete(ADMIN, "/api/schedules/{id}", "Deletes a schedule", forget).response::<DeletedSchedule>(),
    ]
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ScheduleView {
    #[serde(flatten)]
    schedule: Schedule,
    /// The last run that it started.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_run: Option<RunId>,
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
async fn shown(app: &App, caller: &Caller, mut schedule: Schedule) -> Result<ScheduleView, ApiError> {
    if !caller.has(TokenScope::Admin) {
        schedule.plan.slack_hook = None;
    }
    let next = schedule.plan.next(Timestamp::now()).filter(|_| schedule.plan.enabled);
    let has_key = schedule.plan.webhook.is_some() && caller.has(TokenScope::Admin);
    let webhook_key = has_key.then(|| app.auth.webhook_key(&schedule.id));
    let mut results = Vec::new();
    for run in &schedule.runs {
        results.extend(runs::list_item(app, *run).await?);
    }
    let last_run = schedule.runs.first().copied();
    Ok(ScheduleView { schedule, last_run, next, webhook_key, results })
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

/// Number of start times in a preview.
const PREVIEWED: usize = 5;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ScheduleTimesQuery {
    /// Five fields, or a macro such as `@daily`.
    cron: String,
    /// An IANA time zone; by default UTC.
    timezone: Option<String>,
}

/// The times of a schedule that is not stored yet.
#[derive(Serialize, JsonSchema)]
struct SchedulePreview {
    /// The next start times; none if there is a problem.
    #[schemars(with = "Vec<String>")]
    next: Vec<Timestamp>,
    problems: Vec<SchedulePreviewProblem>,
}

/// Why a schedule with these times would be refused.
#[derive(Serialize, JsonSchema)]
struct SchedulePreviewProblem {
    /// `cron` or `timezone`.
    field: &'static str,
    message: String,
}

async fn preview(ApiQuery(query): ApiQuery<ScheduleTimesQuery>) -> ApiResponse<SchedulePreview> {
    let times = ScheduleTimes::new(&query.cron, query.timezone.as_deref().unwrap_or("UTC"));
    ApiResponse::ok(match times {
        Ok(times) => {
            SchedulePreview { next: times.after(Timestamp::now()).take(PREVIEWED).collect(), problems: Vec::new() }
        }
        Err(errors) => SchedulePreview {
            next: Vec::new(),
            problems: errors
                .iter()
                .map(|error| SchedulePreviewProblem { field: error.field(), message: error.to_string() })
                .collect(),
        },
    })
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

/// The addresses that receive a test message.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AlertTest {
    /// The id of the schedule, with whose key the request to the webhook is signed. A schedule that is not stored has
    /// none.
    #[serde(default)]
    schedule: Option<String>,
    /// The name of the schedule.
    name: String,
    #[serde(default)]
    webhook: Option<String>,
    #[serde(default)]
    slack_hook: Option<String>,
    #[serde(default)]
    email: Vec<String>,
}

/// Whether a test message was accepted.
#[derive(Serialize, JsonSchema)]
struct AlertTestResult {
    channel: AlertChannel,
    delivered: bool,
    /// The reason why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

async fn test_alerts(
    State(app): State<Arc<App>>,
    ApiJson(test): ApiJson<AlertTest>,
) -> Result<ApiResponse<Vec<AlertTestResult>>, ApiError> {
    let AlertTest { schedule, name, webhook, slack_hook, email } = test;
    let plan = SchedulePlan { name, webhook, slack_hook, email, ..SchedulePlan::default() };
    let problems = plan.alert_problems(&app);
    if !problems.is_empty() {
        return Err(ApiError::bad("the test message cannot be sent").details(problems));
    }
    let alert = Alert::new(AlertKind::Test, &plan.name, "", &app.origin, None);
    let payloads = Payload::webhook_test(&plan).into_iter().chain(Payload::for_people(&plan, &alert));
    let deliveries: Vec<_> =
        payloads.map(|payload| Delivery { schedule: schedule.clone().unwrap_or_default(), payload }).collect();
    if deliveries.is_empty() {
        return Err(ApiError::bad("a webhook, a Slack-compatible hook or an e-mail address is needed"));
    }
    let mut results = Vec::with_capacity(deliveries.len());
    for delivery in deliveries {
        let error = delivery.send(&app).await.err();
        results.push(AlertTestResult {
            channel: delivery.payload.channel(),
            delivered: error.is_none(),
            problem: error.as_ref().map(ToString::to_string),
            advice: error.as_ref().map(AlertError::hint),
        });
    }
    Ok(ApiResponse::ok(results))
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
