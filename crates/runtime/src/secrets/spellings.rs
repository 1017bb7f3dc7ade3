//! The forms in which a page, a protocol or a format can show a value. All of them are plain texts, so that one search
//! finds them together, however many there are.
//!
//! A form that ordinary text could contain by chance is searched for only if the value is long enough, or only where no
//! letter or digit is adjacent.

use std::{collections::BTreeSet, fmt::Write as _};

use base64::{Engine, engine::general_purpose::STANDARD};

use super::mask::SHORTEST_MASKED;

/// Shorter plain words are masked only where they are a whole word: the password `admin` must not turn `administration`
/// into a handle and the rest of a word.
const SHORT_WORD: usize = 8;

/// Values with at least this many bytes are also searched for as a part of longer base64 content, as in an
/// `Authorization` header.
const LONG_ENOUGH_INSIDE: usize = 6;

/// Shorter values are not searched for in forms that consist of the same letters or digits in another order or case:
/// `5184` is not the PIN `4815`.
const LONG_ENOUGH_CHANGED: usize = 6;

/// The changed forms of longer values are not searched for: nobody spells a key letter by letter, and the tables would
/// grow with each of more than a hundred forms.
const LONGEST_CHANGED: usize = 128;

/// What can be between every two characters of a value: a page that spaces letters, a list, characters without width.
const BETWEEN_CHARACTERS: &[&str] = &[
    " ", "-", ".", ",", ", ", "_", "|", "·", "\n", "\r\n", "\t", "\u{a0}", "\u{ad}", "\u{2009}", "\u{200b}",
    "\u{200c}", "\u{200d}", "\u{2060}", "\u{feff}",
];
/// What can be between groups of characters, as in the number of a card.
const BETWEEN_GROUPS: &[&str] = &[" ", "-", ".", "\n", "\u{a0}", "\u{ad}", "\u{200b}"];
/// The sizes of such groups.
const GROUPS: std::ops::RangeInclusive<usize> = 2..=8;

/// A text to search for.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spelling {
    pub(super) text: String,
    /// Matches only where no letter or digit is adjacent.
    pub(super) by_itself: bool,
}

pub(super) fn is_short_word(value: &str) -> bool {
    value.chars().count() < SHORT_WORD && value.chars().all(char::is_alphanumeric)
}

/// All texts to search for.
pub(super) fn spellings(value: &str) -> Vec<Spelling> {
    let written = written(value);
    let is_short = value.chars().count() < SHORT_WORD;
    let more = changed(value).into_iter().filter(|text| !written.contains(text)).collect::<BTreeSet<_>>();
    // The longest match hides shorter ones at the same position. If it is rejected because a letter is adjacent, a form
    // that it begins with, which matches everywhere, would remain in the text.
    let begins_with_form =
        |text: &str| written.iter().any(|form| !is_short_word(form) && text.starts_with(form.as_str()));
    let more = more.into_iter().map(|text| Spelling { by_itself: is_short && !begins_with_form(&text), text });
    let plain = written.iter().map(|text| Spelling { text: text.clone(), by_itself: is_short_word(text) });
    let long_enough = |spelling: &Spelling| spelling.text.chars().count() >= SHORTEST_MASKED;
    plain.chain(more).filter(long_enough).collect()
}

/// The value and its usual encodings.
pub(super) fn usual_spellings(value: &str) -> Vec<Spelling> {
    let plain = written(value).into_iter().map(|text| Spelling { by_itself: is_short_word(&text), text });
    plain.filter(|spelling| spelling.text.chars().count() >= SHORTEST_MASKED).collect()
}

/// The forms that a program makes of a value on purpose: codes of its characters, other alphabets, other orders, and
/// separators.
fn changed(value: &str) -> Vec<String> {
    let of_bytes =
        |one: &dyn Fn(u8) -> String, separator: &str| value.bytes().map(one).collect::<Vec<_>>().join(separator);
    let of_characters =
        |one: &dyn Fn(char) -> String, separator: &str| value.chars().map(one).collect::<Vec<_>>().join(separator);
    let mut all = Vec::new();
    if value.chars().nth(LONGEST_CHANGED).is_some() {
        return all;
    }
    for separator in ["", " ", ":", "-", ","] {
        all.push(of_bytes(&|byte| format!("{byte:02x}"), separator));
        all.push(of_bytes(&|byte| format!("{byte:02X}"), separator));
    }
    for separator in [",", ", ", " "] {
        all.push(of_characters(&|c| u32::from(c).to_string(), separator));
        all.push(of_bytes(&|byte| format!("0x{byte:02x}"), separator));
        all.push(of_bytes(&|byte| format!("0x{byte:02X}"), separator));
    }
    all.push(of_bytes(&|byte| format!("%{byte:02X}"), ""));
    all.push(of_bytes(&|byte| format!("%{byte:02x}"), ""));
    all.push(of_bytes(&|byte| format!("\\x{byte:02x}"), ""));
    all.push(of_bytes(&|byte| format!("\\x{byte:02X}"), ""));
    all.push(of_characters(&|c| format!("&#{};", u32::from(c)), ""));
    all.push(of_characters(&|c| format!("&#x{:x};", u32::from(c)), ""));
    all.push(of_characters(&|c| format!("&#x{:X};", u32::from(c)), ""));
    all.push(of_characters(&|c| format!("\\u{{{:x}}}", u32::from(c)), ""));
    for slash in ["\\", "\\\\", "%"] {
        all.push(utf16(value, |unit| format!("{slash}u{unit:04x}")));
        all.push(utf16(value, |unit| format!("{slash}u{unit:04X}")));
    }
    let wide: String = value.chars().map(full_width).collect();
    all.push(wide);
    let length = value.chars().count();
    if length >= LONG_ENOUGH_CHANGED {
        all.push(value.chars().rev().collect());
        all.push(value.chars().map(rot13).collect());
    }
    if length >= SHORT_WORD {
        // As CSS shows a text with `text-transform`.
        all.push(value.to_uppercase());
        all.push(value.to_lowercase());
        for size in GROUPS.filter(|size| *size < length) {
            all.extend(BETWEEN_GROUPS.iter().map(|separator| grouped(value, size, separator)));
        }
    }
    all.extend(BETWEEN_CHARACTERS.iter().map(|separator| grouped(value, 1, separator)));
    let escaped: Vec<String> = all.iter().flat_map(|text| escaped(text)).collect();
    all.extend(escaped);
    all
}

