//! Finds secret values in text, in the encodings that pages and protocols use (`spellings.rs`), in one pass over the text.

use aho_corasick::{AhoCorasick, Input, MatchKind};

use super::spellings::{Spelling, spellings};

/// Shorter values are not masked: a `7` would be found everywhere, and the replacement would damage the observed text
/// and reveal where the value occurs.
pub const SHORTEST_MASKED: usize = 4;

/// A warning about a value, if there is one.
pub(super) fn warning(name: &str, value: &str) -> Option<String> {
    let length = value.chars().count();
    if length < SHORTEST_MASKED {
        Some(format!(
            "secret {name} has fewer than {SHORTEST_MASKED} characters: it is typed, but cannot be masked where a page shows it"
        ))
    } else if super::spellings::is_short_word(value) {
        Some(format!("secret {name} is a short word: wherever a page shows that word, it is masked too"))
    } else {
        None
    }
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
            for Spelling { text, by_itself } in spellings(value) {
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
