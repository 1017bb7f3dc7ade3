//! The conditions that a sentence can check.

use std::fmt;

use legwork_protocol::Wait;

use super::{Scope, TargetPhrase};
use crate::element_kind::ElementKind;

/// A parsed condition. Its display text is its original text.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    pub(crate) condition: Condition,
    pub(crate) words: String,
    pub(crate) timeout: Option<Timeout>,
    /// Whether the instruction before it was to make it true.
    pub(crate) is_result: bool,
}

/// The time limit of a check that waits until it holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timeout {
    /// The maximum waiting time in seconds; without it, the limit of the step applies.
    pub seconds: Option<f64>,
}

/// The statement of a check.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Condition {
    Shown(TargetPhrase),
    /// The text or value of an element.
    Says {
        subject: TargetPhrase,
        comparison: Comparison,
        value: String,
    },
    State {
        subject: TargetPhrase,
        state: ElementState,
    },
    Empty(TargetPhrase),
    Title {
        comparison: Comparison,
        value: String,
    },
    Address {
        comparison: Comparison,
        value: String,
    },
    Count {
        things: TargetPhrase,
        comparison: Comparison,
        number: usize,
    },
    Variable {
        name: String,
        comparison: Comparison,
        value: String,
    },
    Downloaded(Option<String>),
    Dialog {
        comparison: Comparison,
        value: Option<String>,
    },
    Tabs {
        comparison: Comparison,
        number: usize,
    },
    /// All of these elements, of which there must be at least one, or none of them.
    Every {
        things: TargetPhrase,
        state: ElementState,
        not: bool,
    },
    /// All rows of a table or items of a list: of the only one on the page if no place is given.
    Rows {
        place: Option<TargetPhrase>,
        statement: RowsStatement,
    },
    Not(Box<Condition>),
    All(Vec<Condition>),
    Either(Vec<Condition>),
}

/// What is said of all rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RowsStatement {
    /// Each row, or each value of a column, compares so.
    Each { column: Option<String>, comparison: Comparison, value: String },
    /// They are in an order; in either one if no direction is given.
    Sorted { column: Option<String>, descending: Option<bool> },
    /// The sum of the values of a column.
    Sum { column: String, comparison: Comparison, value: String },
}

/// The comparison of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Is,
    Contains,
    StartsWith,
    EndsWith,
    Matches,
    More,
    Less,
    AtLeast,
    AtMost,
}

macro_rules! states {
    ($($state:ident $word:literal $(| $phrase:literal)*;)+) => {
        /// A state of an element.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum ElementState { $($state),+ }

        impl ElementState {
            /// The state that people call so.
            pub(crate) fn named(phrase: &str) -> Option<Self> {
                match phrase { $($word $(| $phrase)* => Some(ElementState::$state),)+ _ => None }
            }

            /// The usual word.
            pub(crate) fn word(self) -> &'static str {
                match self { $(ElementState::$state => $word),+ }
            }
        }
    };
}

