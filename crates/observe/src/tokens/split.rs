//! The words of a text as o200k_base's pattern divides it, alternatives in their order:
//!
//! ```text
//! [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! \p{N}{1,3}
//!  ?[^\s\p{L}\p{N}]+[\r\n/]*
//! \s*[\r\n]+
//! \s+(?!\S)
//! \s+
//! ```

/// Ranges of characters of one class: `start << 3 | class`, little endian.
static CLASSES: &[u8] = include_bytes!("classes.bin");

const OTHER: u8 = 0;
const SPACE: u8 = 1;
const UPPER: u8 = 2;
const LOWER: u8 = 3;
const LETTER: u8 = 4;
const MARK: u8 = 5;
const NUMBER: u8 = 6;

fn class(c: char) -> u8 {
    match c {
        'a'..='z' => LOWER,
        'A'..='Z' => UPPER,
        '0'..='9' => NUMBER,
        ' ' | '\t'..='\r' => SPACE,
        '\0'..='\x7f' => OTHER,
        _ => class_of_wide(c),
    }
}

fn class_of_wide(c: char) -> u8 {
    let entry = |at: usize| {
        let bytes = &CLASSES[at * 4..at * 4 + 4];
        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    };
    let (mut low, mut high) = (0, CLASSES.len() / 4);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if entry(middle) >> 3 <= u32::from(c) { low = middle } else { high = middle }
    }
    (entry(low) & 7) as u8
}

/// An iterator over the words of a text. Concatenated, they are the text.
pub(super) struct Pretokens<'a> {
    rest: &'a str,
}

impl<'a> Pretokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Pretokens { rest: text }
    }
}

impl<'a> Iterator for Pretokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let first = self.rest.chars().next()?;
        let len = plain(self.rest.as_bytes())
            .or_else(|| letters(self.rest, first))
            .or_else(|| (class(first) == NUMBER).then(|| run(self.rest, 3, |class, _| class == NUMBER)))
            .or_else(|| signs(self.rest))
            .unwrap_or_else(|| spaces(self.rest));
        let (word, rest) = self.rest.split_at(len);
        self.rest = rest;
        Some(word)
    }
}

/// The length of the run of characters that `is` accepts, at most `max`.
fn run(text: &str, max: usize, is: impl Fn(u8, char) -> bool) -> usize {
    text.char_indices()
        .take(max)
        .find(|(_, c)| !is(class(*c), *c))
        .map_or_else(|| text.char_indices().nth(max).map_or(text.len(), |(at, _)| at), |(at, _)| at)
}

/// The common case: an optional space, optional capitals, lower-case letters, all ASCII, and nothing after them that
/// could belong to the word.
fn plain(text: &[u8]) -> Option<usize> {
    let start = usize::from(text.first() == Some(&b' '));
    let capitals = text[start..].iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let small = text[start + capitals..].iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    let len = start + capitals + small;
    let ends = text.get(len).is_none_or(|next| next.is_ascii() && *next != b'\'');
    (small > 0 && ends).then_some(len)
}

fn letters(text: &str, first: char) -> Option<usize> {
    let is_lead = !matches!(class(first), UPPER | LOWER | LETTER | NUMBER) && !matches!(first, '\r' | '\n');
    let behind = is_lead.then(|| &text[first.len_utf8()..]);
    // The lead is included if possible; otherwise a mark can be the first letter of the word itself. The first
    // alternative is tried in both ways before the second one.
    let lead = first.len_utf8();
    behind
        .and_then(|rest| ends_small(rest).map(|len| lead + len))
        .or_else(|| ends_small(text))
        .or_else(|| behind.and_then(|rest| capitals(rest).map(|len| lead + len)))
        .or_else(|| capitals(text))
}

/// Upper-case letters, then lower-case ones, with caseless ones in either: the first alternative without its lead. It
/// gives back capitals until a caseless letter can end it.
fn ends_small(text: &str) -> Option<usize> {
    let upper = run(text, usize::MAX, |class, _| matches!(class, UPPER | LETTER | MARK));
    let lower = run(&text[upper..], usize::MAX, |class, _| matches!(class, LOWER | LETTER | MARK));
    let len = match lower {
        0 => text[..upper].char_indices().rev().find(|(_, c)| class(*c) != UPPER).map(|(at, c)| at + c.len_utf8())?,
        lower => upper + lower,
    };
    Some(len + contraction(&text[len..]))
}

/// The second alternative without its lead, where the first one does not fit: upper-case letters only.
fn capitals(text: &str) -> Option<usize> {
    let len = run(text, usize::MAX, |class, _| matches!(class, UPPER | LETTER | MARK));
    (len > 0).then(|| len + contraction(&text[len..]))
}

fn contraction(text: &str) -> usize {
    let Some(rest) = text.strip_prefix('\'') else { return 0 };
    // `(?i)` folds U+017F, the long s, to s.
    if rest.starts_with('\u{17f}') {
        return 1 + '\u{17f}'.len_utf8();
    }
    let mut after = rest.bytes().map(|byte| byte.to_ascii_lowercase());
    match (after.next(), after.next()) {
        (Some(b's' | b't' | b'm' | b'd'), _) => 2,
        (Some(b'r' | b'v'), Some(b'e')) | (Some(b'l'), Some(b'l')) => 3,
        _ => 0,
    }
}

fn signs(text: &str) -> Option<usize> {
    let start = usize::from(text.starts_with(' '));
    let signs = run(&text[start..], usize::MAX, |class, _| matches!(class, OTHER | MARK));
    if signs == 0 {
        return None;
    }
    let len = start + signs;
    Some(len + run(&text[len..], usize::MAX, |_, c| matches!(c, '\r' | '\n' | '/')))
}

fn spaces(text: &str) -> usize {
    let len = run(text, usize::MAX, |class, _| class == SPACE);
    let blank = &text[..len];
    if let Some(at) = blank.rfind(['\r', '\n']) {
        return at + 1;
    }
    if len == text.len() {
        return len;
    }
    // The last space belongs to the word after it, unless it is the only one.
    let last = blank.chars().next_back().map_or(0, char::len_utf8);
    if len > last { len - last } else { len }
}
