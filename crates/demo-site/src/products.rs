//! The articles of the shop and their prices.

use serde::Serialize;

/// A product.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Product {
    pub(super) name: &'static str,
    pub(super) category: &'static str,
    pub(super) article: u32,
    #[serde(serialize_with = "as_price")]
    pub(super) cents: u32,
    pub(super) stock: u32,
}

/// All products of the shop.
pub(super) fn products() -> Vec<Product> {
    let lines = include_str!("assets/products.tsv").lines().zip(4001..);
    let read = lines.map(|(line, article)| {
        let mut cells = line.split('\t');
        let mut cell = || cells.next().expect("a line of the catalogue has four cells");
        let (name, category) = (cell(), cell());
        let mut number = || cell().parse().expect("price and stock of the catalogue are numbers");
        Product { name, category, article, cents: number(), stock: number() }
    });
    read.collect()
}

/// An amount in cents as a decimal number.
pub(super) fn price(cents: u32) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

fn as_price<S: serde::Serializer>(cents: &u32, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&price(*cents))
}