states! {
    Checked "checked" | "ticked" | "on" | "switched on" | "turned on" | "marked";
    Unchecked "unchecked" | "unticked" | "off" | "switched off" | "turned off" | "clear" | "cleared";
    Enabled "enabled" | "active" | "clickable";
    Disabled "disabled" | "greyed out" | "grayed out" | "inactive";
    Selected "selected" | "chosen" | "picked";
    Expanded "expanded" | "open" | "opened" | "unfolded";
    Collapsed "collapsed" | "closed" | "folded";
    Focused "focused" | "in focus" | "focussed";
    Pressed "pressed";
    Required "required" | "mandatory";
    Readonly "read-only" | "readonly" | "read only";
    Invalid "invalid";
    Current "current" | "the current page" | "the current one";
    Editable "editable";
    Busy "busy";
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl Check {
    pub(crate) fn new(words: &str, condition: Condition) -> Self {
        Check { condition, words: words.trim().to_owned(), timeout: None, is_result: false }
    }

    /// The same check with a waiting time in seconds.
    pub(crate) fn with_timeout(self, seconds: Option<f64>) -> Self {
        Check { timeout: Some(Timeout { seconds }), ..self }
    }

    /// The same check as the result of the instruction before it.
    pub(crate) fn of_instruction(self) -> Self {
        Check { is_result: true, ..self }
    }

    /// Whether the instruction before it was to make it true (`Sort by "Amount"`). If it held before and the instruction
    /// changed nothing, it shows nothing: the rows may have been in that order by chance.
    pub fn is_result(&self) -> bool {
        self.is_result
    }

    /// Whether the sentence waits for the condition (`Wait until …`, `… and wait for the download`). If so, it is
    /// evaluated again until it holds or the time is over; otherwise it is evaluated once.
    pub fn timeout(&self) -> Option<Timeout> {
        self.timeout
    }

    /// Whether the condition is about effects of actions that no observation of the page shows: a download, or a dialog
    /// that was answered.
    pub fn about_effects(&self) -> bool {
        fn about(condition: &Condition) -> bool {
            match condition {
                Condition::Downloaded(_) | Condition::Dialog { .. } => true,
                Condition::Not(inner) => about(inner),
                Condition::All(all) | Condition::Either(all) => all.iter().any(about),
                _ => false,
            }
        }
        about(&self.condition)
    }

    /// Whether the condition says nothing about this step in particular: that there is no error message, or that there
    /// is any success message. It holds on many pages where nothing was done.
    pub fn is_general(&self) -> bool {
        fn of_kind(phrase: &TargetPhrase, kind: ElementKind) -> bool {
            phrase.kind == Some(kind) && phrase.name.is_none()
        }
        fn is_general(condition: &Condition) -> bool {
            match condition {
                Condition::Shown(phrase) => of_kind(phrase, ElementKind::Success),
                Condition::Not(inner) => {
                    matches!(inner.as_ref(), Condition::Shown(phrase) if of_kind(phrase, ElementKind::Error))
                }
                Condition::Count { things, number: 0, .. } => of_kind(things, ElementKind::Error),
                Condition::All(all) => all.iter().all(is_general),
                Condition::Either(all) => all.iter().any(is_general),
                _ => false,
            }
        }
        is_general(&self.condition)
    }

    /// For a wait until something disappears: the check that it is present. Something that was never observed has not
    /// disappeared.
    pub fn presence(&self) -> Option<Check> {
        let (Condition::Not(inner), Some(_)) = (&self.condition, self.timeout) else { return None };
        matches!(**inner, Condition::Shown(_)).then(|| Check::new(&self.words, (**inner).clone()))
    }

    /// Whether it only checks that a text or an element is present.
    pub fn is_of_presence(&self) -> bool {
        matches!(self.condition, Condition::Shown(_))
    }

    /// The subject, for messages.
    pub fn subject(&self) -> String {
        fn of(condition: &Condition) -> Option<String> {
            match condition {
                Condition::Shown(subject) => Some(subject.display_text()),
                Condition::Not(inner) => of(inner),
                _ => None,
            }
        }
        of(&self.condition).unwrap_or_else(|| self.words.clone())
    }

    /// The equivalent wait of the browser, if there is one. The browser matches addresses as checks do. Texts are
    /// always matched by the check itself, so that `Wait for "Paid"` and `Check that "Paid" is shown` accept the same
    /// texts.
    pub(crate) fn as_wait(&self, seconds: Option<f64>) -> Option<Wait> {
        match &self.condition {
            Condition::Address { comparison: Comparison::Contains, value } => {
                Some(Wait { url: Some(value.clone()), seconds, ..Wait::default() })
            }
            _ => None,
        }
    }
}

impl Condition {
    pub(crate) fn negated(self) -> Self {
        Condition::Not(Box::new(self))
    }

    /// Limits the condition to a scope; returns whether that is possible.
    pub(crate) fn limit_to(&mut self, place: &Scope) -> bool {
        match self {
            _ if place.is_page() => true,
            Condition::Shown(subject)
            | Condition::Says { subject, .. }
            | Condition::State { subject, .. }
            | Condition::Empty(subject)
            | Condition::Every { things: subject, .. }
            | Condition::Count { things: subject, .. } => {
                subject.scopes.push(place.clone());
                true
            }
            Condition::Rows { place: whole @ None, .. } => match place {
                Scope::In(about) | Scope::Under(about) => {
                    *whole = Some(about.clone());
                    true
                }
                _ => false,
            },
            Condition::Not(inner) => inner.limit_to(place),
            Condition::All(all) | Condition::Either(all) => all.iter_mut().all(|inner| inner.limit_to(place)),
            _ => false,
        }
    }
}

impl Comparison {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Comparison::Is => "exactly",
            Comparison::Contains => "containing",
            Comparison::StartsWith => "starting with",
            Comparison::EndsWith => "ending with",
            Comparison::Matches => "matching",
            Comparison::More => "more than",
            Comparison::Less => "less than",
            Comparison::AtLeast => "at least",
            Comparison::AtMost => "at most",
        }
    }

    /// Whether a number of things can be compared so.
    pub(crate) fn is_of_quantity(self) -> bool {
        self == Comparison::Is || self.is_of_numbers()
    }

    /// Whether it compares numbers.
    pub(crate) fn is_of_numbers(self) -> bool {
        matches!(self, Comparison::More | Comparison::Less | Comparison::AtLeast | Comparison::AtMost)
    }
}
