//! The values with which a recorded action may be repeated, where the record does not say how it depends on them.
//!
//! An action whose element contains the value of a variable as plain text, or that a model decided by words with a
//! variable that the record does not contain, is right for that value only. The action has a digest of the value and is
//! not repeated in a run with another one.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use legwork_protocol::{ElementIdentity, placeholders};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{
    PlaybookAction,
    choice::names_word_of,
    parameters::{folded, significant_words},
};
use crate::workflow::variables::{lookup, names_in, words};

/// Texts of this length are also found without spaces around them, as in `ship-hooli` or `shipHooli`.
const MIN_INSIDE: usize = 4;
/// The number of bytes of a digest that are stored.
const DIGEST: usize = 8;
/// Attributes that have no texts of data.
const TECHNICAL: [&str; 2] = ["tag", "type"];

/// The digest of a value, irrespective of case and white space.
fn digest(value: &Value) -> String {
    let hash = Sha256::digest(folded(&words(value)));
    hash.iter().take(DIGEST).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The digests of these variables.
fn digests<'a>(
    names: impl IntoIterator<Item = &'a str>,
    variables: &BTreeMap<String, Value>,
) -> BTreeMap<String, String> {
    names.into_iter().filter_map(|name| Some((name.to_owned(), digest(lookup(name, variables)?)))).collect()
}

impl PlaybookAction {
    /// The name of a variable that has another value than in the recorded run, and on whose value the action depends.
    pub(super) fn other_value(&self, variables: &BTreeMap<String, Value>) -> Option<&str> {
        let is_other = |(name, recorded): &(&String, &String)| {
            lookup(name, variables).is_none_or(|value| digest(value) != **recorded)
        };
        self.bound.iter().find(is_other).map(|(name, _)| name.as_str())
    }

    /// Binds the action to the values that its elements and its texts contain. `variables` are those that it was
    /// decided with.
    pub(super) fn bind_contained(&mut self, variables: &BTreeMap<String, Value>) {
        let mut contained = BTreeSet::new();
        for (name, value) in variables {
            match value {
                Value::Object(fields) => {
                    let own = fields.iter().filter(|(_, value)| self.contains_value(value));
                    contained.extend(own.map(|(field, _)| format!("{name}.{field}")));
                }
                Value::Array(items) => {
                    let has = |item: &Value| match item {
                        Value::Object(fields) => fields.values().any(|value| self.contains_value(value)),
                        item => self.contains_value(item),
                    };
                    if items.iter().any(has) {
                        contained.insert(name.clone());
                    }
                }
                value if self.contains_value(value) => {
                    contained.insert(name.clone());
                }
                _ => {}
            }
        }
        self.bound.extend(digests(contained.iter().map(String::as_str), variables));
    }

    fn contains_value(&self, value: &Value) -> bool {
        if value.is_array() || value.is_object() || value.is_null() {
            return false;
        }
        let value = words(value);
        if value.contains("${") || plain_words(&value).is_empty() {
            return false;
        }
        self.elements.values().any(|element| element_contains(element, &value)) || self.text_contains(&value)
    }

    /// Whether a text of the action itself contains a value. The texts of targets with an identity are descriptions.
    fn text_contains(&self, value: &str) -> bool {
        let described = super::targets::with_targets(self.action.clone(), &|parameter| {
            self.elements.contains_key(parameter).then(|| legwork_protocol::Target(String::new()))
        });
        let Ok(wire) = serde_json::to_value(&described) else { return true };
        let mut open = vec![&wire["parameters"]];
        while let Some(next) = open.pop() {
            match next {
                Value::String(text) if contains(text, value) => return true,
                Value::Array(items) => open.extend(items),
                Value::Object(fields) => open.extend(fields.values()),
                _ => {}
            }
        }
        false
    }
}

