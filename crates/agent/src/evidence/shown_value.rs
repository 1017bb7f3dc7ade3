//! What the page shows for a field after its form was sent: `Quantity: 10` where 50 was entered. A server limits, shortens or
//! ignores values and answers `Saved` all the same; where the page shows the value that it has now, that decides.

use std::collections::HashMap;

use legwork_observe::{Node, NodeIndex, Snapshot, numbers, wording};
use legwork_protocol::{Action, EvidenceKind};

use super::{
    EvidenceRule, Finding, Observed,
    changes::only_in,
    clipped,
    fields::{is_same_content, target},
    neutralize,
    unwanted::is_entry,
};

/// The roles with which a page shows a value.
const TEXTS: [&str; 6] = ["heading", "text", "paragraph", "cell", "link", "button"];
/// A value with fewer characters occurs on any page.
const TELLING: usize = 3;

/// Removes the support from all findings if the page shows another value, or a new entry other than the entered one, and
/// adds a finding about it.
pub(super) fn neutralize_on_other_value(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    let Some(before) = observed.before else { return };
    if observed.disabled.contains(&EvidenceRule::OtherValue)
        || observed.goes_on
        || observed.is_login
        || !observed.sends_change()
        || !observed.presses_button(before)
    {
        return;
    }
    let fact = other_value(observed, before)
        .or_else(|| other_spelling(observed, before))
        .or_else(|| lost_by_saving(observed, before))
        .or_else(|| other_new_entry(observed, before));
    let Some(fact) = fact else { return };
    *findings = findings.drain(..).map(neutralize).collect();
    findings.push(Finding::new(EvidenceRule::OtherValue, EvidenceKind::Text, fact));
}

/// A text `Label: value` with the name of a field and another value, while the entered one is nowhere on the page.
fn other_value(observed: &Observed<'_>, before: &Snapshot) -> Option<String> {
    let page = observed.after;
    let texts = || page.nodes.iter().filter(|node| !node.states.editable()).map(|node| node.name.as_ref());
    fields(before).find_map(|(name, value)| {
        if texts().any(|text| is_shown(text, value)) {
            return None;
        }
        texts().find_map(|text| {
            let (label, shown) = text.split_once(':')?;
            let (label, shown) = (wording::normalized(label.trim()), shown.trim());
            let is_its_label = !label.is_empty() && (name == label || name.ends_with(&format!(" {label}")));
            (is_its_label && is_of_same_kind(value, shown) && !is_same_value(value, shown))
                .then(|| format!("{:?} is shown, and {:?} was entered", clipped(text), clipped(value)))
        })
    })
}

/// A new text that repeats the value of a field that was closed, but not as it was entered: `quay-plan` or `Quay plan (2)` for
/// `Quay plan`.
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

/// A field of a form that was saved and still shows other fields with their values, but this one with another value: the server
/// dropped it. A form that is emptied for the next entry has lost all values.
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

/// Whether two texts are the same value, however it is formatted.
fn is_same_value(entered: &str, shown: &str) -> bool {
    let is_same_number =
        || numbers::value(entered).zip(numbers::value(shown)).is_some_and(|(a, b)| (a - b).abs() < 1e-9);
    is_same_content(entered, shown) || is_same_number()
}

/// Whether a text contains the value, in any of the forms in which values are shown.
fn is_shown(text: &str, value: &str) -> bool {
    let is_number = value.trim().parse::<f64>().is_ok();
    let has_number = || text.split(|c: char| !(c.is_alphanumeric() || ".,".contains(c))).any(|word| word == value);
    if is_number { has_number() } else { text.contains(value) }
}

/// Whether two values have the same form, so that another content means another value: both are numbers, dates or texts.
fn is_of_same_kind(entered: &str, shown: &str) -> bool {
    let is_date = |text: &str| text.len() == 10 && text.bytes().filter(|b| *b == b'-').count() == 2;
    let is_number = |text: &str| numbers::value(text).is_some();
    match (is_date(entered), is_number(entered)) {
        (true, _) => is_date(shown),
        (_, true) => is_number(shown) && !is_date(shown),
        _ => !is_number(shown) && !is_date(shown) && shown.contains(char::is_alphabetic),
    }
}

/// After a field was emptied because its entry was added: a new entry that is another one, the same one twice, or one in place
/// of an older one.
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
    if !page.nodes.iter().any(|node| says(&node.name)) {
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
    page.nodes.iter().filter(|node| is_field(node) && !node.states.secret()).filter_map(|node| {
        let value = node.value.as_deref().map(str::trim).filter(|value| !value.is_empty())?;
        Some((wording::normalized(node.name.trim()), value))
    })
}

fn is_field(node: &Node) -> bool {
    node.states.editable() && matches!(node.role.as_ref(), "textbox" | "searchbox" | "spinbutton")
}

fn entries(page: &Snapshot) -> Vec<String> {
    let all = (1..page.nodes.len()).filter(|at: &NodeIndex| is_entry(page, *at));
    all.map(|at| page.text_of(at)).collect()
}
