//! Whether a page is the same as it was, in one number.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::{Snapshot, States};

/// A number that differs when the page says something else: its address, roles, names, values, states. Where the focus is does not
/// count, nor which refs were given.
pub fn fingerprint(page: &Snapshot) -> u64 {
    let mut hasher = DefaultHasher::new();
    page.url.hash(&mut hasher);
    for node in &page.nodes {
        let states = node.states.0 & !(States::FOCUSED | States::SELF_CHANGING);
        (&node.role, &node.name, &node.value, states).hash(&mut hasher);
    }
    page.dialog.as_ref().map(|dialog| &dialog.message).hash(&mut hasher);
    hasher.finish()
}
