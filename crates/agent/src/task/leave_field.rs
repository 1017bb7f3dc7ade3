//! Before the page is closed: removes the focus from the field that the last text was entered into, as a person would.
//! Many pages validate, correct or save a value only then, and the result is part of the step's outcome.

use std::sync::Arc;

use legwork_observe::Snapshot;
use legwork_protocol::{Action, ActionFailure, DecidedBy, PageEffect, Status, Target, TargetParams, Validation};

use super::{Ending, Mode, StepContext, TaskRun, Transition, intents};
use crate::{
    Need, NeedResult, ObserveRequest,
    evidence::{self, Finding, Observed},
};

/// The field is losing the focus; the step's actions have been executed.
pub(super) struct LeaveField {
    /// How the step ends if nothing unexpected occurs.
    ending: Box<Ending>,
    /// Whether it is a literal step without an expectation.
    exact: bool,
    action: Action,
    before: Arc<Snapshot>,
    effects: Vec<PageEffect>,
    /// The failure, if the field lost its value.
    changed: Option<ActionFailure>,
    /// Whether the field disappeared by itself and thus lost the focus.
    gone: bool,
    /// The mode of the step: a model can correct problems.
    mode: Box<Mode>,
}

impl TaskRun {
    /// Starts to leave the field, if necessary; otherwise returns the ending.
    pub(super) fn leave_field(&mut self, ending: Ending, cx: &mut StepContext<'_>) -> Result<Need, Box<Ending>> {
        let is_due = self.task.closes_page && ending.status == Status::Success && cx.run_context.leaves_field_focused;
        let is_allowed = cx.rules.limits.actions.is_none_or(|limit| cx.run_context.actions < limit);
        let Some((before, action)) = field_in_use(cx).filter(|_| is_due && is_allowed) else {
            return Err(Box::new(ending));
        };
        cx.run_context.leaves_field_focused = false;
        let exact = matches!(self.mode, Mode::Literal(_)) && self.task.expect.is_none();
        let mode = Box::new(std::mem::replace(&mut self.mode, Mode::Model(Box::default())));
        let need = Need::Act(intents(vec![action.clone()], self.notes.decider.unwrap_or(DecidedBy::Literal)));
        let ending = Box::new(ending);
        let (effects, changed, gone) = (Vec::new(), None, false);
        self.mode = Mode::Leaving(LeaveField { ending, exact, action, before, effects, changed, gone, mode });
        Ok(need)
    }

    /// Classifies the page's reaction to the loss of focus.
    pub(super) fn on_field_left(&mut self, response: NeedResult, cx: &mut StepContext<'_>) -> Transition {
        let look = Transition::Need(Need::Observe(ObserveRequest::default()));
        let Mode::Leaving(at_work) = &mut self.mode else { return Transition::Ended(Ending::unexpected_result()) };
        let page = match response {
            NeedResult::Acted(results) => {
                let Some(result) = results.into_iter().next() else { return look };
                (at_work.effects, at_work.changed) = (result.effects, result.failure);
                return match at_work.changed.clone() {
                    // A dialog that waits for an answer is visible in the next observation.
                    None | Some(ActionFailure::ValueDiffers { .. } | ActionFailure::DialogOpen { .. }) => look,
                    Some(
                        ActionFailure::StaleRef { .. }
                        | ActionFailure::NotFound { .. }
                        | ActionFailure::NotVisible { .. },
                    ) => {
                        at_work.gone = true;
                        look
                    }
                    Some(failure) => self.refused(&failure.to_string(), Ending::of_failure(&failure), cx),
                };
            }
            NeedResult::Observed(page) => page,
            _ => return look,
        };
        let lost = evidence::field_removed_with_value(&at_work.action, &at_work.before, &page);
        let lost = lost.filter(|finding| !cx.rules.disabled_evidence.contains(&finding.rule));
        let gone = at_work.gone;
        let mut findings = evidence::assess(Observed {
            actions: std::slice::from_ref(&at_work.action),
            failed: &[],
            effects: &at_work.effects,
            before: Some(&at_work.before),
            after: &page,
            is_login: false,
            answers_dialog: false,
            has_further_action: false,
            is_lent: cx.rules.is_lent_page,
            churn: &cx.run_context.churn,
            covered: &cx.run_context.covered,
            disabled: &cx.rules.disabled_evidence,
        });
        let changed = at_work.changed.as_ref().and_then(|failure| evidence::field_changed(failure, &page));
        findings.extend(changed.filter(|finding| !cx.rules.disabled_evidence.contains(&finding.rule)));
        let supports = findings.iter().any(Finding::supports);
        let lacks_support = self.notes.lacks_support;
        let (action, before) = (at_work.action.clone(), Arc::clone(&at_work.before));
        self.notes.add_findings(findings, &[action], (Some(&before), &page), cx);
        // If the page did not react, the facts of the step itself count.
        self.notes.lacks_support = lacks_support && !supports;
        if !self.notes.is_contradicted(self.task.expect.as_deref()) {
            return match lost {
                Some(finding) => self.end_without_value(finding),
                None => self.end_of_step(supports && !gone),
            };
        }
        let why = self.notes.contradictions.in_words();
        self.refused(&why, Ending::contradicted(&self.notes.contradictions), cx)
    }

    /// The entered value is no longer visible, so it is unknown whether it was saved.
    fn end_without_value(&mut self, lost: Finding) -> Transition {
        self.notes.add_evidence([lost.evidence]);
        if let Mode::Leaving(LeaveField { ending, .. }) = &mut self.mode
            && ending.validation == Validation::Validated
        {
            ending.validation = Validation::Unvalidated;
        }
        self.end_of_step(false)
    }

    fn end_of_step(&mut self, supports: bool) -> Transition {
        let Mode::Leaving(at_work) = self.resume_mode() else { return Transition::Ended(Ending::unexpected_result()) };
        let mut ending = *at_work.ending;
        if supports && at_work.exact && ending.validation == Validation::Unvalidated {
            ending.validation = Validation::Validated;
        }
        self.mode = *at_work.mode;
        Transition::Ended(ending)
    }

    /// A model can correct a problem; the parser cannot.
    fn refused(&mut self, why: &str, ending: Ending, cx: &mut StepContext<'_>) -> Transition {
        let Mode::Leaving(at_work) = self.resume_mode() else { return Transition::Ended(Ending::unexpected_result()) };
        match *at_work.mode {
            Mode::Model(mut run) | Mode::Expecting { after: Some(mut run), .. } => {
                let next = run.not_as_expected(why, &mut self.notes, cx);
                self.mode = Mode::Model(run);
                next
            }
            mode => {
                self.mode = mode;
                Transition::Ended(ending)
            }
        }
    }

    fn resume_mode(&mut self) -> Mode {
        std::mem::replace(&mut self.mode, Mode::Model(Box::default()))
    }
}

/// The focused field on the last observed page, and the action that removes its focus.
fn field_in_use(cx: &StepContext<'_>) -> Option<(Arc<Snapshot>, Action)> {
    let page = cx.run_context.page.clone()?;
    let focused = |node: &&legwork_observe::Node| node.states.focused() && node.states.editable();
    let reference = page.nodes.iter().rev().find(focused)?.reference?;
    Some((page, Action::Blur(TargetParams { target: Target(reference.to_string()) })))
}
