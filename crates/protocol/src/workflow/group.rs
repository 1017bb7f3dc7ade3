//! Steps that are groups of steps: a condition with two branches, and a loop.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Step;

/// The steps in a step that is a group. A run decides once what a group expands to, and records the decision as the
/// [`Expansion`](crate::Expansion) in the result of the step.
#[derive(Clone, Debug, PartialEq)]
pub enum StepGroup {
    /// The steps of one of two branches.
    If(IfElse),
    /// The same steps for each row or value.
    ForEach(ForEach),
}

/// A condition and the steps of its branches.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IfElse {
    /// The condition, in the syntax of a check. It is evaluated once, on the page as it is then.
    #[serde(rename = "if")]
    pub condition: String,
    /// The steps that run if the condition holds.
    pub then: Vec<Step>,
    /// The steps that run if it does not hold.
    #[serde(default, rename = "else", skip_serializing_if = "Vec::is_empty")]
    pub otherwise: Vec<Step>,
}

/// A loop and its steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForEach {
    /// `row in "Orders"`: the name of the variable, and a table or list of the page; or `name in ${names}`: a variable
    /// that contains a list.
    pub for_each: String,
    /// A condition that a row must meet, in the syntax of a check. It is evaluated on the row alone.
    #[serde(default, rename = "where", skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// The column whose text identifies a row. Without it, the first column with different texts does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The steps that run for each row or value.
    pub steps: Vec<Step>,
}

impl StepGroup {
    /// The text that stands for the group where a step has its instruction.
    pub fn title(&self) -> String {
        match self {
            StepGroup::If(branches) => format!("If {}", branches.condition),
            StepGroup::ForEach(each) => match &each.filter {
                Some(filter) => format!("For each {} where {filter}", each.for_each),
                None => format!("For each {}", each.for_each),
            },
        }
    }

    /// The lists of steps in it: the branches, or the steps of the loop.
    pub fn lists(&self) -> Vec<&[Step]> {
        match self {
            StepGroup::If(branches) => vec![&branches.then, &branches.otherwise],
            StepGroup::ForEach(each) => vec![&each.steps],
        }
    }

    /// The texts of the group itself: its condition, or what the loop repeats.
    pub fn texts(&self) -> Vec<&str> {
        match self {
            StepGroup::If(branches) => vec![&branches.condition],
            StepGroup::ForEach(each) => std::iter::once(each.for_each.as_str()).chain(each.filter.as_deref()).collect(),
        }
    }

    /// Reads the group of a map that has the key of one; `None` for a plain step.
    pub(super) fn of_map(map: &Map<String, Value>) -> Option<Result<StepGroup, String>> {
        let read = |value: Value| -> Result<StepGroup, serde_json::Error> {
            if map.contains_key("if") {
                serde_json::from_value(value).map(StepGroup::If)
            } else {
                serde_json::from_value(value).map(StepGroup::ForEach)
            }
        };
        if !map.contains_key("if") && !map.contains_key("for_each") {
            return ["then", "else"]
                .into_iter()
                .find(|key| map.contains_key(*key))
                .map(|key| Err(format!("`{key}` needs `if` in the same step")));
        }
        let group = read(Value::Object(map.clone())).map_err(|error| error.to_string());
        Some(group.and_then(|group| match group.problem() {
            Some(problem) => Err(problem.to_owned()),
            None => Ok(group),
        }))
    }

    /// What is missing in it.
    pub fn problem(&self) -> Option<&'static str> {
        match self {
            StepGroup::If(branches) if branches.condition.trim().is_empty() => Some("`if` is empty"),
            StepGroup::If(branches) if branches.then.is_empty() => Some("`then` has no steps"),
            StepGroup::ForEach(each) if each.for_each.trim().is_empty() => Some("`for_each` is empty"),
            StepGroup::ForEach(each) if each.steps.is_empty() => Some("`steps` of `for_each` is empty"),
            _ => None,
        }
    }
}
