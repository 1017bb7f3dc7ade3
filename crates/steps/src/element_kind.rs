//! The words people have for elements, and which roles they mean.

use legwork_observe::{Node, NodeIndex, Snapshot};

use super::{name_match, tokens::TokenStream};
use legwork_observe::{progress, wording};

macro_rules! kinds {
    ($($kind:ident $word:literal: $($phrase:literal)|+;)*) => {
        /// What somebody calls an element.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum ElementKind { $($kind),* }

        impl ElementKind {
            /// The usual word.
            pub(super) fn word(self) -> &'static str {
                match self { $(ElementKind::$kind => $word),* }
            }
        }

        fn kind_of(phrase: &str) -> Option<ElementKind> {
            match phrase { $($($phrase)|+ => Some(ElementKind::$kind),)* _ => None }
        }
    };
}

kinds! {
    Button "button": "button" | "push button" | "toggle button" | "menu button";
    Link "link": "link" | "hyperlink" | "anchor";
    Field "field": "field" | "text field" | "input field" | "input" | "text box" | "textbox" | "box" | "text input" | "input box" | "input textbox" | "input text box" | "textarea" | "text area" | "text entry" | "editor" | "entry field" | "form field";
    Search "search field": "search box" | "search field" | "search bar" | "search input";
    Password "password field": "password field" | "password box" | "password input";
    Date "date field": "date field" | "date picker" | "date input";
    Number "number field": "number field" | "spin button" | "spinbutton" | "stepper";
    Spinner "spinner": "spinner" | "loading spinner" | "loading indicator" | "loader" | "busy indicator" | "progress indicator" | "loading animation" | "loading icon" | "activity indicator" | "loading message" | "progress spinner" | "throbber";
    Checkbox "checkbox": "checkbox" | "check box" | "tick box" | "tickbox";
    Radio "radio button": "radio button" | "radio" | "radio option" | "radio box";
    Dropdown "drop-down": "drop-down" | "dropdown" | "drop down" | "select" | "select box" | "select field" | "combo box" | "combobox" | "drop-down list" | "dropdown list" | "drop-down menu" | "dropdown menu" | "drop-down field" | "dropdown field" | "list box" | "listbox" | "selector" | "picker";
    Option "option": "option" | "choice" | "suggestion";
    Switch "switch": "switch" | "toggle" | "toggle switch";
    Slider "slider": "slider" | "range" | "range slider";
    File "file field": "file field" | "file input" | "upload field" | "file chooser" | "file upload" | "file picker" | "file box" | "upload box";
    Tab "tab": "tab";
    MenuItem "menu item": "menu item" | "menu entry" | "menu option" | "menuitem" | "command";
    Menu "menu": "menu" | "menu bar" | "menubar" | "context menu";
    Heading "heading": "heading" | "headline" | "page heading" | "title heading";
    Image "image": "image" | "picture" | "photo" | "img" | "graphic" | "thumbnail";
    Icon "icon": "icon" | "symbol";
    Row "row": "row" | "table row" | "line" | "record";
    Cell "cell": "cell" | "table cell";
    Column "column": "column" | "column header" | "columnheader" | "table header" | "column heading";
    Table "table": "table" | "grid" | "data table";
    List "list": "list";
    Item "item": "item" | "list item" | "entry" | "result" | "search result" | "card" | "product" | "post" | "article" | "listing" | "tree item" | "node" | "todo" | "task";
    Dialog "dialog": "dialog" | "dialogue" | "dialog box" | "dialogue box" | "modal" | "popup" | "pop-up" | "pop up" | "modal dialog" | "modal window" | "overlay" | "popover" | "confirmation dialog" | "confirmation window";
    Region "section": "section" | "region" | "area" | "panel" | "group" | "fieldset" | "block" | "pane" | "box section" | "tab panel" | "widget" | "accordion" | "toolbar" | "filter" | "filters" | "radio group" | "group of options";
    Form "form": "form";
    Navigation "navigation": "navigation" | "nav" | "navigation bar" | "nav bar" | "navbar" | "navigation menu" | "main navigation" | "main menu" | "breadcrumb" | "breadcrumbs";
    Sidebar "sidebar": "sidebar" | "side bar" | "side panel" | "side navigation" | "side menu";
    Banner "page header": "header" | "page header" | "banner" | "top bar" | "site header";
    Main "main part": "main" | "main area" | "main content" | "main part" | "main section" | "content area";
    Footer "footer": "footer" | "page footer";
    Frame "frame": "frame" | "iframe" | "embedded page" | "inline frame";
    Alert "message": "alert" | "message" | "notification" | "toast" | "status message" | "status" | "warning" | "notice" | "flash message" | "banner message";
    Error "error message": "error message" | "error" | "validation error" | "validation message" | "error alert" | "error notification" | "error toast" | "error banner" | "error text";
    Success "success message": "success message" | "success notification" | "confirmation message" | "success alert" | "success toast" | "success banner";
    Text "text": "text" | "label" | "paragraph" | "word" | "words" | "sentence" | "phrase" | "caption" | "value" | "amount" | "number" | "price" | "content";
    Progress "progress bar": "progress bar" | "progressbar" | "progress" | "meter" | "gauge";
    Tree "tree": "tree" | "tree view" | "treeview";
    Any "element": "element" | "thing" | "control" | "component" | "one" | "entry point";
}

/// The longest text of a page that is taken for a message, in characters.
const MESSAGE: usize = 200;

/// Whether a text that no role marks is an error message all the same.
fn is_error_text(text: &str) -> bool {
    let text = text.trim();
    let begins = text.get(..5).is_some_and(|begin| begin.eq_ignore_ascii_case("error"));
    // `Passwords must be long` is a hint.
    let refuses = wording::is_addressed_refusal(text, "") && !wording::is_instruction(text);
    text.chars().count() <= MESSAGE && (begins || refuses)
}

