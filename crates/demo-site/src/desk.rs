//! The rest of the back office: the dashboard, and pages that each show one common feature of web pages (frames, shadow
//! roots, dialogs, a second tab, late content, drag and drop, an endless list, a sticky header).

use std::{collections::HashMap, sync::Arc, time::Duration};

use axum::{
    Form, Json, Router,
    extract::{Query, State},
    response::{Html, IntoResponse, Redirect, Response},
    routing::{get, post},
};
use minijinja::{Value, context, value::Serde};

use super::{ledger::PostOutcome, products::products, signin::SignedIn, site::Site, token::new_token};

/// The code on the quay master's page, which the pick-up form accepts.
const PICKUP_CODE: &str = "KH-2741";
const COLUMNS: [&str; 3] = ["To do", "Under way", "Done"];
const JOBS: [&str; 4] = ["Splice the mooring lines", "Count the fenders", "Order new charts", "Paint the shop sign"];
const CHAPTERS: [&str; 6] = ["Opening the shop", "Ropes", "Fenders", "Lights", "Complaints", "Closing the shop"];
/// The number of lines in the activity list, and the number that one request returns.
const ACTIVITY: (usize, usize) = (200, 25);

type Fields = Form<Vec<(String, String)>>;

pub(super) fn routes() -> Router<Arc<Site>> {
    let plain = |name: &'static str, title: &'static str| {
        get(async move |_: SignedIn, State(site): State<Arc<Site>>| site.templates.page(name, title, &context! {}))
    };
    Router::new()
        .route("/", get(dashboard))
        .route("/settings", get(settings))
        .route("/settings/company", get(company).post(save_company))
        .route("/partners", plain("partners.html", "Partners"))
        .route("/till", plain("till.html", "Till"))
        .route("/activity", plain("activity.html", "Activity"))
        .route("/late", plain("late.html", "Weather"))
        .route("/handbook", get(handbook))
        .route("/pickup", get(pickup).post(release))
        .route("/pickup/code", get(pickup_code))
        .route("/notes", get(notes).post(save_notes))
        .route("/board", get(board).post(move_job))
        .route("/api/activity", get(activity))
        .route("/api/forecast", get(forecast))
        .route("/api/ping", post(async || "pong"))
}

async fn dashboard(_: SignedIn, State(site): State<Arc<Site>>) -> Html<String> {
    let orders = site.books().orders.len();
    let stocked = products().iter().filter(|p| p.stock > 0).count();
    site.templates.page("dashboard.html", "Dashboard", &context! { orders, products => stocked })
}

async fn settings(_: SignedIn, State(site): State<Arc<Site>>) -> Html<String> {
    site.templates.page("settings.html", "Settings", &context! { carrier => site.carrier.clone() })
}

async fn company(
    _: SignedIn,
    State(site): State<Arc<Site>>,
    Query(query): Query<HashMap<String, String>>,
) -> Html<String> {
    let company = site.books().company.clone();
    let saved = query.contains_key("saved");
    site.templates
        .fragment("settings_frame.html", &context! { company => Serde(company), saved, form_token => new_token() })
}

async fn save_company(_: SignedIn, State(site): State<Arc<Site>>, Form(fields): Fields) -> Redirect {
    site.ledger.record("/settings/company", PostOutcome::Accepted, &fields);
    let mut books = site.books();
    books.company.name = field(&fields, "name").to_owned();
    books.company.time_zone = field(&fields, "time_zone").to_owned();
    books.company.newsletter = field(&fields, "newsletter") == "yes";
    Redirect::to("/settings/company?saved=1")
}

async fn handbook(_: SignedIn, State(site): State<Arc<Site>>) -> Html<String> {
    site.templates.page("handbook.html", "Handbook", &context! { chapters => CHAPTERS.to_vec() })
}

async fn pickup(_: SignedIn, State(site): State<Arc<Site>>) -> Html<String> {
    pickup_form(&site, "")
}

async fn release(_: SignedIn, State(site): State<Arc<Site>>, Form(fields): Fields) -> Html<String> {
    let right = field(&fields, "code").trim() == PICKUP_CODE;
    site.ledger.record("/pickup", if right { PostOutcome::Accepted } else { PostOutcome::Refused }, &fields);
    pickup_form(&site, if right { "right" } else { "wrong" })
}

fn pickup_form(site: &Site, verdict: &str) -> Html<String> {
    site.templates.page("pickup.html", "Pick-up", &context! { verdict, form_token => new_token() })
}

async fn pickup_code(_: SignedIn, State(site): State<Arc<Site>>) -> Html<String> {
    site.templates.page("pickup_code.html", "Quay master", &context! { code => PICKUP_CODE })
}

async fn notes(_: SignedIn, State(site): State<Arc<Site>>) -> Html<String> {
    let notes = site.books().notes.clone();
    site.templates.page("notes.html", "Notes", &context! { notes })
}

async fn save_notes(_: SignedIn, State(site): State<Arc<Site>>, Form(fields): Fields) -> Response {
    site.ledger.record("/notes", PostOutcome::Accepted, &fields);
    field(&fields, "text").clone_into(&mut site.books().notes);
    "saved".into_response()
}

async fn board(_: SignedIn, State(site): State<Arc<Site>>) -> Html<String> {
    let placed = site.books().board.clone();
    let column_of = |job: &str| placed.get(job).map_or(COLUMNS[0], String::as_str).to_owned();
    let column = |name: &str| {
        let jobs: Vec<_> = JOBS.into_iter().filter(|job| column_of(job) == name).collect();
        context! { name, jobs }
    };
    let columns: Vec<Value> = COLUMNS.into_iter().map(column).collect();
    site.templates.page("board.html", "Board", &context! { columns })
}

async fn move_job(_: SignedIn, State(site): State<Arc<Site>>, Form(fields): Fields) -> Response {
    site.ledger.record("/board", PostOutcome::Accepted, &fields);
    let (job, column) = (field(&fields, "job").to_owned(), field(&fields, "column").to_owned());
    site.books().board.insert(job, column);
    "moved".into_response()
}

async fn activity(Query(query): Query<HashMap<String, usize>>) -> Json<Vec<String>> {
    let from = query.get("from").copied().unwrap_or(0);
    let (all, at_once) = ACTIVITY;
    let until = all.min(from.saturating_add(at_once));
    Json(
        (from..until)
            .map(|n| format!("{:02}:{:02} Till 1 sold article {}", 17 - n / 12 % 9, 59 - n % 60, 4001 + n * 7 % 44))
            .collect(),
    )
}

async fn forecast(Query(query): Query<HashMap<String, u64>>) -> &'static str {
    let delay = query.get("ms").copied().unwrap_or(0).min(60_000);
    tokio::time::sleep(Duration::from_millis(delay)).await;
    "Rain from the west by six"
}

fn field<'a>(fields: &'a [(String, String)], name: &str) -> &'a str {
    fields.iter().find(|(n, _)| n == name).map_or("", |(_, value)| value)
}
