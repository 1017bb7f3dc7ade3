//! The commands that read stored runs: `runs`, `show`, `export`.

use jiff::{SignedDuration, Timestamp};
use legwork::{
    record::RunRecord,
    store::{RunLog, RunMatch, RunQuery, RunState, RunSummary, StoreError, short_id},
};
use legwork_batch::BatchStore;
use legwork_protocol::{Code, Event, Validation};
use legwork_scripts::playwright::Language;

use crate::{
    command_args::{DataFormat, ExportArgs, ExportFormat, Global, RunsArgs, ShowArgs},
    commands::scripts,
    data_dir::DataDir,
    error::CliError,
    event_lines::EventLines,
    exit::Exit,
    extracted_data, options, report,
    screen::Stream,
    style::{Style, escape_control},
    trace,
};

/// A folded run with its events.
pub(crate) struct FoldedRun {
    pub(crate) record: RunRecord,
    pub(crate) events: Vec<Event>,
}

/// `legwork runs`.
pub(crate) async fn runs(data_dir: &DataDir, args: &RunsArgs) -> Result<Exit, CliError> {
    let runs = data_dir.log.runs(RunQuery { limit: args.limit, ..RunQuery::default() }).await.map_err(store_error)?;
    let text = if args.json {
        let mut text = serde_json::to_string_pretty(&runs.iter().map(row).collect::<Vec<_>>())
            .map_err(|error| CliError::fault("cannot write the list").because(&error))?;
        text.push('\n');
        text
    } else {
        table(&runs, Timestamp::now(), Style::on(Stream::Out.is_terminal()))
    };
    Stream::Out.write(&text)?;
    Ok(Exit::Success)
}

/// `legwork show`.
pub(crate) async fn show(data_dir: &DataDir, args: &ShowArgs) -> Result<Exit, CliError> {
    let FoldedRun { record, events } = known(data_dir, &args.run).await?;
    let wrong = |error: serde_json::Error| CliError::fault("cannot write the run").because(&error);
    let text = if args.json {
        serde_json::to_string_pretty(&record).map_err(wrong)? + "\n"
    } else if let Some(names) = args.events {
        let mut lines = EventLines::new(names);
        events.iter().map(|event| lines.of(event)).collect::<Result<String, _>>().map_err(wrong)?
    } else if let Some(name) = &args.data {
        let extracted = extracted_data::of(&events, Some(name.as_str()).filter(|name| !name.is_empty()));
        match args.format {
            DataFormat::Json => extracted_data::json(&extracted)?,
            DataFormat::Csv => extracted_data::csv(&extracted)?,
        }
    } else {
        report::show(&record, Style::on(Stream::Out.is_terminal()))
    };
    Stream::Out.write(&text)?;
    Ok(Exit::Success)
}

/// `legwork export`.
pub(crate) async fn export(data_dir: &DataDir, args: &ExportArgs) -> Result<Exit, CliError> {
    trace::check_output(args.output.as_deref(), args.force)?;
    let FoldedRun { record, events } = known(data_dir, &args.run).await?;
    let text = match args.format {
        ExportFormat::Json => trace::json(&record, &events)?,
        ExportFormat::Html => trace::page(&record, &*data_dir.artifacts).await?,
        ExportFormat::PlaywrightTs => scripts::script(data_dir, &events, Language::TypeScript).await?,
        ExportFormat::PlaywrightPy => scripts::script(data_dir, &events, Language::Python).await?,
        ExportFormat::Workflow => scripts::literal_workflow(data_dir, &events).await?,
    };
    match &args.output {
        Some(path) if path.as_os_str() != "-" => trace::save(path, text.as_bytes())?,
        _ => Stream::Out.write(&text)?,
    }
    Ok(Exit::Success)
}

/// Reads the run that a person means.
pub(crate) async fn known(data_dir: &DataDir, text: &str) -> Result<FoldedRun, CliError> {
    let summary = find(&*data_dir.log, text).await?;
    let events = data_dir.log.read(summary.run, 1).await.map_err(store_error)?;
    let mut record = RunRecord::fold_whole(&events, summary.last_seq).map_err(|error| {
        let damaged = CliError::fault(format!("the run {} cannot be read", summary.run)).because(&error);
        damaged.hint(
            "a part of the run is missing from the data folder; restore `runs.db` from a copy, or start the run again",
        )
    })?;
    if summary.interrupted() {
        record.abandoned();
    }
    Ok(FoldedRun { record, events })
}

