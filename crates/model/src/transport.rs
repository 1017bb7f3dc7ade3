//! Sends one HTTP request and reads one reply of limited size.
//!
//! The client is created at the first call, so that a process that calls no model does not pay for the connection
//! pool and for reading the system's root certificates. Redirects are not followed, because they would send the key
//! and the text of the page to an address that nobody configured.

use std::{sync::OnceLock, time::Duration};

use reqwest::{
    Client, Response, StatusCode,
    header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER},
};
use serde_json::Value;
use url::{Host, Url};

use crate::{
    DeltaSink, ModelError, ReplyProblem, Timeouts, http_exchange::HttpExchange, streaming::SseAssembler, wire,
};

/// The maximum number of bytes that are read from the body of an error.
const MAX_ERROR_BODY: usize = 64 << 10;

/// The connection to one endpoint.
pub(crate) struct Transport {
    url: Url,
    headers: HeaderMap,
    timeouts: Timeouts,
    max_reply_bytes: usize,
    client: OnceLock<Client>,
}

impl Transport {
    pub(crate) fn new(url: Url, headers: HeaderMap, timeouts: Timeouts, max_reply_bytes: usize) -> Self {
        Transport { url, headers, timeouts, max_reply_bytes, client: OnceLock::new() }
    }

    /// Host and port for messages, without the rest of the URL.
    pub(crate) fn host(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        self.url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// Sends the body and reads the reply, both within `limit`.
    pub(crate) async fn exchange(&self, body: &Value, limit: Duration) -> Result<HttpExchange, ModelError> {
        let client = self.client()?;
        let sent = async {
            let body = body.to_string();
            let request = client.post(self.url.clone()).headers(self.headers.clone()).body(body);
            let response = request.send().await.map_err(|source| self.connection_error(source))?;
            self.read(response).await
        };
        let late = |_| ModelError::Timeout { host: self.host(), after: limit };
        tokio::time::timeout(limit, sent).await.map_err(late)?
    }

    /// Like [`Transport::exchange`], but for a streaming request. The returned body is complete.
    pub(crate) async fn exchange_stream(
        &self,
        body: &Value,
        limit: Duration,
        format: wire::Format,
        sink: &dyn DeltaSink,
    ) -> Result<HttpExchange, ModelError> {
        let client = self.client()?;
        let mut url = self.url.clone();
        if let Some((path, query)) = format.stream_path(self.url.path()) {
            url.set_path(&path);
            url.set_query(Some(query));
        }
        let sent = async {
            let request = client.post(url).headers(self.headers.clone()).body(body.to_string());
            let response = request.send().await.map_err(|source| self.connection_error(source))?;
            let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
            if !response.status().is_success() || !kind.is_some_and(|kind| kind.starts_with("text/event-stream")) {
                return self.read(response).await;
            }
            self.read_stream(response, SseAssembler::new(format, sink, self.max_reply_bytes)).await
        };
        let late = |_| ModelError::Timeout { host: self.host(), after: limit };
        tokio::time::timeout(limit, sent).await.map_err(late)?
    }

    async fn read_stream(
        &self,
        mut response: Response,
        mut assembler: SseAssembler<'_>,
    ) -> Result<HttpExchange, ModelError> {
        while let Some(chunk) = response.chunk().await.map_err(|source| self.connection_error(source))? {
            assembler.take(&chunk)?;
        }
        let body = assembler.whole()?;
        Ok(HttpExchange { status: response.status().as_u16(), retry_after: None, body })
    }

    async fn read(&self, mut response: Response) -> Result<HttpExchange, ModelError> {
        let status = response.status();
        let retry_after = retry_after(response.headers());
        let most = if status.is_success() { self.max_reply_bytes } else { MAX_ERROR_BODY };
        let announced = response.content_length().and_then(|length| usize::try_from(length).ok());
        let mut body = Vec::with_capacity(announced.unwrap_or(0).min(most));
        while let Some(chunk) = response.chunk().await.map_err(|source| self.connection_error(source))? {
            if body.len() + chunk.len() > most {
                if status.is_success() {
                    return Err(ReplyProblem::TooLarge { limit: most }.into());
                }
                break;
            }
            body.extend_from_slice(&chunk);
        }
        Ok(HttpExchange { status: status.as_u16(), retry_after, body })
    }

    fn connection_error(&self, source: reqwest::Error) -> ModelError {
        if source.is_timeout() {
            return ModelError::Timeout { host: self.host(), after: self.timeouts.connect };
        }
        ModelError::Connection { host: self.host(), source: Box::new(source.without_url()) }
    }

    fn client(&self) -> Result<&Client, ModelError> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        // The process has one provider of cryptography. An error means that another part of the program has already
        // installed one.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Client::builder()
            .connect_timeout(self.timeouts.connect)
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("legwork/", env!("CARGO_PKG_VERSION")));
        if self.url.scheme() == "http" {
            // Plain HTTP needs no certificates, so they are not loaded.
            builder = builder.tls_certs_only([]);
        }
        if is_loopback(&self.url) {
            builder = builder.no_proxy();
        }
        let client = builder.build().map_err(|error| ModelError::Client(Box::new(error)))?;
        Ok(self.client.get_or_init(|| client))
    }
}

