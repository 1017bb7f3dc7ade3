//! What state something is in, and how many there are.

use super::{
    Finding, Op, State,
    judge::{cannot_tell, decided, fails, holds, may_be_absent, unjudged},
    says::value_of,
    shown::by_part,
};
use crate::decide::{
    find,
    find::Purpose,
    find::describe,
    kinds,
    literal::Unresolved,
    names::Tier,
    names::squeeze,
    places,
    target::{Phrase, Place},
};
use legwork_observe::{NodeIndex, Snapshot};
use legwork_protocol::EvidenceKind;

pub(super) fn plural(word: &str, count: usize) -> String {
    if count == 1 {
        return word.to_owned();
    }
    match word {
        "switch" | "search" => format!("{word}es"),
        _ if word.ends_with('x') || word.ends_with("ch") => format!("{word}es"),
        _ => format!("{word}s"),
    }
}

pub(super) fn number_fits(there: usize, op: Op, number: usize) -> bool {
    match op {
        Op::More => there > number,
        Op::Less => there < number,
        Op::AtLeast => there >= number,
        Op::AtMost => there <= number,
        _ => there == number,
    }
}

/// All of these, or none of them; of nothing, nothing is said.
pub(super) fn every(things: &Phrase, state: State, not: bool, page: &Snapshot) -> Finding {
    if let Err(why) = may_be_absent(things, page) {
        return why;
    }
    let found = match found_of(things, page) {
        Ok(found) => found,
        Err(unresolved) => return unjudged(&unresolved),
    };
    if found.is_empty() {
        return cannot_tell(format!("there is no {}, so nothing can be said of all", things.said));
    }
    let mut others = Vec::new();
    for at in &found {
        match state_of(page, *at, state, things) {
            Finding::Holds(_) if not => others.push(*at),
            Finding::Fails { .. } if !not => others.push(*at),
            unjudged @ Finding::Unjudged { .. } => return unjudged,
            _ => {}
        }
    }
    let of = format!("{} of {} {}", found.len() - others.len(), found.len(), plural(&things.said, 1));
    decided(
        others.is_empty(),
        EvidenceKind::Element,
        format!("{of} {} {state:?}", if not { "are not" } else { "are" }).to_lowercase(),
        || "expected all".into(),
        others.iter().take(5).map(|at| describe(page, *at)).collect(),
    )
}

pub(super) fn has_state(subject: &Phrase, state: State, page: &Snapshot) -> Finding {
    let purposes: &[Purpose] = match state {
        State::Checked | State::Unchecked => &[Purpose::Tick, Purpose::Any],
        State::Selected => &[Purpose::Tick, Purpose::Click, Purpose::Any],
        State::Required | State::Readonly | State::Invalid | State::Editable => &[Purpose::Set, Purpose::Any],
        State::Expanded | State::Collapsed => &[Purpose::Expand, Purpose::Any],
        _ => &[Purpose::Click, Purpose::Set, Purpose::Any],
    };
    let mut failure = None;
    for purpose in purposes {
        match find::one(page, subject, *purpose) {
            Ok(at) => return state_of(page, at, state, subject),
            Err(unresolved) => failure = failure.or(Some(unresolved)),
        }
    }
    if let Err(why) = may_be_absent(subject, page) {
        return why;
    }
    // `"Red" is selected`: the value of a list.
    if state == State::Selected
        && let Some(name) = &subject.name
        && let Some(list) = (1..page.nodes.len()).find(|at| {
            matches!(page.nodes[*at].role.as_ref(), "combobox" | "listbox")
                && page.nodes[*at].value.as_deref() == Some(name.as_str())
        })
    {
        return holds(EvidenceKind::Element, format!("{} is “{name}”", describe(page, list)));
    }
    cannot_tell(failure.map(|unresolved| unresolved.to_string()).unwrap_or_default())
}

/// Whether an element can be in a state at all: a heading is neither checked nor unchecked.
fn can_be(page: &Snapshot, at: NodeIndex, state: State) -> bool {
    let node = &page.nodes[at];
    let (role, states) = (node.role.as_ref(), node.states);
    let control = kinds::is_control(role) || states.actionable() || states.editable();
    let field = kinds::is_field(role)
        || states.editable()
        || matches!(role, "combobox" | "listbox" | "checkbox" | "radio" | "switch" | "slider" | "radiogroup")
        || kinds::input(node) == "file";
    match state {
        State::Checked | State::Unchecked => {
            matches!(
                role,
                "checkbox"
                    | "radio"
                    | "switch"
                    | "menuitemcheckbox"
                    | "menuitemradio"
                    | "option"
                    | "treeitem"
                    | "button"
            ) || states.checked()
                || states.mixed()
        }
        State::Selected => {
            control || matches!(role, "row" | "gridcell" | "cell" | "columnheader" | "listitem") || states.selected()
        }
        State::Pressed => matches!(role, "button" | "switch"),
        State::Enabled | State::Disabled => control || field || states.disabled() || matches!(role, "group" | "form"),
        State::Expanded | State::Collapsed => states.expanded() || states.collapsed(),
        State::Required | State::Readonly | State::Invalid | State::Editable => field,
        State::Focused => control || field || states.focused(),
        State::Current | State::Busy => true,
    }
}

