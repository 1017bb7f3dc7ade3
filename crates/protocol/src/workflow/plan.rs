//! The steps of a run in the order in which they run. A group is followed by the steps to which it expanded, so that
//! every step that runs has an index, and the journal needs no other names for the iterations of a loop.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Step, StepGroup};

/// What a group of steps expanded to. A resumed run reads it from the journal and does not decide again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Expansion {
    /// One branch of a condition.
    Branch {
        /// The branch.
        taken: Branch,
        /// The number of its steps.
        steps: usize,
    },
    /// The iterations of a loop.
    Iterations {
        /// What the loop repeats.
        #[serde(flatten)]
        iterations: Iterations,
        /// The number of steps of all iterations.
        steps: usize,
    },
}

/// A branch of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Branch {
    /// The condition holds.
    Then,
    /// It does not hold.
    Else,
}

/// The rows or values of a loop, as they were when it began.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Iterations {
    /// The variable that contains the row or value.
    pub variable: String,
    /// The words for the table or list; absent for a list of values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The origin of the page that the values come from; absent for values of the caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// The columns whose texts identify a row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub key: Vec<String>,
    /// The rows or values, in order.
    pub items: Vec<IterationItem>,
}

/// A row or value of a loop.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IterationItem {
    /// A short text for people, which contains what identifies the row.
    pub label: String,
    /// The value of the variable. A row is an object of the texts of its cells by column.
    pub value: Value,
    /// The texts that identify the row, in the order of the key columns; empty for a value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub key: Vec<String>,
}

/// A step with its place in the loops around it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedStep {
    /// The step.
    pub step: Step,
    /// Its index among the steps of the workflow as they are written
    /// ([`Workflow::all_steps`](crate::Workflow::all_steps)).
    pub written: usize,
    /// The iterations of the loops around it, the outermost first.
    pub within: Vec<IterationPlace>,
}

/// One iteration of a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct IterationPlace {
    /// The loop.
    pub iterations: Arc<Iterations>,
    /// The index of the iteration.
    pub index: usize,
}

impl IterationPlace {
    /// The row or value.
    pub fn item(&self) -> &IterationItem {
        &self.iterations.items[self.index]
    }

    /// `row 2 of 5 (Globex)`.
    pub fn label(&self) -> String {
        let total = self.iterations.items.len();
        format!("{} {} of {total} ({})", self.iterations.variable, self.index + 1, self.item().label)
    }
}

impl PlannedStep {
    /// The iterations that it belongs to, in words.
    pub fn label(&self) -> Option<String> {
        let labels: Vec<String> = self.within.iter().map(IterationPlace::label).collect();
        (!labels.is_empty()).then(|| labels.join(", "))
    }

    /// The instruction, after the iterations that it belongs to.
    pub fn text(&self) -> String {
        match self.label() {
            Some(label) => format!("{label}: {}", self.step.step),
            None => self.step.step.clone(),
        }
    }

