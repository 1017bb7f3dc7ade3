//! What is left of the budgets, told to the model before they bite: once when seven tenths are used, once more at nine.

use super::{Notes, Task, known::Context};

/// How far each budget's use was told: 0, 1 at seven tenths, 2 at nine.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Told([u8; 6]);

impl Told {
    /// The line for the next prompt, when a budget has come to a mark that was not told yet.
    pub(super) fn warning(&mut self, notes: &Notes, task: &Task, cx: &Context<'_>) -> Option<String> {
        let mut news = Vec::new();
        let mut last = false;
        for (told, (used, cap, words)) in self.0.iter_mut().zip(budgets(notes, task, cx)) {
            // Cents do not add up exactly.
            let mark = match used / cap + 1e-9 {
                part if part >= 0.9 => 2,
                part if part >= 0.7 => 1,
                _ => 0,
            };
            if mark > *told {
                news.push(words);
                last |= mark == 2;
            }
            // Failures in a row begin anew; the others only grow.
            *told = mark;
        }
        if news.is_empty() {
            return None;
        }
        let advice = if last { "; finish now or ABORT" } else { "" };
        Some(format!("Used: {}{advice}.", news.join(", ")))
    }
}

/// Every budget that has a cap: used, cap, in words. One without a cap is never used up.
fn budgets(notes: &Notes, task: &Task, cx: &Context<'_>) -> [(f64, f64, String); 6] {
    let limits = &cx.rules.limits;
    let of = |used: f64, cap: Option<f64>, what: &str| match cap {
        Some(cap) => (used, cap.max(f64::MIN_POSITIVE), format!("{used} of {cap} {what}")),
        None => (0.0, 1.0, String::new()),
    };
    let turns = if task.lone { limits.task_iterations } else { limits.step_iterations };
    let tokens = cx.known.usage.prompt_tokens + cx.known.usage.completion_tokens;
    let cost = cx.known.usage.cost_usd.unwrap_or(0.0);
    let money = match limits.cost_usd {
        Some(cap) => (cost, cap.max(f64::MIN_POSITIVE), format!("${cost:.2} of ${cap:.2}")),
        None => (0.0, 1.0, String::new()),
    };
    [
        of(f64::from(notes.iterations), Some(f64::from(turns)), "turns"),
        of(f64::from(cx.known.actions), limits.actions.map(f64::from), "actions"),
        of(tokens as f64, limits.tokens.map(|cap| cap as f64), "tokens"),
        money,
        of(f64::from(notes.errors.consecutive), Some(f64::from(limits.consecutive_errors)), "failures in a row"),
        of(f64::from(notes.errors.total), Some(f64::from(limits.total_errors)), "failures"),
    ]
}

/// Whether no call to a model may follow.
pub(super) fn spent(cx: &Context<'_>) -> bool {
    let usage = &cx.known.usage;
    let tokens = usage.prompt_tokens + usage.completion_tokens;
    cx.rules.limits.tokens.is_some_and(|cap| tokens >= cap)
        || cx.rules.limits.cost_usd.is_some_and(|cap| usage.cost_usd.unwrap_or(0.0) >= cap)
}
