//! Evaluates statements about all rows of a table or all items of a list.
//!
//! They are about the rows that the page contains. If the page declares more (a table that draws only the visible part),
//! nothing can be said about all of them.

use legwork_observe::{Snapshot, States, numbers};
use legwork_protocol::EvidenceKind;

use super::{
    compare::fits,
    finding::{Evaluation, Finding, cannot_tell, decided},
    states::plural,
    visibility::states,
};
use crate::{
    ast::{Comparison, RowsStatement, TargetPhrase},
    find::{self, Purpose},
    name_match::normalize_whitespace,
    rows::{self, LoopRow},
    values,
};

pub(super) fn rows(place: Option<&TargetPhrase>, statement: &RowsStatement, page: &Snapshot) -> Evaluation {
    let found = rows::rows_of(page, place)?;
    let count = found.rows.len();
    let stated = stated_by_header(page, place, statement);
    if let Some(declared) = found.declared.filter(|_| stated.is_none()) {
        return Err(cannot_tell(format!("the page contains {count} of {declared} rows")));
    }
    if !page.cut.is_empty() {
        return Err(cannot_tell("the page was too large to be captured completely"));
    }
    if count == 0 {
        return Err(cannot_tell("there are no rows, so nothing can be said of all"));
    }
    match statement {
        RowsStatement::Each { column, comparison, value } => {
            each(page, &found.rows, column.as_deref(), *comparison, value)
        }
        RowsStatement::Sorted { column, descending } => {
            sorted(page, &found.rows, column.as_deref(), *descending, stated)
        }
        RowsStatement::Sum { column, comparison, value } => {
            sum(&texts_of(page, &found.rows, Some(column))?, column, *comparison, value)
        }
    }
}

fn each(page: &Snapshot, rows: &[LoopRow], column: Option<&str>, comparison: Comparison, value: &str) -> Evaluation {
    let texts = texts_of(page, rows, column)?;
    let is_met = |text: &String| match comparison {
        // As `"Paid" is shown`: neither `Unpaid` nor `Not paid` says it.
        Comparison::Contains => states(&text.to_lowercase(), &normalize_whitespace(value).to_lowercase()),
        _ => fits(text, comparison, value),
    };
    let others: Vec<String> = texts.iter().filter(|text| !is_met(text)).map(|text| format!("“{text}”")).collect();
    let (there, count) = (texts.len() - others.len(), texts.len());
    let how = match comparison {
        Comparison::Contains => "contain",
        Comparison::Is => "say",
        _ => "are",
    };
    let place = column.map(|column| format!(" in the column “{column}”")).unwrap_or_default();
    let word = if comparison.is_of_numbers() { format!("{} ", comparison.word()) } else { String::new() };
    let fact = format!("{there} of {count} {} {how} {word}“{value}”{place}", plural("row", count));
    let near = others.into_iter().take(5).collect();
    Ok(decided(there == count, EvidenceKind::Element, fact, "expected all", near))
}

/// The order that the header of a sorted column states: descending (`true`) or ascending.
pub(crate) fn stated_order(states: States) -> Option<bool> {
    states.descending().then_some(true).or_else(|| states.ascending().then_some(false))
}

fn stated_by_header(page: &Snapshot, place: Option<&TargetPhrase>, statement: &RowsStatement) -> Option<bool> {
    let RowsStatement::Sorted { column: Some(column), .. } = statement else { return None };
    let at = find::one(page, &TargetPhrase::header(column, place), Purpose::Any).ok()?;
    stated_order(page.nodes[at].states)
}

/// The only order in which the rows are by a column: descending (`true`) or ascending. `None` if they have none, or are
/// all equal.
pub(crate) fn row_order(page: &Snapshot, place: Option<&TargetPhrase>, column: &str) -> Option<bool> {
    let found = rows::rows_of(page, place).ok()?;
    let texts = texts_of(page, &found.rows, Some(column)).ok()?;
    match directions(&orders(&texts)) {
        (true, false) => Some(false),
        (false, true) => Some(true),
        _ => None,
    }
}

/// Whether one of these orders is ascending, and whether one is descending.
fn directions(orders: &[Order]) -> (bool, bool) {
    let has = |descending| orders.iter().any(|order| order.is_sorted(descending));
    (has(false), has(true))
}

fn sorted(
    page: &Snapshot,
    rows: &[LoopRow],
    column: Option<&str>,
    descending: Option<bool>,
    stated: Option<bool>,
) -> Evaluation {
    if column.is_none() && rows.iter().any(LoopRow::is_of_table) {
        return Err(cannot_tell("the sentence does not say by which column: the rows are sorted by \"Name\""));
    }
    let texts: Vec<String> = texts_of(page, rows, column)?.into_iter().filter(|text| !text.trim().is_empty()).collect();
    if let Some(stated) = stated.filter(|_| texts.len() < 2) {
        let order = if stated { "descending" } else { "ascending" };
        let is_met = descending.is_none_or(|descending| descending == stated);
        let fact = format!("the header “{}” says {order}", column.unwrap_or_default());
        return Ok(decided(is_met, EvidenceKind::Element, fact, "expected the other order", Vec::new()));
    }
    if texts.len() < 2 {
        return Err(cannot_tell("fewer than two rows have a value, so that they have no order"));
    }
    let by = column.map(|column| format!(" by “{column}”")).unwrap_or_default();
    let orders = orders(&texts);
    let (is_up, is_down) = directions(&orders);
    let fact = match (is_up, is_down) {
        (true, true) => format!("the rows all have the same value{by}"),
        (true, false) => format!("the rows are in ascending order{by}"),
        (false, true) => format!("the rows are in descending order{by}"),
        (false, false) => {
            let first = orders.iter().find_map(Order::first_break).unwrap_or_default();
            let near = texts.iter().skip(first.saturating_sub(1)).take(3).map(|text| format!("“{text}”")).collect();
            return Ok(Finding::Fails { why: format!("the rows are not sorted{by}"), nearest: near });
        }
    };
    let is_asked_for = descending.map_or(is_up || is_down, |descending| if descending { is_down } else { is_up });
    let expected = if descending == Some(true) { "expected descending order" } else { "expected ascending order" };
    Ok(decided(is_asked_for, EvidenceKind::Element, fact, expected, Vec::new()))
}

