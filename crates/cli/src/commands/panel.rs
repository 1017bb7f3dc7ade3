//! The side panel of the user's own browser: `legwork panel pair`, and `legwork run --extension` and
//! `legwork mcp --extension`, which wait until a person assigns a tab in the panel.

use std::{sync::Arc, time::Duration};

use clap::{Args, Subcommand};
use futures_util::future::BoxFuture;
use legwork::{RelayedBrowser, Runtime, StartRequest, settings::Settings};
use legwork_access::{PairingError, PairingFile, TokenFile};
use legwork_server::{AssignedTab, ExtensionTabs, RequesterKind, ServeError, Server, ServerOptions, TabRequester};
use legwork_verbs::{TabSource, TabUnavailable};
use tokio::{
    sync::{Mutex, oneshot},
    task::JoinHandle,
};

use super::{run, serve, token};
use crate::{
    command_args::{Global, RunArgs},
    error::CliError,
    exit::Exit,
    options,
    screen::Stream,
    watch::watch,
};

/// `legwork panel`.
#[derive(Debug, Args)]
#[command(after_help = "\
The side panel is a part of Legwork's extension for Chromium and Chrome. It works in your own browser, with your logins, and
talks to `legwork serve`, `legwork run --extension` or `legwork mcp --extension` on this machine.

A paired browser has a token, whose name begins with `panel-`:
  legwork token list
  legwork token revoke NAME     the browser has to be paired again, and its tabs are released")]
pub(crate) struct PanelArgs {
    #[command(subcommand)]
    action: PanelAction,
}

#[derive(Debug, Subcommand)]
enum PanelAction {
    /// Print a code to enter in the side panel; it is valid once, for ten minutes
    Pair {
        /// Let the panel also change settings, such as the model, and store secrets
        #[arg(long)]
        admin: bool,
    },
}

/// `legwork panel`.
pub(crate) fn panel(global: &Global, args: &PanelArgs) -> Result<Exit, CliError> {
    let PanelAction::Pair { admin } = args.action;
    let data = options::plain(global)?.data_dir;
    std::fs::create_dir_all(&data).map_err(|error| {
        CliError::fault(format!("cannot create the data folder {}", data.display())).because(&error)
    })?;
    let file = PairingFile::of(&data);
    let code = if admin { file.issue_for_admin() } else { file.issue() };
    let code = code.map_err(pairing_error)?;
    Stream::Out.write(&format!("{code}\n"))?;
    if !global.quiet {
        Stream::Err.write("Enter this code in the side panel within ten minutes. It is valid once.\n")?;
    }
    Ok(Exit::Success)
}

fn pairing_error(error: PairingError) -> CliError {
    let hint = error.hint();
    CliError::fault(error.to_string()).because(&error).hint(hint)
}

/// Runs in a tab that a person assigns in the side panel.
pub(crate) async fn run_in_tab(
    global: &Global,
    args: &RunArgs,
    settings: Settings,
    mut request: StartRequest,
) -> Result<Exit, CliError> {
    let server = PanelServer::start(global, settings).await?;
    let (runtime, tabs) = (server.runtime.clone(), server.tabs.clone());
    let exit = async {
        let requester = TabRequester { kind: RequesterKind::Run, name: request.workflow.name.clone() };
        let AssignedTab { browser, id } = tabs.request(requester).await.map_err(serve::cli_error)?;
        request.browser = Some(browser);
        let handle = runtime.start(request).await.map_err(run::begun)?;
        let run = handle.id();
        tabs.show(&handle, &id).map_err(serve::cli_error)?;
        let exit = watch(&runtime, handle, &args.show, global).await;
        tabs.end(run);
        exit
    };
    let exit = exit.await;
    let stopped = server.stop().await;
    exit.and_then(|exit| stopped.map(|()| exit))
}

/// The server of a program that works in assigned tabs.
pub(crate) struct PanelServer {
    /// The runtime that the program shares with the server.
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) tabs: ExtensionTabs,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<Result<(), ServeError>>,
}

