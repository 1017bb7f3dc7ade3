//! What evaluating a condition comes to.

use std::collections::BTreeMap;

use legwork_observe::Snapshot;
use legwork_protocol::{Evidence, EvidenceKind, PageEffect};
use serde_json::Value;

use crate::error::ResolveError;

/// What a condition is checked against.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The page as it is.
    pub page: &'a Snapshot,
    /// What the run knows.
    pub variables: &'a BTreeMap<String, Value>,
    /// What the run's actions set off, in order.
    pub effects: &'a [PageEffect],
}

/// What a condition came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// It holds, and this shows it.
    Holds(Vec<Evidence>),
    /// It does not.
    Fails {
        /// Why, in words that name what was seen.
        why: String,
        /// What comes nearest, such as `button "Sign in" [e5]`; at most 5.
        nearest: Vec<String>,
    },
    /// What it is about is not there, so that neither it nor its opposite can be said: nothing is in a list, or is not in
    /// it, where there is no list.
    Unjudged {
        /// What is not there, or cannot be told.
        why: String,
        /// What comes nearest; at most 5.
        nearest: Vec<String>,
    },
}

/// A condition that does not hold: why, and what comes nearest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}{}", if .nearest.is_empty() { String::new() } else { format!("; nearest: {}", .nearest.join(", ")) })]
pub struct Unmet {
    /// In words that name what was seen.
    pub why: String,
    /// Such as `button "Sign in" [e5]`.
    pub nearest: Vec<String>,
}

impl Finding {
    /// The evidence, or what speaks against it.
    pub fn evidence(self) -> Result<Vec<Evidence>, Unmet> {
        match self {
            Finding::Holds(evidence) => Ok(evidence),
            Finding::Fails { why, nearest } | Finding::Unjudged { why, nearest } => Err(Unmet { why, nearest }),
        }
    }

    /// Whether it holds.
    pub fn holds(&self) -> bool {
        matches!(self, Finding::Holds(_))
    }
}

pub(crate) fn holds(kind: EvidenceKind, fact: impl Into<String>) -> Finding {
    Finding::Holds(vec![Evidence::checked(kind, fact)])
}

pub(crate) fn fails(why: impl Into<String>, nearest: Vec<String>) -> Finding {
    Finding::Fails { why: why.into(), nearest }
}

pub(crate) fn decided(yes: bool, kind: EvidenceKind, fact: String, expected: &str, nearest: Vec<String>) -> Finding {
    if yes { holds(kind, fact) } else { fails(format!("{fact}; {expected}"), nearest) }
}

/// What a condition is about is not there.
impl From<ResolveError> for Finding {
    fn from(unresolved: ResolveError) -> Self {
        cannot_tell(unresolved.to_string())
    }
}

/// A finding, or one that was reached before everything was looked at; either is the answer.
pub(crate) type Evaluation = Result<Finding, Finding>;

pub(crate) fn cannot_tell(why: impl Into<String>) -> Finding {
    Finding::Unjudged { why: why.into(), nearest: Vec::new() }
}
