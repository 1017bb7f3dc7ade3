//! Selects the errors that a person is shown. Fatal errors are always shown. Recoverable errors, tool failures and the
//! first two failed validations are hidden: a reader who only wants to know the outcome has no use for them.

use std::collections::BTreeSet;

use legwork_protocol::{Code, ErrorReport, EventKind};

use super::{super::RunRecord, rows::ProblemsRow};

/// From this number of failed validations on, they are shown.
const MIN_SHOWN: usize = 3;

pub(super) fn of(record: &RunRecord) -> ProblemsRow {
    let fatal = record.outcome.as_ref().and_then(|outcome| outcome.error.as_ref());
    let mut seen: BTreeSet<_> = fatal.iter().map(|error| error.id).collect();
    let mut problems = ProblemsRow { shown: fatal.into_iter().cloned().collect(), hidden: Vec::new() };
    let mut validations = 0;
    for error in all(record).filter(|error| seen.insert(error.id)) {
        let is_validation = matches!(error.code, Code::ExpectationNotMet | Code::SchemaValidation);
        validations += usize::from(is_validation);
        let hidden = is_tool(error) || if is_validation { validations < MIN_SHOWN } else { error.recoverable };
        if hidden { &mut problems.hidden } else { &mut problems.shown }.push(error.clone());
    }
    problems
}

fn all(record: &RunRecord) -> impl Iterator<Item = &ErrorReport> {
    let of_turns = record.turns().flat_map(|turn| {
        let calls = turn.calls.iter().filter_map(|call| call.error.as_ref());
        calls.chain(turn.thoughts.iter().filter_map(|kind| match kind {
            EventKind::InvestigationFailed(error) => Some(error),
            _ => None,
        }))
    });
    let of_steps = record.steps.iter().filter_map(|step| step.result.as_ref()?.error.as_ref());
    record.errors.iter().chain(of_turns).chain(of_steps)
}

/// Whether the error is a failed action or a failed tool of an investigation, which the loop handles itself.
fn is_tool(error: &ErrorReport) -> bool {
    let codes = [Code::CommandFailed, Code::InvestigationTool, Code::InvestigationToolUnsupported];
    error.recoverable && codes.contains(&error.code)
}
