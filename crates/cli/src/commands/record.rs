//! `legwork record`: shows a person's work in the browser as sentences, and writes them as a workflow
//! (docs/recording.md).

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use clap::{Args, ValueHint};
use legwork::{
    browser::{Capability, Engine, Support, UserEvent},
    page::{Page, PageRequest},
    settings::Settings,
};
use legwork_protocol::{Action, Open};
use legwork_scripts::{RecordedStep, Recorder, RecorderOptions};
use serde_json::json;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::{
    command_args::{BrowserArgs, Global},
    commands::run,
    error::CliError,
    exit::Exit,
    options,
    page::address,
    screen::Stream,
    setting_flags::{OpenFlags, SettingFlags},
    style::escape_control,
    trace,
};

/// How long a signal waits for each of the events that are still being processed.
const LAST_EVENTS: Duration = Duration::from_millis(300);
/// How long the browser may take to close.
const CLOSE: Duration = Duration::from_secs(10);

/// `legwork record`.
#[derive(Debug, Args)]
#[command(after_help = "\
The recording ends when the last tab is closed, or with Ctrl-C.
Alt+Shift+C in the page records a check of the selected text, or of the text under the pointer.

Examples:
  legwork record https://shop.example
  legwork record shop.example/orders --output order.yaml --inputs
  legwork run order.yaml")]
pub(crate) struct RecordArgs {
    /// Start page; without a scheme https, or http for this machine. Without an address, a blank page is opened
    #[arg(value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) start: Option<String>,
    /// Start page, as for `run`
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url, conflicts_with = "start")]
    pub(crate) url: Option<String>,
    /// Write the workflow to FILE; by default to recording-DATE-TIME.yaml in the current folder
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite FILE
    #[arg(long, requires = "output", help_heading = "Output")]
    pub(crate) force: bool,
    /// Name of the workflow; by default that of the file
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    pub(crate) name: Option<String>,
    /// Turn typed values into inputs of the workflow, with the typed values as defaults
    #[arg(long, help_heading = "Output")]
    pub(crate) inputs: bool,
    /// Print one JSON object per line: a step, whenever it is recorded or changed, and the file at the end
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Do not show the window, for a browser that is controlled from elsewhere
    #[arg(long, conflicts_with_all = ["headed", "cdp"], help_heading = "Browser")]
    pub(crate) headless: bool,
    #[command(flatten)]
    pub(crate) settings: SettingFlags<OpenFlags>,
    #[command(flatten)]
    pub(crate) browser: BrowserArgs,
}

/// `legwork record`.
pub(crate) async fn record(global: &Global, args: &RecordArgs) -> Result<Exit, CliError> {
    let output = output(args)?;
    let settings = settings(global, args)?;
    let storage_state = args.browser.storage_state.as_deref().map(run::storage_state).transpose()?;
    let mut signals = Signals::new()?;

    let runtime = Arc::new(run::open(settings).await?);
    let request = PageRequest { storage_state, reports_input: true, ..PageRequest::default() };
    let page = runtime.open_page(request).await.map_err(run::begun)?;
    let url = args.start.as_deref().or(args.url.as_deref()).map(address);
    let file_name = || output.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = args.name.clone().unwrap_or_else(file_name);
    let options = RecorderOptions { name, url: url.clone(), inputs: args.inputs };
    let mut recording =
        Recording { recorder: Recorder::new(options), shown: Vec::new(), output, is_saved: false, json: args.json };

    let ended = async {
        if let Some(url) = url {
            open(&page, &url).await?;
        }
        if !global.quiet && !args.json {
            Stream::Err.write(
                "Recording. Close the browser or press Ctrl-C to end; Alt+Shift+C in the page adds a check.\n",
            )?;
        }
        while let Some(event) = page.session().next_user_event().await {
            recording.note(&event)?;
        }
        Ok(())
    };
    let result: Result<(), CliError> = tokio::select! {
        ended = ended => ended,
        () = signals.next() => Ok(()),
    };
    // What was done just before the signal.
    while let Ok(Some(event)) = tokio::time::timeout(LAST_EVENTS, page.session().next_user_event()).await {
        recording.note(&event)?;
    }
    // What was done is kept, whatever ended the recording.
    let written = recording.finish(global);
    let closed = tokio::time::timeout(CLOSE, runtime.close());
    tokio::select! {
        _ = closed => {}
        () = signals.next() => {}
    }
    result.and(written)
}

