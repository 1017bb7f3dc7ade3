//! A page of a record that shows another record after its form was sent: the task is added to Ben Ott, although the
//! page of Uma Rao was open. The form is the same, so that the heading is the only sign of it.

use legwork_observe::{Node, Snapshot, wording};
use legwork_protocol::EvidenceKind;

use super::{
    EvidenceRule, Finding, Observed,
    changes::only_in,
    clipped,
    fields::target,
    outweigh,
    shown_value::{is_field, named_fields},
};

/// An entered value with fewer characters occurs in any text.
const TELLING: usize = 3;
/// The roles in which a page shows an entered value.
const TEXTS: [&str; 4] = ["text", "listitem", "cell", "paragraph"];

/// Removes the support from all findings if the same form now stands under the heading of another record, which shows
/// the entered value.
pub(super) fn neutralize_on_other_record(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    let Some(before) = observed.before else { return };
    if observed.disabled.contains(&EvidenceRule::OtherEntry)
        || observed.has_further_action
        || observed.is_login
        || !observed.sends_change()
        || !observed.presses_button(before)
    {
        return;
    }
    let Some((was, is)) = other_record(observed, before) else { return };
    let fact = format!("the page shows {:?} now, and the form was sent on the page of {:?}", clipped(is), clipped(was));
    outweigh(findings, Finding::new(EvidenceRule::OtherEntry, EvidenceKind::Text, fact));
}

/// The headings of the record that was open and of the one that is.
fn other_record<'a>(observed: &Observed<'a>, before: &'a Snapshot) -> Option<(&'a str, &'a str)> {
    let page = observed.after;
    let pressed = observed.actions.iter().find_map(|action| target(action.carried_out(), before))?;
    // `Send and next` opens the next record on purpose, and a new record has a heading of its own.
    if wording::leads_on(&pressed.name)
        || wording::normalized(&pressed.name).contains("next")
        || !has_same_form(before, page)
    {
        return None;
    }
    let [was] = only_in(before, page, &["heading"]).map(|(_, text)| text).collect::<Vec<_>>()[..] else { return None };
    let [is] = only_in(page, before, &["heading"]).map(|(_, text)| text).collect::<Vec<_>>()[..] else { return None };
    let values: Vec<&str> =
        named_fields(before).map(|(_, value)| value).filter(|value| value.chars().count() >= TELLING).collect();
    // A heading that states the result or counts something, or whose record was renamed.
    let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).collect::<String>();
    let is_other_name = letters(was) != letters(is) && !values.iter().any(|value| is.contains(value));
    let states_result =
        wording::tone(is, "") != wording::MessageTone::Unclear || wording::states_done(is, &pressed.name);
    let shows_value = only_in(page, before, &TEXTS).any(|(_, text)| values.iter().any(|value| text.contains(value)));
    (is_other_name && !states_result && shows_value).then_some((was, is))
}

/// Whether both pages have the same text fields and the same buttons.
fn has_same_form(before: &Snapshot, after: &Snapshot) -> bool {
    let controls = |page: &Snapshot| -> Vec<(Box<str>, Box<str>)> {
        let is_control = |node: &&Node| is_field(node) || node.role.as_ref() == "button";
        page.nodes.iter().filter(is_control).map(|node| (node.role.clone(), node.name.clone())).collect()
    };
    controls(before) == controls(after)
}
