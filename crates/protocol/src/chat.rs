//! What a model is asked, and what it answers, whatever the provider.

use std::{sync::Arc, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::millis;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChatRole {
    /// Standing instructions.
    System,
    /// Us.
    User,
    /// The model.
    Assistant,
}

/// One message. The text is shared, so that history is never copied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// Who speaks.
    pub speaker: ChatRole,
    /// What is said.
    pub text: Arc<str>,
    /// Pictures that go with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    /// Media type, such as `image/jpeg`.
    pub media_type: String,
    /// Base64.
    pub data: Arc<str>,
}

/// What the call is for; roles may have models of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Decide the next action.
    Act,
    /// Make a plan.
    Plan,
    /// Check an answer.
    Validate,
    /// Take data out of a page.
    Extract,
    /// Describe a picture.
    Look,
    /// Find out what a page is before anything is done on it.
    Investigate,
    /// Think over a doubtful decision or a failed action.
    Reflect,
    /// Make a long history short.
    Compact,
}

/// Which of a role's models is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModelTier {
    /// The one the role is given to.
    #[default]
    Strong,
    /// The cheap one that is tried before it, when there is one.
    Cheap,
}

impl ModelTier {
    /// Whether it is what nobody asked to be otherwise.
    pub fn is_strong(&self) -> bool {
        *self == ModelTier::Strong
    }
}

/// The shape a reply must have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplySchema {
    /// A name for it, `[a-z_]+`.
    pub name: String,
    /// JSON Schema, already normalised for strict providers.
    pub schema: Arc<Value>,
}

/// What a model is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatRequest {
    /// What the call is for.
    pub purpose: Purpose,
    /// Which of the models for it.
    #[serde(default, skip_serializing_if = "ModelTier::is_strong")]
    pub tier: ModelTier,
    /// The messages, the stable prefix first.
    pub messages: Vec<Message>,
    /// The shape of the reply; free text without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<ReplySchema>,
    /// The most tokens the reply may have.
    pub max_reply_tokens: u32,
}

/// What a model answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatReply {
    /// `provider/name` of the model that answered.
    pub model: String,
    /// The text.
    pub text: String,
    /// Why it ended: `stop`, `length`, `refusal`… as the provider says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// What it cost.
    pub usage: Usage,
    /// How long it took, retries included.
    #[serde(with = "millis", rename = "latencyMs")]
    #[schemars(with = "u64")]
    pub latency: Duration,
    /// How often the transport was tried again before it answered.
    #[serde(default)]
    pub retries: u32,
    /// The models that were asked before it and gave nothing, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_attempts: Vec<FailedAttempt>,
}

/// A model that was asked and gave nothing, so that the next one was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FailedAttempt {
    /// `provider/name`.
    pub model: String,
    /// Why it gave nothing.
    pub failure: ModelFailure,
    /// How long it took, retries included.
    #[serde(with = "millis", rename = "latencyMs")]
    #[schemars(with = "u64")]
    pub latency: Duration,
    /// How often it was asked again.
    pub retries: u32,
}

/// Tokens and money. Adds up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Calls.
    pub calls: u32,
    /// Tokens read, cached ones included.
    pub prompt_tokens: u64,
    /// Of these, read from the provider's cache.
    #[serde(default)]
    pub cached_tokens: u64,
    /// Tokens written.
    pub completion_tokens: u64,
    /// US dollars; absent when the price is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// The provider told no tokens of some call, so that Legwork counted them itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, more: Usage) {
        // An unknown price on either side makes the sum a lower bound; it is still worth having.
        self.cost_usd = match (self.cost_usd, more.cost_usd) {
            (None, None) => None,
            (a, b) => Some(a.unwrap_or(0.0) + b.unwrap_or(0.0)),
        };
        self.calls += more.calls;
        self.prompt_tokens += more.prompt_tokens;
        self.cached_tokens += more.cached_tokens;
        self.completion_tokens += more.completion_tokens;
        self.estimated |= more.estimated;
    }
}

/// Why a model gave no usable reply, as the agent and the journal see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelFailure {
    /// Which code of the AI… family (see the table of codes).
    pub code: crate::Code,
    /// In words, without keys.
    pub message: String,
    /// Whether another try may help.
    pub retryable: bool,
}

impl ModelFailure {
    /// Whether the model did answer, and nothing can be done with it: too large, empty, cut off, not JSON.
    pub fn is_unusable_reply(&self) -> bool {
        use crate::Code::{ModelReply, ReplyCutOff, ReplyEmpty, ReplyTooLarge};
        matches!(self.code, ModelReply | ReplyCutOff | ReplyEmpty | ReplyTooLarge)
    }
}
