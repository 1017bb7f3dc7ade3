//! A decider of your own: code that decides what to do, turn by turn, when a step does not state exactly what to do.

use async_trait::async_trait;
pub use legwork_agent::DecisionContext;
use legwork_protocol::Decision;
use thiserror::Error;

/// Decides on the next turn of a step or task, before the model is called.
///
/// Its decisions are executed like a model's: under the run's policy and limits, with intents and results in the
/// journal, and with the check for repetition. A claim of success needs evidence here too. Literal steps do not call
/// the decider unless the setting `decider` is `model`.
#[async_trait]
pub trait Decider: Send + Sync {
    /// The decision for this turn; `None` leaves the turn to the model.
    ///
    /// # Errors
    /// Why no decision is possible. The step ends with this error.
    async fn decide(&self, situation: &DecisionContext) -> Result<Option<Decision>, DecideError>;
}

/// Why a decider failed.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct DecideError(pub String);
