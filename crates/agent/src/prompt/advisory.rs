//! The prompts of the advisory calls: a plan, a reflection, a review.

use serde::Serialize;

/// The prompt for a plan, or for a revised one.
#[derive(Clone, Debug, Serialize)]
pub struct MakePlan<'a> {
    /// The task.
    pub task: &'a str,
    /// The condition that must hold afterwards.
    pub expect: Option<&'a str>,
    /// The page, quoted; absent when none is open.
    pub page: Option<&'a str>,
    /// The plan that does not work.
    pub plan: Option<&'a str>,
    /// The history, and the reason why the plan does not work, quoted.
    pub done: Option<&'a str>,
    /// The description of a reply's shape.
    pub shape: &'a str,
}

/// The prompt for the review of an answer.
#[derive(Clone, Debug, Serialize)]
pub struct ReviewAnswer<'a> {
    /// The task.
    pub task: &'a str,
    /// The criteria that show that the task is done.
    pub criteria: &'a str,
    /// The answer, quoted.
    pub answer: &'a str,
    /// Evidence and history, quoted.
    pub trail: &'a str,
    /// The page at the end, quoted.
    pub page: &'a str,
    /// The description of a reply's shape.
    pub shape: &'a str,
}

/// The prompt for a reflection on an uncertain decision or on consecutive failures.
#[derive(Clone, Debug, Serialize)]
pub struct Reflect<'a> {
    /// The task.
    pub task: &'a str,
    /// The uncertain action and its reason, quoted; absent if the reflection is about failures.
    pub doubt: Option<&'a str>,
    /// The plan, when there is one.
    pub plan: Option<&'a str>,
    /// The page's address and the history, quoted.
    pub trail: &'a str,
    /// The description of a reply's shape.
    pub shape: &'a str,
}
