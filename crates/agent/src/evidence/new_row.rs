//! The entry that a form added to a list: its other columns are compared with the other fields of the form, and its
//! state may say that it is not what was requested yet (`Draft` after `Publish`, `unconfirmed`).

use std::collections::HashMap;

use legwork_observe::{
    NodeIndex, Snapshot,
    wording::{self, UnwantedState},
};
use legwork_protocol::EvidenceKind;

use super::{
    EvidenceRule, Finding, Observed, clipped,
    labelled_values::{ValueComparison, cells, compare_values, is_empty_mark, is_own_label, shown_day},
    outweigh,
    unwanted::is_entry,
};

/// If more entries are new, the list was reloaded.
const ENTRIES: usize = 3;

/// A field of the sent form and its value.
struct SentValue<'a> {
    /// The name in lower case.
    name: String,
    value: &'a str,
    /// The other choices of a list.
    others: Vec<&'a str>,
}

/// Removes the support from all findings if the new entry has another value in the column of a field, or a state that
/// leaves the result open, and adds a finding about it.
pub(super) fn neutralize_on_new_row(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    let Some(before) = observed.before else { return };
    let names = observed.target_names();
    if observed.is_login
        || !observed.sends_change()
        || !observed.presses_button(before)
        || wording::is_examination(&names)
    {
        return;
    }
    let values: Vec<SentValue<'_>> = sent_values(before).collect();
    let page = observed.after;
    let own: Vec<NodeIndex> = new_entries(before, page)
        .into_iter()
        .filter(|entry| values.iter().any(|sent| has_value(page, *entry, sent)))
        .collect();
    let count = |page: &Snapshot| (1..page.nodes.len()).filter(|at| is_entry(page, *at)).count();
    let is_added = count(page) > count(before);
    let doubt = match own.as_slice() {
        [entry] => doubt(page, (*entry, is_added), &values, &names),
        // The same record twice.
        [entry, others @ ..] if others.iter().all(|other| is_twin(page, *entry, *other)) => {
            let fact = format!("there are {} new entries {:?}", own.len(), clipped(page.text_of(*entry).trim()));
            Some((EvidenceRule::OtherValue, fact))
        }
        // One of several entries may be the added one.
        _ => None,
    };
    // The state of an entry may be another one after the actions that follow; its values are not.
    let counts = |rule| !observed.has_further_action || rule == EvidenceRule::OtherValue && is_added;
    if let Some((rule, fact)) = doubt.filter(|(rule, _)| counts(*rule) && !observed.disabled.contains(rule)) {
        outweigh(findings, Finding::new(rule, EvidenceKind::Text, fact));
    }
}

/// Whether two entries are equal but for numbers that count the records.
fn is_twin(page: &Snapshot, one: NodeIndex, other: NodeIndex) -> bool {
    let texts = |entry: NodeIndex| -> Vec<&str> { page.below(entry).map(|at| page.nodes[at].name.trim()).collect() };
    if page.nodes[one].parent != page.nodes[other].parent {
        return false;
    }
    let (one, other) = (texts(one), texts(other));
    let number = |text: &str| text.trim_start_matches(|c: char| !c.is_ascii_digit()).parse::<u64>().ok();
    let is_next = |(a, b): (&&str, &&str)| a == b || number(a).zip(number(b)).is_some_and(|(a, b)| a.abs_diff(b) == 1);
    one.len() == other.len() && one.iter().zip(&other).all(is_next)
}