/// `legwork runs prune`.
pub(crate) async fn prune(global: &Global, days: Option<u32>) -> Result<Exit, CliError> {
    let settings = options::plain(global)?;
    let Some(days) = days.or(Some(settings.retention.days).filter(|days| *days > 0)) else {
        return Err(CliError::usage("no minimum age is given")
            .hint("legwork runs prune --days 30, or legwork config set retention.days 30"));
    };
    let data_dir = DataDir::open(&settings.data_dir)?;
    let pruned = legwork::retention::prune(&*data_dir.log, &*data_dir.artifacts, days)
        .await
        .map_err(|error| CliError::from(error.standard()))?;
    let before = Timestamp::now() - SignedDuration::from_hours(24 * i64::from(days));
    let store = BatchStore::new(data_dir.entries, data_dir.log);
    let batches = store.prune(before).await.map_err(|error| CliError::from(error.standard()))?;
    let runs = if pruned.runs == 1 { "run" } else { "runs" };
    let and = match batches {
        0 => String::new(),
        1 => " and 1 batch".to_owned(),
        many => format!(" and {many} batches"),
    };
    Stream::Out.write(&format!("{} {runs}{and} deleted, {} kB freed\n", pruned.runs, pruned.bytes / 1_000))?;
    Ok(Exit::Success)
}

/// The run that a person means.
pub(crate) async fn find(log: &dyn RunLog, text: &str) -> Result<RunSummary, CliError> {
    match log.find_run(text).await.map_err(store_error)? {
        RunMatch::One(summary) => Ok(*summary),
        RunMatch::None if text == "last" => Err(CliError::usage("there are no runs yet")
            .code(Code::RunNotFound)
            .hint("`legwork demo` creates one in a minute")),
        RunMatch::None => Err(CliError::usage(format!("there is no run {text}"))
            .code(Code::RunNotFound)
            .hint("`legwork runs` lists all runs")),
        RunMatch::Several(runs) => Err(CliError::usage(format!("{text} may be any of several runs"))
            .details(runs.into_iter().map(|run| run.to_string()))
            .hint("give more of the id")),
    }
}

fn store_error(error: StoreError) -> CliError {
    let (code, hint) = (error.code(), error.hint());
    CliError::fault("the runs cannot be read").because(&error).code(code).hint(hint)
}

/// A run in `runs --json`: the stored row, and whether a process drives it.
fn row(run: &RunSummary) -> serde_json::Value {
    let mut row = serde_json::json!(run);
    if run.interrupted() {
        row["state"] = "interrupted".into();
    }
    if !run.waits_for_answer()
        && let Some(row) = row.as_object_mut()
    {
        row.remove("question");
    }
    row
}

fn table(runs: &[RunSummary], now: Timestamp, style: Style) -> String {
    if runs.is_empty() {
        return "No runs yet. Start one with `legwork demo` or `legwork run FILE`.\n".to_owned();
    }
    let mut text = style.bold(format!("{:<8}  {:<13}  {:>7}  {:>13}  {}\n", "RUN", "STATE", "STEPS", "BEGAN", "NAME"));
    for run in runs {
        let state = match (run.state, run.validation) {
            _ if run.interrupted() => "interrupted",
            _ if run.waits_for_answer() => "? question",
            (RunState::Success, Some(Validation::Validated)) => "✓ validated",
            (RunState::Success, _) => "? unvalidated",
            (RunState::Failure | RunState::Error, Some(Validation::Rejected)) => "✗ rejected",
            (state, _) => state.name(),
        };
        // Padded before it is coloured, because escape sequences have no width.
        let padded = format!("{state:<13}");
        let state = match state {
            "✓ validated" => style.good(padded),
            "failure" | "error" | "✗ rejected" => style.bad(padded),
            "running" => style.busy(padded),
            _ => style.wait(padded),
        };
        let steps = format!("{}/{}", run.steps_done, run.steps_total);
        text += &format!(
            "{}  {state}  {steps:>7}  {:>13}  {}\n",
            short_id(run.run),
            ago(run.started, now),
            escape_control(&run.name)
        );
    }
    text
}

fn ago(then: Timestamp, now: Timestamp) -> String {
    let seconds = now.duration_since(then).as_secs().max(0).unsigned_abs();
    match seconds {
        0..60 => format!("{seconds} s ago"),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..86_400 => format!("{} h ago", seconds / 3_600),
        86_400..1_209_600 => format!("{} days ago", seconds / 86_400),
        _ => then.strftime("%Y-%m-%d").to_string(),
    }
}

#[cfg(test)]
mod tests {
    use legwork_protocol::{Question, RunId};

    use super::*;

    #[test]
    fn a_listed_run_that_waits_for_an_answer_says_so() {
        let question = Question::open("Which name?");
        let run = RunSummary { question: Some(question), ..RunSummary::new(RunId::new(), Timestamp::UNIX_EPOCH) };
        let shown = |driven| table(&[RunSummary { driven, ..run.clone() }], Timestamp::UNIX_EPOCH, Style::on(false));
        assert!(shown(true).contains("  ? question  "), "{}", shown(true));
        assert!(shown(false).contains("  interrupted  "), "{}", shown(false));
        assert!(row(&RunSummary { driven: true, ..run.clone() })["question"]["text"] == "Which name?");
        assert!(row(&run).get("question").is_none(), "nobody drives it, so it takes no answer");
    }
}
