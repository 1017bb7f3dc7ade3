//! Converts schemas to the form that strict providers require: all properties required, optional ones nullable, and
//! only supported keywords.

use serde_json::{Map, Value, json};

const KEPT: [&str; 7] = ["type", "properties", "required", "additionalProperties", "items", "anyOf", "enum"];

/// Merges a tagged union of objects into one object. A property that is not in every variant becomes optional.
pub(crate) fn flattened(schema: &Value) -> Value {
    let Some(variants) = schema["oneOf"].as_array() else { return schema.clone() };
    let mut properties = Map::new();
    let mut tags: Map<String, Value> = Map::new();
    for variant in variants {
        for (key, value) in variant["properties"].as_object().into_iter().flatten() {
            match value.get("const") {
                Some(tag) => {
                    let words = tags.entry(key.clone()).or_insert_with(|| json!([]));
                    words.as_array_mut().expect("tags are made as arrays, a line above").push(tag.clone());
                }
                None => _ = properties.insert(key.clone(), value.clone()),
            }
        }
    }
    let required: Vec<String> = tags.keys().cloned().collect();
    for (key, words) in tags {
        properties.insert(key, json!({ "type": "string", "enum": words }));
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// The schema in the form that strict providers require.
pub(crate) fn normalised(schema: &Value) -> Value {
    let Some(map) = schema.as_object() else { return schema.clone() };
    let mut out = Map::new();
    for (key, value) in map {
        match key.as_str() {
            "const" => _ = out.insert("enum".into(), json!([value])),
            "oneOf" | "anyOf" => _ = out.insert("anyOf".into(), alternatives(value)),
            "items" => _ = out.insert(key.clone(), normalised(value)),
            "properties" => {}
            key if KEPT.contains(&key) => _ = out.insert(key.to_owned(), value.clone()),
            _ => {}
        }
    }
    // schemars generates an enum with documented variants as one constant per variant.
    if let Some(words) = constants(out.get("anyOf")) {
        return json!({ "type": "string", "enum": words });
    }
    if map.get("type").is_some_and(|kind| kind == "object") {
        let wanted: Vec<&str> =
            map.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let mut properties = Map::new();
        for (key, value) in map.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let value = normalised(value);
            properties.insert(key.clone(), if wanted.contains(&key.as_str()) { value } else { nullable(value) });
        }
        out.insert("required".into(), properties.keys().cloned().collect());
        out.insert("properties".into(), Value::Object(properties));
        out.insert("additionalProperties".into(), false.into());
    }
    Value::Object(out)
}

fn alternatives(of: &Value) -> Value {
    let mut out: Vec<Value> = Vec::new();
    for schema in of.as_array().into_iter().flatten().map(normalised) {
        match schema.get("anyOf").and_then(Value::as_array) {
            Some(inner) => out.extend(inner.iter().cloned()),
            None => out.push(schema),
        }
    }
    Value::Array(out)
}

fn constants(of: Option<&Value>) -> Option<Vec<Value>> {
    let words: Vec<Value> =
        of?.as_array()?.iter().map(|one| one.get("enum")?.as_array().cloned()).collect::<Option<Vec<_>>>()?.concat();
    (!words.is_empty() && words.iter().all(Value::is_string)).then_some(words)
}

fn nullable(mut schema: Value) -> Value {
    // `{anyOf: [{type: string}, {type: null}]}` is equivalent to the shorter `type: [string, null]`.
    if let Some([one, other]) = schema["anyOf"].as_array().map(Vec::as_slice)
        && *other == json!({ "type": "null" })
        && one["type"].is_string()
    {
        schema = one.clone();
    }
    if let Some(alternatives) = schema.get_mut("anyOf").and_then(Value::as_array_mut) {
        if !alternatives.iter().any(|one| one["type"] == "null") {
            alternatives.push(json!({ "type": "null" }));
        }
        return schema;
    }
    let already = schema["type"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "null"));
    if !already && let Some(kind) = schema["type"].as_str().map(str::to_owned) {
        schema["type"] = json!([kind, "null"]);
        if let Some(words) = schema.get_mut("enum").and_then(Value::as_array_mut) {
            words.push(Value::Null);
        }
    }
    schema
}
