//! The requested shape of extracted data: the schema of a reply about one chunk, and the check of the data.

use legwork_protocol::{Extract, ReplySchema};
use serde_json::{Map, Value, json};

use crate::{
    json_schema::{InvalidSchema, JsonSchema, Mismatch, MismatchKind},
    schema::{self, SchemaProblem},
};

/// The maximum number of problems that a repair prompt lists.
const PROBLEMS: usize = 8;

/// The requested shape of the data.
#[derive(Debug, Default)]
pub(crate) struct ExtractSchema {
    /// The schema of the action; absent when every shape is allowed.
    pub(crate) wanted: Option<Value>,
    whole: Option<JsonSchema>,
    item: Option<(Value, JsonSchema)>,
    /// Whether the data is a list of items, each with its line. An object whose only property is a list counts as a
    /// list.
    pub(crate) list: Option<bool>,
    /// The property that contains the list.
    pub(crate) key: Option<String>,
}

/// The reply of a model about one chunk.
#[derive(Debug, PartialEq)]
pub(crate) enum ExtractReply {
    /// Items, each with the index of its line.
    Items(Vec<(Option<usize>, Value)>),
    /// One value, and the indices of its lines.
    One(Value, Vec<usize>),
}

/// The reasons for which a schema is unusable.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ShapeError {
    /// It is a text that is not valid JSON.
    #[error("it is not valid JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// It is valid JSON, but not a valid JSON Schema.
    #[error("it is not a valid JSON Schema: {0}")]
    Schema(#[from] InvalidSchema),
}

impl ExtractSchema {
    /// Reads the requested shape.
    ///
    /// # Errors
    /// If the schema is not valid.
    pub(crate) fn of(extract: &Extract) -> Result<ExtractSchema, ShapeError> {
        let wanted = match &extract.schema {
            // Models whose schema allows only texts send it as a text.
            Some(Value::String(text)) => Some(serde_json::from_str(text)?),
            Some(schema) if schema.is_object() => Some(schema.clone()),
            _ if !extract.fields.is_empty() => Some(of_fields(&extract.fields)),
            _ => None,
        };
        let Some(wanted) = wanted else { return Ok(ExtractSchema::default()) };
        let made = JsonSchema::compile;
        let whole = made(&wanted)?;
        let (key, array) = match single_list(&wanted) {
            Some((key, array)) => (Some(key), Some(array)),
            None => (None, (wanted["type"] == "array").then(|| wanted.clone())),
        };
        let item = match array.as_ref().map(|array| array["items"].clone()).filter(Value::is_object) {
            Some(item) => Some((item.clone(), made(&item)?)),
            None => None,
        };
        Ok(ExtractSchema { list: Some(array.is_some()), wanted: Some(wanted), whole: Some(whole), item, key })
    }

