//! A run as one self-contained HTML page: no script, no external resource, and images as data URLs.
//!
//! Pure: it receives the record and the bytes of its artifacts, and returns text. The page contains text from web pages
//! and models, which is untrusted. The template engine escapes everything (it does so because the template's name ends
//! in `.html`), and a content security policy in the page blocks anything that gets past the escaping.

mod stylesheet;
mod timeline;
mod view;

use std::collections::BTreeMap;

use legwork_protocol::Artifact;
use minijinja::{Environment, UndefinedBehavior, value::Serde};

use super::RunRecord;

const PAGE: &str = include_str!("page.html");
const STYLESHEET: &str = include_str!("page.css");

/// The page could not be rendered, which is a defect of the template.
#[derive(Debug, thiserror::Error)]
#[error("the HTML page could not be rendered")]
pub struct HtmlError(#[source] Box<dyn std::error::Error + Send + Sync>);

/// The run as an HTML page. `artifacts` maps hashes to bytes. The page states which artifacts are missing.
pub fn html(record: &RunRecord, artifacts: &BTreeMap<String, Vec<u8>>) -> Result<String, HtmlError> {
    filled(view::Page::new(record, artifacts, STYLESHEET)).map_err(|error| HtmlError(Box::new(error)))
}

fn filled(page: view::Page<'_>) -> Result<String, minijinja::Error> {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates.add_template("page.html", PAGE)?;
    templates.get_template("page.html")?.render(Serde(page))
}

impl RunRecord {
    /// The artifacts that the page shows: screenshots, prompts, replies and the texts of observations.
    pub fn shown_artifacts(&self) -> impl Iterator<Item = &Artifact> {
        let calls = self.turns().flat_map(|turn| &turn.calls);
        let texts = self.turns().filter_map(|turn| turn.observed.as_ref()?.text.as_ref());
        self.pictures()
            .map(|picture| &picture.image)
            .chain(calls.flat_map(|call| std::iter::once(&call.request).chain(&call.reply)))
            .chain(texts)
    }
}
