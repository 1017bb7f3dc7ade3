//! The plan of a task, as it is shown.

use schemars::JsonSchema;
use serde::Serialize;

/// The plan of a task.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanRow {
    /// The plan as a text.
    pub plan: String,
    /// The items, in order.
    pub action_items: Vec<PlanItemRow>,
    /// The criteria for the success of the task.
    pub success_criteria: String,
    /// The number of revisions.
    pub revision: u32,
}

/// An item of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlanItemRow {
    /// The text of the item.
    pub text: String,
    /// Its progress.
    pub state: PlanItemState,
}

/// The progress of an item of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlanItemState {
    /// It has not begun, or the run ended during it.
    Open,
    /// The last decision of the model was about it.
    InProgress,
    /// The model went on to a later item, or the step of the plan succeeded.
    Done,
}
