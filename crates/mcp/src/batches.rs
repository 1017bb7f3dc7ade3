//! Batches: a workflow or task that runs once for each row of the caller. The request waits until every row is finished
//! or waits for a person, and its progress is reported row by row. A batch whose request was taken back, or whose
//! server ended, is continued by its id.

use std::{path::Path, sync::Arc};

use jiff::Timestamp;
use legwork::{Runtime, StartRequest, settings::RequiredResult, store::short_id};
use legwork_batch::{
    Batch, BatchCounts, BatchError, BatchOptions, BatchStore, ColumnRules, ContinueRules, ResultFormat, RowEvent,
    RowFile, RowProblem, RowResult, RowStatus, RowView, RowsError, RuntimeRunner, Table, bind, drive, result_csv,
    result_lines,
};
use legwork_protocol::{BatchId, RunId, Validation};
use legwork_verbs::{CommandFailure, PageOptions, PageReply};
use rmcp::model::ProgressNotificationParam;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::{
    files,
    runs::{self, ProgressTarget},
    tools::{BatchRows, BatchWork, NewBatch},
};

/// The number of rows in the reply to a call that began or continued a batch.
const SHOWN_ROWS: usize = 50;
/// The setting that `require` sets, as it is stored with the batch.
const REQUIRE: &str = "run.require";

/// The files that a call may use.
pub(crate) struct BatchFiles<'a> {
    /// The output folder.
    pub(crate) folder: &'a Path,
    /// The name of the file for the results.
    pub(crate) output: Option<&'a str>,
}

impl BatchFiles<'_> {
    /// The format of the results, which the name of their file says.
    fn format(&self) -> Result<Option<ResultFormat>, String> {
        let Some(name) = self.output else { return Ok(None) };
        // The place is checked before the rows run, and not after them.
        files::place(self.folder, name).map_err(|error| error.to_string())?;
        let format = ResultFormat::of(name).ok_or_else(|| format!("output: {name:?} must end in .csv or .jsonl"))?;
        Ok(Some(format))
    }

    fn rows(&self, name: &str) -> Result<Table, String> {
        let content = files::read(self.folder, name).map_err(|error| error.to_string())?;
        let table = RowFile::with_content(name, content).and_then(|file| file.table(None));
        table.map_err(|error| rows_text(&error))
    }
}

/// Begins or continues a batch, and returns its rows when each of them is finished or waits for a person.
pub(crate) async fn run_batch(
    runtime: &Arc<Runtime>,
    work: BatchWork,
    files: &BatchFiles<'_>,
    page_options: PageOptions,
    progress_target: ProgressTarget,
    cancel: &CancellationToken,
) -> PageReply {
    let format = match files.format() {
        Ok(format) => format,
        Err(why) => return PageReply::unmet(why),
    };
    let store = store_of(runtime);
    let (batch, rules, is_new) = match work {
        BatchWork::Begin(new) => match begin(runtime, new, files, &page_options) {
            Ok(batch) => (batch, ContinueRules::default(), true),
            Err(why) => return PageReply::unmet(why),
        },
        BatchWork::Continue { batch, rules } => match found(&store, &batch).await {
            Ok(batch) => (batch, rules, false),
            Err(reply) => return reply,
        },
    };
    let PageOptions { secrets, storage_state, .. } = page_options;
    let runner = RuntimeRunner::new(runtime, &batch, secrets, Default::default(), storage_state).for_client();
    let runner = match required(&batch) {
        Some(require) => runner.with_settings(runs::requiring(runtime, require)),
        None => runner,
    };
    if is_new && let Err(error) = runner.check() {
        return runs::not_started(&error);
    }
    let driven = async {
        let _lease = store.lease(batch.id).await?;
        if is_new {
            store.create(&batch).await?;
        } else if store.is_cancelled(batch.id).await? {
            return Err(BatchError::Cancelled(batch.id));
        }
        let (notify, progress) = report(progress_target, batch.rows.len());
        let driven = drive(&store, &batch, &runner, rules, cancel, &notify).await;
        // All notifications are sent before the reply, because the protocol allows none after it.
        drop(notify);
        let _ = tokio::time::timeout(runs::PROGRESS_TIMEOUT, progress).await;
        Ok(driven)
    };
    let driven = match driven.await {
        Ok(driven) => driven,
        Err(error) => return failed(&error),
    };
    let reply = match described(&store, &batch, 1, SHOWN_ROWS).await {
        Ok(reply) => reply,
        Err(error) => return failed(&error),
    };
    let written = match (format, files.output) {
        (Some(format), Some(name)) => match write(&store, &batch, format, files.folder, name).await {
            Ok(saved) => format!("\n{saved}"),
            Err(why) => {
                return PageReply { failure: Some(CommandFailure::Unmet), ..with_text(reply, &format!("\n{why}")) };
            }
        },
        _ => String::new(),
    };
    let reply = with_text(reply, &written);
    match driven {
        Ok(counts) if counts.all_succeeded() => reply,
        Ok(_) => PageReply { failure: Some(CommandFailure::Unmet), ..reply },
        Err(error) => {
            let reply = with_text(reply, &format!("\n{error}"));
            PageReply { failure: Some(CommandFailure::Unmet), ..reply }
        }
    }
}

