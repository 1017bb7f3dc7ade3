//! A site on loopback that a run may use. It serves the pages that a class puts there and records every request with
//! its body.

use std::{
    collections::HashMap,
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{DefaultBodyLimit, State},
    http::{HeaderMap, Method, Uri, header},
    response::{IntoResponse, Response},
};
use parking_lot::{Mutex, RwLock};
use tokio::{net::TcpListener, task::JoinHandle};

/// A running site. It ends when this is dropped.
pub(super) struct Site {
    /// `http://127.0.0.1:PORT`, or another loopback address.
    pub(super) origin: String,
    pub(super) port: u16,
    shared: Arc<Shared>,
    server: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    /// Media type and content by path.
    pages: RwLock<HashMap<String, (&'static str, String)>>,
    requests: Mutex<Vec<SiteRequest>>,
}

/// A request to a site.
#[derive(Clone, Debug)]
pub(super) struct SiteRequest {
    pub(super) method: String,
    /// The path and the query.
    pub(super) target: String,
    pub(super) headers: String,
    pub(super) body: String,
}

impl SiteRequest {
    /// Everything of the request, for a search.
    pub(super) fn text(&self) -> String {
        format!("{} {}\n{}\n{}", self.method, self.target, self.headers, self.body)
    }
}

impl Site {
    pub(super) async fn start() -> io::Result<Site> {
        Site::start_at(Ipv4Addr::LOCALHOST).await
    }

    /// Starts a site at another loopback address: another site for a browser and for the rules of a run.
    pub(super) async fn start_at(address: Ipv4Addr) -> io::Result<Site> {
        let listener = TcpListener::bind((address, 0)).await?;
        let address: SocketAddr = listener.local_addr()?;
        let shared = Arc::new(Shared::default());
        let router = Router::new().fallback(serve).layer(DefaultBodyLimit::max(32 << 20)).with_state(shared.clone());
        let server = tokio::spawn(async move {
            // Returns only when the task is aborted.
            let _ = axum::serve(listener, router).await;
        });
        Ok(Site { origin: format!("http://{address}"), port: address.port(), shared, server })
    }

    /// Serves an HTML page at a path.
    pub(super) fn page(&self, path: &str, html: impl Into<String>) {
        self.put(path, "text/html; charset=utf-8", html);
    }

    /// Serves content at a path.
    pub(super) fn put(&self, path: &str, kind: &'static str, content: impl Into<String>) {
        self.shared.pages.write().insert(path.to_owned(), (kind, content.into()));
    }

    /// All requests so far.
    pub(super) fn requests(&self) -> Vec<SiteRequest> {
        self.shared.requests.lock().clone()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(
    State(shared): State<Arc<Shared>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let request = SiteRequest {
        method: method.to_string(),
        target: uri.to_string(),
        headers: headers
            .iter()
            .map(|(name, value)| format!("{name}: {}\n", String::from_utf8_lossy(value.as_bytes())))
            .collect(),
        body: String::from_utf8_lossy(&body).into_owned(),
    };
    shared.requests.lock().push(request);
    let query = uri.query().unwrap_or_default();
    let parameters: HashMap<String, String> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let parameter = |name: &str| parameters.get(name).map(String::as_str).unwrap_or_default();
    match uri.path() {
        // `/redirect?status=302&to=URL`.
        "/redirect" => {
            let status = parameter("status").parse().unwrap_or(302);
            respond(status, "text/plain", [(header::LOCATION, parameter("to").to_owned())], "")
        }
        // `/file?name=NAME&size=BYTES`: a download with this name.
        "/file" => {
            let disposition = format!("attachment; filename=\"{}\"", parameter("name").replace('"', ""));
            let content = format!("{DOWNLOAD_MARKER} {}", "x".repeat(parameter("size").parse().unwrap_or(0)));
            respond(200, "application/octet-stream", [(header::CONTENT_DISPOSITION, disposition)], content)
        }
        // `/header?name=NAME&value=VALUE&body=HTML`: a page with this header.
        "/header" => {
            let name = header::HeaderName::from_bytes(parameter("name").as_bytes()).unwrap_or(header::WARNING);
            respond(
                200,
                "text/html; charset=utf-8",
                [(name, parameter("value").to_owned())],
                parameter("body").to_owned(),
            )
        }
        path => match shared.pages.read().get(path) {
            Some((kind, content)) => respond(200, kind, [], content.clone()),
            None if method == Method::POST => {
                respond(200, "text/html; charset=utf-8", [], "<!doctype html><title>Received</title><h1>Received</h1>")
            }
            None => respond(
                404,
                "text/html; charset=utf-8",
                [],
                "<!doctype html><title>Not found</title><h1>Not found</h1>",
            ),
        },
    }
}

/// The beginning of every download.
pub(super) const DOWNLOAD_MARKER: &str = "a file of the site:";

fn respond<const N: usize>(
    status: u16,
    kind: &str,
    more: [(header::HeaderName, String); N],
    body: impl Into<Body>,
) -> Response {
    let mut response = Response::builder().status(status).header(header::CONTENT_TYPE, kind);
    for (name, value) in more {
        response = response.header(name, value);
    }
    // A parameter of a request may contain what no header can.
    response
        .body(body.into())
        .unwrap_or_else(|error| (axum::http::StatusCode::BAD_REQUEST, error.to_string()).into_response())
}
