//! What a sentence saves that the snapshot itself knows.

use legwork_observe::Snapshot;
use serde_json::Value;

use crate::decide::{
    clauses::{Deed, Saved},
    find::{self, Purpose},
    kinds::Kind,
    literal::Unresolved,
    names::{self, Tier},
    target::{Phrase, Place},
};

pub(in crate::decide) fn remembers(deed: &Deed, page: &Snapshot) -> Option<(String, Value)> {
    let Deed::Save { what, variable } = deed else { return None };
    let value = match what {
        Saved::Address => Value::from(page.url.as_str()),
        Saved::Title => Value::from(page.title.as_str()),
        Saved::Count(phrase) => Value::from(find::matching(page, phrase, Tier::Words).ok()?.len()),
        Saved::Of { target, attribute } => Value::from(answer(page, target, attribute).ok()??),
    };
    Some((variable.clone(), value))
}

/// The text of something that is no element of its own, so that no action can read it.
pub(super) fn answer(
    page: &Snapshot,
    phrase: &Phrase,
    attribute: &Option<String>,
) -> Result<Option<String>, Unresolved> {
    if phrase.raw.is_some() {
        return Ok(None);
    }
    // `the text after "Total:"` where one run of text says both.
    if phrase.kind == Some(Kind::Text)
        && phrase.name.is_none()
        && let [Place::After(about) | Place::NextTo(about)] = phrase.places.as_slice()
        && let Some(label) = &about.name
        && let Ok(found) = find::mentions(page, about)
        && let [at] = found.as_slice()
        && let text = names::squeeze(&page.nodes[*at].name)
        && let Some(rest) = text.strip_prefix(names::squeeze(label).as_str())
        && let rest = rest.trim_start_matches([':', ' ', '=']).trim()
        && !rest.is_empty()
    {
        return Ok(Some(rest.to_owned()));
    }
    let at = find::one(page, phrase, Purpose::Any)?;
    let node = &page.nodes[at];
    if node.reference.is_some() || attribute.is_some() {
        return Ok(None);
    }
    if let (None, Some(label)) = (phrase.kind, &phrase.name)
        && let Some(value) = names::labelled_value(page, at, label)
    {
        return Ok(Some(value));
    }
    let text = node.value.as_deref().filter(|_| !node.states.secret()).map(str::to_owned);
    Ok(Some(text.unwrap_or_else(|| names::squeeze(&names::content(page, at)))))
}
