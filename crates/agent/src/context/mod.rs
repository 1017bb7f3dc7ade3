//! What a prompt carries beside the page, and the budget all of it shares: the history of a task, a line an action
//! ([`History`]), made short by rule when it outgrows its part of the prompt; and the cutting of texts.

mod folding;
mod history;

use legwork_observe::tokens::{count, first};

pub use folding::{CompactBy, Compaction, Detail};
pub(crate) use history::DONE;
pub use history::History;

/// White space squeezed, control characters gone, at most this many characters.
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

/// At most this many characters, and a sign when there were more.
pub fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The text within a number of tokens; a cut is said.
pub fn within(text: &str, max_tokens: usize) -> String {
    if count(text) <= max_tokens {
        return text.to_owned();
    }
    format!("{}\n(the rest is left out: over {max_tokens} tokens)", first(text, max_tokens))
}
