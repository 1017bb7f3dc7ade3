//! What state something is in, and how many there are.

use legwork_observe::{NodeIndex, Snapshot};
use legwork_protocol::EvidenceKind;

use super::{
    absence::may_be_absent,
    compare::value_of,
    finding::{Finding, cannot_tell, decided, fails, holds, unjudged},
};
use crate::{
    ast::{Comparison, ElementState, Scope, TargetPhrase},
    describe::{describe, describe_all},
    element_kind::ElementKind,
    error::ResolveError,
    find::{self, Purpose},
    name_match::{MatchQuality, normalize_whitespace},
    roles::{LISTS, input, is_control, is_field, is_field_like},
    scope,
};

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

pub(super) fn number_fits(there: usize, comparison: Comparison, number: usize) -> bool {
    match comparison {
        Comparison::More => there > number,
        Comparison::Less => there < number,
        Comparison::AtLeast => there >= number,
        Comparison::AtMost => there <= number,
        _ => there == number,
    }
}

/// All of these, or none of them; of nothing, nothing is said.
pub(super) fn every(things: &TargetPhrase, state: ElementState, not: bool, page: &Snapshot) -> Finding {
    if let Err(why) = may_be_absent(things, page) {
        return why;
    }
    let found = match found_of(things, page) {
        Ok(found) => found,
        Err(unresolved) => return unjudged(&unresolved),
    };
    if found.is_empty() {
        return cannot_tell(format!("there is no {}, so nothing can be said of all", things.source_text));
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
    let of = format!("{} of {} {}", found.len() - others.len(), found.len(), plural(&things.source_text, 1));
    decided(
        others.is_empty(),
        EvidenceKind::Element,
        format!("{of} {} {state:?}", if not { "are not" } else { "are" }).to_lowercase(),
        || "expected all".into(),
        describe_all(page, &others),
    )
}

pub(super) fn has_state(subject: &TargetPhrase, state: ElementState, page: &Snapshot) -> Finding {
    let purposes: &[Purpose] = match state {
        ElementState::Checked | ElementState::Unchecked => &[Purpose::Tick, Purpose::Any],
        ElementState::Selected => &[Purpose::Tick, Purpose::Click, Purpose::Any],
        ElementState::Required | ElementState::Readonly | ElementState::Invalid | ElementState::Editable => {
            &[Purpose::Set, Purpose::Any]
        }
        ElementState::Expanded | ElementState::Collapsed => &[Purpose::Expand, Purpose::Any],
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
    if state == ElementState::Selected
        && let Some(name) = &subject.name
        && let Some(list) = (1..page.nodes.len())
            .find(|at| page.has_role(*at, LISTS) && page.nodes[*at].value.as_deref() == Some(name.as_str()))
    {
        return holds(EvidenceKind::Element, format!("{} is “{name}”", describe(page, list)));
    }
    cannot_tell(failure.map(|unresolved| unresolved.to_string()).unwrap_or_default())
}

/// Whether an element can be in a state at all: a heading is neither checked nor unchecked.
fn can_be(page: &Snapshot, at: NodeIndex, state: ElementState) -> bool {
    let node = &page.nodes[at];
    let (role, states) = (node.role.as_ref(), node.states);
    let control = is_control(role) || states.actionable() || states.editable();
    let field = is_field(role)
        || states.editable()
        || matches!(role, "combobox" | "listbox" | "checkbox" | "radio" | "switch" | "slider" | "radiogroup")
        || input(node) == "file";
    match state {
        ElementState::Checked | ElementState::Unchecked => {
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
        ElementState::Selected => {
            control || matches!(role, "row" | "gridcell" | "cell" | "columnheader" | "listitem") || states.selected()
        }
        ElementState::Pressed => matches!(role, "button" | "switch"),
        ElementState::Enabled | ElementState::Disabled => {
            control || field || states.disabled() || matches!(role, "group" | "form")
        }
        ElementState::Expanded | ElementState::Collapsed => states.expanded() || states.collapsed(),
        ElementState::Required | ElementState::Readonly | ElementState::Invalid | ElementState::Editable => field,
        ElementState::Focused => control || field || states.focused(),
        ElementState::Current | ElementState::Busy => true,
    }
}

pub(super) fn state_of(page: &Snapshot, at: NodeIndex, state: ElementState, subject: &TargetPhrase) -> Finding {
    let node = &page.nodes[at];
    let states = node.states;
    let listed = || {
        page.enclosing(at, LISTS)
            .is_some_and(|list| page.nodes[list].value.as_deref() == Some(node.name.as_ref()) && !node.name.is_empty())
    };
    let (is, word) = match state {
        ElementState::Checked => (states.checked() || states.pressed(), "checked"),
        ElementState::Unchecked => (!states.checked() && !states.mixed() && !states.pressed(), "unchecked"),
        ElementState::Enabled => (!states.disabled(), "enabled"),
        ElementState::Disabled => (states.disabled(), "disabled"),
        ElementState::Selected => {
            (states.selected() || states.checked() || states.current() || states.pressed() || listed(), "selected")
        }
        ElementState::Expanded => (states.expanded(), "expanded"),
        ElementState::Collapsed => (states.collapsed(), "collapsed"),
        ElementState::Focused => (states.focused(), "focused"),
        ElementState::Pressed => (states.pressed(), "pressed"),
        ElementState::Required => (states.required(), "required"),
        ElementState::Readonly => (states.readonly(), "read-only"),
        ElementState::Invalid => (states.invalid(), "invalid"),
        ElementState::Current => (states.current(), "current"),
        ElementState::Editable => (states.editable() && !states.readonly() && !states.disabled(), "editable"),
        ElementState::Busy => (states.busy(), "busy"),
    };
    let what = describe(page, at).replace(" (disabled)", "");
    let a_listed_value = state == ElementState::Selected && is;
    if !can_be(page, at, state) && !a_listed_value {
        let what = if what.contains('"') { what } else { format!("{} ({what})", subject.source_text) };
        return cannot_tell(format!("{what} is nothing that can be seen to be {word} or not"));
    }
    if is {
        holds(EvidenceKind::Element, format!("{what} is {word}"))
    } else {
        fails(format!("{what} is not {word}"), Vec::new())
    }
}

pub(super) fn empty(subject: &TargetPhrase, page: &Snapshot) -> Finding {
    if subject.is_container()
        && let Err(unresolved) = scope::presupposed(page, &[Scope::In(subject.clone())])
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
                        let role = page.role(*at);
                        matches!(role, "listitem" | "option") || (role == "row" && scope::is_record(page, *at))
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
            if (is_control(role) && !is_field_like(node) && !matches!(role, "combobox" | "listbox"))
                || matches!(role, "heading" | "text" | "img" | "image" | "columnheader")
            {
                return cannot_tell(format!("{} is nothing that can be empty", describe(page, at)));
            }
            let field = is_field_like(node) || node.value.is_some() || node.role.as_ref() == "combobox";
            let empty = value.trim().is_empty()
                || (!field
                    && normalize_whitespace(&value) == normalize_whitespace(&node.name)
                    && node.end == at + 1
                    && node.role.as_ref() != "text"
                    && is_control(&node.role));
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
fn found_of(things: &TargetPhrase, page: &Snapshot) -> Result<Vec<NodeIndex>, ResolveError> {
    let down_to =
        if things.kind.is_none_or(ElementKind::is_content) { MatchQuality::Words } else { MatchQuality::Bare };
    let found = find::matching(page, things, down_to)?;
    let exact: Vec<NodeIndex> =
        found.iter().copied().filter(|at| things.kind.is_none_or(|kind| kind.fits_at(page, *at) == Some(0))).collect();
    Ok(if exact.is_empty() { found } else { exact })
}

pub(super) fn count(things: &TargetPhrase, comparison: Comparison, number: usize, page: &Snapshot) -> Finding {
    let found = match found_of(things, page) {
        Ok(found) => found,
        Err(unresolved) => return unjudged(&unresolved),
    };
    // A number that more would exceed is only known of a page that was seen whole, in places that are there.
    if (found.is_empty() || !matches!(comparison, Comparison::More | Comparison::AtLeast))
        && let Err(why) = may_be_absent(things, page)
    {
        return why;
    }
    // A text inside an element of the same name is not a second one, nor is the item of a list within one of the items.
    let is_list = things.kind == Some(ElementKind::Item) && things.name.is_none() && !things.scopes.is_empty();
    let mut inner = found;
    if things.kind.is_none() || is_list {
        inner.sort_unstable();
        let mut end = 0;
        inner.retain(|at| {
            let is_outermost = *at >= end;
            if is_outermost {
                end = page.nodes[*at].end;
            }
            is_outermost
        });
    }
    let there = inner.len();
    let mut noun = things.kind.map_or_else(|| "element".to_owned(), |kind| kind.word().to_owned());
    if let Some(name) = things.name.as_ref().or(things.contains.first()) {
        noun = format!("“{name}” {noun}");
    }
    let cut = if page.cut.is_empty() { "" } else { " (the page was too large to be seen whole)" };
    let fact = format!("there {} {there} {}{cut}", if there == 1 { "is" } else { "are" }, plural(&noun, there));
    decided(
        number_fits(there, comparison, number),
        EvidenceKind::Element,
        fact,
        || format!("expected {} {number}", comparison.word()),
        describe_all(page, &inner),
    )
}
