//! Resources: the page as text and as an image, and the traces of runs.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use legwork::{Runtime, record, store::RunQuery};
use legwork_protocol::View;
use legwork_verbs::{Format, PageCommand, execute};
use rmcp::{
    ErrorData,
    model::{Resource, ResourceContents, ResourceTemplate},
};
use tokio_util::sync::CancellationToken;

use crate::clients::{Caller, ServerState};

/// Prefix of page resources: `legwork://page/snapshot`, and `legwork://page/SESSION/snapshot` for a named session.
const PAGE: &str = "legwork://page/";
const SNAPSHOT: &str = "snapshot";
const SCREENSHOT: &str = "screenshot";
const TRACE: &str = "legwork://runs/";
/// The number of traces that are listed. Any other trace can be read by the id of its run.
const MAX_TRACES: usize = 20;
/// The maximum size in bytes of an image in a trace.
const PICTURE: u64 = 8 * 1024 * 1024;

pub(crate) async fn list(runtime: &Runtime, has_page: bool) -> Vec<Resource> {
    let mut all = Vec::new();
    if has_page {
        all.push(Resource::new(format!("{PAGE}{SNAPSHOT}"), "page snapshot").with_mime_type("text/plain"));
        all.push(Resource::new(format!("{PAGE}{SCREENSHOT}"), "page screenshot").with_mime_type("image/png"));
    }
    let runs = runtime.log().runs(RunQuery { limit: MAX_TRACES, ..RunQuery::default() }).await.unwrap_or_default();
    let trace = |run: &legwork::store::RunSummary| {
        Resource::new(format!("{TRACE}{}", run.run), format!("trace of {:?}", run.name)).with_mime_type("text/html")
    };
    all.extend(runs.iter().map(trace));
    all
}

pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let of_session = |kind: &str| format!("{PAGE}{{session}}/{kind}");
    vec![
        ResourceTemplate::new(of_session(SNAPSHOT), "page snapshot of a session").with_mime_type("text/plain"),
        ResourceTemplate::new(of_session(SCREENSHOT), "page screenshot of a session").with_mime_type("image/png"),
        ResourceTemplate::new(format!("{TRACE}{{run}}"), "trace of a run").with_mime_type("text/html"),
    ]
}

pub(crate) async fn read(
    server_state: &ServerState,
    caller: &Caller,
    uri: &str,
) -> Result<ResourceContents, ErrorData> {
    let missing = |why: &str| ErrorData::resource_not_found(format!("{uri}: {why}"), None);
    if let Some(run) = uri.strip_prefix(TRACE) {
        return trace(&server_state.options.runtime, run, uri).await;
    }
    let of_page = uri.strip_prefix(PAGE).ok_or_else(|| missing("there is no such resource"))?;
    let (session, kind) = of_page.rsplit_once('/').map_or((None, of_page), |(session, kind)| (Some(session), kind));
    if kind != SNAPSHOT && kind != SCREENSHOT {
        return Err(missing("there is no such resource"));
    }
    let page = server_state.open_page(caller, session).await.map_err(|error| missing(&error.to_string()))?;
    if kind == SNAPSHOT {
        let shown = page.observe(&View::default()).await.map_err(|failure| missing(&failure.to_string()))?;
        return Ok(ResourceContents::text(format!("{}\n{}", shown.url, shown.text), uri));
    }
    let shot = PageCommand::Screenshot { target: None, full_page: false, format: Format::Png };
    let reply = execute(&page, shot.into(), &CancellationToken::new()).await;
    let file = reply.file.ok_or_else(|| missing(&reply.text))?;
    Ok(ResourceContents::blob(STANDARD.encode(file.bytes), uri).with_mime_type(file.media_type))
}

/// The trace of a run as one HTML page.
async fn trace(runtime: &Runtime, run: &str, uri: &str) -> Result<ResourceContents, ErrorData> {
    let missing = |why: String| ErrorData::resource_not_found(format!("{uri}: {why}"), None);
    let id = runtime.find_run(run).await.map_err(|error| missing(error.to_string()))?;
    let events = runtime.log().read(id, 1).await.map_err(|error| missing(error.to_string()))?;
    let record = record::RunRecord::fold(&events).map_err(|error| missing(error.to_string()))?;
    let (store, mut artifacts) = (runtime.artifacts(), BTreeMap::new());
    for artifact in record.shown_artifacts() {
        // The HTML page shows which artifacts are missing.
        if let Ok(bytes) = store.get(&artifact.hash, PICTURE).await {
            artifacts.insert(artifact.hash.clone(), bytes);
        }
    }
    let html = record::html(&record, &artifacts).map_err(|error| missing(error.to_string()))?;
    Ok(ResourceContents::text(html, uri).with_mime_type("text/html"))
}
