//! A proxy in front of an application that inserts the script of a mutation into its pages, and records what the script
//! reports. The address stays the same for all mutations, because a playbook belongs to a site.

use std::{collections::BTreeSet, io, net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, HeaderName, Method, StatusCode, Uri, header},
    response::{Html, IntoResponse, Response},
};
use parking_lot::Mutex;
use serde::Deserialize;
use tokio::{net::TcpListener, sync::watch, task::JoinHandle};

/// Headers that concern one connection, or that the inserted script makes untrue.
const DROPPED: [HeaderName; 5] = [
    header::CONTENT_LENGTH,
    header::TRANSFER_ENCODING,
    header::CONNECTION,
    header::CONTENT_SECURITY_POLICY,
    header::ACCEPT_ENCODING,
];

/// Where the pages come from.
#[derive(Clone, Debug)]
pub(super) enum Upstream {
    /// Every path is this page.
    Page(&'static str),
    /// A server at this address, without a slash at the end.
    Server(String),
}

/// What received input on the pages.
#[derive(Clone, Debug, Default)]
pub(super) struct Touched {
    /// The numbers of the scenario's targets.
    pub(super) targets: BTreeSet<usize>,
    /// Other elements.
    pub(super) wrong: Vec<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Report {
    Target { target: usize },
    Wrong { wrong: String },
}

struct Shared {
    client: reqwest::Client,
    upstream: Mutex<Upstream>,
    script: Mutex<String>,
    touched: watch::Sender<Touched>,
}

/// A running proxy. It ends when the value is dropped.
pub(super) struct Proxy {
    address: SocketAddr,
    shared: Arc<Shared>,
    server: JoinHandle<()>,
}

impl Proxy {
    pub(super) async fn start(upstream: Upstream) -> io::Result<Proxy> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let client = legwork_testing::http().redirect(reqwest::redirect::Policy::none()).build();
        let shared = Arc::new(Shared {
            client: client.map_err(io::Error::other)?,
            upstream: Mutex::new(upstream),
            script: Mutex::default(),
            touched: watch::Sender::default(),
        });
        let router = Router::new().fallback(serve).with_state(shared.clone());
        let server = tokio::spawn(async move {
            // Returns only when the task is aborted.
            let _ = axum::serve(listener, router).await;
        });
        Ok(Proxy { address, shared, server })
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Inserts this script from now on, in pages from this upstream.
    pub(super) fn set(&self, upstream: Upstream, script: String) {
        *self.shared.upstream.lock() = upstream;
        *self.shared.script.lock() = script;
        self.shared.touched.send_replace(Touched::default());
    }

    /// What received input so far. Waits until as many targets did as were necessarily used, up to the limit.
    pub(super) async fn touched(&self, targets: usize, limit: Duration) -> Touched {
        let mut reports = self.shared.touched.subscribe();
        // What is missing when the limit is reached is part of the result.
        let _ = tokio::time::timeout(limit, reports.wait_for(|touched| touched.targets.len() >= targets)).await;
        reports.borrow().clone()
    }
}

impl Drop for Proxy {
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
    if uri.path() == "/__mutation" {
        match serde_json::from_slice(&body) {
            Ok(Report::Target { target }) => {
                shared.touched.send_modify(|touched| {
                    touched.targets.insert(target);
                });
            }
            Ok(Report::Wrong { wrong }) => shared.touched.send_modify(|touched| touched.wrong.push(wrong)),
            Err(error) => return (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
        }
        return StatusCode::NO_CONTENT.into_response();
    }
    let upstream = shared.upstream.lock().clone();
    let base = match upstream {
        Upstream::Page(_) if uri.path() != "/" => return StatusCode::NOT_FOUND.into_response(),
        Upstream::Page(page) => return Html(shared.with_script(page)).into_response(),
        Upstream::Server(base) => base,
    };
    shared.forward(&base, method, &uri, headers, body).await.unwrap_or_else(|error| {
        (StatusCode::BAD_GATEWAY, format!("the application does not answer: {error}")).into_response()
    })
}

impl Shared {
    async fn forward(
        &self,
        base: &str,
        method: Method,
        uri: &Uri,
        mut headers: HeaderMap,
        body: Bytes,
    ) -> reqwest::Result<Response> {
        DROPPED.iter().for_each(|name| drop(headers.remove(name)));
        let url = format!("{base}{}", uri.path_and_query().map_or("/", |path| path.as_str()));
        let answer = self.client.request(method, url).headers(headers).body(body).send().await?;
        let (status, mut headers) = (answer.status(), answer.headers().clone());
        DROPPED.iter().for_each(|name| drop(headers.remove(name)));
        let is_page = headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
        let content = answer.bytes().await?;
        let content = match std::str::from_utf8(&content) {
            Ok(page) if is_page => Body::from(self.with_script(page)),
            _ => Body::from(content),
        };
        let mut response = Response::new(content);
        (*response.status_mut(), *response.headers_mut()) = (status, headers);
        Ok(response)
    }

    /// The page with the script before all others.
    fn with_script(&self, page: &str) -> String {
        let script = format!("<script>{}</script>", self.script.lock());
        match page.to_ascii_lowercase().find("<head").and_then(|at| Some(at + page[at..].find('>')? + 1)) {
            Some(at) => format!("{}{script}{}", &page[..at], &page[at..]),
            None => script + page,
        }
    }
}
