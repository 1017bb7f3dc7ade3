//! Refuses what a route does not read: parameters that it does not know, and a body where it takes none. Every route
//! passes this check, because a parameter that is ignored looks as if it had had an effect.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{FromRequest, Request, State},
    http::Method,
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde::Deserialize;

use crate::{app::App, envelope::ApiJson, error::ApiError, request_problem::RequestProblem, routes::Route};

/// What a route reads.
#[derive(Clone)]
pub(crate) struct ReadByRoute {
    app: Arc<App>,
    parameters: Arc<[String]>,
    has_body: bool,
}

impl ReadByRoute {
    pub(crate) fn new(app: Arc<App>, route: &Route) -> ReadByRoute {
        let has_body = route.request_body.is_some() || route.takes_file;
        ReadByRoute { app, parameters: route.parameters().into(), has_body }
    }
}

/// The body of a route that takes none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoFields {}

/// The middleware of each route.
pub(crate) async fn check(State(read): State<ReadByRoute>, request: Request, next: Next) -> Response {
    match checked(&read, request).await {
        Ok(request) => next.run(request).await,
        Err(refused) => refused.into_response(),
    }
}

async fn checked(read: &ReadByRoute, request: Request) -> Result<Request, ApiError> {
    let query = request.uri().query().unwrap_or_default();
    for (name, _) in url::form_urlencoded::parse(query.as_bytes()) {
        if !read.parameters.iter().any(|known| *known == name) {
            return Err(RequestProblem::unknown(&name, read.parameters.iter().cloned()).of("parameter").into());
        }
    }
    if read.has_body || matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(request);
    }
    let (parts, body) = request.into_parts();
    let whole = Request::from_parts(parts.clone(), body);
    let ApiJson::<NoFields>(NoFields {}) = ApiJson::from_request(whole, &read.app).await?;
    Ok(Request::from_parts(parts, Body::empty()))
}
