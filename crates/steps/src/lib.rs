//! Parses and resolves steps in natural language. A sentence becomes clauses, each an instruction or a check. An
//! instruction and a snapshot become actions; a check and the state of a run become a finding. Pure: no IO, no clock,
//! no model.
//!
//! The modules, from the grammar to the pages:
//! - `error`, `tokens`, `element_kind`, `ast`: the meaning of a sentence, as values.
//! - `values`, `texts`, `target_phrase`, `additional_words`, `conditions`, `parser`: the grammar, which creates these
//!   values. The table of the sentence forms is `parser::forms`.
//! - `roles`, `name_match`, `kind_fit`, `describe`, `scope`, `find`, `properties`: which elements of a page a phrase
//!   refers to.
//! - `resolve`, `leading_words`, `longer_name`, `instruction`, `check`: the resulting actions and findings.
//! - `rows`: the rows of a table over which a loop runs.
//! - `assertion`: a check in the terms of other test tools.

mod additional_words;
mod assertion;
mod ast;
mod check;
mod conditions;
mod describe;
mod element_kind;
mod error;
mod find;
mod instruction;
mod kind_fit;
mod leading_words;
mod longer_name;
mod name_match;
mod parser;
mod properties;
mod resolve;
mod roles;
mod rows;
mod scope;
mod target_phrase;
#[cfg(test)]
mod tests;
mod texts;
mod tokens;
mod values;

pub use assertion::{Assertion, TextComparison};
pub use ast::{Check, Clause, Instruction, Sentence, Timeout};
pub use check::{Facts, Finding, Unmet};
pub use conditions::read_condition;
pub use error::{ParseError, ResolveError};
pub use instruction::{begins_on_a_page, opened_address};
pub use longer_name::LongerName;
pub use parser::{
    FORMS, STRUCTURES, SentenceForm, SentenceStructure, StructureForm, begins_with_a_verb, read, read_structure,
};
pub use properties::OtherRecord;
pub use resolve::SavedValue;
pub use roles::is_control;
pub use rows::{IterationView, KnownRow, LoopRow, LoopRows, LoopWords, RowPlace, RowPresence, read_loop};

/// Converts a date in any supported notation to ISO form; empty for an empty text.
pub fn day(text: &str) -> Option<String> {
    values::date(&text.to_lowercase())
}
