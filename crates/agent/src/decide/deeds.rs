//! From a deed and a page to actions.

use legwork_observe::{NodeIndex, Snapshot};
use legwork_protocol::{
    Action, Click, Drag, Fill, Look, Nothing, On, Open, Press, Read, Save, Scroll, Select, Tab, Target, Type, Upload,
};
use serde_json::Value;

use super::{
    clauses::{Clicking, Deed, Saved, Tabs},
    find::{self, Purpose, describe},
    forms,
    kinds::{self, Kind, input},
    literal::Unresolved,
    names::{self, Tier, Wanted},
    places,
    target::Phrase,
    values,
};

type Actions = Result<Vec<Action>, Unresolved>;

pub(super) fn needs_page(deed: &Deed) -> bool {
    match deed {
        Deed::Open(_)
        | Deed::Back
        | Deed::Forward
        | Deed::Reload
        | Deed::Wait(_)
        | Deed::NewTab(_)
        | Deed::Screenshot(None)
        | Deed::CloseTab(None) => false,
        Deed::Press { target, .. } | Deed::Type { target, .. } | Deed::Scroll { target, .. } | Deed::Read(target) => {
            target.is_some()
        }
        _ => true,
    }
}

pub(super) fn decide(deed: &Deed, page: &Snapshot) -> Actions {
    let one = |action: Action| Ok(vec![action]);
    let target = |phrase: &Phrase, purpose| find::target(page, phrase, purpose);
    match deed {
        Deed::Open(url) => one(Action::Open(Open { url: url.clone() })),
        Deed::Click(clicking) => one(click(page, clicking)?),
        Deed::Fill { target: phrase, text, submit } => fill(page, phrase, text, *submit),
        Deed::Type { target: phrase, text } => {
            let target = phrase.as_ref().map(|phrase| target(phrase, Purpose::Fill)).transpose()?;
            one(Action::Type(Type { target, text: text.clone() }))
        }
        Deed::Append { target: phrase, text } => Ok(vec![
            Action::Press(Press { key: "Control+End".into(), target: Some(target(phrase, Purpose::Fill)?) }),
            Action::Type(Type { target: None, text: text.clone() }),
        ]),
        Deed::Clear(phrase) => clear(page, phrase),
        Deed::Press { key, times, target: phrase } => {
            let target = phrase.as_ref().map(|phrase| target(phrase, Purpose::Any)).transpose()?;
            Ok((0..*times)
                .map(|at| Action::Press(Press { key: key.clone(), target: target.clone().filter(|_| at == 0) }))
                .collect())
        }
        Deed::PressOrClick { key, target: phrase } => {
            let named = find::matching(page, phrase, Tier::Case)?
                .into_iter()
                .any(|at| kinds::is_control(&page.nodes[at].role) && !find::is_field_like(&page.nodes[at]));
            if named {
                return one(click(
                    page,
                    &Clicking { target: phrase.clone(), button: Default::default(), count: 1, modifiers: Vec::new() },
                )?);
            }
            one(Action::Press(Press { key: key.clone(), target: None }))
        }
        Deed::Choose { values, from: Some(from), .. } => choose_from(page, values, from),
        Deed::Choose { values, from: None, places } => values.iter().try_fold(Vec::new(), |mut all, value| {
            let phrase = Phrase { places: places.clone(), ..Phrase::named(value) };
            all.extend(choose(page, &phrase)?);
            Ok(all)
        }),
        Deed::ChooseListed { whole, each } => match choose(page, &Phrase::named(whole)) {
            Err(none @ Unresolved::None { .. }) => choose_each(page, each).ok_or(none),
            chosen => chosen,
        },
        Deed::Tick { target: phrase, on } => tick(page, phrase, *on),
        Deed::Set { target: phrase, value } => set(page, phrase, value),
        Deed::Hover(phrase) => one(Action::Hover(On { target: target(phrase, Purpose::Any)? })),
        Deed::Focus(phrase) => one(Action::Focus(On { target: target(phrase, Purpose::Click)? })),
        Deed::ScrollTo(phrase) => {
            one(Action::Scroll(Scroll { target: Some(target(phrase, Purpose::Any)?), ..Scroll::default() }))
        }
        Deed::Scroll { direction, screens, target: phrase } => {
            let target = phrase.as_ref().map(|phrase| container(page, phrase)).transpose()?;
            one(Action::Scroll(Scroll { target, direction: Some(*direction), screens: *screens }))
        }
        Deed::Drag { target: phrase, to } => {
            one(Action::Drag(Drag { target: target(phrase, Purpose::Any)?, to: target(to, Purpose::Any)? }))
        }
        Deed::Upload { files, target: phrase } => {
            let any = Phrase { said: "file field".into(), kind: Some(Kind::File), ..Phrase::default() };
            let target = match phrase {
                Some(phrase) => upload_target(page, phrase)?,
                None => target(&any, Purpose::Upload)?,
            };
            one(Action::Upload(Upload { target, files: files.clone() }))
        }
        Deed::Dialog { accept, text } => forms::dialog(page, *accept, text.clone()),
        Deed::Agree(phrase) => agree(page, phrase),
        Deed::Back => one(Action::Back(Nothing {})),
        Deed::Forward => one(Action::Forward(Nothing {})),
        Deed::Reload => one(Action::Reload(Nothing {})),
        Deed::Wait(wait) => one(Action::Wait(wait.clone())),
        Deed::NewTab(url) => one(Action::Tab(Tab::Open { url: url.clone() })),
        Deed::SwitchTab(tab) => switch(page, tab),
        Deed::CloseTab(tab) => {
            let tab = tab.as_ref().map(|tab| tab_number(page, tab)).transpose()?;
            one(Action::Tab(Tab::Close { tab }))
        }
        Deed::Save { what: Saved::Of { target: phrase, attribute }, variable }
            if phrase.raw.is_some() || answer(page, phrase, attribute)?.is_none() =>
        {
            one(Action::Save(Save {
                target: target(phrase, Purpose::Any)?,
                variable: variable.clone(),
                attribute: attribute.clone(),
            }))
        }
        Deed::Save { what: Saved::Count(phrase), .. } => find::matching(page, phrase, Tier::Words).map(|_| Vec::new()),
        Deed::Save { .. } => Ok(Vec::new()),
        Deed::Screenshot(phrase) => {
            let target = phrase.as_ref().map(|phrase| target(phrase, Purpose::Any)).transpose()?;
            one(Action::Look(Look { target, marks: false }))
        }
        Deed::Read(phrase) => {
            let target = phrase.as_ref().map(|phrase| target(phrase, Purpose::Any)).transpose()?;
            one(Action::Read(Read { target, ..Read::default() }))
        }
        Deed::Expand { target: phrase, open } => {
            if phrase.raw.is_none() {
                let at = find::one(page, phrase, Purpose::Expand)?;
                let states = page.nodes[at].states;
                if (*open && states.expanded()) || (!*open && states.collapsed()) {
                    return Ok(Vec::new());
                }
            }
            one(Action::Click(Click {
                target: target(phrase, Purpose::Expand)?,
                button: Default::default(),
                count: 1,
                modifiers: Vec::new(),
            }))
        }
        Deed::Login { user, password } => forms::login(page, user.as_deref(), password),
        Deed::Search { text, field } => forms::search(page, text, field.as_ref()),
        Deed::Submit(form) => forms::submit(page, form.as_ref()),
    }
}

