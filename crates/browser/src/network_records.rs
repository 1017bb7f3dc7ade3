//! The network traffic of requests: headers, which are stored unparsed up to a size limit, and bodies, which are
//! requested from the page's process on demand. That process keeps the newest few megabytes of bodies until the page is
//! gone.
//!
//! Headers are those that the page set and those that it may read. For credentials (`Authorization`, `Cookie`, keys and
//! tokens), only their presence is reported and not their value, because a reader of the record needs to know only
//! whether they were sent. Secrets of the session appear as handles, as everywhere.

use std::collections::BTreeMap;

use legwork_protocol::{ActionFailure, RequestLine};

use crate::{
    Session,
    driver::SessionId,
    driver_event::{Headers, ResponseHead, StartedRequest},
    frames::EvaluateError,
    interception::headers,
};

/// The most bytes of headers that are stored for all requests together; the oldest are evicted first.
const KEPT: usize = 4 << 20;

/// A request with its headers.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkRecord {
    /// The request.
    pub line: RequestLine,
    /// The request headers that the page set; empty when they were not recorded or were evicted.
    pub request_headers: Vec<(String, String)>,
    /// The response headers.
    pub response_headers: Vec<(String, String)>,
    /// Whether the request has a body.
    pub posts: bool,
}

/// The data stored for requests in addition to their lines, by number.
#[derive(Default)]
pub(crate) struct NetworkRecords {
    kept: BTreeMap<u64, RecordedRequest>,
    bytes: usize,
}

#[derive(Clone)]
pub(crate) struct RecordedRequest {
    /// The protocol session that provides the bodies, and the browser's identifier of the request.
    session: SessionId,
    request: String,
    sent: Option<Headers>,
    answered: Option<Headers>,
    posts: bool,
    with_headers: bool,
    /// The address that the request was redirected to. The browser then returns only the bodies of the last hop for
    /// this identifier.
    redirected_to: Option<String>,
}

impl RecordedRequest {
    fn size(&self) -> usize {
        let length = |headers: &Option<Headers>| headers.as_ref().map_or(0, |headers| headers.len());
        let redirected_to = self.redirected_to.as_ref().map_or(0, String::len);
        self.request.len() + length(&self.sent) + length(&self.answered) + redirected_to + 128
    }
}

impl NetworkRecords {
    pub(crate) fn sent(&mut self, number: u64, session: &str, sent: &StartedRequest, with_headers: bool) {
        let kept = RecordedRequest {
            session: session.into(),
            request: sent.request.clone(),
            sent: sent.headers.clone().filter(|_| with_headers),
            answered: None,
            posts: sent.posts,
            with_headers,
            redirected_to: None,
        };
        self.bytes += kept.size();
        self.kept.insert(number, kept);
        self.make_room();
    }

    pub(crate) fn answered(&mut self, number: u64, answer: &ResponseHead, redirected_to: Option<&str>) {
        let Some(kept) = self.kept.get_mut(&number) else { return };
        let before = kept.size();
        if kept.with_headers {
            kept.answered.clone_from(&answer.headers);
        }
        if let Some(url) = redirected_to {
            kept.redirected_to = Some(url.to_owned());
        }
        self.bytes = self.bytes + kept.size() - before;
        self.make_room();
    }

    fn make_room(&mut self) {
        while self.bytes > KEPT {
            let Some((_, gone)) = self.kept.pop_first() else { return };
            self.bytes -= gone.size();
        }
    }

    /// The address that a request was redirected to.
    pub(crate) fn redirected_to(&self, number: u64) -> Option<&str> {
        self.kept.get(&number)?.redirected_to.as_deref()
    }

    pub(crate) fn get(&self, number: u64) -> Option<RecordedRequest> {
        self.kept.get(&number).cloned()
    }
}

impl Session {
    /// A request with its headers, or `None` when its line was evicted. Secrets appear as handles, and credentials
    /// without their value.
    pub fn exchange(&self, number: u64) -> Option<NetworkRecord> {
        let line = self.request(number)?;
        let kept = self.inner.recorded_request(number);
        let told = |raw: Option<&Headers>| -> Vec<(String, String)> {
            let mut told = headers(raw);
            for (name, value) in &mut told {
                self.inner.guard().mask(value);
                *value = discreet(name, value);
            }
            told
        };
        Some(NetworkRecord {
            line,
            request_headers: told(kept.as_ref().and_then(|kept| kept.sent.as_ref())),
            response_headers: told(kept.as_ref().and_then(|kept| kept.answered.as_ref())),
            posts: kept.is_some_and(|kept| kept.posts),
        })
    }

    /// The body of a request, secrets masked; `None` if it has none.
    ///
    /// # Errors
    /// If it is no longer available.
    pub async fn request_body(&self, number: u64) -> Result<Option<Vec<u8>>, ActionFailure> {
        let kept = self.inner.recorded_request(number).ok_or_else(|| gone(number))?;
        if !kept.posts {
            return Ok(None);
        }
        let tab = self.request(number).ok_or_else(|| gone(number))?.tab;
        let body = self.inner.driver.request_body(&kept.session, &kept.request);
        let body = self.inner.answer(tab, body, self.inner.options.timeouts.script).await;
        Ok(Some(self.masked_bytes(body.map_err(|trouble| no_body(number, trouble))?.into_bytes())))
    }

