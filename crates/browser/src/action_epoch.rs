//! The order of actions in a session.

/// A moment between two actions: what began at or after it is the later one's doing.
pub(crate) type ActionEpoch = u64;
