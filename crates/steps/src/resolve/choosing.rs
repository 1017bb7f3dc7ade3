//! Resolves choices: an option of a list, a radio button, an item of a group, the checkbox of an agreement.

use legwork_observe::{NodeIndex, Snapshot};
use legwork_protocol::{Action, Click, Select, Target, TargetKind, TargetParams};

use super::{fields::put_value, selection::is_selected};
use crate::{
    ast::{Scope, TargetPhrase},
    describe::{ambiguity, describe, nearest},
    element_kind::ElementKind,
    error::{Actions, ResolveError},
    find::{self, Purpose},
    name_match::{self, MatchQuality, normalize_whitespace},
    roles::{BOXES, LISTS, is_control, is_field_like, roles},
    scope,
};

pub(super) fn choose_from(page: &Snapshot, labels: &[String], from: &TargetPhrase) -> Actions {
    if from.raw.is_some() {
        return Ok(vec![Action::Select(Select {
            target: find::target(page, from, Purpose::Choose)?,
            values: labels.to_vec(),
        })]);
    }
    match find::one(page, from, Purpose::Choose) {
        Ok(at) => pick(page, at, labels),
        // A part of the page that is identified by its heading, such as the links of a filter.
        Err(failed @ ResolveError::NotFound { .. }) | Err(failed @ ResolveError::WrongKind { .. }) => {
            let place = Scope::In(from.clone());
            if scope::ranges(page, std::slice::from_ref(&place)).is_err() {
                return Err(failed);
            }
            choose_several(page, labels, std::slice::from_ref(&place), None)
        }
        Err(failed) => Err(failed),
    }
}

/// Roles that can be chosen in a group.
const CHOICES: &[&str] = roles![
    radio checkbox option menuitem menuitemradio menuitemcheckbox tab treeitem switch link button
];

/// Chooses options of a list that has been resolved.
pub(super) fn pick(page: &Snapshot, list: NodeIndex, labels: &[String]) -> Actions {
    let node = &page.nodes[list];
    let role = node.role.as_ref();
    let tag = node.attributes.as_ref().map_or("", |a| a.tag.as_ref());
    if is_field_like(node) && role != "combobox" && role != "listbox" {
        // A field with a value of another kind, for example a date.
        let Some(label) = labels.first().filter(|_| labels.len() == 1) else {
            return Err(ResolveError::wrong_kind(labels.join(", "), describe(page, list), "it takes one value"));
        };
        return put_value(page, list, label, label);
    }
    let is_list = LISTS.contains(&role) || role == "button";
    let among: Vec<NodeIndex> = match is_list {
        true => find::options(page, list),
        false => page.below(list).filter(|at| page.has_role(*at, CHOICES)).collect(),
    };
    let mut chosen = Vec::new();
    for label in labels {
        let fits = find::with_label(page, &among, label);
        match fits.as_slice() {
            [one] => chosen.push(*one),
            [] if among.is_empty() && is_list => {}
            [] => {
                return Err(ResolveError::not_found(
                    format!("option “{label}” in {}", describe(page, list)),
                    nearest(page, label, among.iter().copied()),
                    "",
                ));
            }
            several => {
                return Err(ambiguity(page, format!("“{label}” in {}", describe(page, list)), several, ""));
            }
        }
    }
    let own = chosen.iter().all(|at| page.nodes[*at].reference.is_some()) && !chosen.is_empty();
    if is_list && !(own && role == "listbox" && !tag.is_empty() && tag != "select") {
        // Options without a ref cannot be clicked: the list is native.
        let native = !among.is_empty() && among.iter().all(|at| page.nodes[*at].reference.is_none());
        if labels.len() > 1 && !node.states.multiple() && (native || tag == "select") {
            return Err(ResolveError::wrong_kind(
                labels.join(", "),
                describe(page, list),
                "only one of its options can be chosen",
            ));
        }
        // The label as the list contains it, so that differences in case do not matter below.
        let exact = labels
            .iter()
            .enumerate()
            .map(|(at, label)| chosen.get(at).map_or_else(|| label.clone(), |at| page.nodes[*at].name.to_string()))
            .collect();
        return Ok(vec![Action::Select(Select { target: find::target_of(page, list), values: exact })]);
    }
    one_radio_at_most(page, &chosen)?;
    let left = chosen.into_iter().filter(|at| labels.len() == 1 || !is_selected(page, *at));
    Ok(left.map(|at| switch_on(page, at)).collect())
}

