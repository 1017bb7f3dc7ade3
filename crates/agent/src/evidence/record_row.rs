//! The row of the saved record in the list to which its form leads: `Huber | Wien` after `Graz` was entered for the
//! customer Huber. A message such as `Customer saved` is written for every request; the row shows what is stored.

use legwork_observe::{Node, NodeIndex, Snapshot, wording};
use legwork_protocol::Action;

use super::{
    clipped,
    fields::target,
    labelled_values::{cells, is_own_label},
    set_fields::{SetField, is_box},
    url_path::path_of,
    value_notation::contains_value,
    whole_words::contains_whole,
};

/// A name or a value with fewer characters occurs in any row.
const TELLING: usize = 3;

/// The row of the record that shows the value of a field from before it was entered, as a fact.
pub(super) fn old_value_in_row(
    set: &[SetField],
    actions: &[Action],
    before: &Snapshot,
    after: &Snapshot,
) -> Option<String> {
    let leaves = |name: &str| wording::takes_back(name) || wording::leaves(name) || wording::asks_for_page(name);
    let pressed = actions.iter().find_map(|action| target(action.carried_out(), before))?;
    if pressed.role.as_ref() != "button" || leaves(&pressed.name) || path_of(&before.url) == path_of(&after.url) {
        return None;
    }
    let is_telling = |field: &&SetField| {
        !is_box(&field.value)
            && field.before.trim().chars().count() >= TELLING
            && field.before.contains(char::is_alphabetic)
            && !contains_value(&field.value, field.before.trim())
    };
    // The list may show another field with the same value, such as the town of another address.
    let is_held = |value: &str| {
        let values = before.nodes.iter().filter(|node| node.states.editable() || node.role.as_ref() == "combobox");
        values.into_iter().any(|node| node.value.as_deref().map(str::trim) == Some(value))
    };
    let rows: Vec<NodeIndex> =
        (1..after.nodes.len()).filter(|at| after.role(*at) == "row" && is_of_record(before, after, *at, set)).collect();
    // Of two records with the same name, one may be another one.
    let [row] = rows.as_slice() else { return None };
    let texts: Vec<String> = cells(after, *row).map(|at| after.text_of(at).trim().to_owned()).collect();
    if set.iter().any(|field| texts.iter().any(|text| contains_value(text, &field.value))) {
        return None;
    }
    let columns = columns(after, *row).filter(|columns| columns.len() == texts.len()).unwrap_or_default();
    set.iter().filter(is_telling).filter(|field| !is_held(field.before.trim())).find_map(|field| {
        let name = wording::normalized(&field.name);
        let column = columns.iter().position(|column| is_own_label(column, &name));
        let old = field.before.trim();
        let shows_old = match column {
            Some(column) => texts[column] == old,
            None => texts.iter().any(|text| text == old),
        };
        shows_old.then(|| {
            let row = texts.iter().filter(|text| !text.is_empty()).cloned().collect::<Vec<_>>().join(" | ");
            format!("{:?} is shown, and {:?} was entered", clipped(&row), clipped(&field.value))
        })
    })
}

/// Whether a cell of a row is the name of the record: a part of a heading of the form's page, or the value of another
/// field.
fn is_of_record(before: &Snapshot, after: &Snapshot, row: NodeIndex, set: &[SetField]) -> bool {
    let is_set = |node: &Node| set.iter().any(|field| *field.role == *node.role && *field.name == *node.name);
    let names_it = |name: &str| {
        name.chars().count() >= TELLING
            && before.nodes.iter().any(|node| {
                node.role.as_ref() == "heading" && contains_whole(&node.name, name)
                    || node.role.as_ref() == "textbox"
                        && !is_set(node)
                        && node.value.as_deref().map(str::trim) == Some(name)
            })
    };
    let is_old = |name: &str| set.iter().any(|field| field.before.trim() == name);
    let mut names = cells(after, row).filter(|at| after.role(*at) != "columnheader").map(|at| after.text_of(at));
    names.any(|name| names_it(name.trim()) && !is_old(name.trim()))
}

/// The names of the columns of the table around a row.
pub(super) fn columns(page: &Snapshot, row: NodeIndex) -> Option<Vec<String>> {
    let table = page.enclosing(row, &["table", "grid", "treegrid"])?;
    let is_header =
        |row: &NodeIndex| page.role(*row) == "row" && cells(page, *row).any(|at| page.role(at) == "columnheader");
    let header = page.below(table).find(is_header)?;
    Some(cells(page, header).map(|at| page.text_of(at)).collect())
}
