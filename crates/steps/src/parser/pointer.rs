//! Clicking, pressing, choosing, ticking, dragging.

use legwork_protocol::{Button, Modifier};

use super::*;
use crate::{
    element_kind::ElementKind,
    texts::{self, given, option},
    values,
};

pub(super) fn click(input: TokenStream<'_>) -> ParseResult {
    let mut rest = input;
    let mut modifiers = Vec::new();
    let (mut button, mut count) = (Button::Left, 1);
    let first = rest.lower(0);
    match first {
        "double-click" | "doubleclick" | "double-clicking" => count = 2,
        "double" => {
            rest = rest.from(1);
            count = 2;
        }
        "triple-click" => count = 3,
        "right-click" | "rightclick" | "context-click" => button = Button::Right,
        "right" => {
            rest = rest.from(1);
            button = Button::Right;
        }
        "middle-click" => button = Button::Middle,
        _ => {
            let parts: Vec<&str> = first.split(['-', '+']).collect();
            for part in &parts[..parts.len() - 1] {
                match values::modifier(part) {
                    Some(modifier) => modifiers.push(modifier_of(modifier)),
                    None => return not_known(input),
                }
            }
        }
    }
    rest = rest.from(1);
    if input.lower(0) == "follow" && rest.is_empty() {
        return not_known(input);
    }
    click_on(rest, input, button, count, modifiers)
}

fn at_most_100(times: usize, rest: TokenStream<'_>) -> Result<usize, ParseError> {
    if (1..=100).contains(&times) {
        return Ok(times);
    }
    Err(ParseError::new(rest.source(), "a step does something 1 to 100 times").at(rest.from(rest.len() - 2)))
}

pub(super) fn modifier_of(name: &str) -> Modifier {
    match name {
        "Shift" => Modifier::Shift,
        "Alt" => Modifier::Alt,
        "Meta" => Modifier::Meta,
        _ => Modifier::Control,
    }
}

/// The rest of a click: `on the "Save" button twice with Shift held`.
pub(super) fn click_on(
    mut rest: TokenStream<'_>,
    input: TokenStream<'_>,
    mut button: Button,
    mut count: u8,
    mut modifiers: Vec<Modifier>,
) -> ParseResult {
    rest.take_prefix("on|onto|at");
    if let Some((at, taken)) = rest.find(1, "while holding down|while holding|while pressing|holding down|holding|with")
    {
        let mut held = rest.from(at + taken).strip_articles();
        let held_word =
            held.take_suffix("key held down|key held|key pressed|held down|held|pressed|key|down").is_some();
        let names: Vec<_> = list(held)
            .iter()
            .flat_map(|piece| {
                piece.text().to_lowercase().split('+').map(|part| values::modifier(part.trim())).collect::<Vec<_>>()
            })
            .collect();
        let right = held.strip_articles().text().to_lowercase().contains("right mouse button")
            || held.strip_articles().text().to_lowercase() == "right button";
        if right {
            button = Button::Right;
            rest = rest.take(at);
        } else if !names.is_empty() && names.iter().all(Option::is_some) && (held_word || rest.lower(at) != "with") {
            modifiers.extend(names.into_iter().flatten().map(modifier_of));
            rest = rest.take(at);
        }
    }
    if rest.take_suffix("twice|two times").is_some() {
        count = 2;
    }
    let mut times = 1;
    if rest.len() > 2
        && rest.lower(rest.len() - 1) == "times"
        && let Some(number) = values::count(rest.lower(rest.len() - 2))
    {
        times = at_most_100(number, rest)?;
        rest = rest.take(rest.len() - 2);
    }
    if rest.is_empty() {
        return Err(ParseError::new(input.source(), "it does not say what to click").suggest("Click \"Save\""));
    }
    let mut wait = None;
    if let Some((at, _)) = rest.find(
        1,
        "and wait for the download|and download the file|to download|\
            and wait for the file|and wait for the download to finish",
    ) {
        wait = Some(downloaded(input, None));
        rest = rest.take(at);
    }
    if let Some((at, _)) = rest.find(1, "to")
        && rest.quoted(at - 1)
        && is_purpose(rest.from(at + 1))
    {
        // `click "Save" to keep the changes`: a purpose.
        rest = rest.take(at);
    }
    if rest.len() > 1 && rest.quoted(rest.len() - 2) {
        rest.take_suffix("again|once");
    }
    let targets = phrases(rest)?;
    let several = targets.len() > 1 || times > 1;
    let mut clauses = Vec::new();
    for _ in 0..times {
        for (piece, target) in &targets {
            let operation =
                Operation::Click(Clicking { target: target.clone(), button, count, modifiers: modifiers.clone() });
            clauses.push(instruction(if several { *piece } else { input }, operation));
        }
    }
    clauses.extend(wait);
    Ok(clauses)
}

