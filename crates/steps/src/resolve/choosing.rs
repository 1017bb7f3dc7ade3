//! Choosing: an option of a list, a radio button, an item of a group, the box that agrees.

use legwork_observe::{NodeIndex, Snapshot};
use legwork_protocol::{Action, Click, Select, Target, TargetParams};

use super::fields::fill;
use crate::{
    ast::{Scope, TargetPhrase},
    describe::{ambiguity, describe, nearest},
    element_kind::ElementKind,
    error::{Actions, ResolveError},
    find::{self, Purpose},
    name_match::{self, MatchQuality, NameMatcher, normalize_whitespace},
    roles::{BOXES, LISTS, is_control, is_field_like},
    scope, values,
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
        // A part of the page that goes by its heading, such as a filter's list of links.
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

/// Options of a list that was found.
pub(super) fn pick(page: &Snapshot, list: NodeIndex, labels: &[String]) -> Actions {
    let node = &page.nodes[list];
    let role = node.role.as_ref();
    let tag = node.attributes.as_ref().map_or("", |a| a.tag.as_ref());
    if is_field_like(node) && role != "combobox" && role != "listbox" {
        // A field that is set to something chosen, a date for instance.
        let Some(label) = labels.first().filter(|_| labels.len() == 1) else {
            return Err(ResolveError::wrong_kind(labels.join(", "), describe(page, list), "it takes one value"));
        };
        let phrase = TargetPhrase { raw: Some(find::target_of(page, list)), ..TargetPhrase::default() };
        let text = values::for_field(label, node)
            .map_err(|why| ResolveError::wrong_kind(label.clone(), describe(page, list), why.to_string()))?;
        return fill(page, &phrase, &text, false);
    }
    let among: Vec<NodeIndex> = match role {
        "combobox" | "listbox" | "button" => find::options(page, list),
        _ => page
            .below(list)
            .filter(|at| {
                page.has_role(
                    *at,
                    &[
                        "radio",
                        "checkbox",
                        "option",
                        "menuitem",
                        "menuitemradio",
                        "menuitemcheckbox",
                        "tab",
                        "treeitem",
                        "switch",
                        "link",
                        "button",
                    ],
                )
            })
            .collect(),
    };
    let mut chosen = Vec::new();
    for label in labels {
        let fits = find::labelled(page, &among, label);
        match fits.as_slice() {
            [one] => chosen.push(*one),
            [] if among.is_empty() && matches!(role, "combobox" | "listbox" | "button") => {}
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
    if matches!(role, "combobox" | "listbox" | "button")
        && !(own && role == "listbox" && !tag.is_empty() && tag != "select")
    {
        // Options that cannot be clicked are the browser's own.
        let native = !among.is_empty() && among.iter().all(|at| page.nodes[*at].reference.is_none());
        if labels.len() > 1 && !node.states.multiple() && (native || tag == "select") {
            return Err(ResolveError::wrong_kind(
                labels.join(", "),
                describe(page, list),
                "only one of its options can be chosen",
            ));
        }
        // The label as the list has it, so that a difference in case does not matter below.
        let exact = labels
            .iter()
            .enumerate()
            .map(|(at, label)| chosen.get(at).map_or_else(|| label.clone(), |at| page.nodes[*at].name.to_string()))
            .collect();
        return Ok(vec![Action::Select(Select { target: find::target_of(page, list), values: exact })]);
    }
    one_radio_at_most(page, &chosen)?;
    let left = chosen.into_iter().filter(|at| labels.len() == 1 || !is_chosen(page, *at));
    Ok(left.map(|at| switch_on(page, at)).collect())
}

fn is_chosen(page: &Snapshot, at: NodeIndex) -> bool {
    let states = page.nodes[at].states;
    states.checked() || states.selected() || states.pressed()
}

/// Of radio buttons that stand together, one can be chosen.
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

/// Several values, all of them or none: those of one list together, because a list that is given new values forgets the old.
pub(super) fn choose_several(page: &Snapshot, values: &[String], scopes: &[Scope], noun: Option<&str>) -> Actions {
    let phrase = |value: &String| TargetPhrase { scopes: scopes.to_vec(), ..TargetPhrase::named(value) };
    if let Some(noun) = noun {
        let called = TargetPhrase { scopes: scopes.to_vec(), ..TargetPhrase::named(noun) };
        if let Ok(at) = find::one(page, &called, Purpose::Choose)
            && page.role(at) != "button"
        {
            return pick(page, at, values);
        }
        // Refused when the page has no such word.
        let named = TargetPhrase { noun: Some(noun.to_owned()), ..phrase(&values[0]) };
        find::matching(page, &named, MatchQuality::Bare)?;
    }
    if let [one] = values {
        return choose(page, &phrase(one));
    }
    let lists_of = |value: &String| -> Result<Vec<NodeIndex>, ResolveError> {
        let option = TargetPhrase { kind: Some(ElementKind::Option), ..phrase(value) };
        let found = find::matching(page, &option, MatchQuality::Bare)?;
        let list = |at: &NodeIndex| page.enclosing(*at, LISTS);
        Ok(found.iter().filter(|at| page.role(**at) == "option").filter_map(list).collect())
    };
    let mut shared: Option<Vec<NodeIndex>> = None;
    for value in values {
        let lists = lists_of(value)?;
        shared = Some(match shared {
            Some(shared) => shared.into_iter().filter(|list| lists.contains(list)).collect(),
            None => lists,
        });
    }
    if let Some([list]) = shared.as_deref() {
        return pick(page, *list, values);
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
    let targets: Vec<NodeIndex> = actions
        .iter()
        .filter_map(|action| match action.target()?.kind() {
            legwork_protocol::TargetKind::Ref(reference) => page.find_ref(reference),
            _ => None,
        })
        .collect();
    one_radio_at_most(page, &targets)?;
    // What is chosen already would be given up by another click.
    Ok(actions
        .into_iter()
        .filter(|action| {
            let Action::Click(click) = action else { return true };
            let legwork_protocol::TargetKind::Ref(reference) = click.target.kind() else { return true };
            page.find_ref(reference).is_none_or(|at| !is_chosen(page, at))
        })
        .collect())
}

/// Whether a button is a chip: it stands right before the list, in a row in which there are none but what was to be chosen.
/// Buttons beside a list that offer other values as well are shortcuts, whether or not something was chosen.
fn is_chip(page: &Snapshot, list: NodeIndex, at: NodeIndex, values: &[&String]) -> bool {
    let siblings: Vec<NodeIndex> = page.children(page.nodes[list].parent).take_while(|near| *near != list).collect();
    let row: Vec<NodeIndex> = siblings.into_iter().rev().take_while(|near| page.role(*near) == "button").collect();
    let is_wanted = |near: &NodeIndex| {
        values.iter().any(|value| {
            NameMatcher::new(value)
                .quality(&page.nodes[*near].name)
                .is_some_and(|quality| quality <= MatchQuality::Bare)
        })
    };
    row.contains(&at) && row.iter().all(is_wanted)
}

/// No action when all values of a set are chosen; else which one is not.
pub(super) fn chosen(page: &Snapshot, sets: &[Vec<String>], from: Option<&TargetPhrase>, scopes: &[Scope]) -> Actions {
    let list = from.and_then(|from| find::one(page, from, Purpose::Choose).ok());
    let values: Vec<&String> = sets.iter().flatten().collect();
    let is_value = |value: &str| {
        let wanted = NameMatcher::new(value);
        let same = |text: &str| wanted.quality(text).is_some_and(|quality| quality <= MatchQuality::Bare);
        let held = |at: NodeIndex| {
            let text = page.nodes[at].value.as_deref().unwrap_or_default();
            same(text) || text.split([',', ';', '|', '\n']).any(|part| same(part.trim()))
        };
        if list.is_some_and(held) {
            return true;
        }
        let within = scope::ranges(page, scopes).unwrap_or_else(|_| scope::everywhere(page));
        within.into_iter().flatten().any(|at| {
            let node = &page.nodes[at];
            let role = node.role.as_ref();
            match role {
                "checkbox" | "radio" | "switch" | "option" | "menuitemcheckbox" | "menuitemradio" | "treeitem" => {
                    is_chosen(page, at) && find::labelled(page, &[at], value).contains(&at)
                }
                "combobox" | "listbox" => held(at),
                // An option of an open list that has no role says so all the same.
                "generic" if node.states.selected() && same(&node.name) => true,
                // A chip of a picker says its value, or offers to take it away.
                "button" => {
                    let name = node.name.to_lowercase();
                    (same(&node.name)
                        && (node.states.pressed() || list.is_some_and(|list| is_chip(page, list, at, &values))))
                        || ["remove", "delete", "×", "✕", "x"]
                            .iter()
                            .any(|word| name.strip_prefix(word).or_else(|| name.strip_suffix(word)).is_some_and(&same))
                }
                "listitem" | "generic" | "text" | "row" | "gridcell" => {
                    let listed = page.ancestors(at).any(|up| {
                        page.has_role(up, &["option", "listbox", "menu", "tree", "checkbox", "radio", "button", "link"])
                    });
                    let beside = (at.saturating_sub(1)..(at + 2).min(page.nodes.len()))
                        .any(|near| page.has_role(near, &["checkbox", "radio", "switch", "option"]));
                    // What can be clicked may be the choice itself, unless it is there to be taken away.
                    let offered = page.ancestors(at).take(3).chain([at]).any(|up| page.nodes[up].states.actionable());
                    let chip = page.below(node.parent).any(|near| {
                        let name = page.nodes[near].name.to_lowercase();
                        page.role(near) == "button"
                            && (name.starts_with("remove") || matches!(name.as_str(), "×" | "✕" | "✖" | "x"))
                    });
                    !listed && !beside && (!offered || (chip && node.parent != 0)) && same(&node.name)
                }
                _ => false,
            }
        })
    };
    if from.is_some_and(|from| from.raw.is_some()) {
        return Ok(Vec::new());
    }
    let missing: Vec<&String> = sets.iter().filter_map(|set| set.iter().find(|value| !is_value(value))).collect();
    match missing.as_slice() {
        found if found.len() < sets.len() => Ok(Vec::new()),
        found => Err(ResolveError::wrong_kind(
            format!("“{}”", found.last().map(|value| value.as_str()).unwrap_or_default()),
            "not chosen, although it was asked for",
            "there it may be that only one can be chosen",
        )),
    }
}

pub(super) fn switch_on(page: &Snapshot, at: NodeIndex) -> Action {
    let target = find::target_of(page, at);
    match page.role(at) {
        "radio" | "checkbox" | "switch" => Action::Check(TargetParams { target }),
        _ => Action::Click(Click::on(target)),
    }
}

/// `Choose "Express"`: a radio button, an option of a list, else whatever can be clicked.
pub(super) fn choose(page: &Snapshot, phrase: &TargetPhrase) -> Actions {
    let choice = TargetPhrase { kind: Some(ElementKind::Radio), ..phrase.clone() };
    let exact: Vec<NodeIndex> =
        find::matching(page, &choice, MatchQuality::Bare)?.into_iter().filter(|at| page.role(*at) == "radio").collect();
    if let [one] = exact.as_slice() {
        return Ok(vec![switch_on(page, *one)]);
    }
    if exact.is_empty() {
        let option = TargetPhrase { kind: Some(ElementKind::Option), ..phrase.clone() };
        let mut lists: Vec<(NodeIndex, NodeIndex)> = Vec::new();
        for at in find::matching(page, &option, MatchQuality::Bare)? {
            if page.role(at) != "option" {
                continue;
            }
            if let Some(list) = page.enclosing(at, LISTS) {
                lists.push((list, at));
            }
        }
        if let [(list, _)] = lists.as_slice() {
            return pick(page, *list, &[phrase.name.clone().unwrap_or_default()]);
        }
        if lists.len() > 1 {
            return Err(ResolveError::ambiguous(
                format!("option {}", phrase.source_text),
                lists.len(),
                lists.iter().take(5).map(|(list, _)| describe(page, *list)).collect(),
                "say from which list: `Choose … from \"…\"`",
            ));
        }
    }
    let at = find::one(page, phrase, Purpose::Click)?;
    Ok(vec![switch_on(page, at)])
}

/// A text that the page offers since it was typed: an entry of a list of proposals that has no roles. Only one that was not there
/// before is one.
pub(crate) fn offered(text: &str, before: &Snapshot, after: &Snapshot) -> Option<Target> {
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

/// `Accept the terms`, `Accept all cookies`: the box or button whose name says so.
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
    // What the banners of consent managers offer, the most usual first. Elsewhere such a button is for something else.
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

/// Every one of these by the whole of its name: where they may not be a list at all, a part of a name would be a guess.
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
