//! Artifacts by their hash: images, texts and files. They contain untrusted content of pages, so they are served as
//! images or plain text, in a sandbox.

use std::sync::Arc;

use axum::{
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use legwork::{STATE_MEDIA_TYPE, protocol::Code};

use super::{READ, Route, get};
use crate::{app::App, error::ApiError, thumbnail};

/// Maximum size of an artifact that is served.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

pub(super) fn routes() -> Vec<Route> {
    let bytes = "application/octet-stream";
    vec![
        get(READ, "/api/artifacts/{hash}", "An artifact's bytes", artifact).bytes(bytes).refuses(&[413]),
        get(READ, "/api/screenshots/{hash}", "A picture", picture).bytes("image/jpeg").refuses(&[413]),
        get(READ, "/api/screenshots/{hash}/thumbnail", "A thumbnail of the picture", thumbnail)
            .bytes("image/jpeg")
            .refuses(&[413]),
    ]
}

async fn artifact(
    State(app): State<Arc<App>>,
    Path(hash): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let known = app.artifacts().stat(&hash).await?;
    if known.media_type == STATE_MEDIA_TYPE {
        let message = "a saved state is not served: it contains the sign-ins of the sites of its run";
        return Err(ApiError::new(StatusCode::FORBIDDEN, Code::PermissionDenied, message));
    }
    serve(&app, &hash, &known.media_type, &headers).await
}

async fn picture(
    State(app): State<Arc<App>>,
    Path(hash): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let known = app.artifacts().stat(&hash).await?;
    if !is_picture(&known.media_type) {
        return Err(ApiError::missing(format!("{hash} is not an image")));
    }
    serve(&app, &hash, &known.media_type, &headers).await
}

async fn thumbnail(
    State(app): State<Arc<App>>,
    Path(hash): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let known = app.artifacts().stat(&hash).await?;
    let media_type = known.media_type;
    if !is_picture(&media_type) {
        return Err(ApiError::missing(format!("{hash} is not an image")));
    }
    let tag = format!("\"{hash}-small\"");
    if has(&headers, &tag) {
        return Ok(with_headers(StatusCode::NOT_MODIFIED.into_response(), thumbnail::MEDIA_TYPE, &tag));
    }
    let whole = app.artifacts().get(&hash, MAX_BYTES).await?;
    let kind = media_type.clone();
    let made = tokio::task::spawn_blocking(move || thumbnail::small(&whole, &kind).ok_or(whole)).await;
    Ok(match made {
        Ok(Ok(small)) => with_headers(small.into_response(), thumbnail::MEDIA_TYPE, &tag),
        // A browser may be able to decode an image that this server cannot.
        Ok(Err(whole)) => with_headers(whole.into_response(), &media_type, &tag),
        Err(_) => return Err(ApiError::missing(format!("no thumbnail of {hash} can be created"))),
    })
}

fn is_picture(media_type: &str) -> bool {
    matches!(media_type, "image/png" | "image/jpeg" | "image/webp")
}

fn is_text(media_type: &str) -> bool {
    let kind = media_type.split(';').next().unwrap_or_default().trim();
    kind.starts_with("text/") || kind == "application/json" || kind.ends_with("+json")
}

async fn serve(app: &App, hash: &str, media_type: &str, headers: &HeaderMap) -> Result<Response, ApiError> {
    let tag = format!("\"{hash}\"");
    let response = if has(headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        app.artifacts().get(hash, MAX_BYTES).await?.into_response()
    };
    Ok(with_headers(response, media_type, &tag))
}

/// Whether the client has the artifact already.
fn has(headers: &HeaderMap, tag: &str) -> bool {
    headers.get(header::IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == tag.as_bytes())
}

fn with_headers(mut response: Response, media_type: &str, tag: &str) -> Response {
    // A page's HTML or SVG would be a document of this origin. So it is served as plain text, or as a file to save.
    let (kind, disposition) = match media_type {
        picture if is_picture(picture) => (picture, "inline"),
        text if is_text(text) => ("text/plain; charset=utf-8", "inline"),
        _ => ("application/octet-stream", "attachment"),
    };
    let set = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_DISPOSITION, disposition),
        (header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'"),
        // The name is the hash of the content, so the content never changes. The response is private, for signed-in
        // callers only.
        (header::CACHE_CONTROL, "private, max-age=31536000, immutable"),
        (header::ETAG, tag),
    ];
    for (name, value) in set {
        response.headers_mut().insert(name, HeaderValue::from_str(value).expect("hashes and media types are ASCII"));
    }
    response
}
