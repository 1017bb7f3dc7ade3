//! The one table of routes: method, path, parameters, body, response and handler. The router and the OpenAPI document
//! are both built from it, so neither can contain a route that the other does not.

mod artifacts;
mod dashboard;
mod export;
mod health;
mod memory;
mod run_list_item;
mod runs;
mod schedules;
mod session;
mod settings;
mod steer;
mod streams;
mod validate;

use std::sync::Arc;

use axum::{
    Router,
    extract::DefaultBodyLimit,
    handler::Handler,
    middleware,
    routing::{self, MethodRouter},
};
use schemars::{JsonSchema, Schema, SchemaGenerator};

pub(crate) use run_list_item::RunListItem;

use crate::{access, app::App, envelope, page};

type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// The response of a route.
#[derive(Clone, Copy)]
pub(crate) enum ResponseKind {
    /// Data in the envelope.
    Data(SchemaOf),
    /// Data in the envelope, with a status that states that the request is not completed yet.
    Accepted(SchemaOf),
    /// Content of this media type, without an envelope.
    Bytes(&'static str),
    /// Server-sent events. The data of each event that is not for display only has this type.
    Stream(SchemaOf),
    /// An upgrade to another protocol.
    Upgrade,
}

/// A request header that a route reads.
#[derive(Clone, Copy)]
pub(crate) struct HeaderParameter {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
}

/// A route.
pub(crate) struct Route {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) about: &'static str,
    pub(crate) request_body: Option<SchemaOf>,
    pub(crate) response: ResponseKind,
    /// The type whose fields are the query parameters.
    pub(crate) query: Option<SchemaOf>,
    pub(crate) headers: Vec<HeaderParameter>,
    pub(crate) open: bool,
    router: MethodRouter<Arc<App>>,
}

macro_rules! methods {
    ($($name:ident)*) => { $(
        fn $name<H: Handler<T, Arc<App>>, T: 'static>(path: &'static str, about: &'static str, handler: H) -> Route {
            Route {
                method: stringify!($name),
                path,
                about,
                request_body: None,
                response: ResponseKind::Data(|_| Schema::default()),
                query: None,
                headers: Vec::new(),
                open: false,
                router: routing::$name(handler),
            }
        }
    )* };
}
methods! { get post put delete }

impl Route {
    fn request_body<T: JsonSchema>(mut self) -> Self {
        self.request_body = Some(|generator| generator.subschema_for::<T>());
        self
    }

    fn response<T: JsonSchema>(mut self) -> Self {
        self.response = ResponseKind::Data(|generator| generator.subschema_for::<T>());
        self
    }

    fn accepts<T: JsonSchema>(mut self) -> Self {
        self.response = ResponseKind::Accepted(|generator| generator.subschema_for::<T>());
        self
    }

    fn bytes(mut self, media_type: &'static str) -> Self {
        self.response = ResponseKind::Bytes(media_type);
        self
    }

    fn stream<T: JsonSchema>(mut self) -> Self {
        self.response = ResponseKind::Stream(|generator| generator.subschema_for::<T>());
        self
    }

    fn query<T: JsonSchema>(mut self) -> Self {
        self.query = Some(|generator| T::json_schema(generator));
        self
    }

    fn header(mut self, name: &'static str, about: &'static str) -> Self {
        self.headers.push(HeaderParameter { name, about });
        self
    }
}

/// All routes.
pub(crate) fn all() -> Vec<Route> {
    let mut all = vec![session::open(), session::me(), session::link(), session::openapi()];
    all.extend(runs::routes());
    all.extend(validate::routes());
    all.extend(export::routes());
    all.extend(steer::routes());
    all.extend(streams::routes());
    all.extend(artifacts::routes());
    all.extend(health::routes());
    all.extend(dashboard::routes());
    all.extend(memory::routes());
    all.extend(settings::routes());
    all.extend(schedules::routes());
    all
}

/// The short form of a path: the routes of runs have two forms.
pub(crate) fn short(path: &str) -> Option<String> {
    path.strip_prefix("/api/automation").map(|rest| format!("/api{rest}"))
}

/// The router with all its layers.
pub(crate) fn router(app: Arc<App>) -> Router {
    let mut router = Router::new();
    for route in all() {
        if let Some(short) = short(route.path) {
            router = router.route(&short, route.router.clone());
        }
        router = router.route(route.path, route.router);
    }
    let metrics = app.metrics.clone();
    router
        .fallback(page::serve)
        .layer(DefaultBodyLimit::max(crate::app::BODY_LIMIT))
        .layer(middleware::from_fn_with_state(app.clone(), access::guard))
        .layer(middleware::from_fn(move |request, next| envelope::wrap(metrics.clone(), request, next)))
        .with_state(app)
}
