//! Why no one element is meant, in words that help: what there is instead, what comes nearest, how to say which.

use legwork_observe::{Node, NodeIndex, Snapshot};

use super::{Purpose, rank::ranked};
use crate::{
    element_kind::{ElementKind, is_control},
    literal::ResolveError,
    name_match::{self, MatchQuality, normalize_whitespace},
    scope,
    target_phrase::TargetPhrase,
};

pub(super) fn missing(page: &Snapshot, phrase: &TargetPhrase, purpose: Purpose) -> ResolveError {
    let word = phrase
        .name
        .as_deref()
        .or(phrase.placeholder.as_deref())
        .or(phrase.contains.first().map(String::as_str))
        .unwrap_or_default();
    // It is there, but of another kind.
    if phrase.name.is_some() {
        let other = TargetPhrase { kind: None, whole: None, ordinal: None, ..phrase.clone() };
        let found = ranked(page, &other, Purpose::Any).unwrap_or_default();
        if let Some(best) = found
            .iter()
            .find(|found| found.rank.1 <= MatchQuality::Bare && page.nodes[found.at].role.as_ref() != "text")
        {
            let node = &page.nodes[best.at];
            let suits = purpose.suits(node).is_some();
            return ResolveError::WrongKind {
                what: phrase.source_text.clone(),
                is: describe(page, best.at),
                hint: match phrase.kind {
                    Some(kind) if suits => format!("it is not a {}; say it without `{}`", kind.word(), kind.word()),
                    _ => format!("that cannot be {}{}", purpose.verb(), near(page, word, purpose, phrase.kind)),
                },
            };
        }
    }
    let ranges = scope::ranges(page, &phrase.scopes).unwrap_or_default();
    let fits = |at: &NodeIndex| {
        let node = &page.nodes[*at];
        let kind = phrase.kind.filter(|kind| !matches!(kind, ElementKind::Any | ElementKind::Text));
        node.role.as_ref() != "text"
            && kind.map_or_else(
                || {
                    purpose.suits(node).is_some()
                        && (is_control(&node.role) || node.states.actionable() || purpose == Purpose::Any)
                },
                |kind| kind.fits(node).is_some(),
            )
    };
    let mut candidates = nearest(page, word, ranges.into_iter().flatten().filter(fits));
    let mut hint = String::new();
    if candidates.is_empty() && !phrase.scopes.is_empty() {
        candidates = nearest(page, word, (1..page.nodes.len()).filter(fits));
        if !candidates.is_empty() {
            hint = "these are elsewhere on the page".into();
        }
    }
    if let Some(dialog) = &page.dialog {
        hint = format!("a dialog is open ({:?}); answer it first", dialog.message);
    } else if candidates.is_empty() && !page.cut.is_empty() {
        hint = "the page was too large to be seen whole".into();
    }
    ResolveError::NotFound { what: phrase.source_text.clone(), candidates, hint }
}

fn near(page: &Snapshot, word: &str, purpose: Purpose, kind: Option<ElementKind>) -> String {
    let fits = |at: &NodeIndex| {
        kind.map_or_else(|| purpose.suits(&page.nodes[*at]) == Some(0), |kind| kind.fits_at(page, *at) == Some(0))
    };
    let found = nearest(page, word, (1..page.nodes.len()).filter(fits));
    if found.is_empty() { String::new() } else { format!("; there is {}", found.join(", ")) }
}

pub(super) fn ambiguous(page: &Snapshot, phrase: &TargetPhrase, several: &[NodeIndex]) -> ResolveError {
    let first = &page.nodes[several[0]];
    let other = several.iter().map(|at| &page.nodes[*at]).find(|node| node.role != first.role);
    let name = phrase.name.as_deref().unwrap_or(&phrase.source_text);
    let hint = match other {
        Some(other) if phrase.kind.is_none() => {
            format!("say `the {} \"{name}\"` or `the {} \"{name}\"`", role_word(first), role_word(other))
        }
        _ => "say which: `the first …`, `… in the row of \"…\"`, `… under the heading \"…\"`".into(),
    };
    ResolveError::Ambiguous {
        what: phrase.source_text.clone(),
        count: several.len(),
        candidates: several.iter().take(5).map(|at| describe(page, *at)).collect(),
        hint,
    }
}

fn role_word(node: &Node) -> &str {
    match node.role.as_ref() {
        "textbox" | "searchbox" => "field",
        "combobox" | "listbox" => "drop-down",
        "menuitem" => "menu item",
        "radio" => "radio button",
        "img" => "image",
        "columnheader" => "column header",
        "listitem" => "item",
        "generic" => "element",
        role => role,
    }
}

/// `button "Sign in" [e5]`.
pub(crate) fn describe(page: &Snapshot, at: NodeIndex) -> String {
    let node = &page.nodes[at];
    let mut text = node.role.to_string();
    let attributes = node.attributes.as_deref();
    let name = if !node.name.is_empty() {
        node.name.to_string()
    } else if let Some(placeholder) = attributes.and_then(|a| a.placeholder.as_deref()) {
        placeholder.to_owned()
    } else if node.end - at < 60 {
        name_match::content(page, at)
    } else {
        String::new()
    };
    if !name.is_empty() {
        let short: String = normalize_whitespace(&name).chars().take(60).collect();
        text.push_str(&format!(" \"{short}{}\"", if name.chars().count() > 60 { "…" } else { "" }));
    }
    if let Some(reference) = node.reference {
        text.push_str(&format!(" [{reference}]"));
    }
    if node.states.disabled() {
        text.push_str(" (disabled)");
    }
    text
}

/// The elements whose names come nearest, at most 5.
pub(crate) fn nearest(page: &Snapshot, word: &str, among: impl Iterator<Item = NodeIndex>) -> Vec<String> {
    let word = normalize_whitespace(word).to_lowercase();
    let words: Vec<&str> = word.split_whitespace().collect();
    let mut scored: Vec<(f64, NodeIndex)> = among
        .take(5_000)
        .map(|at| {
            let node = &page.nodes[at];
            let label = node.attributes.as_ref().and_then(|a| a.placeholder.as_deref()).unwrap_or_default();
            let score = [node.name.as_ref(), label]
                .iter()
                .map(|name| {
                    let name = normalize_whitespace(name).to_lowercase();
                    if word.is_empty() || name.is_empty() {
                        return 0.0;
                    }
                    let shared = words
                        .iter()
                        .filter(|word| name.split(|c: char| !c.is_alphanumeric()).any(|other| other == **word))
                        .count();
                    let short: String = name.chars().take(80).collect();
                    strsim::normalized_damerau_levenshtein(&word, &short).max(0.9 * shared as f64 / words.len() as f64)
                })
                .fold(0.0, f64::max);
            (score, at)
        })
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let good: Vec<String> =
        scored.iter().filter(|(score, _)| *score >= 0.4).take(5).map(|(_, at)| describe(page, *at)).collect();
    // Nothing alike: what there is at all.
    if good.is_empty() { scored.iter().take(5).map(|(_, at)| describe(page, *at)).collect() } else { good }
}
