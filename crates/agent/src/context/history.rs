//! The history of a task for its model: one line per action with its result. It contains no page sources or
//! observations.
//!
//! Its cost is limited in two ways. A turn changes only the new lines. Lines beyond the budget are folded in one
//! operation down to half of the budget, so that the part of the prompt that a provider has cached stays the same for
//! many turns.

use legwork_observe::tokens::count;
use legwork_protocol::{Action, ActionResult};
use serde_json::Value;

use super::{
    clipped,
    folding::{Detail, HistoryAction, HistoryLine, in_all, summarize},
    one_line,
};
use crate::memory::path_of;

/// The outcome of an action that succeeded without further effects.
pub(crate) const DONE: &str = "ok";

/// The maximum number of characters in a part of a line.
const PART: usize = 100;

/// The actions so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The summaries of the lines that were folded, oldest first.
    short: Vec<HistoryLine>,
    lines: Vec<Line>,
    /// The index of the first line that is not folded.
    first: usize,
    /// The number of lines whose outcome was shortened after the model had read it.
    settled: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    text: String,
    outcome: Option<String>,
    /// The action; absent for a remark.
    history_action: Option<HistoryAction>,
    /// The number of tokens, once the line no longer changes.
    tokens: Option<usize>,
}

impl History {
    /// Adds an action and its result.
    pub fn add(&mut self, action: &Action, result: &ActionResult) {
        let outcome = match (result.failure_text(), &result.value) {
            (Some(trouble), _) => Some(format!("failed: {trouble}")),
            (None, Some(value)) => Some(one_line(&spoken(value), 20 * PART)),
            (None, None) => None,
        };
        let history_action = HistoryAction {
            verb: action.name(),
            page: path_of(&result.url),
            element: result.element.clone().map(|element| one_line(&element, PART)),
            failed: result.failure.is_some(),
            read: result.failure.is_none() && result.value.is_some(),
        };
        self.lines.push(Line {
            text: described(action, result),
            outcome,
            history_action: Some(history_action),
            tokens: None,
        });
    }

    /// Adds a remark.
    pub fn note(&mut self, text: impl Into<String>) {
        self.lines.push(Line {
            text: one_line(&text.into(), 4 * PART),
            outcome: None,
            history_action: None,
            tokens: None,
        });
    }

    /// Adds the effect of the last action, unless its result already states it. Values that were read are shortened
    /// after the model has read them.
    pub fn led_to(&mut self, outcome: &str) {
        if let Some(last) =
            self.lines.iter_mut().rfind(|line| line.history_action.is_some()).filter(|line| line.outcome.is_none())
        {
            last.outcome = Some(one_line(outcome, PART));
        }
    }

    /// Shortens long values. Call it after the model has read them.
    pub fn settle(&mut self) {
        for line in self.lines.iter_mut().skip(self.settled) {
            if let Some(outcome) = &mut line.outcome {
                *outcome = one_line(outcome, 2 * PART);
            }
            line.tokens = Some(count(&line.rendered()) + 1);
        }
        self.settled = self.lines.len();
    }

    /// Whether there are no lines.
    pub fn is_empty(&self) -> bool {
        self.short.is_empty() && self.lines.is_empty()
    }

    /// If all lines exceed a number of tokens, folds the oldest ones down to half of it.
    pub fn fold(&mut self, max_tokens: usize, detail: Detail) {
        let Some(many) = self.over(max_tokens) else { return };
        let entries: Vec<HistoryLine> =
            self.lines[..many].iter().enumerate().map(|(at, line)| line.entry(self.first + at)).collect();
        self.short.extend(summarize(&entries, detail));
        self.drop_lines(many);
        // The folded lines may use a quarter of the tokens. The oldest of them become one line of numbers.
        while self.short.len() > 1 && self.short.iter().map(HistoryLine::tokens).sum::<usize>() > max_tokens / 4 {
            let half = self.short.len().div_ceil(2).max(2);
            let all = in_all(&self.short[..half]);
            self.short.splice(..half, [all]);
        }
    }

    /// The lines beyond a number of tokens, for another component to summarise: their number and their text.
    pub fn excess(&self, max_tokens: usize) -> Option<(usize, String)> {
        let many = self.over(max_tokens)?;
        let short = self.short.iter().map(|entry| entry.text.clone());
        let lines = self.lines[..many].iter().map(Line::rendered);
        Some((many, short.chain(lines).collect::<Vec<_>>().join("\n")))
    }

    /// Replaces everything up to this number of lines with a summary.
    pub fn replace(&mut self, many: usize, summary: &str, max_tokens: usize) {
        let many = many.min(self.lines.len());
        let entries: Vec<HistoryLine> =
            self.lines[..many].iter().enumerate().map(|(at, line)| line.entry(self.first + at)).collect();
        let mut all = in_all(&[self.short.as_slice(), &entries].concat());
        all.text = super::within(&format!("{}: {}", all.numbers(), one_line(summary, 8 * max_tokens)), max_tokens);
        self.short = vec![all];
        self.drop_lines(many);
    }