    /// The steps that follow from an expansion of this group; none if it is no group of that kind.
    pub fn expanded(&self, expansion: &Expansion) -> Vec<PlannedStep> {
        let first = self.written + 1;
        let within = |(written, step): (usize, &Step), more: Option<IterationPlace>| PlannedStep {
            step: step.clone(),
            written,
            within: self.within.iter().cloned().chain(more).collect(),
        };
        match (self.step.group.as_deref(), expansion) {
            (Some(StepGroup::If(branches)), Expansion::Branch { taken, .. }) => {
                let (first, steps) = match taken {
                    Branch::Then => (first, &branches.then),
                    Branch::Else => (first + size(&branches.then), &branches.otherwise),
                };
                numbered(first, steps).map(|step| within(step, None)).collect()
            }
            (Some(StepGroup::ForEach(each)), Expansion::Iterations { iterations, .. }) => {
                let iterations = Arc::new(iterations.clone());
                (0..iterations.items.len())
                    .flat_map(|index| numbered(first, &each.steps).map(move |step| (index, step)))
                    .map(|(index, step)| within(step, Some(IterationPlace { iterations: iterations.clone(), index })))
                    .collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The steps of a list with their indices among all written steps, of which the list begins with the given one.
fn numbered(first: usize, steps: &[Step]) -> impl Iterator<Item = (usize, &Step)> {
    steps.iter().scan(first, |next, step| {
        let written = *next;
        *next += size(std::slice::from_ref(step));
        Some((written, step))
    })
}

/// The number of these steps and of those in them.
pub(super) fn size(steps: &[Step]) -> usize {
    let in_group = |group: &StepGroup| group.lists().into_iter().map(size).sum::<usize>();
    steps.iter().map(|step| 1 + step.group.as_deref().map_or(0, in_group)).sum()
}

/// The steps of a run, which grow when a group expands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepPlan {
    steps: Vec<PlannedStep>,
}

impl StepPlan {
    /// The plan of a run that has not begun.
    pub fn new(steps: &[Step]) -> StepPlan {
        let planned = |(written, step): (usize, &Step)| PlannedStep { step: step.clone(), written, within: Vec::new() };
        StepPlan { steps: numbered(0, steps).map(planned).collect() }
    }

    /// The steps.
    pub fn steps(&self) -> &[PlannedStep] {
        &self.steps
    }

    /// Inserts the steps of an expanded group after the group; returns their number.
    pub fn expand(&mut self, group: usize, expansion: &Expansion) -> usize {
        let Some(steps) = self.steps.get(group).map(|step| step.expanded(expansion)) else { return 0 };
        let added = steps.len();
        self.steps.splice(group + 1..group + 1, steps);
        added
    }
}

impl Expansion {
    /// The number of steps that follow from it.
    pub fn steps(&self) -> usize {
        match self {
            Expansion::Branch { steps, .. } | Expansion::Iterations { steps, .. } => *steps,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Workflow;

    fn texts(plan: &StepPlan) -> Vec<String> {
        plan.steps().iter().map(PlannedStep::text).collect()
    }

    #[test]
    fn a_group_is_followed_by_its_steps() {
        let workflow: Workflow = serde_json::from_value(serde_json::json!({
            "name": "w",
            "steps": [
                {"for_each": "row in \"Orders\"", "steps": [
                    "Click \"Ship\"",
                    {"if": "\"Late\" is shown", "then": ["Click \"Warn\""], "else": ["Click \"Thank\""]}
                ]},
                "Click \"Done\""
            ]
        }))
        .expect("a workflow");
        let mut plan = StepPlan::new(&workflow.steps);
        let item = |label: &str| IterationItem { label: label.into(), ..IterationItem::default() };
        let iterations =
            Iterations { variable: "row".into(), items: vec![item("A"), item("B")], ..Iterations::default() };
        let expansion = Expansion::Iterations { iterations, steps: 4 };
        assert_eq!(plan.expand(0, &expansion), expansion.steps());
        assert_eq!(plan.expand(2, &Expansion::Branch { taken: Branch::Else, steps: 1 }), 1);
        assert_eq!(
            texts(&plan),
            [
                "For each row in \"Orders\"",
                "row 1 of 2 (A): Click \"Ship\"",
                "row 1 of 2 (A): If \"Late\" is shown",
                "row 1 of 2 (A): Click \"Thank\"",
                "row 2 of 2 (B): Click \"Ship\"",
                "row 2 of 2 (B): If \"Late\" is shown",
                "Click \"Done\"",
            ]
        );
        let written: Vec<usize> = plan.steps().iter().map(|planned| planned.written).collect();
        assert_eq!(written, [0, 1, 2, 4, 1, 2, 5]);
        let all = workflow.all_steps();
        assert!(plan.steps().iter().all(|planned| *all[planned.written] == planned.step));
        assert_eq!(workflow.written_index(0, &[1, 1]), 4);
        assert_eq!(workflow.written_index(1, &[]), 5);
        let wire = serde_json::to_value(&expansion).expect("json");
        assert_eq!(wire["kind"], "iterations");
        assert_eq!(serde_json::from_value::<Expansion>(wire).expect("the same"), expansion);
    }

    #[test]
    fn a_map_that_is_no_group_is_refused_with_the_reason() {
        let read = |value: Value| serde_json::from_value::<Step>(value).map_err(|error| error.to_string());
        let refused = |value: Value, why: &str| {
            let error = read(value).expect_err("refused");
            assert!(error.contains(why), "{error}");
        };
        refused(serde_json::json!({"else": ["x"]}), "`else` needs `if`");
        refused(serde_json::json!({"if": "\"A\" is shown", "then": []}), "`then` has no steps");
        refused(serde_json::json!({"if": "\"A\" is shown", "then": ["x"], "step": "y"}), "unknown field `step`");
        refused(serde_json::json!({"for_each": "row in \"A\"", "steps": []}), "is empty");
        let group = read(serde_json::json!({"if": "\"A\" is shown", "then": ["x"]})).expect("a group");
        assert_eq!(
            serde_json::to_value(&group).expect("json"),
            serde_json::json!({"if": "\"A\" is shown", "then": ["x"]})
        );
    }
}
