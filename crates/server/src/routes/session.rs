//! The caller's identity, the way for a page to obtain its cookie, and the OpenAPI document.

use std::sync::Arc;

use axum::{
    Extension,
    extract::State,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use legwork::protocol::Code;
use legwork_access::{Identity, Scopes};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Access, Route, get, post};
use crate::{
    access::Caller,
    app::App,
    envelope::{ApiJson, ApiQuery, ApiResponse},
    error::ApiError,
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OpenQuery {
    /// The code of the link that `legwork serve` printed.
    #[serde(default)]
    code: String,
}

/// The route of the link that works once.
pub(super) fn open() -> Route {
    get(Access::Open, "/open", "Exchanges a one-time code for the page's cookie", take_link)
        .query::<OpenQuery>()
        .bytes("text/html")
        .acts()
}

async fn take_link(State(app): State<Arc<App>>, ApiQuery(OpenQuery { code }): ApiQuery<OpenQuery>) -> Response {
    let Some(link) = app.auth.links.redeem(&code) else {
        let text =
            "This link was used already, or is older than five minutes.\n\nFor a new one: legwork serve --link\n";
        return (StatusCode::FORBIDDEN, text).into_response();
    };
    let set = app.auth.cookie(link.token_id.as_deref()).map(|cookie| cookie.set(&app.auth, app.secure));
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
    /// The name of the token with which the caller is signed in.
    token: String,
    /// What the caller may do.
    scopes: Scopes,
    version: &'static str,
    /// Whether the demo can be started.
    demo: bool,
}

/// The caller's identity.
pub(super) fn me() -> Route {
    get(Access::Authenticated, "/api/me", "The session of the page", read_me).response::<CurrentUser>()
}

async fn read_me(State(app): State<Arc<App>>, Extension(caller): Extension<Caller>) -> ApiResponse<CurrentUser> {
    let cookie = caller.principal.as_ref().and_then(|principal| principal.cookie.as_ref());
    let identity = caller.principal.as_ref().map(|principal| &principal.identity);
    ApiResponse::ok(CurrentUser {
        csrf: cookie.map_or(String::new(), |cookie| app.auth.csrf(cookie)),
        token: identity.map_or(String::new(), |identity| identity.name().to_owned()),
        scopes: identity.map_or(Scopes::default(), Identity::scopes),
        version: env!("CARGO_PKG_VERSION"),
        demo: app.templates.find("demo").is_some(),
    })
}

#[derive(Serialize, JsonSchema)]
struct Link {
    /// The value of `code` in `/open?code=`.
    code: String,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LinkRequest {
    /// The name or id of a token: whoever opens the link gets its scopes. Only for the token of the server; by default,
    /// a link is for the token of the request.
    #[serde(default)]
    token: Option<String>,
}

/// A new link, for programs. A page that is signed in does not need one.
pub(super) fn link() -> Route {
    post(Access::Authenticated, "/api/link", "A new one-time link; only with a token", give_link)
        .request_body::<LinkRequest>(|| json!({ "token": "ci" }))
        .refuses(&[404])
        .response::<Link>()
}

async fn give_link(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    ApiJson(body): ApiJson<LinkRequest>,
) -> Result<ApiResponse<Link>, ApiError> {
    let refused = |message| ApiError::new(StatusCode::FORBIDDEN, Code::Unauthenticated, message);
    let program = caller.principal.filter(|principal| principal.cookie.is_none());
    let Some(principal) = program else {
        return Err(refused("a link is given for a token only"));
    };
    let token_id = match (principal.identity.grant(), body.token) {
        (Some(own), None) => Some(own.record.id.clone()),
        (Some(_), Some(_)) => return Err(refused("only the token of the server gives links for other tokens")),
        (None, None) => None,
        (None, Some(name)) => {
            let grant = app.auth.tokens.by_name_or_id(&name).await;
            let grant = grant.ok_or_else(|| {
                ApiError::missing("there is no valid token with this name").suggest("`legwork token list` shows them.")
            })?;
            Some(grant.record.id.clone())
        }
    };
    let code = app.auth.links.issue(token_id).map_err(|error| ApiError::internal(Code::Internal, &error))?;
    Ok(ApiResponse::ok(Link { code }))
}

/// The OpenAPI document.
pub(super) fn openapi() -> Route {
    get(Access::Authenticated, "/api/openapi.json", "This document", document).bytes("application/json")
}

async fn document() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], crate::openapi::document()).into_response()
}