/// A verb and what it is about, in bare words: what a click is for. A place, another target or a limit is more than that.
fn is_purpose(input: TokenStream<'_>) -> bool {
    !input.is_empty()
        && input.tokens().iter().all(|token| token.kind == TokenKind::Word)
        && !matches!(input.lower(0), "the" | "a" | "an" | "left" | "right" | "top" | "bottom")
        && texts::name(input).is_ok()
        && target_phrase::phrase(input).is_ok()
}

pub(super) fn downloaded(input: TokenStream<'_>, name: Option<String>) -> Clause {
    let mut check = Check::downloaded(input.source(), name);
    check.wait(None);
    checked(check)
}

pub(super) fn press(input: TokenStream<'_>) -> ParseResult {
    let mut rest = input.from(1);
    let one = |operation: Operation| Ok(vec![instruction(input, operation)]);
    if rest.lower(0) == "on" {
        return click_on(rest, input, Button::Left, 1, Vec::new());
    }
    let mut times = 1;
    if rest.take_suffix("once").is_some() {
        times = 1;
    } else if rest.len() > 1 && rest.take_suffix("twice").is_some() {
        times = 2;
    } else if rest.len() > 2
        && rest.lower(rest.len() - 1) == "times"
        && let Some(number) = values::count(rest.lower(rest.len() - 2))
    {
        times = at_most_100(number, rest)?;
        rest = rest.take(rest.len() - 2);
    }
    if let [token] = rest.tokens()
        && token.quoted()
        && let Some(key) = values::chord(&token.text)
    {
        return one(Operation::PressOrClick { key, target: TargetPhrase::named(&token.text) });
    }
    // `Press Enter in the field "Search"`: the key, then where.
    for (at, prep) in std::iter::once((rest.len(), 0))
        .chain(["in", "on", "inside", "within", "into"].iter().filter_map(|prep| rest.find(1, prep)))
    {
        let mut keys = rest.take(at).strip_articles();
        keys.take_prefix(
            "the key combination|the keys|the key|key|keys|the shortcut|\
            the keyboard shortcut",
        );
        let chord_text = match keys.tokens() {
            [one] if one.quoted() => one.text.clone(),
            [one, after] if one.quoted() && after.lower == "key" => one.text.clone(),
            _ => keys.text(),
        };
        let Some(key) = values::chord(&chord_text) else { continue };
        let target = rest.from(at + prep);
        let on_page = target.is_empty() || matches!(target.strip_articles().lower(0), "keyboard" | "page");
        let target = if on_page { None } else { Some(phrase(target)?) };
        return one(Operation::Press { key, times, target });
    }
    let mut clauses = click_on(rest, input, Button::Left, 1, Vec::new())?;
    let again = clauses.clone();
    (1..times).for_each(|_| clauses.extend(again.clone()));
    Ok(clauses)
}

/// `File > Export > PDF`, of a menu or a tree: each opens the next.
fn path(input: TokenStream<'_>) -> Option<Vec<String>> {
    let tokens = input.tokens();
    let parts: Vec<String> = if tokens.iter().any(|token| token.quoted()) {
        let part = |part: &[tokens::Token]| match part {
            [one] => one.text.clone(),
            _ => String::new(),
        };
        tokens.split(|token| token.lower == ">").map(part).collect()
    } else {
        input.text().split('>').map(|part| part.trim().to_owned()).collect()
    };
    (parts.len() > 1 && parts.iter().all(|part| !part.is_empty())).then_some(parts)
}

/// Moves a slider, then sees whether it came there.
pub(super) fn slide(input: TokenStream<'_>, target: TargetPhrase, value: String) -> Vec<Clause> {
    [false, true]
        .map(|moved| instruction(input, Operation::Slide { target: target.clone(), value: value.clone(), moved }))
        .to_vec()
}

/// Each item but the last one is pointed at, then clicked if that opened nothing; the last one is clicked.
fn along(path: &[String], input: TokenStream<'_>) -> Vec<Clause> {
    let open = |item: &String, next: &String, pointing| {
        instruction(
            input,
            Operation::OpenMenu { item: TargetPhrase::named(item), next: TargetPhrase::named(next), pointing },
        )
    };
    let pairs = path.iter().zip(path.iter().skip(1));
    let mut clauses: Vec<Clause> =
        pairs.flat_map(|(item, next)| [open(item, next, true), open(item, next, false)]).collect();
    clauses.extend(path.last().map(|last| {
        let target = TargetPhrase::named(last);
        instruction(input, Operation::Click(Clicking { target, button: Button::Left, count: 1, modifiers: Vec::new() }))
    }));
    clauses
}

