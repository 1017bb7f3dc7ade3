//! The carrier's page on the second origin. The shop shows it in a frame.

use std::sync::Arc;

use axum::{
    Form, Router,
    extract::State,
    response::Html,
    routing::{get, post},
};
use minijinja::{Environment, context};

use super::{ledger::PostOutcome, site::Site, token::new_token};

const PAGE: &str = include_str!("pages/quote.html");

pub(super) fn routes(site: &Arc<Site>) -> Router {
    Router::new()
        .route("/", get(async || page(None)))
        .route("/quote", get(async || page(None)))
        .route("/quote", post(quote))
        .with_state(site.clone())
}

async fn quote(State(site): State<Arc<Site>>, Form(fields): Form<Vec<(String, String)>>) -> Html<String> {
    let value = |name: &str| fields.iter().find(|(n, _)| n == name).map_or("", |(_, v)| v);
    let weight: u32 = value("weight").parse().unwrap_or(0);
    let accepted = weight > 0 && !value("postcode").is_empty();
    site.ledger.record("/quote", if accepted { PostOutcome::Accepted } else { PostOutcome::Refused }, &fields);
    page(accepted.then(|| 490 + 35 * weight.min(10_000)))
}

/// The complete page. It does not use the shop's style sheet, like the page of another company.
fn page(cents: Option<u32>) -> Html<String> {
    let price = cents.map(super::products::price);
    let values = context! { price, form_token => new_token() };
    Html(Environment::new().render_named_str("quote.html", PAGE, values).expect("the quote page is part of this crate"))
}
