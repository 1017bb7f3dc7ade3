//! Error messages for phrases that do not match exactly one element: the candidates, the most similar elements, and how
//! to distinguish them.

use legwork_observe::{Node, NodeIndex, Snapshot};

use super::{Purpose, rank::ranked};
use crate::{
    ast::{Scope, TargetPhrase},
    describe::{ambiguity, describe, nearest},
    element_kind::ElementKind,
    error::ResolveError,
    name_match::{self, MatchQuality, normalize_whitespace},
    roles::is_control,
    scope,
};

pub(super) fn missing(page: &Snapshot, phrase: &TargetPhrase, purpose: Purpose) -> ResolveError {
    let word = phrase
        .name
        .as_deref()
        .or(phrase.placeholder.as_deref())
        .or(phrase.contains.first().map(String::as_str))
        .unwrap_or_default();
    // An element with this name exists, but has another kind.
    if phrase.name.is_some() {
        let other = TargetPhrase { kind: None, whole: None, ordinal: None, ..phrase.clone() };
        let found = ranked(page, &other, Purpose::Any).unwrap_or_default();
        if let Some(best) =
            found.iter().find(|found| found.rank.1 <= MatchQuality::Bare && page.role(found.at) != "text")
        {
            let node = &page.nodes[best.at];
            let suits = purpose.suits(node).is_some();
            if !suits && let Some(example) = cell_example(page, best.at) {
                let why = format!("a column, which cannot be {}; name the cell by its row: {example}", purpose.verb());
                return ResolveError::wrong_kind(phrase.source_text.clone(), describe(page, best.at), why);
            }
            return ResolveError::wrong_kind(
                phrase.source_text.clone(),
                describe(page, best.at),
                match phrase.kind {
                    Some(kind) if suits => {
                        let article = if kind.word().starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
                        format!("it is not {article} {}; say it without `{}`", kind.word(), kind.word())
                    }
                    _ => format!("that cannot be {}{}", purpose.verb(), near(page, word, purpose, phrase.kind)),
                },
            );
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
    if let Some(other) = column_hint(page, phrase).or_else(|| quotes_hint(phrase)) {
        hint = other;
    }
    if let Some(dialog) = &page.dialog {
        hint = format!("a dialog is open ({:?}); answer it first", dialog.message);
    } else if candidates.is_empty() && !page.cut.is_empty() {
        hint = "the page was too large to be captured completely".into();
    }
    ResolveError::not_found(phrase.source_text.clone(), candidates, hint)
}

/// The words are the name of a column, and a cell was probably meant: `the status is "Paid"`.
pub(crate) fn column_hint(page: &Snapshot, phrase: &TargetPhrase) -> Option<String> {
    let words = phrase.name.as_deref().unwrap_or(&phrase.source_text);
    let words = normalize_whitespace(words.strip_prefix("the ").unwrap_or(words)).to_lowercase();
    let is_column = |at: &NodeIndex| {
        page.role(*at) == "columnheader"
            && normalize_whitespace(&name_match::content(page, *at)).to_lowercase() == words
    };
    let header = (1..page.nodes.len()).find(is_column)?;
    // The sentence names the row already: there is no field in its cell.
    if let [Scope::In(row) | Scope::For(row), ..] = phrase.scopes.as_slice()
        && let Some(row) = row.label()
    {
        let cell = format!("the {words} of \"{row}\"");
        return Some(format!("{cell} is no field; if a double click opens one: Double-click {cell}"));
    }
    let example = cell_example(page, header)?;
    Some(format!("{words:?} is a column; name the cell by its row: {example}"))
}

/// How to name a cell of the column with this header: `the status of "Globex"`.
fn cell_example(page: &Snapshot, header: NodeIndex) -> Option<String> {
    if page.role(header) != "columnheader" {
        return None;
    }
    let table = page.ancestors(header).find(|up| page.has_role(*up, &["table", "grid", "treegrid"]))?;
    let cells = page.below(table).filter(|at| page.has_role(*at, &["cell", "gridcell", "rowheader"]));
    let texts = cells.map(|at| normalize_whitespace(&name_match::content(page, at)));
    let row = texts.into_iter().find(|text| text.chars().any(char::is_alphabetic))?;
    let column = normalize_whitespace(&name_match::content(page, header));
    Some(format!("the {} of \"{row}\", or \"{column}\" in the row of \"{row}\"", column.to_lowercase()))
}

/// Unquoted words with a preposition, of which a part may be the name: `Pay for Globex`.
fn quotes_hint(phrase: &TargetPhrase) -> Option<String> {
    const PREPOSITIONS: [&str; 6] = ["for", "of", "in", "on", "at", "from"];
    if phrase.quoted || phrase.raw.is_some() || phrase.source_text.contains('"') {
        return None;
    }
    let words: Vec<&str> = phrase.source_text.split_whitespace().collect();
    let at = words.iter().position(|word| PREPOSITIONS.contains(&word.to_lowercase().as_str()))?;
    let (name, place) = (words[..at].join(" "), words[at + 1..].join(" "));
    let preposition = words[at].to_lowercase();
    let is_complete = !name.is_empty() && !place.is_empty();
    is_complete.then(|| format!("put each name in quotes, such as \"{name}\" {preposition} \"{place}\""))
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
    ambiguity(page, phrase.source_text.clone(), several, hint)
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
