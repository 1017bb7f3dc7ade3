//! Checks a workflow without running it: its problems, and which decider each step needs.

use std::sync::Arc;

use axum::extract::State;
use legwork::workflow_file::{Problem, Severity};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::{RUN, Route, post};
use crate::{
    app::App,
    envelope::{ApiJson, ApiResponse},
    error::ApiError,
    request::Execute,
    workflow_inputs::{WorkflowInput, inputs_of, secrets_of},
    workflow_problems,
};

pub(super) fn routes() -> Vec<Route> {
    vec![
        post(RUN, "/api/automation/validate", "Every problem of a workflow, and who would decide each step", validate)
            .request_body::<Execute>(|| json!({ "text": "url: https://shop.example\nClick \"Sign in\"" }))
            .refuses(&[404])
            .response::<ValidationReply>(),
    ]
}

#[derive(Serialize, JsonSchema)]
struct ValidationReply {
    valid: bool,
    problems: Vec<WorkflowProblem>,
    steps: Vec<StepDecision>,
    /// The inputs that it declares.
    inputs: Vec<WorkflowInput>,
    /// The names of the secrets that a run needs.
    secrets: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct WorkflowProblem {
    severity: &'static str,
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    /// The number of its step, from 1, if the source is YAML, JSON or a list of steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<usize>,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<String>,
}

impl From<Problem> for WorkflowProblem {
    fn from(problem: Problem) -> WorkflowProblem {
        let severity = match problem.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let Problem { line, column, step, message, hint, .. } = problem;
        let suggestion = hint.as_deref().map(workflow_problems::hint);
        WorkflowProblem { severity, line, column, step, message, suggestion }
    }
}

/// A step and its decider.
#[derive(Serialize, JsonSchema)]
struct StepDecision {
    text: String,
    /// `literal` if the words state exactly what to do, otherwise `model`.
    decider: &'static str,
    /// The actions that the words state, if they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<String>,
    /// The most similar sentence that needs no model, if the words do not state an action.
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<String>,
}

async fn validate(
    State(app): State<Arc<App>>,
    ApiJson(body): ApiJson<Execute>,
) -> Result<ApiResponse<ValidationReply>, ApiError> {
    let subject = body.resolved(&app).await?.subject(&app)?;
    // Also with an error in one step, a client shows the others.
    let readable = subject.reading.readable.as_ref();
    let inputs = readable.map(inputs_of).unwrap_or_default();
    let mut secrets = readable.map(secrets_of).unwrap_or_default();
    if let Some(template) = &subject.template {
        secrets.retain(|name| !template.secrets.contains_key(name));
    }
    let steps = readable.into_iter().flat_map(|workflow| workflow.all_steps());
    let steps = steps
        .filter(|step| step.group.is_none())
        .map(|step| {
            let action = legwork::literal_action(&step.step);
            let suggestion = if action.is_none() { legwork::nearest_sentence(&step.step) } else { None };
            StepDecision {
                text: step.step.clone(),
                decider: if action.is_some() { "literal" } else { "model" },
                action,
                suggestion,
            }
        })
        .collect();
    let valid = subject.reading.workflow.is_some();
    let problems = subject.reading.problems.into_iter().map(WorkflowProblem::from).collect();
    Ok(ApiResponse::ok(ValidationReply { valid, problems, steps, inputs, secrets: secrets.into_iter().collect() }))
}
