//! The aliases that models use for actions and their parameters. [`ACTIONS`] declares those of single actions.

use legwork_protocol::{ACTIONS, ActionInfo, ParameterKind};
use serde_json::{Map, Value};

/// The canonical name of an action.
pub(crate) fn action(name: &str) -> String {
    let name = name.trim().to_lowercase().replace([' ', '-'], "_");
    let name = name.strip_prefix("browser_").unwrap_or(&name);
    let meant = ACTIONS.iter().find(|info| info.name == name || info.aliases.contains(&name));
    meant.map_or(name, |info| info.name).to_owned()
}

/// Renames parameters to their canonical names.
pub(crate) fn parameters(action: &str, written: &str, given: Map<String, Value>) -> Map<String, Value> {
    let mut out = Map::new();
    for (key, value) in given.into_iter().filter(|(_, value)| !value.is_null()) {
        let key = parameter(action, &key);
        let kind = kind(action, key);
        out.insert(key.to_owned(), shaped(kind, value));
    }
    if let Some((key, value)) = implied(action, written) {
        out.entry(key).or_insert(value);
    }
    out
}

/// The parameter that an alias states beside the action.
pub(crate) fn implied(action: &str, written: &str) -> Option<(&'static str, Value)> {
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
pub(crate) fn parameter<'a>(action: &str, key: &'a str) -> &'a str {
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
            let is_ref = legwork_protocol::Ref::parse(named).is_some();
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
