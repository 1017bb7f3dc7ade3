//! Parses statements about all rows of a table or all items of a list: what each contains, their order, and the sum of
//! a column.

use super::{problem::not_understood, subjects::thing};
use crate::{
    ast::{Comparison, Condition, RowsStatement, Scope, TargetPhrase},
    element_kind::ElementKind,
    error::ParseError,
    target_phrase::{parse_scope, phrase},
    texts::literal_text,
    tokens::TokenStream,
};

const ALL: &str = "all of the|all the|all|every one of the|every|each of the|each";
const ROWS: &str = "rows|row|items|item|entries|entry|results|result|records|record|lines|line";
const VALUES: &str = "values|value|cells|cell|texts|text";

/// `all rows contain "Paid"`, `every value in the column "Status" is "Paid"`. `None` if the subject is something else.
pub(super) fn each(
    about: TokenStream<'_>,
    comparison: Comparison,
    value: TokenStream<'_>,
) -> Result<Option<Condition>, ParseError> {
    let mut things = about.trim();
    if things.strip_prefix(ALL).is_none() {
        return Ok(None);
    }
    let mut value = value;
    let (column, place) = if things.strip_prefix(VALUES).is_some() {
        let (column, place) = column_and_place(things.skip(usize::from(things.word_is(0, "in|of"))))?;
        (Some(column), place)
    } else if things.strip_prefix(ROWS).is_some() {
        // `all rows contain "Paid" in the column "Status"`
        let column = match value.find_phrase(1, "in the column|in column|as the|as").filter(|_| value.quoted(0)) {
            Some(place) => {
                let (before, column) = value.split_around(place);
                value = before;
                Some(name_of(column)?)
            }
            None => None,
        };
        (column, place_of(things)?)
    } else {
        return Ok(None);
    };
    let value = literal_text(value)?;
    Ok(Some(Condition::Rows { place, statement: RowsStatement::Each { column, comparison, value } }))
}

/// `all rows have the status "Paid"`: a column and its value. `None` if the subject is something else.
pub(super) fn each_has(about: TokenStream<'_>, rest: TokenStream<'_>) -> Result<Option<Condition>, ParseError> {
    let words = rest.strip_articles();
    match (words.quoted(0), words.ends_quoted() && words.quotes() == 1) {
        (true, _) => each(about, Comparison::Contains, words),
        (false, true) => {
            let (column, value) = (words.drop_last(1), words.skip(words.len() - 1));
            let Some(Condition::Rows { place, statement: RowsStatement::Each { value, column: None, .. } }) =
                each(about, Comparison::Is, value)?
            else {
                return Ok(None);
            };
            let statement = RowsStatement::Each { column: Some(name_of(column)?), comparison: Comparison::Is, value };
            Ok(Some(Condition::Rows { place, statement }))
        }
        _ => Ok(None),
    }
}

/// The words after `the rows are`: `sorted by "Name" in descending order`. `None` if they say something else.
pub(super) fn sorted(about: TokenStream<'_>, rest: TokenStream<'_>) -> Result<Option<Condition>, ParseError> {
    let mut by = rest.trim();
    if by.strip_prefix("sorted|ordered|in alphabetical order").is_none() {
        return Ok(None);
    }
    let descending = direction(&mut by);
    let is_by = by.strip_prefix("by|according to|on").is_some();
    let about = about.trim().strip_articles();
    if about.lower(0) == "column" || about.last() == "column" {
        if !by.is_empty() {
            return Err(not_understood(rest));
        }
        let (column, place) = column_and_place(about)?;
        let statement = RowsStatement::Sorted { column: Some(column), descending };
        return Ok(Some(Condition::Rows { place, statement }));
    }
    match (is_by, by.is_empty()) {
        (true, false) => sorting(about, by, descending).map(|sorting| Some(sorting.condition())),
        // The items of a list have no columns.
        (false, true) if descending.is_some() => {
            let statement = RowsStatement::Sorted { column: None, descending };
            Ok(Some(Condition::Rows { place: sorted_place(about)?, statement }))
        }
        _ => Err(rest.missing("by which column").suggest("the rows are sorted by \"Name\"")),
    }
}

/// The rows of a place, sorted by a column; in either direction if none is given.
#[derive(Clone)]
pub(crate) struct Sorting {
    pub(crate) place: Option<TargetPhrase>,
    pub(crate) column: String,
    pub(crate) descending: Option<bool>,
}

