//! What the page shows for a field after its form was sent: `Quantity: 10` where 50 was entered. A server limits,
//! shortens or ignores values and answers `Saved` all the same; where the page shows the value that it has now, that
//! decides.

use std::collections::HashMap;

use legwork_observe::{Node, NodeIndex, Snapshot, numbers, wording};
use legwork_protocol::{Action, EvidenceKind};

use super::{
    EvidenceRule, Finding, Observed,
    changes::only_in,
    clipped,
    fields::target,
    labelled_values::{LabelledValue, ValueComparison, cells, compare_values, is_same_value, labelled_values},
    list_choice::choices,
    other_choice::other_choice,
    outweigh,
    shortened_value::shortened_value,
    unwanted::is_entry,
    uploaded_file::other_file,
    value_notation::{contains_value, days},
};

/// The roles with which a page shows a value.
const TEXTS: [&str; 6] = ["heading", "text", "paragraph", "cell", "link", "button"];
/// A value with fewer characters occurs on any page.
const TELLING: usize = 3;

/// Removes the support from all findings if the page shows another value, or a new entry other than the entered one,
/// and adds a finding about it.
pub(super) fn neutralize_on_other_value(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    let Some(before) = observed.before else { return };
    if observed.disabled.contains(&EvidenceRule::OtherValue)
        || observed.has_further_action
        || observed.is_login
        || !observed.sends_change()
        || !observed.presses_button(before)
    {
        return;
    }
    let fact = other_value(observed, before)
        .or_else(|| other_choice(observed.after, before))
        .or_else(|| other_in_row(observed.after, before))
        .or_else(|| other_date(observed.after, before))
        .or_else(|| other_file(before, observed.after))
        .or_else(|| other_spelling(observed, before))
        .or_else(|| shortened_value(before, observed.after))
        .or_else(|| lost_by_saving(observed, before))
        .or_else(|| other_new_entry(observed, before));
    let Some(fact) = fact else { return };
    outweigh(findings, Finding::new(EvidenceRule::OtherValue, EvidenceKind::Text, fact));
}

/// Another value beside the name of a field, while the entered one is nowhere on the page.
fn other_value(observed: &Observed<'_>, before: &Snapshot) -> Option<String> {
    let page = observed.after;
    let is_text = |node: &&Node| !node.states.editable() && !matches!(node.role.as_ref(), "option" | "combobox");
    let texts = || page.nodes.iter().filter(is_text).map(|node| node.name.as_ref());
    let is_creating = creates(observed, before);
    let entered = named_fields(before).map(|(name, value)| (name, value, Vec::new()));
    entered.chain(chosen(before)).find_map(|(name, value, others)| {
        if name.is_empty() || texts().any(|text| is_shown(text, value)) {
            return None;
        }
        let shown = labelled_values(page, name);
        let compared = |shown: &LabelledValue| match others.is_empty() {
            true => compare_values(value, &shown.value),
            false if others.contains(&shown.value.as_str()) => ValueComparison::Different,
            false => ValueComparison::Unknown,
        };
        if shown.iter().any(|shown| compared(shown) == ValueComparison::Same) {
            return None;
        }
        // A list of records shows the label several times, and a form that creates a record may stand beside another
        // one.
        let is_list = shown.iter().any(|other| other.value != shown[0].value);
        let was: Vec<LabelledValue> = if is_creating { labelled_values(before, name) } else { Vec::new() };
        let other = shown.iter().find(|shown| {
            let is_certain = shown.has_colon || !is_list && !was.contains(shown);
            is_certain && compared(shown) == ValueComparison::Different
        })?;
        Some(format!("{:?} is shown, and {:?} was entered", clipped(&other.text), clipped(value)))
    })
}

/// A new row that begins with the name of a field for a number and has other numbers: `Cola, 1, 4.00` where 3 was
/// entered.
fn other_in_row(page: &Snapshot, before: &Snapshot) -> Option<String> {
    let known: Vec<String> = rows(before).map(|(_, text)| text).collect();
    let new: Vec<(Vec<NodeIndex>, String)> = rows(page).filter(|(_, text)| !known.contains(text)).collect();
    let numbers = named_fields(before).filter(|(name, value)| !name.is_empty() && numbers::is_number(value));
    numbers.into_iter().find_map(|(name, value)| {
        let is_other = |cells: &[NodeIndex]| {
            let texts: Vec<String> = cells.iter().map(|at| page.text_of(*at)).collect();
            let has_number = texts.iter().skip(1).any(|text| numbers::value(text).is_some());
            texts.first().is_some_and(|label| wording::normalized(label.trim()) == wording::normalized(name))
                && has_number
                && !texts.iter().skip(1).any(|text| contains_value(text, value))
        };
        let (_, text) = new.iter().find(|(cells, _)| is_other(cells))?;
        Some(format!("{:?} is shown, and {:?} was entered", clipped(text.trim()), clipped(value)))
    })
}

