//! The caller's identity, the way for a page to obtain its cookie, and the OpenAPI document.

use std::sync::Arc;

use axum::{
    Extension,
    extract::State,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use legwork::protocol::Code;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Route, get, post};
use crate::{
    access::Caller,
    app::App,
    auth::Principal,
    envelope::{ApiQuery, ApiResponse},
    error::ApiError,
};

#[derive(Deserialize, JsonSchema)]
struct OpenQuery {
    /// The code of the link that `legwork serve` printed.
    #[serde(default)]
    code: String,
}

/// The route of the link that works once.
pub(super) fn open() -> Route {
    let mut route = get("/open", "Exchanges a one-time code for the page's cookie", take_link)
        .query::<OpenQuery>()
        .bytes("text/html");
    route.open = true;
    route
}

async fn take_link(State(app): State<Arc<App>>, ApiQuery(OpenQuery { code }): ApiQuery<OpenQuery>) -> Response {
    if !app.auth.links.redeem(&code) {
        let text =
            "This link was used already, or is older than five minutes.\n\nFor a new one: legwork serve --link\n";
        return (StatusCode::FORBIDDEN, text).into_response();
    }
    let set = app.auth.cookie().map(|cookie| cookie.set(&app.auth, app.secure));
    let Some(set) = set.ok().and_then(|set| HeaderValue::from_str(&set).ok()) else {
        return ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, Code::Internal, "no cookie could be made")
            .into_response();
    };
    let mut response = Redirect::to("/").into_response();
    response.headers_mut().insert(header::SET_COOKIE, set);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

#[derive(Serialize, JsonSchema)]
struct CurrentUser {
    /// The value for the header `X-Legwork-CSRF`; empty for programs, which do not need it.
    csrf: String,
    version: &'static str,
    /// Whether the demo can be started.
    demo: bool,
}

/// The caller's identity.
pub(super) fn me() -> Route {
    get("/api/me", "The session of the page", read_me).response::<CurrentUser>()
}

async fn read_me(
    State(app): State<Arc<App>>,
    Extension(Caller(principal)): Extension<Caller>,
) -> ApiResponse<CurrentUser> {
    let csrf = match &principal {
        Some(Principal::Page(cookie)) => app.auth.csrf(cookie),
        _ => String::new(),
    };
    ApiResponse::ok(CurrentUser {
        csrf,
        version: env!("CARGO_PKG_VERSION"),
        demo: app.templates.find("demo").is_some(),
    })
}

#[derive(Serialize, JsonSchema)]
struct Link {
    /// The value of `code` in `/open?code=`.
    code: String,
}

/// A new link, for programs on this machine. A page that is signed in does not need one.
pub(super) fn link() -> Route {
    post("/api/link", "A new one-time link; only with the token", give_link).response::<Link>()
}

async fn give_link(
    State(app): State<Arc<App>>,
    Extension(Caller(principal)): Extension<Caller>,
) -> Result<ApiResponse<Link>, ApiError> {
    if principal != Some(Principal::Program) {
        return Err(ApiError::new(StatusCode::FORBIDDEN, Code::Unauthenticated, "a link is given for the token only"));
    }
    let code = app.auth.links.issue().map_err(|error| ApiError::internal(Code::Internal, &error))?;
    Ok(ApiResponse::ok(Link { code }))
}

/// The OpenAPI document.
pub(super) fn openapi() -> Route {
    get("/api/openapi.json", "This document", document).bytes("application/json")
}

async fn document() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], crate::openapi::document()).into_response()
}
