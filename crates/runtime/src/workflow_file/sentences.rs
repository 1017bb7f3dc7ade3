//! Sentences that contain other sentences, as the same groups that the keys of a workflow file make:
//! `For each row in "Orders": …`, `If "…" is shown, …`, `Click "…" if it is shown`. In plain text and Markdown, the
//! indented lines below a colon belong to it.

use legwork_protocol::{ForEach, IfElse, Step, StepGroup};
use legwork_steps::{SentenceStructure, read_structure};

use super::{problem::Problem, shape::DraftStep, tree::At};

/// A sentence with its position and its indentation.
pub(super) struct SentenceLine {
    pub(super) at: At,
    pub(super) indent: usize,
    pub(super) text: String,
}

/// The step of a sentence that has no lines below it.
pub(super) fn step(at: At, sentence: &str, problems: &mut Vec<Problem>) -> Option<DraftStep> {
    step_with(at, sentence, Vec::new(), Vec::new(), problems)
}

/// The steps of lines. Lines that are indented more than a sentence that ends in a colon belong to it.
pub(super) fn steps(lines: &[SentenceLine], problems: &mut Vec<Problem>) -> Vec<DraftStep> {
    let (mut next, mut all) = (0, Vec::new());
    while next < lines.len() {
        all.extend(of_line(lines, &mut next, problems));
    }
    all
}

/// The step of the next line, with the lines that belong to it.
fn of_line(lines: &[SentenceLine], next: &mut usize, problems: &mut Vec<Problem>) -> Option<DraftStep> {
    let line = &lines[*next];
    *next += 1;
    let (mut inner, mut otherwise) = (Vec::new(), Vec::new());
    if let Some(structure) = read_structure(&line.text).filter(is_open) {
        inner = below(line.indent, lines, next, problems);
        let is_else = |next: &SentenceLine| next.indent == line.indent && is_otherwise(&next.text);
        if matches!(structure, SentenceStructure::If { .. }) && lines.get(*next).is_some_and(is_else) {
            *next += 1;
            otherwise = below(line.indent, lines, next, problems);
        }
    }
    step_with(line.at, &line.text, inner, otherwise, problems)
}

/// The steps of the following lines that are indented more.
fn below(indent: usize, lines: &[SentenceLine], next: &mut usize, problems: &mut Vec<Problem>) -> Vec<DraftStep> {
    let mut inner = Vec::new();
    while lines.get(*next).is_some_and(|line| line.indent > indent) {
        inner.extend(of_line(lines, next, problems));
    }
    inner
}

fn is_open(structure: &SentenceStructure) -> bool {
    matches!(structure, SentenceStructure::ForEach { step: None, .. } | SentenceStructure::If { step: None, .. })
}

fn is_otherwise(text: &str) -> bool {
    ["otherwise:", "else:"].iter().any(|word| text.trim().eq_ignore_ascii_case(word))
}

fn step_with(
    at: At,
    sentence: &str,
    inner: Vec<DraftStep>,
    otherwise: Vec<DraftStep>,
    problems: &mut Vec<Problem>,
) -> Option<DraftStep> {
    let Some(structure) = read_structure(sentence) else {
        return Some(DraftStep::new(at, Step::new(sentence)));
    };
    if is_open(&structure) && inner.is_empty() {
        problems.push(
            Problem::error(at, "there are no steps behind the colon")
                .hint("write the step behind the colon, or steps in lines below it that are indented"),
        );
        return None;
    }
    let mut own = |words: Option<String>, lines: Vec<DraftStep>| match words {
        Some(words) => step(at, &words, problems).into_iter().collect(),
        None => lines,
    };
    let (group, inner) = match structure {
        SentenceStructure::Optional { step } => {
            return Some(DraftStep::new(at, Step { optional: true, ..Step::new(step) }));
        }
        SentenceStructure::ForEach { each, filter, step } => {
            let inner = own(step, inner);
            (StepGroup::ForEach(ForEach { for_each: each, filter, key: None, steps: plain(&inner) }), inner)
        }
        SentenceStructure::If { condition, step, otherwise: words } => {
            let (then, otherwise) = (own(step, inner), words.map_or(otherwise, |words| own(Some(words), Vec::new())));
            let group = IfElse { condition, then: plain(&then), otherwise: plain(&otherwise) };
            (StepGroup::If(group), then.into_iter().chain(otherwise).collect())
        }
    };
    Some(DraftStep { at, is: Step::of_group(group), inner })
}

fn plain(steps: &[DraftStep]) -> Vec<Step> {
    steps.iter().map(|step| step.is.clone()).collect()
}
