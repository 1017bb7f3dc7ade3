//! `legwork run --each` and `legwork batches`: one run for each row of a file.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use legwork::{ResumeRequest, Runtime, secrets::HiddenValues, settings::Settings, store::Lease};
use legwork_batch::{
    Batch, BatchCounts, BatchError, BatchOptions, BatchStore, BatchSummary, BoundRows, ColumnRules, ContinueRules,
    ResultFormat, RowFile, RowProblem, RowResult, RowStatus, RowsError, RuntimeRunner, Table, bind, changes, drive,
    result_csv, result_lines, secret_values, select,
};
use legwork_protocol::{BatchId, RunId, Workflow};
use parking_lot::Mutex;
use serde_json::Value;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::{
    batch_screen::{BatchScreen, state_words},
    command_args::{Global, RunArgs},
    commands::run,
    data_dir::DataDir,
    each_args::{BatchesAction, BatchesArgs, ResumeBatchArgs},
    error::CliError,
    exit::Exit,
    options,
    screen::Stream,
    style::{Style, escape_control},
    trace,
};

/// Where the results go.
struct BatchOutput<'a> {
    json: bool,
    file: Option<(&'a Path, ResultFormat)>,
}

impl<'a> BatchOutput<'a> {
    fn new(json: bool, file: Option<&'a PathBuf>) -> Result<Self, CliError> {
        let with_format = |path: &'a PathBuf| -> Result<_, CliError> {
            let format = ResultFormat::of(&path.to_string_lossy()).ok_or_else(|| {
                CliError::usage(format!("--output {}: the name must end in .csv or .jsonl", path.display()))
            })?;
            Ok((path.as_path(), format))
        };
        // Checked before the first row, because the rows cannot be undone.
        if let Some(folder) = file.and_then(|path| path.parent()).filter(|folder| !folder.as_os_str().is_empty())
            && !folder.is_dir()
        {
            return Err(CliError::usage(format!("--output: there is no folder {}", folder.display())));
        }
        Ok(BatchOutput { json, file: file.map(with_format).transpose()? })
    }
}

/// `legwork run FILE --each ROWS`.
pub(crate) async fn start(global: &Global, args: &RunArgs, file: &Path) -> Result<Exit, CliError> {
    let flags = options::run_flags(global, args)?;
    let settings = options::load(global, [options::browser(&args.browser), flags.clone()].concat())?;
    let output = BatchOutput::new(args.show.json, args.each.output.as_ref())?;
    let given = run::variables(&args.vars)?;
    let each = &args.each;
    let columns = ColumnRules {
        secret: each.secret_columns.clone(),
        ignored: each.ignored_columns.clone(),
        given: given.keys().cloned().collect(),
    };
    let rows = RowFile::open(file).map_err(rows_error)?;
    let limit = each.limit.map(|limit| limit as usize);
    let table = rows.table(each.sheet.as_deref()).map_err(rows_error)?;
    let hidden = secret_values(&table, &columns.secret);
    let table = select(table, each.rows.as_ref(), limit).map_err(|problem| of_file(&rows, vec![problem]))?;
    if let Some(name) = table.columns.iter().find(|name| given.contains_key(*name) && !columns.ignored.contains(name)) {
        return Err(CliError::usage(format!("--var {name}: {} has a column of this name", file.display()))
            .hint("leave out --var, or the column with --ignore-column"));
    }
    let (workflow, task, folder) = workflow_for(global, args, &settings, &table, &columns, &given)?;
    let unknown = if task { Vec::new() } else { legwork::unknown_inputs(&workflow, given.keys()) };
    if !unknown.is_empty() {
        return Err(CliError::usage("a --var names no input of the workflow").details(unknown));
    }
    let BoundRows { rows: bound, secrets } =
        bind(&table, &workflow, &columns).map_err(|problems| of_file(&rows, problems))?;
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let batch = Batch {
        id: BatchId::new(),
        created: Timestamp::now(),
        workflow,
        task,
        inputs: given,
        rows: bound,
        options: BatchOptions {
            file: Some(absolute(file)),
            sheet: each.sheet.clone(),
            ranges: each.rows.as_ref().map(ToString::to_string),
            limit,
            secret_columns: columns.secret,
            ignored_columns: columns.ignored,
            jobs: each.jobs.into(),
            max_failures: each.max_failures.map(|max| max as usize),
            secrets: run::secrets(&args.secrets)?.iter().map(ToString::to_string).collect(),
            uploads: args.uploads.clone().or(folder).iter().map(|path| absolute(path)).collect(),
            storage_state: args.browser.storage_state.as_deref().map(absolute),
            output: each.output.as_deref().map(absolute),
            request: None,
            settings: flags,
        },
    };
    let runtime = run::open(settings).await?;
    let store = BatchStore::new(runtime.key_value_store(), runtime.log());
    let specs = run::secrets(&args.secrets)?;
    let state = args.browser.storage_state.as_deref().map(run::storage_state).transpose()?;
    let runner = RuntimeRunner::new(&runtime, &batch, specs, secrets, state).hiding(hidden);
    runner.check().map_err(run::begun)?;
    let lease = store.lease(batch.id).await.map_err(batch_error)?;
    store.create(&batch).await.map_err(batch_error)?;
    let exit = work(global, &store, &batch, &runner, ContinueRules::default(), &output, lease).await;
    runtime.close().await;
    exit
}

