//! What a model's turns are interrupted for: a plan before the first, a reflection between two, a review after the last.
//! The calls themselves are in [`super::plan`], [`super::reflect`] and [`super::review`]; here is when each is due, and
//! what the next prompt is told of them.

use std::{borrow::Cow, sync::Arc};

use legwork_observe::Snapshot;
use legwork_protocol::Decision;

use super::{
    StepNotes, Task, Transition, advice::PendingModelCall, budgets, model::ModelRun, planning_policy,
    reflect::ReflectionSubject, review::ClaimedResult, run_context::StepContext,
};
use crate::{NeedResult, Trigger, schema::Form};

/// What is kept from one interruption to the next.
#[derive(Default)]
pub(super) struct AdvisoryState {
    /// Whether a plan was thought of.
    considered: bool,
    /// Why the plan does not work.
    pub(super) replan: Option<String>,
    /// What has to be thought over on the next page.
    pub(super) trouble: Option<String>,
    /// The action that a reflection advised against; when it is decided again, it is not thought over again.
    pub(super) advised_against: Option<String>,
    budget_notices: budgets::BudgetNotices,
}

/// An interruption under way.
pub(super) enum PendingAdvisory {
    Plan(PendingModelCall),
    Reflection(PendingModelCall, ReflectionSubject),
    Review(PendingModelCall, ClaimedResult),
    /// A human is asked whether it is to be done.
    Approval(Box<Decision>),
}

/// Whether something extra is thought in this task.
pub(super) fn is_enabled(when: Trigger, task: &Task) -> bool {
    match when {
        Trigger::Auto => task.lone && !task.judges,
        Trigger::Always => !task.judges,
        Trigger::Never => false,
    }
}

impl ModelRun {
    /// What comes before the next decision on this page, if anything does.
    pub(super) fn before_deciding(
        &mut self,
        page: &Arc<Snapshot>,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Option<Transition> {
        self.page = Some(page.clone());
        if !std::mem::replace(&mut self.advisory.considered, true)
            && notes.plan.is_none()
            && planning_policy::wanted(task, cx)
        {
            return self.make_plan(None, task, notes, cx);
        }
        if let Some(trouble) = self.advisory.trouble.take()
            && let Some(next) = self.think_over(trouble, task, notes, cx)
        {
            return Some(next);
        }
        let why = self.advisory.replan.take()?;
        self.make_plan(Some(&why), task, notes, cx)
    }

    /// What is said with the next prompt: the hint, what is left of the plan, what is left of the budgets.
    pub(super) fn hints(&mut self, notes: &StepNotes, task: &Task, cx: &StepContext<'_>) -> Option<String> {
        let line = cx.rules.model.as_ref().is_some_and(|model| model.schema.form == Form::Line);
        let items = notes.open_items(if line { "why" } else { "message" });
        let parts = [self.hint.take(), items, self.advisory.budget_notices.warning(notes, task, cx)];
        let said: Vec<String> = parts.into_iter().flatten().collect();
        (!said.is_empty()).then(|| said.join(" "))
    }

    /// Takes what an interruption waited for.
    pub(super) fn advisory_response(
        &mut self,
        call: PendingAdvisory,
        response: NeedResult,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        match (call, response) {
            (PendingAdvisory::Plan(advice), NeedResult::Decided(reply)) => self.planned(advice, reply, task, notes, cx),
            (PendingAdvisory::Reflection(advice, subject), NeedResult::Decided(reply)) => {
                self.reflected(advice, subject, reply, task, notes, cx)
            }
            (PendingAdvisory::Review(advice, claim), NeedResult::Decided(reply)) => {
                self.reviewed(advice, claim, reply, notes, cx)
            }
            (PendingAdvisory::Approval(decision), response) => self.approved(*decision, &response, task, notes, cx),
            _ => self.look(),
        }
    }

    /// Goes on to the decision, on the page that is known.
    pub(super) fn go_on(&mut self, task: &Task, notes: &mut StepNotes, cx: &mut StepContext<'_>) -> Transition {
        match self.page.clone() {
            Some(page) => self.ask(page, task, notes, cx),
            None => self.look(),
        }
    }
}

/// The task with the plan's criteria as what must hold.
pub(super) fn with_criteria<'a>(task: &'a Task, notes: &StepNotes) -> Cow<'a, Task> {
    let Some(plan) = notes.plan.as_ref().filter(|plan| !plan.success_criteria.is_empty()) else {
        return Cow::Borrowed(task);
    };
    let wanted = [task.expect_text.as_deref(), Some(&plan.success_criteria)];
    let expect_text = Some(wanted.into_iter().flatten().collect::<Vec<_>>().join("; "));
    Cow::Owned(Task { expect_text, ..task.clone() })
}
