//! The web page: the files of `web/dist` in the binary. Without them, a page that explains how to build them.

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use rust_embed::RustEmbed;

/// Resources are loaded from this origin only, and no inline script or style is applied.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
     connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const NOT_FOUND_PAGE: &str = include_str!("page/missing.html");

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Files;

/// Serves every path that is not a route: a file of the page, or the page itself, which has its own addresses.
pub(crate) async fn serve(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path.starts_with("api/") || path == "api" {
        return crate::error::ApiError::missing(format!("there is no {}", uri.path())).into_response();
    }
    if let Some(file) = Files::get(path).filter(|_| !path.is_empty()) {
        return answer(path, file.data.into_owned());
    }
    // A path with a file extension is a file and must exist. Any other path is an address of the page.
    if path.rsplit('/').next().is_some_and(|name| name.contains('.')) {
        return (StatusCode::NOT_FOUND, "there is no such file\n").into_response();
    }
    match Files::get("index.html") {
        Some(index) => answer("index.html", index.data.into_owned()),
        None => answer("index.html", NOT_FOUND_PAGE.as_bytes().to_vec()),
    }
}

fn answer(path: &str, bytes: Vec<u8>) -> Response {
    let kind = match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        _ => "text/plain; charset=utf-8",
    };
    // Vite puts the hash of the content into the names of these files.
    let cache = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}
