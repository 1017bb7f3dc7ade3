//! `cargo xtask attack`: does a forbidden effect happen, whatever a model decides and whatever a page does?
//!
//! Each class plays one attacker of SECURITY.md against a real browser, on loopback. What counts never comes from Legwork:
//! [`listener`] records every connection to a port that nobody may reach, and [`site`] records what arrives at the sites that
//! a run may use. [`report`] counts the forbidden effects; [`scene`] holds the settings that the classes share.

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
mod site;

use std::time::Instant;

use self::{
    plan::{AttackClass, AttackPlan},
    report::{AttackReport, ClassReport},
};
use crate::EvalError;

/// Carries out a plan.
///
/// # Errors
/// If a site, a listener or the runtime cannot be started. A forbidden effect is a result.
pub async fn attack(plan: &AttackPlan) -> Result<AttackReport, EvalError> {
    let mut report = AttackReport { classes: Vec::new(), listing: Vec::new() };
    for class in plan.classes() {
        if plan.list {
            report.listing.extend(names(class).into_iter().map(|name| format!("{}/{name}", class.name())));
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
    Ok(report)
}

fn names(class: AttackClass) -> Vec<String> {
    match class {
        AttackClass::Planner => planner::names(),
        AttackClass::Egress => egress::names(),
        AttackClass::Pages => pages::names(),
        AttackClass::Canaries => canaries::names(),
        AttackClass::Hosts => hosts::names(),
    }
}
