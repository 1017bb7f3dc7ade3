//! The words that people use for kinds of elements.

use crate::tokens::TokenStream;

macro_rules! kinds {
    ($($kind:ident $word:literal: $($phrase:literal)|+;)*) => {
        /// A kind of element, as people name it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum ElementKind { $($kind),* }

        impl ElementKind {
            /// The usual word.
            pub(crate) fn word(self) -> &'static str {
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

/// The kind that the words at the start name, and the number of words; the longest match.
pub(crate) fn at_start(words: TokenStream<'_>) -> Option<(ElementKind, usize)> {
    (1..=words.len().min(4)).rev().find_map(|count| read(words.take(count)).map(|kind| (kind, count)))
}

/// The kind that the words at the end name, and the number of words.
pub(crate) fn at_end(words: TokenStream<'_>) -> Option<(ElementKind, usize)> {
    (1..=words.len().min(4)).rev().find_map(|count| read(words.skip(words.len() - count)).map(|kind| (kind, count)))
}

fn read(words: TokenStream<'_>) -> Option<ElementKind> {
    if words.quotes() > 0 {
        return None;
    }
    let text = words.tokens().iter().map(|token| token.lower.as_str()).collect::<Vec<_>>().join(" ");
    let singular = || match text.as_str() {
        "entries" => Some("entry"),
        plural => plural.strip_suffix(if plural.ends_with("xes") || plural.ends_with("ches") { "es" } else { "s" }),
    };
    kind_of(&text).or_else(|| kind_of(singular()?))
}

/// Kinds that contain other elements.
const CONTAINERS: &[ElementKind] = {
    use ElementKind::*;
    &[
        Row, Table, List, Item, Dialog, Region, Form, Navigation, Banner, Main, Footer, Frame, Menu, Cell, Column,
        Alert, Error, Success, Sidebar, Tree, Dropdown,
    ]
};

/// Kinds of controls that have exactly one role.
const CONTROLS: &[ElementKind] = {
    use ElementKind::*;
    &[Button, Link, Checkbox, Radio, Switch, Slider, Tab]
};

/// Kinds of content, for which a part of the text is a sufficient name. For a control, the whole name must match.
const CONTENT: &[ElementKind] = {
    use ElementKind::*;
    &[
        Heading, Row, Cell, Item, Text, Alert, Error, Success, Spinner, Dialog, Region, Any, Image, Icon, Main, Table,
        List,
    ]
};

impl ElementKind {
    /// Whether it can contain other elements.
    pub(crate) fn is_container(self) -> bool {
        CONTAINERS.contains(&self)
    }

    /// Whether it is a control with exactly one role.
    pub(crate) fn is_control(self) -> bool {
        CONTROLS.contains(&self)
    }

    /// Whether a part of its text is a sufficient name.
    pub(crate) fn is_content(self) -> bool {
        CONTENT.contains(&self)
    }

    /// Whether it is a message of the page.
    pub(crate) fn is_message(self) -> bool {
        matches!(self, ElementKind::Alert | ElementKind::Error | ElementKind::Success)
    }

    /// The container that must exist before the absence of this kind can be stated.
    pub(crate) fn container(self) -> Option<ElementKind> {
        match self {
            ElementKind::Row | ElementKind::Cell | ElementKind::Column => Some(ElementKind::Table),
            ElementKind::Option => Some(ElementKind::Dropdown),
            _ => None,
        }
    }

    /// Whether its name is a text that it contains rather than a name of its own.
    pub(crate) fn named_by_content(self) -> bool {
        matches!(self, ElementKind::Row | ElementKind::Item | ElementKind::Cell)
    }
}
