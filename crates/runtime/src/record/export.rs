//! The export of a run as one document.

use legwork_protocol::Event;
use serde::Serialize;

use super::{LoopMetrics, RunRecord};

/// A run for export: what `export --format json` writes.
#[derive(Serialize)]
pub struct Export<'a> {
    /// The version of Legwork that wrote the export.
    pub legwork: &'static str,
    /// The folded run.
    pub record: &'a RunRecord,
    /// The metrics of the run.
    pub metrics: LoopMetrics,
    /// The complete journal, so that a bug report can be replayed.
    pub events: &'a [Event],
}

impl<'a> Export<'a> {
    /// The record and its events.
    pub fn new(record: &'a RunRecord, events: &'a [Event]) -> Self {
        Export { legwork: env!("CARGO_PKG_VERSION"), record, metrics: record.metrics(), events }
    }
}
