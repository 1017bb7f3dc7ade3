//! The catalogue: search by words, filters by category and stock, sorting, pagination. The page is a plain form. Its
//! script fetches the table below it again when a filter, the order or the page number changes.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Query, State},
    http::header::{CONTENT_DISPOSITION, CONTENT_TYPE},
    response::{Html, IntoResponse},
    routing::get,
};
use minijinja::{Value, context, value::Serde};
use serde::{Deserialize, Serialize};

use super::{
    products::{Product, price, products},
    signin::SignedIn,
    site::Site,
};

/// The number of products on one page of the table.
const PAGE: usize = 10;

/// The query of the catalogue.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
struct Wanted {
    q: String,
    category: String,
    in_stock: bool,
    sort: Column,
    dir: Direction,
    page: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Column {
    #[default]
    Name,
    Category,
    Article,
    Price,
    Stock,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Direction {
    #[default]
    Asc,
    Desc,
}

impl Wanted {
    fn found(&self) -> Vec<Product> {
        let words = self.q.to_lowercase();
        let holds = |p: &Product| {
            words.split_whitespace().all(|word| p.name.to_lowercase().contains(word))
                && (self.category.is_empty() || p.category == self.category)
                && (!self.in_stock || p.stock > 0)
        };
        let mut found: Vec<_> = products().into_iter().filter(holds).collect();
        found.sort_by(|a, b| match self.sort {
            Column::Name => a.name.cmp(b.name),
            Column::Category => a.category.cmp(b.category).then(a.name.cmp(b.name)),
            Column::Article => a.article.cmp(&b.article),
            Column::Price => a.cents.cmp(&b.cents),
            Column::Stock => a.stock.cmp(&b.stock),
        });
        if self.dir == Direction::Desc {
            found.reverse();
        }
        found
    }
}

pub(super) fn routes() -> Router<Arc<Site>> {
    Router::new()
        .route("/products", get(page))
        .route("/products/table", get(table))
        .route("/reports/stock.csv", get(csv))
}

async fn page(_: SignedIn, State(site): State<Arc<Site>>, Query(wanted): Query<Wanted>) -> Html<String> {
    let mut categories: Vec<_> = products().into_iter().map(|p| p.category).collect();
    categories.sort_unstable();
    categories.dedup();
    let Html(table) = render(&site, &wanted);
    site.templates.page("products.html", "Products", &context! { query => Serde(&wanted), categories, table })
}

async fn table(_: SignedIn, State(site): State<Arc<Site>>, Query(wanted): Query<Wanted>) -> Html<String> {
    render(&site, &wanted)
}

fn render(site: &Site, wanted: &Wanted) -> Html<String> {
    let found = wanted.found();
    let pages = found.len().div_ceil(PAGE).max(1);
    let page = wanted.page.clamp(1, pages);
    let shown: Vec<_> = found.iter().skip((page - 1) * PAGE).take(PAGE).collect();
    let columns = [
        (Column::Name, "Product", false),
        (Column::Category, "Category", false),
        (Column::Article, "Article", false),
        (Column::Price, "Price", true),
        (Column::Stock, "Stock", true),
    ];
    let columns: Vec<_> = columns.iter().map(|&(key, title, number)| heading(wanted, key, title, number)).collect();
    let values =
        context! { query => Serde(wanted), total => found.len(), products => Serde(shown), page, pages, columns };
    site.templates.fragment("product_table.html", &values)
}

fn heading(wanted: &Wanted, key: Column, title: &str, number: bool) -> Value {
    let (sorted, next) = match (wanted.sort == key, wanted.dir) {
        (true, Direction::Asc) => ("ascending", Direction::Desc),
        (true, Direction::Desc) => ("descending", Direction::Asc),
        (false, _) => ("none", Direction::Asc),
    };
    context! { key => Serde(key), title, number, sorted, next => Serde(next) }
}

async fn csv(_: SignedIn) -> impl IntoResponse {
    let mut text = "article,product,category,price,stock\n".to_owned();
    for p in products() {
        text += &format!("{},\"{}\",{},{},{}\n", p.article, p.name, p.category, price(p.cents), p.stock);
    }
    ([(CONTENT_TYPE, "text/csv"), (CONTENT_DISPOSITION, "attachment; filename=\"stock.csv\"")], text)
}
