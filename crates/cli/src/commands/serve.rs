//! `legwork serve`: runs the web page and the HTTP API until Ctrl-C or SIGTERM.

use std::{collections::BTreeMap, path::Path, process::Stdio, sync::Arc};

use legwork::{
    browser::Engine,
    protocol::Code,
    settings::{Settings, Sources},
};
use legwork_demo_site::{DEMO_WORKFLOW, DemoSite, EXAMPLES, PASSWORD, UPLOAD, UPLOAD_NAME};
use legwork_server::{BrowserInstall, InstallBrowser, ServeError, Server, ServerOptions, Template, new_link};
use secrecy::SecretString;
use serde_json::json;

use crate::{
    command_args::{Global, ServeArgs},
    commands::run,
    error::CliError,
    exit::Exit,
    install::Recipe,
    options,
    screen::Stream,
    setting_flags::Flags,
    trace,
};

/// `legwork serve`.
pub(crate) async fn serve(global: &Global, args: &ServeArgs) -> Result<Exit, CliError> {
    let flags = flags(args);
    let settings = options::load(global, flags.clone())?;
    if args.link {
        let link = new_link(&settings.data_dir, args.token.as_deref()).await.map_err(cli_error)?;
        show_link(&link, args.json)?;
        return Ok(Exit::Success);
    }
    let sources: Sources = options::sources(global, flags).map_err(|problems| {
        CliError::usage("a setting is invalid").details(problems.iter().map(ToString::to_string))
    })?;
    // The demo site runs as long as the server, so that the demo can be started from the page.
    let site =
        DemoSite::start().await.map_err(|error| CliError::fault("the demo site could not start").because(&error))?;
    let templates = examples(&site, &settings)?;
    let stop = asked_to_stop()?;
    let engine = settings.browser.engine;
    let runtime = run::open(settings).await?;
    let settings_file = global.config.clone();
    let browser_install = browser_install(engine);
    let options = ServerOptions { sources, settings_file, templates, browser_install, ..ServerOptions::default() };
    let server = Server::bind(runtime, options).await.map_err(cli_error)?;
    let link = server.link().map_err(cli_error)?;
    show_link(&link, args.json)?;
    if !global.quiet {
        let text = "\nOpen the link in a browser: it signs you in, once, within five minutes. `legwork serve --link` prints\n\
                    another one. Ctrl-C ends the server; runs at work can be resumed.\n";
        Stream::Err.write(text)?;
    }
    if args.open {
        open(&link);
    }
    server.run(stop).await.map_err(cli_error)?;
    drop(site);
    Ok(Exit::Success)
}

fn show_link(link: &str, as_json: bool) -> Result<(), CliError> {
    // One line, because the program goes on, and whoever reads its output waits for the end of a line.
    let text = if as_json { format!("{}\n", json!({ "link": link })) } else { format!("{link}\n") };
    Ok(Stream::Out.write(&text)?)
}

/// How a browser is installed here. Only commands that ask for no password can be run for the page.
fn browser_install(engine: Engine) -> BrowserInstall {
    let Some(recipe) = Recipe::here(engine) else { return BrowserInstall::default() };
    let commands = Some(recipe.shown());
    let run = recipe.is_unattended().then(|| {
        Arc::new(move || {
            recipe.run().map_err(|error| {
                Stream::Err.write(&format!("{error}\n")).ok();
                "the package manager failed; the output of the server says why".to_owned()
            })
        }) as InstallBrowser
    });
    BrowserInstall { commands, run }
}

fn flags(args: &ServeArgs) -> Flags {
    let mut flags = options::browser(&args.browser);
    flags.extend(args.settings.flags());
    flags
}

/// The demo and the short examples as templates. Their site runs as long as the server.
fn examples(site: &DemoSite, settings: &Settings) -> Result<Vec<Template>, CliError> {
    let work = settings.data_dir.join("demo");
    make(&work)?;
    trace::save(&work.join(UPLOAD_NAME), UPLOAD)?;
    let demo = Template {
        id: "demo".to_owned(),
        name: "A day at Harbor Supplies".to_owned(),
        description: "The built-in demo: its own site, and steps that need no model and no key.".to_owned(),
        text: DEMO_WORKFLOW.to_owned(),
        url: Some(site.url()),
        // The password of the demo site is public, but it takes the same path as a real secret.
        secrets: BTreeMap::from([("demo_password".to_owned(), SecretString::from(PASSWORD))]),
        uploads: vec![work],
    };
    let short = EXAMPLES.map(|(id, text)| Template::of_text(id, text, &demo));
    Ok([demo].into_iter().chain(short).collect())
}

fn make(folder: &Path) -> Result<(), CliError> {
    std::fs::create_dir_all(folder)
        .map_err(|error| CliError::fault(format!("{} cannot be made", folder.display())).because(&error))
}

/// Resolves on SIGINT or SIGTERM.
pub(crate) fn asked_to_stop() -> Result<impl Future<Output = ()> + Send + 'static, CliError> {
    let failed = |error: std::io::Error| CliError::fault("cannot listen for signals").because(&error);
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (mut interrupt, mut terminate) =
            (signal(SignalKind::interrupt()).map_err(failed)?, signal(SignalKind::terminate()).map_err(failed)?);
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    {
        let mut interrupt = tokio::signal::windows::ctrl_c().map_err(failed)?;
        Ok(async move {
            interrupt.recv().await;
        })
    }
}

/// Opens the page in the default browser. If that fails, the user has the printed link.
fn open(link: &str) {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let quiet =
        std::process::Command::new(program).args(before).arg(link).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Err(error) = quiet {
        tracing::warn!(%error, "cannot open the default browser");
    }
}

pub(crate) fn cli_error(error: ServeError) -> CliError {
    let hint = error.hint();
    match error {
        ServeError::Exposed { .. }
        | ServeError::Listen { .. }
        | ServeError::Running { .. }
        | ServeError::NoToken(_) => CliError::usage(error.to_string()).code(Code::RequestInvalid),
        _ => CliError::fault(error.to_string()),
    }
    .because(&error)
    .hint(hint)
}
