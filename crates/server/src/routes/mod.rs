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
    requested_fields::{self, ReadByRoute},
};

/// The groups of routes in the documentation.
pub(crate) const TAGS: [(&str, &str); 16] = [
    ("Runs", "Start, list, read, repeat, export and delete runs."),
    ("Steering", "Pause, resume, cancel and answer a run, and operate its browser."),
    ("Streams", "Follow runs while they work."),
    ("Artifacts", "Pictures, texts and files of runs."),
    ("Batches", "One run for each row of a file."),
    ("Workflows", "Saved workflows and their versions."),
    ("Schedules", "Runs at set times, and messages about them."),
    ("Secrets", "The stored secrets, without their values."),
    ("Lessons", "What runs learned about sites."),
    ("Statistics", "Figures of the runs."),
    ("Settings", "The settings of the server."),
    ("Setup", "What has to be there before runs can start."),
    ("Health", "The state of the server and of its data."),
    ("Sign-in", "The caller, and the way for a page to obtain its cookie."),
    ("Side panel", "The pairing with the extension, and the tabs of the user's own browser."),
    ("Description", "The description of all routes."),
];

/// All routes.
pub(crate) fn all() -> Vec<Route> {
    let mut all = Vec::new();
    let mut add = |tag: &'static str, routes: Vec<Route>| {
        all.extend(routes.into_iter().map(|route| Route { tag, ..route }));
    };
    add("Sign-in", vec![session::open(), session::me(), session::link()]);
    add("Description", vec![session::openapi()]);
    add("Runs", runs::routes());
    add("Runs", validate::routes());
    add("Runs", export::routes());
    add("Side panel", extension::routes());
    add("Steering", steer::routes());
    add("Streams", streams::routes());
    add("Artifacts", artifacts::routes());
    add("Runs", elements::routes());
    add("Health", health::routes());
    add("Statistics", dashboard::routes());
    add("Lessons", memory::routes());
    add("Secrets", secrets::routes());
    add("Settings", settings::routes());
    add("Setup", setup::routes());
    add("Workflows", workflows::routes());
    add("Schedules", schedules::routes());
    add("Batches", batches::routes());
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
            let check = middleware::from_fn_with_state(ReadByRoute::new(app.clone(), &route), requested_fields::check);
            router = router.route(&path, route.router.clone().route_layer(check));
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
