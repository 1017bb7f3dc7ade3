//! The common form of responses: a handler returns data or an error, and the outermost layer puts it into the envelope
//! with the request's id and the time that it took. Streams, images and the page's files have no envelope.

use std::{ops::RangeInclusive, sync::Arc, time::Instant};

use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Request},
    http::{HeaderValue, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use legwork::protocol::{Code, ErrorReport};
use legwork_access::{BodyError, read_body};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::{RawValue, to_raw_value};
use uuid::Uuid;

use crate::{
    app::{App, BODY_LIMIT, ROWS_LIMIT},
    error::ApiError,
    metrics::Metrics,
    request_problem::RequestProblem,
    request_value,
};

/// The position in a list with several pages.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Pagination {
    /// Number of items on all pages.
    pub(crate) total: usize,
    /// The number of the page, from 1.
    pub(crate) page: usize,
    /// Number of items per page.
    pub(crate) page_size: usize,
    pub(crate) has_next: bool,
    pub(crate) has_previous: bool,
}

/// The parameters of a query. The OpenAPI document contains the type of each.
pub(crate) struct ApiQuery<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for ApiQuery<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        request_value::from_query(parts.uri.query().unwrap_or_default()).map(ApiQuery).map_err(ApiError::from)
    }
}

/// A number among the parameters that is refused outside of its limits. Its default is within them.
pub(crate) fn within(
    name: &str,
    given: Option<usize>,
    default: usize,
    limits: RangeInclusive<usize>,
) -> Result<usize, ApiError> {
    let number = given.unwrap_or(default);
    if limits.contains(&number) { Ok(number) } else { Err(RequestProblem::outside(name, &limits, number).into()) }
}

/// The response of a handler.
pub(crate) struct ApiResponse<T> {
    data: T,
    status: StatusCode,
    pagination: Option<Pagination>,
}

impl<T: Serialize> ApiResponse<T> {
    pub(crate) fn ok(data: T) -> Self {
        ApiResponse { data, status: StatusCode::OK, pagination: None }
    }

    pub(crate) fn accepted(data: T) -> Self {
        ApiResponse { status: StatusCode::ACCEPTED, ..ApiResponse::ok(data) }
    }

    pub(crate) fn page(data: T, pagination: Pagination) -> Self {
        ApiResponse { pagination: Some(pagination), ..ApiResponse::ok(data) }
    }
}

/// What a response passes to the outermost layer.
#[derive(Clone)]
struct ResponseDetails(Arc<Inner>);

struct Inner {
    data: Option<Box<RawValue>>,
    error: Option<Box<ErrorReport>>,
    pagination: Option<Pagination>,
}

impl<T: Serialize> IntoResponse for ApiResponse<T> {
    fn into_response(self) -> Response {
        match to_raw_value(&self.data) {
            Ok(data) => {
                into_enveloped(self.status, Inner { data: Some(data), error: None, pagination: self.pagination })
            }
            Err(error) => ApiError::internal(Code::Internal, &error).into_response(),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = into_enveloped(self.status, Inner { data: None, error: Some(self.error), pagination: None });
        // The rest of the body was not read, so the connection ends with this response. A client that is not told sends
        // its next request on it.
        if response.status() == StatusCode::PAYLOAD_TOO_LARGE {
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(Ok(challenge)) = self.challenge.map(HeaderValue::try_from) {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
        }
        response
    }
}

fn into_enveloped(status: StatusCode, inner: Inner) -> Response {
    let mut response = status.into_response();
    response.extensions_mut().insert(ResponseDetails(Arc::new(inner)));
    response
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Envelope<'a> {
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a ErrorReport>,
    metadata: Metadata,
    #[serde(skip_serializing_if = "Option::is_none")]
    pagination: Option<&'a Pagination>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    timestamp: Timestamp,
    request_id: Uuid,
    version: &'static str,
    processing_time_ms: f64,
}

/// The outermost layer: adds the envelope, logs the request and counts it.
pub(crate) async fn wrap(metrics: Arc<Metrics>, request: Request, next: Next) -> Response {
    let (began, request_id) = (Instant::now(), Uuid::now_v7());
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let response = next.run(request).await;
    let took = began.elapsed();
    metrics.answered(&method, response.status(), took);
    // The path contains at most ids. The query may contain anything, so it is not logged.
    tracing::info!(%request_id, %method, path, status = response.status().as_u16(), took_us = took.as_micros() as u64, "answered");
    let is_api = path.starts_with("/api/") || path == "/metrics";
    let answer = match response.extensions().get::<ResponseDetails>() {
        Some(answer) => answer.clone(),
        None if is_api && response.status().is_client_error() => bare(response.status(), method.as_str(), &path),
        None => return response,
    };
    let (mut parts, _) = response.into_parts();
    let envelope = Envelope {
        success: answer.0.error.is_none(),
        data: answer.0.data.as_deref(),
        error: answer.0.error.as_deref(),
        metadata: Metadata {
            timestamp: Timestamp::now(),
            request_id,
            version: env!("CARGO_PKG_VERSION"),
            processing_time_ms: took.as_secs_f64() * 1e3,
        },
        pagination: answer.0.pagination.as_ref(),
    };
    let body = serde_json::to_vec(&envelope).expect("names are strings and the data is JSON already");
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    parts.headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, body.into())
}

/// The error for a response of axum itself, such as a method that a route does not have.
fn bare(status: StatusCode, method: &str, path: &str) -> ResponseDetails {
    let message = match status {
        StatusCode::METHOD_NOT_ALLOWED => format!("{method} is not known for {path}"),
        status => format!("{method} {path}: {status}"),
    };
    let error = ErrorReport::new(Code::RequestInvalid, message).suggest("`/api/openapi.json` lists all routes.");
    ResponseDetails(Arc::new(Inner { data: None, error: Some(Box::new(error)), pagination: None }))
}

/// A JSON object of at most `LIMIT` bytes as the body. An invalid body is refused with the field and what it must be.
pub(crate) struct ApiJson<T, const LIMIT: usize = BODY_LIMIT>(pub(crate) T);

impl<T: DeserializeOwned, const LIMIT: usize> FromRequest<Arc<App>> for ApiJson<T, LIMIT> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &Arc<App>) -> Result<Self, ApiError> {
        // This check also blocks forms: a page of another origin can send text/plain without a preflight request.
        let is_json =
            request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(|value| {
                value.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
            });
        let time = state.limits.body;
        let bytes = read_body(request.into_body(), LIMIT, time).await.map_err(|error| refused(&error))?;
        if bytes.is_empty() {
            // For routes with an optional body, an empty body means `{}`.
            return Ok(ApiJson(request_value::from_body(b"{}")?));
        }
        if !is_json {
            return Err(ApiError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                Code::RequestInvalid,
                "the body must be JSON, with Content-Type: application/json",
            ));
        }
        Ok(ApiJson(request_value::from_body(&bytes)?))
    }
}

/// A file with rows as the body.
pub(crate) struct RowsBody(pub(crate) Bytes);

impl FromRequest<Arc<App>> for RowsBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &Arc<App>) -> Result<Self, ApiError> {
        let body = read_body(request.into_body(), ROWS_LIMIT, state.limits.body).await;
        body.map(RowsBody).map_err(|error| refused(&error))
    }
}

fn refused(error: &BodyError) -> ApiError {
    let status = match error {
        BodyError::Late => StatusCode::REQUEST_TIMEOUT,
        BodyError::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        BodyError::Unreadable(_) => StatusCode::BAD_REQUEST,
    };
    ApiError::new(status, Code::RequestInvalid, error.to_string())
}
