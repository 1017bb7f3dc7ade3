//! What a sentence means: its clauses, what each does or checks, and with which elements. The grammar builds these values and the
//! resolvers read them; nothing here knows either.

mod condition;
mod target;

use std::fmt;

use legwork_protocol::{Button, Dialog, Direction, Modifier, Wait};

pub use condition::{Check, Patience};
pub(crate) use condition::{Comparison, Condition, ElementState};
pub(crate) use target::{Ordinal, Scope, TargetPhrase};

/// A step, read: one clause or several joined by `and`, `then`, a comma or a full stop. Each clause is decided on its own
/// fresh snapshot, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentence {
    clauses: Vec<Clause>,
}

/// One thing to do or to check.
#[derive(Clone, Debug, PartialEq)]
pub enum Clause {
    /// Do it.
    Do(Box<Instruction>),
    /// Compare it with the page: [`Check::evaluate`].
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

/// A thing to do, in the words of the step. Its display is these words.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    pub(crate) operation: Operation,
    pub(crate) words: String,
    /// The answer to the dialog that it opens: `… and accept the dialog`.
    pub(crate) answer: Option<Dialog>,
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

/// What an instruction does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operation {
    Open(String),
    Click(Clicking),
    Fill {
        target: TargetPhrase,
        text: String,
        submit: bool,
    },
    /// `into both text fields`: there have to be two.
    FillBoth {
        target: TargetPhrase,
        text: String,
    },
    Type {
        target: Option<TargetPhrase>,
        text: String,
    },
    Append {
        target: TargetPhrase,
        text: String,
    },
    Clear(TargetPhrase),
    Press {
        key: String,
        times: usize,
        target: Option<TargetPhrase>,
    },
    /// `Press "Delete"`: the button of this name if there is one, else the key.
    PressOrClick {
        key: String,
        target: TargetPhrase,
    },
    Choose {
        values: Vec<String>,
        from: Option<TargetPhrase>,
        scopes: Vec<Scope>,
        /// `tags` of `the tags "red" and "green"`.
        noun: Option<String>,
    },
    /// Whether all values of one of these sets are chosen by now; nothing is left to do then.
    VerifyChosen {
        sets: Vec<Vec<String>>,
        from: Option<TargetPhrase>,
        scopes: Vec<Scope>,
    },
    /// `Select salt, pepper and oil`: bare words that are one name, or several.
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
    /// A slider moved to a value; `moved` when only whether it came there is left to see.
    Slide {
        target: TargetPhrase,
        value: String,
        moved: bool,
    },
    Hover(TargetPhrase),
    /// On the way to `next`, which a menu's item hides: pointing at the item opens its menu in most, a click in others.
    OpenMenu {
        item: TargetPhrase,
        next: TargetPhrase,
        pointing: bool,
    },
    Focus(TargetPhrase),
    ScrollTo(TargetPhrase),
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
    Back,
    Forward,
    Reload,
    Wait(Wait),
    NewTab(Option<String>),
    SwitchTab(Tabs),
    CloseTab(Option<Tabs>),
    Save {
        what: Source,
        variable: String,
    },
    Screenshot(Option<TargetPhrase>),
    Read(Option<TargetPhrase>),
    Expand {
        target: TargetPhrase,
        open: bool,
    },
    Login {
        user: Option<String>,
        password: String,
    },
    Search {
        text: String,
        field: Option<TargetPhrase>,
    },
    Submit(Option<TargetPhrase>),
}

/// A click and how.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Clicking {
    pub(crate) target: TargetPhrase,
    pub(crate) button: Button,
    pub(crate) count: u8,
    pub(crate) modifiers: Vec<Modifier>,
}

impl Clicking {
    /// A plain click.
    pub(crate) fn on(target: TargetPhrase) -> Self {
        Clicking { target, button: Button::Left, count: 1, modifiers: Vec::new() }
    }
}

impl Operation {
    pub(crate) fn click(target: TargetPhrase) -> Self {
        Operation::Click(Clicking::on(target))
    }

    /// The element that it acts on or reads, where there is one that a place can limit.
    fn target_mut(&mut self) -> Option<&mut TargetPhrase> {
        match self {
            Operation::Click(Clicking { target, .. })
            | Operation::Fill { target, .. }
            | Operation::FillBoth { target, .. }
            | Operation::Append { target, .. }
            | Operation::Clear(target)
            | Operation::PressOrClick { target, .. }
            | Operation::Tick { target, .. }
            | Operation::Set { target, .. }
            | Operation::Slide { target, .. }
            | Operation::Hover(target)
            | Operation::Focus(target)
            | Operation::ScrollTo(target)
            | Operation::Agree(target)
            | Operation::Drag { target, .. }
            | Operation::Expand { target, .. }
            | Operation::Save { what: Source::Of { target, .. } | Source::Count { things: target, .. }, .. } => {
                Some(target)
            }
            Operation::Choose { from: target, .. }
            | Operation::VerifyChosen { from: target, .. }
            | Operation::Type { target, .. }
            | Operation::Press { target, .. }
            | Operation::Upload { target, .. }
            | Operation::Search { field: target, .. }
            | Operation::Read(target) => target.as_mut(),
            _ => None,
        }
    }

    /// Limits it to a place; answers whether it can be.
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

/// Which browser tab.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tabs {
    Nth(usize),
    FromEnd(usize),
    Newest,
    Previous,
    Next,
    Other,
    Named(Box<TargetPhrase>),
}

/// Where a value comes from that is saved.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Source {
    Address,
    Title,
    /// Elements of a kind. `shown` when it is said that those that are shown are meant.
    Count {
        things: TargetPhrase,
        shown: bool,
    },
    /// A number that the page says: `24 people`.
    NumberOf(String),
    /// What is called so, on the whole page.
    Named(String),
    /// The target's text or value; `text` when the text itself was asked for. A name that may be an attribute or a column
    /// is both.
    Of {
        target: TargetPhrase,
        attribute: Option<String>,
        text: bool,
    },
}
