//! Conditions checked against what the run knows: the page, the variables, what the actions set off. The answer is a fact
//! with its evidence, or why not and what comes nearest. Used for `Check that …`, for `expect:` and for `when:`.

mod compare;
mod effects;
mod evaluate;
mod states;
mod visibility;

use std::collections::BTreeMap;

use legwork_observe::Snapshot;
use legwork_protocol::{Evidence, PageEffect, Wait};
use serde_json::Value;

use super::{
    element_kind::ElementKind,
    literal::ParseError,
    target_phrase::{Scope, TargetPhrase},
};

/// A condition, read. Its display is its words.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    pub(super) what: What,
    pub(super) words: String,
    pub(super) patience: Option<Patience>,
}

/// A check that may take time to come true.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patience {
    /// The longest to wait, in seconds; without it the step's own limit.
    pub seconds: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    Shown(TargetPhrase),
    /// The text or value of an element.
    Says {
        subject: TargetPhrase,
        op: Op,
        value: String,
    },
    State {
        subject: TargetPhrase,
        state: ElementState,
    },
    Empty(TargetPhrase),
    Title {
        op: Op,
        value: String,
    },
    Address {
        op: Op,
        value: String,
    },
    Count {
        things: TargetPhrase,
        op: Op,
        number: usize,
    },
    Variable {
        name: String,
        op: Op,
        value: String,
    },
    Downloaded(Option<String>),
    Dialog {
        op: Op,
        value: Option<String>,
    },
    Tabs {
        op: Op,
        number: usize,
    },
    /// All of these, of which there has to be one at least, or none of them.
    Every {
        things: TargetPhrase,
        state: ElementState,
        not: bool,
    },
    Not(Box<What>),
    All(Vec<What>),
    Either(Vec<What>),
}

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
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

/// A state of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementState {
    Checked,
    Unchecked,
    Enabled,
    Disabled,
    Selected,
    Expanded,
    Collapsed,
    Focused,
    Pressed,
    Required,
    Readonly,
    Invalid,
    Current,
    Editable,
    Busy,
}

/// What a condition is checked against.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The page as it is.
    pub page: &'a Snapshot,
    /// What the run knows.
    pub variables: &'a BTreeMap<String, Value>,
    /// What the run's actions set off, in order.
    pub effects: &'a [PageEffect],
}

/// What a condition came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// It holds, and this shows it.
    Holds(Vec<Evidence>),
    /// It does not.
    Fails {
        /// Why, in words that name what was seen.
        why: String,
        /// What comes nearest, such as `button "Sign in" [e5]`; at most 5.
        nearest: Vec<String>,
    },
    /// What it is about is not there, so that neither it nor its opposite can be said: nothing is in a list, or is not in
    /// it, where there is no list.
    Unjudged {
        /// What is not there, or cannot be told.
        why: String,
        /// What comes nearest; at most 5.
        nearest: Vec<String>,
    },
}

/// A condition that does not hold: why, and what comes nearest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}{}", if .nearest.is_empty() { String::new() } else { format!("; nearest: {}", .nearest.join(", ")) })]
pub struct Unmet {
    /// In words that name what was seen.
    pub why: String,
    /// Such as `button "Sign in" [e5]`.
    pub nearest: Vec<String>,
}

impl Finding {
    /// The evidence, or what speaks against it.
    pub fn evidence(self) -> Result<Vec<Evidence>, Unmet> {
        match self {
            Finding::Holds(evidence) => Ok(evidence),
            Finding::Fails { why, nearest } | Finding::Unjudged { why, nearest } => Err(Unmet { why, nearest }),
        }
    }

    /// Whether it holds.
    pub fn holds(&self) -> bool {
        matches!(self, Finding::Holds(_))
    }
}

impl std::fmt::Display for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.words)
    }
}

impl Check {
    pub(super) fn new(words: &str, what: What) -> Self {
        Check { what, words: words.trim().to_owned(), patience: None }
    }

