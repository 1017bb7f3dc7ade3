//! Builders of clicks, key presses and downloads.

use legwork_protocol::{Action, Button, Modifier, Press};

use super::{
    form::{FormError, FormResult, Matched},
    lists::{checked, instruction, list, phrase, phrases},
    slots,
};
use crate::{
    ast::{Check, Clause, ClickOperation, Condition, Operation, Purpose, TargetPhrase},
    target_phrase, texts,
    tokens::{TokenKind, TokenStream},
    values,
};

/// `Click "Save"`, `Double-click "Row 1"`, `Ctrl+Shift-click "Next"`.
pub(super) fn click(found: &Matched<'_>) -> FormResult {
    let mut options = ClickOperation::on(TargetPhrase::default());
    let parts: Vec<&str> = found.clause.whole.lower(0).split(['-', '+']).collect();
    match (parts[0], parts.as_slice()) {
        ("double" | "doubleclick", _) => options.count = 2,
        ("triple", _) => options.count = 3,
        ("right" | "rightclick" | "context", _) => options.button = Button::Right,
        ("middle", _) => options.button = Button::Middle,
        (_, [keys @ .., _]) => {
            let keys: Option<Vec<Modifier>> = keys.iter().map(|key| values::modifier(key)).collect();
            options.modifiers = keys.ok_or(FormError::OtherForm)?;
        }
        _ => {}
    }
    click_with(found, options)
}

/// `on the "Save" button twice with Shift held`.
pub(super) fn click_once(found: &Matched<'_>) -> FormResult {
    click_with(found, ClickOperation::on(TargetPhrase::default()))
}

/// `Press the "Save" button 3 times`.
pub(super) fn click_times(found: &Matched<'_>) -> FormResult {
    let clauses = click_once(found)?;
    Ok(std::iter::repeat_n(clauses, found.times()).flatten().collect())
}

fn click_with(found: &Matched<'_>, mut options: ClickOperation) -> FormResult {
    let mut rest = found.words("click");
    rest.strip_prefix("on|onto|at");
    if let Some(with) = rest.find_phrase(1, "while holding down|while holding|while pressing|holding down|holding|with")
        && let (before, keys) = rest.split_around(with)
        && add_keys(&mut options, keys, rest.lower(with.0) == "with")
    {
        rest = before;
    }
    // Not a double click: `Click "Next" twice` leads two pages on, and the second click is on the page that the first
    // opened.
    let (lead, times) = match rest.last() {
        "times" | "twice" => slots::without_times(rest)?.unwrap_or((rest, 1)),
        _ => (rest, 1),
    };
    let waits = lead.find_phrase(1, "to download");
    rest = waits.map_or(lead, |(at, _)| lead.take(at));
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
    if rest.is_empty() {
        return Err(found.missing("what to click").into());
    }
    let targets = match target_phrase::cell_of_record(rest)? {
        Some(cell) => vec![(rest, cell)],
        None => phrases(rest)?,
    };
    let several = targets.len() > 1 || times > 1;
    let click = |(piece, target): &(TokenStream<'_>, TargetPhrase)| {
        let source = if several { *piece } else { found.clause.whole };
        instruction(source, Operation::Click(ClickOperation { target: target.clone(), ..options.clone() }))
    };
    let clicks = (0..times).flat_map(|_| targets.iter().map(click));
    Ok(clicks.chain(waits.map(|_| awaited_download(found.clause.whole))).collect())
}

/// `Shift held`, `the right mouse button`. Returns whether the words have this meaning. After `with` alone they may be
/// a part of a name.
fn add_keys(options: &mut ClickOperation, keys: TokenStream<'_>, after_with: bool) -> bool {
    let mut keys = keys.strip_articles();
    let is_held = keys.strip_suffix("key held down|key held|key pressed|held down|held|pressed|key|down").is_some();
    if keys.find_phrase(0, "right mouse button").is_some() || keys.is("right button") {
        options.button = Button::Right;
        return true;
    }
    let names: Vec<String> = list(keys).iter().map(|key| key.text().to_lowercase()).collect();
    let modifiers = names.iter().flat_map(|names| names.split('+')).map(|name| values::modifier(name.trim()));
    match modifiers.collect::<Option<Vec<Modifier>>>() {
        Some(modifiers) if !modifiers.is_empty() && (is_held || !after_with) => {
            options.modifiers.extend(modifiers);
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

/// `Press Enter in the "Search" field`.
pub(super) fn press(found: &Matched<'_>) -> FormResult {
    let key = slots::key(found.words("key")).ok_or(FormError::OtherForm)?;
    let target = found.part_of_page("target")?;
    found.act_on(target, Purpose::Any, |target| {
        let press = |at| Action::Press(Press { key: key.clone(), target: target.clone().filter(|_| at == 0) });
        (0..found.times()).map(press).collect::<Vec<Action>>()
    })
}

/// `Press "Delete"`: a key or a button.
pub(super) fn press_or_click(found: &Matched<'_>) -> FormResult {
    let name = found.words("click").text();
    let Some(key) = values::chord(&name) else { return click_times(found) };
    let operation = Operation::PressOrClick { key, target: TargetPhrase::named(name) };
    found.acts(std::iter::repeat_n(operation, found.times()))
}

/// `Download "report.csv"`: the click that starts the download, and the wait for it.
pub(super) fn download(found: &Matched<'_>) -> FormResult {
    let mut clauses = click_once(found)?;
    clauses.push(awaited_download(found.clause.whole));
    Ok(clauses)
}

/// `Click "Export" and download the file`: the click before it starts the download.
pub(super) fn started_download(found: &Matched<'_>) -> FormResult {
    if !found.clause.follows_action {
        return Err(found.missing("what to click to download it").into());
    }
    Ok(vec![awaited_download(found.clause.whole)])
}

pub(super) fn awaited_download(words: TokenStream<'_>) -> Clause {
    checked(Check::new(words.source(), Condition::Downloaded(None)).with_timeout(None))
}