pub(super) fn remembers(deed: &Deed, page: &Snapshot) -> Option<(String, Value)> {
    let Deed::Save { what, variable } = deed else { return None };
    let value = match what {
        Saved::Address => Value::from(page.url.as_str()),
        Saved::Title => Value::from(page.title.as_str()),
        Saved::Count(phrase) => Value::from(find::matching(page, phrase, Tier::Words).ok()?.len()),
        Saved::Of { target, attribute } => Value::from(answer(page, target, attribute).ok()??),
    };
    Some((variable.clone(), value))
}

/// The text of something that is no element of its own, so that no action can read it.
fn answer(page: &Snapshot, phrase: &Phrase, attribute: &Option<String>) -> Result<Option<String>, Unresolved> {
    if phrase.raw.is_some() {
        return Ok(None);
    }
    // `the text after "Total:"` where one run of text says both.
    if phrase.kind == Some(Kind::Text)
        && phrase.name.is_none()
        && let [super::target::Place::After(about) | super::target::Place::NextTo(about)] = phrase.places.as_slice()
        && let Some(label) = &about.name
        && let Ok(found) = find::mentions(page, about)
        && let [at] = found.as_slice()
        && let text = names::squeeze(&page.nodes[*at].name)
        && let Some(rest) = text.strip_prefix(names::squeeze(label).as_str())
        && let rest = rest.trim_start_matches([':', ' ', '=']).trim()
        && !rest.is_empty()
    {
        return Ok(Some(rest.to_owned()));
    }
    let at = find::one(page, phrase, Purpose::Any)?;
    let node = &page.nodes[at];
    if node.reference.is_some() || attribute.is_some() {
        return Ok(None);
    }
    if let (None, Some(label)) = (phrase.kind, &phrase.name)
        && let Some(value) = names::labelled_value(page, at, label)
    {
        return Ok(Some(value));
    }
    let text = node.value.as_deref().filter(|_| !node.states.secret()).map(str::to_owned);
    Ok(Some(text.unwrap_or_else(|| names::squeeze(&names::content(page, at)))))
}

