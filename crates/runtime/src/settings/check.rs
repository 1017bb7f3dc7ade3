//! Checks of several settings together: the order of the timeouts.

use std::time::Duration;

use super::{Origin, Settings, SettingsProblem, sources::Resolved, value::Value};

/// The first timeout of each pair must be at least as long as the second. A pair follows the pairs that can shorten its
/// first timeout.
pub(super) const ORDER: &[[&str; 2]] = &[
    ["timeouts.workflow", "timeouts.step"],
    ["timeouts.workflow", "timeouts.browser_start"],
    ["timeouts.step", "timeouts.request"],
    [STEP, MODEL],
    [STEP, "timeouts.flush"],
    ["timeouts.request", "timeouts.connection"],
    [MODEL, "timeouts.connection"],
    ["timeouts.request", "timeouts.script"],
];

const MODEL: &str = "timeouts.model";
const STEP: &str = "timeouts.step";
const RETRIES: &str = "retries.max_retries";

/// Timeouts that must be greater than zero.
pub(super) const POSITIVE: &[&str] = &[
    "timeouts.workflow",
    "timeouts.step",
    "timeouts.request",
    "timeouts.model",
    "timeouts.script",
    "timeouts.browser_start",
    "timeouts.connection",
    "timeouts.element",
];

/// Adapts defaults to the values that were set: `--timeout 20s` must not fail because the default of a step is five
/// minutes. Only the shorter timeout of a pair is reduced, and a value that somebody set is never changed.
pub(super) fn adapt_defaults(values: &mut Resolved) {
    let is_default = |values: &Resolved, name: &str| matches!(values.get(name), Some((_, Origin::Default)));
    for pair in ORDER {
        let (longer, shorter) = (time(values, pair[0]), time(values, pair[1]));
        if shorter > longer && is_default(values, pair[1]) {
            values.insert(pair[1], (Value::Time(longer), Origin::Default));
        }
    }
    if is_default(values, RETRIES) {
        let (model, first_delay) = (time(values, MODEL), time(values, "retries.first_delay"));
        let fitting = fitting_retries(model, first_delay, times(values), time(values, STEP)).unwrap_or(0);
        values.insert(RETRIES, (Value::Count(fitting.into()), Origin::Default));
    }
}

/// Reports every timeout that is zero or contradicts another one, and retries that do not fit into a step.
pub(super) fn timeouts(values: &Resolved) -> Vec<SettingsProblem> {
    let problem = |name: &str, message: String| {
        let origin = values.get(name).map(|(_, origin)| origin.clone());
        SettingsProblem::new(origin.unwrap_or(Origin::Default), name, message)
    };
    let mut problems: Vec<_> = POSITIVE
        .iter()
        .filter(|name| time(values, name).is_zero())
        .map(|name| problem(name, "must be greater than zero".to_owned()))
        .collect();
    for pair in ORDER {
        let (longer, shorter) = (time(values, pair[0]), time(values, pair[1]));
        if longer < shorter {
            let message = format!("must not be longer than {} ({}); it is {}", pair[0], show(longer), show(shorter));
            problems.push(problem(pair[1], message));
        }
    }
    let (times, answer, step) = (times(values), time(values, MODEL), time(values, STEP));
    let all = max_duration(answer, time(values, "retries.first_delay"), times);
    if all > step && answer <= step {
        let (answer, all, step) = (show(answer), show(all), show(step));
        let message =
            format!("{times} retries of {answer} and their waits take up to {all}, longer than timeouts.step, {step}");
        problems.push(problem(RETRIES, message));
    }
    problems
}

/// The longest duration of a model request with all its retries: each attempt takes the whole timeout, and each delay
/// is twice the previous one.
fn max_duration(model: Duration, first_delay: Duration, times: u32) -> Duration {
    let waits = first_delay.saturating_mul(2_u32.saturating_pow(times) - 1);
    model.saturating_mul(times.saturating_add(1)).saturating_add(waits)
}

/// The largest number of retries, up to `times`, that fits into a step.
fn fitting_retries(model: Duration, first_delay: Duration, times: u32, step: Duration) -> Option<u32> {
    (0..=times).rev().find(|times| max_duration(model, first_delay, *times) <= step)
}

fn time(values: &Resolved, name: &str) -> Duration {
    match values.get(name) {
        Some((Value::Time(time), _)) => *time,
        _ => Duration::ZERO,
    }
}

fn times(values: &Resolved) -> u32 {
    match values.get(RETRIES) {
        Some((Value::Count(times), _)) => u32::try_from(*times).unwrap_or(u32::MAX),
        _ => 0,
    }
}

fn show(time: Duration) -> String {
    Value::Time(time).show()
}

/// The flags that limit a run to `whole`. `--timeout 20s` alone would be refused, because a step may take five minutes.
/// All timeouts inside the run are reduced too, so that the order of the timeouts holds and the retries still fit into
/// a step.
pub fn within(settings: &Settings, whole: Duration) -> Vec<(String, String)> {
    let step = settings.timeouts.step.min(whole);
    let request = settings.timeouts.request.min(step);
    let model = settings.timeouts.model.min(step);
    let connection = settings.timeouts.connection.min(request).min(model);
    let retries = &settings.retries;
    let times = fitting_retries(model, retries.first_delay, retries.max_retries, step).unwrap_or(0);
    let time = |name: &str, time: Duration| (name.to_owned(), format!("{}ms", time.as_millis()));
    vec![
        time("timeouts.workflow", whole),
        time("timeouts.step", step),
        time("timeouts.request", request),
        time("timeouts.model", model),
        time("timeouts.script", settings.timeouts.script.min(request)),
        time("timeouts.browser_start", settings.timeouts.browser_start.min(whole)),
        time("timeouts.connection", connection),
        time("timeouts.flush", settings.timeouts.flush.min(step)),
        ("retries.max_retries".to_owned(), times.to_string()),
    ]
}