/// The newest batches with the number of their rows.
pub(crate) async fn list(runtime: &Runtime, limit: usize) -> PageReply {
    let store = store_of(runtime);
    let listed = async {
        let mut lines = Vec::new();
        for batch in store.all().await?.iter().rev().take(limit) {
            let cancelled = if store.is_cancelled(batch.id).await? { ", cancelled" } else { "" };
            let counts = counts_text(&counts_of(&store.views(batch).await?));
            lines.push(format!("{} {}: {counts}{cancelled}", batch.id, batch.workflow.name));
        }
        Ok::<_, BatchError>(lines)
    };
    match listed.await {
        Ok(lines) if lines.is_empty() => PageReply::text("there are no batches yet"),
        Ok(lines) => PageReply::text(lines.join("\n")),
        Err(error) => failed(&error),
    }
}

/// The rows of a batch from this position on.
pub(crate) async fn show(runtime: &Runtime, batch: &str, from: usize, limit: usize) -> PageReply {
    let store = store_of(runtime);
    let described = async { described(&store, &store.find(batch).await?, from, limit).await };
    described.await.unwrap_or_else(|error| failed(&error))
}

/// The refusal of a run that is a row with secret columns: its file is not read here, so that its values would not be
/// hidden.
pub(crate) async fn refuse_row_with_secrets(runtime: &Runtime, run: RunId) -> Result<(), PageReply> {
    store_of(runtime).refuse_row_with_secrets(run).await.map_err(|error| failed(&error))
}

fn store_of(runtime: &Runtime) -> BatchStore {
    BatchStore::new(runtime.key_value_store(), runtime.log())
}

/// The batch that a call defines.
fn begin(
    runtime: &Runtime,
    new: NewBatch,
    files: &BatchFiles<'_>,
    page_options: &PageOptions,
) -> Result<Batch, String> {
    let table = match new.rows {
        BatchRows::Given(rows) => {
            let objects = rows.into_iter().map(|row| row.into_iter().collect()).collect();
            Table::of_objects(objects).map_err(|problems| rows_text(&of_call(problems)))?
        }
        BatchRows::File(name) => files.rows(&name)?,
    };
    let (inputs, require) = (new.run.inputs.clone(), new.run.require);
    if let Some(name) = table.columns.iter().find(|name| inputs.contains_key(*name)) {
        return Err(format!("inputs: the rows have a value for {name:?} as well; leave out one of them"));
    }
    // The workflow is checked with the values of the first row, like a run.
    let first = table.columns.iter().zip(table.rows.iter().take(1).flat_map(|row| &row.cells));
    let mut run = new.run;
    run.inputs.extend(first.map(|(name, cell)| (name.clone(), cell.clone().unwrap_or_else(|| Value::from("")))));
    let StartRequest { workflow, task, .. } = runs::request(run, &runtime.settings()).map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        format!("the workflow cannot be read:\n{}", lines.join("\n"))
    })?;
    let columns = ColumnRules { given: inputs.keys().cloned().collect(), ..ColumnRules::default() };
    let rows = bind(&table, &workflow, &columns).map_err(|problems| rows_text(&of_call(problems)))?.rows;
    Ok(Batch {
        id: BatchId::new(),
        created: Timestamp::now(),
        workflow,
        task,
        inputs: inputs.into_iter().collect(),
        rows,
        options: BatchOptions {
            jobs: new.jobs,
            max_failures: new.max_failures,
            secrets: page_options.secrets.iter().map(ToString::to_string).collect(),
            uploads: page_options.uploads.clone(),
            settings: require.map(|require| (REQUIRE.to_owned(), name_of(require).to_owned())).into_iter().collect(),
            ..BatchOptions::default()
        },
    })
}

