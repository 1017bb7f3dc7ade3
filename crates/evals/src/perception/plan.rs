//! The plan of a run, as given on the command line.

use std::path::PathBuf;

use clap::Parser;

/// Looks for elements of pages that can be operated and have no ref in the observation.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo xtask perception")]
pub struct PerceptionPlan {
    /// Only this page, such as `antd`; may be repeated.
    #[arg(long = "page", value_name = "NAME")]
    pub pages: Vec<String>,
    /// Also print what the model would see of each page.
    #[arg(long)]
    pub print: bool,
    /// Also write every page with the elements that were not offered to this file.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}
