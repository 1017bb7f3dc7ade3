//! The arguments of the commands, as clap reads them. Only shapes and help texts; what they mean is decided in
//! `commands`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint, builder::PossibleValuesParser};

use crate::each_args::EachArgs;
use crate::exit;
use crate::setting_flags::{ResultFlags, RunFlags, ServeFlags, SettingFlags};

/// What every command takes.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Global {
    /// Log more to standard error; repeat for debug output
    #[arg(short, long, action = clap::ArgAction::Count, global = true, conflicts_with = "quiet", help_heading = "Global")]
    pub(crate) verbose: u8,
    /// Print only results and errors
    #[arg(short, long, global = true, help_heading = "Global")]
    pub(crate) quiet: bool,
    /// Use this file in place of the user's settings file
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Global")]
    pub(crate) config: Option<PathBuf>,
    /// Use these rules in place of the user's policy.toml
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Global")]
    pub(crate) policy: Option<PathBuf>,
}

/// How a run is shown.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Show {
    /// Print one JSON object at the end
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Print events as they happen, one JSON object per line: under the names of the journal, or of the side
    /// panel (task:started, agent:step, …)
    #[arg(
        long,
        value_enum,
        value_name = "NAMES",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "journal",
        help_heading = "Output"
    )]
    pub(crate) events: Option<EventNames>,
    /// Write the run's export (JSON, HTML, screenshots) to this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Output")]
    pub(crate) trace: Option<PathBuf>,
}

/// Under which names events are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EventNames {
    /// WORKFLOW_STARTED, STEP_STARTED, … as they are kept
    Journal,
    /// task:started, agent:step, … a view of the same record
    SidePanel,
}

fn engines() -> PossibleValuesParser {
    legwork::browser::Engine::ALL.map(legwork::browser::Engine::word).into()
}

/// The browser of a run.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct BrowserArgs {
    /// Show the browser's window
    #[arg(long, help_heading = "Browser")]
    pub(crate) headed: bool,
    /// Browser engine: chromium, or firefox and webkit (both experimental)
    #[arg(long, value_name = "ENGINE", value_parser = engines(), help_heading = "Browser")]
    pub(crate) engine: Option<String>,
    /// Browser executable
    #[arg(long, value_name = "PATH", value_hint = ValueHint::ExecutablePath, help_heading = "Browser")]
    pub(crate) browser: Option<PathBuf>,
    /// Connect to a running browser at its debugging address (ws://… or http://host:port)
    #[arg(long, value_name = "URL", conflicts_with_all = ["browser", "headed", "profile"], help_heading = "Browser")]
    pub(crate) cdp: Option<String>,
    /// Profile folder to use and keep
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Browser")]
    pub(crate) profile: Option<PathBuf>,
    /// Start with these cookies and storage (in Playwright's format)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Browser")]
    pub(crate) storage_state: Option<PathBuf>,
}

const RUN_EXAMPLES: &str = "\
Examples:
  legwork run login.yaml --secret password
  legwork run order.yaml --each orders.csv --jobs 4 --output results.csv
  legwork run \"find the cheapest flight to Oslo\" --url https://flights.example --model anthropic/claude-sonnet-4-5
  printf 'Open example.org\\nCheck that \"Example Domain\" is shown\\n' | legwork run -";

/// `legwork run`.
#[derive(Debug, Args)]
#[command(after_help = format!("{}\n{RUN_EXAMPLES}", exit::help()))]
pub(crate) struct RunArgs {
    /// A workflow file (YAML, Markdown or plain text), `-` for standard input, or a task in quotes
    #[arg(value_name = "FILE|TASK", value_hint = ValueHint::FilePath)]
    pub(crate) subject: String,
    /// Start page
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Value of a workflow input
    #[arg(long = "var", value_name = "NAME=VALUE")]
    pub(crate) vars: Vec<String>,
    /// Secret for ${secret:NAME}: read from FILE, or from the variable LEGWORK_SECRET_NAME or NAME, the vault or a
    /// prompt. It is typed only into ORIGIN; by default, into its origins in the vault or that of the start page
    #[arg(long = "secret", value_name = "NAME[=FILE][@ORIGIN]")]
    pub(crate) secrets: Vec<String>,
    /// Folder from which files may be uploaded; by default the workflow's folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) uploads: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) each: EachArgs,
    #[command(flatten)]
    pub(crate) settings: SettingFlags<RunFlags>,
    #[command(flatten)]
    pub(crate) browser: BrowserArgs,
    /// Work in a tab of your own browser, which you assign in the side panel of Legwork's extension
    #[arg(
        long,
        conflicts_with_all = ["browser", "headed", "profile", "cdp", "engine", "storage_state", "each"],
        help_heading = "Browser"
    )]
    pub(crate) extension: bool,
    /// Time limit of the run: 90, 90s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Limits")]
    pub(crate) timeout: Option<std::time::Duration>,
    #[command(flatten)]
    pub(crate) require: SettingFlags<ResultFlags>,
    #[command(flatten)]
    pub(crate) show: Show,
}

fn time(text: &str) -> Result<std::time::Duration, InvalidValue> {
    let time = legwork_protocol::parse_duration(text).filter(|time| !time.is_zero());
    time.ok_or(InvalidValue("a positive time such as 90, 90s, 5m or 1h"))
}

