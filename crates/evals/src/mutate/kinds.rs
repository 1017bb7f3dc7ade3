//! The kinds of mutations. `mutate.js` carries them out.

use serde::Serialize;

/// What a replay without a model must do on a changed page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Expected {
    /// The elements are still identifiable: the replay succeeds.
    Replayed,
    /// Whether the element is identifiable depends on what else names it: the replay succeeds, or does nothing wrong.
    Either,
    /// An element is gone, out of reach or another one: the replay must not succeed.
    Refused,
}

/// A kind of mutation.
#[derive(Debug)]
pub struct MutationKind {
    /// The name in `mutate.js`.
    pub name: &'static str,
    /// What the replay must do.
    pub expected: Expected,
    /// Whether it moves elements to another part of the document, which applications do not survive that render from
    /// outside.
    pub(super) moves: bool,
    /// What it does.
    pub about: &'static str,
}

const fn kind(name: &'static str, expected: Expected, about: &'static str) -> MutationKind {
    MutationKind { name, expected, moves: false, about }
}

const fn moving(name: &'static str, about: &'static str) -> MutationKind {
    MutationKind { name, expected: Expected::Replayed, moves: true, about }
}

use Expected::{Either, Refused, Replayed};

/// All kinds.
pub(super) const KINDS: &[MutationKind] = &[
    kind("ids", Replayed, "the ids of the element and around it are renamed"),
    kind("classes", Replayed, "the classes of the element and around it are renamed"),
    kind("attributes", Replayed, "the test ids of the element and around it are renamed"),
    kind("wrap", Replayed, "the element is wrapped in one to three elements"),
    kind("rebuild", Replayed, "ids, classes, test ids and wrappers together"),
    kind("sibling", Replayed, "another button is inserted before the element"),
    kind("reverse", Replayed, "the rows, or the parts of the form, are in the reverse order"),
    kind("row-above", Replayed, "one or two other rows with the same buttons are inserted above"),
    kind("rows-around", Replayed, "another row before and one after the row of the element"),
    kind("twin", Replayed, "an element of the same name in another part of the page"),
    kind("translate-rest", Replayed, "all texts outside of the element and its row are in another language"),
    kind("banner", Replayed, "a banner above the page moves everything down"),
    kind("shift", Replayed, "a banner appears when the pointer reaches the element"),
    kind("late", Replayed, "the element appears later"),
    moving("dialog", "the form or table is in a dialog"),
    moving("shadow", "the form or table is in a shadow root"),
    kind("rephrase", Either, "the element has a longer name"),
    kind("translate", Either, "the name of the element is in another language"),
    kind("twin-near", Either, "an element of the same name stands directly beside it"),
    kind("removed", Refused, "the element is gone"),
    kind("row-removed", Refused, "the row of the element is gone"),
    kind("hidden", Refused, "the element is not shown"),
    kind("disabled", Refused, "the element is disabled"),
    kind("other-function", Refused, "the element has the name of another function"),
];
