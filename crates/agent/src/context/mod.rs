//! What a prompt carries beside the page: the history of a task, a line an action, and the budget all of it shares.

use legwork_protocol::{Action, ActionResult};
use serde_json::Value;

use legwork_observe::tokens::count;

/// What goes without saying of an action.
pub(crate) const DONE: &str = "ok";

/// The most characters of a line's parts.
const PART: usize = 100;

/// What was done so far, a line each. Page sources and observations never enter it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    text: String,
    outcome: Option<String>,
    action: bool,
}

impl History {
    /// Adds an action and what came of it.
    pub fn add(&mut self, action: &Action, result: &ActionResult) {
        let outcome = match (&result.failure, &result.value) {
            (Some(failure), _) => Some(format!("failed: {failure}")),
            (None, Some(value)) => Some(one_line(&spoken(value), 20 * PART)),
            (None, None) => None,
        };
        self.lines.push(Line { text: described(action, result), outcome, action: true });
    }

    /// Adds a remark.
    pub fn note(&mut self, text: impl Into<String>) {
        self.lines.push(Line { text: one_line(&text.into(), 4 * PART), outcome: None, action: false });
    }

    /// Says what the last action led to, unless its result said so already. Values that were read are clipped once the
    /// model has seen them.
    pub fn led_to(&mut self, outcome: &str) {
        if let Some(last) = self.lines.iter_mut().rfind(|line| line.action).filter(|line| line.outcome.is_none()) {
            last.outcome = Some(one_line(outcome, PART));
        }
    }

    /// Clips what was read at length: called when the model has seen it.
    pub fn settle(&mut self) {
        for outcome in self.lines.iter_mut().filter_map(|line| line.outcome.as_mut()) {
            *outcome = one_line(outcome, 2 * PART);
        }
    }

    /// Whether nothing was done.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The lines within a number of tokens, the newest kept; what was left out is said.
    pub fn lines(&self, max_tokens: usize) -> Vec<String> {
        let mut left = max_tokens;
        let mut kept = Vec::new();
        for (index, line) in self.lines.iter().enumerate().rev() {
            let text = match &line.outcome {
                Some(outcome) if outcome != DONE => format!("{} → {outcome}", line.text),
                _ => line.text.clone(),
            };
            let cost = count(&text) + 1;
            if cost > left {
                kept.push(format!("({} earlier lines left out)", index + 1));
                break;
            }
            left -= cost;
            kept.push(text);
        }
        kept.reverse();
        kept
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

/// White space squeezed, control characters gone, at most this many characters.
pub fn one_line(text: &str, most: usize) -> String {
    let mut out = String::new();
    for (at, word) in text.split_whitespace().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        out.extend(word.chars().filter(|c| !c.is_control()));
        if out.len() > 8 * most {
            break;
        }
    }
    clipped(&out, most)
}

/// At most this many characters, and a sign when there were more.
pub fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The text within a number of tokens; a cut is said.
pub fn within(text: &str, max_tokens: usize) -> String {
    if count(text) <= max_tokens {
        return text.to_owned();
    }
    let mut most = text.len().min(max_tokens * 8);
    loop {
        let end = text.char_indices().map(|(at, _)| at).take_while(|at| *at <= most).last().unwrap_or(0);
        let cut = format!("{}\n(the rest is left out: over {max_tokens} tokens)", &text[..end]);
        if count(&cut) <= max_tokens + 16 || most < 16 {
            return cut;
        }
        most = most * 3 / 4;
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
