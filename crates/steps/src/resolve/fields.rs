//! Resolves entering values into fields and checkboxes.

use legwork_observe::{NodeIndex, Snapshot};
use legwork_protocol::{Action, Click, Fill, Target, TargetParams, Upload};

use super::{choosing::pick, selection::is_selected};
use crate::{
    ast::TargetPhrase,
    describe::{ambiguity, describe, describe_all},
    element_kind::ElementKind,
    error::{Actions, ResolveError},
    find::{self, Purpose},
    name_match::MatchQuality,
    roles::{LISTS, input},
    values,
};

fn put(target: Target, text: &str) -> Actions {
    Ok(vec![Action::Fill(Fill { target, text: text.to_owned(), submit: false })])
}

fn switch(target: Target, on: bool) -> Actions {
    let params = TargetParams { target };
    Ok(vec![if on { Action::Check(params) } else { Action::Uncheck(params) }])
}

/// Enters a text into a field, in the format of the field's type.
pub(super) fn put_value(page: &Snapshot, at: NodeIndex, what: &str, text: &str) -> Actions {
    let node = &page.nodes[at];
    let text = values::for_field(text, node).map_err(|why| {
        ResolveError::wrong_kind(what, format!("{} for a {}", describe(page, at), input(node)), why.to_string())
    })?;
    put(find::target_of(page, at), &text)
}

pub(super) fn fill(page: &Snapshot, phrase: &TargetPhrase, text: &str) -> Actions {
    if phrase.raw.is_some() {
        return put(find::target(page, phrase, Purpose::Fill)?, text);
    }
    let at = find::one(page, phrase, Purpose::Fill)?;
    let is_list = page.has_role(at, LISTS) && !page.nodes[at].states.editable();
    if is_list && !find::options(page, at).is_empty() {
        return pick(page, at, &[text.to_owned()]);
    }
    put_value(page, at, &phrase.source_text, text)
}

/// `Clear "Name"` empties a field; a checkbox is unchecked.
pub(super) fn clear(page: &Snapshot, phrase: &TargetPhrase) -> Actions {
    if phrase.raw.is_none()
        && find::one(page, phrase, Purpose::Fill).is_err()
        && let Ok(at) = find::one(page, phrase, Purpose::Tick)
        && page.has_role(at, &["checkbox", "switch"])
    {
        return switch(find::target_of(page, at), false);
    }
    put(find::target(page, phrase, Purpose::Fill)?, "")
}

pub(super) fn tick(page: &Snapshot, phrase: &TargetPhrase, on: bool) -> Actions {
    if let Some(raw) = &phrase.raw {
        return switch(raw.clone(), on);
    }
    let at = find::one(page, phrase, Purpose::Tick)?;
    let target = find::target_of(page, at);
    if !page.has_role(at, &["button", "option", "treeitem", "gridcell"]) {
        return switch(target, on);
    }
    if is_selected(page, at) == on { Ok(Vec::new()) } else { Ok(vec![Action::Click(Click::on(target))]) }
}

pub(super) fn set(page: &Snapshot, phrase: &TargetPhrase, value: &str) -> Actions {
    if phrase.raw.is_some() {
        return fill(page, phrase, value);
    }
    let at = find::one(page, phrase, Purpose::Set)?;
    let node = &page.nodes[at];
    match node.role.as_ref() {
        _ if input(node) == "file" => {
            Ok(vec![Action::Upload(Upload { target: find::target_of(page, at), files: vec![value.to_owned()] })])
        }
        "checkbox" | "switch" | "radio" => match value.to_lowercase().as_str() {
            "on" | "true" | "yes" | "checked" | "ticked" | "enabled" | "1" | "selected" => {
                switch(find::target_of(page, at), true)
            }
            "off" | "false" | "no" | "unchecked" | "unticked" | "disabled" | "0" => {
                switch(find::target_of(page, at), false)
            }
            _ => {
                let hint = "it can be set to on or off";
                Err(ResolveError::wrong_kind(phrase.source_text.clone(), describe(page, at), hint))
            }
        },
        "combobox" | "listbox" if !node.states.editable() => pick(page, at, &[value.to_owned()]),
        "radiogroup" | "group" | "menu" | "menubar" | "tablist" | "tree" | "toolbar" | "list" | "button" => {
            pick(page, at, &[value.to_owned()])
        }
        _ => put_value(page, at, &phrase.source_text, value),
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

/// Enters the same text into two fields, if there are exactly two.
pub(super) fn fill_both(page: &Snapshot, phrase: &TargetPhrase, text: &str) -> Actions {
    let found = find::matching(page, phrase, MatchQuality::Words)?;
    let hint = "type into each field by its name";
    let fill = |at: &NodeIndex| {
        Action::Fill(Fill { target: find::target_of(page, *at), text: text.to_owned(), submit: false })
    };
    match found.len() {
        2 => Ok(found.iter().map(fill).collect()),
        0 | 1 => {
            let what = format!("second one of {}", phrase.source_text);
            Err(ResolveError::not_found(what, describe_all(page, &found), hint))
        }
        _ => Err(ambiguity(page, phrase.source_text.clone(), &found, hint)),
    }
}
