//! Matches the words after a verb with a pattern of the table of forms. All patterns are matched by this one function:
//!
//! | Part of a pattern | Meaning |
//! |---|---|
//! | `(into\|to; into which field)` | One of these phrases. Without it, the sentence `does not say into which field`. |
//! | `(~to)` | The same; of several places, the last one counts instead of the first. |
//! | `[on\|at]` | One of these phrases, or none. |
//! | `["box]` | The same, if a quoted text follows. |
//! | `(state=on\|off)` | A phrase that the builder asks for by this name. |
//! | `{target}` | A slot: the words up to the next part. Its name is its kind (`slots`), unless it has both: `{to:target}`. |
//! | `{target; what to click}` | A slot without which the sentence `does not say what to click`. |
//! | `{target?}` | A slot that can be empty. |
//!
//! Phrases in capitals are lists of `vocabulary`. Phrases that start with `the` may have any article or none. There is
//! no backtracking: the first place of a phrase ends the slot before it, so a sentence has one interpretation, or none.

use super::slots::{self, vocabulary};
use crate::{error::ParseError, tokens::TokenStream};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Sort {
    Slot,
    Required,
    Optional,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    sort: Sort,
    name: &'static str,
    /// The phrases, or the kind of the slot.
    body: &'static str,
    missing: Option<&'static str>,
    /// Whether an article can precede the phrase.
    has_article: bool,
    /// A slot that can be empty; a phrase of which the last place counts, or which a quoted text must follow.
    is_marked: bool,
}

/// The words in the slots of a pattern, and the phrases with names.
#[derive(Clone, Debug)]
pub(super) struct Slots<'t> {
    words: Vec<(&'static str, TokenStream<'t>)>,
    phrases: Vec<(&'static str, &'static str)>,
}

/// The reasons for which words do not match a pattern.
#[derive(Debug)]
pub(super) enum Mismatch {
    /// Something is missing; contains what, if the pattern states it.
    Missing(Option<&'static str>),
    Parse(ParseError),
}

impl<'t> Slots<'t> {
    pub(super) fn words(&self, name: &str) -> Option<TokenStream<'t>> {
        self.words.iter().find(|(slot, _)| *slot == name).map(|(_, words)| *words)
    }

    /// The phrase with this name; empty if it was not there.
    pub(super) fn phrase(&self, name: &str) -> &'static str {
        self.phrases.iter().find(|(known, _)| *known == name).map_or("", |(_, phrase)| phrase)
    }

    fn fill(&mut self, parts: &[Part], words: TokenStream<'t>) -> Result<(), Mismatch> {
        match parts {
            [] if words.is_empty() => Ok(()),
            [] => Err(Mismatch::Missing(None)),
            [phrase, rest @ ..] if phrase.sort != Sort::Slot => {
                let after = phrase.at_start(if phrase.has_article { words.strip_articles() } else { words });
                self.note(phrase, after.map(|(phrase, _)| phrase))?;
                self.fill(rest, after.map_or(words, |(_, after)| after))
            }
            [front @ .., phrase] if phrase.sort != Sort::Slot => {
                let mut before = words;
                self.note(phrase, before.strip_suffix(phrase.body))?;
                self.fill(front, before)
            }
            // A quoted text at the end is one token.
            [front @ .., slot] if !front.is_empty() && slot.body == "quoted" => {
                let (before, text) = words.split_around((words.len().saturating_sub(1), 0));
                self.take(slot, text)?;
                self.fill(front, before)
            }
            [front @ .., slot] if slot.body == "times" => {
                let before = slots::without_times(words).map_err(Mismatch::Parse)?.map_or(words, |(before, _)| before);
                self.words.push((slot.name, words.skip(before.len())));
                self.fill(front, before)
            }
            [slot] => self.take(slot, words),
            [slot, rest @ ..] => {
                let at = rest.iter().position(|part| part.sort == Sort::Required).unwrap_or_default();
                let end = slot.end(&rest[at], words)?.ok_or(Mismatch::Missing(rest[at].missing))?;
                let (before, after) = words.split_around(end);
                self.note(&rest[at], words.skip(end.0).starts_with(rest[at].body))?;
                self.fill(&parts[..=at], before)?;
                self.fill(&rest[at + 1..], after).map_err(|mismatch| match mismatch {
                    Mismatch::Missing(what) => match rest[at].missing.or(what) {
                        // `Set "Name" to`: no other pattern applies to half a sentence.
                        Some(what) if after.is_empty() => Mismatch::Parse(words.missing(what)),
                        what => Mismatch::Missing(what),
                    },
                    other => other,
                })
            }
        }
    }

    fn note(&mut self, part: &Part, phrase: Option<&'static str>) -> Result<(), Mismatch> {
        match phrase {
            Some(phrase) => self.phrases.push((part.name, phrase)),
            None if part.sort == Sort::Required => return Err(Mismatch::Missing(part.missing)),
            None => {}
        }
        Ok(())
    }

    fn take(&mut self, slot: &Part, words: TokenStream<'t>) -> Result<(), Mismatch> {
        let fits = if words.is_empty() { slot.is_marked } else { slots::accepts(slot.body, words) };
        self.words.push((slot.name, words));
        let missing = slot.missing.or_else(|| words.is_empty().then(|| slots::missing(slot.body)).flatten());
        if fits { Ok(()) } else { Err(Mismatch::Missing(missing)) }
    }
}

