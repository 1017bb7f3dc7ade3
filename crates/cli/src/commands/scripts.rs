//! `legwork export` as a script or a workflow, and `legwork import`.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use legwork::store::Artifacts;
use legwork_protocol::{Code, Event, EventKind, PageText};
use legwork_scripts::{
    PageOutline, PlaywrightScript, import,
    playwright::{self, Language},
    run_workflow,
};
use serde_json::json;

use crate::{data_dir::DataDir, error::CliError, exit::Exit, run_target, screen::Stream, style::escape_control, trace};

/// The largest text of a page that is read.
const OUTLINE_LIMIT: u64 = 4 * 1024 * 1024;
/// The largest recording that is read.
const MAX_RECORDING: u64 = 16 * 1024 * 1024;

/// `legwork import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// A recording of Chrome DevTools (.json), a script of Playwright's code generator (.ts, .js, .py), or a project of
    /// Selenium IDE (.side)
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Write the workflow to FILE instead of standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite FILE
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
    /// Write the workflow even if steps cannot be converted; each of them becomes a step that fails
    #[arg(long)]
    pub(crate) partial: bool,
    /// Print one JSON object with the workflow, or with the file that contains it
    #[arg(long)]
    pub(crate) json: bool,
}

/// The script of a run.
pub(crate) async fn script(data_dir: &DataDir, events: &[Event], language: Language) -> Result<String, CliError> {
    let outlines = outlines(&*data_dir.artifacts, events).await;
    let script = PlaywrightScript::of_run(events, &outlines).map_err(|error| {
        CliError::usage("the run cannot be exported as a script").because(&error).hint("export a run that succeeded")
    })?;
    Ok(playwright::write(&script, language))
}

/// The workflow that repeats a run without a model.
pub(crate) async fn literal_workflow(data_dir: &DataDir, events: &[Event]) -> Result<String, CliError> {
    let outlines = outlines(&*data_dir.artifacts, events).await;
    run_workflow(events, &outlines).map_err(|error| {
        CliError::usage("the run cannot be exported as a workflow").because(&error).hint("export a run that succeeded")
    })
}

/// The stored texts of the pages of a run. A text that is gone is left out: the script then names its elements as well
/// as it can.
async fn outlines(artifacts: &dyn Artifacts, events: &[Event]) -> Vec<PageOutline> {
    let mut outlines = Vec::new();
    for event in events {
        let EventKind::PageTextSaved(PageText { text, .. }) = &event.kind else { continue };
        if let Ok(bytes) = artifacts.get(&text.hash, OUTLINE_LIMIT).await {
            outlines.push(PageOutline { seq: event.seq, text: String::from_utf8_lossy(&bytes).into_owned() });
        }
    }
    outlines
}

/// `legwork import`.
pub(crate) fn import_recording(args: &ImportArgs) -> Result<Exit, CliError> {
    trace::check_output(args.output.as_deref(), args.force)?;
    let name = args.file.display().to_string();
    let unreadable = |error: std::io::Error| run_target::unreadable(&name, &error);
    if std::fs::metadata(&args.file).map_err(unreadable)?.len() > MAX_RECORDING {
        return Err(
            CliError::usage(format!("{name} is longer than {} MiB", MAX_RECORDING >> 20)).code(Code::RequestInvalid)
        );
    }
    let bytes = std::fs::read(&args.file).map_err(unreadable)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        CliError::usage(format!("{name} is not UTF-8 text")).because(&error.utf8_error()).hint("save the file as UTF-8")
    })?;
    let imported = import::import(&text, &name, args.partial).map_err(|error| {
        CliError::usage(format!("{name} cannot be imported"))
            .code(Code::RequestInvalid)
            .because(&error)
            .hint("export the recording as JSON, as a Playwright script or as a .side file")
    })?;
    if !imported.problems.is_empty() && !args.partial {
        let count = imported.problems.len();
        let message = if count == 1 { "1 step".to_owned() } else { format!("{count} steps") };
        return Err(CliError::usage(format!("{name}: {message} cannot be converted"))
            .details(imported.problems.iter().map(ToString::to_string))
            .code(Code::WorkflowInvalid)
            .hint("--partial writes the workflow with these steps marked"));
    }
    for problem in &imported.problems {
        Stream::Err.write(&format!("! {}\n", escape_control(&problem.to_string())))?;
    }
    for secret in &imported.secrets {
        Stream::Err.write(&format!("a recorded password is replaced by a secret: run with --secret {secret}\n"))?;
    }
    let text = imported.text();
    let file = args.output.as_ref().filter(|path| path.as_os_str() != "-");
    if let Some(path) = file {
        trace::save(path, text.as_bytes())?;
    }
    if args.json {
        let problems: Vec<String> = imported.problems.iter().map(ToString::to_string).collect();
        let workflow = file.is_none().then_some(&text);
        let object = json!({ "file": file, "workflow": workflow, "secrets": imported.secrets, "problems": problems });
        Stream::Out.write(&format!("{object:#}\n"))?;
    } else if file.is_none() {
        Stream::Out.write(&text)?;
    }
    Ok(Exit::Success)
}
