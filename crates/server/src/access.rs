//! The access check of every request, before a handler runs: the rate, the Host header, the Origin, the caller's
//! identity and scope, and the CSRF value for changes by the page. What was changed or refused is in the audit log.
//!
//! A browser sends the cookie from any page on this machine, and resolves any host name to it. So the Host must be one
//! of the server's names (which excludes a foreign name that resolves to this machine), an Origin must match exactly,
//! and `Sec-Fetch-Site` must not contradict it.
//!
//! The side panel is a page of an extension, whose Origin is known. It is another site, so the browser asks first
//! (`OPTIONS`) whether it may send a request; the panel proves who it is by its token and never by a cookie.

use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use axum::{
    extract::{ConnectInfo, MatchedPath, Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use legwork::{
    protocol::{Code, RunId},
    settings::SETTINGS,
};
use legwork_access::{AuditEntry, Identity, PendingEntry, RunNote, TokenScope, end_stream_with};

use crate::{
    app::App,
    auth::Principal,
    error::ApiError,
    gate::{EXTENSION_ORIGIN, forbidden, too_many},
    routes::{Access, Route},
};

/// The longest id that is recorded.
const MAX_ID: usize = 64;

/// The caller of a request, for handlers.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    pub(crate) principal: Option<Principal>,
    /// Where a handler states the run that it has started, for the audit log.
    pub(crate) run: RunNote,
}

impl Caller {
    /// Whether the caller has the scope.
    pub(crate) fn has(&self, scope: TokenScope) -> bool {
        self.principal.as_ref().is_some_and(|principal| principal.identity.has(scope))
    }
}

/// The access of each route, by method and path.
#[derive(Default)]
pub(crate) struct RouteTable(HashMap<(&'static str, String), Rule>);

#[derive(Clone, Copy)]
struct Rule {
    access: Access,
    /// Whether each request is recorded.
    acts: bool,
}

impl RouteTable {
    /// Adds a route under one of its paths.
    pub(crate) fn insert(&mut self, route: &Route, path: &str) {
        self.0.insert((route.method, path.to_owned()), Rule { access: route.access, acts: route.acts });
    }

    fn rule(&self, request: &Request) -> Rule {
        let method = match *request.method() {
            Method::GET | Method::HEAD => "get",
            Method::POST => "post",
            Method::PUT => "put",
            Method::DELETE => "delete",
            _ => "",
        };
        let path = request.uri().path();
        let acts = !matches!(method, "get");
        match request.extensions().get::<MatchedPath>() {
            // A method that the route does not have is refused, and only for callers who are known.
            Some(matched) => {
                let rule = self.0.get(&(method, matched.as_str().to_owned()));
                rule.copied().unwrap_or(Rule { access: Access::Authenticated, acts })
            }
            None if path == "/api" || path.starts_with("/api/") => Rule { access: Access::Authenticated, acts },
            // The files of the page.
            None => Rule { access: Access::Open, acts: false },
        }
    }
}

/// The state of the access check.
#[derive(Clone)]
pub(crate) struct AccessCheck {
    app: Arc<App>,
    table: Arc<RouteTable>,
}

impl AccessCheck {
    pub(crate) fn new(app: Arc<App>, table: RouteTable) -> AccessCheck {
        AccessCheck { app, table: Arc::new(table) }
    }
}

/// The middleware of the access check.
pub(crate) async fn guard(State(check): State<AccessCheck>, mut request: Request, next: Next) -> Response {
    let AccessCheck { app, table } = check;
    if app.gate.is_extension(request.headers()) {
        if *request.method() == Method::OPTIONS {
            let response = app
                .gate
                .host(&request)
                .map_or_else(IntoResponse::into_response, |()| StatusCode::NO_CONTENT.into_response());
            return add_security_headers(allow_extension(response));
        }
        request.headers_mut().remove(header::COOKIE);
        let response = check_and_serve(app, table, request, next).await;
        return allow_extension(response);
    }
    check_and_serve(app, table, request, next).await
}

/// Lets the browser give a response to the page of the extension.
fn allow_extension(mut response: Response) -> Response {
    const HEADERS: [(&str, &str); 5] = [
        ("access-control-allow-origin", EXTENSION_ORIGIN),
        ("access-control-allow-methods", "GET, POST, PUT"),
        ("access-control-allow-headers", "authorization, content-type, last-event-id, x-legwork-csrf"),
        ("access-control-allow-private-network", "true"),
        ("vary", "Origin"),
    ];
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn check_and_serve(app: Arc<App>, table: Arc<RouteTable>, mut request: Request, next: Next) -> Response {
    let rule = table.rule(&request);
    let mut pending = PendingEntry::new(app.audit.clone(), entry(&app, &request), rule.acts);
    let principal = match check_place(&app, &request, rule.access) {
        Ok(from_page) => {
            let principal = app.auth.principal(request.headers()).await;
            if let Some(principal) = &principal {
                pending.entry.set_caller(&principal.identity);
            }
            check_caller(&app, &request, from_page, rule.access, principal.as_ref()).map(|()| principal)
        }
        Err(refused) => Err(refused),
    };
    let response = match principal {
        Ok(principal) => {
            let grant = principal.as_ref().and_then(|principal| principal.identity.grant().cloned());
            request.extensions_mut().insert(Caller { principal, run: pending.note() });
            let response = next.run(request).await;
            match grant {
                Some(grant) => end_stream_with(&grant, response),
                None => response,
            }
        }
        Err(refused) => refused.into_response(),
    };
    pending.answered(response.status().as_u16());
    add_security_headers(response)
}

/// Checks where a request comes from, and the rate of all requests. Returns whether it is from the page.
fn check_place(app: &App, request: &Request, access: Access) -> Result<bool, ApiError> {
    let gate = &app.gate;
    gate.host(request)?;
    if gate.is_extension(request.headers()) {
        gate.rate()?;
        return Ok(false);
    }
    let from_page = gate.origin(request.headers())?;
    if access != Access::Open && !matches!(site(request.headers()), None | Some("same-origin" | "none")) {
        return Err(forbidden("requests from other sites are refused"));
    }
    gate.rate()?;
    Ok(from_page)
}

/// Checks what a caller may do.
fn check_caller(
    app: &App,
    request: &Request,
    from_page: bool,
    access: Access,
    principal: Option<&Principal>,
) -> Result<(), ApiError> {
    if access == Access::Open {
        return Ok(());
    }
    let Some(principal) = principal else {
        return Err(ApiError::new(StatusCode::UNAUTHORIZED, Code::Unauthenticated, "not signed in")
            .suggest(
                "Open the link that `legwork serve` printed, or send `Authorization: Bearer TOKEN` with a token that is \
                 neither revoked nor expired (`legwork token list`).",
            )
            .challenge("Bearer".to_owned()));
    };
    if let Some(grant) = principal.identity.grant() {
        grant.rate.check().map_err(|wait| too_many("too many requests with this token", wait))?;
    }
    if let Some(cookie) = &principal.cookie {
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
    match access {
        Access::Scope(scope) if !principal.identity.has(scope) => Err(scope_missing(&principal.identity, scope)),
        _ => Ok(()),
    }
}

fn scope_missing(identity: &Identity, scope: TokenScope) -> ApiError {
    let message = format!("the token {:?} does not have the scope `{scope}`", identity.name());
    ApiError::new(StatusCode::FORBIDDEN, Code::PermissionDenied, message)
        .suggest(format!(
            "Use a token that has it. On the machine of the server: `legwork token create NAME --scope {scope}`."
        ))
        .details([format!("scopes of this token: {}", identity.scopes())])
        // RFC 6750, section 3.1.
        .challenge(format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\""))
}

fn site(headers: &HeaderMap) -> Option<&str> {
    headers.get("sec-fetch-site").map(|value| value.to_str().unwrap_or("unreadable"))
}

/// The entry for a request, before its caller is known.
fn entry(app: &App, request: &Request) -> AuditEntry {
    let matched = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let method = match request.method().as_str() {
        known @ ("GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "PATCH" | "OPTIONS") => known,
        // A client can make a method up.
        _ => "other",
    };
    let mut entry = AuditEntry::new("serve", method, matched);
    entry.address = address(app, request);
    if let Some(route) = matched {
        let parts = route.split('/').zip(request.uri().path().split('/'));
        let id = parts.filter(|(name, _)| name.starts_with('{')).map(|(_, value)| value).find(|id| is_id(id));
        match route.contains("/sessions/") || route.contains("/stream") {
            // In one spelling, so that entries of the same run can be found.
            true => entry.run = id.map(|id| id.parse::<RunId>().map_or_else(|_| id.to_owned(), |run| run.to_string())),
            false => entry.subject = id.map(str::to_owned),
        }
    }
    entry
}

/// Whether a part of a path is an id or the name of a setting. Other text is not recorded: it might be a secret.
fn is_id(text: &str) -> bool {
    let hex = !text.is_empty() && text.len() <= MAX_ID && text.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
    hex || SETTINGS.iter().any(|setting| setting.name == text)
}

/// The address of the client. Behind a proxy, it is the one from which the proxy received the request.
fn address(app: &App, request: &Request) -> Option<IpAddr> {
    let direct = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(client)| client.ip());
    if app.runtime.settings().server.behind_proxy.is_none() {
        return direct;
    }
    // A client can send the header too; the proxy adds its own value at the end.
    let last = request.headers().get_all("x-forwarded-for").iter().next_back();
    let forwarded = last.and_then(|value| value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
    forwarded.or(direct)
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
