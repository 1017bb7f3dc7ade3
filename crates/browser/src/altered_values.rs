//! Values of a request for a change that the response contains in a different form. A server that answers 200 may have
//! capped, replaced or dropped a value, and the only sign of it is the stored record in the response.

use std::collections::HashMap;

use legwork_protocol::{AlteredValue, LIST_SEPARATOR};
use serde_json::{Map, Value};

/// The most values that are reported, and the most characters of each.
const MOST: usize = 5;
const LENGTH: usize = 120;
/// The maximum depth of the search for records, and the maximum number of objects that are examined.
const DEPTH: usize = 5;
const OBJECTS: usize = 200;

/// Whether a field of this name may hold a credential. The value that the server returns for such a field must not be
/// recorded.
fn is_credential(name: &str) -> bool {
    const WORDS: [&str; 9] = ["pass", "token", "secret", "csrf", "auth", "session", "key", "hash", "signature"];
    let name = name.to_lowercase();
    WORDS.iter().any(|word| name.contains(word))
}

/// The fields of a request body by name; `None` for a name that occurs with several values.
pub(crate) type SentFields = HashMap<String, Option<String>>;

/// Compares the sent fields with the record in the response that has the most of their names.
pub(crate) fn altered_values(sent: &SentFields, answered: &Value) -> Vec<AlteredValue> {
    let mut objects = Vec::new();
    collect_objects(answered, 0, &mut objects);
    let shared = |object: &Map<String, Value>| object.keys().filter(|name| sent.contains_key(*name)).count();
    // `max_by_key` returns the last maximum. With the order reversed, that is the first of several objects: an
    // enclosing object precedes the objects in it.
    if let Some(part) = part_of_list(sent, answered) {
        return vec![part];
    }
    let Some(record) = objects.into_iter().rev().max_by_key(|object| shared(object)) else { return Vec::new() };
    let mut altered: Vec<AlteredValue> = record
        .iter()
        .filter(|(name, _)| !is_credential(name))
        .filter_map(|(name, answered)| {
            let sent = sent.get(name)?.as_deref()?;
            let answered = if answered.is_null() { String::new() } else { text_of(answered)? };
            (answered != sent).then(|| AlteredValue { name: name.clone(), sent: clip(sent), answered: clip(&answered) })
        })
        .collect();
    altered.truncate(MOST);
    altered
}

/// The only list that was sent, if the response is a list with some of its entries and no others: the server dropped
/// the rest.
fn part_of_list(sent: &SentFields, answered: &Value) -> Option<AlteredValue> {
    let entries: Vec<String> = answered.as_array()?.iter().map(scalar_text).collect::<Option<_>>()?;
    let is_list = |value: &&str| value.contains(LIST_SEPARATOR);
    let mut lists = sent.iter().filter_map(|(name, value)| Some((name, value.as_deref().filter(is_list)?)));
    let (name, list) = lists.next().filter(|_| lists.next().is_none())?;
    let all: Vec<&str> = list.split(LIST_SEPARATOR).collect();
    let is_part = !entries.is_empty()
        && entries.len() < all.len()
        && entries.iter().all(|entry| all.contains(&entry.as_str()))
        && !is_credential(name);
    let answered = clip(&entries.join(LIST_SEPARATOR));
    is_part.then(|| AlteredValue { name: name.clone(), sent: clip(list), answered })
}

/// The texts, numbers, booleans and lists of these that a body, which is JSON or a form, contains.
pub(crate) fn fields_of(body: &[u8]) -> SentFields {
    let mut fields = HashMap::new();
    let mut note = |name: String, value: String| {
        fields.entry(name).and_modify(|known| *known = None).or_insert(Some(value));
    };
    match serde_json::from_slice::<Value>(body) {
        Ok(body) => {
            let mut objects = Vec::new();
            collect_objects(&body, 0, &mut objects);
            for (name, value) in objects.into_iter().flatten() {
                text_of(value).into_iter().for_each(|text| note(name.clone(), text));
            }
        }
        Err(_) if std::str::from_utf8(body).is_ok() => {
            for (name, value) in url::form_urlencoded::parse(body) {
                note(name.into_owned(), value.into_owned());
            }
        }
        Err(_) => {}
    }
    fields
}

