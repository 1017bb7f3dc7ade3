//! Whether a plan is worth its call: only for a task of many words that leaves open how it is done. The model plans a
//! short task while it acts, and a list of instructions is already a plan.

use legwork_steps::begins_with_a_verb;

use super::{Task, run_context::StepContext};
use crate::Trigger;

/// A task with at most this many words is short.
const SHORT: usize = 20;
/// The number of instructions from which a list is a plan.
const INSTRUCTIONS: usize = 3;

/// Whether advisory calls of this kind are enabled for this task.
pub(super) fn is_enabled(when: Trigger, task: &Task) -> bool {
    match when {
        Trigger::Auto => task.is_whole_task && !task.is_condition,
        Trigger::Always => !task.is_condition,
        Trigger::Never => false,
    }
}

/// Whether a plan is made first.
pub(super) fn should_plan(task: &Task, cx: &StepContext<'_>) -> bool {
    let when = cx.rules.thinking.planning;
    is_enabled(when, task)
        && (when == Trigger::Always || (task.text.split_whitespace().count() > SHORT && !is_a_list(&task.text)))
}

/// Whether the task is a list of instructions: there are several sentences, and each starts with an instruction.
pub(super) fn is_a_list(text: &str) -> bool {
    let sentences = pieces(text, &[";", "\n", ". "]);
    let clauses = pieces(text, &[";", "\n", ". ", ", ", " and ", " then "]);
    sentences.iter().all(|sentence| begins_with_a_verb(sentence))
        && clauses.iter().filter(|clause| begins_with_a_verb(clause)).count() >= INSTRUCTIONS
}

/// Splits the text at these separators outside of double quotes.
fn pieces<'a>(text: &'a str, cuts: &[&str]) -> Vec<&'a str> {
    let (mut out, mut start, mut quoted) = (Vec::new(), 0, false);
    for (at, c) in text.char_indices() {
        quoted ^= c == '"';
        if !quoted && let Some(cut) = cuts.iter().find(|cut| at >= start && text[at..].starts_with(**cut)) {
            out.push(&text[start..at]);
            start = at + cut.len();
        }
    }
    out.push(&text[start..]);
    out.retain(|piece| piece.contains(char::is_alphabetic));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_instructions_is_a_plan_of_its_own() {
        let list = |text: &str| is_a_list(text);
        assert!(list(
            "type \"Ada; Byron\" into the Name field; type \"x\" into the City field; click the \"Next\" button"
        ));
        assert!(list("Click \"Next\", type \"x\" into \"City\" and press Enter. Then click \"Save\"."));
        assert!(list("1. Open the shop\n2. Search for tea\n3. Save the price as tea"));
        assert!(!list("Open the shop and buy tea"));
        assert!(!list("Find the cheapest flight from Oslo to Rome, click it, type my name and press Enter"));
        assert!(!list("Click \"Next\", type \"x\", press Enter. What does the page say then?"));
    }
}