fn click(page: &Snapshot, clicking: &Clicking) -> Result<Action, Unresolved> {
    // The options of the browser's own lists are no elements to click.
    if clicking.target.raw.is_none()
        && let Ok(at) = find::one(page, &clicking.target, Purpose::Click)
        && page.nodes[at].role.as_ref() == "option"
        && page.nodes[at].reference.is_none()
        && let Some(list) =
            page.ancestors(at).find(|up| matches!(page.nodes[*up].role.as_ref(), "combobox" | "listbox"))
    {
        return Ok(Action::Select(Select {
            target: find::target_of(page, list),
            values: vec![page.nodes[at].name.to_string()],
        }));
    }
    let target = find::target(page, &clicking.target, Purpose::Click)?;
    Ok(Action::Click(Click {
        target,
        button: clicking.button,
        count: clicking.count,
        modifiers: clicking.modifiers.clone(),
    }))
}

fn fill(page: &Snapshot, phrase: &Phrase, text: &str, submit: bool) -> Actions {
    if phrase.raw.is_some() {
        return Ok(vec![Action::Fill(Fill {
            target: find::target(page, phrase, Purpose::Fill)?,
            text: text.to_owned(),
            submit,
        })]);
    }
    let at = find::one(page, phrase, Purpose::Fill)?;
    let node = &page.nodes[at];
    if matches!(node.role.as_ref(), "combobox" | "listbox")
        && !node.states.editable()
        && !find::options(page, at).is_empty()
    {
        return pick(page, at, &[text.to_owned()]);
    }
    let text = values::for_field(text, node).map_err(|hint| Unresolved::Wrong {
        what: phrase.said.clone(),
        is: format!("{} for a {}", describe(page, at), input(node)),
        hint,
    })?;
    Ok(vec![Action::Fill(Fill { target: find::target_of(page, at), text, submit })])
}

/// `Clear "Name"` empties a field; for a box it takes the tick away.
fn clear(page: &Snapshot, phrase: &Phrase) -> Actions {
    if phrase.raw.is_none()
        && find::one(page, phrase, Purpose::Fill).is_err()
        && let Ok(at) = find::one(page, phrase, Purpose::Tick)
        && matches!(page.nodes[at].role.as_ref(), "checkbox" | "switch")
    {
        return Ok(vec![Action::Uncheck(On { target: find::target_of(page, at) })]);
    }
    let target = find::target(page, phrase, Purpose::Fill)?;
    Ok(vec![Action::Fill(Fill { target, text: String::new(), submit: false })])
}

