//! Resolves a phrase to an element of the page: to exactly one, or to a [`ResolveError`] that lists the candidates.
//!
//! All candidates are ranked by how well their names match and how well they suit the purpose. If one element has the
//! best rank, it is the result. Several are distinguished by facts (an open dialog, the enabled state, two links with
//! the same URL), never by position unless the phrase contains one.

mod diagnostics;
mod narrow;
mod purpose;
mod rank;

use legwork_observe::{NodeIndex, Snapshot};
use legwork_protocol::{Ref, Target};

pub(crate) use crate::ast::Purpose;
use crate::{
    ast::TargetPhrase,
    describe::ambiguity,
    element_kind::ElementKind,
    error::ResolveError,
    name_match::{self, MatchQuality, NameMatcher, NameSource, normalize_whitespace},
    roles::{is_control, is_field_like},
    scope,
};
pub(super) use diagnostics::column_hint;
use diagnostics::{ambiguous, missing};
use narrow::narrow;
use rank::ranked;

/// The target of an action: the element's ref, or the raw target in the sentence.
pub(super) fn target(page: &Snapshot, phrase: &TargetPhrase, purpose: Purpose) -> Result<Target, ResolveError> {
    if let Some(raw) = &phrase.raw {
        return Ok(raw.clone());
    }
    let at = one(page, phrase, purpose)?;
    target_of_phrase(page, at, phrase)
}

/// The target for the element of a phrase. A part of a text is targeted by its text, so that the pointer is at the text
/// and not in the middle of its container.
pub(super) fn target_of_phrase(page: &Snapshot, at: NodeIndex, phrase: &TargetPhrase) -> Result<Target, ResolveError> {
    let node = &page.nodes[at];
    let is_text = matches!(node.role.as_ref(), "text" | "cell" | "gridcell" | "listitem" | "paragraph");
    if let Some(part) = part_of_container(page, at, phrase) {
        return Ok(part);
    }
    let (true, Some(name)) = (node.reference.is_none() && is_text, &phrase.name) else {
        return Ok(target_of(page, at));
    };
    let alone =
        page.ancestors(at).find(|up| page.nodes[*up].reference.is_some() && page.nodes[*up].states.actionable());
    let part = normalize_whitespace(name);
    let is_part = normalize_whitespace(&node.name).to_lowercase().contains(&part.to_lowercase())
        && part != normalize_whitespace(&node.name);
    if alone.is_some_and(|up| consists_of(page, up, at)) || !is_part || part.starts_with(['"', '\'']) {
        return Ok(target_of(page, at));
    }
    // The browser searches the whole page for the text. If the phrase has a scope, the text must therefore occur only
    // once.
    let says =
        |node: &legwork_observe::Node| normalize_whitespace(&node.name).to_lowercase().contains(&part.to_lowercase());
    let places: Vec<NodeIndex> =
        (1..page.nodes.len()).filter(|at| page.nodes[*at].end == at + 1 && says(&page.nodes[*at])).collect();
    if !phrase.scopes.is_empty() && places.len() > 1 {
        return Err(ambiguity(
            page,
            format!("“{part}”"),
            &places,
            "the page contains it only as a part of a text, which occurs several times",
        ));
    }
    Ok(Target(format!("text={part}")))
}

/// The text of a phrase within a container that listens for clicks on its parts and has their texts as its name
/// (`Write docs Fix login Ship beta`): the middle of the container belongs to another part.
fn part_of_container(page: &Snapshot, at: NodeIndex, phrase: &TargetPhrase) -> Option<Target> {
    let node = &page.nodes[at];
    let name = normalize_whitespace(phrase.name.as_ref()?);
    let whole = normalize_whitespace(&node.name);
    let says = |text: &str| normalize_whitespace(text).to_lowercase().contains(&name.to_lowercase());
    let is_part =
        node.role.as_ref() == "generic" && node.reference.is_some() && says(&whole) && whole.len() > name.len();
    let is_only = page.nodes.iter().filter(|other| says(&other.name)).count() == 1;
    (is_part && is_only && !name.starts_with(['"', '\''])).then(|| Target(format!("text={name}")))
}

