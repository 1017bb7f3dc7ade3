//! The server of all cases. Each case has its page, its handler and its record under its own path, so that cases can
//! run concurrently in one browser. In addition there are a closed port and a port that resets connections without a
//! response.

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
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};

use super::case::Handler;

/// The head of every page, with functions for pages of all families.
const HEAD: &str = include_str!("head.html");

/// The response of a handler.
pub(super) struct Answer {
    response: Response,
    /// The delay before it is sent.
    after: Duration,
}

/// A request to a handler.
pub(super) struct Call<'a> {
    /// The path below that of the case, without a leading slash. Empty for the page itself.
    pub(super) path: &'a str,
    /// The fields of the form, or of the query if there is no body.
    pub(super) fields: Vec<(String, String)>,
    /// Whether this is the failing variant.
    pub(super) fails: bool,
    /// The record of the case.
    pub(super) books: &'a mut Books,
    cookie: bool,
}

/// The record of a case.
#[derive(Clone, Debug, Default)]
pub(super) struct Books {
    entries: Vec<(String, Vec<(String, String)>)>,
    /// The last state that the page reported.
    state: BTreeMap<String, String>,
}

/// A case that is being served.
struct Exhibit {
    page: String,
    server: Handler,
    fails: bool,
    books: Books,
}

/// A running server. It ends when the value is dropped.
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

/// A case that is served until the value is dropped.
pub(super) struct Stand {
    /// The address of the page.
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
        // The listener is dropped immediately, so connections to this port are refused.
        let closed = TcpListener::bind(("127.0.0.1", 0)).await?.local_addr()?;
        let (address, hangs_up) = (listener.local_addr()?, hanging.local_addr()?);
        let hall = Arc::new(Hall::default());
        let router =
            Router::new().route("/{case}/", any(front)).route("/{case}/{*path}", any(below)).with_state(hall.clone());
        let pages = tokio::spawn(async move {
            // Returns only when the task is aborted.
            let _ = axum::serve(listener, router).await;
        });
        let refusals = tokio::spawn(async move {
            while let Ok((stream, _)) = hanging.accept().await {
                // Closing a connection with unread data resets it.
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
    /// The record so far.
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
    /// The number of entries with this name.
    pub(super) fn count(&self, what: &str) -> usize {
        self.entries.iter().filter(|(entry, _)| entry == what).count()
    }

    /// A field of the newest entry with this name.
    pub(super) fn last(&self, what: &str, field: &str) -> Option<&str> {
        let (_, fields) = self.entries.iter().rfind(|(entry, _)| entry == what)?;
        fields.iter().find(|(name, _)| name == field).map(|(_, value)| value.as_str())
    }

    /// All values of a field of the newest entry with this name.
    pub(super) fn all(&self, what: &str, field: &str) -> Vec<&str> {
        let newest = self.entries.iter().rfind(|(entry, _)| entry == what);
        let fields = newest.map(|(_, fields)| fields.as_slice()).unwrap_or_default();
        fields.iter().filter(|(name, _)| name == field).map(|(_, value)| value.as_str()).collect()
    }

    /// A value that the page reported last.
    pub(super) fn state(&self, name: &str) -> Option<&str> {
        self.state.get(name).map(String::as_str)
    }

    /// The record as text, for a report.
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

    /// Records that a change took effect, with the fields of the request.
    pub(super) fn note(&mut self, what: &str) {
        self.books.entries.push((what.to_owned(), self.fields.clone()));
    }

    /// Records that the requested change took effect, except in the failing variant.
    pub(super) fn note_unless_failing(&mut self) {
        if !self.fails {
            self.note("done");
        }
    }

    /// Whether the request contains the session cookie of the case.
    pub(super) fn signed_in(&self) -> bool {
        self.cookie
    }
}

impl Answer {
    /// Adds a delay.
    pub(super) fn after(self, milliseconds: u64) -> Answer {
        Answer { after: Duration::from_millis(milliseconds), ..self }
    }

    /// Adds a header.
    pub(super) fn with(mut self, name: header::HeaderName, value: &str) -> Answer {
        self.response.headers_mut().append(name, value.parse().expect("the headers of families are text"));
        self
    }

    /// Adds the session cookie.
    pub(super) fn signing_in(self) -> Answer {
        self.with(header::SET_COOKIE, "session=1")
    }
}

fn answer(status: u16, kind: &str, body: impl Into<Body>) -> Answer {
    let response = Response::builder().status(status).header(header::CONTENT_TYPE, kind).body(body.into());
    Answer { response: response.expect("statuses and types of families are constant"), after: Duration::ZERO }
}

/// An HTML page.
pub(super) fn html(status: u16, body: &str) -> Answer {
    answer(status, "text/html; charset=utf-8", document("Shop", body, false))
}

/// A JSON response.
pub(super) fn json(status: u16, value: Value) -> Answer {
    answer(status, "application/json", value.to_string())
}

/// Answers 200 to every request, and records a `change`, except in the failing variant.
pub(super) fn agrees(call: &mut Call<'_>) -> Answer {
    if call.path == "change" {
        call.note_unless_failing();
    }
    json(200, json!({}))
}

/// A file download.
pub(super) fn file(name: &str, content: &str) -> Answer {
    let named = format!("attachment; filename=\"{name}\"");
    answer(200, "application/octet-stream", content.to_owned()).with(header::CONTENT_DISPOSITION, &named)
}

/// A redirect to a path below that of the case.
pub(super) fn redirect(to: &str) -> Answer {
    answer(303, "text/plain", "").with(header::LOCATION, to)
}

/// A complete HTML page with this body.
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
        // The handler answers requests with a session cookie or a query, because some families then show another page.
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

/// Names and values of a form or query, or of the top level of a JSON body.
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
