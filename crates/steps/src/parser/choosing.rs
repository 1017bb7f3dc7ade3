//! Sentence forms for choosing options and ticking boxes.

use super::{
    form::{FormError, FormResult, Matched},
    lists::{instruction, list, phrase, quoted_list},
    slots,
};
use crate::{
    ast::{Clause, Operation, Scope, TargetPhrase},
    element_kind::{self, ElementKind},
    error::ParseError,
    target_phrase::parse_scope,
    texts::{literal_text, option},
    tokens::TokenStream,
};

/// Kinds of elements that can be values of a list.
const VALUES: &[ElementKind] = {
    use ElementKind::*;
    &[Option, Radio, Text, Any, Item, MenuItem, Checkbox]
};

/// Kinds of elements from which values are chosen.
const LISTS: &[ElementKind] = {
    use ElementKind::*;
    &[Dropdown, List, Menu, Field, Radio, Region, Date, Number, Any, Slider]
};

/// Hovers over each item except the last, and clicks it if that opened nothing. The last item is clicked.
pub(super) fn open_menus(found: &Matched<'_>) -> FormResult {
    let path = slots::path(found.words("path")).ok_or(FormError::OtherForm)?;
    let open = |names: &[String], pointing| Operation::OpenMenu {
        item: TargetPhrase::named(&names[0]),
        next: TargetPhrase::named(&names[1]),
        pointing,
    };
    let opened = path.windows(2).flat_map(|names| [open(names, true), open(names, false)]);
    let last = path.last().map(|last| Operation::ChooseItem(TargetPhrase::named(last)));
    found.acts(opened.chain(last))
}

/// `Choose "Blue" from "Colour"`.
pub(super) fn choose(found: &Matched<'_>) -> FormResult {
    let (input, rest) = (found.clause.whole, found.words("values"));
    if let Some((values, target, prep)) = values_and_list(rest) {
        return choose_from(found, values, target, prep);
    }
    let pieces = quoted_list(rest);
    if pieces.len() > 1 {
        let values: Vec<TargetPhrase> = pieces.iter().map(|piece| phrase(*piece)).collect::<Result<_, _>>()?;
        let is_value = |value: &&TargetPhrase| {
            value.raw.is_none()
                && value.ordinal.is_none()
                && value.scopes.is_empty()
                && matches!(value.kind, None | Some(ElementKind::Option))
        };
        let names: Vec<String> = values.iter().filter(is_value).filter_map(|value| value.name.clone()).collect();
        if names.len() == values.len() {
            let noun = values.into_iter().find_map(|value| value.noun);
            return Ok(choose_all(input, names, None, Vec::new(), noun));
        }
    }
    let listed = list(rest);
    if listed.len() > 1
        && pieces.len() == 1
        && let whole = phrase(rest)?
        && !whole.quoted
        && whole.kind.is_none()
        && whole.raw.is_none()
        && whole.scopes.is_empty()
        && let Some(whole) = whole.name
    {
        let each: Vec<String> = listed.iter().map(|piece| literal_text(*piece)).collect::<Result<_, _>>()?;
        let sets = vec![vec![whole.clone()], each.clone()];
        let verify = Operation::VerifyChosen { sets, from: None, scopes: Vec::new() };
        return Ok(vec![instruction(input, Operation::ChooseListed { whole, each }), instruction(input, verify)]);
    }
    let source = |piece| if pieces.len() > 1 { piece } else { input };
    pieces.iter().map(|piece| Ok(click_or_tick(source(*piece), phrase(*piece)?))).collect()
}

/// `Select the date 2026-12-24 in "From"`, `Choose 3 for "Quantity"`: the values, the list and the preposition.
fn values_and_list(rest: TokenStream<'_>) -> Option<(TokenStream<'_>, TokenStream<'_>, &'static str)> {
    ["from", "out of", "in", "for", "as", "under", "on", "within", "of"].into_iter().find_map(|prep| {
        let (values, target) = rest.split_around(rest.find_phrase(1, prep)?);
        let is_clear = values.ends_quoted()
            || element_kind::at_end(values).is_some_and(|(kind, _)| kind == ElementKind::Option)
            || matches!(prep, "from" | "out of")
            || (values.quotes() == 0 && matches!(prep, "in" | "for" | "as"));
        (is_clear && !target.is_empty()).then_some((values, target, prep))
    })
}

fn choose_from(found: &Matched<'_>, values: TokenStream<'_>, target: TokenStream<'_>, prep: &str) -> FormResult {
    let mut labels = Vec::new();
    for piece in quoted_list(values) {
        // `Select the "Edit" link in the row of "Bob"`: an element instead of a value.
        match label(piece)? {
            Some(label) => labels.push(label),
            None => return Ok(vec![click_or_tick(found.clause.whole, phrase(found.words("values"))?)]),
        }
    }
    let target = phrase(target)?;
    let names_list = target.kind.is_none_or(|kind| LISTS.contains(&kind));
    if !names_list || prep == "under" || prep == "of" {
        let scope = parse_scope(found.words("values").skip(values.len()), true).unwrap_or(Scope::In(target));
        return Ok(choose_all(found.clause.whole, labels, None, vec![scope], None));
    }
    Ok(choose_all(found.clause.whole, labels, Some(target), Vec::new(), None))
}

/// The value that the words name; `None` if they name an element.
fn label(piece: TokenStream<'_>) -> Result<Option<String>, ParseError> {
    let Ok(value) = phrase(piece) else { return option(piece).map(Some) };
    if value.raw.is_some() || !value.scopes.is_empty() {
        return Ok(None);
    }
    if value.quoted || value.kind == Some(ElementKind::Option) {
        return Ok(value.name.filter(|_| value.kind.is_none_or(|kind| VALUES.contains(&kind))));
    }
    if value.kind.is_some() && value.name.is_none() {
        return Ok(None);
    }
    option(piece).map(Some)
}

/// Chooses values, and verifies afterwards that all are chosen if there are several.
fn choose_all(
    words: TokenStream<'_>,
    values: Vec<String>,
    from: Option<TargetPhrase>,
    scopes: Vec<Scope>,
    noun: Option<String>,
) -> Vec<Clause> {
    let verify = (values.len() > 1).then(|| Operation::VerifyChosen {
        sets: vec![values.clone()],
        from: from.clone(),
        scopes: scopes.clone(),
    });
    let choose = Operation::Choose { values, from, scopes, noun };
    std::iter::once(choose).chain(verify).map(|operation| instruction(words, operation)).collect()
}

/// `Choose the radio button "Express"`, `Choose "Express"`, `Select the first row`.
fn click_or_tick(words: TokenStream<'_>, target: TargetPhrase) -> Clause {
    let operation = match (target.kind, &target.name) {
        (Some(ElementKind::Checkbox | ElementKind::Radio | ElementKind::Switch), _) => {
            Operation::Tick { target, on: true }
        }
        (None | Some(ElementKind::Option), Some(name)) if target.raw.is_none() && target.ordinal.is_none() => {
            let values = vec![name.clone()];
            Operation::Choose { values, from: None, scopes: target.scopes, noun: target.noun }
        }
        _ => Operation::click(target),
    };
    instruction(words, operation)
}
