//! Deciders that need no model.
//!
//! [`literal`] reads a step's own words: a sentence becomes clauses, each an instruction or a check. An instruction is
//! decided on a fresh snapshot, by role and accessible name, and never guesses. [`check`] holds a condition against what
//! the run knows and answers with evidence.
//!
//! The way of the words: `words` (tokens) → `clauses` (what to do) with `target` and `kinds` (to which element) →
//! `find` with `names` (the element on this page) → `deeds` (the actions).

pub mod check;
mod clauses;
mod conditions;
mod deeds;
mod find;
mod forms;
mod kinds;
pub mod literal;
mod names;
mod places;
mod properties;
mod severity;
mod target;
#[cfg(test)]
mod tests;
mod texts;
mod values;
mod words;