/// Only one radio button of a group can be chosen.
fn one_radio_at_most(page: &Snapshot, chosen: &[NodeIndex]) -> Result<(), ResolveError> {
    let group = |at: NodeIndex| {
        let form_name = page.nodes[at].attributes.as_ref().and_then(|a| a.form_name.clone());
        let up = page.enclosing(at, &["radiogroup", "group", "form"]);
        (form_name, up)
    };
    let radios: Vec<NodeIndex> =
        chosen.iter().copied().filter(|at| page.has_role(*at, &["radio", "menuitemradio"])).collect();
    let same = radios
        .iter()
        .enumerate()
        .find_map(|(index, at)| radios[index + 1..].iter().find(|other| *other != at && group(**other) == group(*at)));
    match same {
        None => Ok(()),
        Some(other) => Err(ResolveError::wrong_kind(
            radios.iter().map(|at| page.nodes[*at].name.to_string()).collect::<Vec<_>>().join(", "),
            describe(page, *other),
            "only one of these radio buttons can be chosen",
        )),
    }
}

/// Chooses several values, all or none of them. The values of one list are chosen together, because setting a list's
/// value replaces the previous one.
pub(super) fn choose_several(page: &Snapshot, values: &[String], scopes: &[Scope], noun: Option<&str>) -> Actions {
    let phrase = |value: &String| TargetPhrase { scopes: scopes.to_vec(), ..TargetPhrase::named(value) };
    if let Some(noun) = noun {
        let called = TargetPhrase { scopes: scopes.to_vec(), ..TargetPhrase::named(noun) };
        if let Ok(at) = find::one(page, &called, Purpose::Choose)
            && page.role(at) != "button"
        {
            return pick(page, at, values);
        }
        // Fails if the page does not contain the noun.
        let named = TargetPhrase { noun: Some(noun.to_owned()), ..phrase(&values[0]) };
        find::matching(page, &named, MatchQuality::Bare)?;
    }
    if let [one] = values {
        return choose(page, &phrase(one));
    }
    let lists_of = |value: &String| -> Result<Vec<NodeIndex>, ResolveError> {
        let option = TargetPhrase { kind: Some(ElementKind::Option), ..phrase(value) };
        let found = find::matching(page, &option, MatchQuality::Bare)?.into_iter();
        Ok(found.filter(|at| page.role(*at) == "option").filter_map(|at| page.enclosing(at, LISTS)).collect())
    };
    let mut shared = lists_of(&values[0])?;
    for value in &values[1..] {
        let lists = lists_of(value)?;
        shared.retain(|list| lists.contains(list));
    }
    if let [list] = shared[..] {
        return pick(page, list, values);
    }
    let mut actions: Vec<Action> = Vec::new();
    for value in values {
        for action in choose(page, &phrase(value))? {
            let twice = actions.iter().any(|other| {
                matches!((other, &action), (Action::Select(a), Action::Select(b)) if a.target == b.target)
                    || *other == action
            });
            if twice {
                return Err(ResolveError::wrong_kind(
                    values.join(", "),
                    format!("more than can be chosen there: {value:?} would take the place of another"),
                    "choose them one by one, each by its list",
                ));
            }
            actions.push(action);
        }
    }
    let node_of = |target: &Target| match target.kind() {
        TargetKind::Ref(reference) => page.find_ref(reference),
        _ => None,
    };
    let nodes: Vec<NodeIndex> = actions.iter().filter_map(|action| node_of(action.target()?)).collect();
    one_radio_at_most(page, &nodes)?;
    // Another click would deselect a value that is already chosen.
    actions.retain(|action| {
        let clicked = if let Action::Click(click) = action { node_of(&click.target) } else { None };
        clicked.is_none_or(|at| !is_selected(page, at))
    });
    Ok(actions)
}

pub(super) fn switch_on(page: &Snapshot, at: NodeIndex) -> Action {
    let target = find::target_of(page, at);
    if page.has_role(at, BOXES) { Action::Check(TargetParams { target }) } else { Action::Click(Click::on(target)) }
}

