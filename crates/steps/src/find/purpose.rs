//! How well an element suits a purpose.

use legwork_observe::Node;

use crate::{
    ast::Purpose,
    roles::{input, is_field},
};

impl Purpose {
    /// How well an element suits the purpose: 0 is best, `None` is not suitable.
    pub(super) fn suits(self, node: &Node) -> Option<u8> {
        let role = node.role.as_ref();
        let field = (is_field(role) || node.states.editable()) && input(node) != "file";
        let group =
            matches!(role, "radiogroup" | "group" | "menu" | "menubar" | "tablist" | "tree" | "toolbar" | "list");
        match self {
            Purpose::Click => Some(match role {
                _ if field => 1,
                "option" | "row" | "generic" | "cell" | "gridcell" | "listitem" | "combobox" | "listbox" | "iframe" => {
                    1
                }
                _ => 0,
            }),
            Purpose::Twice => Some(match role {
                "checkbox" | "radio" | "switch" => 2,
                _ if field => 1,
                "button" | "link" | "tab" | "menuitem" | "treeitem" | "gridcell" | "cell" | "option" => 0,
                _ => 1,
            }),
            Purpose::Fill if field => Some(0),
            Purpose::Fill => matches!(role, "combobox" | "slider" | "listbox").then_some(1),
            Purpose::Tick => match role {
                "checkbox" | "switch" | "radio" => Some(0),
                "menuitemcheckbox" | "menuitemradio" => Some(1),
                "button" if node.states.pressed() => Some(2),
                "option" | "button" | "treeitem" | "gridcell" => Some(3),
                _ => None,
            },
            Purpose::Choose => match role {
                "combobox" | "listbox" => Some(0),
                _ if group => Some(1),
                "button" if node.states.collapsed() || node.states.expanded() => Some(1),
                "button" => Some(2),
                _ if field => Some(2),
                _ => None,
            },
            Purpose::Set if field => Some(0),
            Purpose::Set => match role {
                "combobox" | "listbox" | "checkbox" | "switch" | "slider" | "radiogroup" => Some(0),
                "radio" => Some(2),
                _ if group => Some(1),
                _ if input(node) == "file" => Some(0),
                "button" if node.states.collapsed() || node.states.expanded() => Some(2),
                _ => None,
            },
            Purpose::Upload if input(node) == "file" => Some(0),
            Purpose::Upload => matches!(role, "button" | "link").then_some(2),
            Purpose::Expand if node.states.collapsed() || node.states.expanded() => Some(0),
            Purpose::Expand => {
                matches!(role, "button" | "treeitem" | "summary" | "combobox" | "menuitem" | "link").then_some(1)
            }
            Purpose::Any => Some(u8::from(role == "text")),
        }
    }

    pub(super) fn verb(self) -> &'static str {
        match self {
            Purpose::Click | Purpose::Twice | Purpose::Expand => "clicked",
            Purpose::Fill => "filled in",
            Purpose::Tick => "ticked",
            Purpose::Choose => "chosen from",
            Purpose::Set => "set",
            Purpose::Upload => "given a file",
            Purpose::Any => "used",
        }
    }
}
