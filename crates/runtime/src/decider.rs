//! A decider of one's own: a program that says, turn by turn, what is to be done where a step's words do not say enough.

use async_trait::async_trait;
pub use legwork_agent::DecisionContext;
use legwork_protocol::Decision;
use thiserror::Error;

/// Decides on the next turn of a step or task, before the model is asked.
///
/// Its decisions are carried out like a model's: within the run's policy and budgets, with intents and results in the
/// journal, checked against repeating itself, and a claim is no better than its evidence. Steps whose words say exactly what to
/// do do not reach it, unless the setting `decider` is `model`.
#[async_trait]
pub trait Decider: Send + Sync {
    /// What to do now; nothing leaves this turn to the model.
    ///
    /// # Errors
    /// Why it cannot be decided; the step ends with it.
    async fn decide(&self, situation: &DecisionContext) -> Result<Option<Decision>, DecideError>;
}

/// Why a decider did not decide.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct DecideError(pub String);
