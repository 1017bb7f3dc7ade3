//! Scripts in an isolated world or in the page's main world.

use serde_json::Value;

use super::pending::{Pending, SessionId};

/// Wraps a script of the caller so that it is an expression: a script that begins with a function or an object would
/// otherwise be parsed as a statement.
pub(crate) fn script_expression(script: &str) -> String {
    let script = script.trim().trim_end_matches(';');
    let wrapped = ["function", "async ", "async(", "{"].iter().any(|start| script.starts_with(start));
    if wrapped { format!("({script})") } else { script.to_owned() }
}

/// A world in a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContextRef<'a> {
    pub(crate) session: &'a SessionId,
    pub(crate) name: &'a str,
    /// The number by which some commands of a protocol identify it; 0 if the protocol has none.
    pub(crate) number: i64,
}

pub(crate) trait Worlds {
    /// Creates an isolated world in a frame's document, which an event reports.
    fn create_isolated_world(&self, session: &SessionId, frame: &str) -> Pending<()>;
    /// Evaluates an expression, and awaits the value if it is a promise.
    fn evaluate(&self, context_ref: ContextRef<'_>, expression: String) -> Pending<Value>;
    /// Evaluates a script in the page's main world. If the value is a function, it is called. A promise is awaited.
    fn evaluate_in_page(&self, session: &SessionId, script: &str) -> Pending<Value>;
    /// Evaluates an expression in a worker.
    fn evaluate_in_worker(&self, session: &SessionId, expression: String) -> Pending<Value>;
    /// Calls a function in the page's main world with an element to which an expression in the given world evaluates. A
    /// promise is awaited.
    fn call_in_page(&self, context_ref: ContextRef<'_>, element: String, function: &str) -> Pending<Value>;
    /// Runs a script for its side effects.
    fn load(&self, context_ref: ContextRef<'_>, source: String) -> Pending<()>;
    /// For each of the elements in the list to which an expression evaluates: if it has a closed shadow root, calls a
    /// function with that root. Returns the number of calls.
    fn with_closed_roots(&self, context_ref: ContextRef<'_>, elements: String, function: &str) -> Pending<usize>;
    /// Terminates the script that is currently running.
    fn interrupt(&self, session: &SessionId);
    /// Calls a function with the element that shows a frame, in a world of the frame's parent.
    fn of_owner(&self, context_ref: ContextRef<'_>, frame: &str, function: &str) -> Pending<Value>;
}
