//! Values become parameters: a recorded text names the inputs and variables whose values it contains.

use std::collections::BTreeMap;

use legwork_protocol::ElementIdentity;
use serde_json::Value;

use crate::workflow::variables::{resolve, words};

/// The length from which a value is found inside a longer text. A shorter one would often be there by chance.
const MIN_LENGTH: usize = 3;

/// The values that texts of a step may contain, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Parameters {
    values: Vec<(String, String)>,
}

impl Parameters {
    /// The given variables with their values. Values that are empty or contain a secret are left out.
    pub(super) fn new<'a>(variables: impl IntoIterator<Item = (&'a String, &'a Value)>) -> Self {
        let mut values: Vec<(String, String)> = variables
            .into_iter()
            .filter(|(_, value)| !value.is_array() && !value.is_object())
            .map(|(name, value)| (name.clone(), words(value)))
            .filter(|(_, value)| !value.is_empty() && !value.contains("${"))
            .collect();
        // A longer value may contain a shorter one.
        values.sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
        Parameters { values }
    }

    /// The text with names instead of values. The error is a value that two names have, so that it is not known which
    /// of them is meant; `label` decides if it contains one of the names.
    pub(super) fn template(&self, text: &str, label: &str) -> Result<String, String> {
        let label = label.to_lowercase();
        let named = |name: &str| label.contains(&name.to_lowercase().replace('_', " "));
        let mut template = String::new();
        let mut rest = text;
        'next: while !rest.is_empty() {
            let at_start = template.is_empty() || template.ends_with(|c: char| !c.is_alphanumeric());
            for (name, value) in self.values.iter().filter(|_| at_start) {
                let Some(after) = rest.strip_prefix(value.as_str()) else { continue };
                let is_whole = template.is_empty() && after.is_empty();
                if after.starts_with(char::is_alphanumeric) || !is_whole && value.chars().count() < MIN_LENGTH {
                    continue;
                }
                let same: Vec<&str> =
                    self.values.iter().filter(|(_, other)| other == value).map(|(name, _)| name.as_str()).collect();
                let meant = match same.as_slice() {
                    [_] => name,
                    several => {
                        let mut suitable = several.iter().filter(|name| named(name));
                        match (suitable.next(), suitable.next()) {
                            (Some(one), None) => *one,
                            _ => return Err(several.join(" or ")),
                        }
                    }
                };
                template.push_str(&format!("${{{meant}}}"));
                rest = after;
                continue 'next;
            }
            let length = rest.chars().next().map_or(1, char::len_utf8);
            template.push_str(&rest[..length]);
            rest = &rest[length..];
        }
        Ok(template)
    }

    /// As [`Parameters::template`], for a text of the page. If the name is not known, the text stays.
    pub(super) fn in_page_text(&self, text: &str) -> String {
        self.template(text, "").unwrap_or_else(|_| text.to_owned())
    }

    /// An identity whose texts name the parameters.
    pub(super) fn in_identity(&self, identity: &ElementIdentity) -> ElementIdentity {
        each_text(identity, |text| self.in_page_text(text))
    }
}

/// A text with the values of its parameters.
pub(super) fn filled(text: &str, variables: &BTreeMap<String, Value>) -> String {
    if text.contains("${") { resolve(text, variables).text } else { text.to_owned() }
}

/// An identity with the values of its parameters.
pub(super) fn filled_identity(identity: &ElementIdentity, variables: &BTreeMap<String, Value>) -> ElementIdentity {
    each_text(identity, |text| filled(text, variables))
}

fn each_text(identity: &ElementIdentity, change: impl Fn(&str) -> String) -> ElementIdentity {
    let mut changed = identity.clone();
    changed.name = change(&changed.name);
    changed.place = change(&changed.place);
    for text in changed.before.iter_mut().chain(&mut changed.after) {
        *text = change(text);
    }
    for key in changed.containers.iter_mut().flat_map(|container| &mut container.keys) {
        *key = change(key);
    }
    if let Some(href) = changed.attributes.get_mut("href") {
        *href = change(href);
    }
    changed
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parameters(values: &[(&str, &str)]) -> Parameters {
        let values: Vec<(String, Value)> =
            values.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
        Parameters::new(values.iter().map(|(name, value)| (name, value)))
    }

    #[test]
    fn values_become_names() {
        let known = parameters(&[("customer", "Ada Lovelace"), ("first", "Ada"), ("n", "7")]);
        let template = |text: &str| known.template(text, "").expect("one name");
        assert_eq!(template("Ada Lovelace"), "${customer}");
        assert_eq!(template("Dear Ada, hello"), "Dear ${first}, hello");
        assert_eq!(template("Adam and 17 or 7 of them"), "Adam and 17 or 7 of them");
        assert_eq!(template("7"), "${n}");
        assert_eq!(filled("Dear ${first}", &BTreeMap::from([("first".into(), json!("Bob"))])), "Dear Bob");
    }

    #[test]
    fn two_names_of_one_value_are_told_apart_by_the_label_of_the_field() {
        let known = parameters(&[("billing_city", "Oslo"), ("delivery_city", "Oslo")]);
        assert_eq!(known.template("Oslo", "Delivery city").as_deref(), Ok("${delivery_city}"));
        assert!(known.template("Oslo", "Town").is_err());
    }
}
