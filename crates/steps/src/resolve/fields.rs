//! Putting something into a field or a box.

use legwork_observe::{NodeIndex, Snapshot};
use legwork_protocol::{Action, Click, Fill, Target, TargetParams, Upload};

use super::choosing::pick;
use crate::{
    ast::TargetPhrase,
    describe::{describe, describe_all},
    element_kind::ElementKind,
    error::{Actions, ResolveError},
    find::{self, Purpose},
    name_match::MatchQuality,
    roles::input,
    values,
};

pub(super) fn fill(page: &Snapshot, phrase: &TargetPhrase, text: &str, submit: bool) -> Actions {
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
    let text = values::for_field(text, node).map_err(|why| {
        ResolveError::wrong_kind(
            phrase.source_text.clone(),
            format!("{} for a {}", describe(page, at), input(node)),
            why.to_string(),
        )
    })?;
    Ok(vec![Action::Fill(Fill { target: find::target_of(page, at), text, submit })])
}

/// `Clear "Name"` empties a field; for a box it takes the tick away.
pub(super) fn clear(page: &Snapshot, phrase: &TargetPhrase) -> Actions {
    if phrase.raw.is_none()
        && find::one(page, phrase, Purpose::Fill).is_err()
        && let Ok(at) = find::one(page, phrase, Purpose::Tick)
        && page.has_role(at, &["checkbox", "switch"])
    {
        return Ok(vec![Action::Uncheck(TargetParams { target: find::target_of(page, at) })]);
    }
    let target = find::target(page, phrase, Purpose::Fill)?;
    Ok(vec![Action::Fill(Fill { target, text: String::new(), submit: false })])
}

pub(super) fn tick(page: &Snapshot, phrase: &TargetPhrase, on: bool) -> Actions {
    let target = match &phrase.raw {
        Some(raw) => raw.clone(),
        None => {
            let at = find::one(page, phrase, Purpose::Tick)?;
            let node = &page.nodes[at];
            let target = find::target_of(page, at);
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
            target
        }
    };
    Ok(vec![if on { Action::Check(TargetParams { target }) } else { Action::Uncheck(TargetParams { target }) }])
}

pub(super) fn set(page: &Snapshot, phrase: &TargetPhrase, value: &str) -> Actions {
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
                    return Err(ResolveError::wrong_kind(
                        phrase.source_text.clone(),
                        describe(page, at),
                        "it can be set to on or off",
                    ));
                }
            };
            let target = find::target_of(page, at);
            Ok(vec![if on { Action::Check(TargetParams { target }) } else { Action::Uncheck(TargetParams { target }) }])
        }
        "combobox" | "listbox" if !node.states.editable() => pick(page, at, &[value.to_owned()]),
        "radiogroup" | "group" | "menu" | "menubar" | "tablist" | "tree" | "toolbar" | "list" | "button" => {
            pick(page, at, &[value.to_owned()])
        }
        _ => {
            let exact = TargetPhrase { raw: Some(find::target_of(page, at)), ..phrase.clone() };
            let text = values::for_field(value, node).map_err(|why| {
                ResolveError::wrong_kind(phrase.source_text.clone(), describe(page, at), why.to_string())
            })?;
            fill(page, &exact, &text, false)
        }
    }
}

pub(super) fn upload_target(page: &Snapshot, phrase: &TargetPhrase) -> Result<Target, ResolveError> {
    let as_file = TargetPhrase { kind: Some(ElementKind::File), ..phrase.clone() };
    if phrase.raw.is_none()
        && let Ok(at) = find::one(page, &as_file, Purpose::Upload)
    {
        return Ok(find::target_of(page, at));
    }
    find::target(page, phrase, Purpose::Upload)
}

/// The same text into two fields, when there are two.
pub(super) fn fill_both(page: &Snapshot, phrase: &TargetPhrase, text: &str) -> Actions {
    let found = find::matching(page, phrase, MatchQuality::Words)?;
    let candidates = || describe_all(page, &found);
    let (what, hint) = (phrase.source_text.clone(), "type into each field by its name".to_owned());
    match found.as_slice() {
        [_, _] => {
            let fill = |at: &NodeIndex| {
                Action::Fill(Fill { target: find::target_of(page, *at), text: text.to_owned(), submit: false })
            };
            Ok(found.iter().map(fill).collect())
        }
        [] | [_] => Err(ResolveError::not_found(format!("second one of {what}"), candidates(), hint)),
        several => Err(ResolveError::ambiguous(what, several.len(), candidates(), hint)),
    }
}