    /// An example of a reply, for the prompt.
    pub(crate) fn example(&self) -> &'static str {
        match self.list {
            Some(true) => r#"{"items":[{"line":12,"value":…}]}"#,
            Some(false) => r#"{"value":…,"lines":[12]}"#,
            None => r#"{"items":[{"line":12,"value":…}]} for a list, {"value":…,"lines":[12]} for anything else"#,
        }
    }

    /// The schema of one item or of the single value, for the prompt.
    pub(crate) fn of_value(&self) -> Option<&Value> {
        match self.list {
            Some(true) => self.item.as_ref().map(|(item, _)| item),
            _ => self.wanted.as_ref(),
        }
    }

    /// The schema of the reply, for providers that enforce one; absent if strict schemas cannot express it.
    pub(crate) fn wire(&self) -> Option<ReplySchema> {
        let value = self.of_value()?;
        if value.to_string().contains("\"$") || !closed(value) {
            return None;
        }
        let reply = match self.list? {
            true => json!({"items": {"type": "array", "items": {
                "type": "object",
                "properties": {"line": {"type": "integer"}, "value": value},
                "required": ["line", "value"],
            }}}),
            false => json!({"value": value, "lines": {"type": "array", "items": {"type": "integer"}}}),
        };
        let required: Vec<String> = reply.as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect();
        let schema = schema::normalised(&json!({"type": "object", "properties": reply, "required": required}));
        Some(ReplySchema { name: "extraction".into(), schema: schema.into() })
    }

    /// Parses the reply about one chunk. `alone`: no other chunk can supply values that this one lacks.
    ///
    /// # Errors
    /// All problems of the reply.
    pub(crate) fn read(&self, text: &str, alone: bool) -> Result<ExtractReply, Vec<SchemaProblem>> {
        let parsed =
            schema::parse_with(text, &["items", "value"], "items or value").map_err(|problem| vec![problem])?;
        if parsed.cut_in.is_some() {
            return Err(vec![SchemaProblem::whole("a whole JSON object", "a reply that was cut off")]);
        }
        let mut object = parsed.object;
        let reply = match (object.remove("items"), object.remove("value")) {
            (Some(Value::Array(items)), _) if self.list != Some(false) => {
                ExtractReply::Items(items.into_iter().map(item).collect())
            }
            (_, Some(value)) if self.list != Some(true) => {
                let lines = object.remove("lines").or_else(|| object.remove("line"));
                let lines = match lines {
                    Some(Value::Array(lines)) => lines.iter().filter_map(line).collect(),
                    Some(one) => line(&one).into_iter().collect(),
                    None => Vec::new(),
                };
                ExtractReply::One(value, lines)
            }
            _ => {
                return Err(vec![SchemaProblem::whole(
                    format!("an object of the shape {}", self.example()),
                    text.trim(),
                )]);
            }
        };
        let problems = self.problems(&reply, alone);
        if problems.is_empty() { Ok(reply) } else { Err(problems) }
    }

    /// The usable parts of a reply, after all retries failed.
    pub(crate) fn salvage(&self, text: &str) -> Option<(ExtractReply, usize)> {
        let anything = ExtractSchema { list: self.list, ..ExtractSchema::default() };
        let Ok(ExtractReply::Items(items)) = anything.read(text, false) else { return None };
        let before = items.len();
        let fits = |value: &Value| self.item.as_ref().is_none_or(|(_, fits)| fits.is_valid(value));
        let kept: Vec<_> = items.into_iter().filter(|(_, value)| fits(value)).collect();
        (!kept.is_empty()).then(|| (before - kept.len(), kept)).map(|(lost, kept)| (ExtractReply::Items(kept), lost))
    }

    fn problems(&self, reply: &ExtractReply, alone: bool) -> Vec<SchemaProblem> {
        let mut problems = Vec::new();
        match (reply, &self.item, &self.whole) {
            (ExtractReply::Items(items), Some((_, fits)), _) => {
                for (at, (_, value)) in items.iter().enumerate() {
                    problems.extend(schema_problems(fits, value, &format!("items[{at}].value")));
                }
            }
            (ExtractReply::One(value, _), _, Some(fits)) => {
                problems.extend(schema_problems(fits, value, "value"));
                if !alone {
                    // Another chunk may supply the missing value.
                    problems.retain(|problem| problem.value != "nothing");
                }
            }
            _ => {}
        }
        problems.truncate(PROBLEMS);
        problems
    }

    /// The problems of the complete data.
    pub(crate) fn wrong(&self, data: &Value) -> Vec<String> {
        let problems = self.whole.iter().flat_map(|fits| schema_problems(fits, data, "data"));
        problems.take(PROBLEMS).map(|problem| problem.to_string()).collect()
    }
}

fn schema_problems(schema: &JsonSchema, value: &Value, path: &str) -> Vec<SchemaProblem> {
    let problem = |Mismatch { path: place, kind, found }: Mismatch| match kind {
        MismatchKind::Missing(name) => SchemaProblem::new(format!("{path}{place}.{name}"), "a value", &Value::Null),
        MismatchKind::Unexpected(name) => {
            SchemaProblem::new(format!("{path}{place}.{name}"), "no such property", &found[&name])
        }
        MismatchKind::Wrong(expected) => SchemaProblem::new(format!("{path}{place}"), expected, &found),
    };
    schema.mismatches(value).into_iter().map(problem).collect()
}

fn of_fields(fields: &[String]) -> Value {
    let properties: Map<String, Value> =
        fields.iter().map(|field| (field.clone(), json!({"type": ["string", "null"]}))).collect();
    let item = json!({"type": "object", "properties": properties, "required": fields, "additionalProperties": false});
    json!({"type": "array", "items": item})
}

/// An object with a single property, which is a list.
fn single_list(schema: &Value) -> Option<(String, Value)> {
    let properties = schema["properties"].as_object()?;
    let (key, only) = properties.iter().next().filter(|_| properties.len() == 1)?;
    (only["type"] == "array").then(|| (key.clone(), only.clone()))
}

/// Whether every part of the schema states its type: strict providers reject the others.
fn closed(schema: &Value) -> bool {
    let typed = ["type", "enum", "anyOf", "oneOf", "const"].iter().any(|key| schema.get(*key).is_some());
    let below = schema["properties"].as_object().into_iter().flatten().map(|(_, value)| value);
    let is_object = schema["type"] == "object";
    typed
        && (!is_object || schema["properties"].is_object())
        && (schema["type"] != "array" || schema["items"].is_object())
        && below.chain(schema.get("items")).all(closed)
}

/// `{"line": 12, "value": …}`, or the bare item of a model that omits the wrapper.
fn item(written: Value) -> (Option<usize>, Value) {
    match written {
        Value::Object(mut map) if map.contains_key("value") && map.len() <= 2 => {
            let at = map.get("line").and_then(line);
            (at, map.remove("value").unwrap_or_default())
        }
        bare => (None, bare),
    }
}

fn line(number: &Value) -> Option<usize> {
    let number = number.as_u64().or_else(|| number.as_str()?.trim().parse().ok())?;
    usize::try_from(number).ok()?.checked_sub(1)
}
