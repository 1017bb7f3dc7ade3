//! Builders of instructions about URLs and scrolling.

use legwork_protocol::{Action, Direction, Modifier, Scroll};

use super::{
    form::{FormError, FormResult, Matched},
    lists::phrase,
    slots::{names_page, tab},
};
use crate::{
    ast::{ClickOperation, Operation, Purpose, TargetPhrase},
    values,
};

/// `Open https://example.com in a new tab`.
pub(super) fn open(found: &Matched<'_>) -> FormResult {
    let url = values::address(&found.words("url").strip_articles().text());
    found.act(if found.phrase("tab").is_empty() { Operation::Open(url) } else { Operation::NewTab(Some(url)) })
}

/// `Open a new tab at example.com`.
pub(super) fn open_tab(found: &Matched<'_>) -> FormResult {
    let address = found.words("address").strip_articles();
    found.act(Operation::NewTab((!address.is_empty()).then(|| values::address(&address.text()))))
}

/// `Go to "Chairs"`.
pub(super) fn follow(found: &Matched<'_>) -> FormResult {
    let modifiers = if found.phrase("tab").is_empty() { Vec::new() } else { vec![Modifier::Control] };
    found.act(Operation::Click(ClickOperation { modifiers, ..ClickOperation::on(found.target()?) }))
}

/// `Switch to the second tab`, `Close the tab`.
pub(super) fn on_tab(found: &Matched<'_>) -> FormResult {
    let tab = tab(found.words("tab")).ok_or(FormError::OtherForm)?;
    found.act(match found.clause.verb {
        "close" => Operation::CloseTab(tab),
        _ => Operation::SwitchTab(tab),
    })
}

/// `Scroll to "Terms"`.
pub(super) fn scroll_to(found: &Matched<'_>, target: TargetPhrase) -> FormResult {
    let scroll = |target| [Action::Scroll(Scroll { target, ..Scroll::default() })];
    found.act_on(Some(target), Purpose::Any, scroll)
}

/// `Scroll down 2 screens`, `Scroll the list to the end`, `Scroll down to "Terms"`.
pub(super) fn scroll(found: &Matched<'_>) -> FormResult {
    let direction = match found.phrase("direction") {
        "all the way down" => Direction::Bottom,
        to if to.ends_with("bottom") || to.ends_with("end") => Direction::Bottom,
        "all the way up" => Direction::Top,
        to if to.ends_with("top") || to.ends_with("beginning") || to.ends_with("start") => Direction::Top,
        to if to.contains("up") => Direction::Up,
        to if to.contains("left") => Direction::Left,
        to if to.contains("right") => Direction::Right,
        _ => Direction::Down,
    };
    let (before, mut after) = (found.words("before"), found.words("after"));
    let word = after.lower(0);
    let number = word.parse().ok().or_else(|| values::count(word).map(|n| n as f64)).or((word == "a").then_some(1.0));
    let mut screens = number.filter(|_| after.word_is(1, "screen|screens|page|pages|times"));
    if screens.is_some() {
        after = after.skip(2);
    } else if after.strip_prefix("by one screen").is_some() {
        screens = Some(1.0);
    }
    let towards = after.word_is(0, "to|until|towards");
    after.strip_prefix("in|inside|within|of|on|to|until|towards");
    if !names_page(before) && after.strip_articles().len() > 1 {
        // `the list to the end of its items`. A longer rest is another instruction without a conjunction.
        return Err(FormError::OtherForm);
    }
    let place = if names_page(before) { after } else { before };
    let target = (!names_page(place)).then(|| phrase(place)).transpose()?;
    match target {
        Some(target) if towards && names_page(before) => scroll_to(found, target),
        target => found.act(Operation::Scroll { direction, screens, target }),
    }
}
