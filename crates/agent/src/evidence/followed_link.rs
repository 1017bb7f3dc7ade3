//! Whether an action followed a link.

use legwork_observe::Snapshot;
use legwork_protocol::Action;

use super::{Observed, fields, url_path::path_of};

/// Whether the action followed a link to another page and requested no change.
pub(super) fn follows_link(observed: &Observed<'_>, before: &Snapshot) -> bool {
    const LINKS: [&str; 7] = ["link", "tab", "menuitem", "treeitem", "row", "cell", "listitem"];
    let is_link = |action: &Action| fields::target(action, before).is_some_and(|node| LINKS.contains(&&*node.role));
    let mut clicks =
        observed.actions.iter().map(Action::carried_out).filter(|action| matches!(action, Action::Click(_)));
    route_of(&before.url) != route_of(&observed.after.url) && !observed.sends_change() && clicks.any(is_link)
}

/// The path of a URL with the fragment that some applications use as a path (`#/orders`).
pub(super) fn route_of(url: &str) -> (&str, Option<&str>) {
    let fragment = url.split_once('#').map(|(_, fragment)| fragment);
    (path_of(url), fragment.filter(|fragment| fragment.trim_start_matches('!').starts_with('/')))
}
