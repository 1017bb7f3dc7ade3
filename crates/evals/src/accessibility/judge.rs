//! The browser whose accessibility tree is the judge, and the connection to it.

use std::{io, process::Stdio};

use futures_util::{SinkExt, StreamExt};
use legwork_browser::{Engine, find_executable};
use legwork_testing::http;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    net::TcpStream,
    process::{Child, Command},
};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async, tungstenite::Message};

use crate::EvalError;

/// A Chromium with a port for debugging. It ends when the value is dropped.
pub(super) struct DebuggedBrowser {
    _child: Child,
    _profile: TempDir,
    /// The address for connections, as `http://127.0.0.1:PORT`.
    pub(super) address: String,
}

/// The role and the name of an element in the browser's accessibility tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ComputedName {
    pub(super) role: String,
    pub(super) name: String,
}

/// A connection to a page of the browser.
pub(super) struct Judge {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    calls: u64,
}

impl DebuggedBrowser {
    pub(super) async fn start() -> Result<DebuggedBrowser, EvalError> {
        let failed = |error: io::Error| EvalError::io("the browser of the judge")(error);
        let profile = tempfile::tempdir().map_err(failed)?;
        let executable = match std::env::var_os("LEGWORK_BROWSER_PATH") {
            Some(path) => path.into(),
            None => find_executable(Engine::Chromium).map_err(|error| failed(io::Error::other(error)))?,
        };
        let mut child = Command::new(executable)
            .args(["--headless=new", "--no-sandbox", "--no-first-run", "--remote-debugging-port=0", "about:blank"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(failed)?;
        let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
        let address = loop {
            let line = lines.next_line().await.map_err(failed)?;
            let Some(line) = line else { return Err(failed(io::Error::other("it ended without stating its port"))) };
            if let Some((_, rest)) = line.split_once("DevTools listening on ws://") {
                let host = rest.split('/').next().unwrap_or(rest);
                break format!("http://{host}");
            }
        };
        // What it writes later must not fill the pipe.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok(DebuggedBrowser { _child: child, _profile: profile, address })
    }

    /// A connection to the page whose address begins with this URL.
    pub(super) async fn judge(&self, url: &str) -> Result<Judge, EvalError> {
        let list = format!("{}/json/list", self.address);
        let listed = async { http().build()?.get(list).send().await?.json::<Vec<Value>>().await };
        let targets = listed.await.map_err(disconnected)?;
        let is_page = |target: &&Value| {
            target["type"] == "page" && target["url"].as_str().is_some_and(|shown| shown.starts_with(url))
        };
        let socket = targets.iter().find(is_page).and_then(|target| target["webSocketDebuggerUrl"].as_str());
        let socket = socket.ok_or_else(|| disconnected(format!("no page shows {url}")))?;
        let (socket, _) = connect_async(socket).await.map_err(disconnected)?;
        Ok(Judge { socket, calls: 0 })
    }
}

fn disconnected(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> EvalError {
    EvalError::io("the connection of the judge")(io::Error::other(why))
}

impl Judge {
    /// What the browser computes for the element that a script of the page returns; `None` if the accessibility tree
    /// does not contain it.
    pub(super) async fn computed(&mut self, script: &str) -> Result<Option<ComputedName>, EvalError> {
        let found = self.call("Runtime.evaluate", json!({ "expression": script })).await?;
        let Some(object) = found["result"]["objectId"].as_str() else { return Ok(None) };
        let asked = json!({ "objectId": object, "fetchRelatives": false });
        let tree = self.call("Accessibility.getPartialAXTree", asked).await?;
        let node = &tree["nodes"][0];
        if node["ignored"] != false {
            return Ok(None);
        }
        let text = |value: &Value| value["value"].as_str().unwrap_or_default().to_owned();
        Ok(Some(ComputedName { role: text(&node["role"]), name: text(&node["name"]) }))
    }

    async fn call(&mut self, method: &str, params: Value) -> Result<Value, EvalError> {
        self.calls += 1;
        let command = json!({ "id": self.calls, "method": method, "params": params });
        self.socket.send(Message::text(command.to_string())).await.map_err(disconnected)?;
        while let Some(message) = self.socket.next().await {
            let Ok(Message::Text(text)) = message else { continue };
            let message: Value = serde_json::from_str(&text).map_err(disconnected)?;
            if message["id"] == self.calls {
                return match &message["error"] {
                    Value::Null => Ok(message["result"].clone()),
                    error => Err(disconnected(format!("{method}: {error}"))),
                };
            }
        }
        Err(disconnected("the browser closed it"))
    }
}
