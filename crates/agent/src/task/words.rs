//! A step's words as clauses: the seam to the deciders that need no model.

use std::{collections::BTreeMap, time::Duration};

use legwork_observe::Snapshot;
use legwork_protocol::{Action, Evidence, PageEffect};
use legwork_steps::{Check, Facts, Instruction, ParseError, Unmet};
use serde_json::Value;

use super::step_notes::NextStep;
use crate::{Limits, evidence};

/// One thing that a step says.
#[derive(Clone, Debug)]
pub(crate) enum Clause {
    /// Do something.
    Do(Box<Instruction>),
    /// See whether something holds.
    Check(Check),
    /// Do exactly this.
    Fixed(Action),
}

/// Reads a step.
pub(crate) fn clauses(text: &str) -> Result<Vec<Clause>, ParseError> {
    let sentence = legwork_steps::read(text)?;
    let clause = |clause| match clause {
        legwork_steps::Clause::Do(instruction) => Clause::Do(instruction),
        legwork_steps::Clause::Check(check) => Clause::Check(*check),
    };
    Ok(sentence.into_clauses().into_iter().map(clause).collect())
}

impl Clause {
    /// Whether it answers the dialog that is open, or looks at it.
    pub(crate) fn is_about_dialog(&self) -> bool {
        match self {
            Clause::Do(instruction) => instruction.answers_dialog(),
            Clause::Check(check) => check.to_string().to_lowercase().contains("dialog"),
            Clause::Fixed(action) => matches!(action, Action::Dialog(_)),
        }
    }
}

/// What the next step says of the one before it.
pub(crate) fn next_step(text: &str) -> NextStep {
    let Ok(clauses) = clauses(text) else { return NextStep { acts: true, ..NextStep::default() } };
    let acts = clauses.first().is_some_and(|clause| !matches!(clause, Clause::Check(_)));
    let answers_dialog = clauses.first().is_some_and(Clause::is_about_dialog);
    let expects_refusal =
        clauses.iter().take_while(|clause| matches!(clause, Clause::Check(_))).any(|clause| match clause {
            Clause::Check(check) => evidence::expects_refusal(&check.to_string()),
            _ => false,
        });
    let waits = clauses.first().is_some_and(|clause| match clause {
        Clause::Do(instruction) => instruction.waits_until(),
        Clause::Check(check) => check.patience().is_some(),
        Clause::Fixed(_) => false,
    });
    NextStep { answers_dialog, expects_refusal, acts, waits }
}

/// What a step's words say that an action has to set off, such as a download, and none did: why not. Nothing when the words say no
/// such thing, or are not understood.
pub(crate) fn lacking_effect(sentence: &str, page: &Snapshot, effects: &[PageEffect]) -> Option<String> {
    let variables = BTreeMap::new();
    clauses(sentence).ok()?.iter().find_map(|clause| match clause {
        Clause::Check(check) if check.about_effects() => {
            judge(check, page, &variables, effects).err().map(|unmet| unmet.why)
        }
        _ => None,
    })
}

/// Reads an expectation or a condition.
pub(crate) fn read_check(text: &str) -> Result<Check, ParseError> {
    legwork_steps::read_condition(text)
}

/// How long a check is waited for: what its words say, or the limits.
pub(crate) fn patience(check: &Check, limits: &Limits) -> Duration {
    match check.patience() {
        None => limits.element_wait,
        Some(patience) => patience.seconds.and_then(|s| Duration::try_from_secs_f64(s).ok()).unwrap_or(limits.wait),
    }
}

/// Whether a check holds: the evidence, or why not.
pub(crate) fn judge(
    check: &Check,
    page: &Snapshot,
    variables: &BTreeMap<String, Value>,
    effects: &[PageEffect],
) -> Result<Vec<Evidence>, Unmet> {
    let page = &page.visible();
    check.evaluate(&Facts { page, variables, effects }).evidence()
}
