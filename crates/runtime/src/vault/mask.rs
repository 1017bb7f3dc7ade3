//! Finds secret values in text, in the encodings that pages and protocols use.

use std::collections::BTreeSet;

use aho_corasick::{AhoCorasick, Input, MatchKind};
use base64::{Engine, engine::general_purpose::STANDARD};

/// Shorter values are not masked: a `7` would be found everywhere, and the replacement would damage the observed text
/// and reveal where the value occurs.
pub const SHORTEST_MASKED: usize = 4;

/// Shorter plain words are masked only where they are a whole word: the password `admin` must not turn `administration`
/// into a handle and the rest of a word.
const SHORT_WORD: usize = 8;

/// Values with at least this many bytes are also searched for as a part of longer base64 content, as in an
/// `Authorization` header.
const MIN_LENGTH_INSIDE: usize = 6;

/// A warning about a value, if there is one.
pub(super) fn warning(name: &str, value: &str) -> Option<String> {
    let length = value.chars().count();
    if length < SHORTEST_MASKED {
        Some(format!(
            "secret {name} has fewer than {SHORTEST_MASKED} characters: it is typed, but cannot be masked where a page shows it"
        ))
    } else if is_short_word(value) {
        Some(format!("secret {name} is a short word: wherever a page shows that word, it is masked too"))
    } else {
        None
    }
}

fn is_short_word(value: &str) -> bool {
    value.chars().count() < SHORT_WORD && value.chars().all(char::is_alphanumeric)
}

/// The values to find and their replacements.
#[derive(Default)]
pub(super) struct Masks {
    finder: Option<AhoCorasick>,
    /// Indexed by the pattern number of the finder.
    patterns: Vec<Pattern>,
}

struct Pattern {
    handle: String,
    /// Matches only where no letter or digit is adjacent.
    by_itself: bool,
}

impl Masks {
    pub(super) fn of<'a>(secrets: impl Iterator<Item = (&'a str, &'a str)>) -> Masks {
        let (mut texts, mut patterns) = (Vec::new(), Vec::new());
        for (name, value) in secrets.filter(|(_, value)| value.chars().count() >= SHORTEST_MASKED) {
            let handle = format!("${{secret:{name}}}");
            // A handle is a pattern too, which is replaced by itself, so that a value that is part of a handle is not
            // replaced inside the handle.
            texts.push(handle.clone());
            patterns.push(Pattern { handle: handle.clone(), by_itself: false });
            for text in spellings(value) {
                let by_itself = is_short_word(&text);
                texts.push(text);
                patterns.push(Pattern { handle: handle.clone(), by_itself });
            }
        }
        // The finder cannot be built from too large a set. `apply` withholds the whole text then.
        let finder = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&texts).ok();
        Masks { finder: if texts.is_empty() { None } else { finder }, patterns }
    }

    pub(super) fn apply(&self, text: &mut String) {
        let Some(finder) = &self.finder else {
            if !self.patterns.is_empty() {
                *text = "[withheld: the secrets are too large to be masked]".to_owned();
            }
            return;
        };
        let (mut masked, mut done, mut from) = (String::new(), 0, 0);
        while let Some(found) = finder.find(Input::new(text.as_str()).range(from..)) {
            let pattern = &self.patterns[found.pattern().as_usize()];
            if pattern.by_itself && is_inside_word(text, found.start(), found.end()) {
                from = found.start() + 1;
                continue;
            }
            masked.push_str(&text[done..found.start()]);
            masked.push_str(&pattern.handle);
            (done, from) = (found.end(), found.end());
        }
        if done > 0 {
            masked.push_str(&text[done..]);
            *text = masked;
        }
    }
}

fn is_inside_word(text: &str, start: usize, end: usize) -> bool {
    let is_word = |c: char| c.is_alphanumeric();
    text[..start].chars().next_back().is_some_and(is_word) || text[end..].chars().next().is_some_and(is_word)
}

/// The value and its forms in URLs, forms, JSON, HTML and base64.
fn spellings(value: &str) -> BTreeSet<String> {
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
        all.insert(encoded);
    }
    // Percent-encoding permits hexadecimal digits in lower case too.
    let lower: Vec<String> = all.iter().filter(|text| text.contains('%')).map(|text| lower_hex(text)).collect();
    all.extend(lower);
    all.retain(|text| text.chars().count() >= SHORTEST_MASKED);
    all
}

fn percent(value: &str, plain: impl Fn(u8) -> bool) -> String {
    let mut out = String::new();
    for byte in value.bytes() {
        if plain(byte) { out.push(char::from(byte)) } else { out.push_str(&format!("%{byte:02X}")) }
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
    if value.len() >= MIN_LENGTH_INSIDE {
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