/// The workflow, checked with the values of the first row.
fn workflow_for(
    global: &Global,
    args: &RunArgs,
    settings: &Settings,
    table: &Table,
    columns: &ColumnRules,
    given: &BTreeMap<String, Value>,
) -> Result<(Workflow, bool, Option<PathBuf>), CliError> {
    let first = table.columns.iter().zip(table.rows.iter().flat_map(|row| &row.cells));
    let mut variables = given.clone();
    for (name, cell) in first.filter(|(name, _)| !columns.secret.contains(name) && !columns.ignored.contains(name)) {
        variables.insert(name.clone(), cell.clone().unwrap_or_else(|| Value::String(String::new())));
    }
    run::workflow(args, global, settings, &variables)
}

/// `legwork batches`.
pub(crate) async fn batches(global: &Global, args: &BatchesArgs) -> Result<Exit, CliError> {
    match &args.action {
        None => list(global, args.json).await,
        Some(BatchesAction::Show { batch, json, output }) => {
            let output = BatchOutput::new(*json, output.as_ref())?;
            show(global, batch, &output).await
        }
        Some(BatchesAction::Resume(args)) => resume(global, args).await,
        Some(BatchesAction::Cancel { batch }) => cancel(global, batch).await,
    }
}

fn store_of(global: &Global) -> Result<BatchStore, CliError> {
    let data_dir = DataDir::open(&options::plain(global)?.data_dir)?;
    Ok(BatchStore::new(data_dir.entries, data_dir.log))
}

async fn list(global: &Global, json: bool) -> Result<Exit, CliError> {
    let store = store_of(global)?;
    let mut batches = store.all().await.map_err(batch_error)?;
    batches.reverse();
    let style = Style::on(Stream::Out.is_terminal());
    let mut text = String::new();
    let mut objects = Vec::new();
    if !json && batches.is_empty() {
        text = "No batches yet. Start one with `legwork run FILE --each rows.csv`.\n".to_owned();
    } else if !json {
        text = style.bold(format!(
            "{:<8}  {:<11}  {:>9}  {:>6}  {:<20}  {}\n",
            "BATCH", "STATE", "ROWS", "FAILED", "BEGAN", "NAME"
        ));
    }
    for batch in &batches {
        let counts = counts_of(&store, batch).await?;
        let state = state_of(&store, batch, &counts).await?;
        if json {
            let mut object = serde_json::json!(BatchSummary { batch: batch.id, counts });
            object["name"] = batch.workflow.name.clone().into();
            object["state"] = state.into();
            object["created"] = batch.created.to_string().into();
            objects.push(object);
        } else {
            text += &format!(
                "{}  {state:<11}  {:>9}  {:>6}  {:<20}  {}\n",
                short_id(batch.id),
                format!("{}/{}", counts.over(), counts.rows),
                counts.failed + counts.errors,
                batch.created.strftime("%Y-%m-%d %H:%M UTC").to_string(),
                escape_control(&batch.workflow.name)
            );
        }
    }
    if json {
        text = serde_json::to_string_pretty(&objects)
            .map_err(|error| CliError::fault("cannot write the list").because(&error))?
            + "\n";
    }
    Stream::Out.write(&text)?;
    Ok(Exit::Success)
}

