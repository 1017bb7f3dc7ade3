//! Tokens of OpenAI's o200k_base, counted exactly and in little memory: the vocabulary is an fst inside the binary.
//!
//! The text is split into words as the encoding's pattern says (by hand: no look-around is needed that way), and each word
//! that is no token itself is merged pair by pair, the lowest rank first. `examples/make_vocabulary.rs` writes the tables.

mod cache;
mod merge;
mod split;

use std::sync::LazyLock;

static VOCABULARY: LazyLock<fst::Map<&'static [u8]>> = LazyLock::new(|| {
    fst::Map::new(include_bytes!("tokens/o200k.fst").as_slice()).expect("the committed vocabulary is an fst")
});

/// How many tokens a text has (o200k_base, special tokens read as plain text).
pub fn count(text: &str) -> usize {
    split::Pretokens::new(text).map(|word| of_word(word.as_bytes())).sum()
}

/// How many tokens a text has, counted no further than a little above `max`.
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

/// Whether a text has at most `max` tokens, counted no further than needed.
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

/// About how many tokens a text has, in a tenth of the time: words and their lengths, no vocabulary.
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
/// The beginning of a text, of at most so many tokens.
pub fn first(text: &str, max: usize) -> &str {
    // A token has about three bytes and a half, in few texts less than one.
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
