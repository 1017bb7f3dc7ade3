//! Rates how well elements of a page match the kinds that people name.

use legwork_observe::{Node, NodeIndex, Snapshot, progress, wording};

use crate::{
    element_kind::ElementKind,
    name_match,
    roles::{LIVE, input, is_control, is_field, roles},
};

/// The maximum number of characters of a text that is considered a message.
const MESSAGE: usize = 200;

/// Whether a text without a message role is an error message.
fn is_error_text(text: &str) -> bool {
    let text = text.trim();
    let begins = text.get(..5).is_some_and(|begin| begin.eq_ignore_ascii_case("error"));
    // `Passwords must be long` is a hint.
    let refuses = wording::is_addressed_refusal(text, "") && !wording::is_instruction(text);
    text.chars().count() <= MESSAGE && (begins || refuses)
}

/// The rating of a text that nothing identifies as a message.
const LOOSE: u8 = 9;

/// Whether a text immediately follows an invalid field and is not the label of another.
fn of_invalid_field(page: &Snapshot, at: NodeIndex) -> bool {
    let node = &page.nodes[at];
    let invalid = (at.saturating_sub(2)..at).any(|before| page.nodes[before].states.invalid());
    let labels = page.nodes.get(node.end).is_some_and(|next| {
        (is_field(&next.role) || next.states.editable())
            && next.name.trim_end_matches(['*', ':', ' ']) == node.name.trim_end_matches(['*', ':', ' '])
    });
    invalid && !labels && !node.name.is_empty()
}

impl ElementKind {
    /// How well an element matches the kind: 0 is exact, higher is looser, `None` does not match.
    pub(crate) fn fits(self, node: &Node) -> Option<u8> {
        let role = node.role.as_ref();
        let editable = is_field(role) || (node.states.editable() && role != "document");
        let level = |exact: &[&str], looser: &[&str]| {
            exact.contains(&role).then_some(0).or_else(|| looser.contains(&role).then_some(1))
        };
        match self {
            ElementKind::Button if matches!(input(node), "file") => Some(1),
            ElementKind::Button => level(&["button"], &["link", "menuitem", "switch", "tab", "summary"])
                .or_else(|| (role == "generic" && node.states.actionable()).then_some(2)),
            ElementKind::Link => level(&["link"], &["button", "menuitem", "tab", "treeitem"])
                .or_else(|| (role == "generic" && node.states.actionable()).then_some(2)),
            ElementKind::Field if editable && input(node) != "file" => Some(0),
            ElementKind::Field => level(&[], &["combobox", "listbox", "slider"]),
            // `Filter navigation items` is a filter of a menu, not a search.
            ElementKind::Search if node.name.to_lowercase().contains("filter") => editable.then_some(2),
            ElementKind::Search if role == "searchbox" || input(node) == "search" => Some(0),
            ElementKind::Search => editable.then_some(1),
            ElementKind::Password => (input(node) == "password" || (editable && node.states.secret())).then_some(0),
            ElementKind::Date if matches!(input(node), "date" | "datetime-local" | "month" | "week" | "time") => {
                Some(0)
            }
            ElementKind::Date => editable.then_some(1),
            ElementKind::Number if role == "spinbutton" || input(node) == "number" => Some(0),
            ElementKind::Number => editable.then_some(1),
            ElementKind::Checkbox => level(&["checkbox"], &["menuitemcheckbox", "switch"]),
            ElementKind::Radio => level(&["radio"], &["menuitemradio", "option"]),
            ElementKind::Dropdown => level(&["combobox", "listbox"], &["menu"])
                .or_else(|| (role == "button" && (node.states.collapsed() || node.states.expanded())).then_some(1)),
            ElementKind::Option => {
                level(&["option"], &["radio", "menuitem", "menuitemradio", "menuitemcheckbox", "checkbox", "treeitem"])
            }
            ElementKind::Switch => level(&["switch"], &["checkbox", "button"]),
            ElementKind::Slider => level(&["slider"], &["spinbutton"]),
            ElementKind::File if input(node) == "file" => Some(0),
            ElementKind::File => None,
            ElementKind::Tab => level(&["tab"], &[]),
            ElementKind::MenuItem => {
                level(&["menuitem", "menuitemcheckbox", "menuitemradio"], &["option", "link", "button", "treeitem"])
            }
            ElementKind::Menu => level(&["menu", "menubar"], &["listbox", "navigation", "combobox", "button"]),
            ElementKind::Heading => level(&["heading"], &[]),
            ElementKind::Image => level(&["img", "image", "figure"], &["link", "button"]),
            ElementKind::Icon => level(&["img", "image", "button", "link"], &["generic", "menuitem"]),
            ElementKind::Row => level(&["row"], &["listitem", "treeitem"]),
            ElementKind::Cell => level(&["cell", "gridcell"], &["rowheader", "columnheader"]),
            ElementKind::Column => level(&["columnheader"], &["cell"]),
            ElementKind::Table => level(&["table", "grid", "treegrid"], &[]),
            ElementKind::List => level(&["list"], &["listbox", "combobox", "menu", "tree"]),
            ElementKind::Item => level(&["listitem", "article"], &["row", "option", "treeitem", "menuitem"]),
            ElementKind::Dialog => level(&["dialog", "alertdialog"], &["tooltip", "menu"]),
            ElementKind::Region => level(
                &["region", "group", "section", "tabpanel", "radiogroup", "toolbar", "article"],
                roles![form complementary navigation main search details banner contentinfo listitem table list],
            ),
            ElementKind::Form => level(&["form"], &["search", "group", "region", "dialog"]),
            ElementKind::Navigation => level(&["navigation"], &["menubar", "menu", "complementary", "list", "tree"]),
            ElementKind::Banner => level(&["banner"], &["columnheader", "heading"]),
            ElementKind::Sidebar => level(&["complementary"], &["navigation"]),
            ElementKind::Main => level(&["main"], &[]),
            ElementKind::Footer => level(&["contentinfo"], &[]),
            ElementKind::Frame => level(&["iframe"], &[]),
            ElementKind::Alert => level(&["alert", "status", "log"], &["alertdialog", "listitem", "paragraph", "text"]),
            ElementKind::Spinner => level(&["progressbar"], &[]).or_else(|| node.states.busy().then_some(0)),
            ElementKind::Error | ElementKind::Success => level(&["alert", "status", "log", "alertdialog"], &[]),
            ElementKind::Text => Some(u8::from(role != "text")),
            ElementKind::Progress => level(&["progressbar", "meter"], &[]),
            ElementKind::Tree => level(&["tree", "treegrid"], &[]),
            ElementKind::Any => Some(0),
        }
    }

