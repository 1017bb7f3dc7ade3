//! Deciders that need no model.
//!
//! [`literal`] reads a step's own words: a sentence becomes clauses, each an instruction or a check. An instruction is
//! decided on a fresh snapshot, by role and accessible name, and never guesses. [`check`] holds a condition against what
//! the run knows and answers with evidence.
//!
//! The way of the words: `words` (tokens) → `clauses` (what to do) with `target` and `kinds` (to which element) →
//! `find` with `names` (the element on this page) → `deeds` (the actions).

pub mod check;
mod conditions;
mod element_kind;
mod find;
mod forms;
pub mod literal;
mod longer_name;
mod name_match;
mod parser;
mod properties;
mod resolve;
mod scope;
mod target_phrase;
#[cfg(test)]
mod tests;
mod texts;
mod tokens;
mod values;

/// A day in ISO form that a text names in whatever way; empty for an empty text.
pub(crate) fn day(text: &str) -> Option<String> {
    values::date(&text.to_lowercase())
}
