//! What happens next in a step or task.

use legwork_protocol::{Action, DecidedBy};

use super::Ending;
use crate::{Intent, Need, playbook::PlaybookAction};

/// What a mode does next.
pub(crate) enum Transition {
    Need(Need),
    /// The instruction has been executed; the expectation has not been checked.
    Finished {
        message: String,
        answer: bool,
    },
    /// The parser does not understand the step completely, or its actions failed: another decider takes over, if there
    /// is one.
    HandOver(Ending),
    /// A model replaced a recorded action; the playbook continues with these.
    Replay(Vec<PlaybookAction>),
    Ended(Ending),
}

/// Intents for these actions, with the same decider.
pub(crate) fn intents(actions: Vec<Action>, decider: DecidedBy) -> Vec<Intent> {
    actions.into_iter().map(|action| Intent { action, decider, identity: None }).collect()
}
