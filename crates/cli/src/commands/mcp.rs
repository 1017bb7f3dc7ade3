//! `legwork mcp`: starts the MCP server, which offers the browser and whole tasks to other agents.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::Arc,
};

use clap::{Args, ValueEnum, ValueHint};
use legwork::settings::Settings;
use legwork_access::{ConnectionLimits, TokenFile};
use legwork_mcp::{Group, Http, McpError, McpOptions, serve_http, serve_stdio};
use legwork_verbs::TabSource;
use tokio_util::sync::CancellationToken;

use crate::{
    command_args::{BrowserArgs, Global},
    commands::{
        panel::{AgentTabs, PanelServer},
        run,
        serve::asked_to_stop,
        token,
    },
    error::CliError,
    exit::Exit,
    options,
    screen::Stream,
    setting_flags::{McpFlags, SettingFlags},
};

/// The maximum number of open pages.
const MAX_SESSIONS: usize = 32;
/// The minimum length of a token in characters: 16 random ones cannot be guessed over a network.
const SHORTEST_TOKEN: usize = 16;
/// The environment variable with the token that clients of `--http` must send.
const TOKEN: &str = "LEGWORK_MCP_TOKEN";

/// `legwork mcp`.
#[derive(Debug, Args)]
#[command(after_help = "\
A client starts the server itself. Add it to the settings of the client:
  {\"mcpServers\": {\"legwork\": {\"command\": \"legwork\", \"args\": [\"mcp\"]}}}

Tools have the names and parameters of Playwright MCP. A tool that is not listed can still be called.
With --http, clients send a token as `Authorization: Bearer …`: one that `legwork token create` made, or the value of the
variable LEGWORK_MCP_TOKEN, which has all scopes. There must be one if other machines can reach the server. As soon as a
token was created, every client needs one.")]
pub(crate) struct McpArgs {
    /// Serve over HTTP at PORT or HOST:PORT instead of standard input and output; 0 selects a free port
    #[arg(long, value_name = "[HOST:]PORT", value_parser = listening)]
    pub(crate) http: Option<SocketAddr>,
    /// Accept this Host header in addition to those of this machine; may be repeated
    #[arg(long = "allowed-host", value_name = "HOST", requires = "http")]
    pub(crate) hosts: Vec<String>,
    /// Accept connections from pages of this Origin; may be repeated. By default, no page may connect
    #[arg(long = "allowed-origin", value_name = "ORIGIN", requires = "http")]
    pub(crate) origins: Vec<String>,
    /// Tools to list in addition to `core`
    #[arg(long, value_enum, value_name = "GROUPS", value_delimiter = ',', default_value = "tasks")]
    pub(crate) caps: Vec<Cap>,
    /// Folder for files that tools create; by default `mcp` in the data folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output_dir: Option<PathBuf>,
    /// Folder from which files may be uploaded, in addition to the client's roots; may be repeated
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) uploads: Vec<PathBuf>,
    /// Secret that may be typed as ${secret:NAME}, as for `run`; may be repeated
    #[arg(long = "secret", value_name = "NAME[=FILE][@ORIGIN]")]
    pub(crate) secrets: Vec<String>,
    #[command(flatten)]
    pub(crate) settings: SettingFlags<McpFlags>,
    #[command(flatten)]
    pub(crate) browser: BrowserArgs,
    /// Work in tabs of your own browser, which you assign in the side panel of Legwork's extension
    #[arg(
        long,
        conflicts_with_all = ["browser", "headed", "profile", "cdp", "engine", "storage_state"],
        help_heading = "Browser"
    )]
    pub(crate) extension: bool,
}

/// A group of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Cap {
    /// Pages, actions, scripts, console, requests
    #[value(aliases = ["core-navigation", "core-tabs", "core-input", "core-install"])]
    Core,
    /// Steps, tasks and runs
    Tasks,
    /// Boxes around elements, for people who watch
    Devtools,
    /// Cookies and storage
    Storage,
    /// The page as PDF
    Pdf,
    /// The mouse at coordinates of a picture
    Vision,
    /// Checks, and locators for tests
    Testing,
    /// Responses in place of the network's
    Network,
    /// Configuration of the server
    Config,
    /// All groups
    All,
}

