//! A malicious planner: a model behind real HTTP, in the format of a provider, that decides against the rules of its
//! run, many times in one run, and does the permitted work at the end. The sites record what arrives; the oracle looks
//! there, in the folders, in the arguments of the tools, and in the record of the run.

mod exfiltration;
mod kinds;
mod run;
mod scene;

use futures_util::{StreamExt, TryStreamExt, stream};
use legwork::Runtime;
use serde_json::{Value, json};

use self::{
    kinds::{Attempt, KINDS, Kind},
    run::RunResult,
    scene::Scene,
};
use super::{plan::AttackPlan, random::Random, report::ClassReport, scene::settings};
use crate::EvalError;

/// Attempts of a kind in a whole plan, and in a short one.
const EACH: (usize, usize) = (68, 2);
/// Attempts in one run.
const IN_RUN: usize = 48;
/// Kinds whose attempts end their run or are limited by it, each in runs of its own.
const LIMITS: &[&str] = &["limit-actions", "limit-turns", "limit-tokens"];

/// The names of all kinds.
pub(super) fn names() -> Vec<String> {
    let carried = exfiltration::KINDS.iter().map(|kind| kind.name);
    KINDS.iter().map(|kind| kind.name).chain(LIMITS.iter().copied()).chain(carried).map(str::to_owned).collect()
}

/// The attempts of one run.
struct RunPlan {
    number: usize,
    kinds: Vec<&'static Kind>,
    random: Random,
    /// The limit that the run is under, if it is about limits.
    limit: Option<&'static str>,
}

/// Carries out the class.
pub(super) async fn attack(plan: &AttackPlan, report: &mut ClassReport) -> Result<(), EvalError> {
    let runs = runs(plan);
    let sites = [("allowed_domains", "127.0.0.1:1".to_owned())];
    let rules: &[_] = if plan.ablate { &[] } else { &sites };
    // Each run replaces this rule by its own; it is here so that the browser is started for runs with rules.
    let runtime = Runtime::open(settings(plan, "planner", rules)?).await?;
    let host = &runtime;
    let total = runs.len();
    let results: Vec<RunResult> = stream::iter(runs)
        .map(async |one| {
            let number = one.number;
            let result = run::carry_out(one, plan, host).await?;
            eprintln!("planner: run {number} of {total}: {} attempts", result.attempts);
            Ok::<_, EvalError>(result)
        })
        .buffer_unordered(plan.jobs.into())
        .try_collect()
        .await?;
    let mut results = results;
    results.extend(exfiltrate(plan, host).await?);
    runtime.close().await;
    report.count("kinds", names().iter().filter(|name| plan.wants(name)).count());
    for result in results {
        report.attempts += result.attempts;
        report.count("runs", 1);
        report.count("actions refused or failed", result.refused);
        report.count("runs with their permitted work", usize::from(result.worked));
        report.breaches.extend(result.breaches);
        report.failures.extend(result.failures);
    }
    Ok(())
}

/// The runs about the default policy: every kind equally often, all kinds in each run.
async fn exfiltrate(plan: &AttackPlan, runtime: &Runtime) -> Result<Vec<RunResult>, EvalError> {
    let mut kinds: Vec<_> = exfiltration::KINDS.iter().filter(|kind| plan.wants(kind.name)).collect();
    let runs = match plan.short {
        _ if kinds.is_empty() => 0,
        true => EACH.1,
        false => EACH.0 / 2,
    };
    let mut random = Random::new(plan.seed);
    let mut results = Vec::new();
    for number in 1..=runs {
        random.shuffle(&mut kinds);
        results.push(exfiltration::carry_out(number, &kinds, &mut random, plan, runtime).await?);
        eprintln!("planner: exfiltration {number} of {runs}: {} attempts", kinds.len());
    }
    Ok(results)
}

/// The runs of a plan: every kind equally often, in an order that the seed selects.
fn runs(plan: &AttackPlan) -> Vec<RunPlan> {
    let each = if plan.short { EACH.1 } else { EACH.0 };
    let mut random = Random::new(plan.seed);
    let wanted = KINDS.iter().filter(|kind| plan.wants(kind.name));
    let mut attempts: Vec<&'static Kind> = wanted.flat_map(|kind| std::iter::repeat_n(kind, each)).collect();
    random.shuffle(&mut attempts);
    let mut plans: Vec<RunPlan> = attempts
        .chunks(IN_RUN)
        .map(|chunk| RunPlan { number: 0, kinds: chunk.to_vec(), random: Random::new(random.next()), limit: None })
        .collect();
    for limit in LIMITS.iter().filter(|name| plan.wants(name)) {
        plans.push(RunPlan { number: 0, kinds: Vec::new(), random: Random::new(random.next()), limit: Some(limit) });
    }
    plans.iter_mut().zip(1..).for_each(|(plan, number)| plan.number = number);
    plans
}

/// The commands of all attempts of a run.
fn commands(plan: &mut RunPlan, scene: &Scene) -> Vec<Value> {
    let (kinds, random) = (&plan.kinds, &mut plan.random);
    let mut all = Vec::new();
    for (kind, number) in kinds.iter().zip(1..) {
        all.extend((kind.make)(&mut Attempt { scene, random, number, kind: kind.name }));
        // Some attempts do not fit the schema, and a run ends after three such replies in a row.
        all.push(json!({"action": "find", "parameters": {"text": format!("after attempt {number}")}}));
    }
    all
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    fn plan(arguments: &[&str]) -> AttackPlan {
        AttackPlan::parse_from([&["attack"], arguments].concat())
    }

    #[test]
    fn there_are_enough_kinds_and_attempts() {
        assert!(names().len() >= 40, "{}", names().len());
        let attempts: usize = runs(&plan(&[])).iter().map(|run| run.kinds.len()).sum();
        assert!(attempts >= 3_000, "{attempts}");
    }

    #[test]
    fn a_seed_selects_the_same_attempts_again() {
        let order = |seed: &str| {
            let runs = runs(&plan(&["--short", "--seed", seed]));
            runs.iter().flat_map(|run| run.kinds.iter().map(|kind| kind.name)).collect::<Vec<_>>()
        };
        assert_eq!(order("7"), order("7"));
        assert_ne!(order("7"), order("8"));
    }
}
