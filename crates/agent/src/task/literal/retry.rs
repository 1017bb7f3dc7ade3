//! When a clause is resolved and executed again, and for how long its target is waited for.

use std::time::Duration;

use legwork_observe::Snapshot;
use legwork_protocol::{Action, ActionFailure, ActionResult, Decision, Effect, NetworkError, PageEffect, TargetKind};
use legwork_steps::{Instruction, ResolveError};

use crate::task::run_context::StepContext;

/// How long the element of an optional step is waited for.
const OPTIONAL_WAIT: Duration = Duration::from_secs(2);

/// Whether the browser shows the blank page with which it starts.
pub(super) fn is_blank(page: &Snapshot) -> bool {
    let has_content = page.nodes.len() > 1 || page.dialog.is_some() || page.tabs.len() > 1;
    page.url == "about:blank" && page.title.is_empty() && !has_content
}

/// How long to wait for a target. If too many elements match, waiting seldom reduces their number. If a model can take
/// over, its turn is more useful than the rest of the waiting time.
pub(super) fn wait_for(unresolved: &ResolveError, is_optional: bool, cx: &StepContext<'_>) -> Duration {
    let limit = cx.rules.limits.element_wait;
    match unresolved {
        ResolveError::NotFound { .. } if is_optional => limit.min(OPTIONAL_WAIT),
        ResolveError::NotFound { .. } if cx.others_may_decide() => limit / 3,
        ResolveError::NotFound { .. } => limit,
        ResolveError::Ambiguous { .. } | ResolveError::WrongKind { .. } => limit / 5,
    }
}

/// Whether the same clause may be resolved and executed again: the failure may be temporary, and the action certainly
/// had no effect.
pub(super) fn may_try_again(action: &Action, failure: &ActionFailure) -> bool {
    match failure {
        ActionFailure::StaleRef { .. }
        | ActionFailure::Covered { .. }
        | ActionFailure::Moving { .. }
        | ActionFailure::NotFound { .. }
        | ActionFailure::NotVisible { .. }
        | ActionFailure::Disabled { .. }
        | ActionFailure::NoOption { .. }
        | ActionFailure::NotClickable { .. }
        | ActionFailure::NoDialog => true,
        // A wait has used its time; a click may have been executed before the time was over.
        ActionFailure::Timeout { .. } => action.effect() == Effect::Idempotent,
        ActionFailure::Unreachable { reason, .. } => {
            action.effect() == Effect::Idempotent && NetworkError::of(reason) == NetworkError::Passing
        }
        _ => false,
    }
}

/// Whether an action that contains the answer to a dialog opened a dialog and answered it.
pub(super) fn is_answered(action: &Action, result: &ActionResult) -> bool {
    let carries = matches!(action, Action::Dialog(dialog) if dialog.opened_by.is_some());
    let given = |effect: &PageEffect| matches!(effect, PageEffect::Dialog(dialog) if dialog.accepted.is_some());
    carries && result.effects.iter().any(given)
}

pub(super) fn decision(text: &str, actions: &[Action]) -> Decision {
    Decision::act(actions.iter().cloned(), &legwork_protocol::mask_passwords(text))
}

/// The text that names the target of an action, if rows outside the current iteration contain it as well. The browser
/// searches the whole page for a text and could find it there.
pub(super) fn hidden_text(
    instruction: &Instruction,
    actions: &[Action],
    shown: &Snapshot,
    cx: &StepContext<'_>,
) -> Option<String> {
    let whole = cx.run_context.whole_page.as_deref()?;
    let words = instruction.to_string();
    actions.iter().filter_map(|action| action.carried_out().target()).find_map(|target| {
        if matches!(target.kind(), TargetKind::Ref(_)) || words.contains(target.0.as_str()) {
            return None;
        }
        let text = target.0.strip_prefix("text=").map(|text| text.trim_matches('"'));
        let name = || target.0.split_once("[name=\"")?.1.strip_suffix("\"]");
        let text = text.or_else(name).unwrap_or(&target.0).to_lowercase();
        let count = |page: &Snapshot| page.nodes.iter().filter(|node| node.name.to_lowercase().contains(&text)).count();
        (count(whole) > count(shown)).then_some(text)
    })
}
