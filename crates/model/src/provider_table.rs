//! The table of known providers.

use crate::api_format::Format;

/// What is known about a provider before any setting is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProviderInfo {
    /// The provider in `provider/name`.
    pub name: &'static str,
    /// The environment variable that contains the key.
    pub key_variable: Option<&'static str>,
    /// Whether the provider requires a key.
    pub key_required: bool,
    /// The base URL if none is set.
    pub default_base_url: Option<&'static str>,
    /// Whether the API has its own method for JSON with a schema. A server that does not support it receives the
    /// schema in the prompt instead.
    pub native_schema: bool,
    pub(crate) format: Format,
}

pub(crate) const PROVIDERS: &[ProviderInfo] = &[
    ProviderInfo {
        name: "openai",
        key_variable: Some("OPENAI_API_KEY"),
        key_required: true,
        default_base_url: Some("https://api.openai.com/v1"),
        native_schema: true,
        format: Format::OpenAi,
    },
    ProviderInfo {
        name: "anthropic",
        key_variable: Some("ANTHROPIC_API_KEY"),
        key_required: true,
        default_base_url: Some("https://api.anthropic.com/v1"),
        native_schema: true,
        format: Format::Anthropic,
    },
    ProviderInfo {
        name: "gemini",
        key_variable: Some("GEMINI_API_KEY"),
        key_required: true,
        default_base_url: Some("https://generativelanguage.googleapis.com/v1beta"),
        native_schema: true,
        format: Format::Gemini,
    },
    ProviderInfo {
        name: "openrouter",
        key_variable: Some("OPENROUTER_API_KEY"),
        key_required: true,
        default_base_url: Some("https://openrouter.ai/api/v1"),
        native_schema: true,
        format: Format::Compatible,
    },
    // Ollama's own API accepts a context length with each request; with this API, the server's setting applies
    // (OLLAMA_CONTEXT_LENGTH).
    ProviderInfo {
        name: "ollama",
        key_variable: Some("OLLAMA_API_KEY"),
        key_required: false,
        default_base_url: Some("http://127.0.0.1:11434/v1"),
        native_schema: true,
        format: Format::Compatible,
    },
    // vLLM, llama.cpp, LM Studio and other servers with OpenAI's chat completions API.
    ProviderInfo {
        name: "compatible",
        key_variable: Some("LEGWORK_MODEL_KEY"),
        key_required: false,
        default_base_url: None,
        native_schema: true,
        format: Format::Compatible,
    },
];

/// All providers, in the order in which they are listed.
pub fn providers() -> &'static [ProviderInfo] {
    PROVIDERS
}
