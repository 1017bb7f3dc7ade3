//! The plan of a run, as given on the command line.

use std::path::PathBuf;

use clap::Parser;

/// Replays playbooks on changed pages and looks for actions on a wrong element.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo xtask mutate")]
pub struct MutationPlan {
    /// Only this scenario, such as `orders` or `django`; may be repeated.
    #[arg(long = "scenario", value_name = "NAME")]
    pub scenarios: Vec<String>,
    /// Only this kind of mutation, such as `row-above`; may be repeated.
    #[arg(long = "kind", value_name = "NAME")]
    pub kinds: Vec<String>,
    /// Number of mutations of each kind for each scenario.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub seeds: u32,
    /// One mutation of each kind, on the pages that need no further installation.
    #[arg(long)]
    pub short: bool,
    /// Number of scenarios at the same time.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=16))]
    pub jobs: u8,
    /// Also write every mutation with its verdict to this file.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Change a setting of the runs; may be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = crate::plan::name_and_value)]
    pub settings: Vec<(String, String)>,
}
