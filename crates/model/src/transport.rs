//! One HTTP request, one bounded reply.
//!
//! The client is made at the first call, so that a process that asks no model pays for none: neither for the
//! connection pool nor for the system's root certificates. Redirects are not followed, for they would carry the key
//! and the page's text to an address nobody set.

use std::{sync::OnceLock, time::Duration};

use reqwest::{
    Client, Response, StatusCode,
    header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER},
};
use serde_json::Value;
use url::{Host, Url};

use crate::{DeltaSink, ModelError, ReplyProblem, Timeouts, streaming::SseAssembler, wire};

/// More than this of an error's body is not read.
const MAX_COMPLAINT: usize = 64 << 10;

/// A way to one endpoint.
pub(crate) struct Transport {
    url: Url,
    headers: HeaderMap,
    timeouts: Timeouts,
    max_reply_bytes: usize,
    client: OnceLock<Client>,
}

/// What came back, whatever its status.
pub(crate) struct HttpExchange {
    pub status: u16,
    pub retry_after: Option<Duration>,
    pub body: Vec<u8>,
}

impl Transport {
    pub(crate) fn new(url: Url, headers: HeaderMap, timeouts: Timeouts, max_reply_bytes: usize) -> Self {
        Transport { url, headers, timeouts, max_reply_bytes, client: OnceLock::new() }
    }

    /// For messages: host and port, nothing else of the URL.
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
            let response = request.send().await.map_err(|source| self.broken(source))?;
            self.read(response).await
        };
        let late = |_| ModelError::Timeout { host: self.host(), after: limit };
        tokio::time::timeout(limit, sent).await.map_err(late)?
    }

    /// As [`Transport::exchange`], for a body that asks for the reply in pieces; the body that comes back is whole.
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
            let response = request.send().await.map_err(|source| self.broken(source))?;
            let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
            if !response.status().is_success() || !kind.is_some_and(|kind| kind.starts_with("text/event-stream")) {
                return self.read(response).await;
            }
            self.gather(response, SseAssembler::new(format, sink, self.max_reply_bytes)).await
        };
        let late = |_| ModelError::Timeout { host: self.host(), after: limit };
        tokio::time::timeout(limit, sent).await.map_err(late)?
    }

    async fn gather(
        &self,
        mut response: Response,
        mut assembler: SseAssembler<'_>,
    ) -> Result<HttpExchange, ModelError> {
        while let Some(chunk) = response.chunk().await.map_err(|source| self.broken(source))? {
            assembler.take(&chunk)?;
        }
        let body = assembler.whole()?;
        Ok(HttpExchange { status: response.status().as_u16(), retry_after: None, body })
    }

    async fn read(&self, mut response: Response) -> Result<HttpExchange, ModelError> {
        let status = response.status();
        let retry_after = retry_after(response.headers());
        let most = if status.is_success() { self.max_reply_bytes } else { MAX_COMPLAINT };
        let said = response.content_length().and_then(|length| usize::try_from(length).ok());
        let mut body = Vec::with_capacity(said.unwrap_or(0).min(most));
        while let Some(chunk) = response.chunk().await.map_err(|source| self.broken(source))? {
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

    fn broken(&self, source: reqwest::Error) -> ModelError {
        if source.is_timeout() {
            return ModelError::Timeout { host: self.host(), after: self.timeouts.connect };
        }
        ModelError::Connection { host: self.host(), source: Box::new(source.without_url()) }
    }

    fn client(&self) -> Result<&Client, ModelError> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        // Whoever comes first decides for the process; an error says that somebody did.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Client::builder()
            .connect_timeout(self.timeouts.connect)
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("legwork/", env!("CARGO_PKG_VERSION")));
        if self.url.scheme() == "http" {
            // No certificate will ever be looked at.
            builder = builder.tls_certs_only([]);
        }
        if is_loopback(&self.url) {
            builder = builder.no_proxy();
        }
        let client = builder.build().map_err(|error| ModelError::Client(Box::new(error)))?;
        Ok(self.client.get_or_init(|| client))
    }
}

/// The headers of every request to this format with this key. The key's header is marked, so that no log shows it.
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

/// Seconds, or a date (RFC 9110 §10.2.3).
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let at = jiff::fmt::rfc2822::parse(value).ok()?.timestamp();
    // A date gone by means now.
    Some(Duration::try_from(at.duration_since(jiff::Timestamp::now())).unwrap_or(Duration::ZERO))
}

impl HttpExchange {
    /// The body, when the status says that all is well.
    pub(crate) fn accepted(self) -> Result<Vec<u8>, ModelError> {
        if (200..300).contains(&self.status) {
            return Ok(self.body);
        }
        Err(refusal(self.status, self.retry_after, &self.body))
    }
}

/// What an error's status and body mean.
pub(crate) fn refusal(status: u16, retry_after: Option<Duration>, body: &[u8]) -> ModelError {
    let message = wire::provider_message(body).unwrap_or_else(|| {
        let reason = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
        reason.unwrap_or("it does not say why").to_owned()
    });
    match status {
        401 | 403 => ModelError::Auth { status, message },
        429 => ModelError::RateLimited { retry_after, message },
        // The server gave up waiting for us: the moment's fault, like its own.
        // llama-cpp-python finds fault with what we sent, and says so with its own fault's number.
        500 if message.contains("response_format") => ModelError::Refused { status, message },
        408 | 500.. => ModelError::Server { status, retry_after, message },
        _ => ModelError::Refused { status, message },
    }
}

/// What an error in the body of an accepted answer means; `told` is the status that the body itself names. Without one it is
/// the provider's fault, and the status of the answer is all that can be named.
pub(crate) fn failure_in_body(told: Option<u16>, body: &[u8]) -> ModelError {
    if let Some(status) = told {
        return refusal(status, None, body);
    }
    let complaint = wire::provider_message(body).unwrap_or_else(|| "it does not say why".to_owned());
    let message = format!("it answered with an error in place of a reply: {complaint}");
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