/// What is doubtful about an entry with an entered value. An entry that was there already had its state before.
fn doubt(
    page: &Snapshot,
    (entry, is_added): (NodeIndex, bool),
    values: &[SentValue<'_>],
    names: &str,
) -> Option<(EvidenceRule, String)> {
    if let Some((column, value, cell)) = other_column(page, entry, values) {
        let fact = format!(
            "{:?} is {:?} in the new entry, and {:?} was entered",
            clipped(column.trim()),
            clipped(cell.trim()),
            clipped(value)
        );
        return Some((EvidenceRule::OtherValue, fact));
    }
    if let Some((value, cell)) = other_day(page, entry, values) {
        let fact = format!("{:?} is in the new entry, and {:?} was entered", clipped(cell.trim()), clipped(value));
        return Some((EvidenceRule::OtherValue, fact));
    }
    let state = open_state(page, entry, values, names).filter(|_| is_added)?;
    let fact =
        format!("the new entry has the state {:?}, which does not state that the change was made", clipped(&state));
    Some((EvidenceRule::UnclearEntry, fact))
}

/// The text fields that are filled in, and the lists with a chosen value.
fn sent_values(before: &Snapshot) -> impl Iterator<Item = SentValue<'_>> {
    (1..before.nodes.len()).filter_map(|at| {
        let node = &before.nodes[at];
        let is_list = node.role.as_ref() == "combobox" && !node.states.editable();
        // A field that only its date picker fills in is read-only.
        let is_filled = node.states.editable() || node.states.readonly();
        let is_text = is_filled && matches!(node.role.as_ref(), "textbox" | "spinbutton" | "combobox");
        let value = node.value.as_deref().map(str::trim).filter(|value| !value.is_empty())?;
        let options = before.below(at).filter(|below| before.role(*below) == "option");
        let options: Vec<&str> = options.map(|at| before.nodes[at].name.trim()).collect();
        // The first option is a default and says nothing about intent, as in a filter beside the form.
        let is_chosen = is_list && options.first().is_some_and(|first| *first != value);
        let name = wording::normalized(node.name.trim());
        let others = options.into_iter().filter(|name| is_list && *name != value).collect();
        ((is_chosen || is_text) && !node.states.secret()).then_some(SentValue { name, value, others })
    })
}

/// The entries whose text the page before did not contain. None if there are many.
fn new_entries(before: &Snapshot, page: &Snapshot) -> Vec<NodeIndex> {
    let mut known: HashMap<String, usize> = HashMap::new();
    for at in (1..before.nodes.len()).filter(|at| is_entry(before, *at)) {
        *known.entry(before.text_of(at)).or_default() += 1;
    }
    let is_new = |at: &NodeIndex| match known.get_mut(&page.text_of(*at)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    let new: Vec<NodeIndex> = (1..page.nodes.len()).filter(|at| is_entry(page, *at)).filter(is_new).collect();
    if new.len() > ENTRIES { Vec::new() } else { new }
}

/// Whether an entry shows the value of a field, and is therefore the one that was added.
fn has_value(page: &Snapshot, entry: NodeIndex, sent: &SentValue<'_>) -> bool {
    const TELLING: usize = 2;
    sent.value.chars().count() >= TELLING
        && page.below(entry).any(|at| {
            let text = page.nodes[at].name.trim();
            !page.nodes[at].states.editable() && !text.is_empty() && is_shown_in(text, sent.value)
        })
}

fn is_shown_in(text: &str, value: &str) -> bool {
    let (text_low, value_low) = (text.to_lowercase(), value.to_lowercase());
    let has_digit_only = value.chars().all(|c| c.is_ascii_digit() || ".,".contains(c));
    !has_digit_only && text_low.contains(&value_low) || compare_values(value, text) == ValueComparison::Same
}

/// A column that is called as a field and has another value than this field had, with that value and the text of the
/// cell.
fn other_column<'a>(page: &Snapshot, entry: NodeIndex, values: &[SentValue<'a>]) -> Option<(String, &'a str, String)> {
    let table = page.enclosing(entry, &["table", "grid", "treegrid"])?;
    let is_header =
        |row: &NodeIndex| page.role(*row) == "row" && cells(page, *row).any(|at| page.role(at) == "columnheader");
    let header = page.below(table).find(is_header)?;
    let columns: Vec<String> = cells(page, header).map(|at| page.text_of(at)).collect();
    let row: Vec<NodeIndex> = cells(page, entry).collect();
    if columns.len() != row.len() {
        return None;
    }
    columns.into_iter().zip(row).find_map(|(column, cell)| {
        let mut of_column = values.iter().filter(|sent| is_own_label(&column, &sent.name));
        let sent = of_column.next().filter(|_| of_column.next().is_none())?;
        let text = page.text_of(cell);
        let is_other = if sent.others.is_empty() {
            compare_values(sent.value, &text) == ValueComparison::Different && !is_shown_in(&text, sent.value)
        } else {
            sent.others.contains(&text.trim()) || is_empty_mark(text.trim())
        };
        is_other.then_some((column, sent.value, text))
    })
}

