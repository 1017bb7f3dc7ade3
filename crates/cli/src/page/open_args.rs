//! The options of `legwork open`. They apply until the session is closed.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::{
    command_args::BrowserArgs,
    setting_flags::{OpenFlags, SettingFlags},
};

/// `legwork open`.
#[derive(Debug, Default, Args)]
pub(crate) struct OpenArgs {
    /// The address; without a scheme https, or http for this machine. Without an address the session opens a blank page
    #[arg(value_hint = ValueHint::Url)]
    pub(crate) url: Option<String>,
    #[command(flatten)]
    pub(crate) browser: BrowserArgs,
    #[command(flatten)]
    pub(crate) settings: SettingFlags<OpenFlags>,
    /// Secret for ${secret:NAME}: read from FILE, or from the variable LEGWORK_SECRET_NAME or NAME, the vault or a
    /// prompt. It is typed only into ORIGIN; by default, into its origins in the vault or that of the page that is
    /// opened
    #[arg(long = "secret", value_name = "NAME[=FILE][@ORIGIN]", help_heading = "Limits")]
    pub(crate) secrets: Vec<String>,
    /// The folder from which files may be uploaded; the current folder by default
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Limits")]
    pub(crate) uploads: Option<PathBuf>,
}
