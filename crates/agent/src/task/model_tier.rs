//! The cheap model first, the strong one where it is worth its price: when the cheap one was not sure, gave up, made no
//! sense, or its last action failed.

use legwork_protocol::{Decision, ModelTier, Verdict};

use super::StepNotes;
use crate::ModelRules;

/// Who is asked first for a turn.
pub(super) fn first(rules: &ModelRules, notes: &StepNotes) -> ModelTier {
    let cheap = rules.cheap_below.is_some() && notes.errors.consecutive == 0;
    if cheap { ModelTier::Cheap } else { ModelTier::Strong }
}

/// Why the strong model has to be asked after this reply; `decision` is what could be read of it.
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
