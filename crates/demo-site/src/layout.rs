//! Pages: a template for each, inserted into a common layout, and the style sheet and the script.

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    http::header::CONTENT_TYPE,
    response::{Html, IntoResponse, Redirect},
    routing::get,
};
use minijinja::{Environment, Value, context};

use super::site::Site;

/// The page templates, by file name.
#[derive(Debug)]
pub(super) struct Templates(Environment<'static>);

macro_rules! templates {
    ($($name:literal),* $(,)?) => { [$(($name, include_str!(concat!("pages/", $name)))),*] };
}

impl Templates {
    pub(super) fn load() -> Templates {
        let mut environment = Environment::new();
        for (name, source) in templates![
            "layout.html",
            "login.html",
            "dashboard.html",
            "products.html",
            "product_table.html",
            "orders.html",
            "order_new.html",
            "order_placed.html",
            "documents.html",
            "settings.html",
            "settings_frame.html",
            "partners.html",
            "pickup.html",
            "pickup_code.html",
            "notes.html",
            "board.html",
            "activity.html",
            "handbook.html",
            "late.html",
            "till.html",
            "missing.html",
        ] {
            environment.add_template(name, source).expect("the templates are part of this crate and parse");
        }
        Templates(environment)
    }

    /// Renders a template without the layout.
    pub(super) fn fragment(&self, name: &str, values: &Value) -> Html<String> {
        let template = self.0.get_template(name).expect("handlers name templates that are loaded");
        Html(template.render(values).expect("handlers give a template what it prints"))
    }

    /// Renders a page: the template within the layout.
    pub(super) fn page(&self, name: &str, title: &str, values: &Value) -> Html<String> {
        let Html(main) = self.fragment(name, values);
        self.fragment("layout.html", &context! { title, main, bare => name == "login.html", page => name })
    }
}

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
