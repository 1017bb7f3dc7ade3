//! The access check of every request, before a handler runs: the rate, the Host header, the Origin, the caller's
//! identity, and the CSRF value for changes by the page.
//!
//! A browser sends the cookie from any page on this machine, and resolves any host name to it. So the Host must be one
//! of the server's names (which excludes a foreign name that resolves to this machine), an Origin must match exactly,
//! and `Sec-Fetch-Site` must not contradict it.

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

/// The caller's identity, for handlers.
#[derive(Clone, Debug)]
pub(crate) struct Caller(pub(crate) Option<Principal>);

/// The names under which the server accepts requests, and the rate limit.
pub(crate) struct Gate {
    /// `host:port`, and `host` if the port is the default of the scheme.
    hosts: Vec<String>,
    origins: Vec<String>,
    rate: DefaultDirectRateLimiter,
}

impl Gate {
    /// The gate of a server at this address, with the names of its certificate, behind this origin.
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
        // An absolute address in the request line has precedence over the header, so it must be known too.
        let line = request.uri().authority().map(Authority::as_str);
        let known = |host: &str| self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host));
        let host = first.and_then(|host| host.to_str().ok());
        if second.is_none() && host.is_some_and(known) && line.is_none_or(known) {
            return Ok(());
        }
        Err(forbidden("the Host header is not one of the server's names")
            .suggest("Use the address that `legwork serve` printed."))
    }

    /// Whether the request has an Origin. Fails if it is not one of the server's.
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

/// Whether a route needs no authentication: the page itself, the way to obtain a cookie, and the health check.
fn is_open(path: &str) -> bool {
    path == "/api/health" || !(path == "/metrics" || path.starts_with("/api/") || path == "/api")
}

/// The middleware of the access check.
pub(crate) async fn guard(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    match pass(&app, &request) {
        Ok(principal) => {
            request.extensions_mut().insert(Caller(principal));
            add_security_headers(next.run(request).await)
        }
        Err(refused) => add_security_headers(refused.into_response()),
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
    let principal = app.auth.principal(request.headers());
    if open {
        return Ok(principal);
    }
    let Some(principal) = principal else {
        return Err(ApiError::new(StatusCode::UNAUTHORIZED, Code::Unauthenticated, "not signed in")
            .suggest("Open the link that `legwork serve` printed, or send `Authorization: Bearer TOKEN`."));
    };
    if let Principal::Page(cookie) = &principal {
        let upgrade = request.headers().contains_key(header::UPGRADE);
        if upgrade && !from_page {
            return Err(forbidden("a WebSocket with a cookie needs the page's Origin"));
        }
        let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
        let given = request.headers().get("x-legwork-csrf").and_then(|value| value.to_str().ok());
        if changes && !app.auth.is_csrf(cookie, given) {
            return Err(
                forbidden("the header X-Legwork-CSRF is missing or wrong").suggest("GET /api/me returns its value.")
            );
        }
    }
    Ok(Some(principal))
}

fn site(headers: &HeaderMap) -> Option<&str> {
    headers.get("sec-fetch-site").map(|value| value.to_str().unwrap_or("unreadable"))
}

/// Adds security headers to every response, unless its handler set stricter ones.
fn add_security_headers(mut response: Response) -> Response {
    const HEADERS: [(&str, &str); 6] = [
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
    ];
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}
