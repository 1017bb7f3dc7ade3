//! `legwork playbook`: lists, shows, compares, restores and deletes playbooks.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};
use legwork::{
    playbooks::{
        DriftMark, PlaybookAction, PlaybookDrift, PlaybookEntry, PlaybookError, Playbooks, differences, recent_drift,
        written,
    },
    store::{RunLog, short_id},
};
use legwork_protocol::{Code, ErrorReport};

use crate::{
    command_args::Global,
    data_dir::DataDir,
    error::CliError,
    exit::Exit,
    options,
    screen::Stream,
    style::{Style, escape_control},
    trace,
};

/// `legwork playbook`.
#[derive(Debug, Args)]
#[command(after_help = "\
A playbook contains the actions of a validated run with what identifies each element. `legwork run FILE` records one, and the
next runs repeat it without a model. A new version is saved when an action had to be decided again.")]
pub(crate) struct PlaybookArgs {
    #[command(subcommand)]
    pub(crate) action: PlaybookCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PlaybookCommand {
    /// List all playbooks with their versions
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show the steps and actions of a playbook
    Show {
        /// Its id, a part of it, or the name of the workflow
        playbook: String,
        /// The version; by default the newest
        #[arg(id = "number", long = "number", value_name = "N")]
        version: Option<u32>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show the differences between two versions
    Diff {
        /// Its id, a part of it, or the name of the workflow
        playbook: String,
        /// The earlier version; by default the one before the newest
        #[arg(long, value_name = "VERSION")]
        from: Option<u32>,
        /// The later version; by default the newest
        #[arg(long, value_name = "VERSION")]
        to: Option<u32>,
    },
    /// Show how well the recorded elements agreed with the page in the last runs
    Drift {
        /// Its id, a part of it, or the name of the workflow
        playbook: String,
        /// Number of runs
        #[arg(long, value_name = "N", default_value_t = 10)]
        runs: usize,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Make an earlier version the newest one
    Rollback {
        /// Its id, a part of it, or the name of the workflow
        playbook: String,
        /// The version; by default the one before the newest
        #[arg(id = "number", long = "number", value_name = "N")]
        version: Option<u32>,
    },
    /// Delete old versions
    Prune {
        /// Its id, a part of it, or the name of the workflow; by default all playbooks
        playbook: Option<String>,
        /// Number of versions to keep
        #[arg(long, default_value_t = 3)]
        keep: usize,
    },
    /// Write a playbook to a file, for `run --playbook FILE`
    Export {
        /// Its id, a part of it, or the name of the workflow
        playbook: String,
        /// The file; `-` for standard output
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
        /// The version; by default the newest
        #[arg(id = "number", long = "number", value_name = "N")]
        version: Option<u32>,
    },
    /// Delete a playbook with all its versions
    Remove {
        /// Its id, a part of it, or the name of the workflow
        playbook: String,
    },
}

/// `legwork playbook`.
pub(crate) async fn playbook(global: &Global, args: &PlaybookArgs) -> Result<Exit, CliError> {
    let data = options::plain(global)?.data_dir;
    let playbooks = Playbooks::new(&data);
    let note = |text: String| if global.quiet { Ok(()) } else { Stream::Out.write(&text) };
    match &args.action {
        PlaybookCommand::List { json } => list(&playbooks, *json)?,
        PlaybookCommand::Show { playbook, version, json } => show(&playbooks, playbook, *version, *json)?,
        PlaybookCommand::Diff { playbook, from, to } => diff(&playbooks, playbook, *from, *to)?,
        PlaybookCommand::Drift { playbook, runs, json } => {
            drift(&playbooks, &*DataDir::open(&data)?.log, playbook, *runs, *json).await?;
        }
        PlaybookCommand::Rollback { playbook, version } => {
            let id = playbooks.find_id(playbook).map_err(refused)?;
            let version = version.map_or_else(|| previous(&playbooks, &id), Ok)?;
            let saved = playbooks.roll_back(&id, version).map_err(refused)?;
            note(format!("{id}: version {version} is the newest again, as version {saved}\n"))?;
        }
        PlaybookCommand::Prune { playbook, keep } => {
            let ids = match playbook {
                Some(text) => vec![playbooks.find_id(text).map_err(refused)?],
                None => playbooks.list().map_err(refused)?.into_iter().map(|entry| entry.id).collect(),
            };
            let mut gone = 0;
            for id in ids {
                gone += playbooks.prune(&id, *keep).map_err(refused)?;
            }
            note(format!("{gone} {} deleted\n", if gone == 1 { "version" } else { "versions" }))?;
        }
        PlaybookCommand::Export { playbook, file, version } => {
            let id = playbooks.find_id(playbook).map_err(refused)?;
            let version = version.map_or_else(|| newest(&playbooks, &id), Ok)?;
            let exported = written(&playbooks.read(&id, version).map_err(refused)?)
                .map_err(|error| CliError::fault("cannot write the playbook").because(&error))?;
            match file.as_os_str() == "-" {
                true => Stream::Out.write(&exported)?,
                false => trace::save(file, exported.as_bytes())?,
            }
        }
        PlaybookCommand::Remove { playbook } => {
            let id = playbooks.find_id(playbook).map_err(refused)?;
            playbooks.remove(&id).map_err(refused)?;
            note(format!("{id} deleted\n"))?;
        }
    }
    Ok(Exit::Success)
}

fn refused(error: PlaybookError) -> CliError {
    let details = match &error {
        PlaybookError::Unknown { matches, .. } => matches.clone(),
        _ => Vec::new(),
    };
    let hint = error.hint();
    CliError::from(legwork::Error::Playbook(error).standard()).details(details).hint(hint)
}

fn newest(playbooks: &Playbooks, id: &str) -> Result<u32, CliError> {
    let versions = playbooks.versions(id).map_err(refused)?;
    versions.last().copied().ok_or_else(|| refused(PlaybookError::NoVersion { id: id.to_owned(), version: 1 }))
}

fn previous(playbooks: &Playbooks, id: &str) -> Result<u32, CliError> {
    let versions = playbooks.versions(id).map_err(refused)?;
    let before = versions.iter().rev().nth(1).copied();
    before.ok_or_else(|| {
        let report = ErrorReport::new(Code::RequestInvalid, format!("the playbook {id} has only one version"));
        CliError::from(report.suggest("`legwork playbook list` lists the versions"))
    })
}

fn print(text: &str) -> Result<(), CliError> {
    Ok(Stream::Out.write(text)?)
}

fn list(playbooks: &Playbooks, json: bool) -> Result<(), CliError> {
    let entries = playbooks.list().map_err(refused)?;
    if json {
        let text = serde_json::to_string_pretty(&entries)
            .map_err(|error| CliError::fault("cannot write the list").because(&error))?;
        return print(&(text + "\n"));
    }
    if entries.is_empty() {
        return print("No playbooks yet. A validated run of a workflow that a model helped with records one.\n");
    }
    let style = Style::on(Stream::Out.is_terminal());
    let text: String = entries.iter().map(|entry| entry_lines(entry, style)).collect();
    print(&text)
}

fn entry_lines(entry: &PlaybookEntry, style: Style) -> String {
    let version = entry.versions.last().copied().unwrap_or_default();
    let kept = match entry.versions.len() {
        1 => String::new(),
        count => format!(", {count} versions are kept"),
    };
    let mut text = format!("{}  version {version}{kept}\n", style.bold(&entry.id));
    match (&entry.newest, &entry.problem) {
        (Some(playbook), _) => {
            let actions: usize = playbook.steps.iter().map(|step| step.actions.len()).sum();
            let (name, site) = (escape_control(&playbook.name), escape_control(&playbook.site));
            text += &format!(
                "  {name} on {site}: {} steps, {actions} actions, from run {}\n",
                playbook.steps.len(),
                playbook.run
            );
        }
        (None, Some(problem)) => text += &format!("  {}\n", style.bad(escape_control(problem))),
        (None, None) => {}
    }
    text
}

fn show(playbooks: &Playbooks, text: &str, version: Option<u32>, json: bool) -> Result<(), CliError> {
    let id = playbooks.find_id(text).map_err(refused)?;
    let version = version.map_or_else(|| newest(playbooks, &id), Ok)?;
    let playbook = playbooks.read(&id, version).map_err(refused)?;
    if json {
        let text = serde_json::to_string_pretty(&playbook)
            .map_err(|error| CliError::fault("cannot write the playbook").because(&error))?;
        return print(&(text + "\n"));
    }
    let style = Style::on(Stream::Out.is_terminal());
    let mut shown = format!(
        "{} version {version}\n{} on {}, from run {}\n",
        style.bold(&id),
        escape_control(&playbook.name),
        escape_control(&playbook.site),
        playbook.run
    );
    for (kind, names) in [("parameters", &playbook.parameters), ("secrets", &playbook.secrets)] {
        if !names.is_empty() {
            shown += &format!("{kind}: {}\n", names.iter().cloned().collect::<Vec<_>>().join(", "));
        }
    }
    for (at, step) in playbook.steps.iter().enumerate() {
        shown += &format!("{:>2} {}\n", at + 1, escape_control(&step.text));
        if let Some(reason) = &step.left_out {
            shown +=
                &format!("      {}\n", style.dim(format!("not recorded: {}", escape_control(&reason.to_string()))));
        }
        step.actions.iter().for_each(|action| shown += &action_lines(action, style));
        for fact in &step.evidence {
            shown += &format!("      {}\n", style.dim(format!("shown by: {}", escape_control(fact))));
        }
    }
    print(&shown)
}

fn action_lines(action: &PlaybookAction, style: Style) -> String {
    let mut text =
        format!("    {} {}\n", escape_control(&action.action.describe(None)), style.dim(action.decider.name()));
    let effect = &action.effect;
    let mut expected: Vec<String> = Vec::new();
    expected.extend(effect.url.iter().map(|url| format!("goes to {url}")));
    expected.extend(effect.requests.iter().map(|request| format!("{} {}", request.method, request.url)));
    expected.extend(effect.download.then(|| "downloads a file".to_owned()));
    expected.extend(effect.dialog.then(|| "opens a dialog".to_owned()));
    expected.extend(effect.appeared.first().map(|element| format!("{element} appears")));
    expected.extend(effect.disappeared.first().map(|element| format!("{element} disappears")));
    for line in expected {
        text += &format!("        {}\n", style.dim(format!("→ {}", escape_control(&line))));
    }
    text
}

fn diff(playbooks: &Playbooks, text: &str, from: Option<u32>, to: Option<u32>) -> Result<(), CliError> {
    let id = playbooks.find_id(text).map_err(refused)?;
    let to = to.map_or_else(|| newest(playbooks, &id), Ok)?;
    let from = from.map_or_else(|| previous(playbooks, &id), Ok)?;
    let (before, after) = (playbooks.read(&id, from).map_err(refused)?, playbooks.read(&id, to).map_err(refused)?);
    let lines = differences(&before, &after);
    let mut shown = format!("{id}: version {from} → {to}\n");
    if lines.is_empty() {
        shown += "  no differences\n";
    }
    for line in lines {
        shown += &format!("  {}\n", escape_control(&line));
    }
    print(&shown)
}

async fn drift(playbooks: &Playbooks, log: &dyn RunLog, text: &str, runs: usize, json: bool) -> Result<(), CliError> {
    let id = playbooks.find_id(text).map_err(refused)?;
    let playbook = playbooks.read(&id, newest(playbooks, &id)?).map_err(refused)?;
    let found = recent_drift(&playbook, log, runs).await;
    let found = found.map_err(|error| CliError::fault("the runs cannot be read").because(&error))?;
    if json {
        let text = serde_json::to_string_pretty(&found)
            .map_err(|error| CliError::fault("cannot write the drift").because(&error))?;
        return print(&(text + "\n"));
    }
    let style = Style::on(Stream::Out.is_terminal());
    print(&drift_lines(&id, &found, style))
}

fn drift_lines(id: &str, drift: &PlaybookDrift, style: Style) -> String {
    let mut text = format!("{}\n", style.bold(id));
    if drift.runs.is_empty() {
        return text + "  no runs of this workflow are on record\n";
    }
    for run in &drift.runs {
        let version = run.version.map_or("no playbook".to_owned(), |version| format!("version {version}"));
        let lowest = run.lowest.map_or(String::new(), |score| format!(", lowest agreement {:.0} %", score * 100.0));
        let healed = if run.healed == 0 { String::new() } else { format!(", {} healed", run.healed) };
        let (id, started) = (short_id(run.run), style.dim(&run.started));
        let (repeated, literal, model) = (run.playbook, run.literal, run.model);
        text += &format!(
            "  {id}  {started}  {}  {version}: {repeated} playbook, {literal} literal, {model} model{healed}{lowest}\n",
            run.state
        );
    }
    if !drift.steps.is_empty() {
        text += &format!(
            "{}\n",
            style.bold("Agreement of the elements by step, from the oldest of these runs to the newest")
        );
    }
    for step in &drift.steps {
        let marks: Vec<String> = step.marks.iter().map(|mark| drift_mark(mark.as_ref())).collect();
        text += &format!("  {:>2} {}\n     {}\n", step.step, escape_control(&step.text), marks.join("  "));
    }
    text
}

/// `98 %`, with `healed` if an action was decided again; `–` if the run did not look for the elements.
fn drift_mark(mark: Option<&DriftMark>) -> String {
    let Some(mark) = mark else { return "–".to_owned() };
    let score = mark.score.map(|score| format!("{:.0} %", score * 100.0));
    let healed = (mark.healed > 0).then(|| "healed".to_owned());
    score.into_iter().chain(healed).collect::<Vec<_>>().join(" ")
}