/// What a flag's value must be.
#[derive(Debug, thiserror::Error)]
#[error("expected {0}")]
struct InvalidValue(&'static str);

/// `legwork demo`.
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Do not install a browser if none is found
    #[arg(long)]
    pub(crate) no_install: bool,
    #[command(flatten)]
    pub(crate) browser: BrowserArgs,
    #[command(flatten)]
    pub(crate) show: Show,
}

/// `legwork serve`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  legwork serve
  legwork serve --link          a new link for a running server
  legwork serve --link --token ci   a link with the scopes of a token
  legwork serve --host 0.0.0.0 --behind-proxy https://legwork.example.org")]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    pub(crate) settings: SettingFlags<ServeFlags>,
    /// Open the web interface in the default browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Print a new link for the running server and exit
    #[arg(long, conflicts_with_all = ["server.host", "server.port", "server.behind_proxy"])]
    pub(crate) link: bool,
    /// With --link: whoever opens the link gets the scopes of this token
    #[arg(long, value_name = "NAME|ID", requires = "link")]
    pub(crate) token: Option<String>,
    /// Print the link, or an error, as a JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) browser: BrowserArgs,
}

/// `legwork validate`.
#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    /// Workflow file, or `-` for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: String,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// `legwork runs`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct RunsArgs {
    #[command(subcommand)]
    pub(crate) action: Option<RunsAction>,
    /// Maximum number of runs to list, newest first
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
    /// Print a JSON array
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RunsAction {
    /// Delete old runs and their artifacts
    Prune {
        /// Minimum age in days; by default `retention.days`
        #[arg(long, value_name = "N")]
        days: Option<u32>,
    },
}

/// `legwork show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// Run id, a part that identifies it, or `last`
    pub(crate) run: String,
    /// Print the run as one JSON object
    #[arg(long, conflicts_with = "events")]
    pub(crate) json: bool,
    /// Print events, one JSON object per line: under the names of the journal, or of the side panel
    #[arg(
        long,
        value_enum,
        value_name = "NAMES",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "journal"
    )]
    pub(crate) events: Option<EventNames>,
    /// Print the extracted data, with the source of each value; with VARIABLE, only that variable's data
    #[arg(
        long,
        value_name = "VARIABLE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with_all = ["json", "events"]
    )]
    pub(crate) data: Option<String>,
    /// Data format
    #[arg(long, value_enum, default_value_t = DataFormat::Json, requires = "data")]
    pub(crate) format: DataFormat,
}

/// Format of extracted data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DataFormat {
    /// Data, sources and addresses
    Json,
    /// Data only, one row per item; values that a spreadsheet would run as a formula begin with an apostrophe
    Csv,
}

/// What a person found out about an action whose result was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AssumedOutcome {
    /// It was done: continue after it
    Done,
    /// It was not done: do it again
    NotDone,
}

/// `legwork resume`.
#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// Run id, a part that identifies it, or `last`
    pub(crate) run: String,
    /// Outcome of the action whose result was lost
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) assume: Option<AssumedOutcome>,
    /// Secret, as for `run`
    #[arg(long = "secret", value_name = "NAME[=FILE][@ORIGIN]")]
    pub(crate) secrets: Vec<String>,
    #[command(flatten)]
    pub(crate) browser: BrowserArgs,
    #[command(flatten)]
    pub(crate) require: SettingFlags<ResultFlags>,
    #[command(flatten)]
    pub(crate) show: Show,
}

/// Format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// The run and its events
    Json,
    /// One self-contained page
    Html,
    /// A test in TypeScript for @playwright/test
    PlaywrightTs,
    /// A program in Python for playwright
    PlaywrightPy,
    /// A workflow that repeats the run without a model
    Workflow,
}

/// `legwork export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Run id, a part that identifies it, or `last`
    pub(crate) run: String,
    /// Format
    #[arg(long, value_enum)]
    pub(crate) format: ExportFormat,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite FILE
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
}

/// `legwork doctor`.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// `legwork install-browser`.
#[derive(Debug, Args)]
pub(crate) struct InstallArgs {
    /// Browser engine: chromium, or firefox and webkit (both experimental)
    #[arg(long, value_name = "ENGINE", value_parser = engines())]
    pub(crate) engine: Option<String>,
    /// Print the command without running it
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// `legwork config`.
#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    #[command(subcommand)]
    pub(crate) action: Option<ConfigAction>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigAction {
    /// Show all settings with their values and sources
    Show {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Change a setting in the user's settings file
    Set {
        /// Setting, such as model.name
        key: String,
        /// Value
        value: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Remove a setting from the user's settings file
    Unset {
        /// Setting, such as model.name
        key: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// `legwork memory`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct MemoryArgs {
    #[command(subcommand)]
    pub(crate) action: Option<MemoryAction>,
    /// Only this site: https://shop.example, or any address on it
    #[arg(value_name = "SITE", value_hint = ValueHint::Url)]
    pub(crate) site: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MemoryAction {
    /// Delete what was learned about a site, or everything
    Forget {
        /// Site
        #[arg(value_name = "SITE", required_unless_present = "all", value_hint = ValueHint::Url)]
        site: Option<String>,
        /// Every site
        #[arg(long, conflicts_with = "site")]
        all: bool,
    },
    /// Delete lessons that are no longer trusted or cannot be read
    Prune,
}
