//! The request that repeats a run, and its text for an editor.

use legwork::protocol::{Code, EventKind, RunId};
use legwork_scripts::workflow_text;
use serde_json::Value;

use crate::{app::App, error::ApiError, request::Execute, run_requests};

/// The request that repeats a run: the one that started it, or what the record contains if another program started the
/// run.
pub(super) async fn of_run(app: &App, run: RunId) -> Result<Execute, ApiError> {
    if let Some(request) = run_requests::find(&*app.key_value_store(), run).await? {
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
pub(super) fn text(app: &App, request: &Execute) -> String {
    if let Some(text) = request.text.as_ref().or(request.task.as_ref()) {
        return text.clone();
    }
    if let Some(template) = request.template.as_ref().and_then(|id| app.templates.find(id)) {
        return template.text;
    }
    let workflow = request.subject(app).ok().and_then(|subject| subject.reading.workflow);
    workflow.map(|workflow| workflow_text(&workflow)).unwrap_or_default()
}
