//! Finds the provider of a model.
//!
//! This module does not read the environment. The composition root reads it and passes the values.

use url::Url;

use crate::{
    ModelError,
    provider_table::{PROVIDERS, ProviderInfo},
};

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
