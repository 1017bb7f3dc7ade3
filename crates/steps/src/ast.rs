//! The abstract syntax tree of a step: its clauses, what each does or checks, and its target elements. The grammar
//! creates these values and the resolvers read them. This module depends on neither.

mod condition;
mod target;

use std::fmt;

use legwork_protocol::{Action, Button, Dialog, Direction, Modifier};

pub use condition::{Check, Timeout};
pub(crate) use condition::{Comparison, Condition, ElementState, RowsStatement};
pub(crate) use target::{Ordinal, Purpose, Scope, TargetPhrase};

/// A parsed step: one or more clauses joined by `and`, `then`, a comma or a full stop. The clauses are resolved in
/// order, each on a new snapshot.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentence {
    clauses: Vec<Clause>,
}

/// A part of a step: an instruction or a check.
#[derive(Clone, Debug, PartialEq)]
pub enum Clause {
    /// Execute the instruction.
    Do(Box<Instruction>),
    /// Check the page: [`Check::evaluate`].
    Check(Box<Check>),
}

impl Sentence {
    pub(crate) fn new(clauses: Vec<Clause>) -> Self {
        Sentence { clauses }
    }

    /// The clauses in order; never empty.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// The clauses in order; never empty.
    pub fn into_clauses(self) -> Vec<Clause> {
        self.clauses
    }
}

/// An instruction. Its display text is the text of the step.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    pub(crate) operation: Operation,
    pub(crate) words: String,
    /// The answer to the dialog that the action opens: `… and accept the dialog`.
    pub(crate) answer: Option<Dialog>,
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

/// The words that say that a name is the name of a variable. Without the word `variable`, the page may give the
/// sentence another meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VariableWords {
    /// `as the variable draft`.
    Variable,
    /// `as draft`: a page may save a record so.
    As,
    /// `into memo`: a page may have a field of that name.
    Into,
}

/// The operation of an instruction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operation {
    Open(String),
    Click(ClickOperation),
    Fill {
        target: TargetPhrase,
        text: String,
    },
    /// `into both text fields`: there must be exactly two.
    FillBoth {
        target: TargetPhrase,
        text: String,
    },
    /// Actions that are known except for their element, which is that of the first one.
    Act {
        actions: Vec<Action>,
        target: Option<TargetPhrase>,
        purpose: Purpose,
    },
    Clear(TargetPhrase),
    /// `Press "Delete"`: the button with this name if there is one, otherwise the key.
    PressOrClick {
        key: String,
        target: TargetPhrase,
    },
    Choose {
        values: Vec<String>,
        from: Option<TargetPhrase>,
        scopes: Vec<Scope>,
        /// `tags` in `the tags "red" and "green"`.
        noun: Option<String>,
    },
    /// Succeeds if all values of one of these sets are chosen. It causes no action.
    VerifyChosen {
        sets: Vec<Vec<String>>,
        from: Option<TargetPhrase>,
        scopes: Vec<Scope>,
    },
    /// `Select salt, pepper and oil`: unquoted words that are one name or several.
    ChooseListed {
        whole: String,
        each: Vec<String>,
    },
    Tick {
        target: TargetPhrase,
        on: bool,
    },
    Set {
        target: TargetPhrase,
        value: String,
    },
    /// Moves a slider to a value. If `moved` is set, the keys were already pressed and only the value is verified.
    Slide {
        target: TargetPhrase,
        value: String,
        moved: bool,
    },
    /// Opens the menu of `item`, which contains `next`. If `pointing` is set, the pointer hovers over the item;
    /// otherwise it is clicked.
    OpenMenu {
        item: TargetPhrase,
        next: TargetPhrase,
        pointing: bool,
    },
    /// The last item of a path through menus.
    ChooseItem(TargetPhrase),
    Scroll {
        direction: Direction,
        screens: Option<f64>,
        target: Option<TargetPhrase>,
    },
    Drag {
        target: TargetPhrase,
        to: TargetPhrase,
    },
    Upload {
        files: Vec<String>,
        target: Option<TargetPhrase>,
    },
    Dialog {
        accept: bool,
        text: Option<String>,
    },
    /// `Accept the terms`: a checkbox or a button.
    Agree(TargetPhrase),
    NewTab(Option<String>),
    SwitchTab(TabReference),
    CloseTab(TabReference),
    Save {
        what: Source,
        variable: String,
        /// How the sentence calls the variable.
        stated: VariableWords,
    },
    Expand {
        target: TargetPhrase,
        open: bool,
    },
    Login {
        user: Option<String>,
        password: String,
    },
    LogOut,
    Search {
        text: String,
        field: Option<TargetPhrase>,
    },
    Submit(Option<TargetPhrase>),
    /// Sorts the rows of a table by a column. The second of two such operations is for the tables that sort in the
    /// other direction first.
    Sort {
        place: Option<TargetPhrase>,
        column: String,
        descending: Option<bool>,
        is_second: bool,
    },
}