impl Part {
    /// The phrase at the start, and the words after it.
    fn at_start<'t>(&self, words: TokenStream<'t>) -> Option<(&'static str, TokenStream<'t>)> {
        let mut after = words;
        let phrase = after.strip_prefix(self.body)?;
        (!self.is_marked || after.quoted(0)).then_some((phrase, after))
    }

    /// The place of the phrase that ends the slot.
    fn end(&self, phrase: &Part, words: TokenStream<'_>) -> Result<Option<(usize, usize)>, Mismatch> {
        let quoted = slots::quoted_length(self.body, words);
        Ok(match self.body {
            _ if quoted > 0 => Some((quoted, words.match_any(quoted, phrase.body))).filter(|(_, count)| *count > 0),
            "text" => slots::end_of_text(words, phrase.body).map_err(Mismatch::Parse)?,
            _ => {
                let mut places = words.places_of(usize::from(!self.is_marked), phrase.body);
                if phrase.is_marked { places.last() } else { places.next() }
            }
        })
    }
}

/// Matches words with a pattern.
pub(super) fn matches<'t>(pattern: &'static str, words: TokenStream<'t>) -> Result<Slots<'t>, Mismatch> {
    let mut slots = Slots { words: Vec::new(), phrases: Vec::new() };
    slots.fill(&parts(pattern), words)?;
    Ok(slots)
}

fn parts(pattern: &'static str) -> Vec<Part> {
    let part = |part: &'static str| {
        let part = part.trim();
        let sort = match part.as_bytes()[0] {
            b'{' => Sort::Slot,
            b'(' => Sort::Required,
            _ => Sort::Optional,
        };
        let inner = &part[1..part.len() - 1];
        let (inner, missing) = inner.split_once("; ").map_or((inner, None), |(inner, what)| (inner, Some(what)));
        let body = inner.trim_start_matches(['~', '"']).trim_end_matches('?');
        let is_marked = body.len() < inner.len();
        let is_name = |(name, _): &(&str, &str)| !name.is_empty() && name.chars().all(char::is_alphabetic);
        let separator = if sort == Sort::Slot { ':' } else { '=' };
        let (name, body) = body.split_once(separator).filter(is_name).unwrap_or((body, body));
        let body = vocabulary(body).unwrap_or(body);
        let bare = body.strip_prefix("the ").unwrap_or(body);
        Part { sort, name, body: bare, missing, has_article: bare.len() < body.len(), is_marked }
    };
    pattern.split_inclusive([']', ')', '}']).map(part).collect()
}

/// The places in a pattern that are not well-formed.
#[cfg(test)]
pub(super) fn mistakes(pattern: &'static str) -> Vec<String> {
    let mistake = |part: Part| match part.sort {
        Sort::Slot => {
            (!slots::KINDS.split_whitespace().any(|kind| kind == part.body)).then(|| format!("no kind {}", part.body))
        }
        _ if part.body.contains(char::is_uppercase) => Some(format!("no list {}", part.body)),
        _ => part.body.split('|').any(|phrase| phrase.trim() != phrase || phrase.is_empty()).then(|| part.body.into()),
    };
    parts(pattern).into_iter().filter_map(mistake).collect()
}