/// The file for the workflow. It is checked before the browser opens, so that no work is lost.
fn output(args: &RecordArgs) -> Result<PathBuf, CliError> {
    let path = args.output.clone().unwrap_or_else(|| {
        let time = jiff::Zoned::now().strftime("%Y%m%d-%H%M%S");
        PathBuf::from(format!("recording-{time}.yaml"))
    });
    if path.is_dir() {
        return Err(CliError::usage(format!("{} is a folder", path.display())).hint("name a file: --output FILE.yaml"));
    }
    if path.exists() && !args.force {
        return Err(CliError::usage(format!("{} exists already", path.display()))
            .hint("choose another --output, or overwrite the file with --force"));
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    rustix::fs::access(folder, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK).map_err(|error| {
        CliError::usage(format!("the folder {} cannot be written to", folder.display()))
            .because(&std::io::Error::from(error))
            .hint("choose a file in another folder with --output")
    })?;
    Ok(path)
}

fn settings(global: &Global, args: &RecordArgs) -> Result<Settings, CliError> {
    let mut flags = [options::browser(&args.browser), args.settings.flags()].concat();
    if args.browser.cdp.is_none() {
        flags.push(("browser.headed".to_owned(), (!args.headless).to_string()));
    }
    let settings = options::load(global, flags)?;
    let engine = settings.browser.engine;
    if let Support::Missing(reason) = engine.capabilities().support(Capability::InputReports) {
        return Err(CliError::usage(format!("{} cannot be recorded: {reason}", engine.title()))
            .hint(format!("use --engine {}", Engine::Chromium.word())));
    }
    let has_display =
        ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    if cfg!(target_os = "linux") && !has_display && settings.browser.headed && settings.browser.cdp.is_none() {
        return Err(CliError::usage("there is no display for the window of the browser: neither DISPLAY nor WAYLAND_DISPLAY is set")
            .hint("run it in a desktop session or as `xvfb-run legwork record …`; --headless records a browser that is controlled from elsewhere"));
    }
    Ok(settings)
}

/// Opens the start page. A page that cannot be reached is recorded as well: the person can go elsewhere.
async fn open(page: &Page, url: &str) -> Result<(), CliError> {
    let result = page.act(&Action::Open(Open { url: url.to_owned() }), &CancellationToken::new()).await;
    if let Some(failure) = result.failure_text() {
        let failure = escape_control(&failure);
        Stream::Err.write(&format!(
            "! {url} did not open: {failure}\n  The recording continues; open an address in the browser.\n"
        ))?;
    }
    Ok(())
}

struct Recording {
    recorder: Recorder,
    /// The steps that were shown, in order.
    shown: Vec<RecordedStep>,
    output: PathBuf,
    /// Whether this recording has written the file.
    is_saved: bool,
    json: bool,
}

impl Recording {
    /// Writes the file after each event, so that nothing is lost if the program ends.
    fn save(&mut self) -> Result<(), CliError> {
        if self.recorder.steps().len() == 0 {
            return Ok(());
        }
        self.is_saved = true;
        trace::save(&self.output, self.recorder.text().as_bytes())
    }

    fn note(&mut self, event: &UserEvent) -> Result<(), CliError> {
        self.recorder.note(event);
        self.save()?;
        self.show()
    }

    /// Shows the steps that are complete and were not shown, or are different now.
    fn show(&mut self) -> Result<(), CliError> {
        let settled = self.recorder.final_step_count();
        self.shown.truncate(self.recorder.steps().len());
        for (index, step) in self.recorder.steps().take(settled).enumerate() {
            let before = self.shown.get(index);
            if before == Some(step) {
                continue;
            }
            let line = if self.json {
                format!("{}\n", json_line(index, step))
            } else {
                let is_changed = if before.is_some() { " (changed)" } else { "" };
                let doubt = step.doubt.as_ref().map(|doubt| format!("     ! {}\n", escape_control(doubt)));
                let words = escape_control(&step.step.step);
                format!("{:>3}. {words}{is_changed}\n{}", index + 1, doubt.unwrap_or_default())
            };
            Stream::Out.write(&line)?;
            match before {
                Some(_) => self.shown[index] = step.clone(),
                None => self.shown.push(step.clone()),
            }
        }
        Ok(())
    }

    /// Writes the file a last time, and says how to run it.
    fn finish(&mut self, global: &Global) -> Result<Exit, CliError> {
        self.recorder.finish();
        self.show()?;
        let count = self.recorder.steps().len();
        if count == 0 {
            if self.is_saved {
                // What was saved, such as a closed tab, is no recording either. A file that cannot be removed does no
                // harm.
                let _ = std::fs::remove_file(&self.output);
            }
            Stream::Err.write("Nothing was recorded, so no file was written.\n")?;
            return Ok(Exit::Failure);
        }
        self.save()?;
        let path = self.output.display().to_string();
        if self.json {
            let end = json!({
                "file": path, "steps": count, "secrets": self.recorder.secrets(), "files": self.recorder.files(),
                "required_inputs": self.recorder.required_inputs().collect::<Vec<_>>(),
            });
            Stream::Out.write(&format!("{end}\n"))?;
            return Ok(Exit::Success);
        }
        if global.quiet {
            return Ok(Exit::Success);
        }
        let quoted = shlex::try_quote(&path).map_or_else(|_| path.clone(), std::borrow::Cow::into_owned);
        let mut command = format!("legwork run {quoted}");
        for secret in self.recorder.secrets() {
            command += &format!(" --secret {secret}");
        }
        for input in self.recorder.required_inputs() {
            command += &format!(" --var {input}=…");
        }
        let steps = if count == 1 { "1 step".to_owned() } else { format!("{count} steps") };
        let mut text = format!("Wrote {steps} to {path}\nRun it with: {command}\n");
        for secret in self.recorder.secrets() {
            text += &format!(
                "The value of {secret} was not recorded: set LEGWORK_SECRET_{} or enter it when the run asks for it.\n",
                secret.to_uppercase()
            );
        }
        if !self.recorder.files().is_empty() {
            let files = self.recorder.files().join(", ");
            text +=
                &format!("Put {} beside the workflow, or name its folder with --uploads.\n", escape_control(&files));
        }
        let doubtful = self.recorder.steps().filter(|step| step.doubt.is_some()).count();
        if doubtful > 0 {
            text += &format!("! {doubtful} of the steps could not be verified; the file has a comment above each.\n");
        }
        Stream::Err.write(&text)?;
        Ok(Exit::Success)
    }
}

fn json_line(index: usize, step: &RecordedStep) -> serde_json::Value {
    let mut line = json!({ "number": index + 1, "step": step.step, "verified": step.doubt.is_none() });
    if let Some(doubt) = &step.doubt {
        line["doubt"] = json!(doubt);
    }
    line
}

/// The signals that end the recording.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    fn new() -> Result<Signals, CliError> {
        Ok(Signals { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
