//! Runs a plan: opens the suite, the decider and the runtime, runs every episode (at most two at a time), and
//! computes the scores.

use std::time::Instant;

use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use legwork::{
    Runtime,
    protocol::{Outcome, Status},
    record::RunRecord,
    settings::{Settings, Sources, is_provider_variable},
};
use legwork_testing::model::{ScriptedModel, Wire};

use crate::{
    EvalError,
    plan::{DeciderName, EvalPlan, SuiteName},
    policy,
    report::{EpisodeResult, Report, folder},
    score::Spent,
    settings::load,
    suite::Suite,
};

/// Whether a run receives this environment variable: keys, and the locations of a model and the browser. Any other
/// variable would make results differ between machines.
fn is_from_environment(variable: &str) -> bool {
    is_provider_variable(variable) || variable == "LEGWORK_BROWSER_PATH"
}
/// Nothing on these pages takes longer to appear.
const ELEMENT_TIMEOUT: &str = "2s";

/// The default would end a long task in the middle.
const LONG_TURNS: &str = "150";

/// Runs a plan and scores it.
///
/// # Errors
/// When the suite or the runtime cannot be opened. A failed episode is a result.
pub async fn evaluate(plan: &EvalPlan) -> Result<Report, EvalError> {
    let began = Timestamp::now();
    let suite = Suite::open(plan.suite).await?;
    let tasks: Vec<String> = suite.tasks().into_iter().filter(|task| plan.wants(task)).collect();
    if let Some(wanted) = plan.tasks.iter().find(|_| tasks.is_empty()) {
        return Err(EvalError::NoSuchTask { suite: plan.suite.name(), task: wanted.clone() });
    }
    let seeds = plan.seeds();
    let scripted = match plan.decider() {
        DeciderName::Scripted => {
            let server = ScriptedModel::start(Wire::OpenAi, policy::script()).await;
            Some(server.map_err(EvalError::io("the scripted policy's server"))?)
        }
        DeciderName::Literal | DeciderName::Model => None,
    };
    let runtime = Runtime::open(settings(plan, scripted.as_ref())?).await?;
    let episodes = tasks.iter().flat_map(|task| {
        let repeats = move |seed: &u64| {
            (0..plan.repeats).map({
                let seed = *seed;
                move |repeat| (task.as_str(), seed, repeat)
            })
        };
        seeds.iter().flat_map(repeats)
    });
    let (stage, host, decider) = (&suite, &runtime, plan.decider());
    let results = stream::iter(episodes)
        .map(async |(task, seed, repeat)| play(stage, host, decider, (task, seed, repeat)).await)
        .buffer_unordered(plan.jobs.into())
        .inspect_ok(|result| {
            let mark = if result.solved { "solved" } else { "not solved" };
            let error = result.error.as_deref().unwrap_or_default();
            eprintln!("{} {}: {mark} ({}; {}) {error}", result.task, result.seed, result.judged, result.ended);
        })
        .try_collect()
        .await;
    let left_out = suite.left_out();
    runtime.close().await;
    suite.close().await;
    let head = (plan.suite, decider, plan.model.clone());
    Ok(Report::of(head, began, (seeds.clone(), plan.repeats), results?, left_out))
}

fn settings(plan: &EvalPlan, scripted: Option<&ScriptedModel>) -> Result<Settings, EvalError> {
    let mut flags = vec![
        ("data_dir".to_owned(), folder().join("runs").display().to_string()),
        ("screenshots.enabled".to_owned(), "false".to_owned()),
        ("timeouts.element".to_owned(), ELEMENT_TIMEOUT.to_owned()),
        // A page may contain any link, but a task needs only the judge's server.
        ("allowed_domains".to_owned(), "127.0.0.1,127.0.0.2".to_owned()),
        ("decider".to_owned(), if plan.decider() == DeciderName::Literal { "literal" } else { "model" }.to_owned()),
    ];
    if plan.suite == SuiteName::Long {
        flags.push(("limits.max_turns_per_task".to_owned(), LONG_TURNS.to_owned()));
    }
    let model = scripted.map(|_| "compatible/scripted".to_owned()).or_else(|| plan.model.clone());
    let base_url = scripted.map(|server| server.base_url.clone()).or_else(|| plan.base_url.clone());
    flags.extend(model.map(|name| ("model.name".to_owned(), name)));
    flags.extend(base_url.map(|url| ("model.base_url".to_owned(), url)));
    flags.extend(plan.settings.iter().cloned());
    let env = std::env::vars().filter(|(name, _)| is_from_environment(name)).collect();
    load(&Sources { flags, env, ..Sources::default() })
}

/// Runs one episode and judges it.
async fn play(
    suite: &Suite,
    runtime: &Runtime,
    decider: DeciderName,
    (task, seed, repeat): (&str, u64, u32),
) -> Result<EpisodeResult, EvalError> {
    let scene = match suite.scene(task, seed).await {
        Ok(scene) => scene,
        Err(error @ (EvalError::NotReady(_) | EvalError::Visit(..))) => {
            return Ok(not_begun((task, seed, repeat), &error));
        }
        Err(error) => return Err(error),
    };
    let began = Instant::now();
    let run = runtime.start(scene.request(decider)).await?;
    let id = run.id();
    let outcome = run.outcome().await;
    let seconds = began.elapsed().as_secs_f64();
    let verdict = scene.verdict(&outcome);
    let record = RunRecord::fold(&runtime.log().read(id, 1).await?).ok();
    Ok(EpisodeResult {
        task: task.to_owned(),
        seed,
        repeat,
        asked: scene.goal,
        solved: verdict.solved,
        judged: verdict.judged,
        claimed: outcome.status == Status::Success,
        ended: ended(&outcome),
        spent: spent(&outcome, record.as_ref(), seconds),
        error: outcome.error.map(|error| error.message),
        run: id.to_string(),
    })
}

/// The result of an episode that the suite could not set up. It counts as not solved, so that setup errors do not
/// remove hard tasks from the score.
fn not_begun((task, seed, repeat): (&str, u64, u32), error: &EvalError) -> EpisodeResult {
    EpisodeResult {
        task: task.to_owned(),
        seed,
        repeat,
        asked: String::new(),
        solved: false,
        judged: error.to_string(),
        claimed: false,
        ended: "not begun".to_owned(),
        error: None,
        spent: Spent::default(),
        run: String::new(),
    }
}

fn ended(outcome: &Outcome) -> String {
    match outcome.status {
        Status::Success => format!("success, {:?}", outcome.validation).to_lowercase(),
        status => status.name().to_owned(),
    }
}

fn spent(outcome: &Outcome, record: Option<&RunRecord>, seconds: f64) -> Spent {
    let (usage, totals) = (&outcome.usage, record.map(|record| &record.totals));
    Spent {
        seconds,
        turns: totals.map_or(0, |totals| totals.turns) as f64,
        actions: totals.map_or(0, |totals| totals.commands) as f64,
        calls: f64::from(usage.calls),
        prompt_tokens: usage.prompt_tokens as f64,
        cached_tokens: usage.cached_tokens as f64,
        completion_tokens: usage.completion_tokens as f64,
        cost_usd: usage.cost_usd,
    }
}
