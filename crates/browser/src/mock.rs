//! Requests that are answered here instead of by the network, or sent with other headers: for who tries out a page by hand.
//! The rules for addresses stand before them: what a run may not ask for is refused, whatever would be answered.

use legwork_protocol::ActionFailure;
use regex::Regex;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::{
    Guard, Refusal, Session,
    driver::Mocked,
    told::{Headers, Held},
};

/// The most routes of a session.
const MOST: usize = 100;

/// What is done with the requests whose address fits. With a status or a body they are answered, else they are sent with
/// other headers. Of several that fit the newest counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Route {
    /// A whole address: `*` stands for anything but a slash, `**` for anything, `{a,b}` for either.
    pub pattern: String,
    /// The answer's status; 200 when there is only a body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The answer's body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The answer's media type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// Headers that requests get; `${secret:NAME}` in a value is put in where the secret may go.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(String, String)>,
    /// Headers that requests lose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remove_headers: Vec<String>,
}

/// A route, ready to be held against addresses.
pub(crate) struct Mock {
    route: Route,
    pattern: Regex,
}

/// What becomes of a request.
pub(crate) enum Turned {
    Answered(Mocked),
    Sent(Vec<(String, String)>),
}

impl Session {
    /// Adds a route, in place of one with the same pattern.
    ///
    /// # Errors
    /// When the pattern or the status cannot be, or there are too many.
    pub async fn route(&self, route: Route) -> Result<(), ActionFailure> {
        let wrong = |what: &str, reason: String| ActionFailure::Value { what: what.to_owned(), reason };
        if let Some(status) = route.status.filter(|status| !(200..=599).contains(status)) {
            return Err(wrong("status", format!("{status} is no status of an answer; 200 to 599 are")));
        }
        if let Some((name, _)) = route.headers.iter().find(|(name, value)| !is_header(name, value)) {
            return Err(wrong("headers", format!("{name:?} is no header; they are written \"Name: value\"")));
        }
        let pattern = Regex::new(&glob(&route.pattern)).map_err(|error| wrong("pattern", error.to_string()))?;
        let mock = Mock { pattern, route };
        let first = {
            let mut state = self.shared.state();
            state.mocks.retain(|known| known.route.pattern != mock.route.pattern);
            if state.mocks.len() >= MOST {
                return Err(wrong("route", format!("there are {MOST} routes, which is the most")));
            }
            state.mocks.push(mock);
            state.mocks.len() == 1
        };
        if first { self.judge_requests(true).await } else { Ok(()) }
    }

    /// The routes, the oldest first; secrets are handles.
    pub fn routes(&self) -> Vec<Route> {
        let routes: Vec<Route> = self.shared.state().mocks.iter().map(|mock| mock.route.clone()).collect();
        self.masked(routes)
    }

    /// Takes the route with this pattern away, or all; answers how many.
    ///
    /// # Errors
    /// When the browser does not answer.
    pub async fn unroute(&self, pattern: Option<&str>) -> Result<usize, ActionFailure> {
        let (gone, last) = {
            let mut state = self.shared.state();
            let before = state.mocks.len();
            state.mocks.retain(|mock| pattern.is_some_and(|pattern| mock.route.pattern != pattern));
            (before - state.mocks.len(), state.mocks.is_empty())
        };
        if gone > 0 && last {
            self.judge_requests(false).await?;
        }
        Ok(gone)
    }

    /// Requests are asked about while there are routes; where rules hold they always are.
    async fn judge_requests(&self, on: bool) -> Result<(), ActionFailure> {
        let shared = &*self.shared;
        if shared.guard().restricts() {
            return Ok(());
        }
        let tabs: Vec<_> = shared.state().tabs.iter().map(|tab| (tab.number, tab.sessions())).collect();
        for (tab, sessions) in tabs {
            for session in sessions {
                let told = shared.driver.judge_requests(&session, on);
                Self::input_done(shared.answer(tab, told, shared.options.timeouts.script).await)?;
            }
        }
        Ok(())
    }
}

impl Mock {
    pub(crate) fn fits(&self, url: &str) -> bool {
        self.pattern.is_match(url)
    }

    /// What becomes of a request that fits.
    pub(crate) fn turn(&self, held: &Held, guard: &dyn Guard) -> Result<Turned, Refusal> {
        let own = headers(held.headers.as_ref());
        let sent = |name: &str| own.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let route = &self.route;
        if route.status.is_none() && route.body.is_none() {
            let mut given = own.clone();
            for (name, value) in &route.headers {
                let origin = Url::parse(&held.url).map_err(|error| Refusal::new(error.to_string()))?;
                let value = guard.reveal(value, &origin)?;
                given.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
                given.push((name.clone(), secrecy::ExposeSecret::expose_secret(&value).to_owned()));
            }
            given.retain(|(known, _)| !route.remove_headers.iter().any(|gone| known.eq_ignore_ascii_case(gone)));
            return Ok(Turned::Sent(given));
        }
        // What a page asks of another origin it may read as from its own: that is what a stand-in is for.
        let mut headers: Vec<(String, String)> = Vec::new();
        let mut say = |name: &str, value: &str| headers.push((name.to_owned(), value.to_owned()));
        if let Some((_, origin)) = sent("origin") {
            say("access-control-allow-origin", origin);
            say("access-control-allow-credentials", "true");
            say("vary", "Origin");
        }
        if let (Some((_, method)), "OPTIONS") = (sent("access-control-request-method"), held.method.as_str()) {
            say("access-control-allow-methods", method);
            if let Some((_, asked)) = sent("access-control-request-headers") {
                say("access-control-allow-headers", asked);
            }
            return Ok(Turned::Answered(Mocked { status: 204, headers, body: Vec::new() }));
        }
        let kind = route.content_type.as_deref().or(route.body.is_some().then_some("text/plain; charset=utf-8"));
        if let Some(kind) = kind {
            say("content-type", kind);
        }
        let body = route.body.clone().unwrap_or_default().into_bytes();
        Ok(Turned::Answered(Mocked { status: route.status.unwrap_or(200), headers, body }))
    }
}

/// Headers as they came.
pub(crate) fn headers(raw: Option<&Headers>) -> Vec<(String, String)> {
    let raw = raw.and_then(|raw| serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(raw).ok());
    let text = |value: serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    raw.unwrap_or_default().into_iter().map(|(name, value)| (name, text(value))).collect()
}

fn is_header(name: &str, value: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(letter) && !value.contains(['\r', '\n', '\0'])
}

/// A pattern for whole addresses as a regular expression, as Playwright reads it.
fn glob(pattern: &str) -> String {
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
