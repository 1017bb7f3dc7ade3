//! Switches each rule of evidence off once, to prove that it is needed: for each rule, the family `evidence` contains a
//! behaviour with its name, whose verdict depends on this rule alone.

use std::fmt::Write as _;

use legwork::EvidenceRule;

use super::{
    plan::TruthPlan,
    report::{CaseResult, CaseVerdict},
};
use crate::EvalError;

/// Rules without a behaviour whose verdict depends on them alone, and why.
const NOT_ALONE: &[(&str, &str)] = &[
    ("error_page", "the action that leads to such a page fails by itself: SITE_UNREACHABLE"),
    ("unanswered", "it names a request whose outcome is unknown, and changes no verdict"),
    ("inert_target", "it names the control that was probably meant, and changes no verdict"),
    ("signed_in", "a log-in that leads anywhere also shows a new address or text"),
];

/// The result of switching one rule off.
struct Ablated {
    rule: EvidenceRule,
    /// The cases with a worse result without it.
    caught: Vec<String>,
}

/// The result of switching each rule off.
pub struct Ablation(Vec<Ablated>);

impl Ablation {
    /// Whether every rule that can decide a case alone is needed.
    pub fn holds(&self) -> bool {
        self.0.iter().all(|ablated| !ablated.caught.is_empty() || alone(ablated.rule).is_some())
    }

    /// The results as a Markdown table.
    pub fn text(&self) -> String {
        let mut text = String::from("| rule | cases that come out worse without it |\n|---|---|\n");
        for Ablated { rule, caught } in &self.0 {
            let cases = match (caught.first(), alone(*rule)) {
                (Some(first), _) => format!("{}, such as {first}", caught.len()),
                (None, Some(why)) => format!("none: {why}"),
                (None, None) => "NONE".to_owned(),
            };
            writeln!(text, "| `{}` | {cases} |", rule.name()).expect("writing to a string does not fail");
        }
        text
    }
}

fn alone(rule: EvidenceRule) -> Option<&'static str> {
    NOT_ALONE.iter().find(|(name, _)| *name == rule.name()).map(|(_, why)| *why)
}

/// Runs the behaviour of each rule with the rule and without it.
///
/// # Errors
/// As for [`truth`](super::truth).
pub async fn ablate(plan: &TruthPlan) -> Result<Ablation, EvalError> {
    let of_rules = |disabled: Vec<EvidenceRule>, cases: Vec<String>| TruthPlan {
        families: vec!["evidence".to_owned()],
        cases,
        disabled,
        ablate: false,
        ..plan.clone()
    };
    let rules = EvidenceRule::ALL.iter().filter(|rule| plan.disabled.is_empty() || plan.disabled.contains(rule));
    let whole = super::truth(&of_rules(Vec::new(), plan.cases.clone())).await?;
    let mut all = Vec::new();
    for rule in rules.copied() {
        let name = format!("evidence/{}/", rule.name());
        let before: Vec<&CaseResult> = whole.cases.iter().filter(|case| case.case.starts_with(&name)).collect();
        let mut caught = Vec::new();
        if !before.is_empty() {
            let without = super::truth(&of_rules(vec![rule], vec![name])).await?;
            let worse = without
                .cases
                .iter()
                .filter(|case| before.iter().any(|whole| whole.case == case.case && worth(whole) > worth(case)));
            caught = worse.map(|case| format!("{} ({})", case.case, case.reported)).collect();
        }
        all.push(Ablated { rule, caught });
    }
    Ok(Ablation(all))
}

/// Ranks a result: a false success is worst, then a missed success, then a success without validation.
fn worth(case: &CaseResult) -> u8 {
    match case.verdict {
        verdict if verdict.is_false_success() => 0,
        CaseVerdict::Void => 0,
        verdict if verdict.is_missed_success() => 1,
        CaseVerdict::HonestlyUnvalidated => 3,
        _ if case.happened && case.reported != "success, validated" => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::families;

    #[test]
    fn every_rule_has_a_behaviour_of_its_name() {
        let behaviours = families::all();
        for rule in EvidenceRule::ALL {
            let has =
                behaviours.iter().any(|behaviour| behaviour.family == "evidence" && behaviour.name == rule.name());
            assert!(has != alone(*rule).is_some(), "{}", rule.name());
        }
    }
}
