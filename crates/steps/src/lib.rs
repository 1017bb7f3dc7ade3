//! Steps in plain words. A sentence becomes clauses, each an instruction or a check; an instruction and a snapshot become
//! actions. Pure: no IO, no clock, no model.
//!
//! The stages: `tokens` → `parser` (what to do) with `target_phrase` and `element_kind` (to which element) → `find` with
//! `name_match` (the element on this page) → `resolve` (the actions). `conditions` reads checks, `check` compares them with
//! what the run knows.

mod check;
mod conditions;
mod element_kind;
mod find;
mod forms;
mod literal;
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

pub use check::{Check, Facts, Finding, Patience, Unmet};
pub use conditions::read_condition;
pub use element_kind::is_control;
pub use literal::{Clause, Instruction, ParseError, ResolveError, Sentence, begins_with_a_verb, read};
pub use longer_name::LongerName;
pub use resolve::{OtherRecord, SavedValue};

/// A day in ISO form that a text names in whatever way; empty for an empty text.
pub fn day(text: &str) -> Option<String> {
    values::date(&text.to_lowercase())
}
