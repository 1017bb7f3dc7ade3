//! How well a run is checked: what its steps were for, and which of them nothing shows.

use legwork_protocol::{Action, ActionPurpose, Code, ErrorReport, Outcome, Status, StepResult, Validation};

use super::{Ending, WorkflowRun};

/// What the actions of a step are for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Purpose {
    /// All of them only prepare what another step does: it shows what they were for.
    Preparation,
    /// The server accepted what was asked for and does it later: the step that waits for it shows that it is done.
    Acceptance,
    /// At least one of them does something for itself.
    Effect,
}

impl WorkflowRun {
    pub(super) fn note_action(&mut self, step: usize, action: &Action) {
        let purpose = self.purposes.entry(step).or_insert(Purpose::Preparation);
        if !prepares(action) {
            *purpose = Purpose::Effect;
        }
    }

    /// A run is as well checked as its least checked step. What a step with a mere gesture was for, such as a key that selects a
    /// text, the next step shows; and that a server has done what it accepted for later, the step that waits for it.
    pub(super) fn is_validated(&self) -> bool {
        let is_validated = |result: &StepResult| result.validation == Validation::Validated;
        let mut done = self.results.iter().filter(|result| result.status == Status::Success).rev();
        // From the last step on, which nothing comes after: it has to be validated itself.
        let Some(last) = done.next().filter(|last| is_validated(last)) else { return false };
        let prepares = |result: &StepResult| self.purposes.get(&result.index) == Some(&Purpose::Preparation);
        let (mut later, mut next_effect_is_validated) = (last, !prepares(last));
        done.all(|result| {
            let is_shown = is_validated(result)
                || match self.purposes.get(&result.index) {
                    Some(Purpose::Preparation) => next_effect_is_validated,
                    Some(Purpose::Acceptance) => later.index == result.index + 1 && is_validated(later),
                    Some(Purpose::Effect) | None => false,
                };
            if !prepares(result) {
                next_effect_is_validated = is_shown;
            }
            later = result;
            is_shown
        })
    }

    /// What was found after the end, while the browser was closed, takes the proof from a success.
    pub fn unprove(&self, outcome: &mut Outcome, why: &str) {
        if outcome.validation != Validation::Validated {
            return;
        }
        outcome.validation = Validation::Unvalidated;
        if outcome.status == Status::Success && self.rules.require_validated {
            let message = format!("this run requires that everything is validated, and it is not any more: {why}");
            outcome.status = Status::Failure;
            outcome.error = Some(ErrorReport::new(Code::NotValidated, message));
        }
    }

    /// A success that nothing shows, where only one that is shown counts.
    pub(super) fn not_validated(&self, ending: Ending) -> Ending {
        let loose = self
            .results
            .iter()
            .filter(|result| result.status == Status::Success && result.validation != Validation::Validated);
        let mut idle = Vec::new();
        let details: Vec<String> = loose
            .map(|result| {
                let number = result.index + 1;
                match self.purposes.contains_key(&result.index) {
                    true => format!("step {number}: {}", result.text),
                    false => {
                        idle.push(number.to_string());
                        format!("step {number}: {} (no action was carried out)", result.text)
                    }
                }
            })
            .collect();
        let message = match idle.join(", ") {
            none if none.is_empty() => {
                "everything was done, but not all of it is validated, which this run requires".to_owned()
            }
            _ if self.start.task => {
                "nothing was done: no action supports the claim that the task is complete, and this run requires that it is \
                 validated"
                    .to_owned()
            }
            idle => format!(
                "nothing was done in step {idle}: no action supports the claim that it is complete, and this run requires that \
                 everything is validated"
            ),
        };
        let error = ErrorReport::new(Code::NotValidated, message).with_details(details);
        Ending { answer: ending.answer, validation: ending.validation, ..Ending::from_error(Status::Failure, error) }
    }
}

/// Whether an action only prepares another one: it moves the pointer, the focus, the selection or what is in view.
fn prepares(action: &Action) -> bool {
    match action.carried_out() {
        Action::Press(press) => {
            let key = press.key.rsplit('+').next().unwrap_or_default();
            let moves = ["Arrow", "Home", "End", "Page", "Tab"].iter().any(|name| key.starts_with(name));
            moves || matches!(&*press.key.to_lowercase(), "control+a" | "meta+a" | "controlormeta+a")
        }
        action => action.info().purpose == ActionPurpose::Prepare,
    }
}
