//! Deciders that need no model.
