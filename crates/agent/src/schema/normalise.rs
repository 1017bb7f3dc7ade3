//! Converts every accepted form of a decision to the canonical one: `decision`, `reasoning`, `confidence`, `commands`.

use serde_json::{Map, Value, json};

use super::line;

/// The canonical form; `rest` contains unknown fields.
pub(crate) struct Canonical {
    pub(crate) verdict: Option<String>,
    pub(crate) message: Value,
    pub(crate) validation: Option<Value>,
    pub(crate) reasoning: Option<Value>,
    pub(crate) confidence: Value,
    pub(crate) commands: Vec<Value>,
    /// Fields that no form has, by path.
    pub(crate) unknown: Vec<(String, Value)>,
}

pub(crate) fn canonical(mut object: Map<String, Value>) -> Canonical {
    let mut unknown = Vec::new();
    let mut decision = match object.remove("decision").or_else(|| object.remove("verdict")) {
        Some(Value::Object(map)) => map,
        Some(verdict @ Value::String(_)) => Map::from_iter([("action".to_owned(), verdict)]),
        _ => Map::new(),
    };
    let flow = object.remove("flowControl").or_else(|| object.remove("flow_control"));
    let commands = commands(&mut object, &mut decision);
    let verdict = decision.remove("action").or_else(|| decision.remove("verdict")).or(flow);
    let message = first(&mut decision, &mut object, &["message"]).unwrap_or(Value::Null);
    let validation = first(&mut decision, &mut object, &["resultValidation", "result_validation", "validation"]);
    let mut reasoning = ["reasoning", "why"].iter().find_map(|name| object.remove(*name));
    reasoning = reasoning.or_else(|| decision.remove("reasoning")).map(reasoning_of);
    let confidence = object
        .remove("confidence")
        .or_else(|| reasoning.as_mut()?.as_object_mut()?.remove("confidence"))
        .or_else(|| decision.remove("confidence"))
        .unwrap_or(Value::Null);
    object.remove("context");
    unknown.extend(decision.into_iter().map(|(key, value)| (format!("decision.{key}"), value)));
    unknown.extend(object);
    Canonical {
        verdict: verdict.as_ref().and_then(Value::as_str).map(verdict_of),
        message,
        validation: validation.filter(|value| !value.is_null()),
        reasoning: reasoning.filter(|value| !value.is_null()),
        confidence: confidence_of(confidence),
        commands,
        unknown,
    }
}

fn first(decision: &mut Map<String, Value>, object: &mut Map<String, Value>, names: &[&str]) -> Option<Value> {
    names.iter().find_map(|name| decision.remove(*name).or_else(|| object.remove(*name)))
}

fn verdict_of(word: &str) -> String {
    match word.trim().to_uppercase().as_str() {
        "CONTINUE" | "STOP_SUCCESS" | "DONE" | "COMPLETE" => "PROCEED".to_owned(),
        "STOP_FAILURE" | "FAIL" => "ABORT".to_owned(),
        word => word.to_owned(),
    }
}

fn reasoning_of(value: Value) -> Value {
    match value {
        Value::String(text) => json!({ "analysis": text }),
        Value::Object(mut map) => {
            for (from, to) in [("expected_outcome", "expectedOutcome"), ("thought", "analysis")] {
                if let Some(value) = map.remove(from) {
                    map.entry(to).or_insert(value);
                }
            }
            map.retain(|_, value| !value.is_null());
            Value::Object(map)
        }
        other => other,
    }
}

/// Converts 0–1, 0–100, `85%` or LOW/MEDIUM/HIGH to 0–1.
fn confidence_of(value: Value) -> Value {
    let number = match &value {
        Value::Number(number) => number.as_f64(),
        Value::String(word) => match word.trim().to_uppercase().as_str() {
            "LOW" => Some(0.3),
            "MEDIUM" => Some(0.6),
            "HIGH" => Some(0.9),
            word => word.trim_end_matches('%').trim().parse().ok(),
        },
        _ => None,
    };
    match number {
        Some(number) if (0.0..=1.0).contains(&number) => json!(number),
        Some(number) if (1.0..=100.0).contains(&number) => json!(number / 100.0),
        _ => value,
    }
}

fn commands(object: &mut Map<String, Value>, decision: &mut Map<String, Value>) -> Vec<Value> {
    let mut found = Vec::new();
    for key in ["do", "commands", "command", "actions", "action"] {
        let value = object.remove(key).or_else(|| if key == "action" { None } else { decision.remove(key) });
        match value {
            Some(Value::Array(list)) => found.extend(list),
            Some(Value::Null) | None => {}
            Some(Value::String(text)) if key == "do" => found.push(Value::String(text)),
            // `"action": "click", "parameters": {…}` at the top level of the reply.
            Some(Value::String(name)) => {
                let mut command = Map::from_iter([("action".to_owned(), Value::String(name))]);
                for key in ["parameters", "params", "arguments"] {
                    if let Some(value) = object.remove(key) {
                        command.insert("parameters".to_owned(), value);
                    }
                }
                found.push(Value::Object(command));
            }
            Some(one) => found.push(one),
        }
    }
    found.into_iter().map(command).collect()
}

/// Converts any form of a command to `{action, parameters, reasoning?}`. A form that is not recognized stays unchanged.
fn command(value: Value) -> Value {
    let mut map = match value {
        Value::Object(map) => map,
        Value::String(text) => return line::command(&text),
        other => return other,
    };
    let named = ["action", "command", "name", "tool", "type"].iter().find_map(|key| match map.get(*key) {
        Some(Value::String(name)) => Some((*key, name.clone())),
        _ => None,
    });
    let Some((key, written)) = named else {
        // `{"click": {"target": "e5"}}`
        let single = map.len() == 1 && map.values().all(Value::is_object);
        return match map.into_iter().next() {
            Some((name, parameters)) if single => command(json!({ "action": name, "parameters": parameters })),
            Some((name, parameters)) => json!({ "action": Value::Null, name: parameters }),
            None => Value::Null,
        };
    };
    map.remove(key);
    let action = legwork_protocol::action_name(&written);
    let reasoning = map.remove("reasoning").filter(Value::is_string);
    let mut given = Map::new();
    for key in ["parameters", "params", "arguments", "args", "input"] {
        if let Some(Value::Object(inner)) = map.remove(key) {
            given.extend(inner);
        }
    }
    given.extend(map);
    let mut out =
        json!({ "action": action, "parameters": legwork_protocol::action_parameters(&action, &written, given) });
    if let Some(reasoning) = reasoning {
        out["reasoning"] = reasoning;
    }
    out
}
