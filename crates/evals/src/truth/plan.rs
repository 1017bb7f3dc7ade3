//! The plan of a truth run, as given on the command line.

use std::path::PathBuf;

use clap::Parser;
use legwork::EvidenceRule;

use super::case::TruthDecider;

/// Runs adversarial cases and looks for successes that did not happen.
#[derive(Clone, Debug, Default, Parser)]
#[command(name = "cargo xtask truth")]
pub struct TruthPlan {
    /// Only this family; may be repeated.
    #[arg(long = "family", value_name = "FAMILY")]
    pub families: Vec<String>,
    /// Only cases whose id contains this text, such as `page-401` or `login/toast/failing`; may be repeated.
    #[arg(long = "case", value_name = "CASE")]
    pub cases: Vec<String>,
    /// Only this decider.
    #[arg(long, value_enum)]
    pub decider: Option<TruthDecider>,
    /// One case of each behaviour.
    #[arg(long, conflicts_with = "all")]
    pub short: bool,
    /// All cases. By default about half of the phrasings of each behaviour, but all cases of a given family or case.
    #[arg(long)]
    pub all: bool,
    /// List the cases without running them.
    #[arg(long)]
    pub list: bool,
    /// Also write every case with its verdict to this file.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Switch off this rule of docs/evidence.md; may be repeated.
    #[arg(long = "disable", value_name = "RULE", value_parser = rule)]
    pub disabled: Vec<EvidenceRule>,
    /// Switch off each rule of evidence in turn (or those of `--disable`) and show which cases need it.
    #[arg(long)]
    pub ablate: bool,
    /// A setting, as in `--set timeouts.element=5s`; may be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = crate::plan::name_and_value)]
    pub settings: Vec<(String, String)>,
    /// The number of concurrent cases, in one browser.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=16))]
    pub jobs: u8,
}

fn rule(name: &str) -> Result<EvidenceRule, String> {
    let found = EvidenceRule::ALL.iter().find(|rule| rule.name() == name).copied();
    found.ok_or_else(|| EvidenceRule::ALL.iter().map(|rule| rule.name()).collect::<Vec<_>>().join(", "))
}

impl TruthPlan {
    /// Whether a case is selected.
    pub(super) fn wants(&self, family: &str, id: &str, decider: TruthDecider) -> bool {
        let of_family = self.families.is_empty() || self.families.iter().any(|wanted| wanted == family);
        let named = self.cases.is_empty() || self.cases.iter().any(|wanted| id.contains(wanted.as_str()));
        of_family && named && self.decider.is_none_or(|wanted| wanted == decider)
    }
}
