//! The command line, as clap reads it. Only shapes and help texts; what they mean is decided in `commands`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};

use crate::{
    commands::{mcp::McpArgs, replay::ReplayArgs},
    page::args::PageArgs,
};

/// Tell it what to do on the web, in plain words. It does it in a real browser and proves it.
#[derive(Debug, Parser)]
#[command(name = "legwork", version, propagate_version = true, max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) global: Global,
}

/// What every command takes.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Global {
    /// Say more on standard error; twice for everything
    #[arg(short, long, action = clap::ArgAction::Count, global = true, conflicts_with = "quiet", help_heading = "Global")]
    pub(crate) verbose: u8,
    /// Say only what was asked for and what went wrong
    #[arg(short, long, global = true, help_heading = "Global")]
    pub(crate) quiet: bool,
    /// Read this settings file after the user's and the project's
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Global")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a workflow file, or a task in quotes
    Run(Box<RunArgs>),
    /// Run the built-in demo: its own site, a bundled workflow, no model and no key
    Demo(DemoArgs),
    /// Serve the web page and the HTTP API on this machine
    Serve(ServeArgs),
    /// Serve the browser and whole tasks to another agent, over MCP
    Mcp(McpArgs),
    /// Do a finished run again without a model
    Replay(Box<ReplayArgs>),
    /// Check a workflow file and list every problem
    Validate(ValidateArgs),
    /// List the runs there are
    Runs(RunsArgs),
    /// Show a run: its steps, decisions, evidence and usage
    Show(ShowArgs),
    /// Go on with a run that was cut short, cancelled or parked
    Resume(ResumeArgs),
    /// Write a run as one JSON document or one HTML page
    Export(ExportArgs),
    /// Look at what a run needs: browser, settings, keys, disk
    Doctor(DoctorArgs),
    /// Install a browser with the system's package manager
    InstallBrowser(InstallArgs),
    /// Show what runs learned of sites, or forget it
    Memory(MemoryArgs),
    /// Show the settings and where each comes from, or set one
    Config(ConfigArgs),
    /// Print a text that teaches a coding agent to drive pages with the verbs below
    Skill,
    /// The background process of the verbs; they start it
    #[command(hide = true)]
    TerminalHost,
    #[command(flatten)]
    Hand(PageArgs),
    /// Write a shell's completions to standard output
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

impl Command {
    /// Whether one JSON object was asked for; what goes wrong is then one too.
    pub(crate) fn prints_json(&self) -> bool {
        match self {
            Command::Run(args) => args.show.json,
            Command::Demo(args) => args.show.json,
            Command::Replay(args) => args.show.json,
            Command::Resume(args) => args.show.json,
            Command::Validate(args) => args.json,
            Command::Runs(args) => args.json,
            Command::Show(args) => args.json,
            Command::Doctor(args) => args.json,
            Command::Memory(args) => args.json,
            Command::Config(args) => matches!(args.action, Some(ConfigAction::Show { json: true })),
            // A verb of the terminal tells its own.
            Command::Hand(_)
            | Command::Serve(_)
            | Command::Mcp(_)
            | Command::Export(_)
            | Command::InstallBrowser(_)
            | Command::Skill
            | Command::TerminalHost
            | Command::Completions { .. } => false,
        }
    }
}

/// Who decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeciderArg {
    /// Read off the step's words where they say exactly what to do, else the model
    Auto,
    /// Only what the step's words say; no model is called
    Literal,
    /// The model decides every step
    Model,
}

impl DeciderArg {
    pub(crate) fn name(self) -> &'static str {
        match self {
            DeciderArg::Auto => "auto",
            DeciderArg::Literal => "literal",
            DeciderArg::Model => "model",
        }
    }
}

/// How a run is shown.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Show {
    /// Print one JSON object at the end
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Print the run's events as they happen, one JSON object a line: the journal's own, or under the names of the side
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
    /// Write the run's export (JSON, HTML, pictures) into this folder
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

/// The browser of a run.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct BrowserArgs {
    /// Show the browser's window
    #[arg(long, help_heading = "Browser")]
    pub(crate) headed: bool,
    /// The browser to start
    #[arg(long, value_name = "PATH", value_hint = ValueHint::ExecutablePath, help_heading = "Browser")]
    pub(crate) browser: Option<PathBuf>,
    /// Use a browser that is running already, by its debugging address (ws://… or http://host:port)
    #[arg(long, value_name = "URL", conflicts_with_all = ["browser", "headed", "profile"], help_heading = "Browser")]
    pub(crate) cdp: Option<String>,
    /// Keep the browser's profile in this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Browser")]
    pub(crate) profile: Option<PathBuf>,
    /// Begin with these cookies and storages (Playwright's format)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Browser")]
    pub(crate) storage_state: Option<PathBuf>,
}