/// Whether an actionable element consists mainly of the text in it, as a button does.
pub(super) fn consists_of(page: &Snapshot, up: NodeIndex, at: NodeIndex) -> bool {
    let node = &page.nodes[up];
    (is_control(&node.role) && !is_field_like(node))
        || normalize_whitespace(&name_match::content(page, up)) == normalize_whitespace(&page.nodes[at].name)
        || (!node.name.is_empty() && normalize_whitespace(&node.name) == normalize_whitespace(&page.nodes[at].name))
}

/// The target for an element: its ref, its role and name, or its text.
pub(super) fn target_of(page: &Snapshot, at: NodeIndex) -> Target {
    let node = &page.nodes[at];
    match node.reference {
        Some(reference) => reference.into(),
        None => match page
            .ancestors(at)
            .find(|up| page.nodes[*up].reference.is_some() && page.nodes[*up].states.actionable())
            // The middle of a header row belongs to another column.
            .filter(|up| !matches!(node.role.as_ref(), "text" | "columnheader") || consists_of(page, *up, at))
        {
            Some(up) => page.nodes[up].reference.unwrap_or(Ref(0)).into(),
            None if node.role.as_ref() == "text" || node.name.contains('"') => {
                Target(format!("text=\"{}\"", node.name))
            }
            None if node.name.is_empty() => {
                let text = own_text(page, at).unwrap_or_else(|| name_match::content(page, at));
                Target(format!("text=\"{text}\""))
            }
            None => Target(format!("role={}[name=\"{}\"]", node.role, node.name)),
        },
    }
}

/// The first text of a row or entry outside of its controls, if the page contains it once: the middle of the entry may
/// be a button in it.
fn own_text(page: &Snapshot, at: NodeIndex) -> Option<String> {
    let is_of_control = |below: NodeIndex| {
        is_control(&page.nodes[below].role)
            || page.ancestors(below).take_while(|up| *up > at).any(|up| is_control(&page.nodes[up].role))
    };
    let first = page.below(at).find(|below| {
        let node = &page.nodes[*below];
        node.end == below + 1 && !node.name.trim().is_empty() && !is_of_control(*below)
    })?;
    let text = &page.nodes[first].name;
    let is_only = page.nodes.iter().filter(|node| node.name.contains(text.as_ref())).count() == 1;
    (is_only && !text.contains('"')).then(|| text.to_string())
}

/// The only element that a phrase matches.
pub(super) fn one(page: &Snapshot, phrase: &TargetPhrase, purpose: Purpose) -> Result<NodeIndex, ResolveError> {
    if let Some(raw) = &phrase.raw {
        let hint = "only a ref or an #id can be resolved in the page's observation";
        return scope::raw_node(page, raw)
            .ok_or_else(|| ResolveError::not_found(phrase.source_text.clone(), Vec::new(), hint));
    }
    // The phrase names a container: `scroll to the "Billing" section`.
    let found = all(page, phrase, purpose)?;
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(missing(page, phrase, purpose)),
        several => Err(ambiguous(page, phrase, several)),
    }
}

/// All elements that a phrase matches equally well, after they were distinguished by all facts.
pub(super) fn all(page: &Snapshot, phrase: &TargetPhrase, purpose: Purpose) -> Result<Vec<NodeIndex>, ResolveError> {
    if let Some(whole) = &phrase.whole
        && (phrase.kind.is_some() || phrase.ordinal.is_some())
        // `the message` is an alert, unless text is entered into it.
        && (phrase.name.is_some()
            || !phrase.contains.is_empty()
            || phrase.ordinal.is_some()
            || matches!(purpose, Purpose::Set | Purpose::Fill | Purpose::Choose))
    {
        let as_name = TargetPhrase {
            name: Some(whole.clone()),
            kind: None,
            ordinal: None,
            whole: None,
            contains: Vec::new(),
            ..phrase.clone()
        };
        let found = ranked(page, &as_name, purpose)?;
        if found.first().is_some_and(|best| best.rank.1 <= MatchQuality::Bare && !best.rank.0) {
            return narrow(page, &as_name, purpose, found);
        }
    }
    // `the menu button` may be a button that is called Menu.
    if phrase.kind == Some(ElementKind::Button)
        && phrase.name.is_none()
        && phrase.source_text.to_lowercase().split(" in ").next().is_some_and(|words| words.ends_with("menu button"))
    {
        let as_name = TargetPhrase { name: Some("menu".to_owned()), whole: None, ..phrase.clone() };
        let mut found = ranked(page, &as_name, purpose)?;
        found.retain(|candidate| candidate.rank.1 <= MatchQuality::Bare && !candidate.rank.0);
        if !found.is_empty() {
            return narrow(page, &as_name, purpose, found);
        }
    }
    let found = ranked(page, phrase, purpose)?;
    narrow(page, phrase, purpose, found)
}

