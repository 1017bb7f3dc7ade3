//! Converts values that the browser serialized with their types (`RemoteValue`) to JSON.

use serde_json::{Map, Number, Value};

/// The JSON value of a serialized value. What JSON cannot represent (functions, symbols, `NaN`) becomes null, an
/// element an empty object, and a set an array, as when a page serializes them.
pub(super) fn json_of(remote: &Value) -> Value {
    let value = &remote["value"];
    match remote["type"].as_str().unwrap_or_default() {
        "string" | "boolean" | "date" => value.clone(),
        "number" => match value {
            Value::Number(number) => Value::Number(number.clone()),
            Value::String(text) if text == "-0" => Value::Number(Number::from(0)),
            _ => Value::Null,
        },
        "array" | "set" | "nodelist" | "htmlcollection" => {
            value.as_array().map_or(Value::Array(Vec::new()), |list| list.iter().map(json_of).collect())
        }
        "object" => {
            let entries = value.as_array().into_iter().flatten().filter_map(|entry| {
                let key = entry[0].as_str()?.to_owned();
                (entry[1]["type"] != "undefined" && entry[1]["type"] != "function").then(|| (key, json_of(&entry[1])))
            });
            Value::Object(entries.collect())
        }
        "undefined" | "null" | "function" | "symbol" | "bigint" => Value::Null,
        _ => Value::Object(Map::new()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_those_that_a_page_would_serialize() {
        let check = |remote: Value, expect: Value| assert_eq!(json_of(&remote), expect, "{remote}");
        check(json!({"type": "undefined"}), Value::Null);
        check(json!({"type": "number", "value": "NaN"}), Value::Null);
        check(json!({"type": "number", "value": 2.5}), json!(2.5));
        check(json!({"type": "node", "sharedId": "x"}), json!({}));
        let object = json!({"type": "object", "value": [
            ["a", {"type": "array", "value": [{"type": "string", "value": "b"}, {"type": "null"}]}],
            ["f", {"type": "function"}],
        ]});
        check(object, json!({"a": ["b", null]}));
    }
}
