//! A small page server, a browser for each test, and short constructors for commands.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    path::Path,
    sync::Arc,
};

use legwork::{
    Runtime,
    settings::{Settings, Sources},
};
use legwork_protocol::{Action, Target};
use legwork_verbs::{
    CommandRequest, PageCommand, PageOptions, PageReply, SessionLease, SessionPool, SessionPoolError, execute,
};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// A page under test, in its own browser.
pub(crate) struct Hand {
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) pool: SessionPool,
    pub(crate) page: SessionLease,
    pub(crate) site: String,
    pub(crate) folder: TempDir,
}

/// Serves pages by their paths. Any other path is answered with 404.
fn serve(pages: &[(&'static str, &'static str)]) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let site = format!("http://{}", listener.local_addr().unwrap());
    let pages: BTreeMap<_, _> = pages.iter().copied().collect();
    // The thread ends with the process of the test.
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream);
            let mut first = String::new();
            let mut line = String::new();
            let _ = reader.read_line(&mut first);
            while reader.read_line(&mut line).is_ok_and(|length| length > 2) {
                line.clear();
            }
            let page = first.split(' ').nth(1).and_then(|path| pages.get(path.split('?').next()?));
            let (status, body) = page.map_or((404, "not here"), |html| (200, *html));
            let head = "Content-Type: text/html; charset=utf-8\r\nConnection: close";
            let answer = format!("HTTP/1.1 {status} X\r\n{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
            let _ = reader.get_mut().write_all(answer.as_bytes());
        }
    });
    site
}

impl Hand {
    /// Starts a browser and opens the first of these pages.
    pub(crate) async fn on(pages: &[(&'static str, &'static str)]) -> Hand {
        let folder = tempfile::tempdir().unwrap();
        let env = [("HOME", folder.path().to_str().unwrap()), ("LEGWORK_SCREENSHOTS_ENABLED", "false")];
        let env = env.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let settings = Settings::load(&Sources { env, ..Sources::default() }).unwrap();
        let runtime = Arc::new(Runtime::open(settings).await.unwrap());
        let pool = SessionPool::new(4);
        let terms = PageOptions { uploads: vec![folder.path().to_owned()], ..PageOptions::default() };
        let page = pool.open("a", &runtime, &terms).await.unwrap();
        let test_page = Hand { runtime, pool, page, site: serve(pages), folder };
        let opened = test_page.act(json!({"action": "open", "parameters": {"url": test_page.url(pages[0].0)}})).await;
        assert!(!opened.failed(), "{}", opened.text);
        test_page
    }

    /// Closes the page and its browser.
    pub(crate) async fn close(self) {
        drop(self.page);
        self.pool.close_all().await;
        self.runtime.close().await;
    }

    /// Opens a session in the same browser.
    pub(crate) async fn open(&self, name: &str, options: &PageOptions) -> Result<SessionLease, SessionPoolError> {
        self.pool.open(name, &self.runtime, options).await
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.site)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) async fn ask(&self, verb: PageCommand) -> PageReply {
        self.within(verb, None).await
    }

    pub(crate) async fn within(&self, verb: PageCommand, max_tokens: Option<usize>) -> PageReply {
        execute(&self.page, CommandRequest { verb, max_tokens }, &CancellationToken::new()).await
    }

    pub(crate) async fn act(&self, action: Value) -> PageReply {
        self.ask(acts(action)).await
    }

    pub(crate) async fn evaluate(&self, script: &str) -> PageReply {
        self.ask(PageCommand::Evaluate { script: script.to_owned(), target: None }).await
    }
}

/// A command with one action.
pub(crate) fn acts(action: Value) -> PageCommand {
    PageCommand::Act { actions: vec![serde_json::from_value::<Action>(action).unwrap()] }
}

pub(crate) fn click(target: &str) -> Value {
    json!({"action": "click", "parameters": {"target": target}})
}

pub(crate) fn fill(target: &str, text: &str) -> Value {
    json!({"action": "fill", "parameters": {"target": target, "text": text}})
}

pub(crate) fn target(text: &str) -> Target {
    Target(text.to_owned())
}