/// The headers of every request with this format and key. The header of the key is marked as sensitive, so that no
/// log shows it.
pub(crate) fn headers(format: wire::Format, key: Option<&str>) -> Option<HeaderMap> {
    let mut headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
    for (name, value) in format.headers() {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if let Some(key) = key {
        let (name, before) = format.key_header();
        let mut value = HeaderValue::from_str(&format!("{before}{key}")).ok()?;
        value.set_sensitive(true);
        headers.insert(HeaderName::from_static(name), value);
    }
    Some(headers)
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

/// Seconds or a date (RFC 9110 §10.2.3).
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let at = jiff::fmt::rfc2822::parse(value).ok()?.timestamp();
    // A date in the past means no wait.
    Some(Duration::try_from(at.duration_since(jiff::Timestamp::now())).unwrap_or(Duration::ZERO))
}

impl HttpExchange {
    /// The body if the status is a success, otherwise the error.
    pub(crate) fn accepted(self) -> Result<Vec<u8>, ModelError> {
        if (200..300).contains(&self.status) {
            return Ok(self.body);
        }
        Err(refusal(self.status, self.retry_after, &self.body))
    }
}

/// The error that a status and a body mean.
pub(crate) fn refusal(status: u16, retry_after: Option<Duration>, body: &[u8]) -> ModelError {
    let message = wire::provider_message(body).unwrap_or_else(|| {
        let reason = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
        reason.unwrap_or("it gave no reason").to_owned()
    });
    match status {
        401 | 403 => ModelError::Auth { status, message },
        429 => ModelError::RateLimited { retry_after, message },
        // llama-cpp-python answers 500 where the request is at fault.
        500 if message.contains("response_format") => ModelError::Refused { status, message },
        // 408 means that the server gave up waiting for the request, which is as temporary as a failure of the server.
        408 | 500.. => ModelError::Server { status, retry_after, message },
        _ => ModelError::Refused { status, message },
    }
}

/// The error that a successful reply contains in its body. `status` is the status that the body states. Without one,
/// the provider is at fault, and only the status of the reply can be reported.
pub(crate) fn failure_in_body(status: Option<u16>, body: &[u8]) -> ModelError {
    if let Some(status) = status {
        return refusal(status, None, body);
    }
    let reason = wire::provider_message(body).unwrap_or_else(|| "it gave no reason".to_owned());
    let message = format!("it returned an error instead of a reply: {reason}");
    ModelError::Server { status: StatusCode::OK.as_u16(), retry_after: None, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_in_both_forms() {
        let check =
            |value: &'static str| retry_after(&HeaderMap::from_iter([(RETRY_AFTER, HeaderValue::from_static(value))]));
        assert_eq!(check("7"), Some(Duration::from_secs(7)));
        assert_eq!(check("0.5"), Some(Duration::from_millis(500)));
        assert_eq!(check("Wed, 21 Oct 2015 07:28:00 GMT"), Some(Duration::ZERO));
        assert!(check("Wed, 21 Oct 2065 07:28:00 GMT").unwrap() > Duration::from_secs(1 << 30));
        assert_eq!(check("soon"), None);
        assert_eq!(check("-1"), None);
    }

    #[test]
    fn loopback_in_its_forms() {
        let check = |url: &str| is_loopback(&Url::parse(url).unwrap());
        assert!(check("http://127.0.0.1:1/") && check("http://[::1]/") && check("http://localhost:11434/v1"));
        assert!(!check("https://api.openai.com/v1") && !check("http://192.168.0.2/"));
    }
}
