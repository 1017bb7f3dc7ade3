//! Scripts, in a world of ours or in the page's own.

use serde_json::Value;

use super::pending::{Pending, SessionId};

/// A world in a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContextRef<'a> {
    pub(crate) session: &'a SessionId,
    pub(crate) name: &'a str,
    /// Some of the protocol's commands know it by a number only.
    pub(crate) number: i64,
}

pub(crate) trait Worlds {
    /// Makes a world in a frame's document; an event tells of it.
    fn create_isolated_world(&self, session: &SessionId, frame: &str) -> Pending<()>;
    /// The value of an expression, awaited if it is a promise.
    fn evaluate(&self, context_ref: ContextRef<'_>, expression: String) -> Pending<Value>;
    /// The value of a script in the page's own world, or what it answers when it is a function; awaited.
    fn evaluate_in_page(&self, session: &SessionId, script: &str) -> Pending<Value>;
    /// The value of an expression in a worker.
    fn evaluate_in_worker(&self, session: &SessionId, expression: String) -> Pending<Value>;
    /// What a function in the page's own world answers for an element that an expression of ours names; awaited.
    fn call_in_page(&self, context_ref: ContextRef<'_>, element: String, function: &str) -> Pending<Value>;
    /// Runs a script for what it does.
    fn load(&self, context_ref: ContextRef<'_>, source: String) -> Pending<()>;
    /// Calls a function on each of the elements that an expression lists and that have a closed shadow root, with that root;
    /// answers how many.
    fn with_closed_roots(&self, context_ref: ContextRef<'_>, elements: String, function: &str) -> Pending<usize>;
    /// Breaks off the script that runs now.
    fn interrupt(&self, session: &SessionId);
    /// What a function says of the element that shows a frame; called in a world of the frame's parent.
    fn of_owner(&self, context_ref: ContextRef<'_>, frame: &str, function: &str) -> Pending<Value>;
}
