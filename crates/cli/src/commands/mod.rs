//! One file for each command, or for a few similar ones.

pub(crate) mod audit;
mod batches;
mod config;
mod demo;
mod doctor;
pub(crate) mod mcp;
mod memory;
pub(crate) mod panel;
pub(crate) mod playbook;
pub(crate) mod policy;
pub(crate) mod record;
pub(crate) mod replay;
mod run;
mod runs;
pub(crate) mod scripts;
mod serve;
pub(crate) mod token;
mod validate;
pub(crate) mod vault;

use legwork::browser::Engine;

pub(crate) use run::ask_secret;

use crate::{
    args::{Cli, Command},
    cli,
    command_args::{Global, InstallArgs, RunsAction, RunsArgs},
    data_dir::DataDir,
    error::CliError,
    exit::Exit,
    install::Recipe,
    logging, options,
    screen::Stream,
};

/// Executes one command.
pub(crate) async fn dispatch(cli: Cli) -> Result<Exit, CliError> {
    let global = cli.global;
    // Settings that cannot be read are reported by the command.
    let log = options::plain(&global).ok().map(|settings| settings.log);
    logging::begin(global.verbose, global.quiet, log.as_ref());
    match cli.command {
        Command::Validate(args) => validate::validate(&global, &args),
        Command::Runs(RunsArgs { action: Some(RunsAction::Prune { days }), .. }) => runs::prune(&global, days).await,
        Command::Runs(args) => runs::runs(&data_dir(&global)?, &args).await,
        Command::Show(args) => runs::show(&data_dir(&global)?, &args).await,
        Command::Export(args) => runs::export(&data_dir(&global)?, &args).await,
        Command::InstallBrowser(args) => install_browser(&args),
        Command::Completions { shell } => completions(shell),
        Command::Run(args) => run::run(&global, &args).await,
        Command::Resume(args) => run::resume(&global, &args).await,
        Command::Batches(args) => batches::batches(&global, &args).await,
        Command::Import(args) => scripts::import_recording(&args),
        Command::Mcp(args) => mcp::mcp(&global, &args).await,
        Command::Replay(args) => replay::replay(&global, &args).await,
        Command::Panel(args) => panel::panel(&global, &args),
        Command::Token(args) => token::token(&global, &args),
        Command::Vault(args) => vault::vault(&global, &args),
        Command::Audit(args) => audit::audit(&global, &args),
        Command::Serve(args) => serve::serve(&global, &args).await,
        Command::Record(args) => record::record(&global, &args).await,
        Command::Demo(args) => demo::demo(&global, &args).await,
        Command::Doctor(args) => doctor::doctor(&global, &args),
        Command::Playbook(args) => playbook::playbook(&global, &args).await,
        Command::Memory(args) => memory::memory(&global, &args).await,
        Command::Policy(args) => policy::policy(&args),
        Command::Config(args) => config::config(&global, &args),
        // Unreachable: `main` handles page commands, and the commands for them, without a runtime.
        Command::Page(_) | Command::TerminalHost | Command::Skill => {
            Err(CliError::fault("this command has no runtime"))
        }
    }
}

fn data_dir(global: &Global) -> Result<DataDir, CliError> {
    DataDir::open(&options::plain(global)?.data_dir)
}

/// `legwork install-browser`.
fn install_browser(args: &InstallArgs) -> Result<Exit, CliError> {
    let word = args.engine.as_deref();
    let engine = Engine::ALL.into_iter().find(|engine| Some(engine.word()) == word).unwrap_or_default();
    let recipe = Recipe::here(engine).ok_or_else(|| {
        CliError::fault("no supported package manager was found")
            .hint(format!("install {}, then run `legwork doctor`", engine.title()))
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
fn completions(shell: clap_complete::Shell) -> Result<Exit, CliError> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut cli::whole(), "legwork", &mut text);
    Stream::Out.write(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Success)
}
