//! Leaves out what the first run did without effect: a menu that was opened and closed again, a page that was opened
//! and left again, a field that was filled in twice.

use legwork_protocol::{Action, Effect, PageEffect};

use super::record::RecordedCommand;

/// The actions without those whose effect was undone by later ones.
pub(super) fn without_detours(mut done: Vec<RecordedCommand>) -> Vec<RecordedCommand> {
    done.retain(|one| one.action.effect() != Effect::ReadOnly || is_needed_to_read(&one.action));
    while let Some((first, last)) = detour(&done) {
        done.drain(first..=last);
    }
    let mut kept: Vec<RecordedCommand> = Vec::with_capacity(done.len());
    for one in done {
        let replaces = |earlier: &RecordedCommand| sets_again(earlier, &one);
        if kept.last().is_some_and(replaces) {
            kept.pop();
        }
        kept.push(one);
    }
    kept
}

/// A read-only action whose result the workflow uses or that waits for the page.
fn is_needed_to_read(action: &Action) -> bool {
    matches!(action, Action::Save(_) | Action::Wait(_))
}

/// The longest sequence that begins and ends on the same page in the same state, and that asked no server for a change.
fn detour(done: &[RecordedCommand]) -> Option<(usize, usize)> {
    for first in 0..done.len() {
        for last in (first + 1..done.len()).rev() {
            let (from, to) = (&done[first], &done[last]);
            let is_back = !from.before.is_empty() && from.before == to.after && from.after != from.before;
            if is_back && done[first..=last].iter().all(is_without_lasting_effect) {
                return Some((first, last));
            }
        }
    }
    None
}

/// Whether the effect of an action can be undone by leaving the page as it was.
fn is_without_lasting_effect(done: &RecordedCommand) -> bool {
    let lasts = |effect: &PageEffect| match effect {
        PageEffect::Navigated { .. } | PageEffect::Unsettled { .. } => false,
        PageEffect::TabOpened { .. } | PageEffect::TabClosed { .. } => false,
        PageEffect::Request { method, .. } => method != "GET",
        PageEffect::Dialog(_)
        | PageEffect::ChooserOpened { .. }
        | PageEffect::Downloaded(_)
        | PageEffect::Blocked { .. } => true,
    };
    !done.effects.iter().any(lasts) && !matches!(done.action, Action::Save(_) | Action::Upload(_))
}

/// Whether the second action sets the same field as the first, which was not submitted.
fn sets_again(first: &RecordedCommand, second: &RecordedCommand) -> bool {
    let field = |done: &RecordedCommand| match &done.action {
        Action::Fill(_) | Action::Select(_) => {
            done.found.get("target").or(done.identity.elements.get("target")).cloned()
        }
        _ => None,
    };
    let submits = matches!(&first.action, Action::Fill(fill) if fill.submit);
    !submits && first.effects.is_empty() && field(first).is_some() && field(first) == field(second)
}
