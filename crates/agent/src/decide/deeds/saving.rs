//! What a sentence saves that the snapshot itself knows.

use legwork_observe::Snapshot;
use serde_json::Value;

use crate::decide::{
    clauses::{Deed, Saved},
    find::{self, Purpose},
    kinds::{self, Kind},
    literal::Unresolved,
    names::{self, Tier},
    properties,
    target::{Phrase, Place},
};

pub(in crate::decide) fn remembers(deed: &Deed, page: &Snapshot) -> Option<(String, Value)> {
    let Deed::Save { what, variable } = deed else { return None };
    Some((variable.clone(), known(page, what).ok()??))
}

/// The value, unless it takes an action to read it.
pub(super) fn known(page: &Snapshot, what: &Saved) -> Result<Option<Value>, Unresolved> {
    Ok(Some(match what {
        Saved::Address => Value::from(page.url.as_str()),
        Saved::Title => Value::from(page.title.as_str()),
        Saved::Count { things, shown } => Value::from(counted(page, things, *shown)?),
        Saved::NumberOf(noun) => match properties::number_of(page, noun)? {
            Some(number) if number.fract() == 0.0 => Value::from(number as i64),
            Some(number) => Value::from(number),
            None => {
                return Err(Unresolved::None {
                    what: format!("number of {noun}"),
                    candidates: Vec::new(),
                    hint: format!(
                        "no text says it, such as “24 {noun}”; to count what is shown: `Save the number of rows as n`"
                    ),
                });
            }
        },
        Saved::Named(name) => Value::from(properties::value(page, name, None)?),
        Saved::Of { target, attribute, text } => match answer(page, target, attribute, *text)? {
            Some(text) => Value::from(text),
            None => return Ok(None),
        },
    }))
}

/// How many there are. Where the page itself says another number, some of them are not shown.
fn counted(page: &Snapshot, things: &Phrase, shown: bool) -> Result<usize, Unresolved> {
    let there = find::matching(page, things, Tier::Words)?.len();
    if !shown && things.places.is_empty() && things.name.is_none() && things.contains.is_empty() {
        let said = properties::number_of(page, things.said.trim())?;
        if let Some(said) = said.filter(|said| *said != there as f64) {
            return Err(Unresolved::Several {
                what: format!("number of {}", things.said),
                count: 2,
                candidates: vec![format!("the page says {said}"), format!("{there} are shown")],
                hint: format!("to count what is shown: `Save the number of {} shown as n`", things.said),
            });
        }
    }
    Ok(there)
}

/// The text of something that is no element of its own, so that no action can read it.
pub(super) fn answer(
    page: &Snapshot,
    phrase: &Phrase,
    attribute: &Option<String>,
    whole_text: bool,
) -> Result<Option<String>, Unresolved> {
    if phrase.raw.is_some() {
        return Ok(None);
    }
    if let Some(name) = &phrase.property {
        let about = Phrase { property: None, ..phrase.clone() };
        match (properties::value(page, name, Some(&about)), attribute) {
            (Ok(value), _) => return Ok(Some(value)),
            // `the title of the link "Home"`: no label is called so, but an attribute is.
            (Err(Unresolved::None { .. }), Some(_)) => {}
            (Err(failed), _) => return Err(failed),
        }
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
    // `the order number`: a label, before it is a text of another name.
    let whole = phrase.whole.as_deref().filter(|_| phrase.kind == Some(Kind::Text) && phrase.places.is_empty());
    if let (Some(whole), None) = (whole, attribute)
        && let Ok(value) = properties::value(page, whole, None)
    {
        return Ok(Some(value));
    }
    let at = find::one(page, phrase, Purpose::Any)?;
    let node = &page.nodes[at];
    // What is only a label is not what was asked for.
    let label =
        whole.or(phrase.name.as_deref()).filter(|_| attribute.is_none() && phrase.ordinal.is_none()).filter(|label| {
            let same = names::Wanted::new(label).tier(&names::content(page, at)).is_some_and(|tier| tier <= Tier::Bare);
            let control = kinds::is_control(&node.role) || node.role.as_ref() == "heading" || node.value.is_some();
            same && !find::is_field_like(node)
                && if control { !whole_text && node.value.is_none() } else { phrase.kind.is_none() || whole.is_some() }
        });
    if let Some(label) = label {
        return match names::labelled_value(page, at, label) {
            Some(value) => Ok(Some(value)),
            None => properties::value(page, label, None).map(Some),
        };
    }
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
