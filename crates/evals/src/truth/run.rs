//! Runs the cases of a plan, several at a time in one browser, each in its own context, and compares every report with
//! the truth.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Instant,
};

use futures_util::{StreamExt, TryStreamExt, stream};
use legwork::{
    Runtime, StartRequest,
    protocol::{Outcome, Status, Workflow},
    settings::Settings,
};

use super::{
    case::{Asking, Behaviour, Case, CaseVerdict, Facts, ModelMode, TruthDecider, Variant},
    families, model,
    plan::TruthPlan,
    report::{CaseResult, TruthReport},
    site::Site,
};
use crate::EvalError;

/// No element on these pages takes longer to appear. Cases in which one never appears wait this long.
const ELEMENT_TIMEOUT: &str = "2s";

/// Runs a plan.
///
/// # Errors
/// If the site or the runtime cannot be started, or no case matches. The failure of a case is a result.
pub async fn truth(plan: &TruthPlan) -> Result<TruthReport, EvalError> {
    let behaviours = families::all();
    let cases = select(&behaviours, plan);
    if cases.is_empty() {
        return Err(EvalError::NoSuchTask {
            suite: "truth",
            task: [&plan.families[..], &plan.cases[..]].concat().join(" "),
        });
    }
    if plan.list {
        return Ok(TruthReport::listing(cases.iter().map(|case| format!("{}  {}", case.id(), case.words()))));
    }
    let began = Instant::now();
    let site = Site::start().await.map_err(EvalError::io("the site"))?;
    let runtime = Runtime::open(settings(plan, &[])?).await?;
    let (host, stage) = (&runtime, &site);
    let (done, of) = (AtomicUsize::new(0), cases.len());
    let results = stream::iter(&cases)
        .map(async |case| play(case, plan, host, stage).await)
        .buffer_unordered(plan.jobs.into())
        .inspect_ok(|result| {
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if result.verdict != CaseVerdict::Right {
                eprintln!("{done}/{of} {:?} {} ({})", result.verdict, result.case, result.reported);
            }
        })
        .try_collect()
        .await;
    runtime.close().await;
    Ok(TruthReport::of(results?, began.elapsed()))
}

/// The cases of a plan.
fn select<'a>(behaviours: &'a [Behaviour], plan: &TruthPlan) -> Vec<Case<'a>> {
    let named = plan.all || !plan.families.is_empty() || !plan.cases.is_empty();
    let wanted = |case: &Case<'_>| plan.wants(case.behaviour.family, &case.id(), case.decider);
    let sampled = |case: &Case<'_>, at| match plan.short {
        true => in_short(case, at),
        false => named || in_sample(case, at),
    };
    let behaviours = behaviours.iter().enumerate();
    let cases = behaviours.flat_map(|(at, behaviour)| behaviour.cases().into_iter().map(move |case| (at, case)));
    cases.filter(|(at, case)| wanted(case) && sampled(case, *at)).map(|(_, case)| case).collect()
}

/// Half of the phrasings of a failing variant, one phrasing of a genuine one, and one check and one model of each. The
/// position of the behaviour determines which, so that the whole sample contains all kinds.
fn in_sample(case: &Case<'_>, at: usize) -> bool {
    let phrasings = case.behaviour.phrasings.len();
    match (case.decider, case.variant) {
        (TruthDecider::Literal, Variant::Failing) => case.number == 1 || case.number % 2 == at % 2,
        (TruthDecider::Literal, Variant::Genuine) => case.number == 1 + at % phrasings,
        (TruthDecider::Checks, _) => case.number == 1 + at % 2,
        (TruthDecider::Model, _) => case.number == 1 + at % 3,
    }
}

/// One case of each behaviour. A third are genuine, and every other behaviour is decided by a model if it has commands.
fn in_short(case: &Case<'_>, at: usize) -> bool {
    let Behaviour { commands, variants, .. } = case.behaviour;
    let wanted = if at.is_multiple_of(3) { Variant::Genuine } else { Variant::Failing };
    let of_variant = case.variant == wanted || !variants.contains(&wanted);
    let by_model = at % 2 == 1 && !commands.is_empty();
    let decider = if by_model { TruthDecider::Model } else { TruthDecider::Literal };
    of_variant && case.decider == decider && case.number == 1
}

