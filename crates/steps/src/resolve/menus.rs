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
    name_match::MatchQuality,
};

pub(super) fn open(page: &Snapshot, item: &TargetPhrase, next: &TargetPhrase, pointing: bool) -> Actions {
    let at = find::one(page, item, Purpose::Click)?;
    let target = find::target_of(page, at);
    let is_item = page.nodes[at].role.starts_with("menuitem");
    if is_item && is_open(page, at, next) || !is_item && pointing {
        return Ok(Vec::new());
    }
    Ok(vec![if pointing { Action::Hover(TargetParams { target }) } else { Action::Click(Click::on(target)) }])
}

/// Whether the submenu of an item is open: its next item is shown, in another menu than the item itself.
fn is_open(page: &Snapshot, item: NodeIndex, next: &TargetPhrase) -> bool {
    let menu = |at| page.enclosing(at, &["menu", "menubar"]);
    let shown = find::matching(page, next, MatchQuality::Bare).unwrap_or_default();
    shown.into_iter().any(|at| page.nodes[at].role.starts_with("menuitem") && menu(at) != menu(item))
}
