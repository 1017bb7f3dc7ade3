//! Steps that say exactly what to do. Words go in, clauses come out; an [`Instruction`] and a snapshot make actions.
//!
//! Nothing here guesses: a sentence that is not understood says which words were not, an element that is not there or
//! there twice is an [`ResolveError`] with what comes nearest.

use std::fmt;

use legwork_observe::Snapshot;
use legwork_protocol::{Action, ActionFailure, Click, Dialog, Effect};
use thiserror::Error;

use super::{
    check::Check,
    longer_name::{self, LongerName},
    parser::{self, Operation},
    resolve::{self, SavedValue},
    tokens::TokenStream,
};

/// A step, read: one clause or several joined by `and`, `then`, a comma or a full stop. Each clause is decided on its own
/// fresh snapshot, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentence {
    clauses: Vec<Clause>,
}

/// One thing to do or to check.
#[derive(Clone, Debug, PartialEq)]
pub enum Clause {
    /// Do it.
    Do(Box<Instruction>),
    /// Hold it against the page: [`Check::evaluate`].
    Check(Box<Check>),
}

impl Sentence {
    pub(super) fn new(clauses: Vec<Clause>) -> Self {
        Sentence { clauses }
    }

    /// The clauses in order; never empty.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// The clauses in order; never empty.
    pub fn into_clauses(self) -> Vec<Clause> {
        self.clauses
    }
}

/// A thing to do, in the words of the step. Its display is these words.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    pub(super) operation: Operation,
    pub(super) words: String,
    /// The answer to the dialog that it opens: `… and accept the dialog`.
    pub(super) answer: Option<Dialog>,
}

impl Instruction {
    /// Whether it has to see the page before it can be decided. `Open https://…`, `Press Enter`, `Wait 2 seconds` need not.
    pub fn needs_page(&self) -> bool {
        resolve::needs_page(&self.operation)
    }

    /// Whether it logs somebody in.
    pub fn is_login(&self) -> bool {
        matches!(self.operation, Operation::Login { .. })
    }

    /// The actions for this page, in order. None at all means that nothing is left to do: what is to be expanded is
    /// expanded already, or the value is answered by [`Instruction::saved_value`].
    pub fn decide(&self, page: &Snapshot) -> Result<Vec<Action>, ResolveError> {
        let mut actions = resolve::decide(&self.operation, page)?;
        if let Some(answer) = &self.answer
            && let Some(last) = actions.pop()
        {
            let opens = last.effect() != Effect::ReadOnly && !matches!(last, Action::Dialog(_));
            actions.push(if opens {
                Action::Dialog(Dialog { opened_by: Some(Box::new(last)), ..answer.clone() })
            } else {
                last
            });
        }
        Ok(actions)
    }

    /// What these actions act on, where its name is longer than the words and may be that of another thing.
    pub fn longer_name(&self, actions: &[Action], page: &Snapshot) -> Option<LongerName> {
        longer_name::longer_name(&self.operation, actions, page)
    }

    /// Whether it answers a dialog.
    pub fn answers_dialog(&self) -> bool {
        matches!(self.operation, Operation::Dialog { .. })
    }

    /// Whether it waits until something is there. What goes away may go because it failed.
    pub fn waits_until(&self) -> bool {
        matches!(&self.operation, Operation::Wait(wait) if wait.text.is_some() || wait.url.is_some())
    }

    /// Whether it carries the answer to the dialog that it opens.
    pub fn carries_answer(&self) -> bool {
        self.answer.is_some()
    }

    /// Whether more may be called for once these of its actions are done, which only the page then shows.
    pub fn may_follow_up(&self, done: &[Action]) -> bool {
        matches!(done, [Action::Fill(_)]) && matches!(self.operation, Operation::Choose { from: Some(_), .. })
    }

