//! The HTTP server of the judge. It serves the pages of a suite on loopback, appends the judge script to the page of an
//! episode, and stores the reports of that script. The agent and the executor need no special mode for evaluations.
//!
//! An episode is one load of a page by one run, identified in the query: `?episode=7&seed=3`.

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

/// The query parameter that identifies an episode.
const EPISODE: &str = "episode=";

/// A folder of pages, and the script that is appended to the page of an episode.
#[derive(Clone, Debug)]
pub struct Root {
    /// The first component of its paths.
    pub name: &'static str,
    /// The folder of its files.
    pub folder: PathBuf,
    /// Runs at the end of each page, after the scripts of the page.
    pub script: &'static str,
}

/// What the script on the page of an episode reported.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EpisodeReport {
    /// The task of the page; present when the task is ready.
    pub utterance: Option<String>,
    /// The first reward of the task.
    pub reward: Option<f64>,
    /// What the page shows, as of its last change.
    pub state: Option<Value>,
}

/// A running server. It stops when this is dropped.
pub struct JudgeServer {
    address: SocketAddr,
    state: Arc<ServerState>,
    server: JoinHandle<()>,
}

/// The state that the handlers share.
struct ServerState {
    root: Root,
    episodes: Mutex<HashMap<u64, EpisodeReport>>,
    next: AtomicU64,
}

/// One episode: its address, and what is known about it.
pub struct Episode {
    /// The address to open.
    pub url: String,
    id: u64,
    state: Arc<ServerState>,
}

impl JudgeServer {
    /// Serves a folder on a free port of loopback.
    ///
    /// # Errors
    /// When no port is available.
    pub async fn start(root: Root) -> io::Result<JudgeServer> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let state = Arc::new(ServerState { root, episodes: Mutex::default(), next: AtomicU64::new(1) });
        let router = Router::new()
            .route("/~judge/script.js", get(script))
            .route("/~judge/{episode}", post(receive_report))
            .route("/{root}/{*path}", get(page))
            .with_state(state.clone());
        let server = tokio::spawn(async move {
            // Ends only when the task is aborted.
            let _ = axum::serve(listener, router).await;
        });
        Ok(JudgeServer { address, state, server })
    }

    /// A new episode of a page, by its path in the folder.
    pub fn episode(&self, page: &str, seed: u64) -> Episode {
        let id = self.state.next.fetch_add(1, Ordering::Relaxed);
        self.state.episodes().insert(id, EpisodeReport::default());
        let url = format!("http://{}/{}/{page}?{EPISODE}{id}&seed={seed}", self.address, self.state.root.name);
        Episode { url, id, state: self.state.clone() }
    }
}

impl Drop for JudgeServer {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Episode {
    /// What the page has reported so far.
    pub fn report(&self) -> EpisodeReport {
        self.state.episodes().get(&self.id).cloned().unwrap_or_default()
    }
}

impl Drop for Episode {
    fn drop(&mut self) {
        self.state.episodes().remove(&self.id);
    }
}

impl ServerState {
    fn episodes(&self) -> MutexGuard<'_, HashMap<u64, EpisodeReport>> {
        self.episodes.lock()
    }
}

async fn receive_report(
    State(state): State<Arc<ServerState>>,
    UrlPath(id): UrlPath<u64>,
    Json(report): Json<EpisodeReport>,
) -> StatusCode {
    let mut episodes = state.episodes();
    let Some(known) = episodes.get_mut(&id) else { return StatusCode::GONE };
    known.utterance = known.utterance.take().or(report.utterance);
    // If the page is reloaded, its task restarts; the first reward is kept.
    known.reward = known.reward.or(report.reward);
    known.state = report.state.or(known.state.take());
    StatusCode::NO_CONTENT
}

async fn script(State(state): State<Arc<ServerState>>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript")], state.root.script)
}

async fn page(
    State(state): State<Arc<ServerState>>,
    UrlPath((root, path)): UrlPath<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    let inside = Path::new(&path).components().all(|part| matches!(part, Component::Normal(_)));
    if root != state.root.name || !inside {
        return StatusCode::NOT_FOUND.into_response();
    }
    let mut file = state.root.folder.join(&path);
    if path.ends_with('/') {
        file.push("index.html");
    }
    let Ok(bytes) = tokio::fs::read(&file).await else { return StatusCode::NOT_FOUND.into_response() };
    let media = media_type(&file);
    // Other HTML files are templates and similar files that a page's scripts fetch.
    let is_episode = query.is_some_and(|query| query.starts_with(EPISODE)) && media.starts_with("text/html");
    let body = if is_episode { with_script(&bytes).into_bytes() } else { bytes };
    ([(header::CONTENT_TYPE, media), (header::CACHE_CONTROL, "no-cache")], body).into_response()
}

/// Inserts the judge script at the end of the body, so that it runs after the scripts of the page.
fn with_script(html: &[u8]) -> String {
    const SCRIPT: &str = "<script src=\"/~judge/script.js\"></script>";
    let html = String::from_utf8_lossy(html);
    let end = html.to_ascii_lowercase().rfind("</body").unwrap_or(html.len());
    format!("{}{SCRIPT}{}", &html[..end], &html[end..])
}

pub(crate) fn media_type(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "html" | "htm" => "text/html; charset=utf-8",
        "css" => "text/css",
        "js" | "mjs" => "text/javascript",
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
    fn the_script_is_inserted_at_the_end_of_the_body() {
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
    async fn episode_pages_contain_the_script_and_paths_outside_the_folder_are_404() {
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
        for report in [
            r#"{"utterance":"Click."}"#,
            r#"{"reward":-1,"state":[1]}"#,
            r#"{"utterance":"again","reward":1,"state":[2]}"#,
        ] {
            let to = format!("http://{}/~judge/{}", server.address, one.id);
            let sent = http.post(to).header("content-type", "application/json").body(report).send().await.unwrap();
            assert_eq!(sent.status(), 204);
        }
        let state = Some(serde_json::json!([2]));
        assert_eq!(one.report(), EpisodeReport { utterance: Some("Click.".into()), reward: Some(-1.0), state });
        assert_eq!(other.report(), EpisodeReport::default());
    }
}
