//! Describes elements of a page for messages.

use legwork_observe::{NodeIndex, Snapshot};

use crate::{
    error::ResolveError,
    name_match::{self, normalize_whitespace},
};

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
    let short = |name: &str| {
        let short: String = normalize_whitespace(name).chars().take(60).collect();
        format!("\"{short}{}\"", if name.chars().count() > 60 { "…" } else { "" })
    };
    if !name.is_empty() {
        text.push_str(&format!(" {}", short(&name)));
    } else if let Some(label) = name_match::label_beside(page, at) {
        text.push_str(&format!(" beside {}", short(&label)));
    }
    if let Some(reference) = node.reference {
        text.push_str(&format!(" [{reference}]"));
    }
    if node.states.disabled() {
        text.push_str(" (disabled)");
    }
    text
}

/// The elements with the most similar names, at most 5.
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
    // If no name is similar, any candidates.
    if good.is_empty() { scored.iter().take(5).map(|(_, at)| describe(page, *at)).collect() } else { good }
}

/// Descriptions of the first of these elements.
pub(crate) fn describe_all(page: &Snapshot, nodes: &[NodeIndex]) -> Vec<String> {
    nodes.iter().take(5).map(|at| describe(page, *at)).collect()
}

/// The error that several elements match equally well.
pub(crate) fn ambiguity(
    page: &Snapshot,
    what: impl Into<String>,
    nodes: &[NodeIndex],
    hint: impl Into<String>,
) -> ResolveError {
    ResolveError::ambiguous(what, nodes.len(), describe_all(page, nodes), hint)
}

/// The first browser tabs.
pub(crate) fn tab_list(page: &Snapshot) -> Vec<String> {
    page.tabs.iter().take(5).map(|tab| format!("tab {} \"{}\"", tab.number, tab.title)).collect()
}
