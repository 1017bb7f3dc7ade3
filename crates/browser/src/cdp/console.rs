//! Console messages from DevTools events: output of scripts, uncaught exceptions, and messages of the browser itself.
//! Values are shown as in the browser's previews; the page is not asked for them.

use legwork_protocol::ConsoleLevel;
use serde_json::{Value, value::RawValue};

use super::{events::shape, requests::is_own, wire::*};
use crate::driver_event::ConsoleMessage;

/// The console message of an event; `None` for other events and for empty messages.
pub(super) fn read(method: &str, params: &RawValue) -> Option<ConsoleMessage> {
    match method {
        "Runtime.consoleAPICalled" => written(shape(params)?),
        "Runtime.exceptionThrown" => {
            let ExceptionThrown { exception_details: thrown } = shape(params)?;
            Some(uncaught(thrown))
        }
        "Log.entryAdded" => {
            let EntryAdded { entry } = shape(params)?;
            if entry.source == "network" && is_own(&entry.url) {
                return None;
            }
            let level = match entry.level.as_str() {
                "verbose" => ConsoleLevel::Debug,
                "warning" => ConsoleLevel::Warning,
                "error" => ConsoleLevel::Error,
                _ => ConsoleLevel::Info,
            };
            Some(ConsoleMessage {
                level,
                text: entry.text,
                url: entry.url,
                line: entry.line_number.map(|line| line + 1),
            })
        }
        _ => None,
    }
}

fn written(call: ConsoleCalled) -> Option<ConsoleMessage> {
    let level = match call.r#type.as_str() {
        // These calls write no line.
        "clear" | "endGroup" => return None,
        "debug" | "trace" => ConsoleLevel::Debug,
        "warning" => ConsoleLevel::Warning,
        "error" | "assert" => ConsoleLevel::Error,
        _ => ConsoleLevel::Info,
    };
    let top = call.stack_trace.and_then(|stack| stack.call_frames.into_iter().next());
    let (url, line) = top.map_or((String::new(), None), |frame| (frame.url, Some(frame.line_number + 1)));
    Some(ConsoleMessage { level, text: sentence(&call.args), url, line })
}

fn uncaught(thrown: Exception) -> ConsoleMessage {
    let what = thrown.exception.as_ref();
    let said = what.map(|value| value.description.clone().unwrap_or_else(|| plain(value))).unwrap_or_default();
    let text = if said.is_empty() { thrown.text } else { format!("{} {said}", thrown.text) };
    let top = thrown.stack_trace.and_then(|stack| stack.call_frames.into_iter().next());
    let url = thrown.url.or_else(|| top.map(|frame| frame.url)).unwrap_or_default();
    ConsoleMessage { level: ConsoleLevel::Error, text, url, line: Some(thrown.line_number + 1) }
}

/// Joins the arguments into one text as a console does: `%s` and other placeholders in the first argument are replaced
/// by the following ones.
fn sentence(args: &[Remote]) -> String {
    let mut rest = args.iter();
    let mut out = String::new();
    if let Some(Value::String(format)) = args.first().and_then(|first| first.value.as_ref()) {
        rest.next();
        let mut parts = format.split('%');
        out.push_str(parts.next().unwrap_or_default());
        let mut literal = false;
        for part in parts {
            let kind = part.chars().next().filter(|kind| !literal && "sdifoOc".contains(*kind));
            match kind.and_then(|kind| Some((kind, rest.next()?))) {
                Some((kind, value)) => {
                    // `%c` takes a style, which is not text.
                    if kind != 'c' {
                        out.push_str(&plain(value));
                    }
                    out.push_str(&part[1..]);
                    literal = false;
                }
                // Two percent signs are an escaped one.
                None if part.is_empty() && !literal => literal = true,
                None => {
                    out.push('%');
                    out.push_str(part);
                    literal = false;
                }
            }
        }
        if literal {
            out.push('%');
        }
    }
    for value in rest {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&plain(value));
    }
    out
}

/// A single value as a console shows it.
fn plain(value: &Remote) -> String {
    if let Some(preview) = value.preview.as_ref().filter(|preview| previewed(preview)) {
        return previewed_text(preview);
    }
    match (&value.value, &value.unserializable_value, &value.description) {
        (Some(Value::String(text)), ..) => text.clone(),
        (_, Some(text), _) | (None, None, Some(text)) => text.clone(),
        (Some(other), ..) => other.to_string(),
        (None, None, None) if value.subtype.as_deref() == Some("null") => "null".to_owned(),
        (None, None, None) => value.r#type.clone(),
    }
}

/// Whether the preview contains more than the description, which is not so for errors and elements.
fn previewed(preview: &Preview) -> bool {
    matches!(preview.subtype.as_deref(), None | Some("array" | "map" | "set")) && preview.r#type == "object"
}

fn previewed_text(preview: &Preview) -> String {
    let list = preview.subtype.as_deref() == Some("array");
    let entry = |property: &PreviewProperty| {
        let value = property.value.as_deref().unwrap_or(&property.r#type);
        let quote = if property.r#type == "string" { "\"" } else { "" };
        if list { format!("{quote}{value}{quote}") } else { format!("{}: {quote}{value}{quote}", property.name) }
    };
    let mut entries: Vec<String> = preview.properties.iter().map(entry).collect();
    if preview.overflow {
        entries.push("…".to_owned());
    }
    let name = preview.description.as_deref().filter(|name| !list && *name != "Object");
    let inside = entries.join(", ");
    let body = if list { format!("[{inside}]") } else { format!("{{{inside}}}") };
    name.map_or(body.clone(), |name| format!("{name} {body}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(json: &str) -> String {
        let args: Vec<Remote> = serde_json::from_str(json).unwrap();
        sentence(&args)
    }

    #[test]
    fn arguments_read_as_in_a_console() {
        assert_eq!(said(r#"[{"type":"string","value":"a"},{"type":"number","value":2}]"#), "a 2");
        assert_eq!(
            said(
                r#"[{"type":"string","value":"%cred%c %s of 100%% done, %d%"},{"type":"string","value":"color:red"},
                {"type":"string","value":""},{"type":"string","value":"half"},{"type":"number","value":7},{"type":"boolean","value":true}]"#
            ),
            "red half of 100% done, 7% true"
        );
        assert_eq!(said(r#"[{"type":"undefined"},{"type":"object","subtype":"null","value":null}]"#), "undefined null");
        assert_eq!(said(r#"[{"type":"number","unserializableValue":"NaN","description":"NaN"}]"#), "NaN");
        assert_eq!(
            said(r#"[{"type":"object","subtype":"error","description":"Error: no\n    at f"}]"#),
            "Error: no\n    at f"
        );
        assert_eq!(said("[]"), "");
    }

    #[test]
    fn objects_read_as_their_preview() {
        let object = r#"[{"type":"object","description":"Object","preview":{"type":"object","description":"Object","overflow":true,
            "properties":[{"name":"id","type":"number","value":"7"},{"name":"name","type":"string","value":"Ada"}]}}]"#;
        assert_eq!(said(object), r#"{id: 7, name: "Ada", …}"#);
        let list = r#"[{"type":"object","subtype":"array","description":"Array(2)","preview":{"type":"object","subtype":"array",
            "description":"Array(2)","overflow":false,"properties":[{"name":"0","type":"string","value":"a"},{"name":"1","type":"number","value":"2"}]}}]"#;
        assert_eq!(said(list), r#"["a", 2]"#);
    }
}
