//! The content that a dialog or menu covers. While one is open, libraries hide the rest of the page from assistive
//! technology, and the snapshot does not contain it. When it reappears, it is not new, whichever control was clicked.

use std::{borrow::Cow, collections::HashSet, sync::Arc};

use legwork_observe::Snapshot;

/// The page below the open dialogs and menus, as it was when they opened.
#[derive(Clone, Debug, Default)]
pub(crate) struct Covered {
    page: Option<Arc<Snapshot>>,
}

impl Covered {
    /// Learns from two observations. `acted` states whether an action was executed between them.
    pub(crate) fn learn(&mut self, before: &Arc<Snapshot>, after: &Snapshot, acted: bool) {
        // The page is kept for all observations after the action that closed the dialog.
        if acted && self.page.as_ref().is_some_and(|page| !covers(before, page)) {
            self.page = None;
        }
        if covers(after, before) {
            let page = self.page.take();
            self.page = Some(page.map_or_else(|| Arc::clone(before), |page| Arc::new(before.with_content_of(&page))));
        }
    }

    /// The page together with the content that it covers.
    pub(super) fn complete<'a>(&self, page: Cow<'a, Snapshot>) -> Cow<'a, Snapshot> {
        match &self.page {
            Some(covered) if covers(&page, covered) => Cow::Owned(page.with_content_of(&covered.visible())),
            _ => page,
        }
    }
}

/// Whether a page shows a dialog or menu instead of most of the other page's content.
fn covers(page: &Snapshot, other: &Snapshot) -> bool {
    let path = |page: &'_ Snapshot| super::url_path::path_of(&page.url).to_owned();
    // A permanent menu (an application's sidebar) covers nothing.
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
