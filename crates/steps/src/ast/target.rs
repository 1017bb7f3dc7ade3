//! A reference to an element in a sentence, before it is resolved on a page.

use legwork_protocol::Target;

use crate::element_kind::ElementKind;

/// A phrase that names an element.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TargetPhrase {
    /// The original text.
    pub(crate) source_text: String,
    /// A target that needs no parsing: a ref or a selector.
    pub(crate) raw: Option<Target>,
    pub(crate) kind: Option<ElementKind>,
    /// `tag` in `the tag "red"`: a noun of the page's own vocabulary, which the page must contain.
    pub(crate) noun: Option<String>,
    /// `amount` in `the amount of Initech`: the phrase refers to this property of the element.
    pub(crate) property: Option<String>,
    pub(crate) name: Option<String>,
    /// All unquoted words of the head, because together they can be a name (`Search box`).
    pub(crate) whole: Option<String>,
    pub(crate) quoted: bool,
    pub(crate) ordinal: Option<Ordinal>,
    pub(crate) placeholder: Option<String>,
    /// The texts that the element contains.
    pub(crate) contains: Vec<String>,
    pub(crate) scopes: Vec<Scope>,
}

/// The purpose for which an element is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Click,
    /// To double-click it: the text, and not the checkbox beside it.
    Twice,
    /// To enter text.
    Fill,
    Tick,
    /// To choose one of its options.
    Choose,
    /// To set a value of any kind.
    Set,
    Upload,
    Expand,
    /// To read it, hover over it or scroll to it.
    Any,
}

/// The selection of one of several elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ordinal {
    /// Counted from the start, 1 is the first.
    Nth(usize),
    /// Counted from the end, 1 is the last.
    FromEnd(usize),
}

/// The scope in which to look for an element.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Scope {
    /// Inside another element, or under its heading.
    In(TargetPhrase),
    /// In a column of a table.
    Column(TargetPhrase),
    /// Below a heading, up to the next heading of its level.
    Under(TargetPhrase),
    NextTo(TargetPhrase),
    After(TargetPhrase),
    Before(TargetPhrase),
    /// `for "Bob"`: in the row, item or group that contains this text.
    For(TargetPhrase),
}

impl TargetPhrase {
    /// A phrase that is only a quoted name.
    pub(crate) fn named(name: impl Into<String>) -> Self {
        let name = name.into();
        TargetPhrase { source_text: format!("“{name}”"), name: Some(name), quoted: true, ..TargetPhrase::default() }
    }

    pub(crate) fn add_scope(&mut self, scope: Scope) {
        match scope {
            Scope::For(about) if self.kind.is_some() && self.name.is_none() && !self.holds_by_content() => {
                self.name = about.name;
                self.quoted = about.quoted;
                self.scopes.extend(about.scopes);
            }
            Scope::For(about) if self.holds_by_content() => {
                self.contains.extend(about.name);
                self.scopes.extend(about.scopes);
            }
            // A column and a row intersect: neither contains the other.
            Scope::Column(mut column) => {
                self.scopes.append(&mut column.scopes);
                self.scopes.push(Scope::Column(column));
            }
            scope => self.scopes.push(scope),
        }
    }

    /// A phrase that names only a kind.
    pub(crate) fn of_kind(kind: ElementKind, source_text: impl Into<String>) -> Self {
        TargetPhrase { source_text: source_text.into(), kind: Some(kind), ..TargetPhrase::default() }
    }

    /// The header of a column, in this table if one is given.
    pub(crate) fn header(column: &str, table: Option<&TargetPhrase>) -> Self {
        TargetPhrase {
            kind: Some(ElementKind::Column),
            scopes: table.cloned().map(Scope::In).into_iter().collect(),
            ..TargetPhrase::named(column)
        }
    }

    /// The name of the element, or the text that it contains.
    pub(crate) fn label(&self) -> Option<&str> {
        self.name.as_deref().or(self.contains.first().map(String::as_str))
    }

    /// The text of the phrase, for messages.
    pub(crate) fn display_text(&self) -> String {
        match (&self.name, self.kind, self.scopes.is_empty()) {
            (Some(name), None, true) => format!("“{name}”"),
            _ => self.source_text.clone(),
        }
    }

    /// The phrase without its property: the element that has the property.
    pub(crate) fn owner(&self) -> Self {
        TargetPhrase { property: None, ..self.clone() }
    }

    /// Adds texts to the contents of the last scope; returns whether that scope is identified by its contents.
    pub(crate) fn add_contents(&mut self, texts: Vec<String>) -> bool {
        match self.scopes.last_mut() {
            Some(Scope::In(about)) if !about.contains.is_empty() && about.name.is_none() => {
                about.contains.extend(texts);
                true
            }
            _ => false,
        }
    }

    /// Replaces the name of the last scope by that of another one; returns whether both have only a name.
    pub(crate) fn rename_scope(&mut self, other: &TargetPhrase) -> bool {
        let Some(Scope::In(about) | Scope::Column(about) | Scope::Under(about) | Scope::For(about)) =
            self.scopes.last_mut()
        else {
            return false;
        };
        let Some(name) = other.name.as_ref().filter(|_| other.quoted && other.kind.is_none()) else { return false };
        match (&mut about.name, about.contains.as_mut_slice()) {
            (Some(old), []) => old.clone_from(name),
            (None, [old]) => old.clone_from(name),
            _ => return false,
        }
        about.source_text = other.source_text.clone();
        true
    }

    pub(crate) fn holds_by_content(&self) -> bool {
        self.kind.is_some_and(ElementKind::named_by_content)
    }

    /// Whether the kind can contain other elements.
    pub(crate) fn is_container(&self) -> bool {
        self.kind.is_some_and(ElementKind::is_container)
    }
}

impl Scope {
    /// The whole page, which limits nothing.
    pub(crate) fn page() -> Self {
        Scope::In(TargetPhrase { source_text: "page".into(), ..TargetPhrase::default() })
    }

    pub(crate) fn is_page(&self) -> bool {
        matches!(self, Scope::In(about) if about.source_text == "page")
    }

    /// The element that describes the scope.
    pub(crate) fn anchor(&self) -> &TargetPhrase {
        match self {
            Scope::In(about)
            | Scope::Column(about)
            | Scope::Under(about)
            | Scope::NextTo(about)
            | Scope::After(about)
            | Scope::Before(about)
            | Scope::For(about) => about,
        }
    }

    /// Whether the scope describes what the element is beside, instead of what it is in.
    pub(crate) fn is_relative(&self) -> bool {
        matches!(self, Scope::NextTo(_) | Scope::After(_) | Scope::Before(_))
    }
}

impl Ordinal {
    /// Selects one item.
    pub(crate) fn of<T>(self, all: &[T]) -> Option<&T> {
        match self {
            Ordinal::Nth(number) => all.get(number.checked_sub(1)?),
            Ordinal::FromEnd(number) => all.get(all.len().checked_sub(number)?),
        }
    }
}
