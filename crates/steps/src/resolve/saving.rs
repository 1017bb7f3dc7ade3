//! Values to save that the snapshot itself contains.

use legwork_observe::{NodeIndex, Snapshot};
use serde_json::Value;

use crate::{
    additional_words::words_of,
    ast::{Operation, Scope, Source, TargetPhrase, VariableWords},
    describe::{ambiguity, describe},
    element_kind::ElementKind,
    error::ResolveError,
    find::{self, Purpose},
    name_match::{self, MatchQuality},
    properties::{self, OtherRecord},
    roles::{is_control, is_field_like},
    scope,
};

/// A value that the snapshot contains, with its variable.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedValue {
    /// The name of the variable.
    pub variable: String,
    /// The value.
    pub value: Value,
    /// The record in which it was found, if its name differs from the name in the sentence.
    pub record: Option<OtherRecord>,
}

pub(crate) fn saved_value(operation: &Operation, page: &Snapshot) -> Option<SavedValue> {
    let Operation::Save { what, variable, .. } = operation else { return None };
    let value = known(page, what).ok()??;
    Some(SavedValue { variable: variable.clone(), value, record: record(page, what) })
}

fn record(page: &Snapshot, what: &Source) -> Option<OtherRecord> {
    let Source::Of { target, .. } = what else { return None };
    match target.scopes.as_slice() {
        _ if target.property.is_some() => properties::other_record(page, &target.owner()),
        [Scope::In(row)] if row.kind == Some(ElementKind::Row) => properties::other_record(page, row),
        _ => None,
    }
}

/// Fails if the page gives a name that the sentence does not call a variable another meaning: a button that saves a
/// record so (`Save as draft`), or a field of that name.
pub(super) fn require_variable(page: &Snapshot, variable: &str, stated: VariableWords) -> Result<(), ResolveError> {
    let name = variable.replace('_', " ").to_lowercase();
    let is_other = |at: &NodeIndex| {
        let node = &page.nodes[*at];
        match stated {
            VariableWords::Variable => false,
            VariableWords::As => {
                let words = format!(" {} ", words_of(&node.name).join(" "));
                is_control(&node.role) && words.contains(&format!(" as {name} "))
            }
            VariableWords::Into => is_field_like(node) && name_match::NameMatcher::new(&name).is(&node.name),
        }
    };
    let Some(at) = (1..page.nodes.len()).find(is_other) else { return Ok(()) };
    let hint = match stated {
        VariableWords::Into => format!(
            "for the field: `Save … as value`, then `Type \"${{value}}\" into \"{name}\"`; for the variable: `… as the \
             variable {variable}`"
        ),
        _ => format!(
            "for the button: `Click \"{}\"`; for the variable: `… as the variable {variable}`",
            name_match::normalize_whitespace(&page.nodes[at].name)
        ),
    };
    let candidates = vec![describe(page, at), format!("the variable {variable}")];
    Err(ResolveError::ambiguous(format!("`{variable}`"), 2, candidates, hint))
}

/// The value, unless reading it requires an action.
pub(super) fn known(page: &Snapshot, what: &Source) -> Result<Option<Value>, ResolveError> {
    Ok(Some(match what {
        Source::Address => Value::from(page.url.as_str()),
        Source::Title => Value::from(page.title.as_str()),
        Source::Count { things, shown } => Value::from(number_of_elements(page, things, *shown)?),
        Source::NumberOf(noun) => match properties::number_of(page, noun)? {
            Some(number) if number.fract() == 0.0 => Value::from(number as i64),
            Some(number) => Value::from(number),
            None => {
                let hint = format!(
                    "no text says it, such as “24 {noun}”; to count what is shown: `Save the number of rows as n`"
                );
                return Err(ResolveError::not_found(format!("number of {noun}"), Vec::new(), hint));
            }
        },
        Source::Named(name) => Value::from(properties::value(page, name, None)?),
        Source::Of { target, attribute, text } => match answer(page, target, attribute, *text)? {
            Some(text) => Value::from(text),
            None => return Ok(None),
        },
    }))
}

