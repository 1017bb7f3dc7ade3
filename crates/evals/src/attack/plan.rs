//! What to attack, as the command line says it.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use serde::Serialize;

/// Attacks the rules of a run and looks for forbidden effects.
#[derive(Clone, Debug, Default, Parser)]
#[command(name = "cargo xtask attack")]
pub struct AttackPlan {
    /// Only this class; may be given several times.
    #[arg(long = "class", value_enum)]
    pub classes: Vec<AttackClass>,
    /// A small part of each class.
    #[arg(long)]
    pub short: bool,
    /// Selects the order and the parameters of the attempts of the malicious planner.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Names the attempts and makes none.
    #[arg(long)]
    pub list: bool,
    /// Only attempts whose name contains this; may be given several times.
    #[arg(long = "only", value_name = "NAME")]
    pub only: Vec<String>,
    /// Also writes the results to this file.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Switches the defence of each class off, and expects that its attacks succeed.
    #[arg(long)]
    pub ablate: bool,
    /// A setting, as in `--set browser.path=/usr/bin/chromium`; may be given several times.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = crate::plan::name_and_value)]
    pub settings: Vec<(String, String)>,
    /// Runs or pages at once, in one browser.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=16))]
    pub jobs: u8,
}

/// A kind of attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AttackClass {
    /// A model that decides against the rules.
    Planner,
    /// A page that connects to forbidden hosts.
    Egress,
    /// A page that disturbs the executor or misleads it.
    Pages,
    /// A page that shows secrets in many encodings.
    Canaries,
    /// A web site that sends requests to the servers of Legwork through the browser of a user.
    Hosts,
}

impl AttackClass {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            AttackClass::Planner => "planner",
            AttackClass::Egress => "egress",
            AttackClass::Pages => "pages",
            AttackClass::Canaries => "canaries",
            AttackClass::Hosts => "hosts",
        }
    }
}

impl AttackPlan {
    /// The classes of the plan.
    pub(super) fn classes(&self) -> Vec<AttackClass> {
        if self.classes.is_empty() { AttackClass::value_variants().to_vec() } else { self.classes.clone() }
    }

    /// The settings of the plan, for a class whose programs need data folders of their own.
    pub(super) fn settings_in_own_folder(&self) -> Vec<(String, String)> {
        self.settings.iter().filter(|(name, _)| name != "data_dir").cloned().collect()
    }

    /// Whether an attempt is wanted.
    pub(super) fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|wanted| name.contains(wanted.as_str()))
    }
}
