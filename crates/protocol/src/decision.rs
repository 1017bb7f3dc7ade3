//! The validated reply of a decider: its assessment of the page, and the next actions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Action;

/// The kind of decider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    /// The parser of literal steps, without a model.
    Literal,
    /// A playbook: the recorded actions of an earlier run, without a model.
    Playbook,
    /// A decider of the program that uses Legwork as a library.
    Custom,
    /// A language model.
    Model,
}

impl DecidedBy {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            DecidedBy::Literal => "literal",
            DecidedBy::Playbook => "playbook",
            DecidedBy::Custom => "custom",
            DecidedBy::Model => "model",
        }
    }
}

/// The decider's verdict on the last result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Verdict {
    /// The last result is good. With commands, continue; without commands, the task is finished.
    Proceed,
    /// The last result is not good; the commands correct it.
    Retry,
    /// The task cannot be done.
    Abort,
}

/// A validated decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Decision {
    /// The verdict.
    pub verdict: Verdict,
    /// The explanation of the verdict; the answer, when the task is finished.
    pub message: String,
    /// The model's check of the last result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation: Option<ResultValidation>,
    /// The reasoning.
    pub reasoning: Reasoning,
    /// Confidence, 0 to 1.
    pub confidence: f64,
    /// The actions, in order; execution stops at the first failure or page change.
    pub commands: Vec<Command>,
}

impl Decision {
    /// A decision to execute these actions in order.
    pub fn act(actions: impl IntoIterator<Item = Action>, why: &str) -> Decision {
        let commands = actions.into_iter().map(|action| Command { action, reasoning: None }).collect();
        Decision { commands, ..Decision::of(Verdict::Proceed, why) }
    }

    /// A decision that the step or task is finished, with the answer of a task.
    pub fn done(answer: &str) -> Decision {
        Decision::of(Verdict::Proceed, answer)
    }

    /// A decision that it cannot be done.
    pub fn abort(why: &str) -> Decision {
        Decision::of(Verdict::Abort, why)
    }

    fn of(verdict: Verdict, message: &str) -> Decision {
        Decision {
            verdict,
            message: message.to_owned(),
            validation: None,
            reasoning: Reasoning::default(),
            confidence: 1.0,
            commands: Vec::new(),
        }
    }
}

/// The model's check of the last result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResultValidation {
    /// Whether the last command had its intended effect.
    pub success: bool,
    /// The expected state of the page.
    #[serde(default)]
    pub expected_elements: Vec<String>,
    /// The actual state of the page.
    #[serde(default)]
    pub actual_state: String,
    /// The difference.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<String>,
}

/// The reasoning of a decision.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Reasoning {
    /// The analysis of the page and the last result.
    #[serde(default)]
    pub analysis: String,
    /// The reason for the decision.
    #[serde(default)]
    pub rationale: String,
    /// The expected result.
    #[serde(default)]
    pub expected_outcome: String,
    /// The alternatives that were considered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternatives: Option<String>,
}

/// One command of a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Command {
    /// The action.
    #[serde(flatten)]
    pub action: Action,
    /// The reason for the command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
}