/// The rows or items to count, if the page contains only a part of them.
fn partial_size_of(page: &Snapshot, things: &TargetPhrase) -> Result<Option<(usize, usize)>, ResolveError> {
    let is_counted = matches!(things.kind, Some(ElementKind::Row | ElementKind::Item));
    Ok(if is_counted { scope::partial_size(page, &scope::ranges(page, &things.scopes)?) } else { None })
}

/// The number of elements. If the page itself states another number, some of them are not shown.
fn number_of_elements(page: &Snapshot, things: &TargetPhrase, shown: bool) -> Result<usize, ResolveError> {
    let what = format!("number of {}", things.source_text);
    let stated = || properties::number_of(page, things.source_text.trim());
    // `the number of unread messages` is a number that a mailbox shows, and not a count of the page's own messages.
    let is_message = things.kind.is_some_and(ElementKind::is_message);
    if is_message
        && !things.quoted
        && !shown
        && let Some(number) = stated()?
    {
        return Ok(number as usize);
    }
    let mut found = find::matching(page, things, MatchQuality::Words)?;
    // A button can match `the link "Next"`, but it is not counted as a link.
    if let Some(kind) = things.kind.filter(|kind| kind.is_control()) {
        found.retain(|at| kind.fits_at(page, *at) == Some(0));
    }
    let are_all = things.scopes.is_empty() && things.label().is_none();
    if things.kind == Some(ElementKind::Row) && are_all {
        found = rows_of_main_table(page, found)?;
    }
    let there = found.len();
    let two_numbers = |page_says: String, on_page: String| {
        let hint = format!("to count what is on the page: `Save the number of {} shown as n`", things.source_text);
        ResolveError::ambiguous(what.clone(), 2, vec![page_says, on_page], hint)
    };
    if let (Some((drawn, all)), false) = (partial_size_of(page, things)?, shown) {
        return Err(two_numbers(format!("the page says {all}"), format!("{drawn} of them are on the page")));
    }
    if there == 0
        && let Some(container) = things.kind.and_then(ElementKind::container)
        && !(1..page.nodes.len()).any(|at| container.fits_at(page, at) == Some(0))
    {
        let hint = "nothing on the page holds such things, so that none of them may be there or all";
        return Err(ResolveError::not_found(what.clone(), Vec::new(), hint));
    }
    if !shown
        && are_all
        && let Some(number) = stated()?.filter(|number| *number != there as f64)
    {
        return Err(two_numbers(format!("the page says {number}"), format!("{there} are shown")));
    }
    Ok(there)
}

/// Removes the rows of navigation tables: if there are several tables, only the rows in the main part of the page
/// count.
fn rows_of_main_table(page: &Snapshot, mut rows: Vec<NodeIndex>) -> Result<Vec<NodeIndex>, ResolveError> {
    let table_of =
        |row: &NodeIndex| page.ancestors(*row).find(|up| ElementKind::Table.fits(&page.nodes[*up]) == Some(0));
    let mut tables: Vec<NodeIndex> = rows.iter().filter_map(table_of).collect();
    tables.dedup();
    let in_main: Vec<NodeIndex> =
        tables.iter().copied().filter(|at| page.enclosing(*at, &["main"]).is_some()).collect();
    match in_main[..] {
        _ if tables.len() < 2 => {}
        [main] => rows.retain(|row| table_of(row) == Some(main)),
        _ => {
            let hint = "say which: `Save the number of rows in the table \"…\" as n`";
            return Err(ambiguity(page, "table", &tables, hint));
        }
    }
    Ok(rows)
}