pub(super) fn state_of(page: &Snapshot, at: NodeIndex, state: State, subject: &Phrase) -> Finding {
    let node = &page.nodes[at];
    let states = node.states;
    let listed = || {
        page.ancestors(at)
            .find(|up| matches!(page.nodes[*up].role.as_ref(), "combobox" | "listbox"))
            .is_some_and(|list| page.nodes[list].value.as_deref() == Some(node.name.as_ref()) && !node.name.is_empty())
    };
    let (is, word) = match state {
        State::Checked => (states.checked() || states.pressed(), "checked"),
        State::Unchecked => (!states.checked() && !states.mixed() && !states.pressed(), "unchecked"),
        State::Enabled => (!states.disabled(), "enabled"),
        State::Disabled => (states.disabled(), "disabled"),
        State::Selected => {
            (states.selected() || states.checked() || states.current() || states.pressed() || listed(), "selected")
        }
        State::Expanded => (states.expanded(), "expanded"),
        State::Collapsed => (states.collapsed(), "collapsed"),
        State::Focused => (states.focused(), "focused"),
        State::Pressed => (states.pressed(), "pressed"),
        State::Required => (states.required(), "required"),
        State::Readonly => (states.readonly(), "read-only"),
        State::Invalid => (states.invalid(), "invalid"),
        State::Current => (states.current(), "current"),
        State::Editable => (states.editable() && !states.readonly() && !states.disabled(), "editable"),
        State::Busy => (states.busy(), "busy"),
    };
    let what = describe(page, at).replace(" (disabled)", "");
    let a_listed_value = state == State::Selected && is;
    if !can_be(page, at, state) && !a_listed_value {
        let what = if what.contains('"') { what } else { format!("{} ({what})", subject.said) };
        return cannot_tell(format!("{what} is nothing that can be seen to be {word} or not"));
    }
    if is {
        holds(EvidenceKind::Element, format!("{what} is {word}"))
    } else {
        fails(format!("{what} is not {word}"), Vec::new())
    }
}

pub(super) fn empty(subject: &Phrase, page: &Snapshot) -> Finding {
    if subject.is_container()
        && let Err(unresolved) = places::presupposed(page, &[Place::In(subject.clone())])
    {
        return unjudged(&unresolved);
    }
    let found = find::one(page, subject, Purpose::Set).or_else(|_| find::one(page, subject, Purpose::Any));
    match found {
        Ok(at) => {
            let node = &page.nodes[at];
            if matches!(node.role.as_ref(), "table" | "grid" | "list" | "listbox") {
                let items = page
                    .below(at)
                    .filter(|at| {
                        matches!(page.nodes[*at].role.as_ref(), "row" | "listitem" | "option")
                            && !places::is_header(page, *at)
                    })
                    .count();
                return decided(
                    items == 0,
                    EvidenceKind::Element,
                    format!("{} holds {items} {}", describe(page, at), plural("item", items)),
                    || "expected none".into(),
                    Vec::new(),
                );
            }
            let value = value_of(page, at);
            let role = node.role.as_ref();
            if (kinds::is_control(role) && !find::is_field_like(node) && !matches!(role, "combobox" | "listbox"))
                || matches!(role, "heading" | "text" | "img" | "image" | "columnheader")
            {
                return cannot_tell(format!("{} is nothing that can be empty", describe(page, at)));
            }
            let field = find::is_field_like(node) || node.value.is_some() || node.role.as_ref() == "combobox";
            let empty = value.trim().is_empty()
                || (!field
                    && squeeze(&value) == squeeze(&node.name)
                    && node.end == at + 1
                    && node.role.as_ref() != "text"
                    && kinds::is_control(&node.role));
            if empty {
                holds(EvidenceKind::Element, format!("{} is empty", describe(page, at)))
            } else {
                fails(
                    format!(
                        "{} is “{}”, not empty",
                        describe(page, at),
                        if node.states.secret() { "…" } else { &value }
                    ),
                    Vec::new(),
                )
            }
        }
        Err(unresolved) => unjudged(&unresolved),
    }
}

/// The elements that a phrase counts.
fn found_of(things: &Phrase, page: &Snapshot) -> Result<Vec<NodeIndex>, Unresolved> {
    let down_to = if by_part(things.kind) { Tier::Words } else { Tier::Bare };
    let found = find::matching(page, things, down_to)?;
    let exact: Vec<NodeIndex> =
        found.iter().copied().filter(|at| things.kind.is_none_or(|kind| kind.fits_at(page, *at) == Some(0))).collect();
    Ok(if exact.is_empty() { found } else { exact })
}

pub(super) fn count(things: &Phrase, op: Op, number: usize, page: &Snapshot) -> Finding {
    let found = match found_of(things, page) {
        Ok(found) => found,
        Err(unresolved) => return unjudged(&unresolved),
    };
    // A number that more would exceed is only known of a page that was seen whole, in places that are there.
    if (found.is_empty() || !matches!(op, Op::More | Op::AtLeast))
        && let Err(why) = may_be_absent(things, page)
    {
        return why;
    }
    // A text inside an element of the same name is not a second one.
    let inner: Vec<NodeIndex> = if things.kind.is_none() {
        found.iter().copied().filter(|at| !found.iter().any(|other| page.below(*other).contains(at))).collect()
    } else {
        found
    };
    let there = inner.len();
    let mut noun = things.kind.map_or_else(|| "element".to_owned(), |kind| kind.word().to_owned());
    if let Some(name) = things.name.as_ref().or(things.contains.first()) {
        noun = format!("“{name}” {noun}");
    }
    let cut = if page.cut.is_empty() { "" } else { " (the page was too large to be seen whole)" };
    let fact = format!("there {} {there} {}{cut}", if there == 1 { "is" } else { "are" }, plural(&noun, there));
    decided(
        number_fits(there, op, number),
        EvidenceKind::Element,
        fact,
        || format!("expected {} {number}", op.word()),
        inner.iter().take(5).map(|at| describe(page, *at)).collect(),
    )
}
