//! The text of results and observations: one line for the action, one for each of its effects, then the page.

use legwork::{browser::Gesture, observe::tokens, record::describe};
use legwork_protocol::{Action, ActionResult, Observation, PageEffect, TabInfo};

/// The text of an action and its effects: `click button "Save"`.
pub(crate) fn done(action: &Action, result: &ActionResult) -> String {
    action_text(&action.describe(result.element.as_deref()), action.name(), result)
}

/// The text of a gesture.
pub(crate) fn gesture(gesture: &Gesture, element: Option<&str>) -> String {
    let on = element.map_or_else(String::new, |element| format!(" ({element})"));
    let at = |[x, y]: &[f64; 2]| format!("{x},{y}");
    let name = gesture.name();
    match gesture {
        Gesture::Move { to } => format!("{name} to {}{on}", at(to)),
        Gesture::Click { at: place, .. } => format!("{name} at {}{on}", at(place)),
        Gesture::Drag { from, to } => format!("{name} from {}{on} to {}", at(from), at(to)),
        Gesture::Down { .. } | Gesture::Up { .. } => format!("{name}{on}"),
        Gesture::Wheel { across, down } => format!("{name} by {across},{down}"),
        Gesture::Drop { target, files, data } => {
            let kinds = files.iter().chain(data.keys()).cloned().collect::<Vec<_>>().join(", ");
            format!("drop {kinds} onto {}", element.unwrap_or(&target.0))
        }
    }
}

/// The text of an action, or of its failure, followed by its effects.
pub(crate) fn action_text(done: &str, name: &str, result: &ActionResult) -> String {
    let mut text = match result.failure_text() {
        Some(trouble) => format!("{name}: {trouble}"),
        None => done.to_owned(),
    };
    for effect in &result.effects {
        // The page in the reply states its URL, so an ordinary navigation is not repeated.
        if !matches!(effect, PageEffect::Navigated { status: None | Some(200), .. }) {
            text.push_str(&format!("\n* {}", describe::effect(effect)));
        }
    }
    text
}

/// The open tabs, one per line.
pub(crate) fn tabs(tabs: &[TabInfo]) -> String {
    let line = |tab: &TabInfo| {
        let current = if tab.current { " [current]" } else { "" };
        format!("- tab {}{current}: {} {}", tab.number, tab.title, tab.url)
    };
    tabs.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The text of an observation: the URL and title, unless it is a difference, then the text and what was omitted.
pub(crate) fn page(seen: &Observation) -> String {
    let mut text = String::with_capacity(seen.text.len() + 128);
    if !seen.diff {
        text.push_str(&seen.url);
        if !seen.title.is_empty() {
            text.push_str(&format!(" {:?}", seen.title));
        }
        text.push('\n');
    }
    text.push_str(seen.text.trim_end());
    for left_out in &seen.left_out {
        text.push_str(&format!("\n({left_out})"));
    }
    text
}

/// A number with its noun: `1 route`, `2 routes`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The note on the actions or commands that follow a failed one.
pub(crate) fn not_executed(count: usize, noun: &str) -> String {
    let were = if count == 1 { "was" } else { "were" };
    format!("({} {were} not executed)", counted(count, &format!("later {noun}")))
}

/// The beginning of a text within the token limit, followed by how to get the rest. It is cut at the end of a line if a
/// line ends in the last quarter, so that a text with long lines is not shortened much.
pub(crate) fn within(text: String, max_tokens: usize, rest: &str) -> String {
    if tokens::fits(&text, max_tokens) {
        return text;
    }
    let kept = tokens::first(&text, max_tokens);
    let line = kept.rfind('\n').filter(|at| *at * 4 > kept.len() * 3).unwrap_or(kept.len());
    format!("{}\n(cut after {max_tokens} tokens; {rest})", &kept[..line])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_within_its_tokens_and_says_so() {
        let text: String = (0..500).map(|at| format!("line {at} of many\n")).collect();
        let cut = within(text.clone(), 100, "ask for more");
        assert!(tokens::count(&cut) <= 120, "{}", tokens::count(&cut));
        assert!(cut.contains("line 10 of many") && cut.ends_with("(cut after 100 tokens; ask for more)"), "{cut}");
        assert_eq!(within("short".into(), 100, ""), "short");
        assert!(within("é".repeat(5_000), 10, "x").starts_with('é'));
        assert!(within(text, 0, "x").starts_with('\n'));
    }
}
