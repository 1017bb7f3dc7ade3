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
use serde::Serialize;
use uuid::Uuid;

use super::{
    catalogue::{price, products},
    ledger::PostOutcome,
    signin::SignedIn,
    site::Site,
};

/// An order, or the content of the form before it is one.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Order {
    pub(super) number: u32,
    customer: String,
    email: String,
    product: String,
    /// 0 if the field is empty or invalid.
    quantity: u32,
    colours: Vec<String>,
    delivery: String,
    date: String,
    payment: String,
    extras: Vec<String>,
    comments: String,
    terms: bool,
}

impl Order {
    /// The orders of a new instance.
    pub(super) fn examples() -> Vec<Order> {
        let example = |number, customer: &str, product: &str, quantity, date: &str| Order {
            number,
            customer: customer.to_owned(),
            product: product.to_owned(),
            quantity,
            date: date.to_owned(),
            ..Order::default()
        };
        vec![
            example(1001, "Kirkholm Ferries", "Fender F3", 12, "2026-11-24"),
            example(1002, "M. Aasen", "Halyard 10 mm", 1, "2026-11-26"),
            example(1003, "Sailing school", "Life jacket, child", 20, "2026-12-01"),
        ]
    }

    fn read(fields: &[(String, String)]) -> Order {
        let all = |name: &'static str| fields.iter().filter(move |(n, _)| n == name).map(|(_, v)| v.trim().to_owned());
        let one = |name: &'static str| all(name).next().unwrap_or_default();
        Order {
            number: 0,
            customer: one("customer"),
            email: one("email"),
            product: one("product"),
            quantity: one("quantity").parse().unwrap_or(0),
            colours: all("colours").collect(),
            delivery: one("delivery"),
            date: one("date"),
            payment: one("payment"),
            extras: all("extras").collect(),
            comments: one("comments"),
            terms: one("terms") == "yes",
        }
    }

    fn errors(&self) -> Vec<&'static str> {
        let checks = [
            (!self.customer.is_empty(), "Enter the customer's name."),
            (
                self.email.split_once('@').is_some_and(|(n, h)| !n.is_empty() && h.contains('.')),
                "Enter an e-mail address.",
            ),
            (products().iter().any(|p| p.name == self.product), "Choose a product."),
            ((1..=500).contains(&self.quantity), "The quantity must be from 1 to 500."),
            (!self.delivery.is_empty(), "Choose how it is delivered."),
            (self.date.len() == 10, "Choose the delivery date."),
            (!self.payment.is_empty(), "Choose how it is paid."),
            (self.terms, "The customer must accept the terms."),
        ];
        checks.into_iter().filter(|(holds, _)| !holds).map(|(_, message)| message).collect()
    }

    fn total(&self) -> String {
        let cents = products().iter().find(|p| p.name == self.product).map_or(0, |p| p.cents);
        price(cents * self.quantity)
    }
}

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

/// A unique token for a rendered form.
pub(super) fn new_token() -> String {
    Uuid::now_v7().simple().to_string()
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
