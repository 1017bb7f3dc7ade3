//! Why a page did not answer, and the failure of an action that follows.

use legwork_protocol::{ActionFailure, DialogInfo};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::driver::DriverError;

/// Why a call has no result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum EvaluateError {
    /// A dialog is open, and it blocks the page until it is answered.
    DialogOpen(DialogInfo),
    /// The document is gone; the frame has a new one or was removed.
    ContextDestroyed,
    Failed(ActionFailure),
}

impl From<ActionFailure> for EvaluateError {
    fn from(failure: ActionFailure) -> Self {
        EvaluateError::Failed(failure)
    }
}

impl From<EvaluateError> for ActionFailure {
    fn from(trouble: EvaluateError) -> Self {
        match trouble {
            EvaluateError::DialogOpen(dialog) => dialog_open(&dialog),
            EvaluateError::ContextDestroyed => ActionFailure::StaleRef { target: "the page".to_owned() },
            EvaluateError::Failed(failure) => failure,
        }
    }
}

pub(crate) fn dialog_open(dialog: &DialogInfo) -> ActionFailure {
    let kind = format!("{:?}", dialog.kind).to_ascii_lowercase();
    ActionFailure::DialogOpen { dialog: kind, message: dialog.message.clone() }
}

pub(crate) fn failure_of(error: &DriverError) -> ActionFailure {
    match error {
        DriverError::Disconnected(reason) => ActionFailure::BrowserGone { reason: reason.to_string() },
        DriverError::Crashed => ActionFailure::Crashed,
        DriverError::TargetClosed => ActionFailure::StaleRef { target: "the tab".to_owned() },
        DriverError::Timeout { .. } => ActionFailure::Unresponsive,
        DriverError::Exception(reason) => ActionFailure::ScriptFailed { reason: reason.clone() },
        DriverError::Refused(_) | DriverError::Outdated { .. } => {
            ActionFailure::BrowserRefused { reason: error.to_string() }
        }
    }
}

/// Parses the result of a call.
pub(crate) fn value_of<T: DeserializeOwned>(answer: Value) -> Result<T, EvaluateError> {
    serde_json::from_value(answer).map_err(|error| {
        EvaluateError::Failed(ActionFailure::Unreadable {
            what: "the page's answer".to_owned(),
            reason: error.to_string(),
        })
    })
}
