//! What a machine within a sub-task does next, and what these machines share.

use legwork_observe::Snapshot;
use legwork_protocol::{ActionFailure, Target};

use crate::Need;

/// What one of these machines does next.
#[expect(clippy::large_enum_variant, reason = "a step is moved on at once and never stored")]
pub(crate) enum WorkStep<T> {
    Need(Need),
    Done(T),
}

/// A failure with a suggestion what to do instead.
pub(crate) fn not_performed(action: &str, reason: impl Into<String>) -> ActionFailure {
    ActionFailure::NotPerformed { action: action.to_owned(), reason: reason.into() }
}

/// The elements that can be acted on, to be marked on a screenshot. The page marks only those in the viewport.
pub(crate) fn in_view(page: &Snapshot) -> Vec<Target> {
    let shown = page.nodes.iter().filter(|node| node.states.actionable());
    shown.filter_map(|node| node.reference).map(Target::from).take(MAX_MARKS).collect()
}

/// The maximum number of elements whose refs are drawn on a screenshot.
const MAX_MARKS: usize = 1_000;