    fn drop_lines(&mut self, many: usize) {
        self.lines.drain(..many);
        self.first += many;
        self.settled = self.settled.saturating_sub(many);
    }

    /// The number of oldest lines to remove so that the others take half of the tokens, if all lines exceed them. The
    /// newest line stays.
    fn over(&self, max_tokens: usize) -> Option<usize> {
        let costs: Vec<usize> = self.lines.iter().map(Line::cost).collect();
        let short: usize = self.short.iter().map(HistoryLine::tokens).sum();
        let mut left: usize = costs.iter().sum();
        if short + left <= max_tokens {
            return None;
        }
        let fold = costs.iter().take(costs.len().saturating_sub(1)).take_while(|cost| {
            let more = left > max_tokens / 2;
            left -= **cost;
            more
        });
        Some(fold.count()).filter(|many| *many > 0)
    }

    /// The newest lines within a number of tokens, with a note about omitted ones.
    pub fn lines(&self, max_tokens: usize) -> Vec<String> {
        let mut left = max_tokens;
        let mut kept = Vec::new();
        let told = self.lines.iter().enumerate().rev().map(|(at, line)| {
            let number = self.first + at;
            (number, line.cost(), line.rendered())
        });
        let short = self.short.iter().rev().map(|entry| (entry.to, entry.tokens(), entry.text.clone()));
        for (number, cost, text) in told.chain(short) {
            if cost > left {
                let words = format!("({} earlier lines left out)", number + 1);
                // A shortened newest line is more useful than none.
                match kept.is_empty() {
                    true => kept.push(clipped(&text, (max_tokens * 3).max(20))),
                    false => kept.push(words),
                }
                break;
            }
            left -= cost;
            kept.push(text);
        }
        kept.reverse();
        kept
    }
}

impl Line {
    fn rendered(&self) -> String {
        match &self.outcome {
            Some(outcome) if outcome != DONE => format!("{} → {outcome}", self.text),
            _ => self.text.clone(),
        }
    }

    fn cost(&self) -> usize {
        self.tokens.unwrap_or_else(|| count(&self.rendered()) + 1)
    }

    fn entry(&self, number: usize) -> HistoryLine {
        let Line { text, outcome, history_action, .. } = self;
        HistoryLine::of_line(number, text, outcome.as_deref(), history_action.clone())
    }
}

/// `click e5 button "Plus one"`, `fill e2 textbox "Name": "Ada"`.
fn described(action: &Action, result: &ActionResult) -> String {
    let wire = serde_json::to_value(action).unwrap_or_default();
    let mut text = action.name().to_owned();
    if let Some(target) = action.target() {
        text.push(' ');
        text.push_str(&target.0);
    }
    if let Some(element) = &result.element {
        text.push(' ');
        text.push_str(element);
    }
    let rest: Vec<String> = wire["parameters"]
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(key, _)| *key != "target")
        .map(|(key, value)| if key == "text" || key == "url" { value.to_string() } else { format!("{key} {value}") })
        .collect();
    if !rest.is_empty() {
        text.push_str(": ");
        text.push_str(&rest.join(", "));
    }
    one_line(&text, 2 * PART)
}

fn spoken(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use legwork_protocol::{ActionFailure, Press};

    use super::*;

    fn press(key: &str) -> Action {
        Action::Press(Press { key: key.to_owned(), target: None })
    }

    #[test]
    fn a_line_tells_what_was_done_and_what_it_led_to() {
        let mut history = History::default();
        history.add(&press("Tab"), &ActionResult::done(Duration::ZERO));
        history.led_to("\"Ready\"\n  appeared");
        history.add(&press("Enter"), &ActionResult::failed(ActionFailure::Unresponsive, Duration::ZERO));
        history.led_to("not heard");
        assert_eq!(
            history.lines(1_000),
            [
                "press: key \"Tab\" → \"Ready\" appeared",
                "press: key \"Enter\" → failed: the page does not answer (its script may be in an endless loop); reload it or open another",
            ]
        );
    }

    #[test]
    fn the_oldest_lines_give_way() {
        let mut history = History::default();
        for _ in 0..100 {
            history.add(&press("Tab"), &ActionResult::done(Duration::ZERO));
        }
        let lines = history.lines(60);
        assert!(lines[0].starts_with('(') && lines[0].ends_with("earlier lines left out)"), "{lines:?}");
        assert_eq!(lines.last().map(String::as_str), Some("press: key \"Tab\""));
    }
}
