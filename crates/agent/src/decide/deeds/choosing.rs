//! Choosing: an option of a list, a radio button, an item of a group, the box that agrees.

use legwork_observe::{NodeIndex, Snapshot};
use legwork_protocol::{Action, Click, On, Select};

use super::{Actions, fields::fill};
use crate::decide::{
    find::{self, Purpose, describe},
    kinds::{self, Kind},
    literal::Unresolved,
    names::Tier,
    places,
    target::{Phrase, Place},
    values,
};

pub(super) fn choose_from(page: &Snapshot, labels: &[String], from: &Phrase) -> Actions {
    if from.raw.is_some() {
        return Ok(vec![Action::Select(Select {
            target: find::target(page, from, Purpose::Choose)?,
            values: labels.to_vec(),
        })]);
    }
    match find::one(page, from, Purpose::Choose) {
        Ok(at) => pick(page, at, labels),
        // A part of the page that goes by its heading, such as a filter's list of links.
        Err(failed @ Unresolved::None { .. }) | Err(failed @ Unresolved::Wrong { .. }) => {
            let place = Place::In(from.clone());
            if places::ranges(page, std::slice::from_ref(&place)).is_err() {
                return Err(failed);
            }
            labels.iter().try_fold(Vec::new(), |mut all, label| {
                all.extend(choose(page, &Phrase { places: vec![place.clone()], ..Phrase::named(label) })?);
                Ok(all)
            })
        }
        Err(failed) => Err(failed),
    }
}