fn tick(page: &Snapshot, phrase: &Phrase, on: bool) -> Actions {
    let target = find::target(page, phrase, Purpose::Tick)?;
    if phrase.raw.is_none() {
        let at = find::one(page, phrase, Purpose::Tick)?;
        let node = &page.nodes[at];
        if matches!(node.role.as_ref(), "button" | "option" | "treeitem" | "gridcell") {
            let is_on = node.states.pressed() || node.states.selected() || node.states.checked();
            if is_on == on {
                return Ok(Vec::new());
            }
            return Ok(vec![Action::Click(Click {
                target,
                button: Default::default(),
                count: 1,
                modifiers: Vec::new(),
            })]);
        }
    }
    Ok(vec![if on { Action::Check(On { target }) } else { Action::Uncheck(On { target }) }])
}

fn set(page: &Snapshot, phrase: &Phrase, value: &str) -> Actions {
    if phrase.raw.is_some() {
        return fill(page, phrase, value, false);
    }
    let at = find::one(page, phrase, Purpose::Set)?;
    let node = &page.nodes[at];
    match node.role.as_ref() {
        _ if input(node) == "file" => {
            Ok(vec![Action::Upload(Upload { target: find::target_of(page, at), files: vec![value.to_owned()] })])
        }
        "checkbox" | "switch" | "radio" => {
            let on = match value.to_lowercase().as_str() {
                "on" | "true" | "yes" | "checked" | "ticked" | "enabled" | "1" | "selected" => true,
                "off" | "false" | "no" | "unchecked" | "unticked" | "disabled" | "0" => false,
                _ => {
                    return Err(Unresolved::Wrong {
                        what: phrase.said.clone(),
                        is: describe(page, at),
                        hint: "it can be set to on or off".into(),
                    });
                }
            };
            let target = find::target_of(page, at);
            Ok(vec![if on { Action::Check(On { target }) } else { Action::Uncheck(On { target }) }])
        }
        "combobox" | "listbox" if !node.states.editable() => pick(page, at, &[value.to_owned()]),
        "radiogroup" | "group" | "menu" | "menubar" | "tablist" | "tree" | "toolbar" | "list" | "button" => {
            pick(page, at, &[value.to_owned()])
        }
        _ => {
            let exact = Phrase { raw: Some(find::target_of(page, at)), ..phrase.clone() };
            let text = values::for_field(value, node).map_err(|hint| Unresolved::Wrong {
                what: phrase.said.clone(),
                is: describe(page, at),
                hint,
            })?;
            fill(page, &exact, &text, false)
        }
    }
}

