//! A small loopback server, one browser for all tests, and helpers that most tests use.

use std::{
    collections::HashMap,
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex, OnceLock},
    time::Duration,
};

use legwork_browser::{Browser, Capability, Engine, LaunchOptions, Session, SessionOptions, Support};
use legwork_observe::Snapshot;
use legwork_protocol::*;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpListener,
    runtime::Runtime,
};
use tokio_util::sync::CancellationToken;

/// The response for a path: status, headers, body, and delay.
#[derive(Clone, Default)]
pub(crate) struct Page {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) delay: Duration,
}

type Pages = Arc<Mutex<HashMap<String, Page>>>;

/// Pages served on a loopback port. Under the host name `localhost`, the same pages are another site.
pub(crate) struct Site {
    pub(crate) port: u16,
    pages: Pages,
    pub(crate) posts: Arc<Mutex<Vec<String>>>,
    /// The head of each request received.
    pub(crate) heads: Arc<Mutex<Vec<String>>>,
}

impl Site {
    pub(crate) async fn start() -> Site {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let site = Site { port, pages: Pages::default(), posts: Arc::default(), heads: Arc::default() };
        let (pages, posts, heads) = (site.pages.clone(), site.posts.clone(), site.heads.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (pages, posts, heads) = (pages.clone(), posts.clone(), heads.clone());
                tokio::spawn(async move {
                    let mut stream = BufReader::new(stream);
                    let mut line = String::new();
                    stream.read_line(&mut line).await.unwrap_or_default();
                    let mut length = 0;
                    let mut head = line.clone();
                    loop {
                        let mut header = String::new();
                        if stream.read_line(&mut header).await.unwrap_or_default() <= 2 {
                            break;
                        }
                        head.push_str(&header);
                        if let Some(value) = header.to_ascii_lowercase().strip_prefix("content-length:") {
                            length = value.trim().parse().unwrap_or(0);
                        }
                    }
                    heads.lock().unwrap().push(head);
                    let mut body = vec![0; length];
                    let _ = stream.read_exact(&mut body).await;
                    if line.starts_with("POST") {
                        posts.lock().unwrap().push(String::from_utf8_lossy(&body).into_owned());
                    }
                    let path = line.split(' ').nth(1).unwrap_or("/").split('?').next().unwrap_or("/").to_owned();
                    let page = pages.lock().unwrap().get(&path).cloned();
                    let page = page.unwrap_or(Page { status: 404, body: b"not here".to_vec(), ..Page::default() });
                    tokio::time::sleep(page.delay).await;
                    let status = if page.status == 0 { 200 } else { page.status };
                    let mut head = format!("HTTP/1.1 {status} X\r\nConnection: close\r\n");
                    let has = |header: &str| page.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case(header));
                    if !has("content-length") {
                        head.push_str(&format!("Content-Length: {}\r\n", page.body.len()));
                    }
                    if !has("content-type") {
                        head.push_str("Content-Type: text/html; charset=utf-8\r\n");
                    }
                    for (name, value) in &page.headers {
                        head.push_str(&format!("{name}: {value}\r\n"));
                    }
                    head.push_str("\r\n");
                    let _ = stream.write_all(head.as_bytes()).await;
                    let _ = stream.write_all(&page.body).await;
                    let _ = stream.shutdown().await;
                });
            }
        });
        site
    }

    pub(crate) fn page(&self, path: &str, html: &str) -> &Site {
        self.put(path, Page { body: html.as_bytes().to_vec(), ..Page::default() })
    }

    pub(crate) fn put(&self, path: &str, page: Page) -> &Site {
        self.pages.lock().unwrap().insert(path.to_owned(), page);
        self
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The same page on another site.
    pub(crate) fn elsewhere(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.port)
    }
}

fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap())
}

/// Runs a test on the runtime of the shared browser.
pub(crate) fn run<F: Future>(test: F) -> F::Output {
    runtime().block_on(async {
        match tokio::time::timeout(Duration::from_secs(120), test).await {
            Ok(done) => done,
            Err(_) => panic!("the test hangs"),
        }
    })
}

/// The engine that the suite runs on: Chromium, or that of `LEGWORK_TEST_ENGINE`.
pub(crate) fn engine() -> Engine {
    let Ok(word) = std::env::var("LEGWORK_TEST_ENGINE") else { return Engine::Chromium };
    Engine::ALL.into_iter().find(|engine| engine.word() == word).expect("LEGWORK_TEST_ENGINE names an engine")
}

