//! Parses the instruction of a step into clauses. This is the interface of the agent to the crate `steps`.

use std::{collections::BTreeMap, time::Duration};

use legwork_observe::Snapshot;
use legwork_protocol::{Action, Evidence, PageEffect};
use legwork_steps::{Check, Facts, Finding, Instruction, ParseError, Unmet};
use serde_json::Value;

use super::step_notes::NextStep;
use crate::{Limits, evidence, playbook::PlaybookAction};

/// One part of an instruction.
#[derive(Clone, Debug)]
pub(crate) enum Clause {
    /// Execute an instruction.
    Do(Box<Instruction>),
    /// Check a condition.
    Check(Check),
    /// Execute a fixed action.
    Fixed(Action),
    /// Repeat a recorded action.
    Recorded(Box<PlaybookAction>),
}

/// Parses an instruction.
pub(crate) fn clauses(text: &str) -> Result<Vec<Clause>, ParseError> {
    let sentence = legwork_steps::read(text)?;
    let clause = |clause| match clause {
        legwork_steps::Clause::Do(instruction) => Clause::Do(instruction),
        legwork_steps::Clause::Check(check) => Clause::Check(*check),
    };
    Ok(sentence.into_clauses().into_iter().map(clause).collect())
}

impl Clause {
    /// The variable that the clause saves.
    pub(crate) fn saves(&self) -> Option<String> {
        match self {
            Clause::Do(instruction) => instruction.saved_variable().map(str::to_owned),
            Clause::Check(_) | Clause::Fixed(_) | Clause::Recorded(_) => None,
        }
    }

    /// Whether an instruction uses the variable, which is filled in before the step begins.
    pub(crate) fn uses(&self, variable: &str) -> bool {
        match self {
            Clause::Do(instruction) => instruction.to_string().contains(&format!("${{{variable}}}")),
            Clause::Check(_) | Clause::Fixed(_) | Clause::Recorded(_) => false,
        }
    }

    /// Whether the clause answers or checks the open dialog.
    pub(crate) fn is_about_dialog(&self) -> bool {
        match self {
            Clause::Do(instruction) => instruction.answers_dialog(),
            Clause::Check(check) => check.to_string().to_lowercase().contains("dialog"),
            Clause::Fixed(action) => matches!(action, Action::Dialog(_)),
            Clause::Recorded(recorded) => matches!(recorded.action, Action::Dialog(_)),
        }
    }
}

impl Clause {
    /// Whether the clause only opens an address, so that it does not respond to what the page shows.
    fn opens_address(&self) -> bool {
        match self {
            Clause::Do(instruction) if !instruction.needs_page() => {
                let actions = instruction.decide(&Snapshot::default());
                actions.is_ok_and(|actions| !actions.is_empty() && actions.iter().all(Action::navigates))
            }
            Clause::Fixed(action) => action.navigates(),
            _ => false,
        }
    }
}

/// What the next step means for the step before it.
pub(crate) fn next_step(text: &str) -> NextStep {
    let Ok(clauses) = clauses(text) else { return NextStep { acts: true, ..NextStep::default() } };
    let acts = clauses.first().is_some_and(|clause| !matches!(clause, Clause::Check(_)) && !clause.opens_address());
    let answers_dialog = clauses.first().is_some_and(Clause::is_about_dialog);
    let expects_refusal =
        clauses.iter().take_while(|clause| matches!(clause, Clause::Check(_))).any(|clause| match clause {
            Clause::Check(check) => evidence::expects_refusal(&check.to_string()),
            _ => false,
        });
    let waits = clauses.first().is_some_and(|clause| match clause {
        Clause::Do(instruction) => instruction.waits_until(),
        Clause::Check(check) => check.timeout().is_some(),
        Clause::Fixed(_) | Clause::Recorded(_) => false,
    });
    NextStep { answers_dialog, expects_refusal, acts, waits }
}

/// The reason why a step failed, if its instruction requires an effect such as a download and no action had it. `None`
/// if the instruction requires no such effect or is not understood.
pub(crate) fn lacking_effect(sentence: &str, page: &Snapshot, effects: &[PageEffect]) -> Option<String> {
    let variables = BTreeMap::new();
    clauses(sentence).ok()?.iter().find_map(|clause| match clause {
        Clause::Check(check) if check.about_effects() => {
            judge(check, page, &variables, effects).err().map(|unmet| unmet.why)
        }
        _ => None,
    })
}

/// Parses an expectation or a condition.
pub(crate) fn read_check(text: &str) -> Result<Check, ParseError> {
    legwork_steps::read_condition(text)
}

/// How long to wait for a check: the time in its text, or the limit.
pub(crate) fn check_timeout(check: &Check, limits: &Limits) -> Duration {
    match check.timeout() {
        None => limits.element_wait,
        Some(timeout) => timeout.seconds.and_then(|s| Duration::try_from_secs_f64(s).ok()).unwrap_or(limits.wait),
    }
}

/// Whether a check holds. The error is the reason why the page does not show whether it does.
pub(crate) fn evaluate(
    check: &Check,
    page: &Snapshot,
    variables: &BTreeMap<String, Value>,
    effects: &[PageEffect],
) -> Result<bool, String> {
    let page = &page.visible();
    match check.evaluate(&Facts { page, variables, effects }) {
        Finding::Holds(_) => Ok(true),
        Finding::Fails { .. } => Ok(false),
        Finding::Inconclusive { why, .. } => Err(why),
    }
}

/// Evaluates a check: returns the evidence, or the reason why it does not hold.
pub(crate) fn judge(
    check: &Check,
    page: &Snapshot,
    variables: &BTreeMap<String, Value>,
    effects: &[PageEffect],
) -> Result<Vec<Evidence>, Unmet> {
    let page = &page.visible();
    check.evaluate(&Facts { page, variables, effects }).evidence()
}
