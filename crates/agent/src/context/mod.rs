//! The content of a prompt other than the page, and the budget that it shares: the history of a task with one line per
//! action ([`History`]), which is shortened by rule when it exceeds its part of the prompt; and functions that shorten
//! texts.

mod folding;
mod history;

use legwork_observe::tokens::{count, first};

pub use folding::{CompactBy, Compaction, Detail};
pub(crate) use history::DONE;
pub use history::History;

/// Collapses white space, removes control characters and shortens the text to this number of characters.
pub fn one_line(text: &str, most: usize) -> String {
    let mut out = String::new();
    for (at, word) in text.split_whitespace().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        out.extend(word.chars().filter(|c| !c.is_control()));
        if out.len() > 8 * most {
            break;
        }
    }
    clipped(&out, most)
}

/// Shortens the text to this number of characters, with a mark if it was longer.
pub fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Shortens the text to a number of tokens, with a note if it was longer.
pub fn within(text: &str, max_tokens: usize) -> String {
    if count(text) <= max_tokens {
        return text.to_owned();
    }
    format!("{}\n(the rest is left out: over {max_tokens} tokens)", first(text, max_tokens))
}
