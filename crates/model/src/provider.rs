//! One model at one provider. A call waits for the rate limit, tries the methods of structured output that the server
//! may accept, and is retried after temporary failures, until its time limit is reached or it is cancelled.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use async_trait::async_trait;
use legwork_protocol::{ChatReply, ChatRequest, Usage};
use secrecy::{ExposeSecret, SecretString};
use tokio_util::sync::CancellationToken;
use tracing::{debug, warn};
use url::Url;

use crate::{
    Cassette, ChatModel, DeltaSink, ModelError, ModelSettings, Price, ProviderInfo,
    http_exchange::HttpExchange,
    limit::Limiter,
    negotiate::{Negotiation, is_schema_rejection},
    price::Tokens,
    provider_of,
    retry::RetrySchedule,
    transport::{self, Transport},
    wire::{Format, ParsedReply, RequestParts, StructuredOutput},
};

/// One model at one provider.
pub struct Provider {
    settings: ModelSettings,
    /// The model's name as the provider knows it.
    name: String,
    format: Format,
    path: String,
    transport: Transport,
    negotiation: Negotiation,
    limiter: Arc<Limiter>,
    price: Option<Price>,
    /// The server refused a streaming request.
    streaming_unsupported: AtomicBool,
}

impl Provider {
    /// Checks the settings. Nothing is sent, and no client is created yet.
    pub fn open(settings: ModelSettings) -> Result<Arc<dyn ChatModel>, ModelError> {
        let (info, name) = provider_of(&settings.model)?;
        let path = info.format.path(name);
        let url = endpoint(info, settings.base_url.as_ref(), &path)?;
        let key = settings.key.as_ref().map(|key| key.expose_secret().trim()).filter(|key| !key.is_empty());
        if let (None, true, Some(variable)) = (key, info.key_required && settings.cassette.is_none(), info.key_variable)
        {
            return Err(ModelError::NoKey { provider: info.name, variable });
        }
        let headers = transport::headers(info.format, key).ok_or(ModelError::BadKey { provider: info.name })?;
        Ok(Arc::new(Provider {
            name: name.to_owned(),
            format: info.format,
            path,
            limiter: Limiter::shared(name, &url, settings.rate),
            transport: Transport::new(url, headers, settings.timeouts, settings.max_reply_bytes),
            negotiation: Negotiation::new(info.format),
            streaming_unsupported: AtomicBool::new(false),
            price: settings.price.or_else(|| Price::of(&settings.model)),
            settings,
        }))
    }

    /// Tries the remaining methods of structured output until the server accepts one. If it accepts none, the first
    /// refusal is returned, because the later methods send a subset of the same request.
    async fn call_with_negotiation(
        &self,
        request: &ChatRequest,
        sink: &dyn DeltaSink,
    ) -> Result<(ParsedReply, u32), ModelError> {
        let until = Instant::now() + self.settings.call_limit();
        let mut schedule = RetrySchedule::new(self.settings.retries);
        if request.schema.is_none() {
            let answer = self.call_with_retries(request, StructuredOutput::Prompt, until, &mut schedule, sink).await?;
            return Ok((answer, schedule.retries));
        }
        let mut first = None;
        for (index, shape) in self.negotiation.open() {
            match self.call_with_retries(request, shape, until, &mut schedule, sink).await {
                Ok(answer) => {
                    self.negotiation.settle(index);
                    return Ok((answer, schedule.retries));
                }
                Err(error) if is_schema_rejection(&error) => {
                    debug!(model = %self.settings.model, ?shape, %error, "the server refused a method of structured output");
                    first.get_or_insert(error);
                }
                Err(error) => return Err(first.unwrap_or(error)),
            }
        }
        Err(first.expect("the list of methods is never empty, and each was refused"))
    }

    async fn call_with_retries(
        &self,
        request: &ChatRequest,
        shape: StructuredOutput,
        until: Instant,
        schedule: &mut RetrySchedule,
        sink: &dyn DeltaSink,
    ) -> Result<ParsedReply, ModelError> {
        let parts = RequestParts { model: &self.name, request, shape, temperature: self.settings.temperature };
        let body = self.format.body(&parts);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let failure = match self.call_once(&body, left.min(self.settings.timeouts.request), sink).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            let left = until.saturating_duration_since(Instant::now());
            let Some(wait) = schedule.after(&failure, left) else {
                return Err(match schedule.retries {
                    0 => failure,
                    retries => ModelError::RetriesExhausted { retries, last: Box::new(failure) },
                });
            };
            warn!(model = %self.settings.model, error = %failure, ?wait, "retrying the model call");
            sink.reset();
            tokio::time::sleep(wait).await;
        }
    }

    /// The cost of a call; `None` if it is unknown, because there is no price or the server reported no usage.
    fn cost(&self, tokens: Tokens) -> Option<f64> {
        self.price.filter(|_| tokens != Tokens::default()).map(|price| price.cost(tokens))
    }

    async fn call_once(
        &self,
        body: &serde_json::Value,
        limit: Duration,
        sink: &dyn DeltaSink,
    ) -> Result<ParsedReply, ModelError> {
        if sink.is_active() && self.settings.cassette.is_none() && !self.streaming_unsupported.load(Ordering::Relaxed) {
            match self.stream(body, limit, sink).await {
                // The server may have refused streaming itself, so the request is sent again without it.
                Err(ModelError::Refused { status, message }) => {
                    debug!(model = %self.settings.model, status, %message, "the server refused streaming");
                    self.streaming_unsupported.store(true, Ordering::Relaxed);
                }
                answered => return answered,
            }
        }
        let cassette = self.settings.cassette.as_ref();
        let exchange = match cassette.and_then(|cassette| Cassette::replayed(cassette, &self.path, body)) {
            Some(played) => played?,
            None => {
                let exchange = self.transport.exchange(body, limit).await?;
                if let Some(cassette) = cassette {
                    cassette.append(&self.path, body, &exchange)?;
                }
                exchange
            }
        };
        debug!(model = %self.settings.model, status = exchange.status, bytes = exchange.body.len(), "received the reply of the model");
        let read = exchange.accepted().and_then(|body| self.format.read(&body));
        read.map_err(|error| without_key(error, self.settings.key.as_ref()))
    }
}

