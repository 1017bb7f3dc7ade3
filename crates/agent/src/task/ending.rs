//! The end of a step or task: its status, message and error.

use legwork_protocol::{
    ActionFailure, ActionResult, Budget, Code, ErrorReport, ModelFailure, Status, StepResult, Validation,
};
use legwork_steps::{ParseError, ResolveError};

use crate::{
    context::one_line,
    evidence::{Contradictions, Unanswered},
};

const SUITABLE: &str = "Name an element that the instruction suits, or use the instruction for this kind of element.";
const ANSWER_DIALOG: &str =
    "Say in the same step how the dialog is answered: `… and accept the dialog`, or `… and dismiss the dialog`.";
const UNKNOWN_OUTCOME: &str = "Check on the site whether it was done. `legwork resume RUN` continues as the step's `on_resume` says; \
    `--assume done` or `--assume not-done` states what you found.";

/// The end of a step or task.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ending {
    pub(crate) status: Status,
    pub(crate) validation: Validation,
    pub(crate) message: String,
    pub(crate) answer: Option<String>,
    pub(crate) budget: Option<Budget>,
    pub(crate) error: Option<ErrorReport>,
    /// Whether the page has no element that fits the words: there was nothing that could be done.
    pub(crate) is_absence: bool,
}

impl Ending {
    pub(crate) fn success(message: String, answer: Option<String>, validation: Validation) -> Ending {
        Ending { status: Status::Success, validation, message, answer, budget: None, error: None, is_absence: false }
    }

    pub(crate) fn from_error(status: Status, error: ErrorReport) -> Ending {
        let message = error.message.clone();
        let validation = Validation::Unvalidated;
        Ending { status, validation, message, answer: None, budget: None, error: Some(error), is_absence: false }
    }

    /// The goal was not reached.
    pub(crate) fn failure(code: Code, message: impl Into<String>) -> Ending {
        Ending::from_error(Status::Failure, ErrorReport::new(code, message))
    }

    /// The end of a run after a defect: the result does not answer the need of the stage.
    pub(crate) fn inconsistent(stage: &str, result: &str) -> Ending {
        Ending::error(
            Code::Internal,
            format!("the run is in an inconsistent state: the result was `{result}` in the stage `{stage}`"),
        )
    }

    /// An error occurred.
    pub(crate) fn error(code: Code, message: impl Into<String>) -> Ending {
        Ending::from_error(Status::Error, ErrorReport::new(code, message))
    }

    /// An expectation does not hold.
    pub(crate) fn rejected(why: String) -> Ending {
        Ending { validation: Validation::Rejected, ..Ending::failure(Code::ExpectationNotMet, why) }
    }

    /// An expectation does not hold. If the server has not responded to a request of the step, it may still come to
    /// hold: the page has not refused, and the outcome is unknown.
    pub(crate) fn not_as_expected(why: String, unanswered: &Unanswered) -> Ending {
        if unanswered.is_empty() {
            return Ending::rejected(why);
        }
        let facts = unanswered.in_words();
        Ending::failure(Code::OutcomeUnknown, format!("{why}; {facts}, so the outcome is unknown"))
            .suggest(UNKNOWN_OUTCOME)
    }

    /// The page or the server refused the change.
    pub(crate) fn contradicted(contradictions: &Contradictions) -> Ending {
        let ending = Ending::failure(Code::Contradicted, contradictions.in_words());
        let ending = Ending { validation: Validation::Rejected, ..ending };
        if contradictions.hold_dialog() {
            return ending.suggest(ANSWER_DIALOG);
        }
        if contradictions.hold_question() {
            return ending.suggest(
                "The page asks for a confirmation. Continue with a step that answers it, such as `Click \"Confirm\"` with the \
                 name of its button.",
            );
        }
        match contradictions.message() {
            Some((message, is_dialog)) => {
                let message = one_line(message, 60);
                let expected = match is_dialog {
                    true => format!("the dialog said \"{message}\""),
                    false => format!("\"{message}\" is shown"),
                };
                ending.suggest(&format!(
                    "Read what the page says. If the step succeeded nevertheless, state in `expect` what the page then shows; \
                     if the step is to be refused, state the refusal: expect: '{expected}'."
                ))
            }
            None => ending,
        }
    }

    /// The step was refused in an earlier attempt, whose page no longer exists. It does not succeed merely because
    /// nothing is left to do.
    pub(crate) fn contradicted_before(result: &StepResult) -> Ending {
        let said = result.error.as_ref().map_or(result.message.as_str(), |error| error.message.as_str());
        let ending = Ending::failure(Code::Contradicted, said);
        Ending { validation: Validation::Rejected, ..ending }.suggest(
            "The step was refused before the interruption. `legwork resume RUN --assume not-done` repeats it; \
             `--assume done` continues after it.",
        )
    }

