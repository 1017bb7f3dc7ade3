//! The access check of every request, before a handler runs: the rate, the Host header, the Origin, the caller's
//! identity, and the CSRF value for changes by the page.
//!
//! A browser sends the cookie from any page on this machine, and resolves any host name to it. So the Host must be one
//! of the server's names (which excludes a foreign name that resolves to this machine), an Origin must match exactly,
//! and `Sec-Fetch-Site` must not contradict it.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use legwork::protocol::Code;

use crate::{app::App, auth::Principal, error::ApiError, gate::forbidden};

/// The caller's identity, for handlers.
#[derive(Clone, Debug)]
pub(crate) struct Caller(pub(crate) Option<Principal>);

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
