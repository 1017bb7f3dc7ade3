//! The names of the elements of a page that a run observed, which the editor of steps offers as completions. Names
//! only: no values of fields, which may be personal.

use std::{collections::HashMap, sync::Arc};

use axum::extract::State;
use legwork::{
    protocol::{Artifact, Event, EventKind, RunId},
    store::RunFilter,
};
use legwork_scripts::named_elements;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use url::Url;

use super::{READ, Route, get, runs};
use crate::{
    app::App,
    envelope::{ApiQuery, ApiResponse},
    error::ApiError,
};

/// The number of newest runs that are searched for a page of the site.
const RUNS: usize = 10;
/// The maximum size of the text of a page.
const MAX_BYTES: u64 = 1 << 20;

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(READ, "/api/elements", "The names of the elements of the page that was observed last", show)
            .query::<ElementsQuery>()
            .response::<ObservedElements>(),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ElementsQuery {
    /// Only this run; otherwise the newest runs are searched.
    run: Option<String>,
    /// Only pages of the origin of this address.
    url: Option<String>,
}

#[derive(Default, Serialize, JsonSchema)]
struct ObservedElements {
    /// The run that observed the page; absent if no run did.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<RunId>,
    /// The address of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    /// The elements with a name, each once, in the order of the page.
    elements: Vec<ElementName>,
}

/// An element as a step names it.
#[derive(Serialize, JsonSchema)]
struct ElementName {
    role: String,
    name: String,
}

async fn show(
    State(app): State<Arc<App>>,
    ApiQuery(query): ApiQuery<ElementsQuery>,
) -> Result<ApiResponse<ObservedElements>, ApiError> {
    let site = match &query.url {
        Some(url) => {
            Some(Url::parse(url).map_err(|_| ApiError::bad("url: expected an address such as https://a.test"))?)
        }
        None => None,
    };
    let searched = match &query.run {
        Some(id) => vec![runs::find(&app, id).await?],
        None => {
            let newest = RunFilter { limit: RUNS, ..RunFilter::default() };
            app.log().list(newest).await?.runs.iter().map(|summary| summary.run).collect()
        }
    };
    for run in searched {
        let events = app.log().read(run, 1).await?;
        let Some((url, text)) = last_page(&events, site.as_ref()) else { continue };
        // A text that was deleted or is too long offers nothing.
        let Ok(bytes) = app.artifacts().get(&text.hash, MAX_BYTES).await else { continue };
        let named = named_elements(&String::from_utf8_lossy(&bytes));
        let elements = named.into_iter().map(|one| ElementName { role: one.role, name: one.name }).collect();
        return Ok(ApiResponse::ok(ObservedElements { run: Some(run), url: Some(url.to_owned()), elements }));
    }
    Ok(ApiResponse::ok(ObservedElements::default()))
}

/// The address and the text of the last page of this origin whose text was stored.
fn last_page<'a>(events: &'a [Event], site: Option<&Url>) -> Option<(&'a str, &'a Artifact)> {
    let mut addresses: HashMap<&str, &str> = HashMap::new();
    let mut last = None;
    for event in events {
        let (fingerprint, text) = match &event.kind {
            EventKind::PageObserved(page) => {
                addresses.insert(&page.fingerprint, &page.url);
                (&page.fingerprint, page.text.as_ref())
            }
            EventKind::PageTextSaved(page) => (&page.fingerprint, Some(&page.text)),
            _ => continue,
        };
        let Some((url, text)) = addresses.get(fingerprint.as_str()).zip(text) else { continue };
        let is_of_site =
            site.is_none_or(|site| Url::parse(url).is_ok_and(|url| url.has_host() && url.origin() == site.origin()));
        if is_of_site {
            last = Some((*url, text));
        }
    }
    last
}
