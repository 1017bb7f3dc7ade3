//! Names of elements on the part of the page that a model saw. In an iteration of a loop over rows it sees no other rows,
//! while the browser looks for a name in all of them: `button "Ship"` is one button for the model and three for the
//! browser.

use legwork_observe::{Node, NodeIndex, Snapshot};
use legwork_protocol::{Action, Target, TargetKind};

use crate::playbook::{targets, with_targets};

/// The action with refs instead of the names that one element of this part of the page has. Other targets stay.
pub(super) fn on_seen_page(action: Action, page: &Snapshot) -> Action {
    let sets_field = sets_field(&action);
    let found: Vec<(String, Target)> = targets(&action)
        .into_iter()
        .filter_map(|(parameter, target)| Some((parameter, seen(&target, sets_field, page)?)))
        .collect();
    if found.is_empty() {
        return action;
    }
    with_targets(action, &|parameter| {
        found.iter().find(|(name, _)| name == parameter).map(|(_, target)| target.clone())
    })
}

/// The ref of the element that a name means on this page.
fn seen(target: &Target, sets_field: bool, page: &Snapshot) -> Option<Target> {
    let named = match target.kind() {
        TargetKind::Role { role, name: Some(name) } => matches(page, name, true, |node| &*node.role == role),
        // A part of a text may stand in another element, which the browser prefers.
        TargetKind::Text(text) => matches(page, text.trim_matches('"'), false, |node| suits(node, sets_field)),
        _ => return None,
    };
    let found = match (target.nth(), named.as_slice()) {
        (None, [only]) => *only,
        (Some(nth), all) => {
            let from_end = nth.unsigned_abs() as usize;
            *all.get(if nth < 0 { all.len().checked_sub(from_end)? } else { from_end })?
        }
        _ => return None,
    };
    page.nodes[found].reference.map(Target::from)
}

/// Whether an action sets the value of a field.
pub(super) fn sets_field(action: &Action) -> bool {
    matches!(
        action.carried_out(),
        Action::Fill(_)
            | Action::Select(_)
            | Action::Check(_)
            | Action::Uncheck(_)
            | Action::Type(_)
            | Action::Upload(_)
    )
}

/// Whether a text names this node for an action: a field by its label, otherwise an element that can be operated.
pub(super) fn suits(node: &Node, sets_field: bool) -> bool {
    const FIELDS: [&str; 7] = ["combobox", "listbox", "checkbox", "radio", "switch", "slider", "spinbutton"];
    match sets_field {
        true => node.states.editable() || FIELDS.contains(&&*node.role),
        false => node.states.actionable(),
    }
}

/// The shown elements with this name, in order; if there are none, those whose names contain it, if a part suffices.
/// The browser prefers whole names in the same way.
fn matches(page: &Snapshot, name: &str, is_part_enough: bool, suits: impl Fn(&Node) -> bool) -> Vec<NodeIndex> {
    let name = squeezed(name);
    let suitable: Vec<(NodeIndex, String)> = page
        .nodes
        .iter()
        .enumerate()
        .filter(|(_, node)| node.reference.is_some() && !node.states.unseen() && suits(node))
        .map(|(at, node)| (at, squeezed(&node.name)))
        .collect();
    let with = |fits: &dyn Fn(&str) -> bool| -> Vec<NodeIndex> {
        suitable.iter().filter(|(_, own)| fits(own)).map(|(at, _)| *at).collect()
    };
    let whole = with(&|own| own == name);
    if whole.is_empty() && is_part_enough { with(&|own| own.contains(&name)) } else { whole }
}

fn squeezed(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
