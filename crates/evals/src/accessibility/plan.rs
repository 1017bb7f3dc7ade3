//! The plan of a run, as given on the command line.

use std::path::PathBuf;

use clap::Parser;

/// Compares the roles and names of observations with those of the browser's accessibility tree.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo xtask accessibility")]
pub struct AccessibilityPlan {
    /// Only this page, such as `antd`, or `w3c` for the cases of the W3C; may be repeated.
    #[arg(long = "page", value_name = "NAME")]
    pub pages: Vec<String>,
    /// Also write every page with the differences to this file.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}
