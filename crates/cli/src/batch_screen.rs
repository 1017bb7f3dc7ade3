//! Shows a batch in progress: one line for each row when it ends, and on a terminal the counts below.

use std::{collections::BTreeSet, io};

use legwork::{record::describe, store::short_id};
use legwork_batch::{BatchCounts, RowEvent, RowResult, RowStatus, RowView};
use legwork_protocol::Validation;

use crate::{
    progress_lines::Now,
    screen::{Screen, Stream},
    style::{Style, escape_control},
};

/// The output of a batch.
pub(crate) struct BatchScreen {
    screen: Screen,
    /// Whether results go to standard output as JSON lines.
    json: bool,
    total: usize,
    over: Vec<(RowStatus, Option<Validation>)>,
    running: BTreeSet<usize>,
    /// Rows that needed nothing because they were over before.
    skipped: usize,
    /// The first error while writing. A broken pipe is not stored.
    pub(crate) unwritten: Option<io::Error>,
}

impl BatchScreen {
    pub(crate) fn new(quiet: bool, json: bool, logs: bool, total: usize) -> Self {
        let screen = Screen::choose(quiet, json, logs);
        let (over, running) = (Vec::new(), BTreeSet::new());
        BatchScreen { screen, json, total, over, running, skipped: 0, unwritten: None }
    }

    pub(crate) fn note(&mut self, text: &str) {
        let written = self.screen.lines(&[self.screen.style().dim(text)]);
        self.record(written);
    }

    pub(crate) fn see(&mut self, event: RowEvent) {
        match event {
            RowEvent::Started { row, .. } => {
                self.running.insert(row);
            }
            RowEvent::Ended(result) => {
                self.running.remove(&result.row);
                self.over.push((result.status, result.validation));
                let written = self.screen.lines(&lines(&result, self.screen.style()));
                self.record(written);
                if self.json {
                    let written = Stream::Out.write(&legwork_batch::result_lines(std::slice::from_ref(&*result)));
                    self.record(written);
                }
            }
            RowEvent::Unchanged(view) => self.unchanged(&view),
        }
        let counts = BatchCounts::of(self.over.iter().copied());
        let step = format!("{} of {} rows", self.over.len(), self.total);
        let failed = counts.failed + counts.errors;
        let doing = format!("{} running, {} succeeded, {failed} failed", self.running.len(), counts.succeeded());
        self.screen.now(Some(Now { step, doing, index: 0 }));
    }

    fn unchanged(&mut self, view: &RowView) {
        self.over.push((view.status, view.validation));
        if view.status.is_over() {
            self.skipped += 1;
            return;
        }
        let run = view.run.map(short_id).unwrap_or_default();
        let why = match view.status {
            RowStatus::Running | RowStatus::Asking => format!("its run {run} is driven by another process"),
            RowStatus::Deleted => format!("its run {run} was deleted before its end; look at the site"),
            _ => format!("waits for a person: legwork show {run}, then legwork resume {run} --assume done|not-done"),
        };
        let style = self.screen.style();
        let written = self.screen.lines(&[format!("{} row {}  {why}", style.wait("!"), view.row)]);
        self.record(written);
    }

    /// The end: the counts in words.
    pub(crate) fn end(&mut self, counts: &BatchCounts, batch: &str) {
        self.screen.clear();
        let mut parts = vec![format!("{} validated", counts.validated)];
        let more = [
            (counts.unvalidated, "succeeded unvalidated"),
            (counts.failed, "failed"),
            (counts.errors, "ended with an error"),
            (counts.cancelled, "cancelled"),
            (counts.parked, "wait for a person"),
            (counts.unfinished, "unfinished"),
            (counts.waiting, "not started"),
        ];
        parts.extend(more.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")));
        let skipped = if self.skipped > 0 { format!(" ({} were over before)", self.skipped) } else { String::new() };
        let rows = if counts.rows == 1 { "row" } else { "rows" };
        let style = self.screen.style();
        let mark = if counts.all_succeeded() { style.good("✓") } else { style.bad("✗") };
        let line = format!("\n{mark} {} {rows}: {}{skipped}", counts.rows, parts.join(", "));
        let next = if counts.all_succeeded() || counts.over() == counts.rows { "show" } else { "resume" };
        let written = self.screen.lines(&[line, style.dim(format!("  legwork batches {next} {batch}"))]);
        self.record(written);
    }

    fn record(&mut self, written: io::Result<()>) {
        if let Err(error) = written
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            self.unwritten.get_or_insert(error);
        }
    }
}

/// The mark and the words for the state of a row.
pub(crate) fn state_words(status: RowStatus, validation: Option<Validation>, style: Style) -> String {
    match (status, validation) {
        (RowStatus::Success, Some(Validation::Validated)) => style.good("✓ validated"),
        (RowStatus::Success, _) => style.wait("? unvalidated"),
        (RowStatus::Failure | RowStatus::Error, Some(Validation::Rejected)) => style.bad("✗ rejected"),
        (RowStatus::Failure | RowStatus::Error | RowStatus::Cancelled, _) => style.bad(format!("✗ {}", status.name())),
        (RowStatus::Asking, _) => style.wait("? waits for an answer"),
        _ => style.wait(format!("! {}", status.name())),
    }
}

/// The lines of a row that ended.
fn lines(result: &RowResult, style: Style) -> Vec<String> {
    let run = result.run.map(short_id).unwrap_or_default();
    let mut lines = vec![format!(
        "{} row {}  {}",
        state_words(result.status, result.validation, style),
        result.row,
        style.dim(format!("{}  run {run}", describe::duration(result.duration)))
    )];
    if let Some(error) = &result.error {
        lines.push(format!("    {}", escape_control(&error.to_string())));
    }
    if result.status == RowStatus::Parked {
        lines.push(format!("    try: legwork show {run}, then legwork resume {run}"));
    }
    lines
}
