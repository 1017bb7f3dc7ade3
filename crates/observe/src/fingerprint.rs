//! A hash that shows whether a page has changed.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::{Snapshot, States};

/// The fingerprint of a page as events contain it: 16 hexadecimal digits.
pub fn fingerprint_text(page: &Snapshot) -> String {
    format!("{:016x}", fingerprint(page))
}

/// A hash of the content of a page: its address, roles, names, values and states. It does not depend on the focus or
/// on the refs.
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
