//! The validated reply of a decider: what it makes of the page, and what to do next (contract §3).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Action;

/// Who decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    /// Read off the step's own words.
    Literal,
    /// The program that has Legwork as a library.
    Custom,
    /// A language model.
    Model,
}

impl DecidedBy {
    /// As on the wire.
    pub fn name(self) -> &'static str {
        match self {
            DecidedBy::Literal => "literal",
            DecidedBy::Custom => "custom",
            DecidedBy::Model => "model",
        }
    }
}

/// What the decider makes of the last result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Verdict {
    /// It went well. With a command: go on. Without: the task is finished.
    Proceed,
    /// It did not; the command corrects it.
    Retry,
    /// It cannot be done.
    Abort,
}

/// A validated decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Decision {
    /// The verdict.
    pub verdict: Verdict,
    /// The verdict in words; the answer, when the task is finished.
    pub message: String,
    /// The model's own check of the last result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation: Option<ResultValidation>,
    /// Why.
    pub reasoning: Reasoning,
    /// 0 to 1.
    pub confidence: f64,
    /// What to do, in order; it stops at the first failure or page change.
    pub commands: Vec<Command>,
}

impl Decision {
    /// Carry these actions out, in order.
    pub fn act(actions: impl IntoIterator<Item = Action>, why: &str) -> Decision {
        let commands = actions.into_iter().map(|action| Command { action, reasoning: None }).collect();
        Decision { commands, ..Decision::of(Verdict::Proceed, why) }
    }

    /// The step or task is done; a lone task's answer.
    pub fn done(answer: &str) -> Decision {
        Decision::of(Verdict::Proceed, answer)
    }

    /// It cannot be done.
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

/// The model's own check of the last result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResultValidation {
    /// Whether the last command did what it was for.
    pub success: bool,
    /// What should be on the page.
    #[serde(default)]
    pub expected_elements: Vec<String>,
    /// What is on the page.
    #[serde(default)]
    pub actual_state: String,
    /// What is wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<String>,
}

/// Why.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Reasoning {
    /// The page and the last result.
    #[serde(default)]
    pub analysis: String,
    /// Why this decision.
    #[serde(default)]
    pub rationale: String,
    /// What it will lead to.
    #[serde(default)]
    pub expected_outcome: String,
    /// What else was considered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternatives: Option<String>,
}

/// One command of a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Command {
    /// What to do.
    #[serde(flatten)]
    pub action: Action,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
}
