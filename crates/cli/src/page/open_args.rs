//! The flags of `legwork open`: what a session begins with. All of them hold until it is closed.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::{
    command_args::BrowserArgs,
    setting_flags::{OpenFlags, SettingFlags},
};

/// `legwork open`.
#[derive(Debug, Default, Args)]
pub(crate) struct OpenArgs {
    /// The address; without a scheme https, on this machine http. Without an address the session begins blank
    #[arg(value_hint = ValueHint::Url)]
    pub(crate) url: Option<String>,
    #[command(flatten)]
    pub(crate) browser: BrowserArgs,
    #[command(flatten)]
    pub(crate) settings: SettingFlags<OpenFlags>,
    /// A secret for ${secret:NAME}: its value comes from the variable LEGWORK_SECRET_NAME or NAME, from FILE, or is asked
    /// for. It is typed only into ORIGIN; without one, into the site that is opened
    #[arg(long = "secret", value_name = "NAME[=FILE][@ORIGIN]", help_heading = "Limits")]
    pub(crate) secrets: Vec<String>,
    /// The folder from which files may be uploaded; without it the current one
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Limits")]
    pub(crate) uploads: Option<PathBuf>,
}