    /// Compares it with the facts.
    pub fn evaluate(&self, facts: &Facts<'_>) -> Finding {
        evaluate::judge(&self.what, facts)
    }

    /// Whether the sentence waits for it (`Wait until …`, `… and wait for the download`): then it is looked at again until
    /// it holds or the time is over. Without it, it holds now or not at all.
    pub fn patience(&self) -> Option<Patience> {
        self.patience
    }

    /// Whether it is about what actions set off and no look at the page shows: a download, a dialog that was answered.
    pub fn about_effects(&self) -> bool {
        fn about(what: &What) -> bool {
            match what {
                What::Downloaded(_) | What::Dialog { .. } => true,
                What::Not(inner) => about(inner),
                What::All(all) | What::Either(all) => all.iter().any(about),
                _ => false,
            }
        }
        about(&self.what)
    }

    pub(super) fn wait(&mut self, seconds: Option<f64>) {
        self.patience = Some(Patience { seconds });
    }

    pub(super) fn shown(words: &str, phrase: TargetPhrase, gone: bool) -> Result<Check, ParseError> {
        let shown = What::Shown(phrase);
        Ok(Check::new(words, if gone { What::Not(Box::new(shown)) } else { shown }))
    }

    pub(super) fn downloaded(words: &str, name: Option<String>) -> Check {
        Check::new(words, What::Downloaded(name))
    }

    /// Of a wait for something to go: that it is there. What nobody saw has not gone.
    pub fn presence(&self) -> Option<Check> {
        match (&self.what, self.patience) {
            (What::Not(inner), Some(_)) => match inner.as_ref() {
                shown @ What::Shown(_) => Some(Check::new(&self.words, shown.clone())),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a text or an element has to be there, without more.
    pub fn is_of_presence(&self) -> bool {
        matches!(self.what, What::Shown(_))
    }

    /// What it is about, for messages.
    pub fn subject(&self) -> String {
        fn of(what: &What) -> Option<String> {
            match what {
                What::Shown(subject) => Some(visibility::source_text(subject)),
                What::Not(inner) => of(inner),
                _ => None,
            }
        }
        of(&self.what).unwrap_or_else(|| self.words.clone())
    }

    /// The browser's own way to wait for it, if it has one.
    pub(super) fn as_wait(&self, seconds: Option<f64>) -> Option<Wait> {
        let plain = |phrase: &TargetPhrase| {
            let text = phrase.name.clone()?;
            let plain = (phrase.quoted || phrase.whole.is_some())
                && phrase.scopes.is_empty()
                && phrase.ordinal.is_none()
                && phrase.contains.is_empty();
            (plain
                && phrase.raw.is_none()
                && matches!(phrase.kind, None | Some(ElementKind::Text | ElementKind::Alert)))
            .then_some(text)
        };
        let wait = Wait { seconds, ..Wait::default() };
        match &self.what {
            What::Shown(phrase) => Some(Wait { text: Some(plain(phrase)?), ..wait }),
            What::Address { op: Op::Contains, value } => Some(Wait { url: Some(value.clone()), ..wait }),
            _ => None,
        }
    }

    /// Limits it to a place; answers whether it can be.
    pub(super) fn put(&mut self, place: &Scope) -> bool {
        put(&mut self.what, place)
    }
}

fn put(what: &mut What, place: &Scope) -> bool {
    if matches!(place, Scope::In(about) if about.source_text == "page") {
        return true;
    }
    match what {
        What::Shown(subject)
        | What::Says { subject, .. }
        | What::State { subject, .. }
        | What::Empty(subject)
        | What::Every { things: subject, .. }
        | What::Count { things: subject, .. } => {
            subject.scopes.push(place.clone());
            true
        }
        What::Not(inner) => put(inner, place),
        What::All(all) | What::Either(all) => all.iter_mut().all(|what| put(what, place)),
        _ => false,
    }
}
