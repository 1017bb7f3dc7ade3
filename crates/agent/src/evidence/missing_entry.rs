//! A list beside the form of its records, after a record was sent: the form is empty again and a message says `Saved`,
//! but the list has no new entry. The message is written for every request; the list shows what is stored.

use std::collections::HashMap;

use legwork_observe::{Node, NodeIndex, Snapshot, wording};
use legwork_protocol::EvidenceKind;

use super::{
    EvidenceRule, Finding, Observed, clipped,
    labelled_values::{cells, is_own_label},
    outweigh,
    shown_value::is_field,
    unrelated::{is_same_place, is_search},
    unwanted::{is_entry, own_entry},
    value_notation::contains_value,
};

/// The roles of lists of records.
const LISTS: [&str; 5] = ["table", "grid", "treegrid", "list", "feed"];
/// A table is the list of a form's records if at least this many of its columns are called as fields of the form.
const COLUMNS: usize = 2;
/// A value with fewer characters occurs in other entries.
const TELLING: usize = 3;

/// Removes the support from all findings if the list of the sent form's records has no new entry, and adds a finding
/// that says so.
pub(super) fn neutralize_on_missing_entry(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    let Some(before) = observed.before else { return };
    let names = observed.target_names();
    if observed.disabled.contains(&EvidenceRule::UnclearEntry)
        || observed.is_login
        || !observed.sends_change()
        || !observed.presses_button(before)
        || findings.iter().any(Finding::contradicts)
        || !is_same_place(observed, before)
        || is_search(observed, before)
        || wording::is_examination(&names)
        || wording::takes_back(&names)
        || wording::asks_for_page(&names)
        || own_entry(observed, before).is_some()
    {
        return;
    }
    let after = observed.after;
    let sent = emptied(before, after);
    if sent.is_empty() || is_paged(after) {
        return;
    }
    let lists = (1..before.nodes.len()).filter(|at| LISTS.contains(&before.role(*at)));
    let mut lists = lists.filter(|list| is_of_form(before, *list, &sent) || is_of_button(before, *list, &names));
    let Some(list) = lists.next().filter(|_| lists.next().is_none()) else { return };
    let Some(now) = same_list(before, list, after) else { return };
    let (was, is) = (entries(before, list), entries(after, now));
    let mut telling = sent.iter().map(|(_, value)| value).filter(|value| value.chars().count() >= TELLING);
    if was != is || telling.any(|value| is.keys().any(|text| contains_value(text, value))) {
        return;
    }
    let name = clipped(title_of(before, list).unwrap_or("of records").trim());
    let fact = format!("the form is empty again, and the list {name:?} has no new entry");
    outweigh(findings, Finding::new(EvidenceRule::UnclearEntry, EvidenceKind::Text, fact));
}

/// The names and the values of the text fields and lists of choices that were filled in, if the form is reset: at least
/// one text field is empty again, and none has the value that was sent.
fn emptied<'a>(before: &'a Snapshot, after: &Snapshot) -> Vec<(&'a str, &'a str)> {
    let value = |node: &Node| node.value.as_deref().unwrap_or_default().trim().to_owned();
    let now = |field: &Node| {
        let mut alike = after.nodes.iter().filter(|node| node.role == field.role && node.name == field.name);
        alike.next().filter(|_| alike.next().is_none()).map(value)
    };
    let is_filled = |node: &&Node| {
        (is_field(node) || node.role.as_ref() == "combobox")
            && !node.states.secret()
            && !node.name.trim().is_empty()
            && node.value.as_deref().is_some_and(|value| !value.trim().is_empty())
    };
    let filled: Vec<(&Node, String)> =
        before.nodes.iter().filter(is_filled).filter_map(|node| Some((node, now(node)?))).collect();
    let is_text = |node: &Node| is_field(node) || node.states.editable();
    let is_emptied = filled.iter().any(|(node, now)| is_text(node) && now.is_empty());
    let is_kept = filled.iter().any(|(node, now)| {
        is_text(node) && !now.is_empty() && node.value.as_deref().is_some_and(|was| was.trim() == now)
    });
    if !is_emptied || is_kept {
        return Vec::new();
    }
    filled.into_iter().map(|(node, _)| (node.name.trim(), node.value.as_deref().unwrap_or_default().trim())).collect()
}

/// Whether the columns of a table are called as the fields of the form.
fn is_of_form(page: &Snapshot, list: NodeIndex, sent: &[(&str, &str)]) -> bool {
    let is_header =
        |row: &NodeIndex| page.role(*row) == "row" && cells(page, *row).any(|at| page.role(at) == "columnheader");
    let Some(header) = page.below(list).find(is_header) else { return false };
    let columns: Vec<String> = cells(page, header).map(|at| page.text_of(at)).collect();
    let is_column = |field: &str| columns.iter().any(|column| is_own_label(column, &wording::normalized(field)));
    sent.iter().filter(|(name, _)| is_column(name)).count() >= COLUMNS
}

/// Whether the title of a list contains the object of the button: `Saved notes` for `Save note`.
fn is_of_button(page: &Snapshot, list: NodeIndex, names: &str) -> bool {
    const LETTERS: usize = 4;
    let stem = |word: &str| word.strip_suffix('s').unwrap_or(word).to_owned();
    let title = wording::normalized(title_of(page, list).unwrap_or_default());
    let title: Vec<String> = title.split_whitespace().map(stem).collect();
    let mut objects = names.split_whitespace().skip(1).filter(|word| word.chars().count() >= LETTERS).map(stem);
    objects.any(|object| title.contains(&object))
}

/// The name of a list, or the heading before it.
fn title_of(page: &Snapshot, list: NodeIndex) -> Option<&str> {
    let name = page.nodes[list].name.trim();
    let heading = || (1..list).rev().find(|at| page.role(*at) == "heading").map(|at| page.nodes[at].name.trim());
    if name.is_empty() { heading() } else { Some(name) }
}

/// The list with the same role and title on the other page.
fn same_list(before: &Snapshot, list: NodeIndex, after: &Snapshot) -> Option<NodeIndex> {
    let is_same =
        |at: &NodeIndex| after.role(*at) == before.role(list) && title_of(after, *at) == title_of(before, list);
    let mut same = (1..after.nodes.len()).filter(is_same);
    same.next().filter(|_| same.next().is_none())
}

/// The texts of the entries of a list, with the number of each.
fn entries(page: &Snapshot, list: NodeIndex) -> HashMap<String, usize> {
    let mut entries = HashMap::new();
    for at in page.below(list).filter(|at| is_entry(page, *at)) {
        *entries.entry(page.text_of(at)).or_default() += 1;
    }
    entries
}

/// Whether the page shows its lists in parts, so that a new entry may be in another one.
fn is_paged(page: &Snapshot) -> bool {
    let is_sign = |name: &str| {
        let name = wording::normalized(name.trim());
        let leads_on = ["next", "next page", "load more", "show more", "older", "›", "»"].contains(&name.as_str());
        leads_on || name.starts_with("page ") || name.contains(" of ") && name.contains(|c: char| c.is_ascii_digit())
    };
    page.nodes.iter().any(|node| matches!(node.role.as_ref(), "button" | "link" | "text") && is_sign(&node.name))
}
