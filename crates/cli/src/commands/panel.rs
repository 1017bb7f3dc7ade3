//! The side panel of the user's own browser: `legwork panel pair`, and `legwork run --extension`, which waits until a person
//! assigns a tab in the panel.

use clap::{Args, Subcommand};
use legwork::{StartRequest, settings::Settings};
use legwork_access::{PairingError, PairingFile, TokenFile};
use legwork_server::{ServeError, Server, ServerOptions};
use tokio::sync::oneshot;

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
talks to `legwork serve` or `legwork run --extension` on this machine.

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
    Pair,
}

/// `legwork panel`.
pub(crate) fn panel(global: &Global, args: &PanelArgs) -> Result<Exit, CliError> {
    let PanelAction::Pair = args.action;
    let data = options::plain(global)?.data_dir;
    std::fs::create_dir_all(&data).map_err(|error| {
        CliError::fault(format!("cannot create the data folder {}", data.display())).because(&error)
    })?;
    let code = PairingFile::of(&data).issue().map_err(pairing_error)?;
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
    let data = settings.data_dir.clone();
    let sources = options::sources(global, Vec::new()).map_err(|problems| options::settings_error(&problems))?;
    let settings_file = global.config.clone();
    let server_options = ServerOptions { sources, settings_file, ..ServerOptions::default() };
    let server = Server::bind(run::open(settings).await?, server_options).await.map_err(|error| {
        let listens = matches!(error, ServeError::Listen { .. } | ServeError::Running { .. });
        let told = serve::cli_error(error);
        match listens {
            true => told.hint(
                "is `legwork serve` running? Then start the work in its side panel; or stop it, or set another `server.port`",
            ),
            false => told,
        }
    })?;
    let (runtime, terminal_run) = (server.runtime(), server.terminal_run());
    let name = request.workflow.name.clone();
    if !global.quiet {
        if !PairingFile::has_paired(&TokenFile::of(&data)).map_err(token::cli_error)? {
            let code = PairingFile::of(&data).issue().map_err(pairing_error)?;
            Stream::Err.write(&format!("No browser is paired yet. Enter this code in the side panel: {code}\n"))?;
        }
        let text = format!(
            "Waiting for a tab of your browser ({}): open the side panel of Legwork beside the page, and let it work there.\n",
            server.origin()
        );
        Stream::Err.write(&text)?;
    }
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(server.run(async move {
        // The sender is dropped if this function ends early, which is also a reason to stop.
        let _ = stopped.await;
    }));
    let exit = async {
        request.browser = Some(terminal_run.request_tab(&name).await.map_err(serve::cli_error)?);
        let handle = runtime.start(request).await.map_err(run::begun)?;
        let run = handle.id();
        terminal_run.show(&handle).map_err(serve::cli_error)?;
        let exit = watch(&runtime, handle, &args.show, global).await;
        terminal_run.end(run);
        exit
    };
    let exit = exit.await;
    drop(stop);
    match serving.await {
        Ok(Err(error)) if exit.is_ok() => Err(serve::cli_error(error)),
        _ => exit,
    }
}
