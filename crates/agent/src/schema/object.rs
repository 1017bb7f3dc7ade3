//! Parses replies that are not decisions: small objects of a few known fields, with the same tolerance as decisions.
//! Fields are found in any spelling (`successCriteria`, `success_criteria`) and inside a tool call that should have
//! been the reply itself (`{"name": "submit_plan", "arguments": {…}}`).

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{SchemaProblem, repair};

/// The maximum depth of the fields: a list of tool calls, one call, its arguments.
const DEPTH: usize = 4;

/// The fields of a reply, by name in lower case without separators.
#[derive(Debug, PartialEq)]
pub(crate) struct Fields(BTreeMap<String, Value>);

/// Parses the object in a reply that has any of these fields. Names are in lower case without separators.
pub(crate) fn object(text: &str, wanted: &[&str]) -> Result<Fields, SchemaProblem> {
    let parsed = repair::parse_where(text, |map| found(map, wanted, DEPTH).is_some()).map_err(|problem| {
        SchemaProblem { expected: format!("a JSON object with {}", wanted.join(", ")), ..problem }
    })?;
    Ok(found(&parsed.object, wanted, DEPTH).unwrap_or_else(|| Fields(BTreeMap::new())))
}

fn found(map: &Map<String, Value>, wanted: &[&str], depth: usize) -> Option<Fields> {
    if map.keys().any(|key| wanted.contains(&plain(key).as_str())) {
        return Some(Fields(map.iter().map(|(key, value)| (plain(key), value.clone())).collect()));
    }
    let depth = depth.checked_sub(1)?;
    map.values().find_map(|value| within(value, wanted, depth))
}

fn within(value: &Value, wanted: &[&str], depth: usize) -> Option<Fields> {
    match value {
        Value::Object(map) => found(map, wanted, depth),
        Value::Array(items) => items.iter().find_map(|item| within(item, wanted, depth.checked_sub(1)?)),
        // Providers pass the arguments of a tool as text.
        Value::String(text) if text.trim_start().starts_with('{') => {
            within(&serde_json::from_str(text).ok()?, wanted, depth.checked_sub(1)?)
        }
        _ => None,
    }
}

fn plain(key: &str) -> String {
    key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

impl Fields {
    fn get(&self, names: &[&str]) -> Option<&Value> {
        names.iter().find_map(|name| self.0.get(*name)).filter(|value| !value.is_null())
    }

    /// The text of a field; of a list the items, of an object the first text.
    pub(crate) fn text(&self, names: &[&str]) -> Option<String> {
        let text = match self.get(names)? {
            Value::Array(items) => items.iter().filter_map(worded).collect::<Vec<_>>().join("; "),
            value => worded(value)?,
        };
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// The items of a field; of a text the lines.
    pub(crate) fn list(&self, names: &[&str]) -> Vec<String> {
        let items: Vec<String> = match self.get(names) {
            Some(Value::Array(items)) => items.iter().filter_map(worded).collect(),
            Some(Value::String(text)) => text.lines().map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        items.iter().map(|item| unnumbered(item)).filter(|item| !item.is_empty()).collect()
    }

    /// The boolean value of a field.
    pub(crate) fn flag(&self, names: &[&str]) -> Option<bool> {
        match self.get(names)? {
            Value::Bool(flag) => Some(*flag),
            Value::String(word) => match word.trim().to_lowercase().as_str() {
                "true" | "yes" => Some(true),
                "false" | "no" => Some(false),
                _ => None,
            },
            _ => None,
        }
    }
}

fn worded(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Object(map) => map.values().find_map(Value::as_str).map(str::to_owned),
        _ => None,
    }
}

/// The item without the number or dash of a list.
fn unnumbered(item: &str) -> String {
    let item = item.trim();
    let bare = item.trim_start_matches(|c: char| c.is_ascii_digit());
    let bare = match bare.strip_prefix(['.', ')', ':']) {
        Some(rest) if bare.len() < item.len() => rest,
        _ => item.strip_prefix(['-', '*', '•']).unwrap_or(item),
    };
    bare.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(reply: &str, criteria: &str, items: &[&str]) {
        let fields = object(reply, &["successcriteria", "actionitems"]).expect(reply);
        assert_eq!(fields.text(&["successcriteria"]).as_deref(), Some(criteria), "{reply}");
        assert_eq!(fields.list(&["actionitems"]), items, "{reply}");
    }

    #[test]
    fn fields_are_found_however_they_are_spelt_and_wrapped() {
        check(r#"{"successCriteria":"a","actionItems":["b","c"]}"#, "a", &["b", "c"]);
        check("Sure!\n```json\n{'success_criteria': 'a', 'action items': '1. b\\n2) c',}\n```", "a", &["b", "c"]);
        check(r#"{"name":"submit_plan","arguments":{"successCriteria":["a","b"]}}"#, "a; b", &[]);
        let call = r#"{"tool_calls":[{"function":{"name":"submit_plan","arguments":"{\"successCriteria\":\"a\",\"actionItems\":[{\"title\":\"b\"}]}"}}]}"#;
        check(call, "a", &["b"]);
        check(
            r#"{"successCriteria":"a","actionItems":["3 apples","- bread","2. milk"]"#,
            "a",
            &["3 apples", "bread", "milk"],
        );
    }

    #[test]
    fn another_object_is_none() {
        let problem = object(r#"{"decision":{"action":"PROCEED"}}"#, &["quality"]).unwrap_err();
        assert_eq!(problem.expected, "a JSON object with quality");
        assert!(object("I'd rather not.", &["quality"]).is_err());
    }
}
