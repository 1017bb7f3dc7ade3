//! Export of a run as one file: JSON for programs, a table for spreadsheets, an HTML page for people.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    extract::{Path, State},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use legwork::{
    protocol::Code,
    record::{self, Export, RunRecord},
    store::RunSummary,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    READ, Route, post,
    runs::{find, record},
};
use crate::{app::App, envelope::ApiJson, error::ApiError};

/// Maximum number of bytes of images and texts in an exported page.
const MAX_ATTACHMENT_BYTES: u64 = 64 * 1024 * 1024;

pub(super) fn routes() -> Vec<Route> {
    vec![
        post(READ, "/api/automation/sessions/{id}/export", "A run as one file", export)
            .request_body::<ExportRequest>(|| json!({ "format": "csv" }))
            .refuses(&[409])
            .bytes("application/octet-stream"),
    ]
}

/// A run that is in the log.
async fn on_record(app: &App, id: &str) -> Result<RunSummary, ApiError> {
    let run = find(app, id).await?;
    app.log().run(run).await?.ok_or_else(|| ApiError::conflict("the run waits in the queue; nothing happened yet"))
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Format {
    Json,
    Csv,
    Html,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ExportRequest {
    format: Format,
}

async fn export(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    ApiJson(body): ApiJson<ExportRequest>,
) -> Result<Response, ApiError> {
    let summary = on_record(&app, &id).await?;
    let (record, events) = record(&app, &summary).await?;
    let broken = |error: &dyn std::error::Error| ApiError::internal(Code::Internal, error);
    let (text, kind, end) = match body.format {
        Format::Json => {
            let text = serde_json::to_vec_pretty(&Export::new(&record, &events)).map_err(|error| broken(&error))?;
            (text, "application/json", "json")
        }
        Format::Csv => (table(&record).map_err(|error| broken(&error))?, "text/csv; charset=utf-8", "csv"),
        Format::Html => {
            let artifacts = shown_artifacts(&app, &record).await;
            let page = record::html(&record, &artifacts).map_err(|error| broken(&error))?;
            (page.into_bytes(), "text/html; charset=utf-8", "html")
        }
    };
    let name = format!("attachment; filename=\"legwork-{}.{end}\"", summary.run);
    let mut response = text.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_str(&name).expect("an id is letters and digits"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("sandbox; default-src 'none'"));
    Ok(response)
}

/// The artifacts for the exported page, up to the limit. The page states what is missing.
async fn shown_artifacts(app: &App, record: &RunRecord) -> BTreeMap<String, Vec<u8>> {
    let (mut shown, mut room) = (BTreeMap::new(), MAX_ATTACHMENT_BYTES);
    for artifact in record.shown_artifacts() {
        if let Ok(bytes) = app.artifacts().get(&artifact.hash, room).await {
            room -= bytes.len() as u64;
            shown.insert(artifact.hash.clone(), bytes);
        }
    }
    shown
}

/// One row per step.
fn table(record: &RunRecord) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["step", "text", "state", "decider", "iterations", "started", "duration_ms", "error"])?;
    for step in &record.steps {
        let result = step.result.as_ref();
        writer.write_record([
            (step.index + 1).to_string(),
            escape_formula(&step.text),
            step.state.name().to_owned(),
            step.decider().map_or_else(String::new, |decider| format!("{decider:?}").to_lowercase()),
            result.map_or_else(String::new, |result| result.iterations.to_string()),
            step.started.map_or_else(String::new, |time| time.to_string()),
            step.duration(record.last).as_millis().to_string(),
            result
                .and_then(|result| result.error.as_ref())
                .map_or_else(String::new, |error| escape_formula(&error.message)),
        ])?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// Prevents the text of a page from being a formula in a spreadsheet.
fn escape_formula(text: &str) -> String {
    if text.starts_with(['=', '@', '+', '-', '\t', '\r']) { format!("'{text}") } else { text.to_owned() }
}