/// `Choose "Express"`: a radio button, an option of a list, or otherwise any clickable element.
pub(super) fn choose(page: &Snapshot, phrase: &TargetPhrase) -> Actions {
    let choice = TargetPhrase { kind: Some(ElementKind::Radio), ..phrase.clone() };
    let exact: Vec<NodeIndex> =
        find::matching(page, &choice, MatchQuality::Bare)?.into_iter().filter(|at| page.role(*at) == "radio").collect();
    if let [one] = exact.as_slice() {
        return Ok(vec![switch_on(page, *one)]);
    }
    if exact.is_empty() {
        let option = TargetPhrase { kind: Some(ElementKind::Option), ..phrase.clone() };
        let options = find::matching(page, &option, MatchQuality::Bare)?.into_iter();
        let lists: Vec<NodeIndex> =
            options.filter(|at| page.role(*at) == "option").filter_map(|at| page.enclosing(at, LISTS)).collect();
        match lists[..] {
            [] => {}
            [list] => return pick(page, list, &[phrase.name.clone().unwrap_or_default()]),
            _ => {
                let what = format!("option {}", phrase.source_text);
                return Err(ambiguity(page, what, &lists, "say from which list: `Choose … from \"…\"`"));
            }
        }
    }
    let at = find::one(page, phrase, Purpose::Click)?;
    Ok(vec![switch_on(page, at)])
}

/// A text that the page offers since the value was typed: an entry of a list of suggestions without roles. It must not
/// have been on the page before.
pub(crate) fn offer_of(text: &str, before: &Snapshot, after: &Snapshot) -> Option<Target> {
    let wanted = normalize_whitespace(text);
    let says = |page: &Snapshot| -> Vec<NodeIndex> {
        let is_offer = |at: &NodeIndex| {
            let node = &page.nodes[*at];
            let is_leaf = node.end == at + 1 || matches!(node.role.as_ref(), "option" | "listitem" | "button" | "link");
            is_leaf && !is_field_like(node) && normalize_whitespace(&name_match::content(page, *at)) == wanted
        };
        let all: Vec<NodeIndex> = (1..page.nodes.len()).filter(is_offer).collect();
        // Of an entry and the text in it, the entry.
        let is_inner = |at: &NodeIndex| all.iter().any(|other| page.below(*other).contains(at));
        all.iter().copied().filter(|at| !is_inner(at)).collect()
    };
    let found = says(after);
    let [offer] = found.as_slice() else { return None };
    says(before).is_empty().then(|| find::target_of(after, *offer))
}

/// `Accept the terms`, `Accept all cookies`: the checkbox or button with such a name.
pub(super) fn agree(page: &Snapshot, phrase: &TargetPhrase) -> Actions {
    let named = TargetPhrase {
        kind: None,
        name: phrase.whole.clone().or_else(|| phrase.name.clone()).or_else(|| Some(phrase.source_text.clone())),
        ..phrase.clone()
    };
    if let Ok(at) = find::one(page, &named, Purpose::Tick)
        && page.has_role(at, BOXES)
    {
        return Ok(vec![switch_on(page, at)]);
    }
    let words = named.name.clone().unwrap_or_default();
    // The usual buttons of consent banners, most usual first. In other contexts such a button has another purpose.
    let is_banner = words.to_lowercase().contains("cookie")
        && page.nodes.iter().any(|node| node.name.to_lowercase().contains("cookie"));
    let of_banner =
        ["Accept all cookies", "Allow all cookies", "Accept cookies", "Allow cookies", "Accept all", "Allow all"];
    let of_banner = of_banner.into_iter().filter(|_| is_banner).map(str::to_owned);
    for source_text in of_banner.chain([
        format!("Accept {words}"),
        format!("Accept the {words}"),
        format!("Agree to {words}"),
        format!("I agree to the {words}"),
        "Accept".to_owned(),
        "I agree".to_owned(),
        "Agree".to_owned(),
    ]) {
        let button = TargetPhrase { name: Some(source_text), whole: None, ..named.clone() };
        let found = find::matching(page, &button, MatchQuality::Bare)?;
        let found: Vec<NodeIndex> = found.into_iter().filter(|at| page.has_role(*at, &["button", "link"])).collect();
        if let [one] = found.as_slice() {
            return Ok(vec![switch_on(page, *one)]);
        }
    }
    let at = find::one(page, &named, Purpose::Tick)?;
    Ok(vec![switch_on(page, at)])
}

/// Chooses each of these by its complete name. The words may not be a list at all, so matching a part of a name would
/// be a guess.
pub(super) fn choose_each(page: &Snapshot, each: &[String]) -> Option<Vec<Action>> {
    for name in each {
        let mut fitting = find::matching(page, &TargetPhrase::named(name), MatchQuality::Bare).ok()?;
        fitting.retain(|at| is_control(&page.nodes[*at].role) || page.role(*at) == "option");
        if fitting.len() != 1 {
            return None;
        }
    }
    choose_several(page, each, &[], None).ok()
}
