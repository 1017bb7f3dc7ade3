//! Which cases to run, as the command line says it.

use std::path::PathBuf;

use clap::Parser;
use legwork::EvidenceRule;

use super::case::TruthDecider;

/// Runs adversarial cases and looks for successes that did not happen.
#[derive(Clone, Debug, Default, Parser)]
#[command(name = "cargo xtask truth")]
pub struct TruthPlan {
    /// Only this family; may be given several times.
    #[arg(long = "family", value_name = "FAMILY")]
    pub families: Vec<String>,
    /// Only cases whose id has this in it, such as `page-401` or `login/toast/failing`; may be given several times.
    #[arg(long = "case", value_name = "CASE")]
    pub cases: Vec<String>,
    /// Only this decider.
    #[arg(long, value_enum)]
    pub decider: Option<TruthDecider>,
    /// One case of each behaviour.
    #[arg(long, conflicts_with = "all")]
    pub short: bool,
    /// Every case; without it each behaviour in about half of its phrasings. A family or case that is named has all.
    #[arg(long)]
    pub all: bool,
    /// Names the cases and runs none.
    #[arg(long)]
    pub list: bool,
    /// Also writes every case with its verdict to this file.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Switches this rule of docs/evidence.md off; may be given several times.
    #[arg(long = "disable", value_name = "RULE", value_parser = rule)]
    pub disabled: Vec<EvidenceRule>,
    /// Switches each rule of evidence off in turn (or those of `--disable`) and shows which cases need it.
    #[arg(long)]
    pub ablate: bool,
    /// A setting, as in `--set timeouts.element=5s`; may be given several times.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = crate::plan::name_and_value)]
    pub settings: Vec<(String, String)>,
    /// Cases at once, in one browser.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=16))]
    pub jobs: u8,
}

fn rule(name: &str) -> Result<EvidenceRule, String> {
    let found = EvidenceRule::ALL.iter().find(|rule| rule.name() == name).copied();
    found.ok_or_else(|| EvidenceRule::ALL.iter().map(|rule| rule.name()).collect::<Vec<_>>().join(", "))
}

impl TruthPlan {
    /// Whether a case is wanted.
    pub(super) fn wants(&self, family: &str, id: &str, decider: TruthDecider) -> bool {
        let of_family = self.families.is_empty() || self.families.iter().any(|wanted| wanted == family);
        let named = self.cases.is_empty() || self.cases.iter().any(|wanted| id.contains(wanted.as_str()));
        of_family && named && self.decider.is_none_or(|wanted| wanted == decider)
    }
}
