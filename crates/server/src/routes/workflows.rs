//! Saved workflows: list, create, change, delete, their versions, and export as a file.

use std::sync::Arc;

use axum::{
    Extension,
    extract::{Path, State},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use legwork::{
    playbooks::{PlaybookDrift, Playbooks, recent_drift},
    protocol::Code,
};
use legwork_scripts::workflow_text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{ADMIN, READ, RUN, Route, RunListItem, delete, get, post, put, runs};
use crate::{
    access::Caller,
    app::App,
    envelope::{ApiJson, ApiQuery, ApiResponse, within},
    error::ApiError,
    saved_workflows::{SavedWorkflow, WorkflowChange, WorkflowDraft},
    workflow_inputs::{WorkflowInput, inputs_of, secrets_of},
};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(READ, "/api/workflows", "The saved workflows, the one that was saved last first", list)
            .query::<WorkflowQuery>()
            .response::<Vec<SavedWorkflowView>>(),
        post(RUN, "/api/workflows", "Saves a new workflow", create)
            .request_body::<WorkflowDraft>(|| json!({ "name": "Sign in", "text": "url: https://shop.example\nClick \"Sign in\"" })).refuses(&[422])
            .response::<SavedWorkflowView>(),
        get(READ, "/api/workflows/{id}", "The newest version of a saved workflow", show)
            .response::<SavedWorkflowView>(),
        put(RUN, "/api/workflows/{id}", "Saves the next version of a workflow", change)
            .request_body::<WorkflowChange>(|| json!({ "version": 3, "draft": { "name": "Sign in", "text": "url: https://shop.example\nClick \"Log in\"" } })).refuses(&[409, 422])
            .response::<SavedWorkflowView>(),
        delete(ADMIN, "/api/workflows/{id}", "Deletes a saved workflow with all its versions", remove)
            .response::<DeletedWorkflow>(),
        get(READ, "/api/workflows/{id}/versions", "The stored versions of a workflow, the newest first", versions)
            .response::<Vec<SavedWorkflow>>(),
        get(READ, "/api/workflows/{id}/export", "The newest version as a workflow file", export)
            .bytes("application/yaml"),
        get(
            READ,
            "/api/workflows/{id}/drift",
            "How well the recorded playbooks agreed with the site in recent runs",
            drift,
        )
        .query::<DriftQuery>()
        .response::<Vec<WorkflowDrift>>(),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WorkflowQuery {
    /// Only workflows whose name, description or text contains each of these words.
    q: Option<String>,
}

/// A saved workflow with what a list and a form show.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SavedWorkflowView {
    #[serde(flatten)]
    saved: SavedWorkflow,
    /// Number of steps.
    steps: usize,
    inputs: Vec<WorkflowInput>,
    /// The names of the secrets that a run needs.
    secrets: Vec<String>,
    /// The run of it that was started last, if it is on record.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_run: Option<RunListItem>,
}

async fn shown(app: &App, saved: SavedWorkflow) -> Result<SavedWorkflowView, ApiError> {
    let last_run = match app.workflows.last_run(&saved.id).await? {
        Some(run) => runs::list_item(app, run).await?,
        None => None,
    };
    let workflow = saved.workflow().unwrap_or_default();
    let mut secrets = secrets_of(&workflow);
    if let Some(template) = saved.based_on.as_deref().and_then(|id| app.templates.find(id)) {
        secrets.retain(|name| !template.secrets.contains_key(name));
    }
    Ok(SavedWorkflowView {
        steps: workflow.steps.len(),
        inputs: inputs_of(&workflow),
        secrets: secrets.into_iter().collect(),
        last_run,
        saved,
    })
}

/// The name of the caller's token, if the token was created for somebody.
fn author(caller: &Caller) -> Option<String> {
    let identity = &caller.principal.as_ref()?.identity;
    identity.grant().map(|_| identity.name().to_owned())
}

async fn list(
    State(app): State<Arc<App>>,
    ApiQuery(query): ApiQuery<WorkflowQuery>,
) -> Result<ApiResponse<Vec<SavedWorkflowView>>, ApiError> {
    let words = query.q.unwrap_or_default().to_lowercase();
    let mut all = app.workflows.all().await?;
    all.retain(|one| {
        let text = format!("{}\n{}\n{}", one.name, one.description, one.text).to_lowercase();
        words.split_whitespace().all(|word| text.contains(word))
    });
    all.sort_by_key(|one| std::cmp::Reverse(one.saved));
    let mut views = Vec::with_capacity(all.len());
    for saved in all {
        views.push(shown(&app, saved).await?);
    }
    Ok(ApiResponse::ok(views))
}

