//! How the runs went over time: per day, per workflow, in all.

use std::{collections::BTreeMap, sync::Arc};

use axum::extract::{Query, State, rejection::QueryRejection};
use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};
use legwork::store::{RunQuery, RunState, RunSummary};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Route, get};
use crate::{app::App, envelope::Reply, error::Refused};

/// The most days that are looked back.
const DAYS: u32 = 366;

pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/api/dashboard", "How the runs went, per day and per workflow", dashboard)
            .number("days", "How far back; 30 without it")
            .gives::<Dashboard>(),
    ]
}

#[derive(Serialize, JsonSchema)]
struct Dashboard {
    /// The oldest first; days without a run are there too. A run belongs to the day it began on, UTC.
    days: Vec<Day>,
    /// Those that ran most often first.
    workflows: Vec<Workflow>,
    totals: Totals,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
struct Counts {
    runs: usize,
    success: usize,
    failure: usize,
    error: usize,
    cancelled: usize,
    parked: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms_mean: Option<f64>,
    prompt_tokens: u64,
    completion_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_usd: Option<f64>,
}

#[derive(Serialize, JsonSchema)]
struct Day {
    #[schemars(with = "String")]
    date: Date,
    #[serde(flatten)]
    counts: Counts,
}

#[derive(Serialize, JsonSchema)]
struct Workflow {
    name: String,
    runs: usize,
    /// 0 to 1, of those that ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    success_rate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms_median: Option<f64>,
    tokens_mean: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_usd: Option<f64>,
}

#[derive(Serialize, JsonSchema)]
struct Totals {
    #[serde(flatten)]
    counts: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    success_rate: Option<f64>,
}

#[derive(Deserialize)]
struct Asked {
    days: Option<u32>,
}

async fn dashboard(
    State(app): State<Arc<App>>,
    query: Result<Query<Asked>, QueryRejection>,
) -> Result<Reply<Dashboard>, Refused> {
    let Query(Asked { days }) = query.map_err(|error| Refused::bad(error.body_text()))?;
    let runs = app.log().runs(RunQuery { limit: usize::MAX, before: None, state: None }).await?;
    Ok(Reply::ok(fold(&runs, days.unwrap_or(30).clamp(1, DAYS), Timestamp::now())))
}

fn fold(runs: &[RunSummary], days: u32, now: Timestamp) -> Dashboard {
    let day_of = |time: Timestamp| time.to_zoned(TimeZone::UTC).date();
    let all_days: Vec<Date> =
        (0..days).rev().map(|back| day_of(now - SignedDuration::from_hours(24 * i64::from(back)))).collect();
    let first = all_days.first().copied().unwrap_or(Date::MIN);
    let mut by_day: BTreeMap<Date, Vec<&RunSummary>> = all_days.into_iter().map(|day| (day, Vec::new())).collect();
    let mut by_name: BTreeMap<&str, Vec<&RunSummary>> = BTreeMap::new();
    let recent: Vec<&RunSummary> = runs.iter().filter(|run| day_of(run.started) >= first).collect();
    for &run in &recent {
        by_day.entry(day_of(run.started)).or_default().push(run);
        by_name.entry(&run.name).or_default().push(run);
    }
    let mut workflows: Vec<Workflow> = by_name.into_iter().map(|(name, runs)| workflow(name, &runs)).collect();
    workflows.sort_by(|a, b| b.runs.cmp(&a.runs).then_with(|| a.name.cmp(&b.name)));
    Dashboard {
        days: by_day.into_iter().map(|(date, runs)| Day { date, counts: counts(&runs) }).collect(),
        workflows,
        totals: Totals { counts: counts(&recent), success_rate: success_rate(&recent) },
    }
}

fn counts(runs: &[&RunSummary]) -> Counts {
    let of = |state: RunState| runs.iter().filter(|run| run.state == state).count();
    let times = durations(runs);
    Counts {
        runs: runs.len(),
        success: of(RunState::Success),
        failure: of(RunState::Failure),
        error: of(RunState::Error),
        cancelled: of(RunState::Cancelled),
        parked: of(RunState::Parked),
        duration_ms_mean: (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64),
        prompt_tokens: runs.iter().map(|run| run.usage.prompt_tokens).sum(),
        completion_tokens: runs.iter().map(|run| run.usage.completion_tokens).sum(),
        cost_usd: cost(runs),
    }
}

fn workflow(name: &str, runs: &[&RunSummary]) -> Workflow {
    let mut times = durations(runs);
    times.sort_by(f64::total_cmp);
    let median = times.get(times.len() / 2).map(|upper| match times.len() % 2 {
        0 => (times[times.len() / 2 - 1] + upper) / 2.0,
        _ => *upper,
    });
    let tokens: u64 = runs.iter().map(|run| run.usage.prompt_tokens + run.usage.completion_tokens).sum();
    Workflow {
        name: name.to_owned(),
        runs: runs.len(),
        success_rate: success_rate(runs),
        duration_ms_median: median,
        tokens_mean: tokens as f64 / runs.len().max(1) as f64,
        cost_usd: cost(runs),
    }
}

/// Of those that ended: a run that waits, or that a person stopped, says nothing of the workflow.
fn success_rate(runs: &[&RunSummary]) -> Option<f64> {
    let ended = |run: &&&RunSummary| matches!(run.state, RunState::Success | RunState::Failure | RunState::Error);
    let ended: Vec<_> = runs.iter().filter(ended).collect();
    let good = ended.iter().filter(|run| run.state == RunState::Success).count();
    (!ended.is_empty()).then(|| good as f64 / ended.len() as f64)
}

fn durations(runs: &[&RunSummary]) -> Vec<f64> {
    let time = |run: &&RunSummary| run.ended.map(|ended| ended.duration_since(run.started).as_secs_f64() * 1e3);
    runs.iter().filter_map(time).filter(|ms| *ms >= 0.0).collect()
}

fn cost(runs: &[&RunSummary]) -> Option<f64> {
    let known: Vec<f64> = runs.iter().filter_map(|run| run.usage.cost_usd).collect();
    (!known.is_empty()).then(|| known.iter().sum())
}

#[cfg(test)]
mod tests {
    use legwork::protocol::{RunId, Usage};

