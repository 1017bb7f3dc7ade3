//! Ranks all elements that a phrase could match: by how well their names match and how well they suit the purpose.

use std::collections::HashSet;

use legwork_observe::{NodeIndex, Snapshot};

use super::{Purpose, consists_of};
use crate::{
    additional_words,
    ast::TargetPhrase,
    element_kind::ElementKind,
    error::ResolveError,
    name_match::{self, MatchQuality, NameMatcher, NameSource},
    roles::{is_control, roles},
    scope,
};

/// A candidate with its rank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) at: NodeIndex,
    /// Whether the element is to be clicked and is not clickable, the quality of the name, the suitability for the
    /// purpose, and the source of the name. The lowest rank is best.
    pub(super) rank: (bool, MatchQuality, u8, NameSource),
}

/// Whether the page contains a word, in singular or plural.
fn is_mentioned(page: &Snapshot, noun: &str) -> bool {
    let stem = noun.strip_suffix('s').unwrap_or(noun);
    let stem = stem.strip_suffix("ie").unwrap_or(stem);
    let has = |text: &str| text.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| word.starts_with(stem));
    has(&page.title)
        || page.nodes.iter().any(|node| {
            let attributes = node.attributes.as_deref();
            has(&node.name)
                || has(&node.role)
                || attributes.is_some_and(|a| {
                    [&a.placeholder, &a.id, &a.form_name, &a.test_id].into_iter().flatten().any(|text| has(text))
                })
        })
}

/// A field without a name is named by the header of its column.
fn by_column(page: &Snapshot, at: NodeIndex, matcher: &NameMatcher) -> Option<(MatchQuality, NameSource)> {
    let node = &page.nodes[at];
    let column = (node.name.is_empty() && name_match::is_labelled(node)).then(|| scope::column_of(page, at))??;
    Some((matcher.quality(&column)?, NameSource::Column))
}

/// Roles that are a part of the control around them.
const INNER: &[&str] = roles![text img image paragraph heading generic strong emphasis label LabelText cell listitem];

pub(super) fn ranked(page: &Snapshot, phrase: &TargetPhrase, purpose: Purpose) -> Result<Vec<Candidate>, ResolveError> {
    let ranges = scope::ranges(page, &phrase.scopes)?;
    if let Some(noun) = &phrase.noun
        && !is_mentioned(page, noun)
    {
        return Err(ResolveError::not_found(
            phrase.source_text.clone(),
            Vec::new(),
            format!("nothing on the page is called “{noun}”; leave that word out if it says nothing more"),
        ));
    }
    let matcher = phrase.name.as_deref().map(NameMatcher::new);
    let placeholder = phrase.placeholder.as_deref().map(NameMatcher::new);
    let contains: Vec<NameMatcher> = phrase.contains.iter().map(|text| NameMatcher::new(text)).collect();
    let mut found: Vec<Candidate> = Vec::new();
    let (mut last, mut deletes_more) = (0, false);
    for at in ranges.into_iter().flatten() {
        if at <= last && last != 0 {
            continue;
        }
        last = at;
        let node = &page.nodes[at];
        let Some(suits) = (match phrase.kind {
            Some(ElementKind::Text) if purpose != Purpose::Any => purpose.suits(node),
            Some(ElementKind::Any) => purpose.suits(node),
            // `Tick the box "Remember me"`.
            Some(ElementKind::Field) if purpose == Purpose::Tick => purpose.suits(node),
            // `Type "2" into the spinner`: a number field.
            Some(ElementKind::Spinner) if matches!(purpose, Purpose::Fill | Purpose::Set) => {
                ElementKind::Number.fits(node).filter(|_| purpose.suits(node).is_some())
            }
            Some(kind) => kind.fits_at(page, at).filter(|fit| {
                let named = phrase.name.is_some() || !phrase.contains.is_empty();
                (named || !kind.needs_name(*fit))
                    && (purpose.suits(node).is_some()
                        || matches!(purpose, Purpose::Click | Purpose::Twice | Purpose::Any))
            }),
            None => purpose.suits(node),
        }) else {
            continue;
        };
        let is_words = |quality: MatchQuality| quality <= MatchQuality::Words;
        let label = || node.attributes.as_ref().and_then(|a| a.placeholder.as_deref());
        let has_placeholder =
            |matcher: &NameMatcher| label().and_then(|label| matcher.quality(label)).is_some_and(is_words);
        let has_text = |text: &NameMatcher| name_match::row_quality(page, at, text).is_some_and(is_words);
        if !placeholder.as_ref().is_none_or(has_placeholder) || !contains.iter().all(has_text) {
            continue;
        }
        let fit = match &matcher {
            Some(matcher) => name_match::best_match(page, at, matcher).or_else(|| by_column(page, at, matcher)),
            // An element that is named only by its kind must have that kind.
            None if phrase.kind.is_some() || phrase.placeholder.is_some() || !phrase.scopes.is_empty() => {
                Some((MatchQuality::Exact, NameSource::Name))
            }
            None => None,
        };
        let Some((quality, source)) = fit else { continue };
        // A click on a text of a row must not toggle the checkbox beside it.
        let clicks = matches!(purpose, Purpose::Click | Purpose::Twice);
        if clicks && source == NameSource::Row && phrase.kind.is_none() {
            continue;
        }
        // `Delete` is not `Yes, delete all`.
        if purpose != Purpose::Any
            && quality > MatchQuality::Bare
            && phrase.name.as_deref().is_some_and(|name| additional_words::deletes_more(&node.name, name))
        {
            deletes_more = true;
            continue;
        }
        let mut candidate = Candidate { at, rank: (false, quality, suits, source) };
        let active = is_control(&node.role) || node.states.actionable();
        if purpose == Purpose::Click && !active {
            // A text inside a clickable element means that element.
            let up = page
                .ancestors(at)
                .take(6)
                .find(|up| page.nodes[*up].states.actionable() || is_control(&page.nodes[*up].role));
            let is_meant = |up: &NodeIndex| {
                phrase.kind.is_none_or(|kind| kind.fits_at(page, *up).is_some())
                    && page.role(*up) != "row"
                    && page.has_role(at, INNER)
                    && (page.role(at) != "text" || consists_of(page, *up, at))
            };
            candidate = match up.filter(is_meant) {
                Some(up) => Candidate { at: up, rank: (false, quality, suits.max(1), source.max(NameSource::Content)) },
                None => Candidate { at, rank: (true, quality, suits, source) },
            };
        }
        found.push(candidate);
    }
    if matches!(purpose, Purpose::Click | Purpose::Twice) && matches!(phrase.kind, None | Some(ElementKind::Text)) {
        // Of a text and its container among other content, the text matches; of a column header and the header row, the
        // column header.
        let is_text = |at: &usize| page.has_role(*at, &["text", "columnheader"]);
        let texts: Vec<usize> = found.iter().map(|found| found.at).filter(is_text).collect();
        found.retain(|candidate| {
            let holds = candidate.rank.3 == NameSource::Content && candidate.rank.1 > MatchQuality::Bare;
            !holds
                || is_control(&page.nodes[candidate.at].role)
                || !texts.iter().any(|text| page.below(candidate.at).contains(text))
        });
    }
    // If only such a control has the name, a text that contains the word is not meant either.
    if deletes_more {
        found.retain(|candidate| candidate.rank.1 <= MatchQuality::Bare || !candidate.rank.0);
    }
    found.sort_by_key(|candidate| (candidate.rank, candidate.at));
    let mut seen = HashSet::new();
    found.retain(|candidate| seen.insert(candidate.at));
    Ok(found)
}
