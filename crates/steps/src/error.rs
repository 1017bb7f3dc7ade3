//! Errors of steps: the sentence was not understood, or its target cannot be resolved on the page.

use legwork_protocol::{Action, ActionFailure};
use thiserror::Error;

/// A sentence that matches none of the forms: what was understood, what was not, and the most similar form. No part of
/// it is executed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{why}{}{}", parts(.understood, .not_understood), .suggestion.as_ref().map(|form| format!("; write it like: {form}")).unwrap_or_default())]
pub struct ParseError {
    /// The sentence.
    pub sentence: String,
    /// The reason.
    pub why: String,
    /// The words of the sentence up to those that were not understood.
    pub understood: String,
    /// The words that were not understood; empty if something is missing.
    pub not_understood: String,
    /// The most similar form.
    pub suggestion: Option<Box<str>>,
    /// Whether the example of its form shows what is missing or misplaced.
    pub(crate) wants_example: bool,
}

impl ParseError {
    pub(crate) fn new(sentence: &str, why: impl Into<String>) -> Self {
        ParseError {
            sentence: sentence.to_owned(),
            why: why.into(),
            understood: String::new(),
            not_understood: String::new(),
            suggestion: None,
            wants_example: false,
        }
    }

    pub(crate) fn suggest(mut self, form: impl Into<String>) -> Self {
        self.suggestion.get_or_insert_with(|| form.into().into_boxed_str());
        self
    }

    /// Adds the example of the form.
    pub(crate) fn with_example(self) -> Self {
        ParseError { wants_example: true, ..self }
    }

    /// Suggests the example of the form, if that helps.
    pub(crate) fn in_form(self, example: &str) -> Self {
        if self.wants_example { self.suggest(example) } else { self }
    }
}

/// The reasons for which a parsed instruction cannot be resolved on this page. The display text names the candidates.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ResolveError {
    /// No element matches.
    #[error("there is no {what}{}{}", among(", the nearest are: ", .candidates), after(.hint))]
    NotFound {
        /// A description of the target.
        what: String,
        /// The most similar elements, such as `button "Sign in" [e5]`; at most 5.
        candidates: Vec<String>,
        /// A suggestion what to try.
        hint: String,
    },
    /// Several elements match equally well.
    #[error("{count} elements fit {what}{}{}", among(": ", .candidates), after(.hint))]
    Ambiguous {
        /// A description of the target.
        what: String,
        /// The number of matches.
        count: usize,
        /// The first matches; at most 5.
        candidates: Vec<String>,
        /// A suggestion how to distinguish them.
        hint: String,
    },
    /// An element matches but is not suitable.
    #[error("{what} is {is}{}", after(.hint))]
    WrongKind {
        /// A description of the target.
        what: String,
        /// A description of the element.
        is: String,
        /// A suggestion what to do instead.
        hint: String,
    },
}

/// The actions of an instruction on a page.
pub(crate) type Actions = Result<Vec<Action>, ResolveError>;

impl ResolveError {
    pub(crate) fn not_found(what: impl Into<String>, candidates: Vec<String>, hint: impl Into<String>) -> Self {
        ResolveError::NotFound { what: what.into(), candidates, hint: hint.into() }
    }

    pub(crate) fn ambiguous(
        what: impl Into<String>,
        count: usize,
        candidates: Vec<String>,
        hint: impl Into<String>,
    ) -> Self {
        ResolveError::Ambiguous { what: what.into(), count, candidates, hint: hint.into() }
    }

    pub(crate) fn wrong_kind(what: impl Into<String>, is: impl Into<String>, hint: impl Into<String>) -> Self {
        ResolveError::WrongKind { what: what.into(), is: is.into(), hint: hint.into() }
    }
}

fn parts(understood: &str, not_understood: &str) -> String {
    match (understood, not_understood) {
        (_, "") => String::new(),
        ("", not_understood) => format!("; not understood: \"{not_understood}\""),
        (understood, not_understood) => format!("; understood: {understood} · not understood: \"{not_understood}\""),
    }
}

fn among(lead: &str, candidates: &[String]) -> String {
    if candidates.is_empty() { String::new() } else { format!("{lead}{}", candidates.join(", ")) }
}

fn after(hint: &str) -> String {
    if hint.is_empty() { String::new() } else { format!("; {hint}") }
}

impl From<ResolveError> for ActionFailure {
    fn from(unresolved: ResolveError) -> Self {
        match unresolved {
            ResolveError::NotFound { what, candidates, .. } => ActionFailure::NotFound { target: what, candidates },
            ResolveError::Ambiguous { what, count, candidates, .. } => {
                ActionFailure::Ambiguous { target: what, count, candidates }
            }
            ResolveError::WrongKind { what, is, hint } => ActionFailure::WrongKind { target: what, is, hint },
        }
    }
}
