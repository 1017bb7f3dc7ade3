//! TiddlyWiki on its own Node server, with an empty wiki for each test.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;
use tokio::process::Command;

use super::{
    AppError,
    server::{Server, installed, run},
};

const NAME: &str = "TiddlyWiki";

/// A running wiki that contains only its welcome page.
#[derive(Debug)]
pub struct TiddlyWiki {
    // Fields are dropped in this order: the server ends before its folder is removed.
    server: Server,
    wiki: TempDir,
}

impl TiddlyWiki {
    /// A literal workflow that creates, finds and changes a note, for a run that starts at [`TiddlyWiki::url`].
    pub const WORKFLOW: &str = include_str!("../../workflows/tiddlywiki.yaml");

    /// Installs TiddlyWiki if it is not in the cache (this needs `node` and `npm`, and the network or an npm cache),
    /// creates a wiki and serves it.
    ///
    /// # Errors
    /// If Node is missing, TiddlyWiki cannot be installed, or the server does not start.
    pub async fn start() -> Result<TiddlyWiki, AppError> {
        let modules = installed("tiddlywiki", install).await?.join("node_modules");
        let wiki = TempDir::with_prefix("legwork-tiddlywiki-")?;
        let script = wiki.path().join("serve.js");
        std::fs::write(&script, include_str!("tiddlywiki/serve.js"))?;
        let mut command = Command::new("node");
        command.arg(&script).current_dir(wiki.path()).env("NODE_PATH", modules);
        let server = Server::start(NAME, &mut command).await?;
        Ok(TiddlyWiki { server, wiki })
    }

    /// The URL of the wiki.
    pub fn url(&self) -> String {
        format!("{}/", self.server.url())
    }

    /// A note as returned by the wiki's HTTP API (`title`, `text`, `tags` …). `None` if there is no note with this
    /// title.
    ///
    /// # Errors
    /// If the API does not respond with JSON.
    pub async fn tiddler(&self, title: &str) -> Result<Option<Value>, AppError> {
        let failed = |source: reqwest::Error| AppError::State { name: NAME, source: source.into() };
        let mut address = reqwest::Url::parse(&self.url()).expect("the server's own address is one");
        address
            .path_segments_mut()
            .expect("an http address has a path")
            .extend(["recipes", "default", "tiddlers", title]);
        let answer = crate::http().build().map_err(failed)?.get(address).send().await.map_err(failed)?;
        if answer.status() == reqwest::StatusCode::NOT_FOUND {
            return Ok(None);
        }
        answer.error_for_status().map_err(failed)?.json().await.map(Some).map_err(failed)
    }

    /// The names of the files in which the wiki stores its notes. They remain after the server has ended.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn files(&self) -> Result<Vec<String>, AppError> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(self.wiki.path().join("wiki/tiddlers"))? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.sort_unstable();
        Ok(names)
    }
}

async fn install(folder: &Path) -> Result<(), AppError> {
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error", "--prefix"]);
    run(npm.arg(folder).arg("tiddlywiki@5.4")).await?;
    Ok(())
}
