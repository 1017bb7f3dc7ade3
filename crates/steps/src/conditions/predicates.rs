//! Parses predicates: `is …`, `has …`, `contains …`, `there is …`.

use legwork_observe::numbers;

use super::{
    amounts::{count_of, occurrences, quantity, times},
    not_understood, rows,
    subjects::{Subject, file_name, is_js_dialog, shown, subject, thing, within},
};
use crate::{
    ast::{Comparison, Condition, ElementState, Scope},
    element_kind::{self, ElementKind},
    error::ParseError,
    target_phrase::{parse_scope, phrase},
    texts::literal_text,
    tokens::TokenStream,
    values,
};

pub(super) fn says(
    about: TokenStream<'_>,
    comparison: Comparison,
    value: TokenStream<'_>,
) -> Result<Condition, ParseError> {
    let mut value = value.trim();
    value.strip_prefix("the text|the words|the value|text|exactly");
    if value.is_empty() {
        return Err(about.missing("what it should be").suggest("the field \"Name\" is \"Ada\""));
    }
    if let Some(count) = number_of(about, comparison, value)? {
        return Ok(count);
    }
    if let Some(all) = rows::each(about, comparison, value)? {
        return Ok(all);
    }
    // `the page contains "x"`, `the list contains 3 items`
    let number = quantity(value);
    if about.strip_articles().is("page|this page|screen|page body|body|site") {
        return number.map_or_else(|| Ok(Condition::Shown(thing(value)?)), |number| count_of(number, value));
    }
    if comparison == Comparison::Contains && number.is_some() && element_kind::at_end(value).is_some() {
        return has(about, value);
    }
    let value = literal_text(value)?;
    if comparison == Comparison::Matches
        && let Some(expression) = value.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'))
        && regex::Regex::new(expression).is_err()
    {
        return Err(about.error(format!("`{expression}` is not a regular expression")));
    }
    Ok(match subject(about)? {
        Subject::Title => Condition::Title { comparison, value },
        Subject::Address => Condition::Address { comparison, value },
        Subject::Variable(name) => Condition::Variable { name, comparison, value },
        Subject::Dialog => {
            let comparison = if comparison == Comparison::Is { Comparison::Contains } else { comparison };
            Condition::Dialog { comparison, value: Some(value) }
        }
        Subject::Element(subject) => Condition::Says { subject: *subject, comparison, value },
    })
}

/// `the number of rows is 2`, `the number of rows in "Users" is greater than 2`, `the sum of the column "Amount" is 350`.
/// `the number of "INV-1"` is a column.
fn number_of(
    about: TokenStream<'_>,
    comparison: Comparison,
    value: TokenStream<'_>,
) -> Result<Option<Condition>, ParseError> {
    let mut things = about.trim().strip_articles();
    let of = things.strip_prefix("number of|count of|sum of|total of|average of");
    let words = things;
    let Some(things) = of.and_then(|_| phrase(things).ok()) else { return Ok(None) };
    let is_counted = things.kind.is_some_and(|kind| kind != ElementKind::Text) && things.property.is_none();
    match (of, values::count(&value.text().to_lowercase())) {
        (Some("sum of" | "total of"), _) if things.kind == Some(ElementKind::Column) => {
            rows::sum(words, comparison, value).map(Some)
        }
        (Some("average of"), _) if things.kind == Some(ElementKind::Column) => {
            let why = "an average is not computed; a check compares what the page shows, or a sum";
            Err(about.error(why).suggest("the sum of the column \"Amount\" is 350"))
        }
        (Some("number of" | "count of"), Some(number)) if is_counted && comparison.is_of_quantity() => {
            Ok(Some(Condition::Count { things, comparison, number }))
        }
        _ => Ok(None),
    }
}

/// Comparisons after `is`.
const COMPARISONS: &[(&str, Comparison)] = &[
    ("greater than or equal to|more than or equal to|at least", Comparison::AtLeast),
    ("less than or equal to|at most", Comparison::AtMost),
    ("greater than|more than|larger than|higher than|over|above|bigger than", Comparison::More),
    ("less than|fewer than|smaller than|lower than|below|under", Comparison::Less),
    ("equal to|the same as", Comparison::Is),
];

