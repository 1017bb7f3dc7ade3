//! A number that is smaller than the entered one, after a quantity was sent: `4 × Desk lamp added to cart`, `Cart: 4`
//! or `Only 4 left in stock` for 10. Servers lower a quantity to what they have, and state a success all the same.

use legwork_observe::{Node, NodeIndex, Snapshot, numbers, wording};

use super::{
    Observed,
    change_request::ChangeRequest,
    changes::only_in,
    clipped,
    labelled_values::{cells, is_own_label},
    record_row::columns,
    shown_value::named_fields,
    unwanted::is_entry,
    value_notation::contains_value,
};

/// The roles with which a page states a result or a state.
const TEXTS: [&str; 6] = ["alert", "status", "heading", "text", "paragraph", "listitem"];

/// The text with a smaller number, as a fact.
pub(super) fn lesser_number(observed: &Observed<'_>, before: &Snapshot) -> Option<String> {
    if !observed.presses_button(before) {
        return None;
    }
    let (name, entered) = only_quantity(before)?;
    let after = observed.after;
    // `2 nights booked for 4 guests`, and a stock beside `10 added`.
    let is_entered = |text: &str| contains_value(text, &entered.to_string());
    if only_in(after, before, &TEXTS).any(|(_, text)| is_entered(text)) {
        return None;
    }
    let names = observed.target_names();
    let request = ChangeRequest::of(observed, before);
    let transient = after.transient.iter().map(|node| node.name.as_ref());
    let shown = only_in(after, before, &TEXTS).map(|(_, text)| text).chain(transient).find(|text| {
        let is_done = request.states(text);
        let is_less = |number: u32| number < entered;
        // `1 item added` counts the kinds of things.
        let first = || text.split_whitespace().next()?.parse().ok();
        let begins_with_less = || first().is_some_and(|number: u32| (2..entered).contains(&number));
        is_done && (multiple(text).is_some_and(is_less) || begins_with_less())
            || wording::stated_rest(text).is_some_and(is_less)
            || is_lesser_count(before, after, text, entered) && wording::has_object(text, &names)
    });
    let shown = shown.map(str::to_owned).or_else(|| lesser_in_new_row(before, after, name, entered))?;
    Some(format!("{:?} is shown, and {entered} was entered", clipped(shown.trim())))
}

/// The name and the value of the only field with a number, if it is one of things that are counted: a year or an amount
/// with cents is no quantity.
fn only_quantity(page: &Snapshot) -> Option<(&str, u32)> {
    const MOST: u32 = 999;
    let mut fields = named_fields(page).filter(|(_, value)| numbers::is_number(value));
    let (name, value) = fields.next().filter(|_| fields.next().is_none())?;
    let number: u32 = value.parse().ok()?;
    (2..=MOST).contains(&number).then_some((name, number))
}

/// The number of `4 × Desk lamp`.
fn multiple(text: &str) -> Option<u32> {
    let (before, after) = text.split_once('×')?;
    let number = before.trim_end().rsplit(char::is_whitespace).next()?;
    number.trim_matches('(').parse().ok().filter(|_| !after.trim_start().starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a text is a count that went on by less than the entered number: `Cart: 4` after `Cart: 0`. A count that went
/// on by one counts the kinds of things.
fn is_lesser_count(before: &Snapshot, after: &Snapshot, text: &str, entered: u32) -> bool {
    let letters = |text: &str| text.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>().parse::<u32>().ok();
    let is_count = |text: &str| !text.contains(numbers::MONEY_SIGNS) && !text.contains(['.', ',', '/']);
    if !is_count(text) {
        return false;
    }
    let Some(is) = digits(text).filter(|is| *is != entered) else { return false };
    let mut was = only_in(before, after, &TEXTS).filter(|(_, was)| letters(was) == letters(text));
    was.any(|(_, was)| digits(was).is_some_and(|was| is > was + 1 && is - was < entered))
}

/// The only new row of a table with a smaller number in the column of the field.
fn lesser_in_new_row(before: &Snapshot, after: &Snapshot, name: &str, entered: u32) -> Option<String> {
    let rows = |page: &Snapshot| -> Vec<(NodeIndex, String)> {
        let all = (1..page.nodes.len()).filter(|at| page.role(*at) == "row" && is_entry(page, *at));
        let is_header = |at: &NodeIndex| cells(page, *at).any(|at| page.role(at) == "columnheader");
        all.filter(|at| !is_header(at)).map(|at| (at, page.text_of(at))).collect()
    };
    let (was, is) = (rows(before), rows(after));
    let mut new = is.iter().filter(|(_, text)| !was.iter().any(|(_, known)| known == text));
    let (row, _) = new.next().filter(|_| new.next().is_none() && is.len() > was.len())?;
    let columns = columns(after, *row)?;
    let texts: Vec<String> = cells(after, *row).map(|at| after.text_of(at).trim().to_owned()).collect();
    if columns.len() != texts.len() || has_field(after, *row) {
        return None;
    }
    let name = wording::normalized(name);
    let column = columns.iter().position(|column| is_own_label(column, &name) || is_abbreviation(column, &name))?;
    let number: u32 = texts[column].parse().ok()?;
    (number < entered).then(|| format!("{}: {number}", columns[column].trim()))
}

fn has_field(page: &Snapshot, row: NodeIndex) -> bool {
    page.below(row).any(|at| is_control(&page.nodes[at]))
}

fn is_control(node: &Node) -> bool {
    node.states.editable() || node.role.as_ref() == "combobox"
}

/// Whether a label is a short form of a word: `Qty` of `Quantity`. It has the first and the last letter of the word,
/// and its letters in the same order.
fn is_abbreviation(label: &str, name: &str) -> bool {
    const SHORTEST: usize = 3;
    let label = wording::normalized(label.trim().trim_end_matches('.'));
    let mut rest = name.trim().chars();
    label.chars().count() >= SHORTEST
        && label.chars().count() < name.trim().chars().count()
        && label.chars().next() == name.trim().chars().next()
        && label.chars().next_back() == name.trim().chars().next_back()
        && label.chars().all(|letter| rest.any(|c| c == letter))
}
