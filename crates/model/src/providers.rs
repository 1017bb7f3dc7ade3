//! The table of known providers: name, default base URL, environment variable of the key.
//!
//! This module does not read the environment. The composition root reads it and passes the values.

use url::Url;

use crate::{ModelError, wire::Format};

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

const PROVIDERS: &[ProviderInfo] = &[
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

/// The provider of a model's name, and the rest of the name: `openrouter/qwen/qwen3` is `qwen/qwen3` at `openrouter`.
pub fn provider_of(model: &str) -> Result<(&'static ProviderInfo, &str), ModelError> {
    let unknown = || ModelError::UnknownProvider { model: model.to_owned() };
    let (provider, name) = model.split_once('/').ok_or_else(unknown)?;
    let info = PROVIDERS.iter().find(|info| info.name == provider).ok_or_else(unknown)?;
    if name.trim().is_empty() {
        return Err(unknown());
    }
    Ok((info, name))
}

/// The OpenAI-compatible endpoint of Ollama, from the value of `OLLAMA_HOST`: a host, a host and port, or a URL. An
/// address that a server uses to listen on all interfaces is replaced by loopback.
pub fn ollama_base_url(host: &str) -> Result<Url, ModelError> {
    let host = host.trim();
    let given_scheme = host.contains("://");
    let text = if given_scheme { host.to_owned() } else { format!("http://{host}") };
    let bad = || ModelError::BaseUrl { given: host.to_owned() };
    let mut url = Url::parse(&text).map_err(|_| bad())?;
    match url.host_str() {
        None | Some("") => return Err(bad()),
        Some("0.0.0.0") => url.set_host(Some("127.0.0.1")).map_err(|_| bad())?,
        Some("[::]") => url.set_host(Some("[::1]")).map_err(|_| bad())?,
        Some(_) => {}
    }
    if !given_scheme && url.port().is_none() && !host.ends_with(":80") {
        url.set_port(Some(11434)).map_err(|()| bad())?;
    }
    if !url.path().trim_end_matches('/').ends_with("/v1") {
        let path = format!("{}/v1", url.path().trim_end_matches('/'));
        url.set_path(&path);
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_models_name_says_its_provider() {
        let (info, name) = provider_of("openrouter/qwen/qwen3").unwrap();
        assert_eq!((info.name, name), ("openrouter", "qwen/qwen3"));
        for bad in ["gpt-5", "opnai/gpt-5", "openai/", "/x", ""] {
            assert!(matches!(provider_of(bad), Err(ModelError::UnknownProvider { .. })), "{bad}");
        }
    }

    #[test]
    fn ollama_host_in_all_its_forms() {
        let check = |host: &str, expect: &str| assert_eq!(ollama_base_url(host).unwrap().as_str(), expect, "{host}");
        check("localhost", "http://localhost:11434/v1");
        check("0.0.0.0", "http://127.0.0.1:11434/v1");
        check("0.0.0.0:8080", "http://127.0.0.1:8080/v1");
        check("[::]:11434", "http://[::1]:11434/v1");
        check("http://box.lan:1234/", "http://box.lan:1234/v1");
        check("https://box.lan", "https://box.lan/v1");
        check("https://box.lan/ollama/v1", "https://box.lan/ollama/v1");
        assert!(ollama_base_url("http://").is_err());
        assert!(ollama_base_url("").is_err());
    }
}
