//! What was posted, as JSON.

use std::sync::Arc;

use axum::{Json, Router, extract::State, routing::get};

use super::site::Site;

pub(super) fn routes() -> Router<Arc<Site>> {
    Router::new().route("/api/ledger", get(async |State(site): State<Arc<Site>>| Json(site.ledger.entries())))
}
