//! Sentence forms for clicking, pressing keys and dragging.

use legwork_protocol::{Button, Modifier};

use super::{
    form::{FormError, FormResult, Words},
    lists::{checked, instruction, list, phrase, phrases},
    sliders::slide,
};
use crate::{
    ast::{Check, Clause, Clicking, Condition, Operation, TargetPhrase},
    element_kind::ElementKind,
    error::ParseError,
    texts,
    tokens::{TokenKind, TokenStream},
    values,
};

/// The options of a click.
#[derive(Clone)]
struct How {
    button: Button,
    count: u8,
    modifiers: Vec<Modifier>,
}

impl How {
    fn plain() -> Self {
        How { button: Button::Left, count: 1, modifiers: Vec::new() }
    }
}

/// `Click "Save"`, `Double-click "Row 1"`, `Ctrl+Shift-click "Next"`.
pub(super) fn click(words: Words<'_>) -> FormResult {
    let mut how = How::plain();
    let parts: Vec<&str> = words.whole.lower(0).split(['-', '+']).collect();
    match (parts[0], parts.as_slice()) {
        ("double" | "doubleclick", _) => how.count = 2,
        ("triple", _) => how.count = 3,
        ("right" | "rightclick" | "context", _) => how.button = Button::Right,
        ("middle", _) => how.button = Button::Middle,
        (_, [keys @ .., _]) => {
            how.modifiers =
                keys.iter().map(|key| values::modifier(key)).collect::<Option<_>>().ok_or(FormError::OtherForm)?;
        }
        _ => {}
    }
    if words.verb == "follow" && words.rest.is_empty() {
        return Err(FormError::OtherForm);
    }
    click_on(words, how)
}

/// `Toggle "Dark mode"`.
pub(super) fn toggle(words: Words<'_>) -> FormResult {
    click_on(words, How::plain())
}

/// `Download the file "report.csv"`.
pub(super) fn download(mut words: Words<'_>) -> FormResult {
    words.rest.strip_prefix("the file|file");
    let mut clauses = click_on(words, How::plain())?;
    clauses.push(awaited_download(words.whole));
    Ok(clauses)
}

pub(super) fn awaited_download(words: TokenStream<'_>) -> Clause {
    checked(Check::new(words.source(), Condition::Downloaded(None)).with_patience(None))
}

/// Removes `3 times` at the end, and returns the number.
fn strip_times(rest: &mut TokenStream<'_>) -> Result<Option<usize>, ParseError> {
    let lead = rest.drop_last(2);
    let Some(times) = values::count(rest.lower(lead.len())).filter(|_| !lead.is_empty() && rest.last() == "times")
    else {
        return Ok(None);
    };
    if !(1..=100).contains(&times) {
        return Err(rest.skip(lead.len()).not_understood("a step does something 1 to 100 times"));
    }
    *rest = lead;
    Ok(Some(times))
}

/// The rest of a click: `on the "Save" button twice with Shift held`.
fn click_on(words: Words<'_>, mut how: How) -> FormResult {
    let mut rest = words.rest;
    rest.strip_prefix("on|onto|at");
    if let Some(with) = rest.find_phrase(1, "while holding down|while holding|while pressing|holding down|holding|with")
        && let (before, keys) = rest.split_around(with)
        && add_keys(&mut how, keys, rest.lower(with.0) == "with")
    {
        rest = before;
    }
    if rest.strip_suffix("twice|two times").is_some() {
        how.count = 2;
    }
    let times = strip_times(&mut rest)?.unwrap_or(1);
    if rest.is_empty() {
        return Err(words.whole.missing("what to click").into());
    }
    let waits = rest.find_phrase(1, "to download");
    rest = waits.map_or(rest, |(at, _)| rest.take(at));
    if let Some((at, _)) = rest.find_phrase(1, "to")
        && rest.quoted(at - 1)
        && is_purpose(rest.skip(at + 1))
    {
        // `click "Save" to keep the changes`: the purpose of the click.
        rest = rest.take(at);
    }
    if rest.drop_last(1).ends_quoted() {
        rest.strip_suffix("again|once");
    }
    let targets = phrases(rest)?;
    let several = targets.len() > 1 || times > 1;
    let click = |(piece, target): &(TokenStream<'_>, TargetPhrase)| {
        let How { button, count, modifiers } = how.clone();
        let source = if several { *piece } else { words.whole };
        instruction(source, Operation::Click(Clicking { target: target.clone(), button, count, modifiers }))
    };
    let clicks = (0..times).flat_map(|_| targets.iter().map(click));
    Ok(clicks.chain(waits.map(|_| awaited_download(words.whole))).collect())
}

