//! Replaces secrets in every value that leaves the crate. It works on the JSON form of a value: on texts, numbers and
//! field names.
//!
//! The JSON form also contains words and numbers that Legwork itself defines, such as the kind of a failure or a count.
//! A secret may have the same text (`password`, `1024`). If the value can no longer be deserialized with such a text
//! masked, the text is not the secret, and it is left as it is.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::Session;

impl Session {
    pub(crate) fn masked<T: Serialize + DeserializeOwned>(&self, given: T) -> T {
        masked(given, &|text| self.inner.guard().mask(text)).unwrap_or_else(|rest| rest)
    }
}

/// A place in a value that masking changes.
enum Spot {
    /// A text or a number.
    Said { at: String, masked: String },
    /// The name of a field.
    Name { of: String, name: String, masked: String },
}

/// Returns the value with everything masked that `mask` replaces in a text.
///
/// # Errors
/// The masked value, if it still contains a text or name that may be a secret: one that could not be masked and is not
/// a single word.
pub fn masked<T: Serialize + DeserializeOwned>(given: T, mask: &dyn Fn(&mut String)) -> Result<T, T> {
    let Ok(mut value) = serde_json::to_value(&given) else { return Err(given) };
    let mut spots = Vec::new();
    find(&value, &mut String::new(), mask, &mut spots);
    if spots.is_empty() {
        return Ok(given);
    }
    let mut all = value.clone();
    spots.iter().for_each(|spot| spot.apply(&mut all));
    if let Some(masked) = read(&all, spots.iter().any(Spot::is_name)) {
        return Ok(masked);
    }
    let (mut masked, mut rest) = (given, false);
    for spot in &spots {
        let mut candidate = value.clone();
        spot.apply(&mut candidate);
        match read(&candidate, spot.is_name()) {
            Some(read) => (value, masked) = (candidate, read),
            None => rest |= !spot.may_be_ours(&value),
        }
    }
    if rest { Err(masked) } else { Ok(masked) }
}

/// Deserializes a value. If field names were masked, the result must contain all of them: an optional field of the type
/// itself would otherwise be dropped silently when its name is masked.
fn read<T: Serialize + DeserializeOwned>(value: &Value, has_names: bool) -> Option<T> {
    let read = T::deserialize(value).ok()?;
    let is_whole = !has_names || serde_json::to_value(&read).is_ok_and(|again| again == *value);
    is_whole.then_some(read)
}