/// `"Blue" from "Colour"`.
pub(super) fn choose(input: TokenStream<'_>) -> ParseResult {
    let mut rest = input.from(1);
    if input.lower(0) == "choose" && rest.lower(0) == "on" {
        rest = rest.from(1);
    }
    if matches!(rest.text().to_lowercase().as_str(), "nothing" | "none" | "none of them" | "no option") {
        return Ok(Vec::new());
    }
    if let Some(path) = path(rest) {
        return Ok(along(&path, input));
    }
    // `Select 5 with the slider`.
    if let Some((at, count)) = rest.find(1, "with|using|on")
        && let Ok(target) = phrase(rest.from(at + count))
        && target.kind == Some(ElementKind::Slider)
    {
        return Ok(slide(input, target, rest.take(at).text()));
    }
    let upload = rest.strip_articles();
    if upload.lower(0) == "file" && (upload.quoted(1) || upload.len() > 2) {
        return self::upload(input);
    }
    // `Select the date 2026-12-24 in "From"`, `Choose 3 for "Quantity"`
    let from = ["from", "out of", "in", "for", "as", "under", "on", "within", "of"].iter().find_map(|prep| {
        let (at, count) = rest.find(1, prep)?;
        let target = rest.from(at + count);
        let values = rest.take(at);
        let clear = values.quoted(values.len() - 1)
            || kinds_at_end(values)
            || matches!(*prep, "from" | "out of")
            || (!values.tokens().iter().any(|token| token.quoted())
                && matches!(*prep, "in" | "for" | "as")
                && !target.is_empty());
        (clear && !target.is_empty()).then_some((values, target, *prep))
    });
    if let Some((values, target, prep)) = from {
        let mut labels = Vec::new();
        for piece in quoted_list(values) {
            let value = match phrase(piece) {
                Ok(value)
                    if value.raw.is_none()
                        && (value.quoted || value.kind == Some(ElementKind::Option))
                        && value.scopes.is_empty() =>
                {
                    match value.name {
                        Some(name) => {
                            if !matches!(
                                value.kind,
                                None | Some(
                                    ElementKind::Option
                                        | ElementKind::Radio
                                        | ElementKind::Text
                                        | ElementKind::Any
                                        | ElementKind::Item
                                        | ElementKind::MenuItem
                                        | ElementKind::Checkbox
                                )
                            ) {
                                // `Select the "Edit" link in the row of "Bob"`: not a value but an element.
                                return click_or_tick(input, phrase(input.from(1))?);
                            }
                            name
                        }
                        None => return click_or_tick(input, phrase(input.from(1))?),
                    }
                }
                Ok(value) if value.raw.is_some() || !value.scopes.is_empty() => {
                    return click_or_tick(input, phrase(input.from(1))?);
                }
                Ok(value) if value.kind.is_some() && value.name.is_none() => {
                    return click_or_tick(input, phrase(input.from(1))?);
                }
                _ => option(piece)?,
            };
            labels.push(value);
        }
        let target = phrase(target)?;
        let names_list = matches!(
            target.kind,
            None | Some(
                ElementKind::Dropdown
                    | ElementKind::List
                    | ElementKind::Menu
                    | ElementKind::Field
                    | ElementKind::Radio
                    | ElementKind::Region
                    | ElementKind::Date
                    | ElementKind::Number
                    | ElementKind::Any
                    | ElementKind::Slider
            )
        );
        if !names_list || prep == "under" || prep == "of" {
            let scope = target_phrase::parse_scope(rest.from(values.len()), true).unwrap_or(Scope::In(target));
            return Ok(choose_all(input, labels, None, vec![scope], None));
        }
        return Ok(choose_all(input, labels, Some(target), Vec::new(), None));
    }
    let pieces = quoted_list(rest);
    if pieces.len() > 1 {
        let values: Vec<TargetPhrase> = pieces.iter().map(|piece| phrase(*piece)).collect::<Result<_, _>>()?;
        let is_value = |value: &TargetPhrase| {
            value.raw.is_none()
                && value.ordinal.is_none()
                && value.scopes.is_empty()
                && matches!(value.kind, None | Some(ElementKind::Option))
        };
        let noun = values.iter().find_map(|value| value.noun.clone());
        let names: Vec<String> = values.iter().filter(|value| is_value(value)).filter_map(|v| v.name.clone()).collect();
        if names.len() == values.len() {
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
        && let Some(name) = whole.name
    {
        let each: Vec<String> = listed.iter().map(|piece| given(*piece)).collect::<Result<_, _>>()?;
        let sets = vec![vec![name.clone()], each.clone()];
        return Ok(vec![
            instruction(input, Operation::ChooseListed { whole: name, each }),
            instruction(input, Operation::Chosen { sets, from: None, scopes: Vec::new() }),
        ]);
    }
    let mut clauses = Vec::new();
    for piece in &pieces {
        clauses.extend(click_or_tick(if pieces.len() > 1 { *piece } else { input }, phrase(*piece)?)?);
    }
    Ok(clauses)
}

/// Chooses, and looks afterwards whether several are all chosen.
fn choose_all(
    input: TokenStream<'_>,
    values: Vec<String>,
    from: Option<TargetPhrase>,
    scopes: Vec<Scope>,
    noun: Option<String>,
) -> Vec<Clause> {
    let seen = (values.len() > 1).then(|| Operation::Chosen {
        sets: vec![values.clone()],
        from: from.clone(),
        scopes: scopes.clone(),
    });
    std::iter::once(Operation::Choose { values, from, scopes, noun })
        .chain(seen)
        .map(|operation| instruction(input, operation))
        .collect()
}

pub(super) fn kinds_at_end(input: TokenStream<'_>) -> bool {
    crate::element_kind::at_end(input).is_some_and(|(kind, _)| kind == ElementKind::Option)
}

/// `Choose the radio button "Express"`, `Choose "Express"`, `Select the first row`.
pub(super) fn click_or_tick(input: TokenStream<'_>, target: TargetPhrase) -> ParseResult {
    let operation = match target.kind {
        Some(ElementKind::Checkbox | ElementKind::Radio | ElementKind::Switch) => Operation::Tick { target, on: true },
        None | Some(ElementKind::Option)
            if target.raw.is_none() && target.ordinal.is_none() && target.name.is_some() =>
        {
            Operation::Choose {
                values: vec![target.name.clone().unwrap_or_default()],
                from: None,
                scopes: target.scopes,
                noun: target.noun,
            }
        }
        _ => Operation::Click(Clicking { target, button: Button::Left, count: 1, modifiers: Vec::new() }),
    };
    Ok(vec![instruction(input, operation)])
}

pub(super) fn tick(input: TokenStream<'_>) -> ParseResult {
    let mut rest = input;
    let verb = input.lower(0);
    if verb == "switch" {
        let mut to = rest.from(1);
        to.take_prefix("back to|over to|to");
        if let Some(tab) = tab(to) {
            return Ok(vec![instruction(input, Operation::SwitchTab(tab))]);
        }
    }
    let mut on = !matches!(verb, "uncheck" | "untick" | "unmark" | "disable" | "deactivate" | "deselect" | "unselect");
    rest = rest.from(1);
    if matches!(verb, "turn" | "switch") {
        match rest.take_prefix("on|off").or_else(|| rest.take_suffix("back on|on|off")) {
            Some(word) => on = word != "off",
            None if verb == "switch" && rest.lower(0) == "to" => {
                let target = phrase(rest.from(1))?;
                return Ok(vec![instruction(
                    input,
                    Operation::Click(Clicking { target, button: Button::Left, count: 1, modifiers: Vec::new() }),
                )]);
            }
            None => return not_known(input),
        }
    }
    if verb == "toggle" {
        return click_on(rest, input, Button::Left, 1, Vec::new());
    }
    rest.take_prefix("off");
    rest.take_suffix("as checked|as selected");
    if rest.is_empty() {
        return Err(ParseError::new(input.source(), "it does not say what to tick").suggest("Tick \"Remember me\""));
    }
    let mut shared = rest.strip_articles();
    if shared.take_prefix("checkboxes|boxes|check boxes|tick boxes|options").is_some() && shared.quoted(0) {
        rest = shared;
    }
    each(rest, |target| Operation::Tick { target, on }, input)
}

pub(super) fn drag(input: TokenStream<'_>) -> ParseResult {
    let mut rest = input.from(1);
    rest.take_prefix("and drop");
    let (at, count) = rest
        .find(
            1,
            "and drop it onto|and drop it on|and drop it in|and drop it into|\
            and drop on|onto|over to|on top of|into|to|over|on",
        )
        .ok_or_else(|| {
            ParseError::new(input.source(), "it does not say onto what").suggest("Drag \"Card 1\" onto \"Done\"")
        })?;
    let target = phrase(rest.take(at))?;
    // `Transition the slider to 7` says a value.
    if target.kind == Some(ElementKind::Slider) && rest.from(at + count).text().parse::<f64>().is_ok() {
        return Ok(slide(input, target, rest.from(at + count).text()));
    }
    Ok(vec![instruction(input, Operation::Drag { target, to: phrase(rest.from(at + count))? })])
}