/// `legwork run`.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0 success   1 the page said no   2 usage or settings   3 browser, model or site fault
  4 a budget ran out   5 parked for a human   130 cancelled

Examples:
  legwork run login.yaml --secret password
  legwork run \"find the cheapest flight to Oslo\" --url https://flights.example --model anthropic/claude-sonnet-4-5
  printf 'Open example.org\\nCheck that \"Example Domain\" is shown\\n' | legwork run -")]
pub(crate) struct RunArgs {
    /// A workflow file (YAML, Markdown or plain text), `-` for standard input, or a task in quotes
    #[arg(value_name = "FILE|TASK", value_hint = ValueHint::FilePath)]
    pub(crate) subject: String,
    /// The page to begin with
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// A value for one of the workflow's inputs
    #[arg(long = "var", value_name = "NAME=VALUE")]
    pub(crate) vars: Vec<String>,
    /// A secret for ${secret:NAME}: its value comes from the variable LEGWORK_SECRET_NAME or NAME, from FILE, or is asked
    /// for. It is typed only into ORIGIN; without one, into the site that the run begins on
    #[arg(long = "secret", value_name = "NAME[=FILE][@ORIGIN]")]
    pub(crate) secrets: Vec<String>,
    /// The folder from which files may be uploaded; without it the workflow's own
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) uploads: Option<PathBuf>,
    /// The model, as provider/name
    #[arg(long, value_name = "PROVIDER/NAME", help_heading = "Decisions")]
    pub(crate) model: Option<String>,
    /// The address of the model's endpoint
    #[arg(long, value_name = "URL", help_heading = "Decisions")]
    pub(crate) base_url: Option<String>,
    /// Who decides
    #[arg(long, value_enum, value_name = "WHO", help_heading = "Decisions")]
    pub(crate) decider: Option<DeciderArg>,
    /// Let the model call the tools of the MCP servers that this file names ({"mcpServers": …})
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Decisions")]
    pub(crate) tools: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) browser: BrowserArgs,
    /// Only these sites may be loaded: host names, `*.example.org` for those below
    #[arg(long, value_name = "DOMAINS", value_delimiter = ',', help_heading = "Limits")]
    pub(crate) allowed_domains: Vec<String>,
    /// The most actions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Limits")]
    pub(crate) max_steps: Option<u32>,
    /// The most model tokens
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub(crate) max_tokens: Option<u64>,
    /// The most US dollars
    #[arg(long, value_name = "USD", value_parser = dollars, help_heading = "Limits")]
    pub(crate) max_cost: Option<f64>,
    /// The most time for the whole run: 90, 90s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Limits")]
    pub(crate) timeout: Option<std::time::Duration>,
    #[command(flatten)]
    pub(crate) require: RequireArgs,
    #[command(flatten)]
    pub(crate) show: Show,
}

fn dollars(text: &str) -> Result<f64, BadValue> {
    let dollars = text.trim_start_matches('$').parse::<f64>().ok().filter(|usd| usd.is_finite() && *usd > 0.0);
    dollars.ok_or(BadValue("a positive number of US dollars, such as 0.25"))
}

fn time(text: &str) -> Result<std::time::Duration, BadValue> {
    let time = legwork_protocol::parse_duration(text).filter(|time| !time.is_zero());
    time.ok_or(BadValue("a positive time such as 90, 90s, 5m or 1h"))
}

/// What a flag's value must be.
#[derive(Debug, thiserror::Error)]
#[error("expected {0}")]
struct BadValue(&'static str);

/// `legwork demo`.
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Do not install a browser when none is found
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
  legwork serve --link          a new link for a server that runs
  legwork serve --host 0.0.0.0 --behind-proxy https://legwork.example.org")]
pub(crate) struct ServeArgs {
    /// Where to listen; what other machines reach needs --behind-proxy
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) host: Option<String>,
    /// The port; 0 takes a free one
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<u16>,
    /// The origin under which a proxy that speaks TLS shows the server
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) behind_proxy: Option<String>,
    /// Open the page in this machine's browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Print a new link for the server that runs already, and end
    #[arg(long, conflicts_with_all = ["host", "port", "behind_proxy"])]
    pub(crate) link: bool,
    #[command(flatten)]
    pub(crate) browser: BrowserArgs,
}