    /// How well an element of a page matches the kind, including its text: an error message is identified by its words,
    /// an empty message does not match, a spinner can be a text.
    pub(crate) fn fits_at(self, page: &Snapshot, at: NodeIndex) -> Option<u8> {
        let node = &page.nodes[at];
        let role = node.role.as_ref();
        let live = LIVE.contains(&role);
        let plain = matches!(role, "text" | "paragraph" | "listitem" | "heading" | "strong" | "emphasis");
        let text = || name_match::normalize_whitespace(&format!("{} {}", node.name, name_match::content(page, at)));
        match self {
            // A sortable header consists of a link or button.
            ElementKind::Column if matches!(role, "link" | "button") => {
                page.enclosing(at, &["columnheader"]).map(|_| 1)
            }
            ElementKind::Alert if live && text().is_empty() => None,
            ElementKind::Error if live => {
                let text = text();
                match (text.is_empty(), wording::states_refusal(&text), wording::states_success(&text)) {
                    (true, ..) => None,
                    (_, true, _) => Some(0),
                    (.., false) if role != "status" && role != "log" => Some(1),
                    _ => None,
                }
            }
            ElementKind::Error if plain => match (is_error_text(&node.name), of_invalid_field(page, at)) {
                (_, true) => Some(0),
                (true, _) if role != "heading" || node.level > 1 => Some(2),
                _ => Some(LOOSE),
            },
            ElementKind::Error if node.states.invalid() => {
                node.attributes.as_ref().and_then(|a| a.description.as_ref()).map(|_| 1)
            }
            ElementKind::Success if live => {
                let text = text();
                wording::is_success_message(&text, true).then_some(0)
            }
            ElementKind::Success if plain => {
                Some(if wording::is_success_message(&node.name, false) { 2 } else { LOOSE })
            }
            ElementKind::Spinner => {
                let attributes = node.attributes.as_deref();
                let labelled = || {
                    let labels = attributes.map(|a| [&a.id, &a.test_id, &a.description]);
                    labels.into_iter().flatten().flatten().any(|label| progress::names_spinner(label))
                };
                match role {
                    "progressbar" => Some(u8::from(node.value.is_some())),
                    _ if node.states.busy() => Some(0),
                    "status" | "alert" | "log" => {
                        (progress::is_under_way(&text()) || progress::names_spinner(&node.name)).then_some(0)
                    }
                    "img" | "image" | "generic" => (progress::names_spinner(&node.name) || labelled()).then_some(1),
                    _ if plain => progress::is_under_way(&node.name).then_some(2),
                    _ => None,
                }
            }
            ElementKind::Sidebar => {
                let attributes = node.attributes.as_deref();
                let names = |text: &str| text.to_lowercase().replace([' ', '-', '_'], "").contains("sidebar");
                let called = names(&node.name) || attributes.and_then(|a| a.id.as_deref()).is_some_and(names);
                let tall = node.bounds.is_some_and(|[_, _, width, height]| height > width);
                let holds = node.end > at + 1 && !is_control(role);
                match role {
                    "complementary" => Some(0),
                    "navigation" => Some(u8::from(!(called || tall))),
                    _ => (called && holds).then_some(0),
                }
            }
            _ => self.fits(node),
        }
    }

    /// Whether an element with this rating matches only by name: any text can be a quoted error message, but only if a
    /// name is given.
    pub(crate) fn needs_name(self, fit: u8) -> bool {
        match self {
            ElementKind::Alert => fit > 0,
            ElementKind::Error | ElementKind::Success => fit == LOOSE,
            _ => false,
        }
    }
}
