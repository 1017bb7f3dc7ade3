//! `legwork replay`: a finished run again, without a model.

use clap::Args;
use legwork::StartRequest;

use crate::{
    args::{BrowserArgs, Global, Show},
    commands::run::{ask_secret, begun, inputs, open, secrets, storage_state},
    error::CliError,
    exit::Exit,
    options,
    setting_flags::{ResultFlags, SettingFlags},
    watch::{interactive, watch},
};

/// `legwork replay`.
#[derive(Debug, Args)]
#[command(after_help = "\
Steps that said exactly what to do are done again as they are written. Of those that a model decided, the actions that
worked are done again, each element found by its role and name; where that does not work the step fails, or the model has
its turn when one is set.")]
pub(crate) struct ReplayArgs {
    /// The run's id, the beginning of it, or `last`
    pub(crate) run: String,
    /// A value for one of the workflow's inputs
    #[arg(long = "var", value_name = "NAME=VALUE")]
    pub(crate) vars: Vec<String>,
    /// A secret, as in `run`
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
    let workflow = runtime.replay(run).await.map_err(begun)?;
    let given = inputs(&args.vars, &workflow)?;
    let handle = runtime
        .start(StartRequest {
            inputs: given,
            secrets: secrets(&args.secrets)?,
            ask_secret: ask_secret(),
            storage_state: args.browser.storage_state.as_deref().map(storage_state).transpose()?,
            interactive: interactive(&args.show),
            ..StartRequest::workflow(workflow)
        })
        .await
        .map_err(begun)?;
    let exit = watch(&runtime, handle, &args.show, global).await;
    runtime.close().await;
    exit
}
