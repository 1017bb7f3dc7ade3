//! The keys of a US keyboard, with the names that key events use.

/// A press of one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stroke {
    pub(crate) key: String,
    pub(crate) code: String,
    pub(crate) number: i32,
    pub(crate) text: Option<String>,
    pub(crate) modifiers: i32,
}

/// Name, key code, text.
const NAMED: &[(&str, i32, &str)] = &[
    ("Enter", 13, "\r"),
    ("Tab", 9, ""),
    ("Escape", 27, ""),
    ("Backspace", 8, ""),
    ("Delete", 46, ""),
    ("Insert", 45, ""),
    ("Home", 36, ""),
    ("End", 35, ""),
    ("PageUp", 33, ""),
    ("PageDown", 34, ""),
    ("ArrowLeft", 37, ""),
    ("ArrowUp", 38, ""),
    ("ArrowRight", 39, ""),
    ("ArrowDown", 40, ""),
    ("CapsLock", 20, ""),
    ("ContextMenu", 93, ""),
    ("PrintScreen", 44, ""),
    ("Pause", 19, ""),
];

const ALIASES: &[(&str, &str)] = &[
    ("return", "Enter"),
    ("esc", "Escape"),
    ("del", "Delete"),
    ("ins", "Insert"),
    ("up", "ArrowUp"),
    ("down", "ArrowDown"),
    ("left", "ArrowLeft"),
    ("right", "ArrowRight"),
    ("pgup", "PageUp"),
    ("pgdn", "PageDown"),
    ("space", " "),
    ("spacebar", " "),
    ("plus", "+"),
];

/// Code, key code, character without Shift, character with Shift.
const SIGNS: &[(&str, i32, char, char)] = &[
    ("Backquote", 192, '`', '~'),
    ("Digit1", 49, '1', '!'),
    ("Digit2", 50, '2', '@'),
    ("Digit3", 51, '3', '#'),
    ("Digit4", 52, '4', '$'),
    ("Digit5", 53, '5', '%'),
    ("Digit6", 54, '6', '^'),
    ("Digit7", 55, '7', '&'),
    ("Digit8", 56, '8', '*'),
    ("Digit9", 57, '9', '('),
    ("Digit0", 48, '0', ')'),
    ("Minus", 189, '-', '_'),
    ("Equal", 187, '=', '+'),
    ("BracketLeft", 219, '[', '{'),
    ("BracketRight", 221, ']', '}'),
    ("Backslash", 220, '\\', '|'),
    ("Semicolon", 186, ';', ':'),
    ("Quote", 222, '\'', '"'),
    ("Comma", 188, ',', '<'),
    ("Period", 190, '.', '>'),
    ("Slash", 191, '/', '?'),
    ("Space", 32, ' ', ' '),
];

const ALT: i32 = 1;
const CONTROL: i32 = 2;
const META: i32 = 4;
const SHIFT: i32 = 8;

/// The keys of modifiers, with their bits.
pub(crate) const MODIFIERS: [(&str, i32); 4] = [("Alt", ALT), ("Control", CONTROL), ("Meta", META), ("Shift", SHIFT)];

/// The key that types a character; `None` if this keyboard has no such key.
pub(crate) fn for_character(character: char) -> Option<Stroke> {
    if character == '\n' || character == '\r' {
        return named("Enter", 0);
    }
    if character == '\t' {
        return named("Tab", 0);
    }
    let stroke = |code: String, number, shifted| Stroke {
        key: character.to_string(),
        code,
        number,
        text: Some(character.to_string()),
        modifiers: if shifted { SHIFT } else { 0 },
    };
    if character.is_ascii_alphabetic() {
        let upper = character.to_ascii_uppercase();
        return Some(stroke(format!("Key{upper}"), upper as i32, character.is_ascii_uppercase()));
    }
    let (code, number, plain, _) =
        SIGNS.iter().find(|(_, _, plain, shifted)| character == *plain || character == *shifted)?;
    Some(stroke((*code).to_owned(), *number, character != *plain))
}

fn named(name: &str, modifiers: i32) -> Option<Stroke> {
    let (name, number, text) = NAMED.iter().find(|(known, _, _)| known.eq_ignore_ascii_case(name))?;
    let text = (!text.is_empty() && modifiers & (CONTROL | ALT | META) == 0).then(|| (*text).to_owned());
    Some(Stroke { key: (*name).to_owned(), code: (*name).to_owned(), number: *number, text, modifiers })
}

