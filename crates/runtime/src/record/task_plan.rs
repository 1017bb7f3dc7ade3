//! The newest plan of a task and which of its items is in progress. A decision of the model names its item, so the
//! progress follows from the events.

use legwork_agent::task::plan_item;
use legwork_protocol::{Decision, Plan, Status};

use super::{
    RecordState, RunRecord,
    view::{PlanItemRow, PlanItemState, PlanRow},
};

/// A plan and its current item.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TaskPlan {
    plan: Plan,
    /// The step that the plan is for.
    step: Option<usize>,
    /// The index of the item that the last decision was about.
    item: usize,
}

impl TaskPlan {
    pub(super) fn new(plan: &Plan, step: Option<usize>) -> TaskPlan {
        TaskPlan { plan: plan.clone(), step, item: 0 }
    }

    /// Notes the item of a decision of this step. A decision that names none continues the item before.
    pub(super) fn decided(&mut self, step: Option<usize>, decision: &Decision) {
        if step == self.step {
            self.item = plan_item(decision, self.plan.action_items.len()).unwrap_or(self.item);
        }
    }

    /// The plan for display. Its current item is in progress until the run ends; a parked run goes on with it. All
    /// items are done if the step succeeded, because the last decision often gives the answer and names no item.
    pub(super) fn row(&self, record: &RunRecord, state: RecordState) -> PlanRow {
        let step = self.step.and_then(|step| record.steps.get(step));
        let is_done = step.is_some_and(|step| step.state == RecordState::Ended(Status::Success));
        let is_ended = match state {
            RecordState::Ended(status) => status != Status::Parked,
            state => state == RecordState::Interrupted,
        };
        let state = |item| match item {
            _ if is_done => PlanItemState::Done,
            item if item < self.item => PlanItemState::Done,
            item if item == self.item && !is_ended => PlanItemState::InProgress,
            _ => PlanItemState::Open,
        };
        let items = self.plan.action_items.iter().enumerate();
        PlanRow {
            plan: self.plan.plan.clone(),
            action_items: items.map(|(at, text)| PlanItemRow { text: text.clone(), state: state(at) }).collect(),
            success_criteria: self.plan.success_criteria.clone(),
            revision: self.plan.revision,
        }
    }
}