/// The cells and the texts of the rows without fields.
fn rows(page: &Snapshot) -> impl Iterator<Item = (Vec<NodeIndex>, String)> {
    let all = (1..page.nodes.len()).filter(|at| page.role(*at) == "row");
    let plain = all.filter(|at| !page.below(*at).any(|at| page.nodes[at].states.editable()));
    plain.map(|at| (cells(page, at).collect(), page.text_of(at)))
}

/// The only new date of the page, if one date was entered and the page does not show it.
fn other_date(page: &Snapshot, before: &Snapshot) -> Option<String> {
    let day_of = |value: &str| legwork_steps::day(value).filter(|day| !day.is_empty());
    // A field that only its date picker fills in is read-only.
    let is_picked = |node: &&Node| node.role.as_ref() == "textbox" && node.states.readonly() && !node.states.editable();
    let picked = before.nodes.iter().filter(is_picked).filter_map(|node| node.value.as_deref());
    let values = named_fields(before).map(|(_, value)| value).chain(picked);
    let mut entered = values.filter_map(|value| Some((value, day_of(value)?)));
    let (value, day) = entered.next().filter(|_| entered.next().is_none())?;
    let is_text = |node: &&Node| !node.states.editable() && !matches!(node.role.as_ref(), "option" | "combobox");
    if page.nodes.iter().filter(is_text).any(|node| contains_value(&node.name, value)) {
        return None;
    }
    let mut dates =
        only_in(page, before, &TEXTS).map(|(_, text)| text).filter(|text| days(text, &day).next().is_some());
    let shown = dates.next().filter(|shown| dates.all(|other| other == *shown))?;
    Some(format!("{:?} is shown, and {:?} was entered", clipped(shown), clipped(value)))
}

/// Whether the pressed button creates a record.
fn creates(observed: &Observed<'_>, before: &Snapshot) -> bool {
    let mut pressed = observed.actions.iter().filter_map(|action| target(action.carried_out(), before));
    pressed.any(|node| wording::creates(&node.name))
}

/// The lists of choices with their names, the chosen value and the other choices, without those whose first choice is
/// chosen: the first option is a default and says nothing about intent.
fn chosen(page: &Snapshot) -> impl Iterator<Item = (&str, &str, Vec<&str>)> {
    choices(page).filter(|choice| !choice.is_first).map(|choice| (choice.name, choice.value, choice.others))
}

/// A new text that repeats the value of a field that was closed, but not as it was entered: `quay-plan` or
/// `Quay plan (2)` for `Quay plan`.
fn other_spelling(observed: &Observed<'_>, before: &Snapshot) -> Option<String> {
    let page = observed.after;
    let plain = |text: &str| text.replace(['-', '_', ' '], "").to_lowercase();
    let new: Vec<&str> = only_in(page, before, &TEXTS).map(|(_, text)| text.trim()).collect();
    fields(before).filter(|(_, value)| value.chars().count() >= TELLING).find_map(|(name, value)| {
        let is_open = page.nodes.iter().any(|node| is_field(node) && wording::normalized(node.name.trim()) == name);
        if is_open || page.nodes.iter().any(|node| node.name.trim() == value) {
            return None;
        }
        let is_numbered = |text: &str| {
            let number = text.strip_prefix(value).and_then(|rest| rest.trim().strip_prefix('(')?.strip_suffix(')'));
            number.is_some_and(|number| number.parse::<u32>().is_ok())
        };
        let is_slug = |text: &str| {
            let has_separator = value.contains(' ') && text.contains(['-', '_']) && !text.contains(' ');
            has_separator && plain(text) == plain(value)
        };
        let other = new.iter().find(|text| is_numbered(text) || is_slug(text))?;
        Some(format!("{:?} is shown, and {:?} was entered", clipped(other), clipped(value)))
    })
}