/// Keys by which the rows may be sorted.
enum Order {
    Numbers(Vec<f64>),
    Texts(Vec<String>),
}

impl Order {
    fn is_sorted(&self, descending: bool) -> bool {
        fn in_order<T: PartialOrd>(keys: &[T], descending: bool) -> bool {
            keys.windows(2).all(|pair| if descending { pair[0] >= pair[1] } else { pair[0] <= pair[1] })
        }
        match self {
            Order::Numbers(keys) => in_order(keys, descending),
            Order::Texts(keys) => in_order(keys, descending),
        }
    }

    /// The first row that is neither in ascending nor in descending order with those before it.
    fn first_break(&self) -> Option<usize> {
        let prefix = |count: usize| match self {
            Order::Numbers(keys) => Order::Numbers(keys[..count].to_vec()),
            Order::Texts(keys) => Order::Texts(keys[..count].to_vec()),
        };
        let count = match self {
            Order::Numbers(keys) => keys.len(),
            Order::Texts(keys) => keys.len(),
        };
        (2..=count).find(|count| !prefix(*count).is_sorted(false) && !prefix(*count).is_sorted(true)).map(|at| at - 1)
    }
}

/// Numbers and dates have one order. For texts, programs use several: by capitals, without regard to them, and by
/// letters and digits only.
fn orders(texts: &[String]) -> Vec<Order> {
    let number = |text: &String| Some(numbers::value(text)? * numbers::factor(text));
    if let Some(numbers) = texts.iter().map(number).collect::<Option<Vec<f64>>>()
        && numbers_are_alike(texts)
    {
        return vec![Order::Numbers(numbers)];
    }
    if let Some(days) = texts.iter().map(|text| values::date(text)).collect::<Option<Vec<String>>>() {
        return vec![Order::Texts(days)];
    }
    let lower: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
    let letters = lower.iter().map(|text| text.chars().filter(|c| c.is_alphanumeric()).collect()).collect();
    vec![Order::Texts(texts.to_vec()), Order::Texts(lower), Order::Texts(letters)]
}

/// Whether all numbers have the same unit or currency; a number without one may be of any.
fn numbers_are_alike(texts: &[String]) -> bool {
    let unit = |text: &String| -> String {
        text.chars().filter(|c| c.is_alphabetic() || numbers::MONEY_SIGNS.contains(c) || *c == '%').collect()
    };
    let mut units = texts.iter().map(unit).filter(|unit| !unit.is_empty());
    let first = units.next();
    units.all(|other| Some(other) == first)
}

fn sum(texts: &[String], column: &str, comparison: Comparison, value: &str) -> Evaluation {
    let texts: Vec<String> = texts.iter().filter(|text| !text.trim().is_empty()).cloned().collect();
    let number = |text: &String| {
        let is_exact = !numbers::is_rough(text) && !numbers::is_of_unknown_sign(text);
        let found = numbers::value(text).filter(|_| is_exact).map(|number| number * numbers::factor(text));
        found.ok_or_else(|| cannot_tell(format!("“{text}” in the column “{column}” is not a number")))
    };
    let all: Vec<f64> = texts.iter().map(number).collect::<Result<_, _>>()?;
    if !numbers_are_alike(&texts) {
        return Err(cannot_tell(format!("the numbers in the column “{column}” have different units")));
    }
    let expected = numbers::written(value).map(|number| number * numbers::factor(value));
    let Some(expected) = expected else { return Err(cannot_tell(format!("“{value}” is not a number"))) };
    let total: f64 = all.iter().sum();
    let is_equal = (total - expected).abs() < 1e-6 * expected.abs().max(1.0);
    let is_met = match comparison {
        Comparison::Is => is_equal,
        Comparison::More => total > expected && !is_equal,
        Comparison::Less => total < expected && !is_equal,
        Comparison::AtLeast => total >= expected || is_equal,
        Comparison::AtMost => total <= expected || is_equal,
        _ => return Err(cannot_tell("a sum is compared as a number")),
    };
    let total = (total * 1e6).round() / 1e6;
    let fact = format!("the sum of {} {} in the column “{column}” is {total}", all.len(), plural("row", all.len()));
    let expected = format!("expected {} {value}", comparison.word());
    Ok(decided(is_met, EvidenceKind::Element, fact, &expected, Vec::new()))
}

/// The text of each row, or its cell of a column.
fn texts_of(page: &Snapshot, rows: &[LoopRow], column: Option<&str>) -> Result<Vec<String>, Finding> {
    let Some(column) = column else {
        return Ok(rows.iter().map(|row| normalize_whitespace(&row.text(page))).collect());
    };
    let name = rows::column_named(rows, column)?;
    let cell = |row: &LoopRow| row.cell(&name).map(normalize_whitespace);
    rows.iter()
        .map(cell)
        .collect::<Option<Vec<String>>>()
        .ok_or_else(|| cannot_tell(format!("not every row has one cell in the column “{name}”")))
}
