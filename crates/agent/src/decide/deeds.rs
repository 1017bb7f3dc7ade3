//! From a deed and a page to actions.

mod choosing;
mod fields;
mod menus;
mod saving;
mod sliders;
mod tabs;

use legwork_observe::Snapshot;
use legwork_protocol::{
    Action, Click, Drag, Look, Nothing, On, Open, Press, Read, Save, Scroll, Select, Tab, Target, Type, Upload,
};

use super::{
    clauses::{Clicking, Deed, Saved},
    find::{self, Purpose},
    forms,
    kinds::{self, Kind},
    literal::Unresolved,
    names::Tier,
    places,
    target::{Phrase, Place},
};
use choosing::{agree, choose, choose_each, choose_from, choose_several, chosen};
use fields::{clear, fill, fill_both, set, tick, upload_target};
pub(super) use saving::remembers;
use saving::{answer, known};
use tabs::{switch, tab_number};

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
        Deed::FillBoth { target: phrase, text } => fill_both(page, phrase, text),
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
        Deed::Choose { values, from: None, places, noun } => choose_several(page, values, places, noun.as_deref()),
        Deed::Chosen { sets, from, places } => chosen(page, sets, from.as_ref(), places),
        Deed::ChooseListed { whole, each } => match choose(page, &Phrase::named(whole)) {
            Err(none @ Unresolved::None { .. }) => choose_each(page, each).ok_or(none),
            chosen => chosen,
        },
        Deed::Tick { target: phrase, on } => tick(page, phrase, *on),
        Deed::Set { target: phrase, value } => set(page, phrase, value),
        Deed::Slide { target: phrase, value, moved } => sliders::slide(page, phrase, value, *moved),
        Deed::Hover(phrase) => one(Action::Hover(On { target: target(phrase, Purpose::Any)? })),
        Deed::OpenMenu { item, next, pointing } => menus::open(page, item, next, *pointing),
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
        Deed::Save { what: Saved::Of { target: phrase, attribute, text }, variable }
            if phrase.raw.is_some() || answer(page, phrase, attribute, *text)?.is_none() =>
        {
            one(Action::Save(Save {
                target: target(phrase, Purpose::Any)?,
                variable: variable.clone(),
                attribute: attribute.clone(),
            }))
        }
        Deed::Save { what, .. } => known(page, what).map(|_| Vec::new()),
        Deed::Screenshot(phrase) => {
            let target = phrase.as_ref().map(|phrase| target(phrase, Purpose::Any)).transpose()?;
            one(Action::Look(Look { target, marks: false }))
        }
        Deed::Read(phrase) => {
            let target = phrase.as_ref().map(|phrase| target(phrase, Purpose::Any)).transpose()?;
            one(Action::Read(Read { target, ..Read::default() }))
        }
        Deed::Expand { target: phrase, open } => {
            let target = match &phrase.raw {
                Some(raw) => raw.clone(),
                None => {
                    let at = find::one(page, phrase, Purpose::Expand)?;
                    let states = page.nodes[at].states;
                    if (*open && states.expanded()) || (!*open && states.collapsed()) {
                        return Ok(Vec::new());
                    }
                    find::target_of(page, at)
                }
            };
            one(Action::Click(Click::on(target)))
        }
        Deed::Login { user, password } => forms::login(page, user.as_deref(), password),
        Deed::Search { text, field } => forms::search(page, text, field.as_ref()),
        Deed::Submit(form) => forms::submit(page, form.as_ref()),
    }
}

fn click(page: &Snapshot, clicking: &Clicking) -> Result<Action, Unresolved> {
    let target = match &clicking.target.raw {
        Some(raw) => raw.clone(),
        None => {
            let purpose = if clicking.count == 2 { Purpose::Twice } else { Purpose::Click };
            let found = find::one(page, &clicking.target, purpose);
            let at = match (found, otherwise(&clicking.target)) {
                (Err(none @ Unresolved::None { .. }), Some(other)) => {
                    find::one(page, &other, purpose).map_err(|_| none)?
                }
                (found, _) => found?,
            };
            // The options of the browser's own lists are no elements to click.
            if page.nodes[at].role.as_ref() == "option"
                && page.nodes[at].reference.is_none()
                && let Some(list) =
                    page.ancestors(at).find(|up| matches!(page.nodes[*up].role.as_ref(), "combobox" | "listbox"))
            {
                return Ok(Action::Select(Select {
                    target: find::target_of(page, list),
                    values: vec![page.nodes[at].name.to_string()],
                }));
            }
            find::target_of_phrase(page, at, &clicking.target)
        }
    };
    Ok(Action::Click(Click {
        target,
        button: clicking.button,
        count: clicking.count,
        modifiers: clicking.modifiers.clone(),
    }))
}

/// How a phrase may be meant as well: the label of `the button in the dialog labelled "OK"` may be the button's, and what
/// looks like an x is called Close.
fn otherwise(phrase: &Phrase) -> Option<Phrase> {
    if let (None, Some(Place::In(place))) = (&phrase.name, phrase.places.last())
        && let Some(name) = place.name.clone().filter(|_| place.kind.is_some())
    {
        let mut places = phrase.places.clone();
        *places.last_mut()? = Place::In(Phrase { name: None, ..place.clone() });
        return Some(Phrase { name: Some(name), quoted: true, places, ..phrase.clone() });
    }
    let x = matches!(phrase.name.as_deref(), Some("x" | "X" | "×" | "✕" | "✖"));
    x.then(|| Phrase { name: Some("Close".into()), ..phrase.clone() })
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
