//! The order of actions in a session.

/// A counter that is incremented when an action begins. What begins at or after an epoch is attributed to its action.
pub(crate) type ActionEpoch = u64;
