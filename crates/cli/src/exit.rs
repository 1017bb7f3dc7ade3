//! Exit codes.

use legwork_protocol::{Budget, Category, Code, ErrorReport, Outcome, Status, Validation};
use serde::{Deserialize, Serialize};

/// The codes with their meaning. The help of `run` shows them, and README.md and docs/verbs.md repeat them.
const MEANINGS: [(Exit, &str); 7] = [
    (Exit::Success, "success"),
    (Exit::Failure, "failure"),
    (Exit::Usage, "usage or settings"),
    (Exit::Fault, "browser, model or site error"),
    (Exit::Budget, "limit reached"),
    (Exit::Parked, "waiting for a person"),
    (Exit::Cancelled, "cancelled"),
];

/// The exit codes in two lines, for a help text.
pub(crate) fn help() -> String {
    let texts = MEANINGS.map(|(exit, meaning)| format!("{} {meaning}", exit.code()));
    let (first, second) = texts.split_at(4);
    format!("Exit codes:\n  {}\n  {}\n", first.join("   "), second.join("   "))
}

/// The exit codes. Scripts rely on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Exit {
    /// Success.
    Success = 0,
    /// The goal was not reached.
    Failure = 1,
    /// The command line, a file or a setting is invalid.
    Usage = 2,
    /// Error of the browser, the model, the site or the machine.
    Fault = 3,
    /// A limit was reached.
    Budget = 4,
    /// Waiting for a person.
    Parked = 5,
    /// A person cancelled it.
    Cancelled = 130,
}

impl Exit {
    pub(crate) fn code(self) -> u8 {
        self as u8
    }
}

/// The exit for an outcome.
pub(crate) fn of(outcome: &Outcome) -> Exit {
    match outcome.status {
        // Too many claims that evidence contradicts: the run failed, whichever limit counted them.
        Status::Error if outcome.validation == Validation::Rejected => Exit::Failure,
        Status::Success | Status::Skipped => Exit::Success,
        Status::Failure => Exit::Failure,
        Status::Cancelled => Exit::Cancelled,
        Status::Parked => Exit::Parked,
        // A series of failures is not a limit on what a run may use.
        Status::Error if outcome.budget == Some(Budget::Errors) => match &outcome.error {
            Some(error) if error.code != Code::BudgetExceeded => of_error(error),
            _ => Exit::Failure,
        },
        Status::Error if outcome.budget.is_some() => Exit::Budget,
        Status::Error => outcome.error.as_ref().map_or(Exit::Fault, of_error),
    }
}

/// The exit for an error.
pub(crate) fn of_error(error: &ErrorReport) -> Exit {
    match error.code {
        Code::BudgetExceeded => Exit::Budget,
        // The time limit of a step is not a limit of the run: what the step waited for did not occur.
        Code::StepTimeout => Exit::Failure,
        Code::OutcomeUnknown => Exit::Parked,
        Code::Cancelled => Exit::Cancelled,
        // An unknown command in a reply is the fault of the model, not of the caller.
        Code::UnsupportedCommand => Exit::Fault,
        _ if error.category == Category::Validation => Exit::Usage,
        _ => Exit::Fault,
    }
}

#[cfg(test)]
mod tests {
    use legwork_protocol::Usage;

    use super::*;

    fn outcome(status: Status, budget: Option<Budget>, code: Option<Code>) -> Outcome {
        Outcome {
            status,
            validation: Default::default(),
            answer: None,
            variables: Default::default(),
            usage: Usage::default(),
            budget,
            error: code.map(|code| ErrorReport::new(code, "it happened")),
        }
    }

    #[test]
    fn the_documentation_states_the_exit_codes() {
        let page =
            |name: &str| std::fs::read_to_string(format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let readme = page("README.md").to_lowercase();
        for (exit, meaning) in MEANINGS {
            let row = format!("| {} | {meaning}", exit.code());
            assert!(readme.contains(&row), "README.md: {row}");
        }
        let line = MEANINGS.map(|(exit, meaning)| format!("{} {meaning}", exit.code())).join(" · ");
        let words = page("docs/verbs.md").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(&line), "docs/verbs.md: {line}");
    }

    #[test]
    fn every_outcome_has_the_exit_code_that_is_promised() {
        use Status::{Cancelled, Error, Failure, Parked, Success};
        let table = [
            (outcome(Success, None, None), 0),
            (outcome(Failure, None, Some(Code::NotFound)), 1),
            (outcome(Failure, None, Some(Code::Refused)), 1),
            (outcome(Error, None, Some(Code::NotUnderstood)), 2),
            (outcome(Error, None, Some(Code::SettingsInvalid)), 2),
            (outcome(Error, None, Some(Code::BrowserGone)), 3),
            (outcome(Error, None, Some(Code::ModelAuth)), 3),
            (outcome(Error, None, Some(Code::UnsupportedCommand)), 3),
            (outcome(Error, None, Some(Code::Storage)), 3),
            (outcome(Error, None, None), 3),
            (outcome(Error, Some(Budget::Cost), Some(Code::BudgetExceeded)), 4),
            (outcome(Error, Some(Budget::Errors), Some(Code::BudgetExceeded)), 1),
            (outcome(Error, Some(Budget::Errors), Some(Code::ResponseParsing)), 3),
            (outcome(Error, None, Some(Code::StepTimeout)), 1),
            (outcome(Error, Some(Budget::Actions), Some(Code::BudgetExceeded)), 4),
            (outcome(Error, Some(Budget::Tokens), Some(Code::BudgetExceeded)), 4),
            (outcome(Error, Some(Budget::Iterations), Some(Code::BudgetExceeded)), 4),
            (outcome(Error, None, Some(Code::SiteUnreachable)), 3),
            (outcome(Error, None, Some(Code::PageLoad)), 3),
            (outcome(Error, None, Some(Code::PageUnresponsive)), 3),
            (outcome(Error, None, Some(Code::BudgetExceeded)), 4),
            (outcome(Error, Some(Budget::Time), Some(Code::BudgetExceeded)), 4),
            (outcome(Parked, None, Some(Code::OutcomeUnknown)), 5),
            (outcome(Cancelled, None, Some(Code::Cancelled)), 130),
        ];
        for (outcome, code) in table {
            assert_eq!(of(&outcome).code(), code, "{outcome:?}");
        }
        let checked = |validation, status, budget| Outcome { validation, ..outcome(status, budget, None) };
        assert_eq!(of(&checked(Validation::Validated, Success, None)).code(), 0);
        assert_eq!(of(&checked(Validation::Unvalidated, Success, None)).code(), 0);
        assert_eq!(of(&checked(Validation::Rejected, Failure, None)).code(), 1);
        assert_eq!(of(&checked(Validation::Rejected, Error, Some(Budget::Errors))).code(), 1);
    }
}