async fn counts_of(store: &BatchStore, batch: &Batch) -> Result<BatchCounts, CliError> {
    let views = store.views(batch).await.map_err(batch_error)?;
    Ok(BatchCounts::of(views.iter().map(|view| (view.status, view.validation))))
}

async fn state_of(store: &BatchStore, batch: &Batch, counts: &BatchCounts) -> Result<&'static str, CliError> {
    if store.is_cancelled(batch.id).await.map_err(batch_error)? {
        return Ok("cancelled");
    }
    if counts.over() == counts.rows {
        return Ok(if counts.all_succeeded() { "success" } else { "failure" });
    }
    Ok(match store.lease(batch.id).await {
        Err(BatchError::Held { .. }) => "running",
        _ if counts.unfinished == 0 && counts.waiting == 0 => "parked",
        _ => "interrupted",
    })
}

async fn show(global: &Global, batch: &str, output: &BatchOutput<'_>) -> Result<Exit, CliError> {
    let store = store_of(global)?;
    let batch = store.find(batch).await.map_err(batch_error)?;
    let views = store.views(&batch).await.map_err(batch_error)?;
    let counts = BatchCounts::of(views.iter().map(|view| (view.status, view.validation)));
    if output.json || output.file.is_some() {
        let results = results_of(&store, &batch).await?;
        if output.json {
            Stream::Out.write(&result_lines(&results))?;
            Stream::Out.write(&summary_line(batch.id, counts))?;
        }
        write_results(output, &results)?;
    }
    if !output.json {
        let style = Style::on(Stream::Out.is_terminal());
        let state = state_of(&store, &batch, &counts).await?;
        let mut text = style.bold(format!("{}  batch {}  {state}\n", escape_control(&batch.workflow.name), batch.id));
        for view in &views {
            let run = view.run.map(legwork::store::short_id).unwrap_or_default();
            let error = view.error.as_deref().map(escape_control).unwrap_or_default();
            let state = state_words(view.status, view.validation, style);
            text += format!("{:>6}  {state}  {run}  {error}", view.row).trim_end();
            text.push('\n');
        }
        Stream::Out.write(&text)?;
    }
    Ok(Exit::Success)
}

async fn cancel(global: &Global, batch: &str) -> Result<Exit, CliError> {
    let store = store_of(global)?;
    let batch = store.find(batch).await.map_err(batch_error)?;
    store.cancel(batch.id).await.map_err(batch_error)?;
    Stream::Out.write(&format!("batch {} is cancelled; no further row is started\n", batch.id))?;
    Ok(Exit::Success)
}

/// `legwork batches resume`.
async fn resume(global: &Global, args: &ResumeBatchArgs) -> Result<Exit, CliError> {
    let mut batch = store_of(global)?.find(&args.batch).await.map_err(batch_error)?;
    let file = args.output.clone().or_else(|| batch.options.output.clone());
    let output = BatchOutput::new(args.json, file.as_ref())?;
    if let Some(jobs) = args.jobs {
        batch.options.jobs = jobs.into();
    }
    if batch.options.request.is_some() {
        return Err(CliError::usage(format!("batch {} was started by a client of the server", batch.id))
            .hint("POST /api/batches/ID/resume continues it"));
    }
    let flags = [options::browser(&args.browser), batch.options.settings.clone(), args.require.flags()].concat();
    let runtime = run::open(options::load(global, flags)?).await?;
    let store = BatchStore::new(runtime.key_value_store(), runtime.log());
    let lease = store.lease(batch.id).await.map_err(batch_error)?;
    if store.is_cancelled(batch.id).await.map_err(batch_error)? {
        return Err(batch_error(BatchError::Cancelled(batch.id)));
    }
    let (row_secrets, hidden) = match args.each.as_ref().or(batch.options.file.as_ref()) {
        Some(file) => {
            let (rows, hidden) = unchanged_rows(&batch, file)?;
            (rows.secrets, hidden)
        }
        None => Default::default(),
    };
    let secrets = run::secrets(&[batch.options.secrets.clone(), args.secrets.clone()].concat())?;
    let state = args.browser.storage_state.as_deref().or(batch.options.storage_state.as_deref());
    let state = state.map(run::storage_state).transpose()?;
    let runner = RuntimeRunner::new(&runtime, &batch, secrets, row_secrets, state).hiding(hidden);
    runner.check().map_err(run::begun)?;
    let rules = ContinueRules { assume: args.assume.map(run::assumption), retry_failed: args.retry_failed };
    let exit = work(global, &store, &batch, &runner, rules, &output, lease).await;
    runtime.close().await;
    exit
}