/// The text as it is in HTML, with and without escaped quotation marks, and in JSON, where that is different.
fn escaped(text: &str) -> Vec<String> {
    let html = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let json = serde_json::Value::from(text).to_string();
    let all = [html.replace('"', "&quot;"), html, json[1..json.len() - 1].to_owned()];
    all.into_iter().filter(|written| written != text).collect()
}

fn utf16(value: &str, one: impl Fn(u16) -> String) -> String {
    value.encode_utf16().map(one).collect()
}

fn grouped(value: &str, size: usize, separator: &str) -> String {
    let characters: Vec<char> = value.chars().collect();
    characters.chunks(size).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(separator)
}

fn full_width(c: char) -> char {
    match c {
        '!'..='~' => char::from_u32(u32::from(c) - u32::from('!') + u32::from('！')).unwrap_or(c),
        ' ' => '\u{3000}',
        other => other,
    }
}

pub(super) fn rot13(c: char) -> char {
    let turned = |first: u8| char::from(first + (c as u8 - first + 13) % 26);
    match c {
        'a'..='z' => turned(b'a'),
        'A'..='Z' => turned(b'A'),
        other => other,
    }
}

/// The value and its forms in URLs, forms, JSON, HTML and base64.
fn written(value: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::from([value.to_owned()]);
    // The text of a page has its lines joined.
    if value.contains('\n') {
        all.insert(value.split_whitespace().collect::<Vec<_>>().join(" "));
        all.insert(value.replace("\r\n", "\n"));
    }
    let component = percent(value, |b| b.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&b));
    all.insert(component.replace("%20", "+"));
    all.insert(percent(value, |b| b.is_ascii_alphanumeric() || b"-_.~".contains(&b)));
    all.insert(percent(value, |b| b.is_ascii_alphanumeric() || b"*-._".contains(&b)).replace("%20", "+"));
    all.insert(percent(value, |b| b.is_ascii_alphanumeric() || b"-_.!~*'();/?:@&=+$,#".contains(&b)));
    // An address inside the query of another address.
    all.insert(percent(&component, |b| b != b'%'));
    all.insert(component);
    let json = serde_json::Value::from(value).to_string();
    all.insert(json[1..json.len() - 1].replace('/', "\\/"));
    all.insert(json[1..json.len() - 1].to_owned());
    for apostrophe in ["'", "&#39;", "&#x27;", "&apos;"] {
        let html = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\'', apostrophe);
        for quote in ["\"", "&quot;", "&#34;"] {
            all.insert(html.replace('"', quote));
        }
    }
    for encoded in base64_forms(value.as_bytes()) {
        all.insert(encoded.replace('+', "-").replace('/', "_"));
        all.insert(percent(&encoded, |b| b.is_ascii_alphanumeric()));
        all.insert(encoded);
    }
    // Percent-encoding permits hexadecimal digits in lower case too.
    let lower: Vec<String> = all.iter().filter(|text| text.contains('%')).map(|text| lower_hex(text)).collect();
    all.extend(lower);
    all
}

fn percent(value: &str, plain: impl Fn(u8) -> bool) -> String {
    let mut out = String::new();
    for byte in value.bytes() {
        if plain(byte) {
            out.push(char::from(byte))
        } else {
            write!(out, "%{byte:02X}").expect("writing to a string does not fail")
        }
    }
    out
}

fn lower_hex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut hex = 0;
    for c in text.chars() {
        out.push(if hex > 0 { c.to_ascii_lowercase() } else { c });
        hex = if c == '%' { 2 } else { std::cmp::max(hex, 1) - 1 };
    }
    out
}

/// The encoded value, and its encoded digits at each of the three offsets that it can have inside longer content.
fn base64_forms(value: &[u8]) -> Vec<String> {
    let mut forms = vec![STANDARD.encode(value)];
    if value.len() >= LONG_ENOUGH_INSIDE {
        for before in 0..3 {
            let shifted = [&[0; 2][..before.min(2)], value].concat();
            let digits = STANDARD.encode(&shifted);
            // Digits that share bits with the adjacent content depend on that content. Only the digits between them are
            // fixed.
            let (first, last) = ((before * 8).div_ceil(6), shifted.len() * 8 / 6);
            forms.push(digits[first..last].to_owned());
        }
    }
    forms
}
