//! The server of the pages and of the installed packages.

use std::{
    io,
    net::SocketAddr,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use axum::{
    Router,
    extract::{Path as UrlPath, State},
    http::{StatusCode, header},
    response::{Html, IntoResponse, Response},
    routing::get,
};
use tokio::{net::TcpListener, task::JoinHandle};

use crate::judge::media_type;

const PROBE: &str = include_str!("probe.js");

/// The content of pages by their name.
type Pages = &'static [(&'static str, &'static str)];

/// A running server. It ends when the value is dropped.
pub(crate) struct PageServer {
    address: SocketAddr,
    server: JoinHandle<()>,
}

impl PageServer {
    /// Serves these pages on a free port of loopback, with the packages of this folder.
    pub(crate) async fn start(pages: Pages, packages: PathBuf) -> io::Result<PageServer> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let router = Router::new()
            .route("/probe.js", get(async || ([(header::CONTENT_TYPE, "text/javascript")], PROBE)))
            .route("/packages/{*path}", get(package))
            .route("/{page}", get(move |name| page(pages, name)))
            .with_state(Arc::new(packages));
        let server = tokio::spawn(async move {
            // Ends only when the task is aborted.
            let _ = axum::serve(listener, router).await;
        });
        Ok(PageServer { address, server })
    }

    /// The address of a page.
    pub(crate) fn url(&self, page: &str) -> String {
        format!("http://{}/{page}", self.address)
    }
}

impl Drop for PageServer {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn page(pages: Pages, UrlPath(name): UrlPath<String>) -> Response {
    let Some((_, body)) = pages.iter().find(|(page, _)| *page == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let head = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><script src=\"/probe.js\"></script>";
    Html(format!("{head}<title>{name}</title>\n{body}")).into_response()
}

async fn package(State(packages): State<Arc<PathBuf>>, UrlPath(path): UrlPath<String>) -> Response {
    if !Path::new(&path).components().all(|part| matches!(part, Component::Normal(_))) {
        return StatusCode::NOT_FOUND.into_response();
    }
    let file = packages.join(&path);
    match tokio::fs::read(&file).await {
        Ok(bytes) => ([(header::CONTENT_TYPE, media_type(&file))], bytes).into_response(),
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}
