//! Pages: a template each, set into the frame that all of them share.

use axum::response::Html;
use minijinja::{Environment, Value, context};

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