/// An entered date that the entry does not show although it shows another entered date, and the date that it shows
/// instead: the last day of a leave, whose column has another name than the field.
fn other_day<'a>(page: &Snapshot, entry: NodeIndex, values: &[SentValue<'a>]) -> Option<(&'a str, String)> {
    let days: Vec<(&str, String)> = values
        .iter()
        .filter_map(|sent| Some((sent.value, legwork_steps::day(sent.value).filter(|day| !day.is_empty())?)))
        .collect();
    let (_, year) = days.first()?;
    let shown: Vec<(String, String)> = cells(page, entry)
        .map(|cell| page.text_of(cell))
        .filter_map(|text| Some((shown_day(&text, year)?, text)))
        .collect();
    let is_shown = |day: &str| shown.iter().any(|(shown, _)| shown == day);
    let (missing, _) = days.iter().find(|(_, day)| !is_shown(day))?;
    let (_, instead) = shown.iter().find(|(shown, _)| days.iter().all(|(_, day)| day != shown))?;
    days.iter().any(|(_, day)| is_shown(day)).then(|| (*missing, instead.clone()))
}

/// A text of the entry, without the entered values, that leaves open whether the change was made. What is saved or
/// created begins in some state (`Draft`, `Unpaid`), so that only a failure counts after such a button, and a state
/// that says of the entry itself that it is not there yet.
fn open_state(page: &Snapshot, entry: NodeIndex, values: &[SentValue<'_>], names: &str) -> Option<String> {
    const NOT_MADE: [&str; 5] = ["unsaved", "unconfirmed", "not confirmed", "not saved", "unsynced"];
    const WORDS: usize = 4;
    let is_control = |at: NodeIndex| matches!(page.role(at), "button" | "link" | "option" | "combobox");
    page.below(entry).filter(|at| !is_control(*at) && !page.nodes[*at].states.editable()).find_map(|at| {
        let text = page.nodes[at].name.trim();
        let rest = values.iter().fold(text.to_owned(), |rest, sent| match sent.value.chars().count() > 1 {
            true => rest.replace(sent.value, " "),
            false => rest,
        });
        let is_only_number = |word: &&str| word.chars().all(|c| !c.is_alphabetic());
        // `40 unsaved` where 40 is a value of one of the fields.
        let words: Vec<&str> = rest.split_whitespace().skip_while(is_only_number).collect();
        let state = words.join(" ");
        let normal = wording::normalized(&state);
        let asks = state.ends_with('?');
        let is_open = NOT_MADE.iter().any(|open| normal.starts_with(open)) || wording::is_undone(&state, names);
        let is_state = !words.is_empty() && words.len() <= WORDS;
        let is_negated = ["un", "not "].iter().any(|begin| normal.starts_with(begin));
        let is_unwanted = match wording::unwanted_state(&state, names) {
            Some(UnwantedState::Refused) => !is_negated || wording::names_action(&state, names),
            Some(UnwantedState::Unfinished) => !wording::saves(names) && !wording::creates(names),
            None => false,
        };
        (is_state && (asks || is_open || is_unwanted)).then_some(state)
    })
}
