//! Counts tokens of OpenAI's o200k_base exactly and with little memory: the vocabulary is an fst inside the binary.
//!
//! The text is split into words according to the encoding's pattern (without a regex engine, because the pattern
//! needs look-around), and each word that is not itself a token is merged pair by pair, the lowest rank first.
//! `examples/make_vocabulary.rs` writes the tables.

mod cache;
mod merge;
mod split;

use std::sync::LazyLock;

static VOCABULARY: LazyLock<fst::Map<&'static [u8]>> = LazyLock::new(|| {
    fst::Map::new(include_bytes!("tokens/o200k.fst").as_slice()).expect("the committed vocabulary is an fst")
});

/// The number of tokens of a text (o200k_base; special tokens count as plain text).
pub fn count(text: &str) -> usize {
    split::Pretokens::new(text).map(|word| of_word(word.as_bytes())).sum()
}

/// The number of tokens of a text; stops counting slightly above `max`.
pub(crate) fn count_to(text: &str, max: usize) -> usize {
    let mut total = 0;
    for word in split::Pretokens::new(text) {
        total += of_word(word.as_bytes());
        if total > max {
            break;
        }
    }
    total
}

/// Whether a text has at most `max` tokens; counts no further than necessary.
pub fn fits(text: &str, max: usize) -> bool {
    if text.len() <= max {
        return true; // a token is at least a byte
    }
    let mut total = 0;
    split::Pretokens::new(text).all(|word| {
        total += of_word(word.as_bytes());
        total <= max
    })
}

/// The approximate number of tokens, in a tenth of the time: counts words and their lengths without the vocabulary.
pub(crate) fn estimate(text: &str) -> usize {
    let (mut total, mut run, mut kind) = (0_usize, 0_usize, 0_u8);
    for byte in text.bytes() {
        let now = match byte {
            b'a'..=b'z' | b'A'..=b'Z' => 1,
            b'0'..=b'9' => 2,
            b' ' => 3,
            128.. => 4,
            _ => 5,
        };
        if now == kind {
            run += 1;
            continue;
        }
        total += cost(kind, run);
        (kind, run) = (now, 1);
    }
    total + cost(kind, run)
}

fn cost(kind: u8, run: usize) -> usize {
    match kind {
        1 => 1 + run.saturating_sub(2) / 7,
        2 => run.div_ceil(3),
        4 => run.div_ceil(3),
        5 => run.div_ceil(2),
        _ => 0,
    }
}

fn of_word(word: &[u8]) -> usize {
    let look_up = || if VOCABULARY.contains_key(word) { 1 } else { merge::count(word) };
    if word.len() == 1 { 1 } else { cache::count_or(word, look_up) }
}

fn rank(token: &[u8]) -> u64 {
    VOCABULARY.get(token).unwrap_or(u64::MAX)
}
/// The beginning of a text with at most `max` tokens.
pub fn first(text: &str, max: usize) -> &str {
    // A token has about three and a half bytes on average, and in few texts less than one.
    let mut end = text.len().min(max.saturating_mul(8));
    loop {
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        if end == 0 || fits(&text[..end], max) {
            return &text[..end];
        }
        end = end * 7 / 8;
    }
}
