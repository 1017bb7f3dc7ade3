//! What every request must pass before a handler sees it: the rate, the Host it thinks it talks to, the Origin it comes
//! from, who asks, and for changes by the page the CSRF value.
//!
//! A browser sends the cookie along from anywhere on this machine and resolves any name to it. So the Host must be one of
//! ours (a name that was made to point here is not), an Origin must be ours exactly, and `Sec-Fetch-Site` must not say
//! otherwise.

use std::{net::SocketAddr, num::NonZeroU32, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse, Response},
};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter, clock::Clock};
use legwork::protocol::Code;
use url::Url;

use crate::{app::App, auth::Principal, error::ApiError};

/// Who asks, for handlers.
#[derive(Clone, Debug)]
pub(crate) struct Caller(pub(crate) Option<Principal>);

/// The names under which the server may be asked.
pub(crate) struct Gate {
    /// `host:port`, and `host` where the port is the scheme's own.
    hosts: Vec<String>,
    origins: Vec<String>,
    rate: DefaultDirectRateLimiter,
}

impl Gate {
    /// For a server at this address, under the names of its certificate, and behind this origin.
    pub(crate) fn new(
        scheme: &str,
        address: SocketAddr,
        certified: &[String],
        proxy: Option<&Url>,
        per_second: u32,
    ) -> Self {
        let port = address.port();
        let mut names: Vec<String> = ["127.0.0.1", "localhost", "[::1]"].map(str::to_owned).into();
        names.extend(certified.iter().cloned());
        if scheme == "https" && !address.ip().is_unspecified() {
            let shown = SocketAddr::new(address.ip(), 0).to_string();
            names.push(shown.trim_end_matches(":0").to_owned());
        }
        let mut hosts: Vec<String> = names.iter().map(|name| format!("{name}:{port}")).collect();
        let mut origins: Vec<String> = hosts.iter().map(|host| format!("{scheme}://{host}")).collect();
        if port == if scheme == "https" { 443 } else { 80 } {
            origins.extend(names.iter().map(|name| format!("{scheme}://{name}")));
            hosts.extend(names);
        }
        if let Some(url) = proxy {
            origins.push(url.origin().ascii_serialization());
            let host = url.host_str().unwrap_or_default();
            hosts.push(url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")));
            if let Some(port) = url.port_or_known_default() {
                hosts.push(format!("{host}:{port}"));
            }
        }
        let per_second = NonZeroU32::new(per_second).unwrap_or(NonZeroU32::MIN);
        let burst = per_second.saturating_mul(NonZeroU32::MIN.saturating_add(3));
        Gate { hosts, origins, rate: RateLimiter::direct(Quota::per_second(per_second).allow_burst(burst)) }
    }

    fn rate(&self) -> Result<(), ApiError> {
        self.rate.check().map_err(|wait| {
            let wait = wait.wait_time_from(governor::clock::DefaultClock::default().now());
            let mut refused = ApiError::new(StatusCode::TOO_MANY_REQUESTS, Code::ApiRateLimit, "too many requests");
            refused.retry_after = Some(wait.as_secs() + 1);
            refused
        })
    }

    fn host(&self, request: &Request) -> Result<(), ApiError> {
        let mut given = request.headers().get_all(header::HOST).iter();
        let (first, second) = (given.next(), given.next());
        // An absolute address in the request line beats the header, so it is held to the same.
        let line = request.uri().authority().map(Authority::as_str);
        let known = |host: &str| self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host));
        let host = first.and_then(|host| host.to_str().ok());
        if second.is_none() && host.is_some_and(known) && line.is_none_or(known) {
            return Ok(());
        }
        Err(forbidden("this Host is not one of the server's").suggest("Use the address that `legwork serve` printed."))
    }

    /// Whether there is an Origin, all of it ours.
    fn origin(&self, headers: &HeaderMap) -> Result<bool, ApiError> {
        let mut given = headers.get_all(header::ORIGIN).iter();
        let (first, second) = (given.next(), given.next());
        let Some(origin) = first else { return Ok(false) };
        if second.is_none() && self.origins.iter().any(|known| known.as_bytes() == origin.as_bytes()) {
            return Ok(true);
        }
        Err(forbidden("requests from this Origin are refused"))
    }
}

fn forbidden(message: &str) -> ApiError {
    ApiError::new(StatusCode::FORBIDDEN, Code::Unauthenticated, message)
}

/// Routes that need nobody to be known: the page itself, the way to a cookie, and whether the server is up.
fn is_open(path: &str) -> bool {
    path == "/api/health" || !(path == "/metrics" || path.starts_with("/api/") || path == "/api")
}

/// The layer.
pub(crate) async fn guard(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    match pass(&app, &request) {
        Ok(who) => {
            request.extensions_mut().insert(Caller(who));
            harden(next.run(request).await)
        }
        Err(refused) => harden(refused.into_response()),
    }
}

fn pass(app: &App, request: &Request) -> Result<Option<Principal>, ApiError> {
    let gate = &app.gate;
    gate.host(request)?;
    let from_page = gate.origin(request.headers())?;
    let path = request.uri().path();
    let open = is_open(path);
    if !open && !matches!(site(request.headers()), None | Some("same-origin" | "none")) {
        return Err(forbidden("requests from other sites are refused"));
    }
    gate.rate()?;
    let who = app.auth.who(request.headers());
    if open {
        return Ok(who);
    }
    let Some(who) = who else {
        return Err(ApiError::new(StatusCode::UNAUTHORIZED, Code::Unauthenticated, "nobody is signed in")
            .suggest("Open the link that `legwork serve` printed, or send `Authorization: Bearer TOKEN`."));
    };
    if let Principal::Page(cookie) = &who {
        let upgrade = request.headers().contains_key(header::UPGRADE);
        if upgrade && !from_page {
            return Err(forbidden("a WebSocket with a cookie needs the page's Origin"));
        }
        let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
        let given = request.headers().get("x-legwork-csrf").and_then(|value| value.to_str().ok());
        if changes && !app.auth.is_csrf(cookie, given) {
            return Err(
                forbidden("the header X-Legwork-CSRF is missing or wrong").suggest("GET /api/me gives its value.")
            );
        }
    }
    Ok(Some(who))
}

fn site(headers: &HeaderMap) -> Option<&str> {
    headers.get("sec-fetch-site").map(|value| value.to_str().unwrap_or("unreadable"))
}

/// Headers that every answer has, unless its handler set stricter ones.
fn harden(mut response: Response) -> Response {
    const ALWAYS: [(&str, &str); 6] = [
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
    ];
    for (name, value) in ALWAYS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}
