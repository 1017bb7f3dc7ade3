//! Requests to models and their replies, independent of the provider.

use std::{sync::Arc, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{maybe_millis, millis};

/// The author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChatRole {
    /// System instructions.
    System,
    /// Legwork.
    User,
    /// The model.
    Assistant,
}

/// One message. The text is shared, so that the history is never copied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// The author.
    pub speaker: ChatRole,
    /// The text.
    pub text: Arc<str>,
    /// Images that belong to the message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
}

/// An image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    /// Media type, such as `image/jpeg`.
    pub media_type: String,
    /// The image data in Base64.
    pub data: Arc<str>,
}

/// The purpose of a call. Each purpose can have its own model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Decide the next action.
    Act,
    /// Make a plan.
    Plan,
    /// Check an answer against the criteria.
    Validate,
    /// Extract data from a page.
    Extract,
    /// Describe a screenshot.
    Look,
    /// Investigate a page before acting on it.
    Investigate,
    /// Reflect on an uncertain decision or a failed action.
    Reflect,
    /// Summarise a long history.
    Compact,
}

/// Which of the models of a purpose is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModelTier {
    /// The model that is configured for the purpose.
    #[default]
    Strong,
    /// The cheap model that is tried first, if one is configured.
    Cheap,
}

impl ModelTier {
    /// Whether it is the default.
    pub fn is_strong(&self) -> bool {
        *self == ModelTier::Strong
    }
}

/// The required shape of a reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplySchema {
    /// The name of the schema, `[a-z_]+`.
    pub name: String,
    /// The JSON Schema, already normalised for strict providers.
    pub schema: Arc<Value>,
}

/// A request to a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatRequest {
    /// The purpose of the call.
    pub purpose: Purpose,
    /// Which model of the purpose to call.
    #[serde(default, skip_serializing_if = "ModelTier::is_strong")]
    pub tier: ModelTier,
    /// The messages. Those that stay the same between requests come first, so that providers can cache them.
    pub messages: Vec<Message>,
    /// The required shape of the reply; without it, the reply is free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<ReplySchema>,
    /// The maximum number of tokens in the reply.
    pub max_reply_tokens: u32,
    /// How long to wait for the reply, with all retries; by default as long as the settings allow.
    #[serde(default, with = "maybe_millis", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<u64>")]
    pub time_limit: Option<Duration>,
}

/// The reply of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatReply {
    /// `provider/name` of the model that answered.
    pub model: String,
    /// The text of the reply.
    pub text: String,
    /// The finish reason that the provider reported: `stop`, `length`, `refusal`…
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// Tokens and cost.
    pub usage: Usage,
    /// Duration, including retries.
    #[serde(with = "millis", rename = "latencyMs")]
    #[schemars(with = "u64")]
    pub latency: Duration,
    /// Number of transport retries before the reply.
    #[serde(default)]
    pub retries: u32,
    /// The models that were called before this one and gave no usable reply, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_attempts: Vec<FailedAttempt>,
}

/// A failed call to a model, after which the next model was called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FailedAttempt {
    /// `provider/name`.
    pub model: String,
    /// The reason for the failure.
    pub failure: ModelFailure,
    /// Duration, including retries.
    #[serde(with = "millis", rename = "latencyMs")]
    #[schemars(with = "u64")]
    pub latency: Duration,
    /// Number of retries.
    pub retries: u32,
}

/// Tokens and cost; can be added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Number of calls.
    pub calls: u32,
    /// Input tokens, including cached ones.
    pub prompt_tokens: u64,
    /// Input tokens that were read from the provider's cache.
    #[serde(default)]
    pub cached_tokens: u64,
    /// Output tokens.
    pub completion_tokens: u64,
    /// Cost in US dollars; absent when the price is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// Whether the provider did not report the tokens of at least one call, so that Legwork counted them itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, more: Usage) {
        // If the price of one side is unknown, the sum is a lower bound, which is still useful.
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

/// The reason why a model gave no usable reply, as the agent and the journal receive it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelFailure {
    /// The code, from the AI… family (see the table of codes).
    pub code: crate::Code,
    /// The message, without API keys.
    pub message: String,
    /// Whether a retry may succeed.
    pub retryable: bool,
}

impl ModelFailure {
    /// Whether the model did reply, but the reply is not usable: too large, empty, truncated, or not JSON.
    pub fn is_unusable_reply(&self) -> bool {
        use crate::Code::{ModelReply, ReplyCutOff, ReplyEmpty, ReplyTooLarge};
        matches!(self.code, ModelReply | ReplyCutOff | ReplyEmpty | ReplyTooLarge)
    }
}
