//! Resolves an operation to actions on a page.

mod choosing;

mod fields;
mod menus;
mod page_forms;
mod saving;
mod selection;
mod sliders;
mod sorting;
mod tabs;

use legwork_observe::Snapshot;
use legwork_protocol::{Action, Click, Drag, Open, Press, Save, Scroll, Select, Tab, Target, TargetParams, Upload};

use crate::{
    ast::{ClickOperation, Operation, Scope, Source, TargetPhrase},
    element_kind::ElementKind,
    error::{Actions, ResolveError},
    find::{self, Purpose},
    name_match::MatchQuality,
    roles::{LISTS, is_control, is_field_like},
    scope,
};
pub(crate) use choosing::offer_of;
use choosing::{agree, choose, choose_each, choose_from, choose_several};
use fields::{clear, fill, fill_both, set, tick, upload_target};
pub use saving::SavedValue;
pub(crate) use saving::saved_value;
use saving::{answer, known};
use tabs::{switch, tab_number};

pub(super) fn needs_page(operation: &Operation) -> bool {
    match operation {
        Operation::Open(url) | Operation::NewTab(Some(url)) => is_path(url),
        Operation::NewTab(None) => false,
        Operation::Act { target, .. } | Operation::Scroll { target, .. } => target.is_some(),
        _ => true,
    }
}

/// `/login`: a path on the current site.
fn is_path(url: &str) -> bool {
    url.starts_with('/') && !url.starts_with("//")
}

fn on_site(page: &Snapshot, url: &str) -> String {
    let whole = || url::Url::parse(&page.url).ok()?.join(url).ok();
    whole().filter(|_| is_path(url)).map_or_else(|| url.to_owned(), String::from)
}

pub(super) fn decide(operation: &Operation, page: &Snapshot) -> Actions {
    let one = |action: Action| Ok(vec![action]);
    let target = |phrase: &TargetPhrase, purpose| find::target(page, phrase, purpose);
    if let Operation::Save { variable, stated, .. } = operation {
        saving::require_variable(page, variable, *stated)?;
    }
    match operation {
        Operation::Open(url) => one(Action::Open(Open { url: on_site(page, url) })),
        Operation::Click(clicking) => one(click(page, clicking)?),
        Operation::Fill { target: phrase, text } => fill(page, phrase, text),
        Operation::FillBoth { target: phrase, text } => fill_both(page, phrase, text),
        Operation::Act { actions, target: phrase, purpose } => {
            let mut actions = actions.clone();
            if let (Some(phrase), Some(first)) = (phrase, actions.first_mut().and_then(Action::target_mut)) {
                *first = target(phrase, *purpose)?;
            }
            Ok(actions)
        }
        Operation::Clear(phrase) => clear(page, phrase),
        Operation::PressOrClick { key, target: phrase } => {
            let named = find::matching(page, phrase, MatchQuality::Case)?
                .into_iter()
                .any(|at| is_control(&page.nodes[at].role) && !is_field_like(&page.nodes[at]));
            if named {
                return one(click(page, &ClickOperation::on(phrase.clone()))?);
            }
            one(Action::Press(Press { key: key.clone(), target: None }))
        }
        Operation::Choose { values, from: Some(from), .. } => choose_from(page, values, from),
        Operation::Choose { values, from: None, scopes, noun } => choose_several(page, values, scopes, noun.as_deref()),
        Operation::VerifyChosen { sets, from, scopes } => selection::verify(page, sets, from.as_ref(), scopes),
        Operation::ChooseListed { whole, each } => match choose(page, &TargetPhrase::named(whole)) {
            Err(none @ ResolveError::NotFound { .. }) => choose_each(page, each).ok_or(none),
            chosen => chosen,
        },
        Operation::Tick { target: phrase, on } => tick(page, phrase, *on),
        Operation::Set { target: phrase, value } => set(page, phrase, value),
        Operation::Slide { target: phrase, value, moved } => sliders::slide(page, phrase, value, *moved),
        Operation::OpenMenu { item, next, pointing } => menus::open(page, item, next, *pointing),
        Operation::ChooseItem(item) => menus::choose(page, item),
        Operation::Scroll { direction, screens, target: phrase } => {
            let target = phrase.as_ref().map(|phrase| container(page, phrase)).transpose()?;
            one(Action::Scroll(Scroll { target, direction: Some(*direction), screens: *screens }))
        }
        Operation::Drag { target: phrase, to } => {
            one(Action::Drag(Drag { target: target(phrase, Purpose::Any)?, to: target(to, Purpose::Any)? }))
        }
        Operation::Upload { files, target: phrase } => {
            let any = TargetPhrase::of_kind(ElementKind::File, "file field");
            let target = match phrase {
                Some(phrase) => upload_target(page, phrase)?,
                None => target(&any, Purpose::Upload)?,
            };
            one(Action::Upload(Upload { target, files: files.clone() }))
        }
        Operation::Dialog { accept, text } => page_forms::dialog(page, *accept, text.clone()),
        Operation::Agree(phrase) => agree(page, phrase),
        Operation::NewTab(url) => one(Action::Tab(Tab::Open { url: url.as_ref().map(|url| on_site(page, url)) })),
        Operation::SwitchTab(tab) => switch(page, tab),
        Operation::CloseTab(tab) => one(Action::Tab(Tab::Close { tab: Some(tab_number(page, tab)?) })),
        Operation::Save { what: Source::Of { target: phrase, attribute, text }, variable, .. }
            if phrase.raw.is_some() || answer(page, phrase, attribute, *text)?.is_none() =>
        {
            one(Action::Save(Save {
                target: target(phrase, Purpose::Any)?,
                variable: variable.clone(),
                attribute: attribute.clone(),
            }))
        }
        Operation::Save { what, .. } => known(page, what).map(|_| Vec::new()),
        Operation::Expand { target: phrase, open } => {
            let folded = |target| {
                let params = TargetParams { target };
                one(if *open { Action::Expand(params) } else { Action::Collapse(params) })
            };
            let Some(raw) = &phrase.raw else {
                let at = find::one(page, phrase, Purpose::Expand)?;
                let node = &page.nodes[at];
                if (*open && node.states.expanded()) || (!*open && node.states.collapsed()) {
                    return Ok(Vec::new());
                }
                let target = find::target_of(page, at);
                let has_state = node.states.expanded() || node.states.collapsed();
                // Without a state, only the changes of the page can show what a button opened.
                return if has_state || *node.role == *"treeitem" {
                    folded(target)
                } else {
                    one(Action::Click(Click::on(target)))
                };
            };
            folded(raw.clone())
        }
        Operation::Login { user, password } => page_forms::login(page, user.as_deref(), password),
        Operation::LogOut => page_forms::log_out(page),
        Operation::Search { text, field } => page_forms::search(page, text, field.as_ref()),
        Operation::Sort { place, column, descending, is_second } => {
            sorting::sort(page, place.as_ref(), column, *descending, *is_second)
        }
        Operation::Submit(form) => page_forms::submit(page, form.as_ref()),
    }
}