    /// The click that is still called for: what was to be chosen was put into a plain field, and the page offers it.
    pub fn follow_up(&self, done: &[Action], before: &Snapshot, after: &Snapshot) -> Option<Action> {
        let (true, [Action::Fill(fill)]) = (self.may_follow_up(done), done) else { return None };
        resolve::offered(&fill.text, before, after).map(|target| Action::Click(Click::on(target)))
    }

    /// The value of a sentence that saves what the snapshot itself knows (`Save the address as url`, `Save the
    /// number of rows as n`, the text of something that is not an element of its own). Such a sentence has no actions.
    pub fn saved_value(&self, page: &Snapshot) -> Option<SavedValue> {
        resolve::saved_value(&self.operation, page)
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

/// A sentence that is not one of the forms: what was understood, what was not, and the nearest form. Nothing of it is done.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{why}{}{}", parts(.understood, .odd), .suggestion.as_ref().map(|form| format!("; write it like: {form}")).unwrap_or_default())]
pub struct ParseError {
    /// The sentence.
    pub sentence: String,
    /// What was not understood.
    pub why: String,
    /// The words of the sentence up to those that were not understood.
    pub understood: String,
    /// The words that were not understood; empty when something is missing instead.
    pub odd: String,
    /// The nearest form that would be.
    pub suggestion: Option<String>,
}

impl ParseError {
    pub(super) fn new(sentence: &str, why: impl Into<String>) -> Self {
        ParseError {
            sentence: sentence.to_owned(),
            why: why.into(),
            understood: String::new(),
            odd: String::new(),
            suggestion: None,
        }
    }

    /// These words are the ones that were not understood; what stands before them was.
    pub(super) fn at(mut self, odd: TokenStream<'_>) -> Self {
        if self.odd.is_empty() && odd.source() == self.sentence {
            self.understood = odd.before().trim().trim_end_matches([',', ';', '.']).to_owned();
            self.odd = odd.text_as_written();
        }
        self
    }

    pub(super) fn suggest(mut self, form: impl Into<String>) -> Self {
        self.suggestion.get_or_insert(form.into());
        self
    }
}

/// Why a sentence that was understood cannot be done on this page. Its display names the candidates.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ResolveError {
    /// Nothing fits.
    #[error("there is no {what}{}{}", among(", the nearest are: ", .candidates), after(.hint))]
    NotFound {
        /// What was looked for.
        what: String,
        /// What comes nearest, such as `button "Sign in" [e5]`; at most 5.
        candidates: Vec<String>,
        /// What to try.
        hint: String,
    },
    /// More than one fits equally well.
    #[error("{count} elements fit {what}{}{}", among(": ", .candidates), after(.hint))]
    Ambiguous {
        /// What was looked for.
        what: String,
        /// How many.
        count: usize,
        /// The first of them; at most 5.
        candidates: Vec<String>,
        /// How to say which.
        hint: String,
    },
    /// There is one, but not for this.
    #[error("{what} is {is}{}", after(.hint))]
    WrongKind {
        /// What was looked for.
        what: String,
        /// What it is instead.
        is: String,
        /// What to do instead.
        hint: String,
    },
}

fn parts(understood: &str, odd: &str) -> String {
    match (understood, odd) {
        (_, "") => String::new(),
        ("", odd) => format!("; not understood: \"{odd}\""),
        (understood, odd) => format!("; understood: {understood} · not understood: \"{odd}\""),
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

/// Whether it begins as an instruction does, be it one that can be read or not: `click …`, `please type …`.
pub fn begins_with_a_verb(text: &str) -> bool {
    let mut words = text
        .split(|c: char| !c.is_alphabetic() && c != '-')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .skip_while(|word| matches!(word.as_str(), "please" | "then" | "and" | "now" | "first" | "finally" | "next"));
    words.next().is_some_and(|word| parser::is_verb(&word))
}

/// Reads a step. `${variables}` are resolved before; `${secret:NAME}` stays as it is.
pub fn read(step: &str) -> Result<Sentence, ParseError> {
    parser::read(step)
}
