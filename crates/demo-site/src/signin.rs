//! Log-in and log-out. A session is a random cookie. Pages that require one take a `SignedIn`, and redirect to the
//! log-in form without it.

use std::sync::Arc;

use axum::{
    Form, Router,
    extract::{FromRequestParts, Query, State},
    http::{HeaderMap, StatusCode, header, request::Parts},
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use minijinja::context;
use serde::Deserialize;
use uuid::Uuid;

use super::{
    account::{PASSWORD, USER},
    ledger::PostOutcome,
    site::Site,
};

const COOKIE: &str = "harbor_session";

/// Proof that a request belongs to a session.
pub(super) struct SignedIn;

impl FromRequestParts<Arc<Site>> for SignedIn {
    type Rejection = Redirect;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<SignedIn, Redirect> {
        match session_of(&parts.headers) {
            Some(session) if site.books().sessions.contains(&session) => Ok(SignedIn),
            _ => Err(Redirect::to(&format!("/login?to={}", parts.uri.path()))),
        }
    }
}

#[derive(Deserialize)]
struct Onward {
    #[serde(default)]
    to: Option<String>,
}

impl Onward {
    /// Only a path of this site is accepted, because a log-in form that redirects anywhere could be used for phishing.
    fn path(&self) -> &str {
        self.to.as_deref().filter(|to| to.starts_with('/') && !to.starts_with("//")).unwrap_or("/")
    }
}

pub(super) fn routes() -> Router<Arc<Site>> {
    Router::new().route("/login", get(form).post(sign_in)).route("/enter", get(enter)).route("/logout", post(sign_out))
}

async fn form(State(site): State<Arc<Site>>, Query(onward): Query<Onward>) -> Response {
    let values = context! { to => onward.path(), user => "", wrong => false };
    site.templates.page("login.html", "Sign in", &values).into_response()
}

async fn sign_in(State(site): State<Arc<Site>>, Form(fields): Form<Vec<(String, String)>>) -> Response {
    let field = |name: &str| fields.iter().find(|(n, _)| n == name).map_or("", |(_, v)| v.as_str());
    let onward = Onward { to: Some(field("to").to_owned()) };
    if field("username") == USER && field("password") == PASSWORD {
        site.ledger.record("/login", PostOutcome::Accepted, &fields);
        return with_session(&site, onward.path(), "");
    }
    site.ledger.record("/login", PostOutcome::Refused, &fields);
    let values = context! { to => onward.path(), user => field("username"), wrong => true };
    (StatusCode::UNAUTHORIZED, site.templates.page("login.html", "Sign in", &values)).into_response()
}

/// Logs in without the form and answers the cookie question, for tests of single pages.
async fn enter(State(site): State<Arc<Site>>, Query(onward): Query<Onward>) -> Response {
    with_session(&site, onward.path(), "harbor_consent=necessary; Path=/")
}

async fn sign_out(State(site): State<Arc<Site>>, headers: HeaderMap) -> Redirect {
    if let Some(session) = session_of(&headers) {
        site.books().sessions.remove(&session);
    }
    site.ledger.record("/logout", PostOutcome::Accepted, &[]);
    Redirect::to("/login")
}

fn with_session(site: &Site, to: &str, also: &str) -> Response {
    let session = Uuid::now_v7().simple().to_string();
    site.books().sessions.insert(session.clone());
    let mut response = Redirect::to(to).into_response();
    let cookies = [format!("{COOKIE}={session}; Path=/; HttpOnly; SameSite=Lax"), also.to_owned()];
    for cookie in cookies.iter().filter(|c| !c.is_empty()) {
        let value = cookie.parse().expect("a hexadecimal session id makes a valid header");
        response.headers_mut().append(header::SET_COOKIE, value);
    }
    response
}

fn session_of(headers: &HeaderMap) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE).map(|(_, value)| value.to_owned())
}