/// The keys of a chord such as `Control+Shift+T`, modifiers first; `None` if a key is unknown.
pub(crate) fn chord(text: &str) -> Option<Vec<Stroke>> {
    let text = text.trim();
    // A plus at the end is the key itself: `Control++`.
    let (held, last) = match text.strip_suffix('+') {
        Some("") => ("", "+"),
        Some(held) if held.ends_with('+') => (&held[..held.len() - 1], "+"),
        Some(_) => return None,
        None => text.rsplit_once('+').unwrap_or(("", text)),
    };
    let mut modifiers = 0;
    let mut strokes = Vec::new();
    for name in held.split('+').map(str::trim).filter(|name| !name.is_empty()) {
        let (key, code, number, bit) = modifier(name)?;
        modifiers |= bit;
        strokes.push(Stroke { key: key.to_owned(), code: code.to_owned(), number, text: None, modifiers });
    }
    let last = if last.trim().is_empty() { last } else { last.trim() };
    strokes.push(key(last, modifiers)?);
    Some(strokes)
}

fn modifier(name: &str) -> Option<(&'static str, &'static str, i32, i32)> {
    Some(match name.to_ascii_lowercase().as_str() {
        "control" | "ctrl" | "controlormeta" => ("Control", "ControlLeft", 17, CONTROL),
        "shift" => ("Shift", "ShiftLeft", 16, SHIFT),
        "alt" | "option" => ("Alt", "AltLeft", 18, ALT),
        "meta" | "command" | "cmd" | "super" | "windows" => ("Meta", "MetaLeft", 91, META),
        _ => return None,
    })
}

fn key(name: &str, modifiers: i32) -> Option<Stroke> {
    let name = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name)).map_or(name, |(_, name)| name);
    if let Some(stroke) = named(name, modifiers) {
        return Some(stroke);
    }
    if let Some(number) = name.strip_prefix(['F', 'f']).and_then(|digits| digits.parse::<i32>().ok()) {
        let key = format!("F{number}");
        return (1..=24).contains(&number).then(|| Stroke {
            code: key.clone(),
            key,
            number: 111 + number,
            text: None,
            modifiers,
        });
    }
    if let Some((key, code, number, _)) = modifier(name) {
        return Some(Stroke { key: key.to_owned(), code: code.to_owned(), number, text: None, modifiers });
    }
    let mut characters = name.chars();
    let (Some(character), None) = (characters.next(), characters.next()) else { return None };
    // `Control+A` is only a notation and means Control+a, not Control+Shift+A: pages and editing commands distinguish
    // the two.
    let command = modifiers & (CONTROL | ALT | META) != 0;
    let mut stroke = for_character(if command { character.to_ascii_lowercase() } else { character })?;
    stroke.modifiers |= modifiers;
    if stroke.modifiers & SHIFT != 0 && character.is_ascii_alphabetic() {
        stroke.key = character.to_ascii_uppercase().to_string();
        stroke.text = Some(stroke.key.clone());
    }
    if command {
        stroke.text = None;
    }
    Some(stroke)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chords_hold_their_modifiers() {
        let keys = |text| -> Option<Vec<(String, i32)>> {
            Some(chord(text)?.into_iter().map(|stroke| (stroke.key, stroke.modifiers)).collect())
        };
        assert_eq!(keys("Enter"), Some(vec![("Enter".into(), 0)]));
        assert_eq!(keys("Control+A"), Some(vec![("Control".into(), 2), ("a".into(), 2)]));
        assert_eq!(keys("Control+Shift+a"), keys("Control+Shift+A"));
        assert_eq!(keys("A"), Some(vec![("A".into(), 8)]));
        assert_eq!(keys("ctrl+shift+t"), Some(vec![("Control".into(), 2), ("Shift".into(), 10), ("T".into(), 10)]));
        assert_eq!(keys("Control++"), Some(vec![("Control".into(), 2), ("+".into(), 10)]));
        assert_eq!(keys("F5"), Some(vec![("F5".into(), 0)]));
        assert_eq!(keys("space"), Some(vec![(" ".into(), 0)]));
        assert_eq!(keys("Hyper+Q"), None);
        assert_eq!(keys("Nonsense"), None);
    }

    #[test]
    fn characters_have_their_keys() {
        assert_eq!(for_character('a').unwrap().code, "KeyA");
        assert_eq!(for_character('!').unwrap().modifiers, SHIFT);
        assert_eq!(for_character('ß'), None);
    }
}