/// The batch to continue. One that began elsewhere may need files, secrets and settings that this server does not have.
async fn found(store: &BatchStore, text: &str) -> Result<Batch, PageReply> {
    let batch = store.find(text).await.map_err(|error| failed(&error))?;
    let elsewhere = |place: &str, how: &str| {
        PageReply::unmet(format!("batch {} was started {place}; {how} continues it", batch.id))
    };
    if batch.options.request.is_some() {
        return Err(elsewhere("by a client of the server", "POST /api/batches/ID/resume"));
    }
    if batch.options.file.is_some() {
        return Err(elsewhere("at a terminal", "`legwork batches resume`"));
    }
    Ok(batch)
}

fn name_of(require: RequiredResult) -> &'static str {
    match require {
        RequiredResult::Success => "success",
        RequiredResult::Validated => "validated",
    }
}

fn required(batch: &Batch) -> Option<RequiredResult> {
    let (_, value) = batch.options.settings.iter().find(|(name, _)| name == REQUIRE)?;
    [RequiredResult::Success, RequiredResult::Validated].into_iter().find(|one| name_of(*one) == value)
}

/// A receiver of the events of rows, and the task that sends them to the client.
fn report(target: ProgressTarget, rows: usize) -> (impl Fn(RowEvent) + Send + Sync, impl Future<Output = ()>) {
    // Unbounded, because a row has two events, and a slow client must not delay the rows.
    let (sender, mut events) = mpsc::unbounded_channel::<RowEvent>();
    let task = tokio::spawn(async move {
        let Some(token) = target.token else { return };
        let (mut done, mut last) = (0.0, -1.0);
        while let Some(event) = events.recv().await {
            // Half for the start of a row and half for its end, so that each notification has progressed.
            let (step, message) = match event {
                RowEvent::Started { row, run } => (0.5, format!("row {row} started: run {}", short_id(run))),
                RowEvent::Ended(result) => {
                    let state = state_of(result.status, result.validation);
                    (0.5, format!("row {} of {rows}: {state}", result.row))
                }
                RowEvent::Unchanged(view) => (1.0, format!("row {} of {rows}: {}", view.row, view.status.name())),
            };
            done += step;
            if done <= last {
                continue;
            }
            last = done;
            let note = ProgressNotificationParam::new(token.clone(), done).with_message(message);
            if target.peer.notify_progress(note.with_total(rows as f64)).await.is_err() {
                return;
            }
        }
    });
    let notify = move |event| {
        // The receiver is gone if the client wants no notifications.
        let _ = sender.send(event);
    };
    (notify, async move {
        let _ = task.await;
    })
}

/// The state of a batch in one line, then its rows: those that did not succeed first.
async fn described(store: &BatchStore, batch: &Batch, from: usize, limit: usize) -> Result<PageReply, BatchError> {
    let mut views = store.views(batch).await?;
    let counts = counts_of(&views);
    views.sort_by_key(|view| (view.status == RowStatus::Success, view.row));
    let mut lines = vec![format!("batch {} {}: {}", batch.id, batch.workflow.name, counts_text(&counts))];
    if store.is_cancelled(batch.id).await? {
        lines.push("the batch was cancelled and cannot be continued".to_owned());
    } else if counts.parked > 0 {
        lines.push("some rows wait for a person: check the site, then continue the batch with `assume`".to_owned());
    } else if counts.waiting + counts.unfinished > 0 {
        lines.push("some rows are not finished; continue with the id of the batch".to_owned());
    }
    let shown = views.iter().skip(from.saturating_sub(1)).take(limit);
    let mut number = 0;
    for view in shown {
        let result = RowResult::read(&**store.log(), view).await?;
        lines.push(row_text(batch, view, &result));
        number += 1;
    }
    let next = from.max(1) + number;
    if next <= views.len() {
        lines.push(format!("{} more: legwork_batches with from: {next}", views.len() + 1 - next));
    }
    Ok(PageReply::with(lines.join("\n"), json!({"batch": batch.id, "counts": counts})))
}

