//! The remaining budgets. The model is warned when seven tenths of a budget are used, and again at nine tenths. Before
//! each model call, its worst case is checked, so that no call exceeds a budget.

use legwork_observe::tokens::count;
use legwork_protocol::{Budget, ChatRequest};

use super::{StepNotes, Task, run_context::StepContext};

/// The last warning for each budget: 0 for none, 1 at seven tenths, 2 at nine tenths.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BudgetNotices([u8; 6]);

impl BudgetNotices {
    /// The warning for the next prompt, if a budget has reached a new mark.
    pub(super) fn warning(&mut self, notes: &StepNotes, task: &Task, cx: &StepContext<'_>) -> Option<String> {
        let mut news = Vec::new();
        let mut last = false;
        for (told, (used, cap, words)) in self.0.iter_mut().zip(budgets(notes, task, cx)) {
            // Sums of cents are not exact in floating point.
            let mark = match used / cap + 1e-9 {
                part if part >= 0.9 => 2,
                part if part >= 0.7 => 1,
                _ => 0,
            };
            if mark > *told {
                news.push(words);
                last |= mark == 2;
            }
            // The count of consecutive failures can decrease; the others only increase.
            *told = mark;
        }
        if news.is_empty() {
            return None;
        }
        let advice = if last { "; finish now or ABORT" } else { "" };
        Some(format!("Used: {}{advice}.", news.join(", ")))
    }
}

/// All budgets that have a limit: used, limit, description. A budget without a limit is never exhausted.
fn budgets(notes: &StepNotes, task: &Task, cx: &StepContext<'_>) -> [(f64, f64, String); 6] {
    let limits = &cx.rules.limits;
    let of = |used: f64, cap: Option<f64>, what: &str| match cap {
        Some(cap) => (used, cap.max(f64::MIN_POSITIVE), format!("{used} of {cap} {what}")),
        None => (0.0, 1.0, String::new()),
    };
    let turns = if task.is_whole_task { limits.max_turns_per_task } else { limits.max_turns_per_step };
    let tokens = cx.run_context.usage.prompt_tokens + cx.run_context.usage.completion_tokens;
    let cost = cx.run_context.usage.cost_usd.unwrap_or(0.0);
    let money = match limits.cost_usd {
        Some(cap) => (cost, cap.max(f64::MIN_POSITIVE), format!("${cost:.2} of ${cap:.2}")),
        None => (0.0, 1.0, String::new()),
    };
    [
        of(f64::from(notes.iterations), Some(f64::from(turns)), "turns"),
        of(f64::from(cx.run_context.actions), limits.actions.map(f64::from), "actions"),
        of(tokens as f64, limits.tokens.map(|cap| cap as f64), "tokens"),
        money,
        of(f64::from(notes.errors.consecutive), Some(f64::from(limits.max_consecutive_errors)), "failures in a row"),
        of(f64::from(notes.errors.total), Some(f64::from(limits.max_total_errors)), "failures"),
    ]
}

/// The number of tokens of a message besides its text, as providers count them.
const MESSAGE: u64 = 8;
/// The maximum number of tokens of an image of Legwork's size, as providers count them.
const PICTURE: u64 = 1_600;

/// The maximum number of input and output tokens of a call. Other tokenizers count up to a quarter more.
fn worst_case(request: &ChatRequest) -> (u64, u64) {
    let text: usize = request.messages.iter().map(|message| count(&message.text)).sum();
    let schema = request.schema.as_ref().map_or(0, |schema| count(&schema.schema.to_string()));
    let pictures: usize = request.messages.iter().map(|message| message.images.len()).sum();
    let told = (text + schema) as u64;
    let read = told + told.div_ceil(4) + request.messages.len() as u64 * MESSAGE + pictures as u64 * PICTURE;
    (read, request.max_reply_tokens.into())
}

/// The budget that a call may exceed, with a message. It is checked before the call with its maximum cost.
pub(super) fn exceeded(request: &ChatRequest, cx: &StepContext<'_>) -> Option<(Budget, String)> {
    let (limits, usage) = (&cx.rules.limits, &cx.run_context.usage);
    if limits.tokens.is_none() && limits.cost_usd.is_none() {
        return None;
    }
    let (read, written) = worst_case(request);
    let used = usage.prompt_tokens + usage.completion_tokens;
    if let Some(cap) = limits.tokens.filter(|cap| used.saturating_add(read + written) > *cap) {
        let most = read + written;
        return Some((
            Budget::Tokens,
            format!("{used} of {cap} model tokens are used, and the next call may take up to {most}"),
        ));
    }
    let cost = usage.cost_usd.unwrap_or(0.0);
    let most = cx.rules.model.as_ref().and_then(|model| model.price).map_or(0.0, |price| price.of(read, written));
    // If the price is unknown and a cost limit is set, the run does not start. Here the cost counts after it was
    // incurred.
    let cap = limits.cost_usd.filter(|cap| cost + most > *cap || cost >= *cap)?;
    Some((
        Budget::Cost,
        format!("${cost:.4} of ${cap} for models are used, and the next call may cost up to ${most:.4}"),
    ))
}
