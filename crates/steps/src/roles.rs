//! The roles of elements, by what they have in common.

use legwork_observe::Node;

pub(crate) const TABLES: &[&str] = &["table", "grid", "treegrid"];
pub(crate) const CELLS: &[&str] = &["cell", "gridcell", "columnheader", "rowheader"];
pub(crate) const DIALOGS: &[&str] = &["dialog", "alertdialog"];
/// What is ticked.
pub(crate) const BOXES: &[&str] = &["checkbox", "radio", "switch"];
/// What has options.
pub(crate) const LISTS: &[&str] = &["combobox", "listbox"];
/// What the page says by itself.
pub(crate) const LIVE: &[&str] = &["alert", "status", "log", "alertdialog"];
const CONTROLS: &[&str] = &[
    "button",
    "link",
    "checkbox",
    "radio",
    "combobox",
    "listbox",
    "option",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "tab",
    "switch",
    "slider",
    "treeitem",
    "summary",
];

/// Whether elements of a role are there to be acted on.
pub fn is_control(role: &str) -> bool {
    is_field(role) || CONTROLS.contains(&role)
}

/// Whether elements of a role take text.
pub(crate) fn is_field(role: &str) -> bool {
    matches!(role, "textbox" | "searchbox" | "spinbutton")
}

/// The type of an input; empty for other elements.
pub(crate) fn input(node: &Node) -> &str {
    node.attributes.as_ref().and_then(|attributes| attributes.input.as_deref()).unwrap_or_default()
}

/// Whether text can be put into it.
pub(crate) fn is_field_like(node: &Node) -> bool {
    is_field(&node.role) || node.states.editable() || input(node) == "password"
}