fn settings(plan: &TruthPlan, more: &[(&str, String)]) -> Result<Settings, EvalError> {
    let own = [("timeouts.element", ELEMENT_TIMEOUT.to_owned()), ("decider", "literal".to_owned())];
    let mut settings = crate::settings::settings("truth", &[&own[..], more].concat(), &plan.settings, [])?;
    settings.disabled_evidence = plan.disabled.clone();
    Ok(settings)
}

/// Runs one case, from its page to its verdict.
async fn play(case: &Case<'_>, plan: &TruthPlan, runtime: &Runtime, site: &Site) -> Result<CaseResult, EvalError> {
    let behaviour = case.behaviour;
    let fails = case.variant == Variant::Failing;
    let page = behaviour.failing_page.filter(|_| fails).unwrap_or(behaviour.page);
    let stand = site.stand("Shop", page, behaviour.server, fails);
    let workflow = |steps: &[_]| Workflow {
        name: case.id(),
        url: Some(stand.url.clone()),
        inputs: Default::default(),
        steps: steps.to_vec(),
    };
    let began = Instant::now();
    let outcome = match &case.asking {
        Asking::Steps(steps) => outcome(runtime, StartRequest::workflow(workflow(steps))).await?,
        Asking::Model { steps, commands, mode } => {
            let model = model::start(commands.clone()).await.map_err(EvalError::io("the scripted model"))?;
            let more = [
                ("decider", "model".to_owned()),
                ("model.name", "compatible/scripted".to_owned()),
                ("model.base_url", model.base_url.clone()),
                ("reflection.mode", "never".to_owned()),
                ("planning", if *mode == ModelMode::Reviewed { "always" } else { "auto" }.to_owned()),
            ];
            let request = match mode {
                ModelMode::Step => StartRequest::workflow(workflow(steps)),
                ModelMode::Task | ModelMode::Reviewed => StartRequest::task(workflow(steps)),
            };
            outcome(runtime, StartRequest { settings: Some(settings(plan, &more)?), ..request }).await?
        }
    };
    let seconds = began.elapsed().as_secs_f64();
    let books = stand.books();
    let done = (behaviour.done)(&Facts { books: &books, variables: &outcome.variables, fails });
    Ok(CaseResult {
        case: case.id(),
        family: behaviour.family,
        behaviour: behaviour.name,
        about: behaviour.about,
        variant: case.variant,
        decider: case.decider,
        words: case.words(),
        happened: done,
        truth: match outcome.variables.get("value") {
            Some(value) => format!("{} saved {value}", books.shown()).trim_start().to_owned(),
            None => books.shown(),
        },
        verdict: CaseVerdict::of(case, &outcome, done),
        reported: reported(&outcome),
        error: outcome.error.map(|error| error.message),
        seconds,
    })
}

async fn outcome(runtime: &Runtime, request: StartRequest) -> Result<Outcome, EvalError> {
    Ok(runtime.start(request).await?.outcome().await)
}

fn reported(outcome: &Outcome) -> String {
    match outcome.status {
        Status::Success => format!("success, {:?}", outcome.validation).to_lowercase(),
        status => status.name().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn ids(plan: &TruthPlan) -> Vec<String> {
        select(&families::all(), plan).iter().map(Case::id).collect()
    }

    #[test]
    fn there_are_enough_cases_and_each_has_a_name_of_its_own() {
        let behaviours = families::all();
        let names: BTreeSet<_> = behaviours.iter().map(|behaviour| (behaviour.family, behaviour.name)).collect();
        assert_eq!(names.len(), behaviours.len());
        assert!(behaviours.iter().filter(|behaviour| behaviour.family == "login").count() >= 20);
        let sample = ids(&TruthPlan::default());
        assert!(sample.len() >= 1_000, "{}", sample.len());
        let all = ids(&TruthPlan { all: true, ..TruthPlan::default() });
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
        let short = ids(&TruthPlan { short: true, ..TruthPlan::default() });
        assert_eq!(short.len(), behaviours.len());
        assert!(sample.iter().chain(&short).all(|id| all.contains(id)));
    }

    #[test]
    fn a_sample_meets_every_decider_in_both_variants() {
        let sample = ids(&TruthPlan::default());
        for decider in ["literal-4", "checks-1", "checks-2", "model-1", "model-2", "model-3"] {
            for variant in ["genuine", "failing"] {
                assert!(sample.iter().any(|id| id.contains(variant) && id.ends_with(decider)), "{variant} {decider}");
            }
        }
    }
}