/// `Shift held`, `the right mouse button`. Returns whether the words have this meaning. After `with` alone they may be
/// a part of a name.
fn add_keys(how: &mut How, keys: TokenStream<'_>, after_with: bool) -> bool {
    let mut keys = keys.strip_articles();
    let said_to_be_held =
        keys.strip_suffix("key held down|key held|key pressed|held down|held|pressed|key|down").is_some();
    if keys.find_phrase(0, "right mouse button").is_some() || keys.is("right button") {
        how.button = Button::Right;
        return true;
    }
    let names: Vec<String> = list(keys).iter().map(|key| key.text().to_lowercase()).collect();
    let modifiers = names.iter().flat_map(|names| names.split('+')).map(|name| values::modifier(name.trim()));
    match modifiers.collect::<Option<Vec<Modifier>>>() {
        Some(modifiers) if !modifiers.is_empty() && (said_to_be_held || !after_with) => {
            how.modifiers.extend(modifiers);
            true
        }
        _ => false,
    }
}

/// Whether unquoted words are a verb and its object, which state the purpose of a click. A scope, another target or a
/// limit is more than a purpose.
fn is_purpose(words: TokenStream<'_>) -> bool {
    !words.is_empty()
        && words.tokens().iter().all(|token| token.kind == TokenKind::Word)
        && !words.word_is(0, "the|a|an|left|right|top|bottom")
        && texts::name(words).is_ok()
        && phrase(words).is_ok()
}

/// `Press Enter`, `Press Ctrl+A`, `Press the "Save" button`.
pub(super) fn press(words: Words<'_>) -> FormResult {
    let mut rest = words.rest;
    if rest.lower(0) == "on" {
        return click_on(words, How::plain());
    }
    let mut times = 1;
    if rest.strip_suffix("once").is_none() {
        let twice = rest.len() > 1 && rest.strip_suffix("twice").is_some();
        times = if twice { 2 } else { strip_times(&mut rest)?.unwrap_or(1) };
    }
    if let [token] = rest.tokens()
        && token.quoted()
        && let Some(key) = values::chord(&token.text)
    {
        return words.one(Operation::PressOrClick { key, target: TargetPhrase::named(&token.text) });
    }
    // `Press Enter in the field "Search"`: the key, then the target.
    let places = ["in", "on", "inside", "within", "into"].iter().filter_map(|prep| rest.find_phrase(1, prep));
    for place in std::iter::once((rest.len(), 0)).chain(places) {
        let (keys, target) = rest.split_around(place);
        let mut keys = keys.strip_articles();
        keys.strip_prefix("the key combination|the keys|the key|key|keys|the shortcut|the keyboard shortcut");
        let chord = match keys.tokens() {
            [one, key] if one.quoted() && key.lower == "key" => values::chord(&one.text),
            _ => values::chord(&keys.text()),
        };
        let Some(key) = chord else { continue };
        let on_page = target.is_empty() || target.strip_articles().word_is(0, "keyboard|page");
        let target = (!on_page).then(|| phrase(target)).transpose()?;
        return words.one(Operation::Press { key, times, target });
    }
    let clauses = click_on(Words { rest, ..words }, How::plain())?;
    Ok(std::iter::repeat_n(clauses, times).flatten().collect())
}

/// `Drag "Card 1" onto "Done"`, `Move the slider to 7`.
pub(super) fn drag(words: Words<'_>) -> FormResult {
    let onto = words.rest.find_phrase(
        1,
        "and drop it onto|and drop it on|and drop it in|and drop it into|and drop on|onto|over to|on top of|into|to|over|on",
    );
    let (from, to) = words.rest.split_around(onto.ok_or_else(|| words.whole.missing("onto what"))?);
    let target = phrase(from)?;
    // `Move the slider to 7` contains a value.
    if target.kind == Some(ElementKind::Slider) && to.text().parse::<f64>().is_ok() {
        return Ok(slide(words.whole, target, to.text()));
    }
    words.one(Operation::Drag { target, to: phrase(to)? })
}