/// Prepositions that start a scope and therefore not a value.
const PLACES: &str = "in|inside|within|on|among|amongst|under|underneath|beneath|at|of|from|part|beside|between|behind";

/// Parses the words after `is`.
pub(super) fn copula(about: TokenStream<'_>, rest: TokenStream<'_>) -> Result<Condition, ParseError> {
    let mut rest = rest.trim();
    rest.strip_prefix("also|both|all|exactly|set to|filled with|filled in with");
    if rest.is_empty() {
        return Err(about.missing("what it should be").suggest("\"Welcome\" is shown"));
    }
    if rest.quoted(0) {
        return says(about, Comparison::Is, rest);
    }
    if let Some(condition) = presence(about, rest)? {
        return Ok(condition);
    }
    if let Some(sorted) = rows::sorted(about, rest)? {
        return Ok(sorted);
    }
    if let Some(condition) = at_position(about, rest) {
        return Ok(condition);
    }
    if rest.is("empty|blank") {
        return Ok(Condition::Empty(phrase(about)?));
    }
    if let Some(state) = ElementState::named(&rest.text().to_lowercase()) {
        return in_state(about, state);
    }
    if rest.len() > 1 {
        rest.strip_prefix("open|opened");
    }
    // `"Red" is selected in "Colour"`
    let mut list = rest;
    if list.strip_prefix("selected|chosen").is_some()
        && list.strip_prefix("in|from|for|as").is_some()
        && !list.is_empty()
    {
        let value = about.strip_articles().text();
        return Ok(Condition::Says { subject: phrase(list)?, comparison: Comparison::Is, value });
    }
    for (phrases, comparison) in COMPARISONS {
        let mut value = rest;
        if value.strip_prefix(phrases).is_some() {
            return compares(about, *comparison, value);
        }
    }
    let words = rest.text_as_written();
    if rest.word_is(0, "after|before|later|earlier|older|newer|negative|positive") {
        return Err(rest
            .not_understood(format!("`{words}` is not a known comparison"))
            .suggest("the amount is greater than 10, \"Due\" is \"2026-05-01\""));
    }
    if rest.word_is(0, PLACES) && rest.len() > 1 {
        return Err(rest.not_understood(format!("`{words}` is not a known place")).suggest(
            "\"Globex\" is not in the list \"Customers\", \"Ada\" is in the table, the status is \"in progress\"",
        ));
    }
    says(about, Comparison::Is, rest)
}

/// `is shown`, `is in the table "Users"`, `is gone`, `is downloaded`.
fn presence(about: TokenStream<'_>, mut rest: TokenStream<'_>) -> Result<Option<Condition>, ParseError> {
    if rest.is("downloaded|saved")
        && let Some(name) = file_name(about)
    {
        return Ok(Some(Condition::Downloaded(name)));
    }
    // `"Bob" is in the table "Users"`
    if rest.word_is(0, "in|inside|within|under") && rest.lower(1) != "focus" && parse_scope(rest, true).is_some() {
        return within(shown(about)?, rest).map(Some);
    }
    let gone = "gone|absent|hidden|missing|invisible|not shown|removed|no more";
    if rest.is(gone) || rest.is("closed") && names_dialog(about) {
        return Ok(Some(shown(about)?.negated()));
    }
    let words = "shown|visible|displayed|present|on the page|on this page|on the screen|on screen|there|seen|listed|\
        available|to be seen|open|opened";
    let is_shown = match rest.strip_prefix(words) {
        Some("open" | "opened") => is_js_dialog(about) || names_dialog(about),
        words => words.is_some(),
    };
    if !is_shown {
        return Ok(None);
    }
    rest.strip_prefix("on the page|on this page|on the screen");
    if let Some((comparison, number)) = times(rest) {
        return Ok(Some(occurrences(about, comparison, number)?));
    }
    let shown = shown(about)?;
    if rest.is_empty() { Ok(Some(shown)) } else { within(shown, rest).map(Some) }
}

