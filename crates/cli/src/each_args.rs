//! The flags of `legwork run --each`, and the arguments of `legwork batches`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};
use legwork_batch::{RowRanges, RowRangesError};

use crate::{
    command_args::{AssumedOutcome, BrowserArgs},
    setting_flags::{ResultFlags, SettingFlags},
};

/// One run for each row of a file.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct EachArgs {
    /// Run once for each row of this file (.csv, .tsv, .jsonl, .xlsx); its columns are the inputs of the workflow
    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["events", "trace"],
        help_heading = "Rows"
    )]
    pub(crate) each: Option<PathBuf>,
    /// Number of runs at the same time
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=64),
        requires = "each",
        help_heading = "Rows"
    )]
    pub(crate) jobs: u16,
    /// Only these rows, counted from 1: 5, 5-10, 5-, or several of them with commas
    #[arg(long, value_name = "ROWS", value_parser = ranges, requires = "each", help_heading = "Rows")]
    pub(crate) rows: Option<RowRanges>,
    /// Only the first N of these rows
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), requires = "each", help_heading = "Rows")]
    pub(crate) limit: Option<u32>,
    /// The sheet of a workbook; by default the first one
    #[arg(long, value_name = "NAME", requires = "each", help_heading = "Rows")]
    pub(crate) sheet: Option<String>,
    /// A column of secrets, which steps type as ${secret:NAME}; its values are never stored or shown
    #[arg(long = "secret-column", value_name = "NAME", requires = "each", help_heading = "Rows")]
    pub(crate) secret_columns: Vec<String>,
    /// A column that is not used
    #[arg(long = "ignore-column", value_name = "NAME", requires = "each", help_heading = "Rows")]
    pub(crate) ignored_columns: Vec<String>,
    /// Start no further row once N rows have failed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), requires = "each", help_heading = "Rows")]
    pub(crate) max_failures: Option<u32>,
    /// Write the result of each row, with its saved values, to this file (.csv or .jsonl)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "each", help_heading = "Rows")]
    pub(crate) output: Option<PathBuf>,
}

fn ranges(text: &str) -> Result<RowRanges, RowRangesError> {
    text.parse()
}

/// `legwork batches`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct BatchesArgs {
    #[command(subcommand)]
    pub(crate) action: Option<BatchesAction>,
    /// Print a JSON array
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BatchesAction {
    /// Show the rows of a batch with their runs
    Show {
        /// Batch id, a part that identifies it, or `last`
        batch: String,
        /// Print one JSON object per row, and one for the batch
        #[arg(long)]
        json: bool,
        /// Write the result of each row, with its saved values, to this file (.csv or .jsonl)
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        output: Option<PathBuf>,
    },
    /// Continue a batch: finished rows are skipped, interrupted runs are resumed, and each other row is started
    Resume(Box<ResumeBatchArgs>),
    /// Cancel a batch: the runs in progress are cancelled, and no further row is started
    Cancel {
        /// Batch id, a part that identifies it, or `last`
        batch: String,
    },
}

/// `legwork batches resume`.
#[derive(Debug, Args)]
pub(crate) struct ResumeBatchArgs {
    /// Batch id, a part that identifies it, or `last`
    pub(crate) batch: String,
    /// The file of rows, if it was moved
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) each: Option<PathBuf>,
    /// Number of runs at the same time; by default as the batch began
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) jobs: Option<u16>,
    /// For every row that waits because the result of an action was lost: its outcome. For a single row, use
    /// `legwork resume RUN --assume …`
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) assume: Option<AssumedOutcome>,
    /// Start rows that failed again, from the first step
    #[arg(long)]
    pub(crate) retry_failed: bool,
    /// Secret, as for `run`
    #[arg(long = "secret", value_name = "NAME[=FILE][@ORIGIN]")]
    pub(crate) secrets: Vec<String>,
    #[command(flatten)]
    pub(crate) browser: BrowserArgs,
    #[command(flatten)]
    pub(crate) require: SettingFlags<ResultFlags>,
    /// Print one JSON object per row, and one for the batch
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Write the result of each row, with its saved values, to this file (.csv or .jsonl)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
}
