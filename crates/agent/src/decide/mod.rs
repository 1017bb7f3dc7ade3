//! Deciders that need no model.
//!
//! [`literal`] reads the words of a step: a sentence becomes clauses, each an instruction or a check. An instruction is
//! resolved on a fresh snapshot, by role and accessible name; where several elements match, it fails. [`check`] compares a
//! condition with what the run knows and returns evidence.
//!
//! The stages: `tokens` → `parser` (what to do) with `target_phrase` and `element_kind` (to which element) → `find` with
//! `name_match` (the element on this page) → `resolve` (the actions).

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

pub(crate) use element_kind::is_control;

/// A day in ISO form that a text names in whatever way; empty for an empty text.
pub(crate) fn day(text: &str) -> Option<String> {
    values::date(&text.to_lowercase())
}
