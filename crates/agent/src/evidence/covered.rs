//! What a dialog or menu covers. Libraries hide the rest of the page from assistive technology while one is open, and it is not
//! in the snapshot then. When it comes back it is not new, whatever was pressed.

use std::{borrow::Cow, collections::HashSet, sync::Arc};

use legwork_observe::Snapshot;

/// The page under the dialogs and menus that are open, as it was when they opened.
#[derive(Clone, Debug, Default)]
pub(crate) struct Covered {
    page: Option<Arc<Snapshot>>,
}

impl Covered {
    /// Learns from two looks. `acted` says whether something was done between them.
    pub(crate) fn learn(&mut self, before: &Arc<Snapshot>, after: &Snapshot, acted: bool) {
        // It is kept through all looks after the action that closed the dialog.
        if acted && self.page.as_ref().is_some_and(|page| !covers(before, page)) {
            self.page = None;
        }
        if covers(after, before) {
            let page = self.page.take();
            self.page = Some(page.map_or_else(|| Arc::clone(before), |page| Arc::new(before.with_content_of(&page))));
        }
    }

    /// The page together with what it covers.
    pub(super) fn complete<'a>(&self, page: Cow<'a, Snapshot>) -> Cow<'a, Snapshot> {
        match &self.page {
            Some(covered) if covers(&page, covered) => Cow::Owned(page.with_content_of(&covered.visible())),
            _ => page,
        }
    }
}

/// Whether a page shows a dialog or menu in place of most of what the other one holds.
fn covers(page: &Snapshot, other: &Snapshot) -> bool {
    let path = |page: &'_ Snapshot| super::requests::path_of(&page.url).to_owned();
    // A menu that is always there (an application's sidebar) covers nothing.
    let overlays = |page: &Snapshot| -> Vec<(Box<str>, Box<str>)> {
        let is_overlay = |role: &str| matches!(role, "dialog" | "alertdialog" | "menu" | "listbox");
        let found = page.nodes.iter().filter(|node| is_overlay(&node.role));
        found.map(|node| (node.role.clone(), node.name.clone())).collect()
    };
    let (open, earlier) = (overlays(page), overlays(other));
    let is_new = open.len() > earlier.len() || open.iter().any(|overlay| !earlier.contains(overlay));
    if !is_new || path(page) != path(other) {
        return false;
    }
    let shown: HashSet<&str> = page.nodes.iter().map(|node| node.name.as_ref()).collect();
    let names: HashSet<&str> =
        other.nodes.iter().map(|node| node.name.as_ref()).filter(|name| !name.is_empty()).collect();
    let hidden = names.iter().filter(|name| !shown.contains(*name)).count();
    hidden * 2 > names.len()
}