    use super::*;

    #[test]
    fn runs_are_counted_on_the_day_they_began_and_by_their_workflow() {
        let now: Timestamp = "2026-05-03T12:00:00Z".parse().unwrap();
        let run = |name: &str, hours: i64, minutes: i64, state: RunState, tokens: u64| {
            let started = now - SignedDuration::from_hours(hours);
            let usage = Usage { prompt_tokens: tokens, cost_usd: (tokens > 0).then_some(0.5), ..Usage::default() };
            let mut run = RunSummary::new(RunId::new(), started);
            (run.name, run.state, run.usage) = (name.to_owned(), state, usage);
            run.ended = (state != RunState::Parked).then(|| started + SignedDuration::from_mins(minutes));
            run
        };
        let runs = [
            run("order", 1, 1, RunState::Success, 100),
            run("order", 2, 3, RunState::Failure, 0),
            run("order", 26, 5, RunState::Success, 50),
            run("other", 3, 1, RunState::Parked, 0),
            run("old", 24 * 9, 1, RunState::Error, 7),
        ];
        let board = fold(&runs, 3, now);
        let by_day: Vec<(String, usize, usize)> =
            board.days.iter().map(|day| (day.date.to_string(), day.counts.runs, day.counts.success)).collect();
        let expected = [("2026-05-01", 0, 0), ("2026-05-02", 1, 1), ("2026-05-03", 3, 1)];
        assert_eq!(by_day, expected.map(|(day, runs, good)| (day.to_owned(), runs, good)));
        let order = &board.workflows[0];
        assert_eq!((order.name.as_str(), order.runs, order.cost_usd), ("order", 3, Some(1.0)));
        assert_eq!((order.success_rate, order.duration_ms_median), (Some(2.0 / 3.0), Some(180_000.0)));
        let Totals { counts, success_rate } = board.totals;
        assert_eq!((counts.runs, counts.parked, counts.error, success_rate), (4, 1, 0, Some(2.0 / 3.0)));
        assert_eq!(counts.duration_ms_mean, Some(180_000.0));
    }
}