/// `"Ada" is the first row`, `"Ada" is in the last row`: the row at this position contains it.
fn at_position(about: TokenStream<'_>, rest: TokenStream<'_>) -> Option<Condition> {
    let mut place = rest;
    place.strip_prefix("in");
    let place = phrase(place).ok()?;
    let is_row = matches!(place.kind, Some(ElementKind::Row | ElementKind::Item)) && place.name.is_none();
    let is_text = about.len() == 1 && about.quoted(0);
    (is_row && is_text && place.ordinal.is_some()).then(|| Condition::Says {
        subject: place,
        comparison: Comparison::Contains,
        value: about.text(),
    })
}

fn names_dialog(input: TokenStream<'_>) -> bool {
    let kind = phrase(input).ok().and_then(|phrase| phrase.kind);
    matches!(kind, Some(ElementKind::Dialog | ElementKind::Alert | ElementKind::Menu))
}

/// `"News" is checked`, `none of the "Save" buttons is enabled`.
fn in_state(about: TokenStream<'_>, state: ElementState) -> Result<Condition, ParseError> {
    let mut things = about.trim();
    let lead = things
        .strip_prefix("all of the|all the|all|every one of the|every|each of the|each|none of the|no|not a single");
    let Some(lead) = lead else { return Ok(Condition::State { subject: phrase(about)?, state }) };
    let things = phrase(things)?;
    if things.kind.is_none() && !things.quoted {
        return Err(not_understood(about));
    }
    Ok(Condition::Every { things, state, not: matches!(lead, "none of the" | "no" | "not a single") })
}

/// `is greater than 10`.
fn compares(about: TokenStream<'_>, comparison: Comparison, value: TokenStream<'_>) -> Result<Condition, ParseError> {
    let condition = says(about, comparison, value)?;
    if let Condition::Says { value, .. } | Condition::Variable { value, .. } = &condition
        && comparison != Comparison::Is
        && numbers::written(value).is_none()
    {
        let why = format!("`{value}` is not a number");
        return Err(about.error(why).suggest("the variable total is greater than 10"));
    }
    Ok(condition)
}

/// Parses the words after `has`: `has the value "x"`, `has 3 items`, `has focus`.
pub(super) fn has(about: TokenStream<'_>, rest: TokenStream<'_>) -> Result<Condition, ParseError> {
    let mut rest = rest.trim();
    if rest.strip_articles().is("focus") {
        return Ok(Condition::State { subject: phrase(about)?, state: ElementState::Focused });
    }
    if rest.strip_prefix("the value|value|the text|text|a value of|the content|the title|title").is_some() {
        rest.strip_prefix("of");
        return says(about, Comparison::Is, rest);
    }
    if rest.lower(0) == "been" {
        return copula(about, rest.skip(1));
    }
    if let Some(all) = rows::each_has(about, rest)? {
        return Ok(all);
    }
    if rest.strip_articles().word_is(0, "href|src|class|attribute|id|alt|style") {
        let why = "attributes are not checked; save them first";
        return Err(about.error(why).suggest("Save the href of \"Home\" as home"));
    }
    let mut condition = there_is(rest, rest)?;
    if about.strip_articles().is("page|browser") {
        return Ok(condition);
    }
    let is_counted = matches!(condition, Condition::Shown(_) | Condition::Count { .. });
    if !is_counted || !condition.limit_to(&Scope::In(phrase(about)?)) {
        return Err(not_understood(rest));
    }
    Ok(condition)
}

/// Parses the words after `there is`: a number of things, or one thing.
pub(super) fn there_is(input: TokenStream<'_>, whole: TokenStream<'_>) -> Result<Condition, ParseError> {
    let mut input = input.trim();
    input.strip_suffix("on the page|on this page|shown|left|visible|open|displayed|in total");
    if let Some(number) = quantity(input) {
        return count_of(number, input);
    }
    if input.is_empty() {
        return Err(not_understood(whole));
    }
    Ok(Condition::Shown(thing(input)?))
}
