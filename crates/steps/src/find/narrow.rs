//! Selects among the ranked candidates: the best rank, then facts that distinguish equal candidates, never their
//! position unless the phrase contains one.

use std::collections::HashSet;

use legwork_observe::{NodeIndex, Snapshot, wording};

use super::{Purpose, consists_of, diagnostics::ambiguous, rank::Candidate};
use crate::{
    ast::TargetPhrase,
    describe::describe_all,
    element_kind::ElementKind,
    error::ResolveError,
    name_match::{MatchQuality, NameSource, normalize_whitespace},
    roles::{DIALOGS, is_control},
    scope,
};

/// Selects the best candidates, first by rank and then by facts.
pub(super) fn narrow(
    page: &Snapshot,
    phrase: &TargetPhrase,
    purpose: Purpose,
    mut found: Vec<Candidate>,
) -> Result<Vec<NodeIndex>, ResolveError> {
    if phrase.kind.is_some() && phrase.name.is_none() {
        // If the phrase has only a kind, elements of the exact kind have priority.
        let least = found.iter().map(|candidate| candidate.rank.2).min();
        found.retain(|candidate| Some(candidate.rank.2) == least);
    }
    let mut nodes: Vec<NodeIndex> = match found.first().map(|best| best.rank) {
        None => Vec::new(),
        // With an ordinal, the position selects the element, so the source of the name is ignored.
        Some((idle, quality, kind, source)) => {
            let same = |rank: (bool, MatchQuality, u8, NameSource)| match phrase.ordinal {
                Some(_) => (rank.0, rank.1, rank.2) == (idle, quality, kind),
                None => rank == (idle, quality, kind, source),
            };
            found.iter().filter(|candidate| same(candidate.rank)).map(|candidate| candidate.at).collect()
        }
    };
    nodes.sort_unstable();
    if phrase.kind == Some(ElementKind::Row) && phrase.contains.is_empty() {
        nodes.retain(|at| scope::is_record(page, *at));
    }
    nodes = scope::beside(page, &phrase.scopes, nodes)?;
    nodes = prefer(nodes, |at| !page.nodes[at].states.unseen());
    nodes = without_doubles(page, nodes, purpose);
    if let Some(ordinal) = phrase.ordinal {
        let count = nodes.len();
        return match ordinal.of(&nodes) {
            Some(node) => Ok(vec![item_control(page, *node, phrase, purpose)?]),
            None => Err(ResolveError::not_found(
                phrase.source_text.clone(),
                describe_all(page, &nodes),
                format!("there {} {count} of them", if count == 1 { "is" } else { "are" }),
            )),
        };
    }
    nodes = prefer(nodes, |at| page.ancestors(at).chain([at]).any(|up| page.has_role(up, DIALOGS)));
    nodes = prefer(nodes, |at| !page.nodes[at].states.disabled());
    nodes = prefer(nodes, |at| page.nodes[at].reference.is_some());
    if purpose == Purpose::Click {
        nodes = prefer(nodes, |at| page.role(at) != "generic");
    }
    if let [one] = nodes.as_slice() {
        return Ok(vec![item_control(page, *one, phrase, purpose)?]);
    }
    Ok(nodes)
}

/// Kinds whose click usually goes to the link inside them.
const WITH_LINK: &[ElementKind] = {
    use ElementKind::*;
    &[Item, Row, Cell, Heading, Image, Column]
};

/// For `the first result`, the link of the item if the item itself cannot be clicked. Only a link that leads to the
/// item stands for it: its name is that of the item or its heading, or it is the only one and deletes nothing. A button
/// in an item (`Delete`) does something with it.
fn item_control(
    page: &Snapshot,
    at: NodeIndex,
    phrase: &TargetPhrase,
    purpose: Purpose,
) -> Result<NodeIndex, ResolveError> {
    let node = &page.nodes[at];
    if purpose != Purpose::Click
        || node.states.actionable()
        || is_control(&node.role)
        || phrase.kind.is_none_or(|kind| !WITH_LINK.contains(&kind))
    {
        return Ok(at);
    }
    let is_titled = |control: NodeIndex| page.ancestors(control).any(|up| up > at && page.role(up) == "heading");
    let is_named = |control: NodeIndex| {
        let name = normalize_whitespace(&page.nodes[control].name).to_lowercase();
        let is_asked_for = |text: &String| normalize_whitespace(text).to_lowercase() == name;
        phrase.name.iter().chain(&phrase.contains).any(is_asked_for)
            || consists_of(page, at, control) && !page.nodes[control].name.is_empty()
    };
    let leads = |control: NodeIndex| {
        let href = page.nodes[control].attributes.as_ref().and_then(|attributes| attributes.href.as_deref());
        let name = wording::normalized(&page.nodes[control].name);
        page.role(control) == "link"
            && href.is_some_and(|href| !href.is_empty() && !href.ends_with('#'))
            && !wording::empties(&name)
    };
    let controls: Vec<NodeIndex> = page.below(at).filter(|below| page.has_role(*below, &["link", "button"])).collect();
    let titled: Vec<NodeIndex> =
        controls.iter().copied().filter(|control| is_titled(*control) || is_named(*control)).collect();
    if let [one] = titled.as_slice() {
        return Ok(*one);
    }
    let links: Vec<NodeIndex> = controls.iter().copied().filter(|control| leads(*control)).collect();
    match without_doubles(page, links, purpose).as_slice() {
        [] => Ok(at),
        [one] => Ok(*one),
        several => Err(ambiguous(page, phrase, several)),
    }
}

fn prefer(nodes: Vec<NodeIndex>, better: impl Fn(NodeIndex) -> bool) -> Vec<NodeIndex> {
    if nodes.len() < 2 || !nodes.iter().any(|at| better(*at)) {
        return nodes;
    }
    nodes.into_iter().filter(|at| better(*at)).collect()
}

/// Removes duplicates: an image and a title with the same link are one target, and so are a wrapper and its only
/// control.
fn without_doubles(page: &Snapshot, nodes: Vec<NodeIndex>, purpose: Purpose) -> Vec<NodeIndex> {
    let mut kept: Vec<NodeIndex> = Vec::new();
    let mut scopes = HashSet::new();
    // The order is that of the document, so descendants follow their ancestors.
    for (index, at) in nodes.iter().copied().enumerate() {
        let wraps = nodes.get(index + 1).is_some_and(|next| page.below(at).contains(next))
            && matches!(purpose, Purpose::Click | Purpose::Any | Purpose::Fill | Purpose::Set);
        let href = page.nodes[at].attributes.as_ref().and_then(|a| a.href.as_deref());
        if !wraps && href.filter(|href| !href.is_empty() && !href.ends_with('#')).is_none_or(|href| scopes.insert(href))
        {
            kept.push(at);
        }
    }
    kept
}
