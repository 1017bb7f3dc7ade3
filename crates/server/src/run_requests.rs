//! The requests that started runs, so that a person can repeat or change them. They are key-value entries beside the
//! runs and are deleted with them.

use jiff::Timestamp;
use legwork::{
    protocol::{Code, EventKind, RunId},
    store::StoreError,
};
use legwork_scripts::workflow_text;
use serde_json::Value;

use crate::{app::App, error::ApiError, request::Execute};

/// The kind of the key-value entries, by the id of the run.
const KIND: &str = "run-request";

/// Stores the request of a run. A failure is only logged: the run does not depend on it.
pub(crate) async fn store(app: &App, run: RunId, request: &Execute) {
    let stored = match serde_json::to_string(request) {
        Ok(body) => app.key_value_store().put_entry(KIND, &run.to_string(), body).await,
        Err(error) => {
            tracing::warn!(%error, %run, "the request of the run cannot be stored");
            return;
        }
    };
    if let Err(error) = stored {
        tracing::warn!(%error, %run, "the request of the run was not stored; it can be repeated from its record only");
    }
}

/// The request that repeats a run: the one that started it, or what the record contains if another program started the
/// run.
pub(crate) async fn of_run(app: &App, run: RunId) -> Result<Execute, ApiError> {
    let entry = app.key_value_store().entry(KIND, &run.to_string()).await?;
    if let Some(request) = entry.and_then(|entry| serde_json::from_str::<Execute>(&entry.body).ok()) {
        return Ok(request);
    }
    let first = app.log().page(run, 1, 1).await?;
    let Some(EventKind::WorkflowStarted(start)) = first.into_iter().next().map(|event| event.kind) else {
        return Err(ApiError::internal(
            Code::DataCorruption,
            &std::io::Error::other("the record does not begin with a workflow"),
        ));
    };
    let workflow = start.workflow;
    // The record masks the values of secrets, so its inputs are safe to repeat only as texts that are not handles.
    let inputs = start.inputs.into_iter().filter(|(_, value)| !is_handle(value)).collect();
    let mut request = Execute { inputs, name: Some(workflow.name.clone()), ..Execute::default() };
    match workflow.steps.as_slice() {
        [step] if start.task => {
            request.url = workflow.url;
            request.task = Some(step.step.clone());
        }
        _ => request.text = Some(workflow_text(&workflow)),
    }
    Ok(request)
}

/// Whether a value is the handle of a secret.
fn is_handle(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.contains("${secret:"))
}

/// The text of a request in the notation of a workflow file, or the goal of its task.
pub(crate) fn text(app: &App, request: &Execute) -> String {
    if let Some(text) = request.text.as_ref().or(request.task.as_ref()) {
        return text.clone();
    }
    if let Some(template) = request.template.as_ref().and_then(|id| app.templates.find(id)) {
        return template.text;
    }
    let workflow = request.subject(app).ok().and_then(|subject| subject.reading.workflow);
    workflow.map(|workflow| workflow_text(&workflow)).unwrap_or_default()
}

/// Deletes the request of a run.
pub(crate) async fn delete(app: &App, run: RunId) -> Result<(), StoreError> {
    app.key_value_store().delete_entry(KIND, &run.to_string()).await.map(drop)
}

/// Deletes the requests of the runs that were started before a point in time.
pub(crate) async fn delete_older(app: &App, before: Timestamp) -> Result<usize, StoreError> {
    app.key_value_store().delete_older(KIND, before).await
}
