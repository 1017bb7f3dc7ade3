//! The prompts of the calls beside the loop: a plan before it, a reflection within it, a review after it.

use serde::Serialize;

/// A plan is wanted, or a better one.
#[derive(Clone, Debug, Serialize)]
pub struct MakePlan<'a> {
    /// The task.
    pub task: &'a str,
    /// What must hold afterwards.
    pub expect: Option<&'a str>,
    /// The page, quoted; absent when none is open.
    pub page: Option<&'a str>,
    /// The plan that does not work.
    pub plan: Option<&'a str>,
    /// What was done, and why the plan does not work, quoted.
    pub done: Option<&'a str>,
    /// The shape of a reply.
    pub shape: &'a str,
}

/// An answer is to be judged.
#[derive(Clone, Debug, Serialize)]
pub struct ReviewAnswer<'a> {
    /// The task.
    pub task: &'a str,
    /// What shows that it is done.
    pub criteria: &'a str,
    /// The answer, quoted.
    pub answer: &'a str,
    /// Evidence and history, quoted.
    pub trail: &'a str,
    /// The page at the end, quoted.
    pub page: &'a str,
    /// The shape of a reply.
    pub shape: &'a str,
}

/// A doubtful decision or failures in a row are to be thought over.
#[derive(Clone, Debug, Serialize)]
pub struct Reflect<'a> {
    /// The task.
    pub task: &'a str,
    /// The doubtful action and why it was decided, quoted; absent when it is about failures.
    pub doubt: Option<&'a str>,
    /// The plan, when there is one.
    pub plan: Option<&'a str>,
    /// The page's address and the history, quoted.
    pub trail: &'a str,
    /// The shape of a reply.
    pub shape: &'a str,
}
