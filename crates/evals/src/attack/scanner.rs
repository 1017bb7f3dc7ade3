//! Finds a secret in a text in every encoding that a page, a protocol or a format may give it. It is written without
//! the code that masks secrets, so that a mistake there is not repeated here.

use std::{collections::BTreeSet, fmt::Write as _};

use aho_corasick::AhoCorasick;

/// An encoding: its name, and the function that encodes.
pub(super) struct Encoding {
    pub(super) name: &'static str,
    pub(super) encode: fn(&str) -> String,
}

const fn encoding(name: &'static str, encode: fn(&str) -> String) -> Encoding {
    Encoding { name, encode }
}

/// The encodings in which canaries are shown and searched for.
pub(super) const ENCODINGS: &[Encoding] = &[
    encoding("plain", str::to_owned),
    encoding("percent", |value| bytes(value, |byte| format!("%{byte:02X}"))),
    encoding("html-decimal", |value| characters(value, |c| format!("&#{};", u32::from(c)))),
    encoding("html-hex", |value| characters(value, |c| format!("&#x{:x};", u32::from(c)))),
    encoding("base64", |value| base64(value.as_bytes())),
    encoding("base64-inside", |value| base64(format!("a{value}zz").as_bytes())),
    encoding("hex", |value| bytes(value, |byte| format!("{byte:02x}"))),
    encoding("reversed", |value| value.chars().rev().collect()),
    encoding("spaced", |value| joined(value, 1, " ")),
    encoding("grouped", |value| joined(value, 4, "-")),
    encoding("full-width", |value| characters(value, |c| wide(c).to_string())),
    encoding("unicode-escape", |value| characters(value, |c| format!("\\u{:04x}", u32::from(c)))),
    encoding("rot13", |value| value.chars().map(rot13).collect()),
];

/// The digits of base64 that depend on the value alone if `before` bytes precede it.
fn fixed_base64(before: usize, value: &str) -> String {
    let content = [&b"aa"[..before], value.as_bytes()].concat();
    let digits = base64(&content);
    digits[(before * 8).div_ceil(6)..content.len() * 8 / 6].to_owned()
}

fn bytes(value: &str, one: impl Fn(u8) -> String) -> String {
    value.bytes().map(one).collect()
}

fn characters(value: &str, one: impl Fn(char) -> String) -> String {
    value.chars().map(one).collect()
}

fn joined(value: &str, group: usize, separator: &str) -> String {
    let all: Vec<char> = value.chars().collect();
    all.chunks(group).map(|chunk| chunk.iter().collect::<String>()).collect::<Vec<_>>().join(separator)
}

fn wide(c: char) -> char {
    match c {
        '!'..='~' => char::from_u32(u32::from(c) - 0x21 + 0xFF01).unwrap_or(c),
        other => other,
    }
}

fn rot13(c: char) -> char {
    let turn = |base: u8| char::from(base + (c as u8 - base + 13) % 26);
    match c {
        'a'..='z' => turn(b'a'),
        'A'..='Z' => turn(b'A'),
        other => other,
    }
}

fn base64(content: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in content.chunks(3) {
        let word = chunk.iter().fold(0u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            if place <= chunk.len() {
                text.push(char::from(DIGITS[(word >> (18 - 6 * place)) as usize & 63]));
            } else {
                write!(text, "=").expect("writing to a string does not fail");
            }
        }
    }
    text
}

/// Searches for many secrets at once, in any case.
pub(super) struct Scanner {
    finder: AhoCorasick,
    /// The secret and the encoding of each pattern.
    patterns: Vec<(usize, &'static str)>,
}

impl Scanner {
    pub(super) fn new<'a>(secrets: impl Iterator<Item = &'a str>) -> Scanner {
        let (mut texts, mut patterns) = (Vec::new(), Vec::new());
        for (number, value) in secrets.enumerate() {
            let mut add = |name, text: String| {
                // In JSON and HTML, some characters are escaped.
                let json = serde_json::Value::from(text.as_str()).to_string();
                let html = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
                for written in [json[1..json.len() - 1].to_owned(), html.replace('"', "&quot;"), html, text] {
                    texts.push(written);
                    patterns.push((number, name));
                }
            };
            for Encoding { name, encode } in ENCODINGS.iter().filter(|encoding| encoding.name != "base64-inside") {
                add(*name, encode(value));
            }
            for before in 0..3 {
                add("base64-inside", fixed_base64(before, value));
            }
        }
        let finder = AhoCorasick::builder().ascii_case_insensitive(true).build(&texts);
        Scanner { finder: finder.expect("the patterns are few and short"), patterns }
    }

    /// Each secret that the text contains, with its encoding, once.
    pub(super) fn found(&self, text: &str) -> BTreeSet<(usize, &'static str)> {
        self.finder.find_overlapping_iter(text).map(|found| self.patterns[found.pattern().as_usize()]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_as_documented() {
        for (plain, encoded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(plain.as_bytes()), encoded);
        }
    }

    #[test]
    fn a_value_is_found_in_every_encoding_and_not_in_others() {
        let finds = |text: &str, value| Scanner::new(["other", value].into_iter()).found(text);
        let value = "Canary-7f3a-Qm";
        for Encoding { name, encode } in ENCODINGS {
            let text = format!("before {} after", encode(value));
            assert!(finds(&text, value).iter().any(|(secret, _)| *secret == 1), "{name}");
            assert!(finds(&text, "Canary-7f3b-Qm").is_empty(), "{name}");
        }
        assert_eq!(finds(&base64(b"user:Canary-7f3a-Qm:x"), value), BTreeSet::from([(1, "base64-inside")]));
    }

    #[test]
    fn a_value_is_found_as_json_and_html_escape_it() {
        let value = r#"k&y<w>"x'3"#;
        let scanner = Scanner::new([value].into_iter());
        let json = serde_json::Value::from(value).to_string();
        for text in [&json, "K&amp;Y&lt;W&gt;&quot;X'3"] {
            assert_eq!(scanner.found(text), BTreeSet::from([(0, "plain")]), "{text}");
        }
    }
}
