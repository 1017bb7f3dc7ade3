//! Groups of ARIA roles.

use legwork_observe::Node;

/// A list of roles, or of other words without spaces.
macro_rules! roles {
    ($($role:ident)+) => { &[$(stringify!($role)),+] };
}
pub(crate) use roles;

pub(crate) const TABLES: &[&str] = &["table", "grid", "treegrid"];
pub(crate) const CELLS: &[&str] = &["cell", "gridcell", "columnheader", "rowheader"];
pub(crate) const DIALOGS: &[&str] = &["dialog", "alertdialog"];
/// Roles that can be checked.
pub(crate) const BOXES: &[&str] = &["checkbox", "radio", "switch"];
/// Roles that have options.
pub(crate) const LISTS: &[&str] = &["combobox", "listbox"];
/// Roles with which a page announces messages.
pub(crate) const LIVE: &[&str] = &["alert", "status", "log", "alertdialog"];
const CONTROLS: &[&str] = roles![
    button link checkbox radio combobox listbox option menuitem menuitemcheckbox menuitemradio tab switch slider
    treeitem summary
];

/// Whether a role is interactive.
pub fn is_control(role: &str) -> bool {
    is_field(role) || CONTROLS.contains(&role)
}

/// Whether a role accepts text.
pub(crate) fn is_field(role: &str) -> bool {
    matches!(role, "textbox" | "searchbox" | "spinbutton")
}

/// The type of an input; empty for other elements.
pub(crate) fn input(node: &Node) -> &str {
    node.attributes.as_ref().and_then(|attributes| attributes.input.as_deref()).unwrap_or_default()
}

/// Whether text can be entered into the element.
pub(crate) fn is_field_like(node: &Node) -> bool {
    is_field(&node.role) || node.states.editable() || input(node) == "password"
}