/// A field of a form that was saved and still shows other fields with their values, but this one with another value:
/// the server dropped it. A form that is emptied for the next entry has lost all values.
fn lost_by_saving(observed: &Observed<'_>, before: &Snapshot) -> Option<String> {
    let saves = |action: &Action| target(action.carried_out(), before).is_some_and(|node| wording::saves(&node.name));
    if !observed.actions.iter().any(saves) {
        return None;
    }
    let page = observed.after;
    let held = |page: &Snapshot, node: &Node| -> Option<String> {
        let mut alike = page.nodes.iter().filter(|other| other.role == node.role && other.name == node.name);
        let only = alike.next().filter(|_| alike.next().is_none())?;
        Some(only.value.as_deref().unwrap_or_default().trim().to_owned())
    };
    let is_kept = |node: &&Node| is_field(node) && !node.states.secret() || node.role.as_ref() == "combobox";
    let values: Vec<(&Node, String, String)> = before
        .nodes
        .iter()
        .filter(is_kept)
        .filter_map(|node| Some((node, held(before, node)?, held(page, node)?)))
        .filter(|(node, was, _)| !was.is_empty() && !node.name.is_empty())
        .collect();
    let is_text = |node: &Node| node.role.as_ref() != "combobox";
    if !values.iter().any(|(node, _, is)| is_text(node) && !is.is_empty()) {
        return None;
    }
    let (node, was, is) =
        values.iter().find(|(_, was, is)| !is_same_value(was, is) && !was.starts_with(is.as_str()) || is.is_empty())?;
    Some(format!(
        "{} {:?} holds {:?} since it was saved, and {:?} was entered",
        node.role,
        clipped(&node.name),
        clipped(is),
        clipped(was)
    ))
}

/// Whether a text contains the value, in any of the forms in which values are shown.
fn is_shown(text: &str, value: &str) -> bool {
    let is_number = value.trim().parse::<f64>().is_ok();
    contains_value(text, value) || !is_number && text.contains(value)
}

/// After a field was emptied because its entry was added: a new entry that is another one, the same one twice, or one
/// in place of an older one.
fn other_new_entry(observed: &Observed<'_>, before: &Snapshot) -> Option<String> {
    let page = observed.after;
    let is_emptied = |name: &str| {
        let mut now = page.nodes.iter().filter(|node| wording::normalized(&node.name) == name && is_field(node));
        now.next().is_some_and(|node| node.value.as_deref().unwrap_or_default().trim().is_empty())
    };
    let entered: Vec<&str> = fields(before)
        .filter(|(name, value)| value.chars().count() >= TELLING && is_emptied(name))
        .map(|(_, value)| value)
        .collect();
    let [value] = entered.as_slice() else { return None };
    let (was, is) = (entries(before), entries(page));
    let mut known: HashMap<&str, usize> = HashMap::new();
    for text in &was {
        *known.entry(text).or_default() += 1;
    }
    let new: Vec<&String> = is
        .iter()
        .filter(|text| match known.get_mut(text.as_str()) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        })
        .collect();
    let first = new.first()?;
    let says = |text: &str| wording::normalized(text).contains(&wording::normalized(value));
    if !page.nodes.iter().any(|node| says(&node.name) || contains_value(&node.name, value)) {
        return Some(format!("the new entry is {:?}, and {:?} was entered", clipped(first.trim()), clipped(value)));
    }
    if new.len() > 1 && new.iter().all(|text| text == first && says(text)) {
        return Some(format!("there are {} new entries {:?}", new.len(), clipped(first.trim())));
    }
    // An entry at the same place of a list that did not grow: the older one was replaced.
    let replaced = was.iter().zip(&is).find(|(was, is)| was != is && new.contains(is));
    let gone = replaced.filter(|(old, _)| new.len() == 1 && was.len() == is.len() && !is.contains(old));
    gone.map(|(old, _)| format!("the entry {:?} is gone since {:?} was added", clipped(old.trim()), clipped(value)))
}

/// The names, in lower case, and the values of the text fields that are filled in.
fn fields(page: &Snapshot) -> impl Iterator<Item = (String, &str)> {
    named_fields(page).map(|(name, value)| (wording::normalized(name), value))
}

/// The names and the values of the text fields that are filled in.
pub(super) fn named_fields(page: &Snapshot) -> impl Iterator<Item = (&str, &str)> {
    page.nodes.iter().filter(|node| is_field(node) && !node.states.secret()).filter_map(|node| {
        let value = node.value.as_deref().map(str::trim).filter(|value| !value.is_empty())?;
        Some((node.name.trim(), value))
    })
}

pub(super) fn is_field(node: &Node) -> bool {
    node.states.editable() && matches!(node.role.as_ref(), "textbox" | "searchbox" | "spinbutton")
}

/// The texts of the entries. A row of a label and its value belongs to a record and is no entry.
fn entries(page: &Snapshot) -> Vec<String> {
    let is_of_record = |row: NodeIndex| {
        let mut cells = cells(page, row);
        let is_label = cells.next().is_some_and(|at| page.role(at) == "rowheader");
        is_label && cells.count() == 1
    };
    let all = (1..page.nodes.len()).filter(|at: &NodeIndex| is_entry(page, *at) && !is_of_record(*at));
    all.map(|at| page.text_of(at)).collect()
}
