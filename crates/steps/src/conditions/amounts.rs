//! Parses quantities: `at least 3 rows`.

use super::subjects::{thing, understood};
use crate::{
    ast::{Comparison, Condition},
    element_kind::ElementKind,
    error::ParseError,
    target_phrase::phrase,
    tokens::TokenStream,
    values,
};

/// `at least 3`, `no`, `exactly two`, `5 or more`: the comparison, the number and the count of words.
pub(super) fn quantity(input: TokenStream<'_>) -> Option<(Comparison, usize, usize)> {
    let mut rest = input;
    let lead = rest.strip_prefix(
        "at least|at most|more than|fewer than|less than|exactly|only|no more than|no fewer than|not more than|up to",
    );
    let number = values::count(rest.lower(0))?;
    let (comparison, more) = match lead {
        Some("at least" | "no fewer than") => (Comparison::AtLeast, 0),
        Some("at most" | "no more than" | "not more than" | "up to") => (Comparison::AtMost, 0),
        Some("more than") => (Comparison::More, 0),
        Some("fewer than" | "less than") => (Comparison::Less, 0),
        _ if rest.match_at(1, "or more") > 0 => (Comparison::AtLeast, 2),
        _ if rest.match_any(1, "or fewer|or less") > 0 => (Comparison::AtMost, 2),
        _ => (Comparison::Is, 0),
    };
    (rest.len() > 1 + more).then_some((comparison, number, input.len() - rest.len() + 1 + more))
}

/// `twice`, `at least 3 times`: the whole words.
pub(super) fn times(input: TokenStream<'_>) -> Option<(Comparison, usize)> {
    let mut rest = input.trim();
    rest.strip_prefix("exactly|only");
    if rest.is("once|twice") {
        return Some((Comparison::Is, values::count(rest.lower(0))?));
    }
    let (comparison, number, taken) = quantity(rest)?;
    rest.skip(taken).is("time|times").then_some((comparison, number))
}

/// `"Desk lamp" appears 2 times`: the number of texts, unless the subject is an element of a kind.
pub(super) fn occurrences(
    subject: TokenStream<'_>,
    comparison: Comparison,
    number: usize,
) -> Result<Condition, ParseError> {
    let mut things = thing(subject)?;
    things.kind.get_or_insert(ElementKind::Text);
    Ok(Condition::Count { things, comparison, number })
}

pub(super) fn count_of(
    (comparison, number, taken): (Comparison, usize, usize),
    input: TokenStream<'_>,
) -> Result<Condition, ParseError> {
    let things = input.skip(taken);
    if things.is("tab|tabs|browser tab|browser tabs|open tabs|open tab|windows") {
        return Ok(Condition::Tabs { comparison, number });
    }
    if number == 0 && things.is("dialog|dialogs|alert|alerts") {
        return Ok(Condition::Shown(phrase(things)?).negated());
    }
    let things = understood(things, phrase(things)?)?;
    if things.kind.is_none() && !things.quoted {
        let why = format!("`{}` is not a kind of element that can be counted", things.source_text);
        return Err(input.error(why).suggest("there are 3 rows in the table \"Users\""));
    }
    if number == 0 && comparison == Comparison::Is && things.quoted {
        return Ok(Condition::Shown(things).negated());
    }
    Ok(Condition::Count { things, comparison, number })
}