/// Options of a list that was found.
pub(super) fn pick(page: &Snapshot, list: NodeIndex, labels: &[String]) -> Actions {
    let node = &page.nodes[list];
    let role = node.role.as_ref();
    let tag = node.attributes.as_ref().map_or("", |a| a.tag.as_ref());
    if find::is_field_like(node) && role != "combobox" && role != "listbox" {
        // A field that is set to something chosen, a date for instance.
        let Some(label) = labels.first().filter(|_| labels.len() == 1) else {
            return Err(Unresolved::Wrong {
                what: labels.join(", "),
                is: describe(page, list),
                hint: "it takes one value".into(),
            });
        };
        let phrase = Phrase { raw: Some(find::target_of(page, list)), ..Phrase::default() };
        let text = values::for_field(label, node).map_err(|why| Unresolved::Wrong {
            what: label.clone(),
            is: describe(page, list),
            hint: why.to_string(),
        })?;
        return fill(page, &phrase, &text, false);
    }
    let among: Vec<NodeIndex> = match role {
        "combobox" | "listbox" | "button" => find::options(page, list),
        _ => page
            .below(list)
            .filter(|at| {
                matches!(
                    page.nodes[*at].role.as_ref(),
                    "radio"
                        | "checkbox"
                        | "option"
                        | "menuitem"
                        | "menuitemradio"
                        | "menuitemcheckbox"
                        | "tab"
                        | "treeitem"
                        | "switch"
                        | "link"
                        | "button"
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
                return Err(Unresolved::None {
                    what: format!("option “{label}” in {}", describe(page, list)),
                    candidates: find::nearest(page, label, among.iter().copied()),
                    hint: String::new(),
                });
            }
            several => {
                return Err(Unresolved::Several {
                    what: format!("“{label}” in {}", describe(page, list)),
                    count: several.len(),
                    candidates: several.iter().take(5).map(|at| describe(page, *at)).collect(),
                    hint: String::new(),
                });
            }
        }
    }
    let own = chosen.iter().all(|at| page.nodes[*at].reference.is_some()) && !chosen.is_empty();
    if matches!(role, "combobox" | "listbox" | "button")
        && !(own && role == "listbox" && !tag.is_empty() && tag != "select")
    {
        if labels.len() > 1 && !node.states.multiple() && tag == "select" {
            return Err(Unresolved::Wrong {
                what: labels.join(", "),
                is: describe(page, list),
                hint: "only one of its options can be chosen".into(),
            });
        }
        // The label as the list has it, so that a difference in case does not matter below.
        let exact = labels
            .iter()
            .enumerate()
            .map(|(at, label)| chosen.get(at).map_or_else(|| label.clone(), |at| page.nodes[*at].name.to_string()))
            .collect();
        return Ok(vec![Action::Select(Select { target: find::target_of(page, list), values: exact })]);
    }
    Ok(chosen.into_iter().map(|at| switch_on(page, at)).collect())
}

pub(super) fn switch_on(page: &Snapshot, at: NodeIndex) -> Action {
    let target = find::target_of(page, at);
    match page.nodes[at].role.as_ref() {
        "radio" | "checkbox" | "switch" => Action::Check(On { target }),
        _ => Action::Click(Click::on(target)),
    }
}

/// `Choose "Express"`: a radio button, an option of a list, else whatever can be clicked.
pub(super) fn choose(page: &Snapshot, phrase: &Phrase) -> Actions {
    let choice = Phrase { kind: Some(Kind::Radio), ..phrase.clone() };
    let exact: Vec<NodeIndex> = find::matching(page, &choice, Tier::Bare)?
        .into_iter()
        .filter(|at| page.nodes[*at].role.as_ref() == "radio")
        .collect();
    if let [one] = exact.as_slice() {
        return Ok(vec![switch_on(page, *one)]);
    }
    if exact.is_empty() {
        let option = Phrase { kind: Some(Kind::Option), ..phrase.clone() };
        let mut lists: Vec<(NodeIndex, NodeIndex)> = Vec::new();
        for at in find::matching(page, &option, Tier::Bare)? {
            if page.nodes[at].role.as_ref() != "option" {
                continue;
            }
            if let Some(list) =
                page.ancestors(at).find(|up| matches!(page.nodes[*up].role.as_ref(), "combobox" | "listbox"))
            {
                lists.push((list, at));
            }
        }
        if let [(list, _)] = lists.as_slice() {
            return pick(page, *list, &[phrase.name.clone().unwrap_or_default()]);
        }
        if lists.len() > 1 {
            return Err(Unresolved::Several {
                what: format!("option {}", phrase.said),
                count: lists.len(),
                candidates: lists.iter().take(5).map(|(list, _)| describe(page, *list)).collect(),
                hint: "say from which list: `Choose … from \"…\"`".into(),
            });
        }
    }
    let at = find::one(page, phrase, Purpose::Click)?;
    Ok(vec![switch_on(page, at)])
}

/// `Accept the terms`, `Accept all cookies`: the box or button whose name says so.
pub(super) fn agree(page: &Snapshot, phrase: &Phrase) -> Actions {
    let named = Phrase {
        kind: None,
        name: phrase.whole.clone().or_else(|| phrase.name.clone()).or_else(|| Some(phrase.said.clone())),
        ..phrase.clone()
    };
    if let Ok(at) = find::one(page, &named, Purpose::Tick)
        && matches!(page.nodes[at].role.as_ref(), "checkbox" | "switch" | "radio")
    {
        return Ok(vec![switch_on(page, at)]);
    }
    let words = named.name.clone().unwrap_or_default();
    for said in [
        format!("Accept {words}"),
        format!("Accept the {words}"),
        format!("Agree to {words}"),
        format!("I agree to the {words}"),
        "Accept".to_owned(),
        "I agree".to_owned(),
        "Agree".to_owned(),
    ] {
        let button = Phrase { name: Some(said), whole: None, ..named.clone() };
        let found = find::matching(page, &button, Tier::Bare)?;
        let found: Vec<NodeIndex> =
            found.into_iter().filter(|at| matches!(page.nodes[*at].role.as_ref(), "button" | "link")).collect();
        if let [one] = found.as_slice() {
            return Ok(vec![switch_on(page, *one)]);
        }
    }
    let at = find::one(page, &named, Purpose::Tick)?;
    Ok(vec![switch_on(page, at)])
}

/// Every one of these by the whole of its name: where they may not be a list at all, a part of a name would be a guess.
pub(super) fn choose_each(page: &Snapshot, each: &[String]) -> Option<Vec<Action>> {
    let mut actions = Vec::new();
    for name in each {
        let phrase = Phrase::named(name);
        let mut fitting = find::matching(page, &phrase, Tier::Bare).ok()?;
        fitting.retain(|at| kinds::is_control(&page.nodes[*at].role) || page.nodes[*at].role.as_ref() == "option");
        if fitting.len() != 1 {
            return None;
        }
        actions.extend(choose(page, &phrase).ok()?);
    }
    Some(actions)
}
