//! `cargo xtask attack`: does a forbidden effect happen, whatever a model decides and whatever a page does?
//!
//! Each class plays one attacker of SECURITY.md against a real browser, on loopback. What counts never comes from
//! Legwork: [`listener`] records every connection to a port that nobody may reach, and [`site`] records what arrives at
//! the sites that a run may use. [`report`] counts the forbidden effects; [`scene`] holds the settings that the classes
//! share.

mod canaries;
mod egress;
mod hosts;
mod listener;
mod pages;
pub mod plan;
mod planner;
mod random;
pub mod report;
mod scanner;
mod scene;
mod serving;
mod site;
mod spellings;

use std::time::Instant;

use self::{
    plan::{AttackClass, AttackPlan},
    report::{AttackReport, ClassReport},
};
use crate::EvalError;

/// Carries out a plan.
///
/// # Errors
/// If a site, a listener or the runtime cannot be started, or no attempt matches. A forbidden effect is a result.
pub async fn attack(plan: &AttackPlan) -> Result<AttackReport, EvalError> {
    let mut report = AttackReport { classes: Vec::new(), listing: Vec::new() };
    for class in plan.classes() {
        let mut names = names(class, plan.ablate);
        names.retain(|name| plan.wants(name));
        if plan.list || names.is_empty() {
            report.listing.extend(names.into_iter().map(|name| format!("{}/{name}", class.name())));
            continue;
        }
        let began = Instant::now();
        let mut result = ClassReport::new(class, plan.ablate);
        match class {
            AttackClass::Planner => planner::attack(plan, &mut result).await?,
            AttackClass::Egress => egress::attack(plan, &mut result).await?,
            AttackClass::Pages => pages::attack(plan, &mut result).await?,
            AttackClass::Canaries => canaries::attack(plan, &mut result).await?,
            AttackClass::Hosts => hosts::attack(plan, &mut result).await?,
        }
        result.seconds = began.elapsed().as_secs_f64();
        report.classes.push(result);
    }
    if report.classes.is_empty() && report.listing.is_empty() {
        return Err(EvalError::NoSuchTask { suite: "attack", task: plan.only.join(" ") });
    }
    Ok(report)
}

fn names(class: AttackClass, ablated: bool) -> Vec<String> {
    match class {
        AttackClass::Planner => planner::names(),
        AttackClass::Egress => egress::names(),
        AttackClass::Pages => pages::names(),
        AttackClass::Canaries => canaries::names(),
        AttackClass::Hosts => hosts::names(ablated),
    }
}

#[cfg(test)]
mod tests {
    use clap::{Parser, ValueEnum};

    use super::*;

    async fn listed(only: &[&str]) -> Result<Vec<String>, EvalError> {
        let only = only.iter().flat_map(|name| ["--only", name]);
        let plan = AttackPlan::parse_from(["attack", "--list"].into_iter().chain(only));
        attack(&plan).await.map(|report| report.listing)
    }

    #[tokio::test]
    async fn a_list_names_the_attempts_that_are_wanted() {
        let all = listed(&[]).await.unwrap();
        for class in AttackClass::value_variants() {
            assert!(all.iter().any(|name| name.starts_with(class.name())), "{}", class.name());
        }
        assert_eq!(listed(&["open-plain", "rot13"]).await.unwrap(), ["planner/open-plain", "canaries/rot13"]);
        let hosts = listed(&["websocket GET /api/me Host \"127.1:PORT\""]).await.unwrap();
        assert_eq!(hosts, ["hosts/websocket GET /api/me Host \"127.1:PORT\""]);
    }

    #[tokio::test]
    async fn a_name_that_no_attempt_has_is_an_error() {
        let error = listed(&["open-plane"]).await.unwrap_err();
        assert_eq!(error.to_string(), "the suite attack has no task \"open-plane\"");
    }
}
