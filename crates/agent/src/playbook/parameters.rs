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
        self.replaced(text, label, |text, value| text.starts_with(value).then_some(value.len()))
    }

    /// `prefix` returns the length of a value with which a text begins.
    fn replaced(
        &self,
        text: &str,
        label: &str,
        prefix: impl Fn(&str, &str) -> Option<usize>,
    ) -> Result<String, String> {
        let label = label.to_lowercase();
        let named = |name: &str| label.contains(&name.to_lowercase().replace('_', " "));
        let mut template = String::new();
        let mut rest = text;
        'next: while !rest.is_empty() {
            let at_start = template.is_empty() || template.ends_with(|c: char| !c.is_alphanumeric());
            for (name, value) in self.values.iter().filter(|_| at_start) {
                let Some(after) = prefix(rest, value).map(|length| &rest[length..]) else { continue };
                let is_whole = template.is_empty() && after.is_empty();
                if after.starts_with(char::is_alphanumeric) || !is_whole && value.chars().count() < MIN_LENGTH {
                    continue;
                }
                let same: Vec<&str> = self
                    .values
                    .iter()
                    .filter(|(_, other)| prefix(other, value) == Some(other.len()))
                    .map(|(name, _)| name.as_str())
                    .collect();
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

    /// As [`Parameters::template`], for an address. If the name is not known, the text stays.
    pub(super) fn in_address(&self, text: &str) -> String {
        self.template(text, "").unwrap_or_else(|_| text.to_owned())
    }

    /// As [`Parameters::template`], for a text of the page, which may show a value in another case and with other white
    /// space. If the name is not known, the text stays.
    pub(super) fn in_page_text(&self, text: &str) -> String {
        self.replaced(text, "", folded_prefix).unwrap_or_else(|_| text.to_owned())
    }

    /// An identity whose texts name the parameters.
    pub(super) fn in_identity(&self, identity: &ElementIdentity) -> ElementIdentity {
        let mut changed = each_text(identity, |text| self.in_page_text(text), |href| self.in_address(href));
        for container in &mut changed.containers {
            self.join_keys(&mut container.keys);
        }
        changed
    }

    /// The keys of a row are single words. Those of a value with several words become its name; a row that has only a
    /// part of the value as its own words is named by the value as well.
    fn join_keys(&self, keys: &mut Vec<String>) {
        for (name, value) in &self.values {
            let own = significant_words(value);
            let is_clear = self.values.iter().filter(|(_, other)| folded(other) == folded(value)).count() == 1;
            let is_of_value = |key: &String| own.contains(key);
            if !is_clear || !value.trim().contains(char::is_whitespace) || !keys.iter().any(is_of_value) {
                continue;
            }
            let first = keys.iter().position(is_of_value).unwrap_or(0);
            keys[first] = format!("${{{name}}}");
            let mut at = 0;
            keys.retain(|key| {
                at += 1;
                at - 1 == first || !own.contains(key)
            });
        }
    }
}

/// A text with the values of its parameters.
pub(super) fn filled(text: &str, variables: &BTreeMap<String, Value>) -> String {
    if text.contains("${") { resolve(text, variables).text } else { text.to_owned() }
}

/// An identity with the values of its parameters.
pub(super) fn filled_identity(identity: &ElementIdentity, variables: &BTreeMap<String, Value>) -> ElementIdentity {
    each_text(identity, |text| filled(text, variables), |href| filled(href, variables))
}

/// A text in lower case, with single spaces.
pub(super) fn folded(text: &str) -> String {
    text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// The words of a value that are long enough to identify a row, as the keys of a row are written.
pub(super) fn significant_words(value: &str) -> Vec<String> {
    let words = value.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase());
    words.filter(|word| word.chars().count() >= MIN_LENGTH || word.contains(|c: char| c.is_ascii_digit())).collect()
}

/// The length of the value with which a text begins, irrespective of case and white space.
fn folded_prefix(text: &str, value: &str) -> Option<usize> {
    let value: Vec<char> = folded(value).chars().collect();
    let (mut next, mut after_space) = (0, false);
    for (at, c) in text.char_indices() {
        if next == value.len() && next > 0 {
            return Some(at);
        }
        if c.is_whitespace() {
            if value.get(next) == Some(&' ') {
                next += 1;
                after_space = true;
            } else if !after_space {
                return None;
            }
            continue;
        }
        after_space = false;
        for lower in c.to_lowercase() {
            if value.get(next) != Some(&lower) {
                return None;
            }
            next += 1;
        }
    }
    (next == value.len() && next > 0).then_some(text.len())
}

fn each_text(
    identity: &ElementIdentity,
    change: impl Fn(&str) -> String,
    change_address: impl Fn(&str) -> String,
) -> ElementIdentity {
    let mut changed = identity.clone();
    changed.name = change(&changed.name);
    changed.place = change(&changed.place);
    for text in changed.before.iter_mut().chain(&mut changed.after) {
        *text = change(text);
    }
    changed.about.iter_mut().for_each(|text| *text = change(text));
    for container in &mut changed.containers {
        container.names.iter_mut().chain(&mut container.keys).for_each(|text| *text = change(text));
    }
    if let Some(href) = changed.attributes.get_mut("href") {
        *href = change_address(href);
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

    #[test]
    fn a_value_in_a_text_of_the_page_is_recognized_in_any_case_and_white_space() {
        let known = parameters(&[("who", "Hooli"), ("full", "Ada  Lovelace")]);
        assert_eq!(known.in_page_text("hooli"), "${who}");
        assert_eq!(known.in_page_text("Ship HOOLI now"), "Ship ${who} now");
        assert_eq!(known.in_page_text("ADA\u{a0}Lovelace's orders"), "${full}'s orders");
        assert_eq!(known.in_page_text("hoolio"), "hoolio");
        // A typed text is repeated as it is.
        assert_eq!(known.template("hooli", "").as_deref(), Ok("hooli"));
    }

    #[test]
    fn the_keys_of_a_row_name_a_value_of_several_words() {
        let keys = |value: &str, keys: &[&str]| {
            let container = legwork_protocol::ContainerIdentity {
                role: "row".into(),
                keys: keys.iter().map(|key| (*key).to_owned()).collect(),
                ..legwork_protocol::ContainerIdentity::default()
            };
            let identity = ElementIdentity { containers: vec![container], ..ElementIdentity::default() };
            parameters(&[("who", value)]).in_identity(&identity).containers.remove(0).keys
        };
        assert_eq!(keys("Hooli", &["1003", "hooli"]), ["1003", "${who}"]);
        assert_eq!(keys("Hooli Ltd.", &["1003", "hooli", "ltd"]), ["1003", "${who}"]);
        assert_eq!(keys("Hooli Ltd.", &["hooli"]), ["${who}"]);
    }
}
