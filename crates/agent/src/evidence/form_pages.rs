//! The values of a form with several pages, which a later page or the result shows: `Seats: 1` where 7 was entered two
//! pages before.

use std::collections::HashSet;

use legwork_observe::{Snapshot, wording};
use legwork_protocol::{Action, EvidenceKind};

use super::{
    EvidenceRule, Finding, clipped,
    fields::target,
    labelled_values::{ValueComparison, compare_values, labelled_values},
    set_fields::SetField,
    value_notation::contains_value,
};

/// The fields of the earlier pages of a form, while only buttons are pressed that lead to its next page or end it.
#[derive(Clone, Debug, Default)]
pub(super) struct FormPages {
    fields: Vec<SentField>,
}

#[derive(Clone, Debug)]
struct SentField {
    name: String,
    value: String,
    /// The other radio buttons of the group; then `value` is the name of the chosen one.
    others: Vec<String>,
}

impl FormPages {
    /// Adds the fields of a page that was sent, and compares all of them with what the next page shows.
    pub(super) fn next_page(
        &mut self,
        set: &[SetField],
        actions: &[Action],
        before: Option<&Snapshot>,
        after: &Snapshot,
    ) -> Option<Finding> {
        let pressed = before.and_then(|page| actions.iter().find_map(|action| target(action.carried_out(), page)));
        let name = pressed.map(|node| node.name.as_ref()).unwrap_or_default();
        let leads_on = wording::leads_on(name);
        let (Some(before), true) =
            (before, leads_on || wording::ends_form(name) || wording::saves(name) || wording::creates(name))
        else {
            self.fields.clear();
            return None;
        };
        for field in set {
            let Some(sent) = sent_field(field, before) else { continue };
            self.fields.retain(|earlier| (&earlier.name, &earlier.others) != (&sent.name, &sent.others));
            self.fields.push(sent);
        }
        let fact = self.fields.iter().find_map(|field| other_shown(field, before, after));
        if !leads_on {
            self.fields.clear();
        }
        Some(Finding::new(EvidenceRule::OtherValue, EvidenceKind::Text, fact?))
    }
}

/// A field as it is compared. The state of a check box is shown in too many ways.
fn sent_field(field: &SetField, before: &Snapshot) -> Option<SentField> {
    let at = (1..before.nodes.len())
        .find(|at| before.role(*at) == field.role && before.nodes[*at].name.as_ref() == field.name)?;
    match field.role.as_str() {
        "radio" => {
            let group = before.enclosing(at, &["radiogroup", "group"]).unwrap_or(before.nodes[at].parent);
            let radios = before.below(group).filter(|other| *other != at && before.role(*other) == "radio");
            let others: Vec<String> = radios.map(|at| before.nodes[at].name.trim().to_owned()).collect();
            let value = field.name.trim().to_owned();
            (!others.is_empty()).then(|| SentField { name: String::new(), value, others })
        }
        "checkbox" | "switch" => None,
        _ if before.nodes[at].states.secret() || field.name.trim().is_empty() || field.value.trim().is_empty() => None,
        _ => Some(SentField {
            name: field.name.trim().to_owned(),
            value: field.value.trim().to_owned(),
            others: Vec::new(),
        }),
    }
}

/// What the page shows instead of the value of a field, if it is certain: the value is nowhere, and beside the name of
/// the field is exactly one other value, or exactly one of the other choices is shown.
fn other_shown(field: &SentField, before: &Snapshot, after: &Snapshot) -> Option<String> {
    let texts = |page: &Snapshot| -> HashSet<String> {
        let is_text = |node: &&legwork_observe::Node| {
            !node.states.editable()
                && !matches!(node.role.as_ref(), "option" | "combobox" | "radio" | "button" | "label")
        };
        page.nodes.iter().filter(is_text).map(|node| node.name.trim().to_owned()).collect()
    };
    let now = texts(after);
    let is_field_there = !field.name.is_empty()
        && after.nodes.iter().any(|node| node.states.editable() && node.name.trim() == field.name);
    if is_field_there || now.iter().any(|text| contains_value(text, &field.value)) {
        return None;
    }
    let shown = if field.others.is_empty() {
        let shown = labelled_values(after, &field.name);
        let first = shown.first().filter(|first| shown.iter().all(|other| other.value == first.value))?;
        (compare_values(&field.value, &first.value) == ValueComparison::Different).then(|| first.text.clone())?
    } else {
        let was = texts(before);
        let is_choice = |text: &&String| {
            let last = text.rsplit_once(':').map_or(text.as_str(), |(_, value)| value.trim());
            !was.contains(*text) && field.others.iter().any(|other| other == last)
        };
        let mut choices = now.iter().filter(is_choice);
        choices.next().filter(|_| choices.next().is_none())?.clone()
    };
    Some(format!("{:?} is shown, and {:?} was entered on a page before", clipped(&shown), clipped(&field.value)))
}
