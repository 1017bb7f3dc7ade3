//! Verifies that all requested values are chosen.

use legwork_observe::{NodeIndex, Snapshot};

use crate::{
    ast::{Scope, TargetPhrase},
    error::{Actions, ResolveError},
    find::{self, Purpose},
    name_match::NameMatcher,
    roles::BOXES,
    scope,
};

pub(super) fn is_selected(page: &Snapshot, at: NodeIndex) -> bool {
    let states = page.nodes[at].states;
    states.checked() || states.selected() || states.pressed()
}

/// Returns no action if all values of a set are chosen; otherwise the error names the missing one.
pub(super) fn verify(page: &Snapshot, sets: &[Vec<String>], from: Option<&TargetPhrase>, scopes: &[Scope]) -> Actions {
    if from.is_some_and(|from| from.raw.is_some()) {
        return Ok(Vec::new());
    }
    let list = from.and_then(|from| find::one(page, from, Purpose::Choose).ok());
    let values: Vec<NameMatcher> = sets.iter().flatten().map(|value| NameMatcher::new(value)).collect();
    let within = scope::ranges(page, scopes).unwrap_or_else(|_| scope::everywhere(page));
    let is_value = |value: &&String| {
        let matcher = NameMatcher::new(value);
        let is_chip = |at: NodeIndex| list.is_some_and(|list| is_chip(page, list, at, &values));
        list.is_some_and(|list| has_value(page, list, &matcher))
            || within.iter().cloned().flatten().any(|at| match page.role(at) {
                "button" => is_button_of(page, at, &matcher, || is_chip(at)),
                _ => states_value(page, at, value, &matcher),
            })
    };
    let missing: Vec<&String> = sets.iter().filter_map(|set| set.iter().find(|value| !is_value(value))).collect();
    match missing.last() {
        Some(value) if missing.len() == sets.len() => Err(ResolveError::wrong_kind(
            format!("“{value}”"),
            "not chosen, although it was asked for",
            "there it may be that only one can be chosen",
        )),
        _ => Ok(Vec::new()),
    }
}

/// Whether a list or field has a value, possibly among others.
fn has_value(page: &Snapshot, at: NodeIndex, value: &NameMatcher) -> bool {
    let text = page.nodes[at].value.as_deref().unwrap_or_default();
    value.is(text) || text.split([',', ';', '|', '\n']).any(|part| value.is(part.trim()))
}

/// Whether an element shows that a value is chosen.
fn states_value(page: &Snapshot, at: NodeIndex, value: &str, matcher: &NameMatcher) -> bool {
    let node = &page.nodes[at];
    match node.role.as_ref() {
        "checkbox" | "radio" | "switch" | "option" | "menuitemcheckbox" | "menuitemradio" | "treeitem" => {
            is_selected(page, at) && find::with_label(page, &[at], value).contains(&at)
        }
        "combobox" | "listbox" => has_value(page, at, matcher),
        // An option of an open list without a role can also have the selected state.
        "generic" if node.states.selected() && matcher.is(&node.name) => true,
        "listitem" | "generic" | "text" | "row" | "gridcell" => matcher.is(&node.name) && is_listed_choice(page, at),
        _ => false,
    }
}

/// A button of a picker that shows its value (a chip), or that removes it.
fn is_button_of(page: &Snapshot, at: NodeIndex, value: &NameMatcher, is_chip: impl Fn() -> bool) -> bool {
    let node = &page.nodes[at];
    let name = node.name.to_lowercase();
    let removes =
        |word: &&str| name.strip_prefix(word).or_else(|| name.strip_suffix(word)).is_some_and(|rest| value.is(rest));
    value.is(&node.name) && (node.states.pressed() || is_chip())
        || ["remove", "delete", "×", "✕", "x"].iter().any(removes)
}

/// Whether a text is where choices are shown, and not among the offered options.
fn is_listed_choice(page: &Snapshot, at: NodeIndex) -> bool {
    const OFFERS: &[&str] = &["option", "listbox", "menu", "tree", "checkbox", "radio", "button", "link"];
    let in_offer = page.enclosing(at, OFFERS).is_some();
    let near = at.saturating_sub(1)..(at + 2).min(page.nodes.len());
    let beside_box = near.into_iter().any(|near| page.has_role(near, BOXES) || page.role(near) == "option");
    // A clickable element can be the choice itself, if a click removes it.
    let is_offered = page.ancestors(at).take(3).chain([at]).any(|up| page.nodes[up].states.actionable());
    let parent = page.nodes[at].parent;
    let can_be_removed = || {
        page.below(parent).any(|near| {
            let name = page.nodes[near].name.to_lowercase();
            page.role(near) == "button"
                && (name.starts_with("remove") || matches!(name.as_str(), "×" | "✕" | "✖" | "x"))
        })
    };
    !in_offer && !beside_box && (!is_offered || parent != 0 && can_be_removed())
}

/// Whether a button is a chip: it is immediately before the list, in a row that contains only requested values. Buttons
/// beside a list that also offer other values are shortcuts, whether or not a value is chosen.
fn is_chip(page: &Snapshot, list: NodeIndex, at: NodeIndex, values: &[NameMatcher]) -> bool {
    let siblings: Vec<NodeIndex> = page.children(page.nodes[list].parent).take_while(|near| *near != list).collect();
    let row: Vec<NodeIndex> = siblings.into_iter().rev().take_while(|near| page.role(*near) == "button").collect();
    let is_value = |near: &NodeIndex| values.iter().any(|value| value.is(&page.nodes[*near].name));
    row.contains(&at) && row.iter().all(is_value)
}