fn click(page: &Snapshot, clicking: &ClickOperation) -> Result<Action, ResolveError> {
    let target = match &clicking.target.raw {
        Some(raw) => raw.clone(),
        None => {
            let purpose = if clicking.count == 2 { Purpose::Twice } else { Purpose::Click };
            let found = find::one(page, &clicking.target, purpose);
            let at = match (found, otherwise(&clicking.target)) {
                (Err(none @ ResolveError::NotFound { .. }), Some(other)) => {
                    let is_meant = |at: &usize| !is_page_number(&other) || is_page_button(page, *at, &other);
                    find::one(page, &other, purpose).ok().filter(is_meant).ok_or(none)?
                }
                (found, _) => found?,
            };
            // The options of native lists are not elements that can be clicked.
            if page.role(at) == "option"
                && page.nodes[at].reference.is_none()
                && let Some(list) = page.enclosing(at, LISTS)
            {
                return Ok(Action::Select(Select {
                    target: find::target_of(page, list),
                    values: vec![page.nodes[at].name.to_string()],
                }));
            }
            find::target_of_phrase(page, at, &clicking.target)?
        }
    };
    Ok(Action::Click(Click {
        target,
        button: clicking.button,
        count: clicking.count,
        modifiers: clicking.modifiers.clone(),
    }))
}

/// An alternative meaning of a phrase: in `the button in the dialog labelled "OK"` the label may belong to the button,
/// a button that looks like an x usually has the name Close, and `the next page` of a list is behind a link `Next`.
fn otherwise(phrase: &TargetPhrase) -> Option<TargetPhrase> {
    if let (None, Some(Scope::In(place))) = (&phrase.name, phrase.scopes.last())
        && let Some(name) = place.name.clone().filter(|_| place.kind.is_some())
    {
        let mut scopes = phrase.scopes.clone();
        *scopes.last_mut()? = Scope::In(TargetPhrase { name: None, ..place.clone() });
        return Some(TargetPhrase { name: Some(name), quoted: true, scopes, ..phrase.clone() });
    }
    let named = phrase.name.as_deref().or(phrase.whole.as_deref())?;
    if let Some(number) = named.strip_prefix("page ").filter(|number| number.parse::<u32>().is_ok() && !phrase.quoted) {
        return Some(TargetPhrase { name: Some(number.to_owned()), ..phrase.clone() });
    }
    let other_name = match phrase.name.as_deref()? {
        "x" | "X" | "×" | "✕" | "✖" => "Close",
        "next page" if !phrase.quoted => "Next",
        "previous page" if !phrase.quoted => "Previous",
        "first page" if !phrase.quoted => "First",
        "last page" if !phrase.quoted => "Last",
        _ => return None,
    };
    Some(TargetPhrase { name: Some(other_name.into()), ..phrase.clone() })
}

/// Whether the phrase is the number of `page 2`.
fn is_page_number(phrase: &TargetPhrase) -> bool {
    !phrase.quoted && phrase.name.as_deref().is_some_and(|name| name.parse::<u32>().is_ok())
}

/// Whether a control has only this number as its name and stands beside another number, and not in a calendar.
fn is_page_button(page: &Snapshot, at: usize, phrase: &TargetPhrase) -> bool {
    let number = |at: usize| page.nodes[at].name.trim().parse::<u32>().ok();
    let (Some(own), Some(asked)) = (number(at), phrase.name.as_deref()) else { return false };
    let is_beside = |other: usize| {
        other != at && is_control(page.role(other)) && number(other).is_some_and(|other| other.abs_diff(own) == 1)
    };
    own.to_string() == asked
        && page.enclosing(at, &["table", "grid", "row"]).is_none()
        && (1..page.nodes.len()).any(is_beside)
}

fn container(page: &Snapshot, phrase: &TargetPhrase) -> Result<Target, ResolveError> {
    if let Some(raw) = &phrase.raw {
        return Ok(raw.clone());
    }
    match scope::container_nodes(page, phrase) {
        Ok(nodes) if nodes.len() == 1 => Ok(find::target_of(page, nodes[0])),
        _ => find::target(page, phrase, Purpose::Any),
    }
}
