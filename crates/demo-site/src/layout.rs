//! The style sheet, the script and the icon of the site, and the page for unknown addresses.

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Redirect},
    routing::get,
};
use minijinja::context;

use super::site::Site;

pub(super) fn routes() -> Router<Arc<Site>> {
    Router::new()
        .route("/site.css", get(async || ([(CONTENT_TYPE, "text/css")], include_str!("assets/site.css"))))
        .route("/site.js", get(async || ([(CONTENT_TYPE, "text/javascript")], include_str!("assets/site.js"))))
        .route("/favicon.svg", get(async || ([(CONTENT_TYPE, "image/svg+xml")], include_str!("assets/favicon.svg"))))
        .route("/favicon.ico", get(async || Redirect::permanent("/favicon.svg")))
        .fallback(async |State(site): State<Arc<Site>>| {
            let page = site.templates.page("missing.html", "Page not found", &context! {});
            (axum::http::StatusCode::NOT_FOUND, page).into_response()
        })
}
