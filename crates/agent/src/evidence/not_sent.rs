//! Values that were entered but not sent: a field that is left before the page has saved it, or a switch in a form that
//! is saved with a button. The control has, or had, the requested value, but nothing was done with it.
//!
//! An application that stores everything in the browser sends nothing either. Therefore these facts do not contradict
//! success: the step stays unvalidated, unless a check follows.

use legwork_observe::{Node, Snapshot};
use legwork_protocol::{Action, EvidenceKind, PageEffect};

use super::{
    EvidenceRule, Finding, Observed, clipped,
    fields::{subject, target},
    named, outweigh,
    set_fields::{SetField, only_field},
    url_path::path_of,
};
use legwork_observe::wording;

/// Texts of a field are searched for on the page only if they have at least this many characters.
const TELLING: usize = 3;

/// The first field that was set and disappeared when a link, a tab or a URL left the page. `has_further_action` states
/// whether another action follows, which may return to a tab of the same page.
pub(super) fn left_behind(
    set: &[SetField],
    actions: &[Action],
    (before, after): (&Snapshot, &Snapshot),
    has_further_action: bool,
) -> Option<Finding> {
    if has_further_action && path_of(&before.url) == path_of(&after.url) {
        return None;
    }
    // A button that removes a field may save or discard its value. A link or a tab does neither, and neither does a
    // button that closes a part of the page.
    let closes = path_of(&before.url) == path_of(&after.url);
    let is_left = |action: &Action| match target(action, before) {
        Some(node) => {
            let is_of_button = || closes && !wording::takes_back(&node.name) && !wording::leaves(&node.name);
            (matches!(node.role.as_ref(), "link" | "tab" | "menuitem")
                || node.role.as_ref() == "button" && is_of_button())
                && !wording::saves(&node.name)
                && !wording::leads_on(&node.name)
                && !set.iter().any(|field| says(&node.name, &field.value))
        }
        None => action.navigates(),
    };
    if !actions.iter().all(is_left) {
        return None;
    }
    let is_lost = |field: &&SetField| {
        let is_kept = says(&after.url, &field.value)
            || after.nodes.iter().any(|node| {
                says(&node.name, &field.value) || node.value.as_deref().is_some_and(|value| says(value, &field.value))
            });
        !is_search(field) && only_field(before, &field.role, &field.name).is_some() && !is_kept
    };
    let field = set.iter().find(is_lost).filter(|field| only_field(after, &field.role, &field.name).is_none())?;
    let fact = format!(
        "{} {:?} was left with {:?} in it, and nothing was sent to the server since",
        field.role,
        clipped(&field.name),
        clipped(&field.value)
    );
    Some(Finding::new(EvidenceRule::NotSent, EvidenceKind::Element, fact))
}

fn says(text: &str, value: &str) -> bool {
    value.chars().count() >= TELLING && text.contains(value)
}

/// A search field only filters what is shown.
fn is_search(field: &SetField) -> bool {
    const SEARCHES: [&str; 8] = ["search", "filter", "find", "such", "recherche", "chercher", "buscar", "cerca"];
    let name = wording::normalized(&field.name);
    field.role == "searchbox" || SEARCHES.iter().any(|word| name.contains(word))
}

/// Removes the support from all findings about a switch for which no request was sent, if the form has a save button. A
/// switch without such a form is saved when it is turned. If another action follows, it may click that button.
pub(super) fn neutralize_on_unsaved_switch(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    let is_sent = |effect: &PageEffect| matches!(effect, PageEffect::Request { background: false, earlier: false, .. });
    let Some(before) = observed.before else { return };
    if observed.disabled.contains(&EvidenceRule::NotSent)
        || observed.has_further_action
        || observed.is_reloaded()
        || observed.effects.iter().any(is_sent)
    {
        return;
    }
    let turned = observed
        .targets(before)
        .find(|(was, now)| now.role.as_ref() == "switch" && was.states.checked() != now.states.checked());
    let Some((_, switch)) = turned else { return };
    let Some(button) = save_button_after(observed.after, switch) else { return };
    let state = if switch.states.checked() { "on" } else { "off" };
    let fact = format!("{} is {state}, and nothing was sent to the server: {} saves it", named(switch), named(button));
    outweigh(findings, Finding::new(EvidenceRule::NotSent, EvidenceKind::Element, fact).about(subject(switch)));
}

/// The save button of a control's form: the next button with such a name, without a heading in between that begins
/// another section.
pub(super) fn save_button_after<'a>(page: &'a Snapshot, control: &Node) -> Option<&'a Node> {
    let at = page.nodes.iter().position(|node| node.reference == control.reference)?;
    page.nodes[at..]
        .iter()
        .take_while(|node| node.role.as_ref() != "heading")
        .find(|node| node.role.as_ref() == "button" && wording::saves(&node.name))
        .filter(|button| !button.states.disabled())
}
