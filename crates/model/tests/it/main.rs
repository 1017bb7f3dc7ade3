//! The providers against a real HTTP server with their wire formats.

mod calls;
mod cassettes;
mod faults;
mod router;
mod schema;
mod streaming;

use std::{sync::Arc, time::Duration};

use legwork_model::{ChatModel, ModelError, ModelSettings, Provider, Retries, Timeouts};
use legwork_protocol::{ChatReply, ChatRequest, ChatRole, Image, Message, Purpose, ReplySchema};
use legwork_testing::model::{Script, ScriptedModel, Wire};
use secrecy::SecretString;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

const KEY: &str = "sk-test-abcdefgh";

/// A model at each provider, with the wire format. OpenRouter and Ollama use OpenAI's.
const PROVIDERS: [(&str, Wire); 6] = [
    ("openai/gpt-5-mini", Wire::OpenAi),
    ("anthropic/claude-sonnet-4-5", Wire::Anthropic),
    ("gemini/gemini-2.5-flash", Wire::Gemini),
    ("openrouter/qwen/qwen3-32b", Wire::OpenAi),
    ("ollama/qwen3:4b", Wire::OpenAi),
    ("compatible/local", Wire::OpenAi),
];

/// One provider for each wire format: providers with the same format have the same faults.
const FORMATS: [(&str, Wire); 3] = [PROVIDERS[0], PROVIDERS[1], PROVIDERS[2]];

async fn serve(wire: Wire, script: impl Into<Script>) -> ScriptedModel {
    ScriptedModel::start(wire, script).await.expect("loopback has a free port")
}

/// Settings with short waits.
fn settings(model: &str, server: &ScriptedModel) -> ModelSettings {
    ModelSettings {
        base_url: Some(server.base_url.parse().expect("the server's address is a URL")),
        key: Some(SecretString::from(KEY)),
        timeouts: Timeouts { connect: Duration::from_secs(5), request: Duration::from_secs(20), call: None },
        retries: Retries { max_retries: 3, first_delay: Duration::from_millis(1) },
        ..ModelSettings::new(model)
    }
}

fn open(settings: ModelSettings) -> Arc<dyn ChatModel> {
    Provider::open(settings).expect("the settings are sound")
}

async fn ask(model: &dyn ChatModel, request: &ChatRequest) -> Result<ChatReply, ModelError> {
    model.chat(request, &CancellationToken::new()).await
}

fn message(speaker: ChatRole, text: &str) -> Message {
    Message { speaker, text: text.into(), images: Vec::new() }
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"action": {"type": "string", "enum": ["PROCEED", "ABORT"]}, "confidence": {"type": "number"}},
        "required": ["action", "confidence"],
        "additionalProperties": false,
    })
}

/// A request with instructions, a conversation, a picture and a schema.
fn request() -> ChatRequest {
    let picture = Image { media_type: "image/png".to_owned(), data: "aGVsbG8=".into() };
    ChatRequest {
        purpose: Purpose::Act,
        tier: Default::default(),
        messages: vec![
            message(ChatRole::System, "You drive a browser."),
            message(ChatRole::User, "Page: Sign in"),
            message(ChatRole::Assistant, r#"{"action":"PROCEED","confidence":0.5}"#),
            Message { images: vec![picture], ..message(ChatRole::User, "Page: Welcome, PRIVATE-WORDS") },
        ],
        schema: Some(ReplySchema { name: "decision".to_owned(), schema: Arc::new(schema()) }),
        max_reply_tokens: 800,
        time_limit: None,
    }
}

/// The same request without a schema.
fn free_request() -> ChatRequest {
    ChatRequest { schema: None, ..request() }
}
