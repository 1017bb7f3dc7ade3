//! Determines the WebSocket address of a running browser, which `http://host:port` states at `/json/version`.

use std::time::Duration;

use serde::Deserialize;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use url::Url;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    web_socket_debugger_url: String,
}

/// The address to connect to, or the reason for which there is none.
pub(crate) async fn discover(url: &str) -> Result<String, String> {
    let parsed = Url::parse(url).map_err(|error| error.to_string())?;
    match parsed.scheme() {
        "ws" | "wss" => Ok(url.to_owned()),
        "http" => tokio::time::timeout(Duration::from_secs(10), ask(&parsed))
            .await
            .unwrap_or_else(|_| Err("no answer within 10 s".to_owned())),
        other => Err(format!("{other}: is neither ws nor http")),
    }
}

/// Sends a single request without an HTTP client, which would be a dependency for this purpose alone.
async fn ask(url: &Url) -> Result<String, String> {
    let host = url.host_str().ok_or("the address has no host")?;
    let port = url.port_or_known_default().unwrap_or(80);
    let mut stream = TcpStream::connect((host, port)).await.map_err(|error| error.to_string())?;
    let request = format!("GET /json/version HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.map_err(|error| error.to_string())?;
    let mut answer = Vec::new();
    // The browser keeps the connection open even if asked to close it, so the body ends where its JSON ends.
    loop {
        let mut chunk = [0; 4096];
        let count = stream.read(&mut chunk).await.map_err(|error| error.to_string())?;
        answer.extend_from_slice(&chunk[..count]);
        let body = answer.windows(4).position(|four| four == b"\r\n\r\n").map(|at| &answer[at + 4..]);
        if let Some(version) = body.and_then(|body| serde_json::from_slice::<Version>(body).ok()) {
            // The browser builds the address from the request's host, which may be wrong if the port is forwarded.
            let mut address = Url::parse(&version.web_socket_debugger_url).map_err(|error| error.to_string())?;
            address.set_host(Some(host)).map_err(|error| error.to_string())?;
            address.set_port(Some(port)).map_err(|()| "the address takes no port".to_owned())?;
            return Ok(address.into());
        }
        if count == 0 || answer.len() > 64 * 1024 {
            return Err("it does not answer like a browser".to_owned());
        }
    }
}
