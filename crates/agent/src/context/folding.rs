//! Shortens the lines of a history by rule. Consecutive similar actions on the same page become one line, with the
//! requested detail. Older lines become one line of numbers.

use std::collections::BTreeSet;

use legwork_observe::tokens::count;
use serde::{Deserialize, Serialize};

use super::one_line;

/// How a history that approaches its budget is shortened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compaction {
    /// Whether a rule or a model shortens it.
    pub by: CompactBy,
    /// How much of each line the rule keeps.
    pub detail: Detail,
}

/// Who shortens a history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompactBy {
    /// A rule, without cost.
    #[default]
    Rule,
    /// A model; if it fails, the rule.
    Model,
}

/// How much of each line is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    /// The action, its count and the page.
    Minimal,
    /// Also the elements, and the values that were read, shortened.
    #[default]
    Standard,
    /// Also the result of each action.
    Detailed,
}

/// An action, as the rule needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HistoryAction {
    pub(super) verb: &'static str,
    pub(super) page: String,
    pub(super) element: Option<String>,
    pub(super) failed: bool,
    /// Whether its outcome is a value that was read.
    pub(super) read: bool,
}

/// One line, or the summary of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HistoryLine {
    /// The indices of the first and last line that it summarises.
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) text: String,
    outcome: Option<String>,
    history_action: Option<HistoryAction>,
    actions: usize,
    failed: usize,
    pages: BTreeSet<String>,
    tokens: usize,
}

/// The number of pages that a summary lists; if there are more, it states only that there are many.
const PAGES: usize = 20;

impl HistoryLine {
    pub(super) fn of_line(
        number: usize,
        text: &str,
        outcome: Option<&str>,
        history_action: Option<HistoryAction>,
    ) -> HistoryLine {
        let pages = history_action
            .iter()
            .filter(|history_action| !history_action.page.is_empty())
            .map(|history_action| history_action.page.clone())
            .collect();
        HistoryLine {
            from: number,
            to: number,
            text: text.to_owned(),
            outcome: outcome.map(str::to_owned),
            actions: usize::from(history_action.is_some()),
            failed: usize::from(history_action.as_ref().is_some_and(|history_action| history_action.failed)),
            history_action,
            pages,
            tokens: 0,
        }
    }

    /// The number of tokens of its text in a prompt.
    pub(super) fn tokens(&self) -> usize {
        if self.tokens > 0 { self.tokens } else { count(&self.text) + 1 }
    }

    /// Its line numbers: `3.` or `3–8.`
    pub(super) fn numbers(&self) -> String {
        match self.from == self.to {
            true => format!("{}.", self.from + 1),
            false => format!("{}–{}.", self.from + 1, self.to + 1),
        }
    }

    /// The summary of several lines with this text.
    fn of_all(entries: &[HistoryLine], say: impl FnOnce(&HistoryLine) -> String) -> HistoryLine {
        let mut all = HistoryLine {
            from: entries.first().map_or(0, |first| first.from),
            to: entries.last().map_or(0, |last| last.to),
            text: String::new(),
            outcome: None,
            history_action: None,
            actions: entries.iter().map(|entry| entry.actions).sum(),
            failed: entries.iter().map(|entry| entry.failed).sum(),
            pages: entries.iter().flat_map(|entry| entry.pages.iter().cloned()).take(PAGES).collect(),
            tokens: 0,
        };
        all.text = format!("{} {}", all.numbers(), say(&all));
        all.tokens = count(&all.text) + 1;
        all
    }
}

/// Summarises lines: one entry for each sequence of the same action on the same page. Remarks stay separate.
pub(super) fn summarize(lines: &[HistoryLine], detail: Detail) -> Vec<HistoryLine> {
    let alike = |a: &HistoryLine, b: &HistoryLine| match (&a.history_action, &b.history_action) {
        (Some(a), Some(b)) => a.verb == b.verb && a.page == b.page,
        _ => false,
    };
    lines.chunk_by(alike).map(|run| HistoryLine::of_all(run, |_| folded_text(run, detail))).collect()
}

/// Summarises everything in one line of numbers.
pub(super) fn in_all(entries: &[HistoryLine]) -> HistoryLine {
    HistoryLine::of_all(entries, |all| {
        let pages = match all.pages.len() {
            0 => String::new(),
            1 => format!(" on {}", all.pages.iter().next().map_or("", String::as_str)),
            PAGES.. => " on many pages".to_owned(),
            several => format!(" on {several} pages"),
        };
        let failed = if all.failed > 0 { format!(", {} failed", all.failed) } else { String::new() };
        format!("{} actions{pages}{failed}", all.actions)
    })
}

fn folded_text(run: &[HistoryLine], detail: Detail) -> String {
    let Some(history_action) = run.first().and_then(|entry| entry.history_action.as_ref()) else {
        let remark = run.first().map_or("", |entry| entry.text.as_str());
        return one_line(remark, if detail == Detail::Minimal { 40 } else { 120 });
    };
    let mut text = history_action.verb.to_owned();
    if run.len() > 1 {
        text.push_str(&format!(" ×{}", run.len()));
    }
    if detail != Detail::Minimal {
        let (shown, part) = if detail == Detail::Detailed { (12, 60) } else { (4, 40) };
        text.push_str(&elements(run, shown, part));
    }
    if !history_action.page.is_empty() {
        text.push_str(&format!(" on {}", history_action.page));
    }
    if let Some(outcome) = outcome(run, detail) {
        text.push_str(&format!(" → {outcome}"));
    }
    text
}

/// ` textbox "Name", textbox "Mail", …`, without duplicates.
fn elements(run: &[HistoryLine], shown: usize, part: usize) -> String {
    let mut names: Vec<&str> = Vec::new();
    for element in run.iter().filter_map(|entry| entry.history_action.as_ref()?.element.as_deref()) {
        if !names.contains(&element) {
            names.push(element);
        }
    }
    let more = if names.len() > shown { ", …" } else { "" };
    let names: Vec<String> = names.into_iter().take(shown).map(|name| one_line(name, part)).collect();
    if names.is_empty() { String::new() } else { format!(" {}{more}", names.join(", ")) }
}

fn outcome(run: &[HistoryLine], detail: Detail) -> Option<String> {
    let of = |entry: &HistoryLine, most| entry.outcome.as_deref().map(|outcome| one_line(outcome, most));
    let read = |entry: &&HistoryLine| entry.history_action.as_ref().is_some_and(|history_action| history_action.read);
    let failed = run.iter().filter(|entry| entry.failed > 0).count();
    match detail {
        Detail::Minimal => (failed > 0).then(|| format!("{failed} failed")),
        Detail::Standard => {
            let values: Vec<String> = run.iter().filter(read).rev().take(3).filter_map(|entry| of(entry, 60)).collect();
            let last = run.iter().rfind(|entry| entry.failed > 0).and_then(|entry| of(entry, 60));
            let said = last.map(|last| if failed == 1 { last } else { format!("{failed} failed, last: {last}") });
            let parts: Vec<String> = values.into_iter().rev().chain(said).collect();
            (!parts.is_empty()).then(|| parts.join("; "))
        }
        Detail::Detailed => {
            let parts: Vec<String> = run.iter().filter_map(|entry| of(entry, 60)).collect();
            (!parts.is_empty()).then(|| one_line(&parts.join("; "), 400))
        }
    }
}
