//! Calls the cheap model first, and the strong model when the cheap one is not confident, gives up, gives an unusable
//! reply, or its last action failed.

use legwork_protocol::{Decision, ModelTier, Verdict};

use super::StepNotes;
use crate::ModelRules;

/// The model to call first in a turn.
pub(super) fn first(rules: &ModelRules, notes: &StepNotes) -> ModelTier {
    let cheap = rules.cheap_below.is_some() && notes.errors.consecutive == 0;
    if cheap { ModelTier::Cheap } else { ModelTier::Strong }
}

/// The reason to call the strong model after this reply; `decision` is the decision, if the reply was readable.
pub(super) fn escalation_reason(asked: ModelTier, rules: &ModelRules, decision: Option<&Decision>) -> Option<String> {
    let least = rules.cheap_below.filter(|_| asked == ModelTier::Cheap)?;
    match decision {
        None => Some("the cheap model's reply cannot be used".to_owned()),
        Some(decision) if decision.verdict == Verdict::Abort => Some("the cheap model gave up".to_owned()),
        Some(decision) if decision.confidence < least => {
            let percent = |share: f64| (share * 100.0).round();
            let (sure, least) = (percent(decision.confidence), percent(least));
            Some(format!("the cheap model is {sure} % sure of its decision, less than {least} %"))
        }
        Some(_) => None,
    }
}
