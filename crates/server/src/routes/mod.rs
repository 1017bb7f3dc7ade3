//! The one table of routes: method, path, parameters, body, response and handler. The router and the OpenAPI document
//! are both built from it, so neither can contain a route that the other does not.

mod artifacts;
mod batches;
mod dashboard;
mod elements;
mod export;
mod extension;
mod health;
mod memory;
mod repeat;
mod route;
mod run_list_item;
mod runs;
mod schedules;
mod secrets;
mod session;
mod settings;
mod setup;
mod steer;
mod streams;
mod validate;
mod workflows;

use std::sync::Arc;

use axum::{Router, middleware};

use route::{ADMIN, READ, RUN, STEER, delete, get, post, put};
pub(crate) use route::{Access, HeaderParameter, ResponseKind, Route};
pub(crate) use run_list_item::RunListItem;

use crate::{
    access::{self, AccessCheck, RouteTable},
    app::App,
    envelope, page,
};

/// All routes.
pub(crate) fn all() -> Vec<Route> {
    let mut all = vec![session::open(), session::me(), session::link(), session::openapi()];
    all.extend(runs::routes());
    all.extend(validate::routes());
    all.extend(export::routes());
    all.extend(extension::routes());
    all.extend(steer::routes());
    all.extend(streams::routes());
    all.extend(artifacts::routes());
    all.extend(elements::routes());
    all.extend(health::routes());
    all.extend(dashboard::routes());
    all.extend(memory::routes());
    all.extend(secrets::routes());
    all.extend(settings::routes());
    all.extend(setup::routes());
    all.extend(workflows::routes());
    all.extend(schedules::routes());
    all.extend(batches::routes());
    all
}

/// The short form of a path: the routes of runs have two forms.
pub(crate) fn short(path: &str) -> Option<String> {
    path.strip_prefix("/api/automation").map(|rest| format!("/api{rest}"))
}

/// The router with all its layers.
pub(crate) fn router(app: Arc<App>) -> Router {
    let mut router = Router::new();
    let mut table = RouteTable::default();
    for route in all() {
        for path in [Some(route.path.to_owned()), short(route.path)].into_iter().flatten() {
            table.insert(&route, &path);
            router = router.route(&path, route.router.clone());
        }
    }
    let check = AccessCheck::new(app.clone(), table);
    let metrics = app.metrics.clone();
    router
        .fallback(page::serve)
        .layer(middleware::from_fn_with_state(check, access::guard))
        .layer(middleware::from_fn(move |request, next| envelope::wrap(metrics.clone(), request, next)))
        .with_state(app)
}
