//! The validation of a run: the purposes of its steps, and which steps have no evidence.

use legwork_protocol::{Action, ActionPurpose, Code, ErrorReport, Outcome, Status, StepResult, Validation};

use super::{Ending, StepNotes, WorkflowRun};
use crate::task::VisibleEffect;

/// The purpose of a step's actions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Purpose {
    /// All of them only prepare another step, whose evidence covers them.
    Preparation,
    /// The server accepted the request and executes it later, or the page shows nothing of it. The step that waits for
    /// or checks the result has the evidence.
    Acceptance,
    /// The page does not support the effect of the step. The step is not validated, unless the next one checks for
    /// something that was not there before.
    EffectUnseen,
    /// As `EffectUnseen`, and the page of a later step shows the effect.
    EffectShownLater,
    /// At least one of them has an effect of its own.
    Effect,
}

impl WorkflowRun {
    pub(super) fn note_action(&mut self, step: usize, action: &Action) {
        let purpose = self.purposes.entry(step).or_insert(Purpose::Preparation);
        if !prepares(action) {
            *purpose = Purpose::Effect;
        }
    }

    /// Records that the page showed no effect of the current step, or that the current step showed the effect of the
    /// previous one.
    pub(super) fn note_effect_unseen(&mut self, ending: &Ending, notes: &StepNotes) {
        // A check in the next step counts like one in `expect`, unless it checks that the action was refused.
        let may_be_checked = matches!(notes.visible_effect, VisibleEffect::Unseen | VisibleEffect::Assessed)
            && !notes.next_step.expects_refusal;
        let is_unvalidated = ending.status == Status::Success && ending.validation == Validation::Unvalidated;
        self.note_shown_later();
        if may_be_checked && is_unvalidated && self.purposes.get(&self.at) == Some(&Purpose::Effect) {
            self.purposes.insert(self.at, Purpose::EffectUnseen);
            if let [change] = notes.unseen_changes.as_slice() {
                self.unseen_changes.insert(self.at, change.clone());
            }
        }
        let Some(previous) = self.at.checked_sub(1) else { return };
        if notes.visible_effect == VisibleEffect::OfEarlierAction
            && self.purposes.get(&previous) == Some(&Purpose::EffectUnseen)
        {
            self.purposes.insert(previous, Purpose::Acceptance);
        }
    }

    /// Records which changes the current page shows that the pages of their own steps did not show.
    fn note_shown_later(&mut self) {
        let Some(page) = self.run_context.page.clone() else { return };
        let shown = self.unseen_changes.extract_if(|_, change| change.is_shown_on(&page));
        for (step, _) in shown.collect::<Vec<_>>() {
            self.purposes.insert(step, Purpose::EffectShownLater);
        }
    }

    /// A run is validated only if all of its steps are. For a step with only a preparing action, such as a key that
    /// selects text, the next step counts. For a step whose request the server executes later, the step that waits for
    /// the result counts.
    pub(super) fn is_validated(&self) -> bool {
        let is_validated = |result: &StepResult| result.validation == Validation::Validated;
        let done = self.results.iter().filter(|result| result.status == Status::Success);
        // A group only decides which steps run. It counts if no step ran.
        let (groups, steps): (Vec<&StepResult>, Vec<&StepResult>) = done.partition(|result| self.is_group(result));
        let mut done = if steps.is_empty() { groups } else { steps }.into_iter().rev();
        // Starts from the last step, which has no successor and must be validated itself.
        let Some(last) = done.next().filter(|last| is_validated(last)) else { return false };
        let prepares = |result: &StepResult| self.purposes.get(&result.index) == Some(&Purpose::Preparation);
        let (mut later, mut next_effect_is_validated) = (last, !prepares(last));
        done.all(|result| {
            let is_shown = is_validated(result)
                || match self.purposes.get(&result.index) {
                    Some(Purpose::Preparation) => next_effect_is_validated,
                    Some(Purpose::Acceptance) => later.index == result.index + 1 && is_validated(later),
                    Some(Purpose::EffectShownLater) => true,
                    Some(Purpose::Effect | Purpose::EffectUnseen) | None => false,
                };
            if !prepares(result) {
                next_effect_is_validated = is_shown;
            }
            later = result;
            is_shown
        })
    }

    fn is_group(&self, result: &StepResult) -> bool {
        self.plan.steps().get(result.index).is_some_and(|planned| planned.step.group.is_some())
    }

    /// Removes the validation from a success because of a fact that was observed after the end, while the browser was
    /// closed.
    pub fn mark_unvalidated(&self, outcome: &mut Outcome, why: &str) {
        if outcome.validation != Validation::Validated {
            return;
        }
        outcome.validation = Validation::Unvalidated;
        if outcome.status == Status::Success && self.rules.require_validated {
            let message = format!("this run requires that everything is validated, and part of it no longer is: {why}");
            outcome.status = Status::Failure;
            outcome.error = Some(ErrorReport::new(Code::NotValidated, message));
        }
    }

    /// The ending of an unvalidated success if the rules require a validated one.
    pub(super) fn not_validated(&self, ending: Ending) -> Ending {
        let loose = self
            .results
            .iter()
            .filter(|result| result.status == Status::Success && result.validation != Validation::Validated)
            .filter(|result| !self.is_group(result));
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

/// Whether an action only prepares another one: it changes the pointer, the focus, the selection or the view.
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