/// `legwork validate`.
#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    /// The workflow file, `-` for standard input
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
    /// The most to list, the newest first
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
    /// Print a JSON array
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RunsAction {
    /// Forget old runs, and the pictures and texts that only they had
    Prune {
        /// Those in which nothing happened for so many days; without it `retention.days`
        #[arg(long, value_name = "N")]
        days: Option<u32>,
    },
}

/// `legwork show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The run's id, the beginning of it, or `last`
    pub(crate) run: String,
    /// Print the folded run as one JSON object
    #[arg(long, conflicts_with = "events")]
    pub(crate) json: bool,
    /// Print its events, one JSON object a line: the journal's own, or under the names of the side panel
    #[arg(
        long,
        value_enum,
        value_name = "NAMES",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "journal"
    )]
    pub(crate) events: Option<EventNames>,
    /// Print the data it took out of pages, with the source of each value; only what VARIABLE keeps, when one is given
    #[arg(
        long,
        value_name = "VARIABLE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with_all = ["json", "events"]
    )]
    pub(crate) data: Option<String>,
    /// The form of the data
    #[arg(long, value_enum, default_value_t = DataFormat::Json, requires = "data")]
    pub(crate) format: DataFormat,
}

/// The form of extracted data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DataFormat {
    /// Data, sources, addresses
    Json,
    /// The data alone, a row an item; what a spreadsheet would run as a formula begins with an apostrophe
    Csv,
}

/// What a person found out about an action whose result was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AssumeArg {
    /// It was done: go on after it
    Done,
    /// It was not done: do it again
    NotDone,
}

/// `legwork resume`.
#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The run's id, the beginning of it, or `last`
    pub(crate) run: String,
    /// What became of the action whose result was lost
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) assume: Option<AssumeArg>,
    /// A secret, as with `run`
    #[arg(long = "secret", value_name = "NAME[=FILE][@ORIGIN]")]
    pub(crate) secrets: Vec<String>,
    #[command(flatten)]
    pub(crate) browser: BrowserArgs,
    #[command(flatten)]
    pub(crate) require: RequireArgs,
    #[command(flatten)]
    pub(crate) show: Show,
}

/// What a run must come to.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct RequireArgs {
    /// What the run must come to: with `validated`, a success that no evidence shows is a failure (exit code 1)
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Output")]
    pub(crate) require: Option<RequireArg>,
}

/// What a run must come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RequireArg {
    /// Everything was done
    Success,
    /// Everything was done, and evidence shows it
    Validated,
}

impl RequireArgs {
    /// As the setting has it.
    pub(crate) fn flag(&self) -> Option<(String, String)> {
        let value = match self.require? {
            RequireArg::Success => "success",
            RequireArg::Validated => "validated",
        };
        Some(("run.require".to_owned(), value.to_owned()))
    }
}

/// The form of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    /// The folded run and its events
    Json,
    /// One page that needs nothing else
    Html,
}

/// `legwork export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The run's id, the beginning of it, or `last`
    pub(crate) run: String,
    /// The form
    #[arg(long, value_enum)]
    pub(crate) format: FormatArg,
    /// Write it here instead of to standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
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
    /// Print the command and do nothing
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
    /// Show every setting, its value and where it comes from
    Show {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Set one in the user's settings file
    Set {
        /// The setting, such as model.name
        key: String,
        /// Its value
        value: String,
    },
}

/// `legwork memory`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct MemoryArgs {
    #[command(subcommand)]
    pub(crate) action: Option<MemoryAction>,
    /// Only this site: https://shop.example, or an address on it
    #[arg(value_name = "SITE", value_hint = ValueHint::Url)]
    pub(crate) site: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MemoryAction {
    /// Forget what was learned of a site, or everything
    Forget {
        /// The site
        #[arg(value_name = "SITE", required_unless_present = "all", value_hint = ValueHint::Url)]
        site: Option<String>,
        /// Everything
        #[arg(long, conflicts_with = "site")]
        all: bool,
    },
    /// Forget what is hardly trusted any more, and what cannot be read
    Prune,
}
