//! The server of all cases: each has its page, its handler and its record under a path of its own, so that cases run side by
//! side in one browser. Beside it stand a port that is closed and one that hangs up without an answer.

use std::{
    collections::{BTreeMap, HashMap},
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Path, RawQuery, State},
    http::{HeaderMap, Method, StatusCode, header},
    response::{IntoResponse, Response},
    routing::any,
};
use parking_lot::{Mutex, MutexGuard};
use serde_json::Value;
use tokio::{net::TcpListener, task::JoinHandle};

use super::case::Handler;

/// The head of every page: what pages of all families use.
const HEAD: &str = include_str!("head.html");

/// What a handler answers.
pub(super) struct Answer {
    response: Response,
    /// Given only after this time.
    after: Duration,
}

/// A request to a handler.
pub(super) struct Call<'a> {
    /// The path below the case's own, without a slash at the beginning; empty for the page itself.
    pub(super) path: &'a str,
    /// Fields of a form, or of the query where there is no body.
    pub(super) fields: Vec<(String, String)>,
    /// Whether it is the failing variant.
    pub(super) fails: bool,
    /// The case's record.
    pub(super) books: &'a mut Books,
    cookie: bool,
}

/// What arrived in one case.
#[derive(Clone, Debug, Default)]
pub(super) struct Books {
    entries: Vec<(String, Vec<(String, String)>)>,
    /// What the page last told of itself.
    state: BTreeMap<String, String>,
}

/// One case as it is served.
struct Exhibit {
    page: String,
    server: Handler,
    fails: bool,
    books: Books,
}

/// A running server. It ends when this is dropped.
pub(super) struct Site {
    address: SocketAddr,
    hangs_up: SocketAddr,
    closed: SocketAddr,
    hall: Arc<Hall>,
    servers: [JoinHandle<()>; 2],
}

#[derive(Default)]
struct Hall {
    cases: Mutex<HashMap<u64, Exhibit>>,
    next: AtomicU64,
}

/// A case that is served until this is dropped.
pub(super) struct Stand {
    /// The address of its page.
    pub(super) url: String,
    id: u64,
    hall: Arc<Hall>,
}

impl Hall {
    fn cases(&self) -> MutexGuard<'_, HashMap<u64, Exhibit>> {
        self.cases.lock()
    }
}

impl Site {
    pub(super) async fn start() -> io::Result<Site> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let hanging = TcpListener::bind(("127.0.0.1", 0)).await?;
        // Bound and dropped: nobody listens there.
        let closed = TcpListener::bind(("127.0.0.1", 0)).await?.local_addr()?;
        let (address, hangs_up) = (listener.local_addr()?, hanging.local_addr()?);
        let hall = Arc::new(Hall::default());
        let router =
            Router::new().route("/{case}/", any(front)).route("/{case}/{*path}", any(below)).with_state(hall.clone());
        let pages = tokio::spawn(async move {
            // Ends only when it is aborted.
            let _ = axum::serve(listener, router).await;
        });
        let refusals = tokio::spawn(async move {
            while let Ok((stream, _)) = hanging.accept().await {
                // Something is waiting to be read, so that closing resets the connection.
                let _ = stream.readable().await;
                drop(stream);
            }
        });
        Ok(Site { address, hangs_up, closed, hall, servers: [pages, refusals] })
    }

    /// Serves a page until the stand is dropped.
    pub(super) fn stand(&self, title: &str, body: &str, server: Handler, fails: bool) -> Stand {
        let id = self.hall.next.fetch_add(1, Ordering::Relaxed);
        let page = document(title, body, fails)
            .replace("%ELSEWHERE%", &format!("http://localhost:{}", self.closed.port()))
            .replace("%CLOSED%", &format!("http://{}", self.closed))
            .replace("%HANGS-UP%", &format!("http://{}", self.hangs_up));
        self.hall.cases().insert(id, Exhibit { page, server, fails, books: Books::default() });
        Stand { url: format!("http://{}/{id}/", self.address), id, hall: self.hall.clone() }
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.servers.iter().for_each(JoinHandle::abort);
    }
}

impl Stand {
    /// What has arrived so far.
    pub(super) fn books(&self) -> Books {
        self.hall.cases().get(&self.id).map(|exhibit| exhibit.books.clone()).unwrap_or_default()
    }
}

impl Drop for Stand {
    fn drop(&mut self) {
        self.hall.cases().remove(&self.id);
    }
}

impl Books {
    /// How often this was noted.
    pub(super) fn count(&self, what: &str) -> usize {
        self.entries.iter().filter(|(entry, _)| entry == what).count()
    }

    /// A field of the newest entry of this name.
    pub(super) fn last(&self, what: &str, field: &str) -> Option<&str> {
        let (_, fields) = self.entries.iter().rfind(|(entry, _)| entry == what)?;
        fields.iter().find(|(name, _)| name == field).map(|(_, value)| value.as_str())
    }

    /// All values of a field of the newest entry of this name.
    pub(super) fn all(&self, what: &str, field: &str) -> Vec<&str> {
        let newest = self.entries.iter().rfind(|(entry, _)| entry == what);
        let fields = newest.map(|(_, fields)| fields.as_slice()).unwrap_or_default();
        fields.iter().filter(|(name, _)| name == field).map(|(_, value)| value.as_str()).collect()
    }

