//! Whether something is on the page.

use super::{
    Finding,
    judge::{fails, holds, unjudged},
};
use crate::decide::{
    find, find::Purpose, find::describe, kinds, kinds::Kind, names, names::Tier, names::squeeze, places, target::Phrase,
};
use legwork_observe::{NodeIndex, Snapshot};
use legwork_protocol::{EvidenceKind, TargetKind};

pub(super) fn said(phrase: &Phrase) -> String {
    match (&phrase.name, phrase.kind, phrase.places.is_empty()) {
        (Some(name), None, true) => format!("“{name}”"),
        _ => phrase.said.clone(),
    }
}

/// Kinds that are content: a part of what they say is enough. Of a control the whole name has to fit.
pub(super) fn by_part(kind: Option<Kind>) -> bool {
    matches!(
        kind,
        None | Some(
            Kind::Heading
                | Kind::Row
                | Kind::Cell
                | Kind::Item
                | Kind::Text
                | Kind::Alert
                | Kind::Error
                | Kind::Success
                | Kind::Spinner
                | Kind::Dialog
                | Kind::Region
                | Kind::Any
                | Kind::Image
                | Kind::Icon
                | Kind::Main
                | Kind::Table
                | Kind::List
        )
    )
}

pub(super) fn shown(phrase: &Phrase, page: &Snapshot) -> Finding {
    if phrase.raw.is_some() {
        return match find::one(page, phrase, Purpose::Any) {
            Ok(at) => holds(EvidenceKind::Element, format!("{} is on the page", describe(page, at))),
            Err(unresolved) if matches!(phrase.raw.as_ref().map(|raw| raw.kind()), Some(TargetKind::Ref(_))) => {
                fails(unresolved.to_string(), Vec::new())
            }
            // A selector is not held against the observation: whether it fits anything is not known.
            Err(unresolved) => unjudged(&unresolved),
        };
    }
    let text_only =
        matches!(phrase.kind, None | Some(Kind::Text)) && phrase.ordinal.is_none() && phrase.placeholder.is_none();
    if let (true, Some(name)) = (text_only, &phrase.name) {
        return text(name, phrase, page);
    }
    if phrase.kind == Some(Kind::Dialog)
        && let (Some(dialog), true) = (&page.dialog, phrase.places.is_empty())
        && phrase
            .name
            .as_ref()
            .or(phrase.contains.first())
            .is_none_or(|text| squeeze(&dialog.message).to_lowercase().contains(&squeeze(text).to_lowercase()))
    {
        return holds(EvidenceKind::Dialog, format!("a dialog is open: “{}”", dialog.message));
    }
    let down_to = if by_part(phrase.kind) { Tier::Words } else { Tier::Bare };
    match find::matching(page, phrase, down_to) {
        Ok(found) if !found.is_empty() => {
            if phrase.ordinal.is_some() && find::one(page, phrase, Purpose::Any).is_err() {
                return fails(format!("there is no {}: {} of them", phrase.said, found.len()), Vec::new());
            }
            let more = if found.len() > 1 { format!(" and {} more", found.len() - 1) } else { String::new() };
            // A message is told by what it says.
            let message = matches!(phrase.kind, Some(Kind::Alert | Kind::Error | Kind::Success | Kind::Spinner));
            let says = squeeze(&names::content(page, found[0]));
            let what = describe(page, found[0]);
            if message && !says.is_empty() && !what.contains('"') {
                return holds(EvidenceKind::Element, format!("{what} says “{}”{more}", excerpt(&says, "")));
            }
            holds(EvidenceKind::Element, format!("{what}{more} is on the page"))
        }
        Ok(_) => {
            // A message, a heading or a dialog that says it somewhere inside.
            if by_part(phrase.kind)
                && let (Some(kind), Some(name)) = (phrase.kind, &phrase.name)
            {
                let unnamed = Phrase { name: None, ..phrase.clone() };
                let low = squeeze(name).to_lowercase();
                let inside = find::matching(page, &unnamed, Tier::Exact).unwrap_or_default();
                if let Some(at) =
                    inside.into_iter().find(|at| squeeze(&names::content(page, *at)).to_lowercase().contains(&low))
                {
                    return holds(
                        EvidenceKind::Element,
                        format!("the {} says “{}”", kind.word(), excerpt(&names::content(page, at), &low)),
                    );
                }
            }
            let word = phrase.name.as_deref().or(phrase.contains.first().map(String::as_str)).unwrap_or_default();
            let kind = phrase.kind;
            let near = find::nearest(
                page,
                word,
                (1..page.nodes.len()).filter(|at| kind.is_none_or(|kind| kind.fits_at(page, *at) == Some(0))),
            );
            fails(format!("there is no {}", phrase.said), near)
        }
        Err(unresolved) => unjudged(&unresolved),
    }
}

