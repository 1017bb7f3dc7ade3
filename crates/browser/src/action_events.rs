//! Events of devices as the actions of WebDriver, which WebDriver BiDi has too.

use legwork_protocol::Button;
use serde_json::{Value, json};

use crate::{
    driver::{MouseInput, MouseKind},
    keys::{self, Stroke},
    point::Point,
};

/// An event of a device.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum InputEvent {
    Key(Value),
    Pointer(Value),
    Wheel(Value),
}

/// The characters that the protocol uses for keys without one.
const KEYS: [(&str, char); 31] = [
    ("Backspace", '\u{e003}'),
    ("Tab", '\u{e004}'),
    ("Enter", '\u{e007}'),
    ("Shift", '\u{e008}'),
    ("Control", '\u{e009}'),
    ("Alt", '\u{e00a}'),
    ("Pause", '\u{e00b}'),
    ("Escape", '\u{e00c}'),
    ("PageUp", '\u{e00e}'),
    ("PageDown", '\u{e00f}'),
    ("End", '\u{e010}'),
    ("Home", '\u{e011}'),
    ("ArrowLeft", '\u{e012}'),
    ("ArrowUp", '\u{e013}'),
    ("ArrowRight", '\u{e014}'),
    ("ArrowDown", '\u{e015}'),
    ("Insert", '\u{e016}'),
    ("Delete", '\u{e017}'),
    ("F1", '\u{e031}'),
    ("F2", '\u{e032}'),
    ("F3", '\u{e033}'),
    ("F4", '\u{e034}'),
    ("F5", '\u{e035}'),
    ("F6", '\u{e036}'),
    ("F7", '\u{e037}'),
    ("F8", '\u{e038}'),
    ("F9", '\u{e039}'),
    ("F10", '\u{e03a}'),
    ("F11", '\u{e03b}'),
    ("F12", '\u{e03c}'),
    ("Meta", '\u{e03d}'),
];

fn key_value(stroke: &Stroke) -> String {
    let named = KEYS.iter().find(|(name, _)| *name == stroke.key).map(|(_, value)| value.to_string());
    named.unwrap_or_else(|| stroke.key.clone())
}

pub(crate) fn key(stroke: &Stroke, kind: &str) -> InputEvent {
    InputEvent::Key(json!({"type": kind, "value": key_value(stroke)}))
}

/// Key events of modifiers, by their bits.
fn modifier_keys(modifiers: i32, kind: &str) -> impl Iterator<Item = InputEvent> {
    let names = keys::MODIFIERS.iter().filter(move |(_, bit)| modifiers & bit != 0);
    let kind = kind.to_owned();
    names.map(move |(name, _)| {
        let value = KEYS.iter().find(|(known, _)| known == name).map(|(_, value)| value.to_string());
        InputEvent::Key(json!({"type": kind, "value": value}))
    })
}

/// The events of a mouse. The protocol has no modifiers of mouse events; their keys are held during the press.
pub(crate) fn mouse_events(at: Point, input: MouseInput) -> Vec<InputEvent> {
    let mut events = Vec::new();
    if input.kind == MouseKind::Down {
        events.extend(modifier_keys(input.modifiers, "keyDown"));
    }
    // A press is where the pointer is, which may have moved with another driver method in between.
    if input.kind != MouseKind::Move {
        events.push(InputEvent::Pointer(json!({"type": "pointerMove", "x": at.x, "y": at.y})));
    }
    events.push(InputEvent::Pointer(pointer_event(at, input)));
    if input.kind == MouseKind::Up {
        events.extend(modifier_keys(input.modifiers, "keyUp"));
    }
    events
}

fn pointer_event(at: Point, input: MouseInput) -> Value {
    let button = match input.button {
        Some(Button::Middle) => 1,
        Some(Button::Right) => 2,
        _ => 0,
    };
    match input.kind {
        MouseKind::Move => json!({"type": "pointerMove", "x": at.x, "y": at.y}),
        MouseKind::Down => json!({"type": "pointerDown", "button": button}),
        MouseKind::Up => json!({"type": "pointerUp", "button": button}),
    }
}

/// The devices of `input.performActions`. Each has an entry for each event, a pause where the event is another
/// device's.
pub(crate) fn devices(events: &[InputEvent]) -> Value {
    type Pick = fn(&InputEvent) -> Option<&Value>;
    let key: Pick = |event| if let InputEvent::Key(action) = event { Some(action) } else { None };
    let pointer: Pick = |event| if let InputEvent::Pointer(action) = event { Some(action) } else { None };
    let wheel: Pick = |event| if let InputEvent::Wheel(action) = event { Some(action) } else { None };
    let mut devices = Vec::new();
    for (kind, pick) in [("key", key), ("pointer", pointer), ("wheel", wheel)] {
        if !events.iter().any(|event| pick(event).is_some()) {
            continue;
        }
        let actions: Vec<Value> =
            events.iter().map(|event| pick(event).cloned().unwrap_or_else(|| json!({"type": "pause"}))).collect();
        let mut device = json!({"type": kind, "id": kind, "actions": actions});
        if kind == "pointer" {
            device["parameters"] = json!({"pointerType": "mouse"});
        }
        devices.push(device);
    }
    devices.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_several_devices_keep_their_order() {
        let key = json!({"type": "keyDown", "value": "\u{e009}"});
        let down = json!({"type": "pointerDown", "button": 0});
        let pause = json!({"type": "pause"});
        assert_eq!(
            devices(&[InputEvent::Key(key.clone()), InputEvent::Pointer(down.clone())]),
            json!([
                {"type": "key", "id": "key", "actions": [key, pause]},
                {"type": "pointer", "id": "pointer", "actions": [pause, down], "parameters": {"pointerType": "mouse"}},
            ])
        );
    }
}
