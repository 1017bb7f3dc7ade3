//! The network traffic of requests: headers, which are stored unparsed up to a size limit, and bodies, which are
//! requested from the page's process on demand. That process keeps the newest few megabytes of bodies until the page is
//! gone.
//!
//! Headers are those that the page set and those that it may read. For credentials (`Authorization`, `Cookie`, keys and
//! tokens), only their presence is reported and not their value, because a reader of the record needs to know only
//! whether they were sent. Secrets of the session appear as handles, as everywhere.

use legwork_protocol::{ActionFailure, RequestLine};

use crate::{Session, driver_event::Headers, evaluate_error::EvaluateError, route_table::headers};

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
                reason: "it is no longer stored: the page that requested it is gone, or it is larger than 4 MB"
                    .to_owned(),
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
}