/// Collects the objects of a value, an enclosing object before those in it. A list is searched only if it has a single
/// entry: among several, it is not known which one was changed.
fn collect_objects<'a>(value: &'a Value, depth: usize, objects: &mut Vec<&'a Map<String, Value>>) {
    if depth > DEPTH || objects.len() >= OBJECTS {
        return;
    }
    match value {
        Value::Object(object) => {
            objects.push(object);
            object.values().for_each(|inner| collect_objects(inner, depth + 1, objects));
        }
        Value::Array(entries) => {
            if let [entry] = entries.as_slice() {
                collect_objects(entry, depth + 1, objects);
            }
        }
        _ => {}
    }
}

pub(crate) fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(state) => Some(state.to_string()),
        Value::Array(entries) => {
            let mut texts = entries.iter().map(scalar_text).collect::<Option<Vec<_>>>()?;
            texts.sort_unstable();
            Some(texts.join(LIST_SEPARATOR))
        }
        _ => None,
    }
}

/// The text of a list entry; `None` for a nested list or an object.
fn scalar_text(value: &Value) -> Option<String> {
    if value.is_array() { None } else { text_of(value) }
}

fn clip(text: &str) -> String {
    text.chars().take(LENGTH).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn altered(sent: &str, answered: Value) -> Vec<String> {
        let line = |value: AlteredValue| format!("{}: {} instead of {}", value.name, value.answered, value.sent);
        altered_values(&fields_of(sent.as_bytes()), &answered).into_iter().map(line).collect()
    }

    #[test]
    fn a_record_that_comes_back_with_other_values_is_told() {
        let sent = r#"{"name":"Borealis","credit":25000,"active":true}"#;
        let capped = ["credit: 1000 instead of 25000"];
        assert_eq!(altered(sent, json!({"name": "Borealis", "credit": 1000, "active": true})), capped);
        assert_eq!(
            altered(r#"{"active":true,"regions":["US","EU"]}"#, json!({"active": false, "regions": ["EU"]})),
            ["active: false instead of true", "regions: EU instead of EU, US"]
        );
        assert!(altered(r#"{"regions":["US","EU"]}"#, json!({"regions": ["EU", "US"]})).is_empty(), "order");
        assert!(altered(r#"{"lines":[{"sku":1}]}"#, json!({"lines": []})).is_empty(), "no list of texts");
        assert_eq!(
            altered(sent, json!({"credit": "ok", "data": {"customer": {"name": "Borealis", "credit": 1000}}})),
            capped
        );
        assert_eq!(altered(sent, json!([{"name": "Borealis", "credit": 1000}])), capped);
        assert_eq!(altered("name=Borealis&credit=25000", json!({"name": "Borealis", "credit": 1000})), capped);
        assert_eq!(
            altered(
                r#"{"query":"…","variables":{"input":{"notes":"Call"}}}"#,
                json!({"data": {"save": {"notes": null}}})
            ),
            ["notes:  instead of Call"]
        );
    }

    #[test]
    fn a_list_that_comes_back_without_some_of_its_entries_is_told() {
        let sent = r#"{"roles":["Sales","Support","Admin"]}"#;
        assert_eq!(
            altered(sent, json!(["Sales", "Support"])),
            ["roles: Sales, Support instead of Admin, Sales, Support"]
        );
        for whole in [json!(["Admin", "Support", "Sales"]), json!([]), json!(["Guest"]), json!([{"name": "Sales"}])] {
            assert!(altered(sent, whole.clone()).is_empty(), "{whole}");
        }
    }

    #[test]
    fn what_is_not_repeated_or_not_told_apart_is_not_compared() {
        assert!(altered(r#"{"credit":25000}"#, json!({"ok": true})).is_empty());
        assert!(altered(r#"{"credit":25000}"#, json!([{"credit": 1}, {"credit": 2}])).is_empty());
        assert!(altered(r#"{"from":{"name":"A"},"to":{"name":"B"}}"#, json!({"name": "C"})).is_empty());
        assert!(
            altered(r#"{"password":"a","accessToken":"b"}"#, json!({"password": "$2b$…", "accessToken": "c"}))
                .is_empty()
        );
        assert!(altered("binary \u{1}", json!({"name": "C"})).is_empty());
    }
}
