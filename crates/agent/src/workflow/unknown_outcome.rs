//! Effects that a resumed run cannot observe, and the question that is put to a person about them.
//!
//! A new browser loads the page again, so effects of earlier actions that did not leave the page may not be visible. A
//! check that does not hold on such a page is not conclusive. The run parks as `outcome_unknown`, or asks a person if
//! one is available.

use legwork_protocol::{Code, Status, Validation};

use super::{
    WorkflowRun, WorkflowStage,
    resume::{OpenIntent, OpenStep, leaves},
};
use crate::{
    Assumption, Need, NeedResult,
    task::{Ending, StepNotes},
};

/// A question that only a person can answer.
pub(super) enum OutcomeQuestion {
    /// Whether an action was executed whose result was lost.
    Action(Box<OpenStep>),
    /// Whether the page sent the values of fields before the run was interrupted.
    Fields(Box<OpenStep>),
    /// Whether a step was done whose check does not hold on the page that was loaded again.
    Step(Box<(Ending, StepNotes)>),
}

/// Whether the page may lack earlier effects, and a person's statement that was not used yet.
pub(super) struct ResumeUncertainty {
    lacks: bool,
    word: Option<Assumption>,
}

impl ResumeUncertainty {
    pub(super) fn new(word: Option<Assumption>) -> ResumeUncertainty {
        ResumeUncertainty { lacks: false, word }
    }

    /// The statement of the person who resumed the run. The code that uses it takes it.
    pub(super) fn word(&mut self) -> &mut Option<Assumption> {
        &mut self.word
    }

    /// The run continues on a page that may lack earlier effects.
    pub(super) fn since(&mut self, lacks: bool) {
        self.lacks = lacks;
    }

    /// The page was left. From here on, observations are complete again.
    pub(super) fn handle_result(&mut self, need: &Need, response: &NeedResult) {
        if let (true, Need::Act(intents), NeedResult::Acted(results)) = (self.lacks, need, response) {
            let mut done = intents.iter().zip(results).filter(|(_, result)| result.ok());
            self.lacks = !done.any(|(intent, result)| leaves(&intent.action, result));
        }
    }

    /// Whether a step with this ending may have been done nevertheless.
    pub(super) fn is_inconclusive(&self, ending: &Ending) -> bool {
        // A contradiction was observed and is conclusive. Only a missing expected state may be caused by the
        // interruption.
        let contradicted = ending.error.as_ref().is_some_and(|error| error.code == Code::Contradicted);
        self.lacks && ending.status == Status::Failure && ending.validation == Validation::Rejected && !contradicted
    }
}

impl WorkflowRun {
    /// Asks about the outcome of the open intent.
    pub(super) fn ask(&mut self, open_step: OpenStep, why: &str) {
        let what = self.what_is_unknown(&open_step);
        let question = format!(
            "The run was interrupted during this action: {what}. Its outcome is unknown ({why}). Was it done? (done / not done)"
        );
        self.stage = WorkflowStage::Asking(Box::new(OutcomeQuestion::Action(Box::new(open_step))), question);
    }

    /// Applies a person's statement about fields whose values the page may have sent. Returns whether a question is
    /// still open.
    pub(super) fn decide_about_fields(&mut self, open_step: &mut OpenStep) -> bool {
        if open_step.fields.doubtful().is_empty() {
            return false;
        }
        let text = fields_in_doubt(open_step);
        let asks = |message: &String| message.contains(&text);
        let was_last = open_step.parked.last().is_some_and(asks);
        // The run was parked on a later question, so this one was answered. Fields that had not been sent were filled
        // in again then, and are no longer in doubt.
        if !was_last && open_step.parked.iter().any(asks) {
            open_step.fields.decided(true);
            return false;
        }
        let word = self.resume_uncertainty.word().take();
        if let Some(word) = word {
            open_step.fields.decided(word == Assumption::Done);
        }
        word.is_none()
    }