impl PanelServer {
    /// Starts the server, and prints the address that the panel needs.
    pub(crate) async fn start(global: &Global, settings: Settings) -> Result<PanelServer, CliError> {
        let data = settings.data_dir.clone();
        let sources = options::sources(global, Vec::new()).map_err(|problems| options::settings_error(&problems))?;
        let settings_file = global.config.clone();
        let server_options = ServerOptions { sources, settings_file, ..ServerOptions::default() };
        let server = Server::bind(run::open(settings).await?, server_options).await.map_err(|error| {
            let listens = matches!(error, ServeError::Listen { .. } | ServeError::Running { .. });
            let told = serve::cli_error(error);
            match listens {
                true => told.hint(
                    "is `legwork serve` running? Then start the work in its side panel; or stop it, or set another \
                     `server.port`",
                ),
                false => told,
            }
        })?;
        if !global.quiet {
            if !PairingFile::has_paired(&TokenFile::of(&data)).map_err(token::cli_error)? {
                let code = PairingFile::of(&data).issue().map_err(pairing_error)?;
                Stream::Err.write(&format!("No browser is paired yet. Enter this code in the side panel: {code}\n"))?;
            }
            let text = format!(
                "Waiting for a tab of your browser ({}): open the side panel of Legwork beside the page, and let it work \
                 there.\n",
                server.origin()
            );
            Stream::Err.write(&text)?;
        }
        let (runtime, tabs) = (server.runtime(), server.extension_tabs());
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(server.run(async move {
            // The sender is dropped if the program ends early, which is also a reason to stop.
            let _ = stopped.await;
        }));
        Ok(PanelServer { runtime, tabs, stop, serving })
    }

    /// Stops the server.
    pub(crate) async fn stop(self) -> Result<(), CliError> {
        drop(self.stop);
        match self.serving.await {
            Ok(Err(error)) => Err(serve::cli_error(error)),
            _ => Ok(()),
        }
    }
}

/// How long the call of an agent waits for a person to assign a tab. Clients give up after a minute.
const AGENT_WAIT: Duration = Duration::from_secs(40);

/// The tabs that a person assigns to agents, one after the other. A request stays open when the call that caused it has
/// returned, so that the person has time to open the panel; the next call gets the tab.
pub(crate) struct AgentTabs {
    tabs: ExtensionTabs,
    pending: Mutex<Option<JoinHandle<Result<AssignedTab, ServeError>>>>,
}

impl AgentTabs {
    pub(crate) fn new(tabs: ExtensionTabs) -> AgentTabs {
        AgentTabs { tabs, pending: Mutex::default() }
    }

    async fn assigned(&self, requester: &str) -> Result<RelayedBrowser, TabUnavailable> {
        let mut pending = self.pending.lock().await;
        loop {
            let request = pending.get_or_insert_with(|| {
                let (tabs, name) = (self.tabs.clone(), requester.to_owned());
                tokio::spawn(async move { tabs.request(TabRequester { kind: RequesterKind::Agent, name }).await })
            });
            let answer = request.await;
            *pending = None;
            match answer {
                // The person may have disconnected it before the agent called again.
                Ok(Ok(AssignedTab { browser, .. })) if !browser.is_alive() => {}
                Ok(Ok(AssignedTab { browser, .. })) => return Ok(browser),
                Ok(Err(error)) => return Err(TabUnavailable::Refused(error.to_string())),
                Err(error) => return Err(TabUnavailable::Refused(error.to_string())),
            }
        }
    }
}

impl TabSource for AgentTabs {
    fn tab<'a>(&'a self, requester: &'a str) -> BoxFuture<'a, Result<RelayedBrowser, TabUnavailable>> {
        Box::pin(async move {
            let assigned = tokio::time::timeout(AGENT_WAIT, self.assigned(requester)).await;
            assigned.unwrap_or(Err(TabUnavailable::NotAssigned))
        })
    }
}
