//! The ticked rows and entries of a page.

use legwork_observe::{NodeIndex, Snapshot};

/// The roles of entries of lists and tables.
const ENTRIES: [&str; 3] = ["row", "listitem", "article"];

/// The ticked rows and list entries.
pub(super) fn ticked_entries(page: &Snapshot) -> impl Iterator<Item = NodeIndex> {
    entries(page).filter(|entry| {
        let is_header = || page.below(*entry).any(|at| page.nodes[at].role.as_ref() == "columnheader");
        let is_box = |at: NodeIndex| page.nodes[at].role.as_ref() == "checkbox" && page.nodes[at].states.checked();
        page.below(*entry).any(is_box) && !is_header()
    })
}

pub(super) fn entries(page: &Snapshot) -> impl Iterator<Item = NodeIndex> {
    (1..page.nodes.len()).filter(|at| ENTRIES.contains(&page.nodes[*at].role.as_ref()))
}