    /// Asks whether the page sent the values of fields. If it did, they are not filled in again.
    pub(super) fn ask_about_fields(&mut self, open_step: OpenStep) {
        let question = format!("{} Was it sent? (done / not done)", fields_in_doubt(&open_step));
        self.stage = WorkflowStage::Asking(Box::new(OutcomeQuestion::Fields(Box::new(open_step))), question);
    }

    /// A description of the interrupted work: the step's instruction, the action, and the requests.
    fn what_is_unknown(&self, open_step: &OpenStep) -> String {
        let step = self.current_step().map(|step| step.step).unwrap_or_default();
        let open = open_step.open.as_ref().map(OpenIntent::in_words).unwrap_or_default();
        format!("{step} ({open})")
    }

    /// Asks whether the step was done, unless the person who resumed the run has stated it.
    pub(super) fn ask_about_outcome(&mut self, ending: Ending, notes: StepNotes) {
        if let Some(word) = self.resume_uncertainty.word().take() {
            return self.said(word, ending, notes);
        }
        let question = format!("{} Was the step done? (done / not done)", in_doubt(&ending));
        self.stage = WorkflowStage::Asking(Box::new(OutcomeQuestion::Step(Box::new((ending, notes)))), question);
    }

    pub(super) fn asked(&mut self, unknown_outcome: OutcomeQuestion, question: String, response: &NeedResult) {
        let said = match response {
            NeedResult::Answered(answer) => assumption(answer),
            _ => return self.park(unknown_outcome),
        };
        match (said, unknown_outcome) {
            (Some(word), OutcomeQuestion::Action(open_step)) => self.continue_step(open_step.assuming(word)),
            (Some(word), OutcomeQuestion::Fields(mut open_step)) => {
                open_step.fields.decided(word == Assumption::Done);
                self.continue_step(*open_step);
            }
            (Some(word), OutcomeQuestion::Step(step)) => self.said(word, step.0, step.1),
            (None, unknown_outcome) => self.stage = WorkflowStage::Asking(Box::new(unknown_outcome), question),
        }
    }

    /// Applies a person's statement about a step whose check does not hold. All of its actions have results, so none is
    /// repeated.
    fn said(&mut self, word: Assumption, ending: Ending, notes: StepNotes) {
        let ending = match word {
            Assumption::Done => {
                let message = "assumed to be done after an interruption".to_owned();
                Ending::success(message, None, Validation::Unvalidated)
            }
            Assumption::NotDone => ending,
        };
        self.finish_step(ending, notes);
    }

    fn park(&mut self, unknown_outcome: OutcomeQuestion) {
        let (message, notes) = match unknown_outcome {
            OutcomeQuestion::Action(open_step) => {
                let what = self.what_is_unknown(&open_step);
                (format!("the outcome of this action is unknown: {what}"), open_step.notes)
            }
            OutcomeQuestion::Fields(open_step) => (fields_in_doubt(&open_step), open_step.notes),
            OutcomeQuestion::Step(step) => (in_doubt(&step.0), step.1),
        };
        self.finish_step(Ending::parked(Code::OutcomeUnknown, message), notes);
    }
}

fn fields_in_doubt(open_step: &OpenStep) -> String {
    format!(
        "Before the interruption the page sent a change when the focus left a field, or because of the action that \
         followed. It may have contained the value of {}, which would be sent again if the field is filled in again.",
        open_step.fields.doubtful().join(", ")
    )
}

fn in_doubt(ending: &Ending) -> String {
    format!("After an interruption the page was reloaded; it may not show what was done before: {}.", ending.message)
}

/// Parses the answer to "was it done?".
fn assumption(answer: &str) -> Option<Assumption> {
    match answer.trim().to_lowercase().replace(['-', '_'], " ").as_str() {
        "done" | "yes" | "y" | "it was done" => Some(Assumption::Done),
        "not done" | "no" | "n" | "it was not done" => Some(Assumption::NotDone),
        _ => None,
    }
}
