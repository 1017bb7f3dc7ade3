//! What a client asks of a run.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Workflow;

/// What a client asks of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Op {
    /// Begin.
    Start {
        /// What to do.
        workflow: Workflow,
        /// Values for its inputs.
        #[serde(default)]
        inputs: BTreeMap<String, Value>,
    },
    /// Execute nothing until told to go on.
    Pause,
    /// Go on.
    Resume,
    /// Stop for good.
    Cancel {
        /// Why, for the record.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// Answer a question of `ask`.
    Answer {
        /// The answer. For a secret question it goes to the vault, never into the journal.
        text: String,
    },
}

/// A question to a human.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// In words.
    pub text: String,
    /// The answer is a secret and never reaches a model.
    #[serde(default)]
    pub secret: bool,
}