/// Collects the places in the order in which they can be changed: a field name after everything in its field.
fn find(value: &Value, at: &mut String, mask: &dyn Fn(&mut String), spots: &mut Vec<Spot>) {
    let changed = |plain: &str| {
        let mut text = plain.to_owned();
        mask(&mut text);
        (text != plain).then_some(text)
    };
    let deeper = |step: &str, value: &Value, at: &mut String, spots: &mut Vec<Spot>| {
        let end = at.len();
        at.push('/');
        at.push_str(&step.replace('~', "~0").replace('/', "~1"));
        find(value, at, mask, spots);
        at.truncate(end);
    };
    match value {
        Value::String(text) => {
            spots.extend(changed(text).map(|masked| Spot::Said { at: at.clone(), masked }));
        }
        Value::Number(number) => {
            spots.extend(changed(&number.to_string()).map(|masked| Spot::Said { at: at.clone(), masked }));
        }
        Value::Array(values) => {
            let before = spots.len();
            for (index, value) in values.iter().enumerate() {
                deeper(&index.to_string(), value, at, spots);
            }
            // The characters of a text, or their codes.
            let parts: Option<Vec<String>> = values.iter().map(scalar_text).collect();
            if let Some(parts) = parts.filter(|parts| parts.len() > 1 && spots.len() == before) {
                spots.extend(changed(&parts.join(",")).map(|masked| Spot::Said { at: at.clone(), masked }));
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                deeper(name, value, at, spots);
                spots.extend(changed(name).map(|masked| Spot::Name { of: at.clone(), name: name.clone(), masked }));
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

fn scalar_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

impl Spot {
    fn apply(&self, value: &mut Value) {
        match self {
            Spot::Said { at, masked } => {
                if let Some(exec_context) = value.pointer_mut(at) {
                    *exec_context = Value::String(masked.clone());
                }
            }
            Spot::Name { of, name, masked } => {
                let fields = value.pointer_mut(of).and_then(Value::as_object_mut);
                if let Some((fields, held)) = fields.and_then(|fields| fields.remove(name).map(|held| (fields, held))) {
                    fields.insert(masked.clone(), held);
                }
            }
        }
    }

    fn is_name(&self) -> bool {
        matches!(self, Spot::Name { .. })
    }

    fn may_be_ours(&self, value: &Value) -> bool {
        let is_word = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        match self {
            Spot::Name { name, .. } => is_word(name),
            Spot::Said { at, .. } => match value.pointer(at) {
                Some(Value::String(text)) => is_word(text),
                _ => true,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use legwork_protocol::ActionFailure;
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    fn hide<T: Serialize + DeserializeOwned>(secret: &str, given: T) -> Result<T, T> {
        masked(given, &|text| *text = text.replace(secret, "***"))
    }

    fn failure(what: &str, reason: &str) -> ActionFailure {
        ActionFailure::Unreadable { what: what.to_owned(), reason: reason.to_owned() }
    }

    #[test]
    fn texts_are_masked_wherever_they_stand() {
        let given = failure("the value of \"Pin\"", "value 4815 is odd");
        assert_eq!(hide("4815", given.clone()), Ok(failure("the value of \"Pin\"", "value *** is odd")));
        assert_eq!(hide("2342", given.clone()), Ok(given));
    }

    #[test]
    fn a_secret_that_is_a_word_of_ours_is_masked_where_it_is_not_ours() {
        let given = failure("an unreadable \"Pin\"", "unreadable 4815");
        // The failure's own kind is this word in the JSON form, and a field has the other word as its name.
        assert!(json!(given).to_string().contains(":\"unreadable\""));
        assert_eq!(hide("unreadable", given), Ok(failure("an *** \"Pin\"", "*** 4815")));
        assert_eq!(hide("reason", failure("a reason", "none")), Ok(failure("a ***", "none")));
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Counted {
        tokens: u64,
        #[serde(default)]
        note: String,
        said: Value,
    }

    #[test]
    fn a_number_is_masked_where_anything_may_stand() {
        let given = |note: &str, said| Counted { tokens: 4815, note: note.to_owned(), said };
        let masked = hide("4815", given("pin 4815", json!({"pin": 4815, "all": [4815, 7]})));
        assert_eq!(masked, Ok(given("pin ***", json!({"pin": "***", "all": ["***", 7]}))));
        // An optional field would be lost if its name were masked.
        assert_eq!(hide("note", given("a note", json!({"note": 1}))), Ok(given("a ***", json!({"***": 1}))));
    }

    #[test]
    fn an_answer_in_any_shape_is_masked_in_every_place() {
        let answer = json!({"4815": [4815, -48.5, 7, true, null, "x 4815"], "a/b~": {"4815": {"4815": 14815}}});
        let expected = json!({"***": ["***", -48.5, 7, true, null, "x ***"], "a/b~": {"***": {"***": "1***"}}});
        assert_eq!(hide("4815", answer), Ok(expected));
    }

    #[test]
    fn the_characters_of_a_secret_are_masked_as_a_whole() {
        let codes = |text: &mut String| *text = text.replace("52,56,49,53", "***").replace("4,8,1,5", "***");
        let given = json!({"codes": [52, 56, 49, 53], "letters": ["4", "8", "1", "5"], "other": [1, 2]});
        let expected = json!({"codes": "***", "letters": "***", "other": [1, 2]});
        assert_eq!(masked(given, &codes), Ok(expected));
    }

    #[test]
    fn what_cannot_be_masked_and_is_no_word_of_ours_is_told() {
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        struct Dated {
            at: jiff::Timestamp,
        }
        let given = || Dated { at: "2026-01-02T03:04:05Z".parse().unwrap() };
        assert_eq!(hide("2026-01-02", given()), Err(given()));
    }
}
