//! One file for each thing the program does, or for a few that are alike.

mod look;
mod validate;

use clap::CommandFactory;

use crate::{
    args::{Cli, Command, InstallArgs},
    exit::Exit,
    home::{self, Home},
    install::Recipe,
    logging,
    screen::Stream,
    trouble::Trouble,
};

/// Does one command.
pub(crate) async fn dispatch(cli: Cli) -> Result<Exit, Trouble> {
    let global = cli.global;
    logging::begin(global.verbose, global.quiet, false);
    match cli.command {
        Command::Validate(args) => validate::validate(&args),
        Command::Runs(args) => look::runs(&home()?, &args).await,
        Command::Show(args) => look::show(&home()?, &args).await,
        Command::Export(args) => look::export(&home()?, &args).await,
        Command::InstallBrowser(args) => install_browser(&args),
        Command::Completions { shell } => completions(shell),
        _ => Err(Trouble::fault("not wired")),
    }
}

fn home() -> Result<Home, Trouble> {
    Home::open(&home::data_dir())
}

/// `legwork install-browser`.
fn install_browser(args: &InstallArgs) -> Result<Exit, Trouble> {
    let recipe = Recipe::here().ok_or_else(|| {
        Trouble::fault("no package manager is known here")
            .hint("install Chromium or Chrome by hand, then run `legwork doctor`")
    })?;
    if args.dry_run {
        Stream::Out.write(&format!("{}\n", recipe.shown()))?;
        return Ok(Exit::Success);
    }
    Stream::Err.write(&format!("Installing a browser: {}\n", recipe.shown()))?;
    recipe.run()?;
    Ok(Exit::Success)
}

/// `legwork completions`.
fn completions(shell: clap_complete::Shell) -> Result<Exit, Trouble> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "legwork", &mut text);
    Stream::Out.write(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Success)
}