/// The text of something that is not an element of its own, so that no action can read it.
pub(super) fn answer(
    page: &Snapshot,
    phrase: &TargetPhrase,
    attribute: &Option<String>,
    whole_text: bool,
) -> Result<Option<String>, ResolveError> {
    if phrase.raw.is_some() {
        return Ok(None);
    }
    if let Some(name) = &phrase.property {
        let about = phrase.owner();
        match (properties::value(page, name, Some(&about)), attribute) {
            (Ok(value), _) => return Ok(Some(value)),
            // `the title of the link "Home"`: the page has no such label, but an attribute with that name.
            (Err(ResolveError::NotFound { .. }), Some(_)) => {}
            (Err(failed), _) => return Err(failed),
        }
    }
    // `the text after "Total:"`, if one run of text contains both.
    if phrase.kind == Some(ElementKind::Text)
        && phrase.name.is_none()
        && let [Scope::After(about) | Scope::NextTo(about)] = phrase.scopes.as_slice()
        && let Some(label) = &about.name
        && let Ok(found) = find::mentions(page, about)
        && let [at] = found.as_slice()
        && let text = name_match::normalize_whitespace(&page.nodes[*at].name)
        && let Some(rest) = text.strip_prefix(name_match::normalize_whitespace(label).as_str())
        && let rest = rest.trim_start_matches([':', ' ', '=']).trim()
        && !rest.is_empty()
    {
        return Ok(Some(rest.to_owned()));
    }
    // `the order number`: a label has priority over a text that contains the words.
    let whole = phrase.whole.as_deref().filter(|_| phrase.kind == Some(ElementKind::Text) && phrase.scopes.is_empty());
    if let (Some(whole), None) = (whole, attribute)
        && let Ok(value) = properties::value(page, whole, None)
    {
        return Ok(Some(value));
    }
    // `the amount in the row of "Initech"`: the property of the row with that name.
    if let (None, [Scope::In(row)]) = (attribute, phrase.scopes.as_slice())
        && matches!(phrase.kind, Some(ElementKind::Text | ElementKind::Alert))
        && phrase.name.is_none()
        && row.kind == Some(ElementKind::Row)
        && let Some((name, _)) = phrase.source_text.split_once(" in ")
        && let Ok(value) = properties::value(page, name, Some(row))
    {
        return Ok(Some(value));
    }
    let at = find::one(page, phrase, Purpose::Any)?;
    let node = &page.nodes[at];
    // The value of a term is its description, even if the term has additional text: `Total (incl. VAT)`.
    if attribute.is_none()
        && !whole_text
        && let Some((term, value)) = name_match::described_term(page, at)
    {
        return value.map(Some).ok_or_else(|| {
            ResolveError::wrong_kind(
                format!("“{}”", phrase.source_text),
                "a term without a value",
                format!("it is {}", describe(page, term)),
            )
        });
    }
    // The value is requested, not its label.
    let label =
        whole.or(phrase.name.as_deref()).filter(|_| attribute.is_none() && phrase.ordinal.is_none()).filter(|label| {
            let same = name_match::NameMatcher::new(label).is(&name_match::content(page, at));
            let control = is_control(&node.role) || node.role.as_ref() == "heading" || node.value.is_some();
            same && !is_field_like(node)
                && if control { !whole_text && node.value.is_none() } else { phrase.kind.is_none() || whole.is_some() }
        });
    if let Some(label) = label {
        return match name_match::labelled_value(page, at, label) {
            Some(value) => Ok(Some(value)),
            None => properties::value(page, label, None).map(Some),
        };
    }
    if node.reference.is_some() || attribute.is_some() {
        return Ok(None);
    }
    if let (None, Some(label)) = (phrase.kind, &phrase.name)
        && let Some(value) = name_match::labelled_value(page, at, label)
    {
        return Ok(Some(value));
    }
    // A text that only mentions the name is not its value.
    if let Some(name) = whole.filter(|_| !whole_text && phrase.ordinal.is_none()) {
        return properties::value(page, name, None).map(Some);
    }
    let text = node.value.as_deref().filter(|_| !node.states.secret()).map(str::to_owned);
    Ok(Some(text.unwrap_or_else(|| name_match::normalize_whitespace(&name_match::content(page, at)))))
}
