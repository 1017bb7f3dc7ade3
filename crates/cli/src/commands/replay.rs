//! `legwork replay`: repeats a finished run without a model.

use clap::Args;
use legwork::StartRequest;

use crate::{
    command_args::{BrowserArgs, Global, Show},
    commands::run::{ask_secret, begun, check_inputs, open, row_or_person, secrets, storage_state, variables},
    error::CliError,
    exit::Exit,
    options,
    setting_flags::{ResultFlags, SettingFlags},
    watch::{interactive, watch},
};

/// `legwork replay`.
#[derive(Debug, Args)]
#[command(after_help = "\
The actions of the run are repeated as a playbook: each element must be the recorded one with certainty, and each
action must have its recorded effect. If that fails, the step fails, or the model takes over for that action if one is
configured.")]
pub(crate) struct ReplayArgs {
    /// Run id, a part that identifies it, or `last`
    pub(crate) run: String,
    /// Value of a workflow input
    #[arg(long = "var", value_name = "NAME=VALUE")]
    pub(crate) vars: Vec<String>,
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

/// `legwork replay`.
pub(crate) async fn replay(global: &Global, args: &ReplayArgs) -> Result<Exit, CliError> {
    let flags = options::browser(&args.browser).into_iter().chain(args.require.flags()).collect();
    let runtime = open(options::load(global, flags)?).await?;
    let run = super::runs::find(&*runtime.log(), &args.run).await?.run;
    let row = super::batches::row_of_run(&runtime, run).await?.unwrap_or_default();
    let request = runtime.replay(run).await.map_err(begun)?;
    let variables = variables(&args.vars)?;
    check_inputs(&variables, &request)?;
    let handle = runtime
        .start(StartRequest {
            inputs: variables,
            secrets: [row.secrets, secrets(&args.secrets)?].concat(),
            ask_secret: row_or_person(row.ask_secret, ask_secret()),
            hidden: row.hidden,
            storage_state: args.browser.storage_state.as_deref().map(storage_state).transpose()?,
            interactive: interactive(&args.show),
            ..request
        })
        .await
        .map_err(begun)?;
    let exit = watch(&runtime, handle, &args.show, global).await;
    runtime.close().await;
    exit
}