    /// What the page last told of itself.
    pub(super) fn state(&self, name: &str) -> Option<&str> {
        self.state.get(name).map(String::as_str)
    }

    /// In words, for a report.
    pub(super) fn shown(&self) -> String {
        let entries = self.entries.iter().map(|(entry, fields)| {
            let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={value:?}")).collect();
            format!("{entry}({})", fields.join(", "))
        });
        let state = self.state.iter().map(|(name, value)| format!("page: {name}={value:?}"));
        entries.chain(state).collect::<Vec<_>>().join("; ")
    }
}

impl Call<'_> {
    /// A field of the request.
    pub(super) fn field(&self, name: &str) -> &str {
        self.fields.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value)
    }

    /// Notes that something took effect, with the request's fields.
    pub(super) fn note(&mut self, what: &str) {
        self.books.entries.push((what.to_owned(), self.fields.clone()));
    }

    /// Whether the browser has the case's cookie.
    pub(super) fn signed_in(&self) -> bool {
        self.cookie
    }
}

impl Answer {
    /// The same, later.
    pub(super) fn after(self, milliseconds: u64) -> Answer {
        Answer { after: Duration::from_millis(milliseconds), ..self }
    }

    /// The same with another header.
    pub(super) fn with(mut self, name: header::HeaderName, value: &str) -> Answer {
        self.response.headers_mut().append(name, value.parse().expect("the headers of families are text"));
        self
    }

    /// The same, signed in.
    pub(super) fn signing_in(self) -> Answer {
        self.with(header::SET_COOKIE, "session=1")
    }
}

fn answer(status: u16, kind: &str, body: impl Into<Body>) -> Answer {
    let response = Response::builder().status(status).header(header::CONTENT_TYPE, kind).body(body.into());
    Answer { response: response.expect("statuses and types of families are constant"), after: Duration::ZERO }
}

/// A page.
pub(super) fn html(status: u16, body: &str) -> Answer {
    answer(status, "text/html; charset=utf-8", document("Shop", body, false))
}

/// A JSON value.
pub(super) fn json(status: u16, value: Value) -> Answer {
    answer(status, "application/json", value.to_string())
}

/// A file to be downloaded.
pub(super) fn file(name: &str, content: &str) -> Answer {
    let named = format!("attachment; filename=\"{name}\"");
    answer(200, "application/octet-stream", content.to_owned()).with(header::CONTENT_DISPOSITION, &named)
}

/// Elsewhere, below the case's own path.
pub(super) fn redirect(to: &str) -> Answer {
    answer(303, "text/plain", "").with(header::LOCATION, to)
}

/// A whole page of a body.
fn document(title: &str, body: &str, fails: bool) -> String {
    let head = HEAD.replace("%FAILS%", if fails { "true" } else { "false" });
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><title>{title}</title>\n{head}</head>\n<body>\n{body}\n</body></html>"
    )
}

async fn front(hall: State<Arc<Hall>>, Path(case): Path<u64>, request: Request) -> Response {
    serve(&hall, case, "", request).await
}

async fn below(hall: State<Arc<Hall>>, Path((case, path)): Path<(u64, String)>, request: Request) -> Response {
    serve(&hall, case, &path, request).await
}

type Request = (Method, RawQuery, HeaderMap, Bytes);

async fn serve(hall: &Hall, case: u64, path: &str, (method, RawQuery(query), headers, body): Request) -> Response {
    let text = if body.is_empty() { query.unwrap_or_default().into_bytes() } else { body.to_vec() };
    let fields: Vec<(String, String)> = fields(&headers, &text);
    let answer = {
        let mut cases = hall.cases();
        let Some(exhibit) = cases.get_mut(&case) else { return StatusCode::GONE.into_response() };
        let cookie = headers.get(header::COOKIE).is_some_and(|value| value.as_bytes().starts_with(b"session="));
        if path == "~state" {
            exhibit.books.state.extend(fields);
            return StatusCode::NO_CONTENT.into_response();
        }
        let mut call = Call { path, fields, fails: exhibit.fails, books: &mut exhibit.books, cookie };
        // Some handlers answer differently under the page's own path, signed in or sent back with an error.
        if path.is_empty() && method == Method::GET && call.fields.is_empty() && !cookie {
            return answer(200, "text/html; charset=utf-8", exhibit.page.clone()).response;
        }
        (exhibit.server)(&mut call)
    };
    if !answer.after.is_zero() {
        tokio::time::sleep(answer.after).await;
    }
    answer.response
}

/// Names and values of a form or query; of a JSON body its top level.
fn fields(headers: &HeaderMap, text: &[u8]) -> Vec<(String, String)> {
    let is_json =
        headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if !is_json {
        return url::form_urlencoded::parse(text).into_owned().collect();
    }
    let value: Value = serde_json::from_slice(text).unwrap_or_default();
    let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    value.as_object().into_iter().flatten().map(|(name, value)| (name.clone(), word(value))).collect()
}
