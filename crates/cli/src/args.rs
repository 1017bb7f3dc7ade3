//! The commands of the program, as clap reads them.

use clap::{Parser, Subcommand};

use crate::{
    command_args::{
        ConfigAction, ConfigArgs, DemoArgs, DoctorArgs, ExportArgs, Global, InstallArgs, MemoryArgs, ResumeArgs,
        RunArgs, RunsArgs, ServeArgs, ShowArgs, ValidateArgs,
    },
    commands::{
        audit::AuditArgs,
        mcp::McpArgs,
        panel::PanelArgs,
        playbook::{PlaybookArgs, PlaybookCommand},
        policy::{PolicyAction, PolicyArgs},
        record::RecordArgs,
        replay::ReplayArgs,
        scripts::ImportArgs,
        token::{TokenAction, TokenArgs},
        vault::{VaultAction, VaultArgs},
    },
    each_args::{BatchesAction, BatchesArgs},
    page::args::PageArgs,
};

/// Automates web sites from instructions in plain language, in a real browser.
#[derive(Debug, Parser)]
#[command(name = "legwork", version, propagate_version = true, max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) global: Global,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a workflow file, or a task in quotes
    Run(Box<RunArgs>),
    /// Record what you do in a browser as a workflow that runs without a model
    Record(Box<RecordArgs>),
    /// Run the built-in demo: a local site and a bundled workflow, without a model
    Demo(DemoArgs),
    /// Start the web interface and the HTTP API
    Serve(ServeArgs),
    /// Start the MCP server: the browser and whole tasks for other agents
    Mcp(McpArgs),
    /// Create, list and revoke tokens for programs that use the servers
    Token(TokenArgs),
    /// Store secrets in an encrypted file, for ${secret:NAME} in steps; import those of password managers
    Vault(VaultArgs),
    /// Pair the side panel of your own browser
    Panel(PanelArgs),
    /// Show what callers of the servers did, and what was refused
    Audit(AuditArgs),
    /// Repeat a finished run without a model
    Replay(Box<ReplayArgs>),
    /// List, show, compare, restore and delete recorded playbooks
    Playbook(PlaybookArgs),
    /// Check a workflow file and list every problem
    Validate(ValidateArgs),
    /// List runs
    Runs(RunsArgs),
    /// List, show, resume and cancel batches: runs for each row of a file
    Batches(BatchesArgs),
    /// Show a run: its steps, decisions, evidence and usage
    Show(ShowArgs),
    /// Resume a run that was interrupted, cancelled or parked
    Resume(ResumeArgs),
    /// Export a run as JSON, as an HTML page, as a Playwright script or as a workflow
    Export(ExportArgs),
    /// Convert a recording of Chrome DevTools, Playwright or Selenium IDE to a workflow
    Import(ImportArgs),
    /// Check the browser, settings, keys and disk
    Doctor(DoctorArgs),
    /// Install a browser with the system's package manager
    InstallBrowser(InstallArgs),
    /// Show or delete what runs have learned about sites
    Memory(MemoryArgs),
    /// Check a policy file, or explain what it decides about an action
    Policy(PolicyArgs),
    /// Show all settings and their sources, or change one
    Config(ConfigArgs),
    /// Print instructions for coding agents that use the verbs below
    Skill,
    /// The background process of the verbs; they start it
    #[command(hide = true)]
    TerminalHost,
    #[command(flatten)]
    Page(PageArgs),
    /// Print shell completions
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

impl Command {
    /// Whether one JSON object was asked for; errors are then printed as JSON too.
    pub(crate) fn prints_json(&self) -> bool {
        match self {
            Command::Run(args) => args.show.json,
            Command::Record(args) => args.json,
            Command::Demo(args) => args.show.json,
            Command::Replay(args) => args.show.json,
            Command::Resume(args) => args.show.json,
            Command::Validate(args) => args.json,
            Command::Runs(args) => args.json,
            Command::Show(args) => args.json,
            Command::Batches(args) => match &args.action {
                None => args.json,
                Some(BatchesAction::Show { json, .. }) => *json,
                Some(BatchesAction::Resume(args)) => args.json,
                Some(BatchesAction::Cancel { .. }) => false,
            },
            Command::Doctor(args) => args.json,
            Command::Memory(args) => args.json,
            Command::Audit(args) => args.json,
            Command::Playbook(args) => {
                matches!(
                    args.action,
                    PlaybookCommand::List { json: true }
                        | PlaybookCommand::Show { json: true, .. }
                        | PlaybookCommand::Drift { json: true, .. }
                )
            }
            Command::Token(args) => {
                matches!(args.action, TokenAction::List { json: true } | TokenAction::Revoke { json: true, .. })
            }
            Command::Vault(args) => matches!(args.action, VaultAction::List { json: true }),
            Command::Policy(args) => matches!(&args.action, PolicyAction::Test(args) if args.json),
            Command::Config(args) => match &args.action {
                None => false,
                Some(
                    ConfigAction::Show { json } | ConfigAction::Set { json, .. } | ConfigAction::Unset { json, .. },
                ) => *json,
            },
            Command::Serve(args) => args.json,
            Command::Import(args) => args.json,
            // A page command has its own `--json`.
            Command::Page(_)
            | Command::Panel(_)
            | Command::Mcp(_)
            | Command::Export(_)
            | Command::InstallBrowser(_)
            | Command::Skill
            | Command::TerminalHost
            | Command::Completions { .. } => false,
        }
    }
}
