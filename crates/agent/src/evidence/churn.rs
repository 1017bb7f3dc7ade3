//! Places of a page whose text changes without an action. They are learned from repeated observations. The injected
//! script marks what timers change (`self-changing`); this module also learns what changes because of the network.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use legwork_observe::{NodeIndex, Snapshot};

/// Number of changes after which a place counts. One change may be a late effect of an action.
const CHANGES: u32 = 2;
/// The maximum number of places that are remembered.
const PLACES: usize = 500;

/// How often the text at a place changed between two observations without an action.
#[derive(Clone, Debug, Default)]
pub(crate) struct Churn {
    places: HashMap<u64, u32>,
}

impl Churn {
    /// Learns from two observations without an action in between.
    pub(crate) fn learn(&mut self, before: &Snapshot, after: &Snapshot) {
        if before.url != after.url || before.nodes.len() != after.nodes.len() {
            return;
        }
        for (at, (old, new)) in before.nodes.iter().zip(&after.nodes).enumerate() {
            let changed = old.role == new.role && old.name != new.name && new.role.as_ref() == "text";
            let announces = |up: NodeIndex| matches!(after.nodes[up].role.as_ref(), "alert" | "status");
            if changed && !after.ancestors(at).any(announces) && self.places.len() < PLACES {
                *self.places.entry(place(after, at)).or_default() += 1;
            }
        }
    }

    /// Whether the text of this node changes without an action.
    pub(crate) fn has(&self, page: &Snapshot, at: NodeIndex) -> bool {
        !self.places.is_empty() && self.places.get(&place(page, at)).is_some_and(|changes| *changes >= CHANGES)
    }
}

/// The place of a node: its page without the query, the roles of its ancestors, and its index in its parent.
fn place(page: &Snapshot, at: NodeIndex) -> u64 {
    let mut hasher = DefaultHasher::new();
    super::url_path::path_of(&page.url).hash(&mut hasher);
    page.nodes[at].role.hash(&mut hasher);
    let parent = page.nodes[at].parent;
    page.children(parent).position(|child| child == at).hash(&mut hasher);
    for up in page.ancestors(at) {
        page.nodes[up].role.hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use legwork_observe::fixture;

    use super::*;

    #[test]
    fn a_text_that_changed_twice_without_an_action_changes_by_itself() {
        let page = |tip: &str, status: &str| {
            fixture::snapshot(&format!("- main\n  - text \"{tip}\"\n  - status\n    - text \"{status}\"\n"))
        };
        let text = |page: &Snapshot, name: &str| page.nodes.iter().position(|node| *node.name == *name).unwrap();
        let mut churn = Churn::default();
        churn.learn(&page("one", "a"), &page("two", "b"));
        let third = page("three", "c");
        assert!(!churn.has(&third, text(&third, "three")), "once may be the late effect of an action");
        churn.learn(&page("two", "b"), &third);
        assert!(churn.has(&third, text(&third, "three")));
        assert!(!churn.has(&third, text(&third, "c")), "what announces is never taken for churn");
    }
}