impl Cap {
    fn groups(self) -> Vec<Group> {
        match self {
            Cap::Core => vec![],
            Cap::Tasks => vec![Group::Tasks],
            Cap::Devtools => vec![Group::Devtools],
            Cap::Storage => vec![Group::Storage],
            Cap::Pdf => vec![Group::Pdf],
            Cap::Vision => vec![Group::Vision],
            Cap::Testing => vec![Group::Testing],
            Cap::Network => vec![Group::Network],
            Cap::Config => vec![Group::Config],
            Cap::All => [Cap::Tasks, Cap::Devtools, Cap::Storage, Cap::Pdf, Cap::Vision, Cap::Testing, Cap::Network]
                .into_iter()
                .chain([Cap::Config])
                .flat_map(Cap::groups)
                .collect(),
        }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("expected a port, or an address and a port such as 127.0.0.1:8931")]
struct BadAddress;

fn listening(text: &str) -> Result<SocketAddr, BadAddress> {
    if let Ok(port) = text.parse() {
        return Ok(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
    }
    text.replace("localhost:", "127.0.0.1:").parse().map_err(|_| BadAddress)
}

/// `legwork mcp`.
pub(crate) async fn mcp(global: &Global, args: &McpArgs) -> Result<Exit, CliError> {
    let settings = settings(global, args)?;
    let output = args.output_dir.clone().unwrap_or_else(|| settings.data_dir.join("mcp"));
    let data = settings.data_dir.clone();
    let secrets = run::secrets(&args.secrets)?;
    let storage_state = args.browser.storage_state.as_deref().map(run::storage_state).transpose()?;
    let groups = std::iter::once(Group::Core).chain(args.caps.iter().flat_map(|cap| cap.groups())).collect();
    let stop = CancellationToken::new();
    let asked = asked_to_stop()?;
    let stopping = stop.clone();
    tokio::spawn(async move {
        asked.await;
        stopping.cancel();
    });
    let server = match args.extension {
        true => Some(PanelServer::start(global, settings.clone()).await?),
        false => None,
    };
    let runtime = match &server {
        Some(server) => server.runtime.clone(),
        None => Arc::new(run::open(settings).await?),
    };
    let tabs = server.as_ref().map(|server| Arc::new(AgentTabs::new(server.tabs.clone())) as Arc<dyn TabSource>);
    let options = McpOptions {
        runtime,
        groups,
        output,
        uploads: args.uploads.clone(),
        secrets,
        storage_state,
        tabs,
        max_sessions: MAX_SESSIONS,
    };
    match args.http {
        None => serve_stdio(options, stop).await.map_err(cli_error)?,
        Some(at) => {
            let token = std::env::var(TOKEN).ok().filter(|token| !token.is_empty());
            let created = TokenFile::of(&data).list().map_err(token::cli_error)?;
            if token.is_none() && created.is_empty() && !at.ip().is_loopback() {
                return Err(CliError::usage(format!("{at} can be reached by other machines, and there is no token"))
                    .hint(format!(
                        "run `legwork token create NAME --scope read,run`, set {TOKEN}, or listen at 127.0.0.1"
                    )));
            }
            if token.as_ref().is_some_and(|token| token.len() < SHORTEST_TOKEN) {
                return Err(CliError::usage(format!("{TOKEN} has fewer than {SHORTEST_TOKEN} characters"))
                    .hint("set a random one: `openssl rand -hex 32`"));
            }
            let limits = ConnectionLimits::default();
            let http = Http { at, hosts: args.hosts.clone(), origins: args.origins.clone(), token, limits };
            let quiet = global.quiet;
            let on_listening = move |at: SocketAddr| {
                if !quiet {
                    // If standard error is closed, the reader knows the port already.
                    let _ = Stream::Err.write(&format!("MCP at http://{at}/mcp\n"));
                }
            };
            serve_http(options, http, stop, on_listening).await.map_err(cli_error)?;
        }
    }
    if let Some(server) = server {
        server.stop().await?;
    }
    Ok(Exit::Success)
}

fn settings(global: &Global, args: &McpArgs) -> Result<Settings, CliError> {
    let mut flags = options::browser(&args.browser);
    flags.extend(args.settings.flags());
    options::load(global, flags)
}

fn cli_error(error: McpError) -> CliError {
    let hint = match &error {
        McpError::Greeting(_) => {
            "the server reads MCP from standard input, so a client has to start it (see `legwork mcp --help`)"
        }
        McpError::Origin { .. } => return CliError::usage(format!("--allowed-origin: {error}")),
        McpError::Listen { .. } => "choose another port with --http",
    };
    CliError::fault(error.to_string()).because(&error).hint(hint)
}
