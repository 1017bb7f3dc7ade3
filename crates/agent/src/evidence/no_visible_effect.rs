//! A change that the server accepted and of which the page shows nothing. Servers answer with 200 or redirect to the
//! same page also if they ignored the request, so that the response alone does not show the result at the end of a run.

use legwork_observe::{Node, Snapshot, wording};
use legwork_protocol::EvidenceKind;

use super::{
    EvidenceRule, Finding, FindingSubject, Observed, changes::has_other_content, outweigh, unrelated::presses_enter,
    unrelated_effect::closed_part,
};

/// Removes the support of the response to a change if nothing else supports the action. The next action finds its
/// target whether or not the change was made, so that it does not show the effect either; but anything new on the page,
/// such as the next form of several, may be the effect of an action that another one follows.
pub(super) fn neutralize_without_visible_effect(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    let Some(before) = observed.before else { return };
    let is_of_request = |finding: &Finding| {
        finding.rule == EvidenceRule::Response && matches!(finding.subject, FindingSubject::Request { .. })
    };
    if observed.disabled.contains(&EvidenceRule::NoVisibleEffect)
        || observed.is_login
        || !observed.sends_change()
        || !(observed.presses_button(before) || presses_enter(observed))
        || !findings.iter().any(Finding::supports)
        || findings.iter().any(|finding| finding.contradicts() || finding.supports() && !is_of_request(finding))
        || shows_other_content(observed, before)
        || keeps_values(observed, before)
        || states_success_for_a_moment(observed)
    {
        return;
    }
    let fact = "the server accepted a request, and the page shows nothing new; state in `expect` what it is to show";
    outweigh(findings, Finding::new(EvidenceRule::NoVisibleEffect, EvidenceKind::Text, fact));
}

/// Whether the content of the page is another one. The dialog or menu in which the control is closes whether or not the
/// change was made; at the end of a run, [`unrelated_effect`](super::unrelated_effect) judges that.
fn shows_other_content(observed: &Observed<'_>, before: &Snapshot) -> bool {
    if !observed.has_further_action {
        return has_other_content(observed, before);
    }
    let closed = closed_part(observed, before);
    // The consent to cookies has no other effect.
    let mut texts = before.nodes[closed.clone()].iter().map(|node| node.name.to_lowercase());
    let is_consent = texts.any(|text| text.contains("cookie") || text.contains("consent"));
    is_consent || has_other_content(observed, &before.without(|at| closed.contains(&at)))
}

/// Whether the page stated success in a text that it then took back, as a button does whose name is `Saved` for a
/// moment.
pub(super) fn states_success_for_a_moment(observed: &Observed<'_>) -> bool {
    let states_success = |text: &str| wording::tone(text, "") == wording::MessageTone::Success;
    observed.after.reversions.iter().any(|reversion| states_success(&reversion.meanwhile))
}

/// Whether the document was loaded again and its fields have the values that they had when the form was sent: the
/// server has stored them. A form that is emptied for the next entry shows nothing.
pub(super) fn keeps_values(observed: &Observed<'_>, before: &Snapshot) -> bool {
    let held = |page: &Snapshot, field: &Node| {
        let now = page.nodes.iter().find(|node| node.role == field.role && node.name == field.name);
        now.is_some_and(|now| now.value == field.value)
    };
    let is_filled = |node: &&Node| {
        node.states.editable()
            && !node.states.secret()
            && node.value.as_deref().is_some_and(|value| !value.trim().is_empty())
    };
    observed.is_reloaded() && before.nodes.iter().filter(is_filled).any(|field| held(observed.after, field))
}
