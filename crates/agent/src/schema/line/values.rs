//! The notations of single values in a command line: refs, roles, durations, the answer to a dialog.

use legwork_protocol::{ParameterKind, Ref};
use serde_json::Value;

use super::words::Word;

/// A ref in any of the notations of pages and models: `e5`, `@e5`, `[ref=e5]`, `(e5)`, `e5,`.
pub(super) fn reference(word: &Word) -> Option<Ref> {
    if word.quoted {
        return Ref::parse(&word.text);
    }
    let bare = word.text.trim_matches(['[', ']', '(', ')', ',', '.', ';', ':', '@', '#']);
    let bare = bare.strip_prefix("ref=").or_else(|| bare.strip_prefix("target=")).unwrap_or(bare);
    Ref::parse(bare)
}

/// The role that a word before a quoted name states, in the notation of the page.
pub(super) fn role(word: &str) -> Option<&str> {
    let is_word = !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase());
    control(word).or_else(|| is_word.then_some(word))
}

/// The role that a word after a quoted name states: `"Save" button`. Other words after a name may mean anything.
pub(super) fn control(word: &str) -> Option<&str> {
    const CONTROLS: [&str; 18] = [
        "button",
        "link",
        "textbox",
        "searchbox",
        "checkbox",
        "radio",
        "switch",
        "combobox",
        "listbox",
        "option",
        "tab",
        "menuitem",
        "slider",
        "spinbutton",
        "row",
        "cell",
        "heading",
        "listitem",
    ];
    match word {
        "text" | "element" => Some("text"),
        "field" | "input" | "textfield" | "textarea" => Some("textbox"),
        "dropdown" => Some("combobox"),
        "icon" => Some("img"),
        "item" => Some("listitem"),
        _ => CONTROLS.into_iter().find(|control| *control == word),
    }
}

pub(super) fn role_target(role: &str, name: &str) -> String {
    if role == "text" { format!("text={name}") } else { format!("role={role}[name={name:?}]") }
}

pub(super) fn is_acceptance(word: &Word) -> Option<bool> {
    let is = |words: &[&str]| words.iter().any(|one| word.is(one));
    match () {
        () if is(&["accept", "ok", "yes", "true", "confirm"]) => Some(true),
        () if is(&["dismiss", "cancel", "no", "false", "decline", "reject"]) => Some(false),
        () => None,
    }
}

/// The number of seconds in `3`, `3s`, `500ms`.
pub(super) fn seconds(word: &Word) -> Option<f64> {
    let text = Some(&word.text).filter(|_| !word.quoted)?;
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: f64 = digits.parse().ok().filter(|number: &f64| number.is_finite())?;
    let suffix = &text[digits.len()..];
    if suffix.is_empty() { Some(number) } else { unit_factor(suffix).map(|factor| number * factor) }
}

pub(super) fn unit_factor(unit: &str) -> Option<f64> {
    match unit {
        "s" | "sec" | "secs" | "second" | "seconds" => Some(1.0),
        "ms" | "millis" | "milliseconds" => Some(0.001),
        _ => None,
    }
}

/// Converts values to numbers or booleans if the parameter has that type.
pub(super) fn typed(kind: ParameterKind, name: &str, text: String) -> Value {
    match (kind, text.as_str()) {
        (ParameterKind::Flag, "true" | "yes") => true.into(),
        (ParameterKind::Flag, "false" | "no") => false.into(),
        (ParameterKind::Flag, word) if word == name => true.into(),
        (ParameterKind::Number | ParameterKind::Other, word) => match (word.parse::<u64>(), word.parse::<f64>()) {
            (Ok(whole), _) => whole.into(),
            (_, Ok(number)) => number.into(),
            _ => text.into(),
        },
        _ => text.into(),
    }
}
