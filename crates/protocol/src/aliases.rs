//! The other names of actions and their parameters, which models, files and programs use. [`ACTIONS`] declares those of
//! single actions.

use serde_json::{Map, Value, json};

use crate::{ACTIONS, ActionInfo, ParameterKind, Ref};

/// An action as it was written, with its own name and those of its parameters:
/// `{"action": "CLICK_ELEMENT", "parameters": {"selector": "#save"}}` is
/// `{"action": "click", "parameters": {"target": "#save"}}`. Anything else is returned unchanged.
pub fn canonical_action(written: Value) -> Value {
    let Value::Object(mut map) = written else { return written };
    let name = map.get("action").and_then(Value::as_str).map(str::to_owned);
    let Some(name) = name else { return Value::Object(map) };
    let action = action_name(&name);
    if ActionInfo::named(&action).is_none() {
        return Value::Object(map);
    }
    match map.remove("parameters") {
        None | Some(Value::Null) => {
            let given = action_parameters(&action, &name, Map::new());
            if !given.is_empty() {
                map.insert("parameters".to_owned(), Value::Object(given));
            }
        }
        Some(Value::Object(given)) => {
            map.insert("parameters".to_owned(), Value::Object(action_parameters(&action, &name, given)));
        }
        Some(other) => {
            map.insert("parameters".to_owned(), other);
        }
    }
    map.insert("action".to_owned(), json!(action));
    Value::Object(map)
}

/// The canonical name of an action.
pub fn action_name(name: &str) -> String {
    let name = name.trim().to_lowercase().replace([' ', '-'], "_");
    let name = name.strip_prefix("browser_").unwrap_or(&name);
    let meant = ACTIONS.iter().find(|info| info.name == name || info.aliases.contains(&name));
    meant.map_or(name, |info| info.name).to_owned()
}

/// Renames parameters to their canonical names.
pub fn action_parameters(action: &str, written: &str, given: Map<String, Value>) -> Map<String, Value> {
    let mut out = Map::new();
    for (key, value) in given.into_iter().filter(|(_, value)| !value.is_null()) {
        let key = parameter_name(action, &key);
        let kind = kind(action, key);
        out.insert(key.to_owned(), shaped(kind, value));
    }
    if let Some((key, value)) = implied_parameter(action, written) {
        out.entry(key).or_insert(value);
    }
    out
}

/// The parameter that an alias states beside the action.
pub fn implied_parameter(action: &str, written: &str) -> Option<(&'static str, Value)> {
    let written = written.trim().to_lowercase().replace(['-', ' '], "_");
    Some(match (action, written.strip_prefix("browser_").unwrap_or(&written)) {
        ("click", "double_click" | "dblclick") => ("count", 2.into()),
        ("click", "right_click") => ("button", "right".into()),
        ("fill", "clear") => ("text", "".into()),
        ("press", "enter") => ("key", "Enter".into()),
        ("dialog", "accept_dialog") => ("accept", true.into()),
        ("dialog", "dismiss_dialog") => ("accept", false.into()),
        ("tab", "tabs") => ("op", "list".into()),
        ("tab", "switch_tab" | "switch_to_tab") => ("op", "switch".into()),
        ("tab", "close_tab") => ("op", "close".into()),
        ("tab", "new_tab" | "open_tab") => ("op", "open".into()),
        _ => return None,
    })
}

/// The canonical name of a parameter.
pub fn parameter_name<'a>(action: &str, key: &'a str) -> &'a str {
    let aliases = ActionInfo::named(action).map_or(&[][..], |info| info.parameter_aliases);
    match key {
        // This action has no target.
        key if action == "tab" => key,
        "selector" | "ref" | "element" | "locator" | "element_ref" | "elementRef" => "target",
        key => aliases.iter().find(|(alias, _)| *alias == key).map_or(key, |(_, parameter)| *parameter),
    }
}

fn kind(action: &str, key: &str) -> ParameterKind {
    let parameters = ActionInfo::named(action).map_or(&[][..], ActionInfo::parameters);
    parameters.iter().find(|one| one.name == key).map_or(ParameterKind::Other, |one| one.kind)
}

/// Converts values to the shape of the parameter: a list for lists, `e5` for `[ref=e5]` and `{"ref": "e5"}`.
fn shaped(kind: ParameterKind, value: Value) -> Value {
    match (kind, value) {
        (ParameterKind::Texts, Value::String(one)) => Value::Array(vec![Value::String(one)]),
        (ParameterKind::Target, Value::Object(map)) if map.len() == 1 => {
            map.into_iter().map(|(_, value)| value).collect::<Vec<_>>().remove(0)
        }
        (ParameterKind::Target, Value::String(text)) => {
            let bare = text.trim();
            let inner = bare.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(bare);
            let named = inner.strip_prefix("ref=").unwrap_or(inner);
            let is_ref = Ref::parse(named).is_some();
            Value::String(if is_ref { named.to_owned() } else { text })
        }
        (ParameterKind::Number, Value::String(text)) => match (text.parse::<u8>(), text.parse::<f64>()) {
            (Ok(whole), _) => whole.into(),
            (_, Ok(number)) => number.into(),
            _ => Value::String(text),
        },
        (_, value) => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_of_another_tool_is_read_as_ours() {
        for (written, expected) in [
            (
                json!({ "action": "CLICK_ELEMENT", "parameters": { "selector": "#save" } }),
                json!({ "action": "click", "parameters": { "target": "#save" } }),
            ),
            (
                json!({ "action": "double_click", "parameters": { "ref": "[ref=e5]" } }),
                json!({ "action": "click", "parameters": { "target": "e5", "count": 2 } }),
            ),
            (json!({ "action": "dismiss_dialog" }), json!({ "action": "dialog", "parameters": { "accept": false } })),
            (json!({ "action": "back" }), json!({ "action": "back" })),
            (
                json!({ "action": "fly", "parameters": { "to": 1 } }),
                json!({ "action": "fly", "parameters": { "to": 1 } }),
            ),
            (json!("click"), json!("click")),
        ] {
            assert_eq!(canonical_action(written), expected);
        }
    }
}
