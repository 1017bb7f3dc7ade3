//! A step's words as clauses: the seam to the deciders that need no model.

use std::collections::BTreeMap;

use legwork_observe::Snapshot;
use legwork_protocol::{Action, Evidence, PageEffect};
use serde_json::Value;

use super::Ending;
use super::shim as decide;

pub(crate) use super::shim::{Check, Instruction};

/// One thing that a step says.
#[derive(Clone, Debug)]
pub(crate) enum Clause {
    /// Do something.
    Do(Instruction),
    /// See whether something holds.
    Check(Check),
    /// Do exactly this.
    Fixed(Action),
}

/// Reads a step.
pub(crate) fn clauses(text: &str) -> Result<Vec<Clause>, Ending> {
    let sentence = decide::read(text).map_err(|error| Ending::not_understood(error.to_string()))?;
    let clause = |clause| match clause {
        decide::Clause::Do(instruction) => Clause::Do(instruction),
        decide::Clause::Check(check) => Clause::Check(check),
    };
    Ok(sentence.into_clauses().into_iter().map(clause).collect())
}

/// Reads an expectation or a condition: one check, or several that must all hold.
pub(crate) fn checks(text: &str) -> Result<Vec<Check>, Ending> {
    let sentence = decide::read(text).map_err(|error| Ending::not_understood(error.to_string()))?;
    let check = |clause| match clause {
        decide::Clause::Check(check) => Ok(check),
        decide::Clause::Do(_) => Err(Ending::not_understood(format!("{text:?} is an instruction, not a check"))),
    };
    sentence.into_clauses().into_iter().map(check).collect()
}

/// Whether all checks hold: the evidence, or why not.
pub(crate) fn judge(
    checks: &[Check],
    page: &Snapshot,
    variables: &BTreeMap<String, Value>,
    effects: &[PageEffect],
) -> Result<Vec<Evidence>, String> {
    let mut all = Vec::new();
    for check in checks {
        match decide::check(check, &decide::Facts { page, variables, effects }) {
            decide::Finding::Holds(evidence) => all.extend(evidence),
            decide::Finding::Fails { why, nearest } if nearest.is_empty() => return Err(why),
            decide::Finding::Fails { why, nearest } => return Err(format!("{why}; nearest: {}", nearest.join(", "))),
        }
    }
    Ok(all)
}
