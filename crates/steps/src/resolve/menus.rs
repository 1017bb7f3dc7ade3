//! Resolves the path through a menu to one of its items.
//!
//! In most menus, an item with a submenu opens it on hover, and a click on the item is a choice: the submenu closes
//! again, or the page executes the item. Therefore the item is hovered first, and clicked only if that opened nothing.

use legwork_observe::{NodeIndex, Snapshot};
use legwork_protocol::{Action, Click, TargetParams};

use crate::{
    ast::TargetPhrase,
    error::Actions,
    find::{self, Purpose},
    name_match::{MatchQuality, NameMatcher},
};

pub(super) fn open(page: &Snapshot, item: &TargetPhrase, next: &TargetPhrase, pointing: bool) -> Actions {
    let at = entry(page, item).map_or_else(|| find::one(page, item, Purpose::Click), Ok)?;
    let target = find::target_of(page, at);
    let is_item = page.nodes[at].role.starts_with("menuitem");
    if is_item && is_open(page, at, next) || !is_item && pointing {
        return Ok(Vec::new());
    }
    Ok(vec![if pointing { Action::Hover(TargetParams { target }) } else { Action::Click(Click::on(target)) }])
}

/// The click on the last item of a path.
pub(super) fn choose(page: &Snapshot, item: &TargetPhrase) -> Actions {
    let at = entry(page, item).map_or_else(|| find::one(page, item, Purpose::Click), Ok)?;
    Ok(vec![Action::Click(Click::on(find::target_of(page, at)))])
}

/// The only item of a menu with this label. Other elements of the page may have the same name (`File` in a list of
/// files), and the name of an item often ends with its keys (`Save Ctrl+S`).
fn entry(page: &Snapshot, item: &TargetPhrase) -> Option<NodeIndex> {
    let matcher = NameMatcher::new(item.name.as_deref()?);
    let is_entry = |at: &NodeIndex| {
        let node = &page.nodes[*at];
        node.role.starts_with("menuitem") && !node.states.unseen() && matcher.is(without_keys(&node.name))
    };
    let mut found = (1..page.nodes.len()).filter(is_entry);
    found.next().filter(|_| found.next().is_none())
}

/// The label of a menu item without its keys at the end.
fn without_keys(name: &str) -> &str {
    const KEYS: [&str; 8] = ["Ctrl", "Shift", "Alt", "Cmd", "Control", "Meta", "⌘", "⇧"];
    let name = name.trim();
    let Some((label, last)) = name.rsplit_once(char::is_whitespace) else { return name };
    let is_chord = KEYS.iter().any(|key| last.starts_with(key)) && (last.contains('+') || !last.is_ascii());
    let is_function_key = last.strip_prefix('F').is_some_and(|number| number.parse::<u8>().is_ok_and(|key| key <= 12));
    if is_chord || is_function_key { label.trim_end() } else { name }
}

/// Whether the submenu of an item is open: its next item is shown, in another menu than the item itself.
fn is_open(page: &Snapshot, item: NodeIndex, next: &TargetPhrase) -> bool {
    let menu = |at| page.enclosing(at, &["menu", "menubar"]);
    let shown = find::matching(page, next, MatchQuality::Bare).unwrap_or_default();
    shown
        .into_iter()
        .chain(entry(page, next))
        .any(|at| page.nodes[at].role.starts_with("menuitem") && menu(at) != menu(item))
}