/// Binds the actions that a model decided to the variables of the instruction whose influence the record does not
/// contain: no action names the variable, or the row of an element was chosen by something else than the instruction
/// says. `rows` are the variables of the loops around the step, which determine their rows themselves.
pub(super) fn bind_unexplained(
    actions: &mut [PlaybookAction],
    instruction: &str,
    rows: &[&str],
    variables: &BTreeMap<String, Value>,
) {
    let named: BTreeSet<&str> = names_in(instruction).into_iter().collect();
    if named.is_empty() {
        return;
    }
    let text = serde_json::to_string(actions).unwrap_or_default();
    let used: BTreeSet<&str> = placeholders(&text).collect();
    for action in actions.iter_mut().filter(|action| action.clause.is_none()) {
        let in_row = !action.elements.is_empty() && action.elements.values().all(ElementIdentity::is_in_row_of_loop);
        let is_open = action.elements.values().any(|element| is_chosen_otherwise(element, instruction));
        let is_unexplained = |name: &&str| {
            let variable = name.split('.').next().unwrap_or(name);
            !(in_row && rows.contains(&variable)) && (is_open || !used.contains(name))
        };
        let unexplained: Vec<&str> = named.iter().copied().filter(is_unexplained).collect();
        action.bound.extend(digests(unexplained, variables));
    }
}

/// Binds an action to the values of all variables: the content of the page decided, which depends on any of them.
pub(super) fn bind_to_all(action: &mut PlaybookAction, variables: &BTreeMap<String, Value>) {
    let names = variables.iter().filter(|(_, value)| !value.is_array() && !value.is_object()).map(|(name, _)| name);
    action.bound.extend(digests(names.map(String::as_str), variables));
}

/// Whether an element is in a row, item or card that neither a parameter nor a word of the instruction names.
fn is_chosen_otherwise(element: &ElementIdentity, instruction: &str) -> bool {
    let keys: Vec<&String> =
        element.containers.iter().flat_map(|container| container.names.iter().chain(&container.keys)).collect();
    !keys.is_empty() && !keys.iter().any(|key| key.contains("${") || names_word_of(instruction, key))
}

fn element_contains(element: &ElementIdentity, value: &str) -> bool {
    let attributes = element.attributes.iter().filter(|(key, _)| !TECHNICAL.contains(&key.as_str()));
    let own = [&element.name, &element.place].into_iter().chain(&element.frames);
    // What stands beside an element distinguishes it only from equal ones.
    let beside = element.before.iter().chain(&element.after).filter(|_| element.count > 1);
    let mut texts = own.chain(attributes.map(|(_, text)| text)).chain(beside);
    let mut keys = element.containers.iter().flat_map(|container| container.names.iter().chain(&container.keys));
    let significant = significant_words(value);
    texts.any(|text| contains(text, value))
        || keys.any(|key| contains(key, value) || plain_words(key).iter().any(|word| significant.contains(word)))
}

/// Whether a recorded text contains a value outside of its parameters, in any case and with any separators.
fn contains(text: &str, value: &str) -> bool {
    let plain = placeholders(text).fold(text.to_owned(), |text, name| text.replace(&format!("${{{name}}}"), " \u{0} "));
    let (own, wanted) = (plain_words(&plain), plain_words(value));
    let squashed = wanted.concat();
    own.windows(wanted.len()).any(|part| part == wanted)
        || squashed.chars().count() >= MIN_INSIDE && own.concat().contains(&squashed)
}

fn plain_words(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    text.split(|c: char| !c.is_alphanumeric() && c != '\u{0}')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_in_any_form() {
        for (text, value) in [
            ("Ship Hooli", "hooli"),
            ("ship-hooli", "Hooli"),
            ("shipHooli", "HOOLI"),
            ("ada  lovelace", "Ada Lovelace"),
            ("Line 7", "7"),
        ] {
            assert!(contains(text, value), "{text} {value}");
        }
        for (text, value) in [("Line 17", "7"), ("Ship ${who}", "who"), ("Adam", "Ada")] {
            assert!(!contains(text, value), "{text} {value}");
        }
    }
}
