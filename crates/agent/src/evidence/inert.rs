//! A click on an element that cannot react: a heading or a text that is called like a control. The step was carried out
//! and had no effect, and the user needs the name of the control that was meant.

use legwork_observe::{Node, NodeIndex, Snapshot, wording};
use legwork_protocol::{Action, EvidenceKind, TargetKind};
use legwork_steps::is_control;

use super::{EvidenceRule, Finding, Observed, named};

/// Words are compared by their first letters, so that `items` is `item`.
const STEM: usize = 4;

/// A finding about the clicked element, if nothing happened. A page may listen for clicks on the whole document, so the
/// absence of a listener alone says nothing.
pub(super) fn note_inert_target(observed: &Observed<'_>, findings: &[Finding]) -> Option<Finding> {
    let before = observed.before?;
    let tells = findings.iter().any(|finding| finding.supports() || finding.contradicts());
    if tells || observed.disabled.contains(&EvidenceRule::InertTarget) {
        return None;
    }
    let at = observed.actions.iter().find_map(|action| match action.carried_out() {
        Action::Click(click) => clicked(before, &click.target.kind()),
        _ => None,
    })?;
    let is_operable = |at: NodeIndex| before.nodes[at].states.actionable() || is_control(&before.nodes[at].role);
    if is_operable(at) || before.ancestors(at).any(is_operable) || before.below(at).any(is_operable) {
        return None;
    }
    let what = named(&before.nodes[at]);
    let nearest = nearest_control(before, &before.nodes[at].name);
    let hint = nearest.map(|node| format!("; {} is the control with the most similar name", named(node)));
    let fact =
        format!("{what} does not react to a click: it is no control and has no listener{}", hint.unwrap_or_default());
    Some(Finding::new(EvidenceRule::InertTarget, EvidenceKind::Element, fact))
}

/// The clicked element, if it is known: the target of a step is the text of an element without a ref.
fn clicked(page: &Snapshot, target: &TargetKind<'_>) -> Option<NodeIndex> {
    match target {
        TargetKind::Ref(reference) => page.find_ref(*reference),
        TargetKind::Role { role, name: Some(name) } => {
            page.nodes.iter().position(|node| *node.role == **role && *node.name == **name)
        }
        TargetKind::Text(text) => {
            let text = text.trim_matches('"');
            page.nodes.iter().position(|node| node.name.trim() == text)
        }
        _ => None,
    }
}

/// The control that shares most words with a name, relative to the words of both.
fn nearest_control<'a>(page: &'a Snapshot, name: &str) -> Option<&'a Node> {
    let stems = |text: &str| -> Vec<String> {
        let text = wording::normalized(text);
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 2);
        words.map(|word| word.chars().take(STEM).collect()).collect()
    };
    let wanted = stems(name);
    let controls = page.nodes.iter().filter(|node| is_control(&node.role) && !node.states.disabled());
    let scored = controls.filter_map(|node| {
        let stems = stems(&node.name);
        let shared = stems.iter().filter(|stem| wanted.contains(stem)).count();
        (shared > 0).then(|| (2000 * shared / (stems.len() + wanted.len()), node))
    });
    // Of several, the first.
    scored.rev().max_by_key(|(score, _)| *score).map(|(_, node)| node)
}