/// The kind a run of words at the start names, and how many words it takes; the longest that fits.
pub(super) fn at_start(words: TokenStream<'_>) -> Option<(ElementKind, usize)> {
    (1..=words.len().min(4)).rev().find_map(|count| read(words.take(count)).map(|kind| (kind, count)))
}

/// The kind a run of words at the end names, and how many words it takes.
pub(super) fn at_end(words: TokenStream<'_>) -> Option<(ElementKind, usize)> {
    (1..=words.len().min(4)).rev().find_map(|count| read(words.from(words.len() - count)).map(|kind| (kind, count)))
}

fn read(words: TokenStream<'_>) -> Option<ElementKind> {
    if (0..words.len()).any(|at| words.lower(at).is_empty()) {
        return None;
    }
    let text = words.tokens().iter().map(|token| token.lower.as_str()).collect::<Vec<_>>().join(" ");
    kind_of(&text).or_else(|| {
        let one = match text.as_str() {
            "entries" => "entry".into(),
            "boxes" => "box".into(),
            "checkboxes" | "check boxes" => "checkbox".into(),
            "switches" => "switch".into(),
            "textboxes" | "text boxes" => "text box".into(),
            "choices" => "choice".into(),
            other => other.strip_suffix('s')?.to_owned(),
        };
        kind_of(&one)
    })
}

/// Roles of elements that are there to be acted on.
pub fn is_control(role: &str) -> bool {
    is_field(role)
        || matches!(
            role,
            "button"
                | "link"
                | "checkbox"
                | "radio"
                | "combobox"
                | "listbox"
                | "option"
                | "menuitem"
                | "menuitemcheckbox"
                | "menuitemradio"
                | "tab"
                | "switch"
                | "slider"
                | "treeitem"
                | "summary"
        )
}

/// Roles of elements that take text.
pub(super) fn is_field(role: &str) -> bool {
    matches!(role, "textbox" | "searchbox" | "spinbutton")
}

pub(super) fn input(node: &Node) -> &str {
    node.attributes.as_ref().and_then(|attributes| attributes.input.as_deref()).unwrap_or_default()
}

/// The fit of a text of which nothing tells that it is a message.
const LOOSE: u8 = 9;

/// Whether a text stands right after a field that does not accept what it holds, and is not the label of another.
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
    /// How well an element fits the word: 0 is exactly it, higher is looser, none is not at all.
    pub(super) fn fits(self, node: &Node) -> Option<u8> {
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
            // `Filter navigation items` narrows a menu down.
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
                &[
                    "form",
                    "complementary",
                    "navigation",
                    "main",
                    "search",
                    "details",
                    "banner",
                    "contentinfo",
                    "listitem",
                    "table",
                    "list",
                ],
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

    /// How well an element of a page fits the word, by what it says as well: an error message is told by its words, a
    /// message that says nothing is none, a spinner may be a text.
    pub(super) fn fits_at(self, page: &Snapshot, at: NodeIndex) -> Option<u8> {
        let node = &page.nodes[at];
        let role = node.role.as_ref();
        let live = matches!(role, "alert" | "status" | "log" | "alertdialog");
        let plain = matches!(role, "text" | "paragraph" | "listitem" | "heading" | "strong" | "emphasis");
        let text = || name_match::normalize_whitespace(&format!("{} {}", node.name, name_match::content(page, at)));
        match self {
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
                wording::states_success(&text).then_some(0)
            }
            ElementKind::Success if plain => Some(if wording::states_success(&node.name) { 2 } else { LOOSE }),
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

    /// Whether an element of this fit is only meant when its name is given: any text may be an error message that is
    /// quoted, none is one by itself.
    pub(super) fn needs_name(self, fit: u8) -> bool {
        match self {
            ElementKind::Alert => fit > 0,
            ElementKind::Error | ElementKind::Success => fit == LOOSE,
            _ => false,
        }
    }

    /// Whether other elements are looked for inside it.
    pub(super) fn holds(self) -> bool {
        matches!(
            self,
            ElementKind::Row
                | ElementKind::Table
                | ElementKind::List
                | ElementKind::Item
                | ElementKind::Dialog
                | ElementKind::Region
                | ElementKind::Form
                | ElementKind::Navigation
                | ElementKind::Banner
                | ElementKind::Main
                | ElementKind::Footer
                | ElementKind::Frame
                | ElementKind::Menu
                | ElementKind::Cell
                | ElementKind::Column
                | ElementKind::Alert
                | ElementKind::Error
                | ElementKind::Success
                | ElementKind::Sidebar
                | ElementKind::Tree
                | ElementKind::Dropdown
        )
    }

    /// Whether it is a control of one role.
    pub(super) fn is_control(self) -> bool {
        matches!(
            self,
            ElementKind::Button
                | ElementKind::Link
                | ElementKind::Checkbox
                | ElementKind::Radio
                | ElementKind::Switch
                | ElementKind::Slider
                | ElementKind::Tab
        )
    }

    /// What has to be on a page before it can be said that none of these are.
    pub(super) fn holder(self) -> Option<ElementKind> {
        match self {
            ElementKind::Row | ElementKind::Cell | ElementKind::Column => Some(ElementKind::Table),
            ElementKind::Option => Some(ElementKind::Dropdown),
            _ => None,
        }
    }

    /// Whether a name given to it is a text it contains rather than a name of its own.
    pub(super) fn named_by_content(self) -> bool {
        matches!(self, ElementKind::Row | ElementKind::Item | ElementKind::Cell)
    }
}