async fn create(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    ApiJson(draft): ApiJson<WorkflowDraft>,
) -> Result<ApiResponse<SavedWorkflowView>, ApiError> {
    let saved = app.workflows.create(draft, author(&caller)).await?;
    Ok(ApiResponse::ok(shown(&app, saved).await?))
}

async fn show(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<ApiResponse<SavedWorkflowView>, ApiError> {
    let saved = app.workflows.find(&id).await?;
    Ok(ApiResponse::ok(shown(&app, saved).await?))
}

async fn change(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    ApiJson(change): ApiJson<WorkflowChange>,
) -> Result<ApiResponse<SavedWorkflowView>, ApiError> {
    let saved = app.workflows.change(&id, change, author(&caller)).await?;
    Ok(ApiResponse::ok(shown(&app, saved).await?))
}

#[derive(Serialize, JsonSchema)]
struct DeletedWorkflow {
    id: String,
}

async fn remove(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<ApiResponse<DeletedWorkflow>, ApiError> {
    app.workflows.delete(&id).await?;
    Ok(ApiResponse::ok(DeletedWorkflow { id }))
}

async fn versions(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<ApiResponse<Vec<SavedWorkflow>>, ApiError> {
    Ok(ApiResponse::ok(app.workflows.versions(&id).await?))
}

/// Maximum number of runs whose agreement with the site is read.
const MAX_DRIFT_RUNS: usize = 100;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DriftQuery {
    /// The number of runs, at most 100; by default 20.
    #[schemars(range(min = 1, max = MAX_DRIFT_RUNS))]
    runs: Option<usize>,
}

/// The playbook of a workflow on a site, and how well it agreed with the site.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct WorkflowDrift {
    /// The id of the playbook.
    playbook: String,
    /// The site on which it was recorded.
    site: String,
    /// Its newest version.
    version: u32,
    /// The last runs of the workflow with this playbook.
    drift: PlaybookDrift,
}

async fn drift(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    ApiQuery(query): ApiQuery<DriftQuery>,
) -> Result<ApiResponse<Vec<WorkflowDrift>>, ApiError> {
    let runs = within("runs", query.runs, 20, 1..=MAX_DRIFT_RUNS)?;
    let workflow = app.workflows.find(&id).await?.workflow().unwrap_or_default();
    let playbooks = Playbooks::new(&app.runtime.settings().data_dir);
    let failed = |error: &dyn std::error::Error| ApiError::internal(Code::Storage, error);
    let mut found = Vec::new();
    for entry in playbooks.of_workflow(&workflow).map_err(|error| failed(&error))? {
        let Some(newest) = entry.newest else { continue };
        let drift = recent_drift(&newest, &*app.log(), runs).await.map_err(|error| failed(&error))?;
        found.push(WorkflowDrift { playbook: entry.id, site: newest.site, version: newest.version, drift });
    }
    Ok(ApiResponse::ok(found))
}

async fn export(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Response, ApiError> {
    let saved = app.workflows.find(&id).await?;
    let mut response = file_text(&saved).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/yaml"));
    let name = format!("attachment; filename=\"{}.yaml\"", file_name(&saved.name));
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_str(&name).expect("letters, digits and hyphens"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("sandbox; default-src 'none'"));
    Ok(response)
}

/// The workflow as a file. A text that is YAML with the same name and address already remains as its author wrote it,
/// with its comments.
fn file_text(saved: &SavedWorkflow) -> String {
    let Some(workflow) = saved.workflow() else { return saved.text.clone() };
    let written = legwork::workflow_file::validate(&saved.text, "export.yaml").workflow;
    if !saved.task && written.as_ref() == Some(&workflow) {
        return saved.text.clone();
    }
    let about: String = saved.description.lines().map(|line| format!("# {line}\n")).collect();
    about + &workflow_text(&workflow)
}

/// A name for a file: ASCII letters, digits and hyphens.
fn file_name(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.collect::<Vec<_>>().join("-").to_lowercase();
    if name.is_empty() { "workflow".to_owned() } else { name.chars().take(60).collect() }
}
