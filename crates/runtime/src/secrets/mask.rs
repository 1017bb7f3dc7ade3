//! Finds secret values in text, in the encodings that pages and protocols use (`spellings.rs`), in one pass over the
//! text.

use std::{collections::HashSet, fmt, sync::Arc};

use aho_corasick::{AhoCorasick, Input, MatchKind};
use secrecy::{ExposeSecret, SecretString};

use super::spellings::{Spelling, spellings, usual_spellings};

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

/// What is shown in place of a value that is no secret of the run itself.
const HIDDEN: &str = "••••";
/// Of more values, only the value itself and its usual encodings are found: the tables of all forms would be too large.
const MANY: usize = 200;

/// The values of secrets that other runs have and that this run must not show either, such as the secret columns of all
/// rows of a batch. They have no names, so that nothing can type them.
#[derive(Clone, Default)]
pub struct HiddenValues(Arc<Hidden>);

#[derive(Default)]
struct Hidden {
    values: Vec<SecretString>,
    masks: Masks,
    /// The index of the value of each pattern.
    origins: Vec<usize>,
}

impl HiddenValues {
    /// These values. The tables are shared by all clones.
    pub fn new(values: impl IntoIterator<Item = SecretString>) -> HiddenValues {
        let mut seen = HashSet::new();
        let is_new = |value: &SecretString| {
            value.expose_secret().chars().count() >= SHORTEST_MASKED && seen.insert(value.expose_secret().to_owned())
        };
        let values: Vec<SecretString> = values.into_iter().filter(is_new).collect();
        let forms = if values.len() > MANY { usual_spellings } else { spellings };
        let (mut texts, mut patterns, mut origins) = (Vec::new(), Vec::new(), Vec::new());
        for (at, value) in values.iter().enumerate() {
            for Spelling { text, by_itself } in forms(value.expose_secret()) {
                texts.push(text);
                patterns.push(Pattern { handle: HIDDEN.to_owned(), by_itself });
                origins.push(at);
            }
        }
        HiddenValues(Arc::new(Hidden { values, masks: Masks::build(texts, patterns), origins }))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.values.is_empty()
    }

    /// The indices of the values that the run has itself: they are left for its own masks.
    pub(super) fn indices_of<'a>(&self, own: impl Iterator<Item = &'a str>) -> HashSet<usize> {
        let own: HashSet<&str> = own.collect();
        let values = self.0.values.iter().enumerate();
        values.filter(|(_, value)| own.contains(value.expose_secret())).map(|(at, _)| at).collect()
    }

    pub(super) fn apply(&self, text: &mut String, own: &HashSet<usize>) {
        self.0.masks.apply_unless(text, &|pattern| own.contains(&self.0.origins[pattern]));
    }
}

impl fmt::Debug for HiddenValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HiddenValues").field("count", &self.0.values.len()).finish()
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
        Masks::build(texts, patterns)
    }

    fn build(texts: Vec<String>, patterns: Vec<Pattern>) -> Masks {
        // The finder cannot be built from too large a set. `apply` withholds the whole text then.
        let finder = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&texts).ok();
        Masks { finder: if texts.is_empty() { None } else { finder }, patterns }
    }

    pub(super) fn apply(&self, text: &mut String) {
        self.apply_unless(text, &|_| false);
    }

    /// As `apply`. What a pattern finds for which `stays` holds is left as it is.
    fn apply_unless(&self, text: &mut String, stays: &dyn Fn(usize) -> bool) {
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
            if stays(found.pattern().as_usize()) {
                from = found.end();
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