/// All elements that match the phrase's kind and name down to a quality, for counts and presence checks.
pub(super) fn matching(
    page: &Snapshot,
    phrase: &TargetPhrase,
    down_to: MatchQuality,
) -> Result<Vec<NodeIndex>, ResolveError> {
    let mut found = ranked(page, phrase, Purpose::Any)?;
    found.retain(|candidate| candidate.rank.1 <= down_to);
    // Elements of the exact kind have priority: if there are buttons, a link does not count as one.
    if let Some(least) = found.iter().map(|candidate| candidate.rank.2).min() {
        found.retain(|candidate| candidate.rank.2 == least);
    }
    let mut nodes: Vec<NodeIndex> = found.into_iter().map(|candidate| candidate.at).collect();
    nodes.sort_unstable();
    nodes.dedup();
    if phrase.kind == Some(ElementKind::Row) {
        let is_named = !phrase.contains.is_empty();
        nodes.retain(|at| if is_named { !scope::is_header(page, *at) } else { scope::is_record(page, *at) });
    }
    scope::beside(page, &phrase.scopes, nodes)
}

/// The nodes with a text: those whose name is equal, otherwise the smallest that contain it.
pub(super) fn mentions(page: &Snapshot, about: &TargetPhrase) -> Result<Vec<NodeIndex>, ResolveError> {
    let found = if about.name.is_some() || about.kind.is_some() || about.raw.is_some() {
        if about.raw.is_some() {
            return one(page, about, Purpose::Any).map(|at| vec![at]);
        }
        // An element whose name comes only from the text beside it does not contain the text.
        let mut ranked = ranked(page, about, Purpose::Any)?;
        ranked.retain(|found| found.rank.3 < NameSource::Beside);
        let best = ranked.first().map(|best| best.rank.1);
        let mut nodes: Vec<NodeIndex> =
            ranked.iter().filter(|found| Some(found.rank.1) == best).map(|found| found.at).collect();
        nodes.sort_unstable();
        let all = nodes.clone();
        nodes.retain(|at| !all.iter().any(|other| page.below(*at).contains(other)));
        match about.ordinal {
            Some(ordinal) => ordinal.of(&nodes).copied().into_iter().collect(),
            None => nodes,
        }
    } else {
        Vec::new()
    };
    if found.is_empty() { Err(missing(page, about, Purpose::Any)) } else { Ok(found) }
}

/// The options inside a list.
pub(super) fn options(page: &Snapshot, list: NodeIndex) -> Vec<NodeIndex> {
    page.below(list).filter(|at| page.role(*at) == "option").collect()
}

/// The best option, radio button or item with this label among these nodes.
pub(crate) fn with_label(page: &Snapshot, among: &[NodeIndex], label: &str) -> Vec<NodeIndex> {
    let matcher = NameMatcher::new(label);
    let fit = |at: NodeIndex| {
        let node = &page.nodes[at];
        let value = node.value.as_deref().and_then(|value| matcher.quality(value));
        let value = value.filter(|quality| *quality <= MatchQuality::Case).map(|quality| (quality, NameSource::Id));
        // `Light blue grey` is another option than `Blue`; `Belgium (+32)` is Belgium.
        let name = name_match::best_match(page, at, &matcher)
            .filter(|(quality, _)| *quality <= MatchQuality::Bare || matcher.is_explained_by(&node.name));
        name.into_iter().chain(value).min()
    };
    name_match::best_of(among.iter().filter_map(|at| Some((fit(*at)?, *at))))
}