    /// The body of a response, secrets masked.
    ///
    /// # Errors
    /// If there is no response yet, or the body is no longer available.
    pub async fn response_body(&self, number: u64) -> Result<Vec<u8>, ActionFailure> {
        if !self.inner.options.record_network {
            return Err(gone(number));
        }
        self.answered_body(number).await
    }

    /// The body of a response, whether or not the session records traffic for its caller.
    pub(crate) async fn answered_body(&self, number: u64) -> Result<Vec<u8>, ActionFailure> {
        let kept = self.inner.recorded_request(number).ok_or_else(|| gone(number))?;
        let line = self.request(number).ok_or_else(|| gone(number))?;
        let lacks =
            |reason: &str| ActionFailure::NotAvailable { what: format!("request {number}"), reason: reason.to_owned() };
        if kept.redirected_to.is_some() {
            return Err(lacks("it was answered with another address; what came from there is the request after it"));
        }
        if let Some(why) = line.failure {
            return Err(lacks(&format!("it has no answer: {why}")));
        }
        let body = self.inner.driver.response_body(&kept.session, &kept.request);
        let body = self.inner.answer(line.tab, body, self.inner.options.timeouts.script).await;
        Ok(self.masked_bytes(body.map_err(|trouble| no_body(number, trouble))?))
    }

    /// Masks secrets in text. Other content is left unchanged, because it contains no secret that was typed.
    fn masked_bytes(&self, bytes: Vec<u8>) -> Vec<u8> {
        match String::from_utf8(bytes) {
            Ok(mut text) => {
                self.inner.guard().mask(&mut text);
                text.into_bytes()
            }
            Err(bytes) => bytes.into_bytes(),
        }
    }
}

fn gone(number: u64) -> ActionFailure {
    ActionFailure::NotFound {
        target: format!("request {number}: list the requests for those there are"),
        candidates: vec![],
    }
}

fn no_body(number: u64, trouble: EvaluateError) -> ActionFailure {
    match ActionFailure::from(trouble) {
        // The browser reports that there is no resource with this identifier.
        ActionFailure::BrowserRefused { .. } | ActionFailure::Unreadable { .. } | ActionFailure::StaleRef { .. } => {
            ActionFailure::NotAvailable {
                what: format!("the body of request {number}"),
                reason: "it is kept no more: the page that asked for it is gone, or it is larger than 4 MB".to_owned(),
            }
        }
        other => other,
    }
}

/// The part of a header's value that is reported.
fn discreet(name: &str, value: &str) -> String {
    let name = name.to_ascii_lowercase();
    let length = value.chars().count();
    match name.as_str() {
        "authorization" | "proxy-authorization" => match value.split_once(' ') {
            Some((scheme, rest)) => format!("{scheme} … ({} characters)", rest.chars().count()),
            None => format!("… ({length} characters)"),
        },
        "cookie" => {
            let named = |pair: &str| format!("{}=…", pair.split('=').next().unwrap_or_default().trim());
            value.split(';').map(named).collect::<Vec<_>>().join("; ")
        }
        "set-cookie" => value.lines().map(set_cookie).collect::<Vec<_>>().join("\n"),
        _ if ["token", "secret", "password", "api-key", "apikey", "session-id"]
            .iter()
            .any(|word| name.contains(word)) =>
        {
            format!("… ({length} characters)")
        }
        _ => value.to_owned(),
    }
}

/// The cookie's name and attributes, without its value.
fn set_cookie(line: &str) -> String {
    let (pair, rest) = line.split_once(';').map_or((line, None), |(pair, rest)| (pair, Some(rest)));
    let name = pair.split('=').next().unwrap_or_default();
    rest.map_or_else(|| format!("{name}=…"), |rest| format!("{name}=…;{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_credentials_only_the_name_is_told() {
        for (name, value, told) in [
            ("Authorization", "Bearer abcdef", "Bearer … (6 characters)"),
            ("Cookie", "sid=1234; theme=dark", "sid=…; theme=…"),
            ("set-cookie", "sid=1234; Path=/; HttpOnly\nb=2", "sid=…; Path=/; HttpOnly\nb=…"),
            ("X-CSRF-Token", "xyz", "… (3 characters)"),
            ("Accept", "text/html", "text/html"),
        ] {
            assert_eq!(discreet(name, value), told);
        }
    }

    #[test]
    fn headers_take_no_more_room_than_there_is() {
        let mut all = NetworkRecords::default();
        let long: Headers = "x".repeat(100_000).into();
        for number in 1..=100 {
            all.sent(number, "s", &StartedRequest { headers: Some(long.clone()), ..StartedRequest::default() }, true);
            all.answered(number, &ResponseHead { headers: Some(long.clone()), ..ResponseHead::default() }, None);
        }
        assert!(all.bytes <= KEPT && all.get(1).is_none() && all.get(100).is_some());
        let counted: usize = all.kept.values().map(RecordedRequest::size).sum();
        assert_eq!(counted, all.bytes);
    }
}