/// What the continuation or repetition of a run needs as a row of a batch: its values of the secret columns, and those
/// of all rows, which it hides. `None` if it is no row of a batch with secret columns.
///
/// # Errors
/// If the file of the batch cannot be read, or differs from what the batch began with: then the values would not be
/// hidden.
pub(crate) async fn row_of_run(runtime: &Runtime, run: RunId) -> Result<Option<ResumeRequest>, CliError> {
    let store = BatchStore::new(runtime.key_value_store(), runtime.log());
    let Some((batch, number)) = store.row_with_secrets(run).await.map_err(batch_error)? else { return Ok(None) };
    let advice = format!("`legwork batches resume {} --each FILE` continues it with its rows", short_id(batch.id));
    let (Some(file), Some(row)) = (&batch.options.file, batch.rows.iter().find(|row| row.number == number)) else {
        return Err(CliError::usage("the run is a row of a batch whose rows are not known").hint(advice));
    };
    let (rows, hidden) = unchanged_rows(&batch, file).map_err(|error| error.hint(advice))?;
    let runner = RuntimeRunner::new(runtime, &batch, Vec::new(), rows.secrets, None).hiding(hidden);
    Ok(Some(runner.resume_request(row)))
}

/// The rows of a batch as its file has them now, and the values of the secret columns of all rows of the file.
///
/// # Errors
/// If they differ from those that the batch began with.
fn unchanged_rows(batch: &Batch, file: &Path) -> Result<(BoundRows, HiddenValues), CliError> {
    let options = &batch.options;
    let rows = RowFile::open(file).map_err(rows_error)?;
    let table = rows.table(options.sheet.as_deref()).map_err(rows_error)?;
    let hidden = secret_values(&table, &options.secret_columns);
    let selected = select(table, options.row_ranges().as_ref(), options.limit);
    let table = selected.map_err(|problem| of_file(&rows, vec![problem]))?;
    let columns = ColumnRules {
        secret: options.secret_columns.clone(),
        ignored: options.ignored_columns.clone(),
        given: batch.inputs.keys().cloned().collect(),
    };
    let bound = bind(&table, &batch.workflow, &columns).map_err(|problems| of_file(&rows, problems))?;
    let found = changes(&batch.rows, &bound.rows);
    if found.is_empty() {
        return Ok((bound, hidden));
    }
    let changes = found.iter().take(20).map(ToString::to_string).collect();
    Err(batch_error(BatchError::Changed { file: rows.name().to_owned(), changes }))
}

/// Works on the rows, shows them, and writes the results.
async fn work(
    global: &Global,
    store: &BatchStore,
    batch: &Batch,
    runner: &RuntimeRunner<'_>,
    rules: ContinueRules,
    output: &BatchOutput<'_>,
    lease: Lease,
) -> Result<Exit, CliError> {
    let screen = Mutex::new(BatchScreen::new(global.quiet, output.json, global.verbose > 0, batch.rows.len()));
    screen.lock().note(&format!("batch {}: {} rows", short_id(batch.id), batch.rows.len()));
    let stop = CancellationToken::new();
    let notify = |event| screen.lock().see(event);
    let ended = {
        let work = drive(store, batch, runner, rules, &stop, &notify);
        let signals = stop_at_signals(&stop, &screen);
        tokio::select! {
            ended = work => ended,
            failed = signals => return Err(failed),
        }
    };
    drop(lease);
    let counts = match &ended {
        Ok(counts) => *counts,
        Err(_) => counts_of(store, batch).await?,
    };
    let mut screen = screen.into_inner();
    screen.end(&counts, &short_id(batch.id));
    if output.json {
        Stream::Out.write(&summary_line(batch.id, counts))?;
    }
    if output.file.is_some() {
        write_results(output, &results_of(store, batch).await?)?;
    }
    if let Some(error) = screen.unwritten {
        return Err(CliError::from(error).hint("`legwork batches show` prints the results again"));
    }
    match ended {
        Ok(_) if stop.is_cancelled() && counts.over() < counts.rows => Ok(Exit::Cancelled),
        Ok(_) => exit_of(store, batch).await,
        // The rows that ran into the limit have been shown.
        Err(error @ BatchError::TooManyFailures { .. }) => {
            Stream::Err.write(&format!("{}\n", batch_error(error)))?;
            exit_of(store, batch).await
        }
        Err(BatchError::Cancelled(_)) => Ok(Exit::Cancelled),
        Err(error) => Err(batch_error(error)),
    }
}