/// Whether the engine supports something fully. A test of what it supports in another way, or not at all, tests that
/// instead, or ends early.
pub(crate) fn supports(capability: Capability) -> bool {
    engine().capabilities().support(capability) == Support::Full
}

/// The status of a document in the report of an action; `None` where the engine does not state it.
pub(crate) fn document_status(status: u16) -> Option<u16> {
    supports(Capability::DocumentStatus).then_some(status)
}

pub(crate) fn launch_options() -> LaunchOptions {
    LaunchOptions { engine: engine(), ..LaunchOptions::default() }
}

/// One browser for all tests. It ends with the process.
pub(crate) async fn browser() -> &'static Browser {
    static BROWSER: tokio::sync::OnceCell<Browser> = tokio::sync::OnceCell::const_new();
    BROWSER.get_or_init(|| async { Browser::launch(launch_options()).await.unwrap() }).await
}

/// A session on its own page.
pub(crate) struct Visit {
    pub(crate) site: Site,
    pub(crate) session: Session,
    pub(crate) folder: tempfile::TempDir,
}

pub(crate) async fn visit(html: &str) -> Visit {
    visit_with(html, |_| {}).await
}

pub(crate) async fn visit_with(html: &str, change: impl FnOnce(&mut SessionOptions)) -> Visit {
    let site = Site::start().await;
    site.page("/", html);
    let folder = tempfile::tempdir().unwrap();
    let mut options = SessionOptions::new(folder.path().join("downloads"));
    options.timeouts.action = Duration::from_millis(1500);
    change(&mut options);
    let session = browser().await.session(options).await.unwrap();
    let visit = Visit { site, session, folder };
    let opened = visit.open("/").await;
    assert!(opened.ok(), "{opened:?}");
    visit
}

impl Visit {
    pub(crate) async fn act(&self, action: Action) -> ActionResult {
        self.session.act(&action, &CancellationToken::new()).await
    }

    pub(crate) async fn open(&self, path: &str) -> ActionResult {
        self.act(open(&self.site.url(path))).await
    }

    /// Carries out an action that must succeed.
    pub(crate) async fn does(&self, action: Action) -> ActionResult {
        let result = self.act(action.clone()).await;
        assert!(result.ok(), "{action:?}: {}", result.failure.unwrap());
        result
    }

    /// Carries out an action that must fail.
    pub(crate) async fn fails(&self, action: Action) -> ActionFailure {
        let result = self.act(action.clone()).await;
        result.failure.unwrap_or_else(|| panic!("{action:?} worked"))
    }

    pub(crate) async fn see(&self) -> Arc<Snapshot> {
        self.session.observe(None).await.unwrap()
    }

    /// The text of the page in one line.
    pub(crate) async fn text(&self) -> String {
        self.see().await.text_of(0)
    }

    /// The ref of the element with this role and name.
    pub(crate) async fn find(&self, role: &str, name: &str) -> Target {
        let page = self.see().await;
        let node = page.nodes.iter().find(|node| &*node.role == role && &*node.name == name);
        match node.and_then(|node| node.reference) {
            Some(reference) => reference.into(),
            None => {
                panic!("no {role} {name:?} in {:#?}", page.nodes.iter().map(|n| (&n.role, &n.name)).collect::<Vec<_>>())
            }
        }
    }

    /// The text of the element that a selector matches.
    pub(crate) async fn read(&self, selector: &str) -> String {
        let read = Read { target: Some(Target(selector.into())), ..Read::default() };
        match self.does(Action::Read(read)).await.value.unwrap() {
            serde_json::Value::String(text) => text,
            other => panic!("{other}"),
        }
    }
}

pub(crate) fn open(url: &str) -> Action {
    Action::Open(Open { url: url.into() })
}
pub(crate) fn on(target: impl Into<Target>) -> TargetParams {
    TargetParams { target: target.into() }
}
pub(crate) fn at(target: &str) -> Target {
    Target(target.into())
}
pub(crate) fn click(target: impl Into<Target>) -> Action {
    Action::Click(Click { target: target.into(), button: Button::Left, count: 1, modifiers: vec![] })
}
pub(crate) fn fill(target: impl Into<Target>, text: &str) -> Action {
    Action::Fill(Fill { target: target.into(), text: text.into(), submit: false })
}
