//! An order, and what is wrong with one.

use serde::Serialize;

use super::products::{price, products};

/// An order, or the content of the form before it is one.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Order {
    pub(super) number: u32,
    pub(super) customer: String,
    pub(super) email: String,
    pub(super) product: String,
    /// 0 if the field is empty or invalid.
    pub(super) quantity: u32,
    pub(super) colours: Vec<String>,
    pub(super) delivery: String,
    pub(super) date: String,
    pub(super) payment: String,
    pub(super) extras: Vec<String>,
    pub(super) comments: String,
    pub(super) terms: bool,
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

    pub(super) fn read(fields: &[(String, String)]) -> Order {
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

    pub(super) fn errors(&self) -> Vec<&'static str> {
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

    pub(super) fn total(&self) -> String {
        let cents = products().iter().find(|p| p.name == self.product).map_or(0, |p| p.cents);
        price(cents * self.quantity)
    }
}