fn choose_from(page: &Snapshot, labels: &[String], from: &Phrase) -> Actions {
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
            let place = super::target::Place::In(from.clone());
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
fn pick(page: &Snapshot, list: NodeIndex, labels: &[String]) -> Actions {
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
        let text = values::for_field(label, node).map_err(|hint| Unresolved::Wrong {
            what: label.clone(),
            is: describe(page, list),
            hint,
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

fn switch_on(page: &Snapshot, at: NodeIndex) -> Action {
    let target = find::target_of(page, at);
    match page.nodes[at].role.as_ref() {
        "radio" | "checkbox" | "switch" => Action::Check(On { target }),
        _ => Action::Click(Click { target, button: Default::default(), count: 1, modifiers: Vec::new() }),
    }
}

/// `Choose "Express"`: a radio button, an option of a list, else whatever can be clicked.
fn choose(page: &Snapshot, phrase: &Phrase) -> Actions {
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

/// Every one of these by the whole of its name: where they may not be a list at all, a part of a name would be a guess.
fn choose_each(page: &Snapshot, each: &[String]) -> Option<Vec<Action>> {
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

fn container(page: &Snapshot, phrase: &Phrase) -> Result<Target, Unresolved> {
    if let Some(raw) = &phrase.raw {
        return Ok(raw.clone());
    }
    match places::container_nodes(page, phrase) {
        Ok(nodes) if nodes.len() == 1 => Ok(find::target_of(page, nodes[0])),
        _ => find::target(page, phrase, Purpose::Any),
    }
}

fn upload_target(page: &Snapshot, phrase: &Phrase) -> Result<Target, Unresolved> {
    let as_file = Phrase { kind: Some(Kind::File), ..phrase.clone() };
    if phrase.raw.is_none()
        && let Ok(at) = find::one(page, &as_file, Purpose::Upload)
    {
        return Ok(find::target_of(page, at));
    }
    find::target(page, phrase, Purpose::Upload)
}

/// `Accept the terms`, `Accept all cookies`: the box or button whose name says so.
fn agree(page: &Snapshot, phrase: &Phrase) -> Actions {
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

fn switch(page: &Snapshot, tab: &Tabs) -> Actions {
    // Pages have tabs too: by name it may be one of those.
    if let Tabs::Named(phrase) = tab {
        let on_page = find::matching(page, phrase, Tier::Bare).unwrap_or_default();
        match (on_page.as_slice(), tab_number(page, tab)) {
            ([_, ..], Ok(_)) => {
                return Err(Unresolved::Several {
                    what: phrase.said.clone(),
                    count: 2,
                    candidates: vec![describe(page, on_page[0]), format!("browser tab {}", phrase.said)],
                    hint: "for the page's own say `Click the tab \"…\"`, for the browser's `Switch to tab 2`".into(),
                });
            }
            ([one], Err(_)) => return Ok(vec![switch_on(page, *one)]),
            _ => {}
        }
    }
    Ok(vec![Action::Tab(Tab::Switch { to: tab_number(page, tab)? })])
}

fn tab_number(page: &Snapshot, tab: &Tabs) -> Result<String, Unresolved> {
    let tabs = &page.tabs;
    let current = tabs.iter().position(|tab| tab.current).unwrap_or_default();
    let at = match tab {
        Tabs::Nth(n) => n.checked_sub(1),
        Tabs::FromEnd(n) => tabs.len().checked_sub(*n),
        Tabs::Newest => tabs.iter().enumerate().max_by_key(|(_, tab)| tab.number).map(|(at, _)| at),
        Tabs::Previous => current.checked_sub(1),
        Tabs::Next => Some(current + 1),
        Tabs::Other if tabs.len() == 2 => Some(1 - current.min(1)),
        Tabs::Other => None,
        Tabs::Named(phrase) => {
            let wanted = Wanted::new(phrase.name.as_deref().unwrap_or_default());
            let mut fits: Vec<(Tier, usize)> = tabs
                .iter()
                .enumerate()
                .filter_map(|(at, tab)| {
                    wanted.tier(&tab.title).into_iter().chain(wanted.tier(&tab.url)).min().map(|tier| (tier, at))
                })
                .collect();
            fits.sort();
            match fits.as_slice() {
                [] => None,
                [(best, _), (next, _), ..] if best == next => {
                    return Err(Unresolved::Several {
                        what: format!("browser tab {}", phrase.said),
                        count: fits.iter().filter(|(tier, _)| tier == best).count(),
                        candidates: tab_list(page),
                        hint: "say its number: `Switch to tab 2`".into(),
                    });
                }
                [(_, at), ..] => Some(*at),
            }
        }
    };
    at.and_then(|at| tabs.get(at)).map(|tab| tab.number.to_string()).ok_or_else(|| Unresolved::None {
        what: match tab {
            Tabs::Named(phrase) => format!("browser tab {}", phrase.said),
            _ => "such browser tab".into(),
        },
        candidates: tab_list(page),
        hint: String::new(),
    })
}

fn tab_list(page: &Snapshot) -> Vec<String> {
    page.tabs.iter().take(5).map(|tab| format!("tab {} \"{}\"", tab.number, tab.title)).collect()
}
