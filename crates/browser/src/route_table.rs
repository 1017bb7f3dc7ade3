//! The routes of a session: which requests are answered here or sent with other headers.

use regex::Regex;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::{
    driver::Fulfillment,
    driver_event::{Headers, PausedRequest},
    guard::{Guard, RequestDenial},
};

/// The most routes of a session.
pub(crate) const MOST: usize = 100;

/// What happens to requests whose address matches. With a status or a body, they are answered; otherwise they are sent
/// with other headers. If several routes match, the newest applies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Route {
    /// The pattern for the whole address: `*` matches any characters but a slash, `**` any characters, `{a,b}` either
    /// alternative.
    pub pattern: String,
    /// The status of the response; 200 if only a body is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The body of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The media type of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// Headers to set on requests. A `${secret:NAME}` in a value is replaced by the secret if it is bound to the
    /// request's origin.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(String, String)>,
    /// Headers to remove from requests.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remove_headers: Vec<String>,
}

/// The routes of a session, oldest first.
#[derive(Default)]
pub(crate) struct RouteTable {
    rules: Vec<RouteRule>,
}

/// A route with its compiled pattern.
pub(crate) struct RouteRule {
    route: Route,
    pattern: Regex,
}

impl RouteTable {
    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Applies the newest route that matches a request; `None` if none matches.
    pub(crate) fn apply(
        &self,
        paused: &PausedRequest,
        guard: &dyn Guard,
    ) -> Result<Option<RouteOutcome>, RequestDenial> {
        let rule = self.rules.iter().rev().find(|rule| rule.pattern.is_match(&paused.url));
        rule.map(|rule| rule.apply(paused, guard)).transpose()
    }

    /// The routes, the oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Route> {
        self.rules.iter().map(|rule| &rule.route)
    }

    /// Adds a route, replacing one with the same pattern. Fails if there are too many.
    pub(crate) fn add(&mut self, rule: RouteRule) -> Result<(), TooManyRoutes> {
        self.rules.retain(|known| known.route.pattern != rule.route.pattern);
        if self.rules.len() >= MOST {
            return Err(TooManyRoutes);
        }
        self.rules.push(rule);
        Ok(())
    }

    /// Removes the route with this pattern, or all routes. Returns how many were removed.
    pub(crate) fn remove(&mut self, pattern: Option<&str>) -> usize {
        let before = self.rules.len();
        self.rules.retain(|rule| pattern.is_some_and(|pattern| rule.route.pattern != pattern));
        before - self.rules.len()
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooManyRoutes;

/// How a route handles a request.
pub(crate) enum RouteOutcome {
    Answered(Fulfillment),
    Sent(Vec<(String, String)>),
}

impl RouteRule {
    pub(crate) fn new(route: Route, pattern: Regex) -> Self {
        RouteRule { route, pattern }
    }

    /// Applies the route to a matching request.
    fn apply(&self, paused: &PausedRequest, guard: &dyn Guard) -> Result<RouteOutcome, RequestDenial> {
        let own = headers(paused.headers.as_ref());
        let sent = |name: &str| own.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let route = &self.route;
        if route.status.is_none() && route.body.is_none() {
            let mut given = own.clone();
            for (name, value) in &route.headers {
                let origin = Url::parse(&paused.url).map_err(|error| RequestDenial::new(error.to_string()))?;
                let value = guard.reveal(value, &origin)?;
                given.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
                given.push((name.clone(), secrecy::ExposeSecret::expose_secret(&value).to_owned()));
            }
            given.retain(|(known, _)| !route.remove_headers.iter().any(|gone| known.eq_ignore_ascii_case(gone)));
            return Ok(RouteOutcome::Sent(given));
        }
        // These CORS headers let the page read the answer, because the route replaces the server of the other origin.
        let mut headers: Vec<(String, String)> = Vec::new();
        let mut say = |name: &str, value: &str| headers.push((name.to_owned(), value.to_owned()));
        if let Some((_, origin)) = sent("origin") {
            say("access-control-allow-origin", origin);
            say("access-control-allow-credentials", "true");
            say("vary", "Origin");
        }
        if let (Some((_, method)), "OPTIONS") = (sent("access-control-request-method"), paused.method.as_str()) {
            say("access-control-allow-methods", method);
            if let Some((_, asked)) = sent("access-control-request-headers") {
                say("access-control-allow-headers", asked);
            }
            return Ok(RouteOutcome::Answered(Fulfillment { status: 204, headers, body: Vec::new() }));
        }
        let kind = route.content_type.as_deref().or(route.body.is_some().then_some("text/plain; charset=utf-8"));
        if let Some(kind) = kind {
            say("content-type", kind);
        }
        let body = route.body.clone().unwrap_or_default().into_bytes();
        Ok(RouteOutcome::Answered(Fulfillment { status: route.status.unwrap_or(200), headers, body }))
    }
}

/// Parses headers.
pub(crate) fn headers(raw: Option<&Headers>) -> Vec<(String, String)> {
    let raw = raw.and_then(|raw| serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(raw).ok());
    let text = |value: serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    raw.unwrap_or_default().into_iter().map(|(name, value)| (name, text(value))).collect()
}

/// Converts a pattern for whole addresses to a regular expression, with the semantics of Playwright.
pub(crate) fn glob(pattern: &str) -> String {
    let mut regex = String::from("^");
    let mut rest = pattern;
    let mut within = false;
    while let Some(next) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("**/") {
            regex.push_str("(?:.*/)?");
            rest = after;
            continue;
        }
        if let Some(after) = rest.strip_prefix("**") {
            regex.push_str(".*");
            rest = after;
            continue;
        }
        match next {
            '*' => regex.push_str("[^/]*"),
            '{' => {
                within = true;
                regex.push_str("(?:");
            }
            '}' if within => {
                within = false;
                regex.push(')');
            }
            ',' if within => regex.push('|'),
            other => regex.push_str(&regex::escape(other.encode_utf8(&mut [0; 4]))),
        }
        rest = &rest[next.len_utf8()..];
    }
    regex.push('$');
    regex
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_fits_whole_addresses() {
        let fits = |pattern: &str, url: &str| Regex::new(&glob(pattern)).unwrap().is_match(url);
        for (pattern, url, wanted) in [
            ("**/api/users", "http://h/api/users", true),
            ("**/api/users", "http://h/api/users?x=1", false),
            ("**/api/users?x=1", "http://h/api/users?x=1", true),
            ("**/*.{png,jpg}", "http://h/a/b.jpg", true),
            ("**/*.{png,jpg}", "http://h/a/b.gif", false),
            ("http://h/*/b", "http://h/a/b", true),
            ("http://h/*/b", "http://h/a/a/b", false),
            ("**api**", "http://h/v1/api/x", true),
            ("http://h/a.b", "http://h/acb", false),
            ("h/a", "http://h/a", false),
        ] {
            assert_eq!(fits(pattern, url), wanted, "{pattern} {url}");
        }
    }
}