impl Provider {
    async fn stream(
        &self,
        body: &serde_json::Value,
        limit: Duration,
        sink: &dyn DeltaSink,
    ) -> Result<ParsedReply, ModelError> {
        let body = self.format.with_stream(body.clone());
        let exchange = self.transport.exchange_stream(&body, limit, self.format, sink).await;
        let read = exchange.and_then(HttpExchange::accepted).and_then(|body| self.format.read(&body));
        read.map_err(|error| without_key(error, self.settings.key.as_ref()))
    }
}

#[async_trait]
impl ChatModel for Provider {
    fn name(&self) -> &str {
        &self.settings.model
    }

    async fn chat_stream(
        &self,
        request: &ChatRequest,
        cancel: &CancellationToken,
        sink: &dyn DeltaSink,
    ) -> Result<ChatReply, ModelError> {
        let call = async {
            let _permit = self.limiter.acquire().await;
            let began = Instant::now();
            let (answer, retries) = self.call_with_negotiation(request, sink).await?;
            let cost_usd = answer.cost_usd.or_else(|| self.cost(answer.tokens));
            Ok(ChatReply {
                model: self.settings.model.clone(),
                text: answer.text,
                finish: answer.finish,
                usage: Usage {
                    calls: 1,
                    prompt_tokens: answer.tokens.prompt,
                    cached_tokens: answer.tokens.cached,
                    completion_tokens: answer.tokens.completion,
                    cost_usd,
                    estimated: false,
                },
                latency: began.elapsed(),
                retries,
                failed_attempts: Vec::new(),
            })
        };
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(ModelError::Cancelled),
            reply = call => reply,
        }
    }
}

/// The URL of the endpoint. A base URL may end with a slash, and may already be the complete address of the endpoint.
fn endpoint(info: &'static ProviderInfo, given: Option<&Url>, path: &str) -> Result<Url, ModelError> {
    let mut url = match (given, info.default_base_url) {
        (Some(url), _) => url.clone(),
        (None, Some(default)) => {
            Url::parse(default).expect("the default addresses are valid URLs; a test parses all of them")
        }
        (None, None) => return Err(ModelError::NoBaseUrl { provider: info.name }),
    };
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        // The message must not contain a user and password from the URL.
        let given = format!("{}://{}", url.scheme(), url.host_str().unwrap_or_default());
        return Err(ModelError::BaseUrl { given });
    }
    let base = url.path().trim_end_matches('/');
    if !base.ends_with(path) {
        let whole = format!("{base}/{path}");
        url.set_path(&whole);
    }
    Ok(url)
}

/// Removes the key from the message of a provider: providers often repeat a wrong key, in part or as a whole. A word
/// that contains the key, or that contains its first characters, is replaced.
fn without_key(mut error: ModelError, key: Option<&SecretString>) -> ModelError {
    let Some(key) = key.map(|key| key.expose_secret().trim()).filter(|key| !key.is_empty()) else { return error };
    if let ModelError::Auth { message, .. }
    | ModelError::RateLimited { message, .. }
    | ModelError::Refused { message, .. }
    | ModelError::Server { message, .. } = &mut error
    {
        let begins = key.get(..6).filter(|_| key.len() > 8).unwrap_or(key);
        if message.contains(begins) {
            let words = message.split(' ').map(|word| if word.contains(begins) { "[key]" } else { word });
            *message = words.collect::<Vec<_>>().join(" ");
        }
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers;

    #[test]
    fn endpoint_is_built_from_every_default_base_url() {
        let ends: Vec<String> = providers()
            .iter()
            .filter(|info| info.default_base_url.is_some())
            .map(|info| endpoint(info, None, &info.format.path("m")).unwrap().to_string())
            .collect();
        assert_eq!(
            ends,
            [
                "https://api.openai.com/v1/chat/completions",
                "https://api.anthropic.com/v1/messages",
                "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent",
                "https://openrouter.ai/api/v1/chat/completions",
                "http://127.0.0.1:11434/v1/chat/completions",
            ]
        );
    }

    #[test]
    fn endpoint_accepts_base_urls_with_and_without_path() {
        let check = |base: &str| {
            endpoint(&providers()[0], Some(&Url::parse(base).unwrap()), "chat/completions").map(String::from)
        };
        assert_eq!(check("http://h:1").unwrap(), "http://h:1/chat/completions");
        assert_eq!(check("http://h/v1/").unwrap(), "http://h/v1/chat/completions");
        assert_eq!(check("http://h/v1/chat/completions").unwrap(), "http://h/v1/chat/completions");
        assert_eq!(
            check("http://h/o/chat/completions?api-version=3").unwrap(),
            "http://h/o/chat/completions?api-version=3"
        );
        let refused = check("ftp://user:secret@h/").unwrap_err().to_string();
        assert!(!refused.contains("secret"), "{refused}");
    }

    #[test]
    fn without_key_removes_the_key_from_provider_messages() {
        let key = SecretString::from("sk-proj-abcdefgh");
        let message = "Incorrect API key provided: sk-proj-***efgh. See sk-proj-abcdefgh, please".to_owned();
        let error = without_key(ModelError::Auth { status: 401, message }, Some(&key)).to_string();
        assert!(error.ends_with("Incorrect API key provided: [key] See [key] please"), "{error}");
    }
}