/// The first signal starts no further row; the second ends the process, and the rows in progress can be resumed.
async fn stop_at_signals(stop: &CancellationToken, screen: &Mutex<BatchScreen>) -> CliError {
    let hear = |kind| signal(kind).map_err(|error| CliError::fault("cannot listen for signals").because(&error));
    let (mut interrupt, mut terminate) = match (hear(SignalKind::interrupt()), hear(SignalKind::terminate())) {
        (Ok(interrupt), Ok(terminate)) => (interrupt, terminate),
        (Err(error), _) | (_, Err(error)) => return error,
    };
    loop {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        if stop.is_cancelled() {
            std::process::exit(Exit::Cancelled.code().into());
        }
        stop.cancel();
        screen.lock().note("no further row is started; press Ctrl-C again to stop immediately");
    }
}

/// The exit of a batch: success if every row succeeded, otherwise that of its most serious row.
async fn exit_of(store: &BatchStore, batch: &Batch) -> Result<Exit, CliError> {
    let mut worst = Exit::Success;
    for result in results_of(store, batch).await? {
        let exit = match result.status {
            RowStatus::Running | RowStatus::Asking | RowStatus::Interrupted | RowStatus::Waiting => Exit::Failure,
            RowStatus::Parked | RowStatus::Deleted => Exit::Parked,
            // The journal of a run that was deleted since its end does not say more.
            RowStatus::Success => Exit::Success,
            _ => result.outcome.as_ref().map_or(Exit::Failure, crate::exit::of),
        };
        worst = if seriousness(exit) > seriousness(worst) { exit } else { worst };
    }
    Ok(worst)
}

fn seriousness(exit: Exit) -> u8 {
    match exit {
        Exit::Success => 0,
        Exit::Parked => 1,
        Exit::Failure => 2,
        Exit::Budget => 3,
        Exit::Cancelled => 4,
        Exit::Usage => 5,
        Exit::Fault => 6,
    }
}

async fn results_of(store: &BatchStore, batch: &Batch) -> Result<Vec<RowResult>, CliError> {
    let mut results = Vec::with_capacity(batch.rows.len());
    for view in store.views(batch).await.map_err(batch_error)? {
        let result = RowResult::read(&**store.log(), &view).await;
        results.push(result.map_err(|error| batch_error(error.into()))?);
    }
    Ok(results)
}

fn write_results(output: &BatchOutput<'_>, results: &[RowResult]) -> Result<(), CliError> {
    let Some((path, format)) = output.file else { return Ok(()) };
    let text = match format {
        ResultFormat::Csv => result_csv(results).map_err(batch_error)?,
        ResultFormat::JsonLines => result_lines(results),
    };
    trace::save(path, text.as_bytes())
}

fn summary_line(batch: BatchId, counts: BatchCounts) -> String {
    serde_json::to_string(&BatchSummary { batch, counts }).unwrap_or_default() + "\n"
}

/// The last 8 digits of the id, as for runs.
fn short_id(batch: BatchId) -> String {
    let id = batch.to_string();
    id[id.len() - 8..].to_owned()
}

fn of_file(rows: &RowFile, problems: Vec<RowProblem>) -> CliError {
    rows_error(RowsError { file: rows.name().to_owned(), problems })
}

fn rows_error(error: RowsError) -> CliError {
    CliError::from(error.standard())
}

fn batch_error(error: BatchError) -> CliError {
    CliError::from(error.standard())
}
