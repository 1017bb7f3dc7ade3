//! What state something is in, and how many there are.

use super::{
    Finding, Op, State,
    judge::{decided, fails, holds},
    says::value_of,
    shown::by_part,
};
use crate::decide::{find, find::Purpose, find::describe, kinds, names::Tier, names::squeeze, places, target::Phrase};
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

/// Elements that have states, for subjects without a kind.
pub(super) fn state_subject(page: &Snapshot, subject: &Phrase) -> Option<NodeIndex> {
    [Purpose::Tick, Purpose::Set, Purpose::Click].into_iter().find_map(|purpose| find::one(page, subject, purpose).ok())
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
    fails(failure.map(|unresolved| unresolved.to_string()).unwrap_or_default(), Vec::new())
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
    let _ = subject;
    let what = describe(page, at).replace(" (disabled)", "");
    if is {
        holds(EvidenceKind::Element, format!("{what} is {word}"))
    } else {
        fails(format!("{what} is not {word}"), Vec::new())
    }
}

pub(super) fn empty(subject: &Phrase, page: &Snapshot) -> Finding {
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
        Err(unresolved) => fails(unresolved.to_string(), Vec::new()),
    }
}

pub(super) fn count(things: &Phrase, op: Op, number: usize, page: &Snapshot) -> Finding {
    let down_to = if by_part(things.kind) { Tier::Words } else { Tier::Bare };
    let found = match find::matching(page, things, down_to) {
        Ok(found) => found,
        Err(unresolved) => return fails(unresolved.to_string(), Vec::new()),
    };
    let exact: Vec<NodeIndex> = found
        .iter()
        .copied()
        .filter(|at| things.kind.is_none_or(|kind| kind.fits(&page.nodes[*at]) == Some(0)))
        .collect();
    let found = if exact.is_empty() { found } else { exact };
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
