//! Pause, resume, cancel and answer, and the control of the browser by a person.

use std::sync::Arc;

use axum::extract::{Extension, Path, State};
use legwork::{
    browser::{ViewerInput, ViewerState},
    protocol::RunId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    Route, STEER, post,
    runs::{Started, find},
};
use crate::{
    access::Caller,
    app::App,
    envelope::{ApiJson, ApiResponse},
    error::ApiError,
    registry::Assume,
};

pub(super) fn routes() -> Vec<Route> {
    vec![
        post(STEER, "/api/automation/sessions/{id}/pause", "Nothing is executed until it is resumed", pause)
            .response::<SteerReply>()
            .refuses(&[409]),
        post(
            STEER,
            "/api/automation/sessions/{id}/resume",
            "Resumes the run where it was paused, or where its journal ends",
            resume,
        )
        .request_body::<Resume>(|| json!({ "assume": "done" }))
        .refuses(&[409, 422])
        .accepts::<Started>(),
        post(STEER, "/api/automation/sessions/{id}/cancel", "Cancels the run permanently", cancel)
            .request_body::<Cancel>(|| json!({ "reason": "the order is not needed any more" }))
            .refuses(&[409])
            .response::<SteerReply>(),
        post(
            STEER,
            "/api/automation/sessions/{id}/answer",
            "Answers the run's open question, at any later time",
            answer,
        )
        .request_body::<Answer>(|| json!({ "text": "yes" }))
        .refuses(&[409, 422])
        .accepts::<Started>(),
        post(
            STEER,
            "/api/automation/sessions/{id}/input",
            "Sends mouse and keyboard input to the browser of a run that is paused or waits for an answer",
            input,
        )
        .request_body::<Input>(
            || json!({ "inputs": [{ "type": "down", "x": 0.5, "y": 0.25 }, { "type": "up", "x": 0.5, "y": 0.25 }] }),
        )
        .refuses(&[409])
        .response::<InputReply>()
        .acts_at_times(),
    ]
}

/// The run received the op. Its events show the effect.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SteerReply {
    session_id: RunId,
    asked: &'static str,
}

async fn pause(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<ApiResponse<SteerReply>, ApiError> {
    let run = find(&app, &id).await?;
    app.registry.pause(run).await?;
    Ok(ApiResponse::ok(SteerReply { session_id: run, asked: "pause" }))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Resume {
    /// The outcome of the action whose result was lost, if the run waits for it.
    #[serde(default)]
    assume: Option<Assume>,
    /// The id of an offered tab of the user's own browser, in which the run continues.
    #[serde(default)]
    tab: Option<String>,
}

async fn resume(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    ApiJson(body): ApiJson<Resume>,
) -> Result<ApiResponse<Started>, ApiError> {
    let run = find(&app, &id).await?;
    let put = app.registry.resume(run, body.assume, body.tab).await?;
    Ok(ApiResponse::accepted(Started::new(run, put)))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Cancel {
    /// The reason, for the record.
    #[serde(default)]
    reason: Option<String>,
}

async fn cancel(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    ApiJson(body): ApiJson<Cancel>,
) -> Result<ApiResponse<SteerReply>, ApiError> {
    let run = find(&app, &id).await?;
    app.registry.cancel(run, body.reason).await?;
    Ok(ApiResponse::ok(SteerReply { session_id: run, asked: "cancel" }))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Answer {
    /// The answer. The answer to a secret question is stored among the secrets of the run and never in the journal.
    text: String,
}

async fn answer(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    ApiJson(body): ApiJson<Answer>,
) -> Result<ApiResponse<Started>, ApiError> {
    let run = find(&app, &id).await?;
    let put = app.registry.answer(run, body.text).await?;
    Ok(ApiResponse::accepted(Started::new(run, put)))
}

/// The most inputs of one request.
const MAX_INPUTS: usize = 200;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "InputRequest")]
struct Input {
    /// The inputs in their order, at most 200. Without any, only the state is returned.
    inputs: Vec<ViewerInput>,
}

/// What the frames of the browser do not show.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct InputReply {
    session_id: RunId,
    #[serde(flatten)]
    state: ViewerState,
}

async fn input(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    ApiJson(body): ApiJson<Input>,
) -> Result<ApiResponse<InputReply>, ApiError> {
    let run = find(&app, &id).await?;
    if body.inputs.len() > MAX_INPUTS {
        return Err(ApiError::bad(format!("{} inputs are more than {MAX_INPUTS}", body.inputs.len()))
            .suggest("Send them in several requests."));
    }
    let (state, is_first) = app.registry.send_input(run, &body.inputs).await?;
    if is_first {
        caller.run.set(run);
    }
    Ok(ApiResponse::ok(InputReply { session_id: run, state }))
}
