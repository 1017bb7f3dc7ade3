//! Sentence forms for URLs, browser tabs and scrolling.

use legwork_protocol::{Direction, Modifier};

use super::{
    form::{FormError, FormResult, Words},
    lists::phrase,
};
use crate::{
    ast::{Clicking, Operation, Ordinal, Tabs, TargetPhrase},
    element_kind::ElementKind,
    target_phrase::ordinal,
    tokens::TokenStream,
    values,
};

/// `Open https://example.com`, `Go to "Chairs"`, `Open a new tab`.
pub(super) fn open(words: Words<'_>) -> FormResult {
    let mut rest = words.rest;
    if rest.strip_articles().is_empty() {
        return Err(words.whole.missing("where to go").into());
    }
    let mut bare = rest.strip_articles();
    if bare.strip_prefix("new browser tab|new tab|another tab|new window|blank tab|empty tab").is_some() {
        bare.strip_prefix(
            "with the address|with the url|and go to|with|at|on|for|to|and open|and visit|and navigate to",
        );
        let address = bare.strip_articles();
        return words.one(Operation::NewTab((!address.is_empty()).then(|| values::address(&address.text()))));
    }
    let in_tab =
        rest.strip_suffix("in a new browser tab|in a new tab|in another tab|in a new window|in new tab").is_some();
    let mut bare = rest.strip_articles();
    if bare.len() > 1 {
        bare.strip_prefix("web page|webpage|page at|page|website|web site|site|url|address|web address");
        bare.strip_prefix("at|:");
        bare = bare.trim();
    }
    if let [token] = bare.tokens()
        && values::is_address(&token.text, token.quoted())
    {
        let url = values::address(&token.text);
        return words.one(if in_tab { Operation::NewTab(Some(url)) } else { Operation::Open(url) });
    }
    if let Some(tab) = tab(rest) {
        return words.one(Operation::SwitchTab(tab));
    }
    if rest.strip_articles().match_at(0, "previous page") > 0 {
        return words.one(Operation::Back);
    }
    let modifiers = if in_tab { vec![Modifier::Control] } else { Vec::new() };
    words.one(Operation::Click(Clicking { modifiers, ..Clicking::on(phrase(rest)?) }))
}

/// Parses a reference to a browser tab.
fn tab(words: TokenStream<'_>) -> Option<Tabs> {
    let named = |name: TokenStream<'_>| {
        let phrase = TargetPhrase { kind: Some(ElementKind::Tab), ..TargetPhrase::named(name.text()) };
        name.quoted(0).then(|| Tabs::Named(Box::new(phrase)))
    };
    let mut rest = words.strip_articles();
    if rest.strip_prefix("tab number|tab no|tab|browser tab|window").is_some() && !rest.is_empty() {
        if let Ok(number) = rest.lower(0).parse() {
            return (rest.len() == 1).then_some(Tabs::Nth(number));
        }
        rest.strip_prefix(
            "with the title|titled|named|called|with title|with the address|with|containing|whose title is",
        );
        return named(rest);
    }
    let mut rest = words.strip_articles();
    rest.strip_suffix("browser tab|tab|window")?;
    if let Some((ordinal, count)) = ordinal(rest)
        && count == rest.len()
    {
        return Some(match ordinal {
            Ordinal::Nth(number) => Tabs::Nth(number),
            Ordinal::FromEnd(number) => Tabs::FromEnd(number),
        });
    }
    match rest.text().to_lowercase().as_str() {
        "new" | "newest" | "newly opened" | "opened" | "latest" | "just opened" | "popup" => Some(Tabs::Newest),
        "previous" | "original" => Some(Tabs::Previous),
        "next" => Some(Tabs::Next),
        "other" => Some(Tabs::Other),
        "main" | "initial" => Some(Tabs::Nth(1)),
        _ if rest.len() == 1 => named(rest),
        _ => None,
    }
}

/// `Switch to the second tab`.
pub(super) fn switch_tab(words: Words<'_>) -> FormResult {
    words.one(Operation::SwitchTab(tab(words.rest).ok_or(FormError::OtherForm)?))
}

/// `Close the tab`.
pub(super) fn close_tab(words: Words<'_>) -> FormResult {
    if words.rest.strip_articles().is("tab|current tab|window|browser tab|page") {
        return words.one(Operation::CloseTab(None));
    }
    words.one(Operation::CloseTab(Some(tab(words.rest).ok_or(FormError::OtherForm)?)))
}

/// Phrases for scroll directions.
const DIRECTIONS: &[(Direction, &str)] = &[
    (Direction::Bottom, "all the way down|down to the bottom|to the very bottom|to the bottom|to bottom|to the end"),
    (
        Direction::Top,
        "all the way up|up to the top|back to the top|to the very top|to the top|to top|to the beginning|to the start",
    ),
    (Direction::Up, "back up|upwards|up"),
    (Direction::Down, "downwards|down"),
    (Direction::Left, "to the left|left"),
    (Direction::Right, "to the right|right"),
];

/// `Scroll down 2 screens`, `Scroll to "Terms"`, `Scroll the list to the end`.
pub(super) fn scroll(words: Words<'_>) -> FormResult {
    let mut rest = words.rest;
    if rest.strip_suffix("into view|into the view").is_some() {
        return words.one(Operation::ScrollTo(phrase(rest)?));
    }
    rest.strip_prefix("the page|page");
    let places = DIRECTIONS.iter().filter_map(|(direction, phrases)| {
        let (at, count) = rest.find_phrase(0, phrases)?;
        Some((at, count, *direction))
    });
    // The first match, and among those the longest.
    let Some((at, count, direction)) = places.min_by_key(|(at, count, _)| (*at, std::cmp::Reverse(*count))) else {
        rest.strip_prefix("to|until you see|until|towards");
        rest.strip_suffix("is visible|is in view|is shown|appears");
        return words.one(Operation::ScrollTo(phrase(rest)?));
    };
    let (before, mut after) = rest.split_around((at, count));
    let mut screens = None;
    let word = after.lower(0);
    let number = word.parse().ok().or_else(|| values::count(word).map(|n| n as f64)).or((word == "a").then_some(1.0));
    if number.is_some() && after.word_is(1, "screen|screens|page|pages|times") {
        screens = number;
        after = after.skip(2);
    } else if after.strip_prefix("by one screen").is_some() {
        screens = Some(1.0);
    }
    let towards = after.word_is(0, "to|until|towards");
    after.strip_prefix("in|inside|within|of|on|to|until|towards");
    let is_page = |words: TokenStream<'_>| words.is_empty() || words.strip_articles().is("page|screen|window");
    let target = if !is_page(before) {
        // `the list to the end of its items`. A longer rest is another instruction without a conjunction.
        if after.strip_articles().len() > 1 {
            return Err(FormError::OtherForm);
        }
        Some(phrase(before)?)
    } else if !is_page(after) {
        let target = phrase(after)?;
        if towards {
            return words.one(Operation::ScrollTo(target));
        }
        Some(target)
    } else {
        None
    };
    words.one(Operation::Scroll { direction, screens, target })
}
