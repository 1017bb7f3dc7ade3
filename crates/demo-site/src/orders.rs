//! Orders: the list, the form with every kind of field, the confirmation, and deletion after a question.

use std::sync::Arc;

use axum::{
    Form, Router,
    extract::{Path, State},
    http::{StatusCode, header::CONTENT_TYPE},
    response::{Html, IntoResponse, Redirect, Response},
    routing::{get, post},
};
use minijinja::{Value, context, value::Serde};

use super::{ledger::PostOutcome, order::Order, products::products, signin::SignedIn, site::Site, token::new_token};

pub(super) fn routes() -> Router<Arc<Site>> {
    Router::new()
        .route("/orders", get(list).post(place))
        .route("/orders/new", get(new))
        .route("/orders/{number}", get(placed))
        .route("/orders/{number}/delete", post(delete))
        .route("/api/orders.csv", get(csv))
}

async fn list(_: SignedIn, State(site): State<Arc<Site>>) -> Html<String> {
    let orders = site.books().orders.clone();
    site.templates.page("orders.html", "Orders", &context! { orders => Serde(orders) })
}

async fn new(_: SignedIn, State(site): State<Arc<Site>>) -> Html<String> {
    form(&site, &Order { payment: "Invoice".to_owned(), ..Order::default() }, &[])
}

fn form(site: &Site, order: &Order, errors: &[&'static str]) -> Html<String> {
    let names: Vec<_> = products().iter().map(|p| p.name).collect();
    let values =
        context! { order => Serde(order), errors => errors.to_vec(), products => names, form_token => new_token() };
    site.templates.page("order_new.html", "New order", &values)
}

async fn place(_: SignedIn, State(site): State<Arc<Site>>, Form(fields): Form<Vec<(String, String)>>) -> Response {
    let mut order = Order::read(&fields);
    let errors = order.errors();
    if !errors.is_empty() {
        site.ledger.record("/orders", PostOutcome::Refused, &fields);
        return (StatusCode::UNPROCESSABLE_ENTITY, form(&site, &order, &errors)).into_response();
    }
    site.ledger.record("/orders", PostOutcome::Accepted, &fields);
    let mut books = site.books();
    order.number = books.next_order;
    books.next_order += 1;
    let there = format!("/orders/{}", order.number);
    books.orders.push(order);
    Redirect::to(&there).into_response()
}

async fn placed(_: SignedIn, State(site): State<Arc<Site>>, Path(number): Path<u32>) -> Response {
    let found = site.books().orders.iter().find(|o| o.number == number).cloned();
    match found {
        Some(order) => {
            let total = order.total();
            site.templates
                .page("order_placed.html", "Order placed", &context! { order => Serde(order), total })
                .into_response()
        }
        None => {
            let page = site.templates.page("missing.html", "Page not found", &Value::UNDEFINED);
            (StatusCode::NOT_FOUND, page).into_response()
        }
    }
}

async fn delete(_: SignedIn, State(site): State<Arc<Site>>, Path(number): Path<u32>) -> Redirect {
    let mut books = site.books();
    let before = books.orders.len();
    books.orders.retain(|o| o.number != number);
    let verdict = if books.orders.len() < before { PostOutcome::Accepted } else { PostOutcome::Refused };
    site.ledger.record(&format!("/orders/{number}/delete"), verdict, &[]);
    Redirect::to("/orders")
}

async fn csv(_: SignedIn, State(site): State<Arc<Site>>) -> impl IntoResponse {
    let mut text = "order,customer,product,quantity,delivery\n".to_owned();
    for o in &site.books().orders {
        text += &format!("HS-{},\"{}\",\"{}\",{},{}\n", o.number, o.customer, o.product, o.quantity, o.date);
    }
    ([(CONTENT_TYPE, "text/csv")], text)
}
