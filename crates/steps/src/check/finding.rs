//! The result of evaluating a condition.

use std::collections::BTreeMap;

use legwork_observe::Snapshot;
use legwork_protocol::{Evidence, EvidenceKind, PageEffect};
use serde_json::Value;

use crate::error::ResolveError;

/// The facts against which a condition is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The current page.
    pub page: &'a Snapshot,
    /// The variables of the run.
    pub variables: &'a BTreeMap<String, Value>,
    /// The effects of the run's actions, in order.
    pub effects: &'a [PageEffect],
}

/// The result of a condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// The condition holds; contains the evidence.
    Holds(Vec<Evidence>),
    /// The condition does not hold.
    Fails {
        /// The reason, with the observed value.
        why: String,
        /// The most similar elements, such as `button "Sign in" [e5]`; at most 5.
        nearest: Vec<String>,
    },
    /// The subject does not exist, so that neither the condition nor its opposite can be stated: without the list,
    /// nothing is in the list or absent from it.
    Inconclusive {
        /// What is missing or cannot be determined.
        why: String,
        /// The most similar elements; at most 5.
        nearest: Vec<String>,
    },
}

/// A condition that does not hold: the reason and the most similar elements.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}{}", if .nearest.is_empty() { String::new() } else { format!("; nearest: {}", .nearest.join(", ")) })]
pub struct Unmet {
    /// The reason, with the observed value.
    pub why: String,
    /// Descriptions such as `button "Sign in" [e5]`.
    pub nearest: Vec<String>,
}

impl Finding {
    /// The evidence, or the reason why the condition does not hold.
    pub fn evidence(self) -> Result<Vec<Evidence>, Unmet> {
        match self {
            Finding::Holds(evidence) => Ok(evidence),
            Finding::Fails { why, nearest } | Finding::Inconclusive { why, nearest } => Err(Unmet { why, nearest }),
        }
    }

    /// Whether the condition holds.
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

/// The subject of a condition does not exist.
impl From<ResolveError> for Finding {
    fn from(unresolved: ResolveError) -> Self {
        cannot_tell(unresolved.to_string())
    }
}

/// A finding, or one that ended the evaluation early. Both are results.
pub(crate) type Evaluation = Result<Finding, Finding>;

pub(crate) fn cannot_tell(why: impl Into<String>) -> Finding {
    Finding::Inconclusive { why: why.into(), nearest: Vec::new() }
}
