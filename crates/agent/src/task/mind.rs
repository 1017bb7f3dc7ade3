//! What a model's turns are interrupted for: a plan before the first, a reflection between two, a review after the last.
//! The calls themselves are in [`super::plan`], [`super::reflect`] and [`super::review`]; here is when each is due, and
//! what the next prompt is told of them.

use std::{borrow::Cow, sync::Arc};

use legwork_observe::Snapshot;
use legwork_protocol::Decision;

use super::{
    Move, Notes, Task, advice::Advice, budgets, known::Context, model::ModelRun, reflect::Matter, review::Claim, worth,
};
use crate::{Got, When, schema::Form};

/// What is kept from one interruption to the next.
#[derive(Default)]
pub(super) struct Mind {
    /// Whether a plan was thought of.
    considered: bool,
    /// Why the plan does not work.
    pub(super) replan: Option<String>,
    /// What has to be thought over on the next page.
    pub(super) trouble: Option<String>,
    /// The action that a reflection advised against; when it is decided again, it is not thought over again.
    pub(super) advised_against: Option<String>,
    told: budgets::Told,
}

/// An interruption under way.
pub(super) enum Thought {
    Plan(Advice),
    Reflection(Advice, Matter),
    Review(Advice, Claim),
    /// A human is asked whether it is to be done.
    Approval(Box<Decision>),
}

/// Whether something extra is thought in this task.
pub(super) fn thinks(when: When, task: &Task) -> bool {
    match when {
        When::Auto => task.lone && !task.judges,
        When::Always => !task.judges,
        When::Never => false,
    }
}

impl ModelRun {
    /// What comes before the next decision on this page, if anything does.
    pub(super) fn before_deciding(
        &mut self,
        page: &Arc<Snapshot>,
        task: &Task,
        notes: &mut Notes,
        cx: &mut Context<'_>,
    ) -> Option<Move> {
        self.page = Some(page.clone());
        if !std::mem::replace(&mut self.mind.considered, true) && notes.plan.is_none() && worth::wanted(task, cx) {
            return self.make_plan(None, task, notes, cx);
        }
        if let Some(trouble) = self.mind.trouble.take()
            && let Some(next) = self.think_over(trouble, task, notes, cx)
        {
            return Some(next);
        }
        let why = self.mind.replan.take()?;
        self.make_plan(Some(&why), task, notes, cx)
    }

    /// What is said with the next prompt: the hint, what is left of the plan, what is left of the budgets.
    pub(super) fn said_with_it(&mut self, notes: &Notes, task: &Task, cx: &Context<'_>) -> Option<String> {
        let line = cx.rules.model.as_ref().is_some_and(|model| model.schema.form == Form::Line);
        let items = notes.open_items(if line { "why" } else { "message" });
        let parts = [self.hint.take(), items, self.mind.told.warning(notes, task, cx)];
        let said: Vec<String> = parts.into_iter().flatten().collect();
        (!said.is_empty()).then(|| said.join(" "))
    }

    /// Takes what an interruption waited for.
    pub(super) fn thought(
        &mut self,
        thought: Thought,
        got: Got,
        task: &Task,
        notes: &mut Notes,
        cx: &mut Context<'_>,
    ) -> Move {
        match (thought, got) {
            (Thought::Plan(advice), Got::Decided(reply)) => self.planned(advice, reply, task, notes, cx),
            (Thought::Reflection(advice, matter), Got::Decided(reply)) => {
                self.reflected(advice, matter, reply, task, notes, cx)
            }
            (Thought::Review(advice, claim), Got::Decided(reply)) => self.reviewed(advice, claim, reply, notes, cx),
            (Thought::Approval(decision), got) => self.approved(*decision, &got, task, notes, cx),
            _ => self.look(),
        }
    }

    /// Goes on to the decision, on the page that is known.
    pub(super) fn go_on(&mut self, task: &Task, notes: &mut Notes, cx: &mut Context<'_>) -> Move {
        match self.page.clone() {
            Some(page) => self.ask(page, task, notes, cx),
            None => self.look(),
        }
    }
}

/// The task with the plan's criteria as what must hold.
pub(super) fn with_criteria<'a>(task: &'a Task, notes: &Notes) -> Cow<'a, Task> {
    let Some(plan) = notes.plan.as_ref().filter(|plan| !plan.success_criteria.is_empty()) else {
        return Cow::Borrowed(task);
    };
    let wanted = [task.expect_text.as_deref(), Some(&plan.success_criteria)];
    let expect_text = Some(wanted.into_iter().flatten().collect::<Vec<_>>().join("; "));
    Cow::Owned(Task { expect_text, ..task.clone() })
}
