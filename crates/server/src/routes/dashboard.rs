//! Statistics of runs over time: per day, per workflow, and in total.

use std::{collections::BTreeMap, sync::Arc};

use axum::extract::State;
use jiff::{Span, Timestamp, civil::Date, tz::TimeZone};
use legwork::store::{DailyStats, RunStats, WorkflowStats};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{READ, Route, get};
use crate::{
    app::App,
    envelope::{ApiQuery, ApiResponse, within},
    error::ApiError,
};

/// Maximum number of days.
const MAX_DAYS: usize = 366;

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(READ, "/api/dashboard", "Statistics of the runs, by day and by workflow", dashboard)
            .query::<DashboardQuery>()
            .response::<Dashboard>(),
    ]
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Dashboard {
    /// The oldest day first, including days without runs. A run belongs to the UTC day on which it began.
    days: Vec<Day>,
    /// The workflows with the most runs first, at most 200.
    workflows: Vec<WorkflowFigures>,
    totals: DashboardTotals,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Counts {
    runs: usize,
    success: usize,
    /// Successes with supporting evidence.
    validated: usize,
    /// Runs whose claim of success was rejected.
    rejected: usize,
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
#[serde(rename_all = "camelCase")]
struct Day {
    #[schemars(with = "String")]
    date: Date,
    #[serde(flatten)]
    counts: Counts,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct WorkflowFigures {
    name: String,
    runs: usize,
    /// Share of successes among the runs that ended, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    success_rate: Option<f64>,
    /// Share of successes with supporting evidence among the successes, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    validated_rate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms_median: Option<f64>,
    tokens_mean: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_usd: Option<f64>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct DashboardTotals {
    #[serde(flatten)]
    counts: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    success_rate: Option<f64>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DashboardQuery {
    /// Number of days, at most 366; 30 if absent.
    #[schemars(range(min = 1, max = MAX_DAYS))]
    days: Option<usize>,
}

async fn dashboard(
    State(app): State<Arc<App>>,
    ApiQuery(DashboardQuery { days }): ApiQuery<DashboardQuery>,
) -> Result<ApiResponse<Dashboard>, ApiError> {
    let days = within("days", days, 30, 1..=MAX_DAYS)?;
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let first = today.saturating_sub(Span::new().days(days as i64 - 1));
    let figures = app.log().stats(&first.to_string()).await?;
    Ok(ApiResponse::ok(dashboard_of(figures, first, today)))
}

fn dashboard_of(figures: RunStats, first: Date, today: Date) -> Dashboard {
    let mut by_day: BTreeMap<Date, Vec<DailyStats>> =
        first.series(Span::new().days(1)).take_while(|day| *day <= today).map(|day| (day, Vec::new())).collect();
    let all = figures.days.clone();
    for day in figures.days {
        // Days are written in this format, so an unreadable one cannot occur.
        if let Ok(date) = day.day.parse() {
            by_day.entry(date).or_default().push(day);
        }
    }
    let totals = counts(&all);
    let judged = totals.success + totals.failure + totals.error;
    Dashboard {
        days: by_day.into_iter().map(|(date, days)| Day { date, counts: counts(&days) }).collect(),
        workflows: figures.workflows.into_iter().map(workflow).collect(),
        totals: DashboardTotals { success_rate: rate(totals.success, judged), counts: totals },
    }
}

fn counts(days: &[DailyStats]) -> Counts {
    let sum = |of: fn(&DailyStats) -> usize| days.iter().map(of).sum::<usize>();
    let timed = sum(|day| day.timed);
    let took: f64 = days.iter().map(|day| day.took_ms).sum();
    let known: Vec<f64> = days.iter().filter_map(|day| day.cost_usd).collect();
    Counts {
        runs: sum(|day| day.runs),
        success: sum(|day| day.success),
        validated: sum(|day| day.validated),
        rejected: sum(|day| day.rejected),
        failure: sum(|day| day.failure),
        error: sum(|day| day.error),
        cancelled: sum(|day| day.cancelled),
        parked: sum(|day| day.parked),
        duration_ms_mean: (timed > 0).then(|| took / timed as f64),
        prompt_tokens: days.iter().map(|day| day.prompt_tokens).sum(),
        completion_tokens: days.iter().map(|day| day.completion_tokens).sum(),
        cost_usd: (!known.is_empty()).then(|| known.iter().sum()),
    }
}

fn workflow(of: WorkflowStats) -> WorkflowFigures {
    WorkflowFigures {
        success_rate: rate(of.success, of.judged),
        validated_rate: rate(of.validated, of.judged),
        duration_ms_median: of.median_ms,
        tokens_mean: of.tokens as f64 / of.runs.max(1) as f64,
        name: of.name,
        runs: of.runs,
        cost_usd: of.cost_usd,
    }
}

/// The share among the runs that ended by themselves: a run that waits, or that a person cancelled, indicates nothing
/// about the workflow.
fn rate(success: usize, judged: usize) -> Option<f64> {
    (judged > 0).then(|| success as f64 / judged as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_without_a_run_are_there_and_totals_are_of_all_days() {
        let day = |day: &str, runs: usize, success: usize| DailyStats {
            day: day.into(),
            runs,
            success,
            failure: runs - success,
            timed: runs,
            took_ms: 1_000.0 * runs as f64,
            cost_usd: (runs > 2).then_some(0.5),
            ..DailyStats::default()
        };
        let order =
            WorkflowStats { name: "order".into(), runs: 4, success: 2, judged: 3, tokens: 40, ..Default::default() };
        let figures = RunStats { days: vec![day("2026-05-01", 3, 2), day("2026-05-03", 1, 0)], workflows: vec![order] };
        let board = dashboard_of(figures, "2026-04-30".parse().unwrap(), "2026-05-03".parse().unwrap());
        let days: Vec<_> = board.days.iter().map(|day| (day.date.to_string(), day.counts.runs)).collect();
        let expected = [("2026-04-30", 0), ("2026-05-01", 3), ("2026-05-02", 0), ("2026-05-03", 1)];
        assert_eq!(days, expected.map(|(day, runs)| (day.to_owned(), runs)));
        let DashboardTotals { counts, success_rate } = board.totals;
        assert_eq!((counts.runs, counts.duration_ms_mean, counts.cost_usd), (4, Some(1_000.0), Some(0.5)));
        assert_eq!(success_rate, Some(0.5));
        let order = &board.workflows[0];
        assert_eq!((order.success_rate, order.tokens_mean), (Some(2.0 / 3.0), 10.0));
    }
}