/// One line for a row: its state, its run, and what it saved or why it failed.
fn row_text(batch: &Batch, view: &RowView, result: &RowResult) -> String {
    let mut text = format!("row {}: {}", view.row, state_of(view.status, view.validation));
    if let Some(run) = view.run {
        text += &format!(", run {}", short_id(run));
    }
    let given = batch.rows.iter().find(|row| row.number == view.row);
    let is_given =
        |name: &String| batch.inputs.contains_key(name) || given.is_some_and(|row| row.values.contains_key(name));
    for (name, value) in result.variables.iter().filter(|(name, _)| !is_given(name)) {
        text += &format!(", {name} = {value}");
    }
    if let Some(answer) = &result.answer {
        text += &format!(": {answer}");
    }
    match (&result.error, &view.error) {
        (Some(error), _) => text += &format!(": {}", error.message),
        (None, Some(error)) => text += &format!(": {error}"),
        (None, None) => {}
    }
    text.replace('\n', " ")
}

fn state_of(status: RowStatus, validation: Option<Validation>) -> String {
    match validation {
        Some(validation) => format!("{}, {}", status.name(), validation.name()),
        None => status.name().to_owned(),
    }
}

fn counts_of(views: &[RowView]) -> BatchCounts {
    BatchCounts::of(views.iter().map(|view| (view.status, view.validation)))
}

/// `3 of 5 rows succeeded, 1 failed, 1 waiting`
fn counts_text(counts: &BatchCounts) -> String {
    let mut text = format!("{} of {} rows succeeded", counts.succeeded(), counts.rows);
    for (number, what) in [
        (counts.unvalidated, "of them unvalidated"),
        (counts.failed, "failed"),
        (counts.errors, "ended with an error"),
        (counts.cancelled, "cancelled"),
        (counts.parked, "wait for a person"),
        (counts.unfinished, "not finished"),
        (counts.waiting, "not started"),
    ] {
        if number > 0 {
            text += &format!(", {number} {what}");
        }
    }
    text
}

/// Writes the results of all rows.
async fn write(
    store: &BatchStore,
    batch: &Batch,
    format: ResultFormat,
    folder: &Path,
    name: &str,
) -> Result<String, String> {
    let text = async {
        let mut results = Vec::new();
        for view in store.views(batch).await? {
            results.push(RowResult::read(&**store.log(), &view).await?);
        }
        match format {
            ResultFormat::Csv => result_csv(&results),
            ResultFormat::JsonLines => Ok(result_lines(&results)),
        }
    };
    let text = text.await.map_err(|error| error.to_string())?;
    let path =
        files::write(folder, Some(name), "results", "csv", text.as_bytes()).map_err(|error| error.to_string())?;
    Ok(format!("the results are in {}", path.display()))
}

fn with_text(reply: PageReply, more: &str) -> PageReply {
    PageReply { text: reply.text + more, ..reply }
}

fn of_call(problems: Vec<RowProblem>) -> RowsError {
    RowsError { file: "the call".to_owned(), problems }
}

fn rows_text(error: &RowsError) -> String {
    let report = error.standard();
    format!("{}:\n{}", report.message, report.details.join("\n"))
}

fn failed(error: &BatchError) -> PageReply {
    let report = error.standard();
    let lines = [vec![report.with_advice()], report.details.clone()].concat();
    PageReply { failure: Some(CommandFailure::Start(Box::new(report))), ..PageReply::text(lines.join("\n")) }
}
