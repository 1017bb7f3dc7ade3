//! What a key or chord does on a page, for rules.
//!
//! A page receives every key, whatever has the focus, so a model could spell a text with keys that no field takes. Keys
//! that move the focus, the cursor or the view say next to nothing and are needed for reading. They are listed, and any
//! other key counts as writing: a key that is forgotten here is refused and not passed on.

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyEffect {
    /// Moves the focus, the cursor or the view, or closes something.
    Navigates,
    /// Selects everything or copies the selection.
    Copies,
    /// Cuts the selection.
    Cuts,
    /// Pastes the clipboard.
    Pastes,
    /// Enter or Space: presses what has the focus, or types.
    Presses,
    /// Types a character, edits, or gives a command to the page.
    Types,
}

/// Keys that navigate, alone or with modifiers.
const NAVIGATION: &[&str] = &[
    "alt",
    "arrowdown",
    "arrowleft",
    "arrowright",
    "arrowup",
    "cmd",
    "command",
    "control",
    "controlormeta",
    "ctrl",
    "down",
    "end",
    "esc",
    "escape",
    "home",
    "left",
    "meta",
    "option",
    "pagedown",
    "pageup",
    "pgdn",
    "pgup",
    "right",
    "shift",
    "super",
    "tab",
    "up",
    "windows",
];

/// What this key or chord does, in the notation of the action `press`: `K`, `Enter`, `Control+V`.
pub(crate) fn key_effect(chord: &str) -> KeyEffect {
    let chord = chord.to_lowercase();
    let chord = match chord.trim() {
        "" => chord.as_str(),
        trimmed => trimmed,
    };
    // A plus at the end is the key itself.
    let (held, key) = match chord.strip_suffix('+') {
        Some(held) => (held, "+"),
        None => chord.rsplit_once('+').unwrap_or(("", chord)),
    };
    let holds = |names: &[&str]| held.split('+').any(|name| names.contains(&name.trim()));
    let shift = holds(&["shift"]);
    let command =
        holds(&["control", "ctrl", "controlormeta", "meta", "command", "cmd", "super", "windows", "alt", "option"]);
    match if key.trim().is_empty() { key } else { key.trim() } {
        "v" if command => KeyEffect::Pastes,
        "insert" | "ins" if shift => KeyEffect::Pastes,
        "x" if command => KeyEffect::Cuts,
        "delete" | "del" if shift => KeyEffect::Cuts,
        "a" | "c" if command && !shift => KeyEffect::Copies,
        "insert" | "ins" if command => KeyEffect::Copies,
        "enter" | "return" | "numpadenter" | "space" | "spacebar" | " " => KeyEffect::Presses,
        key if NAVIGATION.contains(&key) => KeyEffect::Navigates,
        _ => KeyEffect::Types,
    }
}

/// Whether a key submits the form of a field.
pub(super) fn is_enter(chord: &str) -> bool {
    let key = chord.trim().rsplit('+').next().unwrap_or_default();
    ["enter", "return", "numpadenter"].iter().any(|name| key.trim().eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_keys_that_navigate_or_copy_are_no_writing() {
        let check = |expected: KeyEffect, keys: &[&str]| {
            for key in keys {
                assert_eq!(key_effect(key), expected, "{key}");
            }
        };
        check(
            KeyEffect::Navigates,
            &["Tab", "Shift+Tab", "Escape", "PageDown", "Control+End", "up", "Shift", "Alt+Left"],
        );
        check(KeyEffect::Copies, &["Control+A", "ctrl+c", "Meta+C", "ControlOrMeta+c", "Control+Insert"]);
        check(KeyEffect::Cuts, &["Control+X", "Shift+Delete"]);
        check(KeyEffect::Pastes, &["Control+V", "Control+Shift+v", "Cmd + V", "Shift+Insert"]);
        check(KeyEffect::Presses, &["Enter", "Return", "space", " ", "Control+Enter"]);
        check(
            KeyEffect::Types,
            &["K", "4", "ß", "+", "Control++", "Shift+K", "Control+K", "Backspace", "Delete", "F7", "plus", "Shift+a"],
        );
        assert!(is_enter("Control+Enter") && is_enter(" return ") && !is_enter("Enter+a"));
    }
}