impl Sorting {
    pub(crate) fn condition(self) -> Condition {
        let statement = RowsStatement::Sorted { column: Some(self.column), descending: self.descending };
        Condition::Rows { place: self.place, statement }
    }
}

/// Parses a column, whose words may contain the direction: `"Amount", highest first`.
pub(crate) fn sorting(
    place: TokenStream<'_>,
    column: TokenStream<'_>,
    descending: Option<bool>,
) -> Result<Sorting, ParseError> {
    let mut column = column.trim();
    let descending = descending.or_else(|| direction(&mut column));
    Ok(Sorting { place: sorted_place(place)?, column: name_of(column.trim())?, descending })
}

/// `the rows in "Orders"`, `the table "Orders"`, `"Orders"`; nothing for the only table of the page.
fn sorted_place(words: TokenStream<'_>) -> Result<Option<TargetPhrase>, ParseError> {
    let mut words = words.trim().strip_articles();
    match () {
        () if words.is_empty() || words.is("table|list|page|grid") => Ok(None),
        () if words.strip_prefix(ROWS).is_some() => place_of(words),
        () => phrase(words).map(Some),
    }
}

/// Removes the words for a direction at either end.
fn direction(words: &mut TokenStream<'_>) -> Option<bool> {
    const UP: &str = "in ascending order|ascending|from a to z|alphabetically|in alphabetical order|from low to high|\
        from lowest to highest|lowest first|smallest first|oldest first|upwards|asc";
    const DOWN: &str = "in descending order|descending|from z to a|in reverse alphabetical order|from high to low|\
        from highest to lowest|highest first|largest first|newest first|latest first|downwards|desc";
    let found = |words: &mut TokenStream<'_>, phrases| {
        words.strip_suffix(phrases).is_some() || words.strip_prefix(phrases).is_some()
    };
    match found(words, DOWN) {
        true => Some(true),
        false => found(words, UP).then_some(false),
    }
}

/// The words after `the sum of`: `the column "Amount" in "Orders"`.
pub(super) fn sum(
    column: TokenStream<'_>,
    comparison: Comparison,
    value: TokenStream<'_>,
) -> Result<Condition, ParseError> {
    let (column, place) = column_and_place(column)?;
    let value = literal_text(value)?;
    if legwork_observe::numbers::written(&value).is_none() {
        return Err(not_understood_number(&value));
    }
    Ok(Condition::Rows { place, statement: RowsStatement::Sum { column, comparison, value } })
}

fn not_understood_number(value: &str) -> ParseError {
    ParseError::new(value, format!("`{value}` is not a number")).suggest("the sum of the column \"Amount\" is 350")
}

/// `the column "Amount" in the table "Orders"`, `the "Amount" column`, `"Amount"`.
fn column_and_place(words: TokenStream<'_>) -> Result<(String, Option<TargetPhrase>), ParseError> {
    let mut column = phrase(words)?;
    let place = match (column.scopes.pop(), column.scopes.is_empty()) {
        (Some(Scope::In(place) | Scope::Under(place)), true) => Some(place),
        (None, _) => None,
        _ => return Err(not_understood(words)),
    };
    let is_column = column.kind.is_none_or(|kind| kind == ElementKind::Column) && column.ordinal.is_none();
    match column.name.filter(|_| is_column) {
        Some(name) => Ok((name, place)),
        None => Err(words.not_understood("a column has a name").suggest("the column \"Amount\" in \"Orders\"")),
    }
}

/// The name of a column: `"Amount"`, `amount`, `the column "Amount"`.
fn name_of(words: TokenStream<'_>) -> Result<String, ParseError> {
    let mut words = words.strip_articles();
    if !words.quoted(0) {
        words.strip_prefix("column|field");
        words.strip_suffix("column");
    }
    if words.len() == 1 || words.quotes() == 0 && !words.is_empty() {
        return Ok(words.text());
    }
    Err(words.not_understood("a column has one name"))
}

/// `in the table "Orders"`, `of "Orders"`; nothing for the only table of the page.
fn place_of(words: TokenStream<'_>) -> Result<Option<TargetPhrase>, ParseError> {
    let mut words = words.trim();
    words.strip_suffix("on the page|on this page|shown");
    if words.is_empty() {
        return Ok(None);
    }
    let mut name = words;
    if name.strip_prefix("of").is_some() {
        return Ok(Some(thing(name)?));
    }
    match parse_scope(words, true) {
        Some(Scope::In(place) | Scope::Under(place)) => Ok(Some(place)),
        _ => Err(not_understood(words)),
    }
}