/// Whether the page, or the part of it that is meant, says a text.
pub(super) fn text(name: &str, phrase: &Phrase, page: &Snapshot) -> Finding {
    let ranges = match places::ranges(page, &phrase.places) {
        Ok(ranges) => ranges,
        Err(unresolved) => return unjudged(&unresolved),
    };
    let wanted = squeeze(name);
    let low = wanted.to_lowercase();
    if low.is_empty() {
        return fails("an empty text says nothing", Vec::new());
    }
    let place = if phrase.places.is_empty() { String::new() } else { format!(" ({})", phrase.said) };
    let next_to = phrase.places.iter().any(|place| {
        !matches!(
            place,
            crate::decide::target::Place::In(_)
                | crate::decide::target::Place::Column(_)
                | crate::decide::target::Place::Under(_)
                | crate::decide::target::Place::For(_)
        )
    });
    if next_to {
        return match find::matching(page, phrase, Tier::Words) {
            Ok(found) if !found.is_empty() => {
                holds(EvidenceKind::Text, format!("{} is there{place}", describe(page, found[0])))
            }
            Ok(_) => fails(format!("“{name}” is not there{place}"), Vec::new()),
            Err(unresolved) => unjudged(&unresolved),
        };
    }
    let mut loose = None;
    for at in ranges.iter().cloned().flatten() {
        let node = &page.nodes[at];
        let label = |attribute: Option<&str>| attribute.map(squeeze);
        let value = node.value.as_deref().filter(|_| !node.states.secret());
        let mut texts = vec![squeeze(&node.name)];
        texts.extend(value.map(squeeze));
        texts.extend(label(node.attributes.as_ref().and_then(|a| a.placeholder.as_deref())));
        for text in texts {
            if text.contains(&wanted) {
                return holds(EvidenceKind::Text, evidence_of(page, at, &text, &low, &place));
            }
            if loose.is_none() && text.to_lowercase().contains(&low) {
                loose = Some(evidence_of(page, at, &text, &low, &place));
            }
        }
    }
    if let Some(fact) = loose {
        return holds(EvidenceKind::Text, fact);
    }
    // Over several elements: `Welcome, <b>Ada</b>`.
    for range in &ranges {
        let mut joined = String::new();
        for node in &page.nodes[range.clone()] {
            if !node.name.is_empty() && !joined.ends_with(node.name.as_ref()) {
                if !joined.is_empty() && !node.name.starts_with([',', '.', '!', ':', ';', ')', '?']) {
                    joined.push(' ');
                }
                joined.push_str(&node.name);
            }
        }
        let joined = squeeze(&joined);
        if joined.to_lowercase().contains(&low) {
            return holds(EvidenceKind::Text, format!("the page says “{}”{place}", excerpt(&joined, &low)));
        }
    }
    if let Some(dialog) = &page.dialog
        && squeeze(&dialog.message).to_lowercase().contains(&low)
    {
        return holds(EvidenceKind::Dialog, format!("the dialog says “{}”", dialog.message));
    }
    let nearest = find::nearest(page, name, ranges.into_iter().flatten().filter(|at| !page.nodes[*at].name.is_empty()));
    let cut = if page.cut.is_empty() { "" } else { "; the page was too large to be seen whole" };
    fails(format!("“{name}” is not on the page{place}{cut}"), nearest)
}

pub(super) fn evidence_of(page: &Snapshot, at: NodeIndex, text: &str, low: &str, place: &str) -> String {
    let node = &page.nodes[at];
    match node.role.as_ref() {
        "text" | "generic" | "paragraph" => format!("the page says “{}”{place}", excerpt(text, low)),
        role if kinds::is_field(role) && squeeze(&node.name) != text => {
            format!("{} holds “{}”{place}", describe(page, at), excerpt(text, low))
        }
        role => format!("{role} “{}” is on the page{place}", excerpt(text, low)),
    }
}

/// The text around what was looked for, at most a line.
pub(super) fn excerpt(text: &str, low: &str) -> String {
    const MOST: usize = 100;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    let at = text.to_lowercase().find(low).unwrap_or_default();
    let before = text.char_indices().take_while(|(index, _)| *index < at).count().saturating_sub(20);
    let part: String = text.chars().skip(before).take(MOST).collect();
    format!("{}{part}…", if before > 0 { "…" } else { "" })
}