/// The target of a click and its options.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ClickOperation {
    pub(crate) target: TargetPhrase,
    pub(crate) button: Button,
    pub(crate) count: u8,
    pub(crate) modifiers: Vec<Modifier>,
}

impl ClickOperation {
    /// A single click without modifier keys.
    pub(crate) fn on(target: TargetPhrase) -> Self {
        ClickOperation { target, button: Button::Left, count: 1, modifiers: Vec::new() }
    }
}

impl Operation {
    pub(crate) fn click(target: TargetPhrase) -> Self {
        Operation::Click(ClickOperation::on(target))
    }

    /// The target element, if a scope can limit it.
    pub(crate) fn target(&self) -> Option<&TargetPhrase> {
        match self {
            Operation::Click(ClickOperation { target, .. })
            | Operation::Fill { target, .. }
            | Operation::FillBoth { target, .. }
            | Operation::Clear(target)
            | Operation::PressOrClick { target, .. }
            | Operation::Tick { target, .. }
            | Operation::Set { target, .. }
            | Operation::Slide { target, .. }
            | Operation::Agree(target)
            | Operation::ChooseItem(target)
            | Operation::Drag { target, .. }
            | Operation::Expand { target, .. }
            | Operation::Save { what: Source::Of { target, .. } | Source::Count { things: target, .. }, .. } => {
                Some(target)
            }
            Operation::Choose { from: target, .. }
            | Operation::VerifyChosen { from: target, .. }
            | Operation::Act { target, .. }
            | Operation::Upload { target, .. }
            | Operation::Search { field: target, .. } => target.as_ref(),
            _ => None,
        }
    }

    /// The target element, if a scope can limit it.
    fn target_mut(&mut self) -> Option<&mut TargetPhrase> {
        match self {
            Operation::Click(ClickOperation { target, .. })
            | Operation::Fill { target, .. }
            | Operation::FillBoth { target, .. }
            | Operation::Clear(target)
            | Operation::PressOrClick { target, .. }
            | Operation::Tick { target, .. }
            | Operation::Set { target, .. }
            | Operation::Slide { target, .. }
            | Operation::Agree(target)
            | Operation::ChooseItem(target)
            | Operation::Drag { target, .. }
            | Operation::Expand { target, .. }
            | Operation::Save { what: Source::Of { target, .. } | Source::Count { things: target, .. }, .. } => {
                Some(target)
            }
            Operation::Choose { from: target, .. }
            | Operation::VerifyChosen { from: target, .. }
            | Operation::Act { target, .. }
            | Operation::Upload { target, .. }
            | Operation::Search { field: target, .. } => target.as_mut(),
            _ => None,
        }
    }

    /// Limits the operation to a scope; returns whether that is possible.
    pub(crate) fn limit_to(&mut self, place: &Scope) -> bool {
        if place.is_page() {
            return true;
        }
        match self {
            Operation::Choose { from: None, scopes, .. } | Operation::VerifyChosen { from: None, scopes, .. } => {
                scopes.push(place.clone());
            }
            _ => match self.target_mut() {
                Some(target) => target.scopes.push(place.clone()),
                None => return false,
            },
        }
        true
    }
}

/// A reference to a browser tab.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TabReference {
    Nth(usize),
    FromEnd(usize),
    Newest,
    Previous,
    Next,
    Other,
    Named(Box<TargetPhrase>),
}

/// The source of a value to save.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Source {
    Address,
    Title,
    /// The number of elements of a kind. `shown` is set if the sentence asks for visible elements.
    Count {
        things: TargetPhrase,
        shown: bool,
    },
    /// A number in the text of the page: `24 people`.
    NumberOf(String),
    /// The value of a label anywhere on the page.
    Named(String),
    /// The value or an attribute of the target. `text` is set if the sentence asks for its text. `attribute` can also
    /// be the name of a column.
    Of {
        target: TargetPhrase,
        attribute: Option<String>,
        text: bool,
    },
}