    /// The page on which the run was interrupted was the answer to a form, so its address does not lead to it again.
    pub(crate) fn page_lost(request: &str, first_step: usize, text: &str) -> Ending {
        let number = first_step + 1;
        let message = format!(
            "the page on which the run was interrupted was the answer to {request} and cannot be loaded again by its \
             address: it would lack what was sent. Nothing was done. The last page that can be loaded again is the one \
             on which step {number} ({text}) began"
        );
        Ending::error(Code::PageNotRestorable, message)
            .suggest(&format!("Check on the site what was done, then run the workflow again from step {number}."))
    }

    pub(crate) fn cancelled(reason: String) -> Ending {
        Ending::from_error(Status::Cancelled, ErrorReport::new(Code::Cancelled, reason))
    }

    pub(crate) fn parked(code: Code, why: impl Into<String>) -> Ending {
        Ending::from_error(Status::Parked, ErrorReport::new(code, why))
    }

    /// States the iteration in which it happened, and what is known about its row.
    pub(crate) fn at(mut self, place: &str, problem: Option<String>) -> Ending {
        let problem = problem.map(|problem| format!("; {problem}")).unwrap_or_default();
        self.message = format!("{place}: {}{problem}", self.message);
        if let Some(error) = &mut self.error {
            error.message = format!("{place}: {}{problem}", error.message);
        }
        self
    }

    /// Replaces the suggestion of the code.
    pub(crate) fn suggest(mut self, action: &str) -> Ending {
        self.error = self.error.map(|error| error.suggest(action));
        self
    }

    pub(crate) fn over(budget: Budget, message: String) -> Ending {
        let error = ErrorReport::new(Code::BudgetExceeded, message);
        Ending { budget: Some(budget), ..Ending::from_error(Status::Error, error) }
    }

    pub(crate) fn of_failure(failure: &ActionFailure) -> Ending {
        let status = match failure {
            ActionFailure::Cancelled => Status::Cancelled,
            // A site that is not reachable is no statement about the goal, and neither is a lost browser.
            failure if failure.is_browser_fault() || failure.is_site_fault() => Status::Error,
            _ => Status::Failure,
        };
        let is_absence = matches!(failure, ActionFailure::NotFound { .. });
        let ending = Ending::from_error(status, ErrorReport::new(Code::from(failure), failure.to_string()));
        let ending = Ending { is_absence, ..ending };
        match failure {
            ActionFailure::DialogOpen { .. } => ending.suggest(ANSWER_DIALOG),
            // The suggestion of the code names settings that could allow the action.
            ActionFailure::Forbidden { .. } => ending.suggest("No setting allows this. Use another address."),
            ActionFailure::NotEditable { .. } => {
                ending.suggest("Name the field itself, or choose its value with `Choose \"…\" from \"…\"`.")
            }
            ActionFailure::WrongKind { .. } => ending.suggest(SUITABLE),
            ActionFailure::NoOption { .. } | ActionFailure::NotAccepted { .. } => {
                ending.suggest("Use a value that the field accepts; the message lists what is known of them.")
            }
            _ => ending,
        }
    }

    /// The action failed; the message states whether it may have taken effect.
    pub(crate) fn of_result(result: &ActionResult, failure: &ActionFailure) -> Ending {
        let ending = Ending::of_failure(failure);
        if !result.outcome_unknown {
            return ending;
        }
        let said = result.failure_text().unwrap_or_default();
        let error = ending.error.map(|error| ErrorReport { message: said.clone(), ..error }.suggest(UNKNOWN_OUTCOME));
        Ending { message: said, error, ..ending }
    }

    /// No page is open: there is nothing in which an element or a text could be found.
    pub(crate) fn no_page() -> Ending {
        Ending::failure(Code::NotFound, "no page is open")
            .suggest("Begin with `Open https://…`, set `url:` in the workflow, or give `--url`.")
    }

    /// The instruction names no element of this page, or several. The message is the resolver's, which is more specific
    /// than the failure's.
    pub(crate) fn unresolved(unresolved: ResolveError) -> Ending {
        let message = unresolved.to_string();
        let has_other_kind = matches!(unresolved, ResolveError::WrongKind { .. });
        let is_absence = matches!(unresolved, ResolveError::NotFound { .. });
        let ending = Ending::failure(Code::from(&ActionFailure::from(unresolved)), message);
        let ending = Ending { is_absence, ..ending };
        if has_other_kind { ending.suggest(SUITABLE) } else { ending }
    }

    /// The element has only a text, which other rows than that of the iteration contain too.
    pub(crate) fn of_other_row(text: &str) -> Ending {
        Ending::failure(
            Code::NotInteractable,
            format!("{text:?} can only be found by its text, and other rows of the loop contain it too"),
        )
        .suggest("Name a link, button or field of the row.")
    }

    pub(crate) fn of_model(failure: &ModelFailure) -> Ending {
        let mut error = ErrorReport::new(failure.code, failure.message.clone());
        error.retryable = failure.retryable;
        Ending::from_error(Status::Error, error)
    }
}

/// The text is not an instruction.
impl From<ParseError> for Ending {
    fn from(error: ParseError) -> Self {
        Ending::error(Code::NotUnderstood, error.to_string())
    }
}
