//! Evaluates conditions about the states of elements and their number.

use legwork_observe::{NodeIndex, Snapshot};
use legwork_protocol::EvidenceKind;

use super::{
    absence::may_be_absent,
    compare::value_of,
    finding::{Evaluation, Finding, cannot_tell, decided, fails, holds},
    visibility::states,
};
use crate::{
    ast::{Comparison, ElementState, Scope, TargetPhrase},
    describe::{describe, describe_all},
    element_kind::ElementKind,
    error::ResolveError,
    find::{self, Purpose},
    name_match::{MatchQuality, innermost, normalize_whitespace},
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

/// All of these elements, or none of them. If there are no elements, no statement is possible.
pub(super) fn every(things: &TargetPhrase, state: ElementState, not: bool, page: &Snapshot) -> Evaluation {
    may_be_absent(things, page)?;
    let found = found_of(things, page)?;
    if found.is_empty() {
        return Err(cannot_tell(format!("there is no {}, so nothing can be said of all", things.source_text)));
    }
    let mut others = Vec::new();
    for at in &found {
        match state_of(page, *at, state, things) {
            inconclusive @ Finding::Inconclusive { .. } => return Err(inconclusive),
            finding if finding.holds() == not => others.push(*at),
            _ => {}
        }
    }
    let (there, are) = (found.len() - others.len(), if not { "are not" } else { "are" });
    let fact = format!("{there} of {} {} {are} {state:?}", found.len(), things.source_text).to_lowercase();
    let near = describe_all(page, &others);
    Ok(decided(others.is_empty(), EvidenceKind::Element, fact, "expected all", near))
}

pub(super) fn has_state(subject: &TargetPhrase, state: ElementState, page: &Snapshot) -> Evaluation {
    use ElementState::{Checked, Collapsed, Editable, Expanded, Invalid, Readonly, Required, Selected, Unchecked};
    let purposes: &[Purpose] = match state {
        Checked | Unchecked => &[Purpose::Tick, Purpose::Any],
        Selected => &[Purpose::Tick, Purpose::Click, Purpose::Any],
        Required | Readonly | Invalid | Editable => &[Purpose::Set, Purpose::Any],
        Expanded | Collapsed => &[Purpose::Expand, Purpose::Any],
        _ => &[Purpose::Click, Purpose::Set, Purpose::Any],
    };
    let mut failure = None;
    for purpose in purposes {
        match find::one(page, subject, *purpose) {
            Ok(at) => return Ok(state_of(page, at, state, subject)),
            Err(unresolved) => failure = failure.or(Some(unresolved)),
        }
    }
    may_be_absent(subject, page)?;
    // `"Red" is selected`: the value of a list.
    let name = subject.name.as_deref().filter(|_| state == Selected);
    let has_value = |at: &NodeIndex| page.has_role(*at, LISTS) && page.nodes[*at].value.as_deref() == name;
    if let Some(name) = name
        && let Some(list) = (1..page.nodes.len()).find(has_value)
    {
        return Ok(holds(EvidenceKind::Element, format!("{} is “{name}”", describe(page, list))));
    }
    Err(failure.map_or_else(|| cannot_tell(""), Finding::from))
}

/// Whether an element can have a state at all: a heading is neither checked nor unchecked.
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
    let is = match state {
        ElementState::Checked => states.checked() || states.pressed(),
        ElementState::Unchecked => !states.checked() && !states.mixed() && !states.pressed(),
        ElementState::Enabled => !states.disabled(),
        ElementState::Disabled => states.disabled(),
        ElementState::Selected => {
            states.selected() || states.checked() || states.current() || states.pressed() || listed()
        }
        ElementState::Expanded => states.expanded(),
        ElementState::Collapsed => states.collapsed(),
        ElementState::Focused => states.focused(),
        ElementState::Pressed => states.pressed(),
        ElementState::Required => states.required(),
        ElementState::Readonly => states.readonly(),
        ElementState::Invalid => states.invalid(),
        ElementState::Current => states.current(),
        ElementState::Editable => states.editable() && !states.readonly() && !states.disabled(),
        ElementState::Busy => states.busy(),
    };
    let word = state.word();
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

pub(super) fn empty(subject: &TargetPhrase, page: &Snapshot) -> Evaluation {
    if subject.is_container() {
        scope::require_places(page, &[Scope::In(subject.clone())])?;
    }
    let at = find::one(page, subject, Purpose::Set).or_else(|_| find::one(page, subject, Purpose::Any))?;
    let (node, what) = (&page.nodes[at], describe(page, at));
    if page.has_role(at, &["table", "grid", "list", "listbox"]) {
        let is_item = |at: &NodeIndex| {
            page.has_role(*at, &["listitem", "option"]) || page.role(*at) == "row" && scope::is_record(page, *at)
        };
        let items = page.below(at).filter(is_item).count();
        let fact = format!("{what} holds {items} {}", plural("item", items));
        return Ok(decided(items == 0, EvidenceKind::Element, fact, "expected none", Vec::new()));
    }
    let is_field = is_field_like(node) || page.has_role(at, LISTS);
    let is_control = is_control(&node.role);
    if is_control && !is_field || page.has_role(at, &["heading", "text", "img", "image", "columnheader"]) {
        return Err(cannot_tell(format!("{what} is nothing that can be empty")));
    }
    let value = value_of(page, at);
    let has_value = is_field_like(node) || node.value.is_some() || page.role(at) == "combobox";
    let is_only_name = !has_value
        && is_control
        && node.end == at + 1
        && normalize_whitespace(&value) == normalize_whitespace(&node.name);
    if value.trim().is_empty() || is_only_name {
        return Ok(holds(EvidenceKind::Element, format!("{what} is empty")));
    }
    let value = if node.states.secret() { "…" } else { &value };
    Ok(fails(format!("{what} is “{value}”, not empty"), Vec::new()))
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

/// The smallest elements that contain a text. The name of a row repeats what is in it.
fn places_of(text: &str, scopes: &[Scope], page: &Snapshot) -> Result<Vec<NodeIndex>, ResolveError> {
    let wanted = normalize_whitespace(text).to_lowercase();
    let says = |at: &NodeIndex| {
        let node = &page.nodes[*at];
        !node.states.unseen() && states(&normalize_whitespace(&node.name).to_lowercase(), &wanted)
    };
    let found: Vec<NodeIndex> = scope::ranges(page, scopes)?.into_iter().flatten().filter(says).collect();
    let mut found = innermost(page, &found);
    found.dedup();
    Ok(found)
}

pub(super) fn count(things: &TargetPhrase, comparison: Comparison, number: usize, page: &Snapshot) -> Evaluation {
    let mut found = match (&things.name, things.kind) {
        (Some(text), Some(ElementKind::Text)) => places_of(text, &things.scopes, page)?,
        _ => found_of(things, page)?,
    };
    // An exact or maximum number requires a snapshot of the whole page and existing scopes.
    if found.is_empty() || !matches!(comparison, Comparison::More | Comparison::AtLeast) {
        may_be_absent(things, page)?;
    }
    // A text inside an element with the same name is not counted again, and neither is a list item inside another item.
    let is_list = things.kind == Some(ElementKind::Item) && things.name.is_none() && !things.scopes.is_empty();
    if things.kind.is_none() || is_list {
        found.sort_unstable();
        let mut end = 0;
        found.retain(|at| {
            let is_outermost = *at >= end;
            end = if is_outermost { page.nodes[*at].end } else { end };
            is_outermost
        });
    }
    let there = found.len();
    let kind = things.kind.map_or("element", ElementKind::word);
    let noun = things.label().map_or_else(|| kind.to_owned(), |name| format!("“{name}” {kind}"));
    let are = if there == 1 { "is" } else { "are" };
    let cut = if page.cut.is_empty() { "" } else { " (the page was too large to be captured completely)" };
    let fact = format!("there {are} {there} {}{cut}", plural(&noun, there));
    let expected = format!("expected {} {number}", comparison.word());
    let near = describe_all(page, &found);
    Ok(decided(number_fits(there, comparison, number), EvidenceKind::Element, fact, &expected, near))
}
