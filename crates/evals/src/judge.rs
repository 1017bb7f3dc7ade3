//! The judge's server: serves a suite's pages on loopback, each with a script of ours at its end, and keeps what that
//! script tells of an episode. So the agent drives an ordinary page with an ordinary executor, and no part of it knows
//! that it is being judged.
//!
//! An episode is one load of a page by one run, named in the query: `?episode=7&seed=3`.

use std::{
    collections::HashMap,
    io,
    net::SocketAddr,
    path::{Component, Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use axum::{
    Json, Router,
    extract::{Path as UrlPath, RawQuery, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use parking_lot::{Mutex, MutexGuard};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::{net::TcpListener, task::JoinHandle};

/// Where an address names its episode.
const EPISODE: &str = "episode=";

/// A folder of pages, and the script that the page of an episode gets.
#[derive(Clone, Debug)]
pub struct Root {
    /// The first part of its paths.
    pub name: &'static str,
    /// Where its files are.
    pub folder: PathBuf,
    /// Runs at the end of each page, after the page's own scripts.
    pub script: &'static str,
}

/// What the script of an episode's page has told.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Told {
    /// What the page asks for: its task is ready.
    pub utterance: Option<String>,
    /// How the task was rewarded, the first time that it was.
    pub reward: Option<f64>,
    /// What the page shows, the last time that it changed.
    pub state: Option<Value>,
}

/// A running server. It ends when this is dropped.
pub struct JudgeServer {
    address: SocketAddr,
    bench: Arc<Bench>,
    server: JoinHandle<()>,
}

/// What the handlers share.
struct Bench {
    root: Root,
    episodes: Mutex<HashMap<u64, Told>>,
    next: AtomicU64,
}

/// One episode: where it begins, and what is known of it.
pub struct Episode {
    /// The address to open.
    pub url: String,
    id: u64,
    bench: Arc<Bench>,
}

impl JudgeServer {
    /// Serves a folder on a free port of loopback.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn start(root: Root) -> io::Result<JudgeServer> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let bench = Arc::new(Bench { root, episodes: Mutex::default(), next: AtomicU64::new(1) });
        let router = Router::new()
            .route("/~judge/script.js", get(script))
            .route("/~judge/{episode}", post(told))
            .route("/{root}/{*path}", get(page))
            .with_state(bench.clone());
        let server = tokio::spawn(async move {
            // Ends only when it is aborted.
            let _ = axum::serve(listener, router).await;
        });
        Ok(JudgeServer { address, bench, server })
    }

    /// A new episode of a page, by its path in the folder.
    pub fn episode(&self, page: &str, seed: u64) -> Episode {
        let id = self.bench.next.fetch_add(1, Ordering::Relaxed);
        self.bench.episodes().insert(id, Told::default());
        let url = format!("http://{}/{}/{page}?{EPISODE}{id}&seed={seed}", self.address, self.bench.root.name);
        Episode { url, id, bench: self.bench.clone() }
    }
}

impl Drop for JudgeServer {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Episode {
    /// What its page has told so far.
    pub fn told(&self) -> Told {
        self.bench.episodes().get(&self.id).cloned().unwrap_or_default()
    }
}

impl Drop for Episode {
    fn drop(&mut self) {
        self.bench.episodes().remove(&self.id);
    }
}

impl Bench {
    fn episodes(&self) -> MutexGuard<'_, HashMap<u64, Told>> {
        self.episodes.lock()
    }
}

async fn told(State(bench): State<Arc<Bench>>, UrlPath(id): UrlPath<u64>, Json(word): Json<Told>) -> StatusCode {
    let mut episodes = bench.episodes();
    let Some(known) = episodes.get_mut(&id) else { return StatusCode::GONE };
    known.utterance = known.utterance.take().or(word.utterance);
    // A page that is loaded again begins again; what was rewarded stays.
    known.reward = known.reward.or(word.reward);
    known.state = word.state.or(known.state.take());
    StatusCode::NO_CONTENT
}

async fn script(State(bench): State<Arc<Bench>>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript")], bench.root.script)
}

async fn page(
    State(bench): State<Arc<Bench>>,
    UrlPath((root, path)): UrlPath<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    let inside = Path::new(&path).components().all(|part| matches!(part, Component::Normal(_)));
    if root != bench.root.name || !inside {
        return StatusCode::NOT_FOUND.into_response();
    }
    let mut file = bench.root.folder.join(&path);
    if path.ends_with('/') {
        file.push("index.html");
    }
    let Ok(bytes) = tokio::fs::read(&file).await else { return StatusCode::NOT_FOUND.into_response() };
    let media = media_type(&file);
    // Other HTML files are templates and the like, which a page's own scripts fetch.
    let is_episode = query.is_some_and(|query| query.starts_with(EPISODE)) && media.starts_with("text/html");
    let body = if is_episode { with_script(&bytes).into_bytes() } else { bytes };
    ([(header::CONTENT_TYPE, media), (header::CACHE_CONTROL, "no-cache")], body).into_response()
}

/// The page with our script as its last element: by then its own scripts have said what they do on load.
fn with_script(html: &[u8]) -> String {
    const SCRIPT: &str = "<script src=\"/~judge/script.js\"></script>";
    let html = String::from_utf8_lossy(html);
    let end = html.to_ascii_lowercase().rfind("</body").unwrap_or(html.len());
    format!("{}{SCRIPT}{}", &html[..end], &html[end..])
}

fn media_type(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "html" | "htm" => "text/html; charset=utf-8",
        "css" => "text/css",
        "js" => "text/javascript",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "gif" => "image/gif",
        "jpg" | "jpeg" => "image/jpeg",
        "ico" => "image/x-icon",
        "woff" => "font/woff",
        "xml" => "text/xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_comes_last_in_the_body() {
        assert_eq!(
            with_script(b"<body><p></p></BODY></html>"),
            "<body><p></p><script src=\"/~judge/script.js\"></script></BODY></html>"
        );
        assert_eq!(with_script(b"<p>open"), "<p>open<script src=\"/~judge/script.js\"></script>");
    }

    async fn server() -> (JudgeServer, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("a")).unwrap();
        std::fs::write(folder.path().join("a/task.html"), "<body>task</body>").unwrap();
        std::fs::write(folder.path().join("a/task.css"), "p {}").unwrap();
        let root = Root { name: "suite", folder: folder.path().to_owned(), script: "// judge" };
        (JudgeServer::start(root).await.unwrap(), folder)
    }

    #[tokio::test]
    async fn pages_are_served_with_the_script_and_nothing_outside_the_folder_is() {
        let (server, _folder) = server().await;
        let http = legwork_testing::http().build().unwrap();
        let at = |path: &str| format!("http://{}{path}", server.address);
        let text = async |path: &str| http.get(at(path)).send().await.unwrap().text().await.unwrap();
        let status = async |path: &str| http.get(at(path)).send().await.unwrap().status().as_u16();
        assert!(text("/suite/a/task.html?episode=1&seed=1").await.contains("~judge/script.js"));
        assert_eq!(text("/suite/a/task.html").await, "<body>task</body>");
        assert_eq!(text("/suite/a/task.css").await, "p {}");
        assert_eq!(text("/~judge/script.js").await, "// judge");
        assert_eq!(status("/suite/a/%2e%2e/%2e%2e/etc/passwd").await, 404);
        assert_eq!(status("/suite//etc/passwd").await, 404);
        assert_eq!(status("/other/a/task.css").await, 404);
    }

    #[tokio::test]
    async fn an_episode_keeps_its_first_reward_and_its_last_state() {
        let (server, _folder) = server().await;
        let (one, other) = (server.episode("a/task.html", 3), server.episode("a/task.html", 3));
        assert!(one.url.ends_with("/suite/a/task.html?episode=1&seed=3"), "{}", one.url);
        let http = legwork_testing::http().build().unwrap();
        for word in [
            r#"{"utterance":"Click."}"#,
            r#"{"reward":-1,"state":[1]}"#,
            r#"{"utterance":"again","reward":1,"state":[2]}"#,
        ] {
            let to = format!("http://{}/~judge/{}", server.address, one.id);
            let sent = http.post(to).header("content-type", "application/json").body(word).send().await.unwrap();
            assert_eq!(sent.status(), 204);
        }
        let state = Some(serde_json::json!([2]));
        assert_eq!(one.told(), Told { utterance: Some("Click.".into()), reward: Some(-1.0), state });
        assert_eq!(other.told(), Told::default());
    }
}
