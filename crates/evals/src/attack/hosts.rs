//! Another web site in the browser of a user: requests to every route of `legwork serve` and `legwork mcp --http`, with
//! every spelling of a foreign Host and Origin, and with a valid token, as if the browser or a proxy had added it.

use std::{net::Ipv4Addr, sync::Arc, time::Duration};

use futures_util::{StreamExt, stream};
use legwork::Runtime;
use legwork_mcp::{Group, Http, McpOptions, serve_http};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use super::{plan::AttackPlan, report::ClassReport, serving::Serving, spellings::LOOPBACK};
use crate::{EvalError, settings::settings};

/// A refusal arrives at once; a stream that is open by mistake does not end.
const PATIENCE: Duration = Duration::from_secs(10);
/// The token of the MCP server.
const MCP_TOKEN: &str = "a-token-for-the-attack-of-hosts-0123456789";
/// In a short plan, one request of this many.
const SAMPLE: usize = 9;

/// One request as it stands on the wire.
struct Attempt {
    name: String,
    port: u16,
    text: String,
}

/// The names of all requests. No name contains a port.
pub(super) fn names(ablated: bool) -> Vec<String> {
    requests((u16::MAX, ""), u16::MAX, ablated).into_iter().map(|request| request.name).collect()
}

/// All requests to a server and its token, and to an MCP server.
fn requests((port, token): (u16, &str), mcp_port: u16, ablated: bool) -> Vec<Attempt> {
    let mut requests = server_attempts(port, token, ablated);
    requests.extend(mcp_attempts(mcp_port, ablated));
    requests
}

/// Carries out the class.
pub(super) async fn attack(plan: &AttackPlan, report: &mut ClassReport) -> Result<(), EvalError> {
    let folder = tempfile::tempdir().map_err(EvalError::io("a folder"))?;
    let server = Serving::start(plan, &folder.path().join("data")).await?;
    let data = [
        ("data_dir", folder.path().join("mcp").display().to_string()),
        ("server.requests_per_second", "1000000".to_owned()),
    ];
    let mcp_settings = settings("attack/mcp", &data, &plan.settings_in_own_folder(), [])?;
    let mcp_options = McpOptions {
        runtime: Arc::new(Runtime::open(mcp_settings).await?),
        groups: vec![Group::Core],
        output: folder.path().join("out"),
        uploads: Vec::new(),
        secrets: Vec::new(),
        storage_state: None,
        tabs: None,
        max_sessions: 4,
    };
    let http = Http {
        at: (Ipv4Addr::LOCALHOST, 0).into(),
        hosts: Vec::new(),
        origins: Vec::new(),
        token: Some(MCP_TOKEN.to_owned()),
        limits: Default::default(),
    };
    let (told, listening) = tokio::sync::oneshot::channel();
    let stop = CancellationToken::new();
    let mcp_stop = stop.clone();
    let mcp = tokio::spawn(async move {
        let listens = |at| {
            // If nobody waits for the address any more, the class has ended.
            let _ = told.send(at);
        };
        serve_http(mcp_options, http, mcp_stop, listens).await
    });
    let mcp_port = listening.await.map_err(|_| EvalError::Settings("the MCP server does not start".to_owned()))?.port();

    let attempts = requests((server.port, &server.token), mcp_port, plan.ablate);
    let step = if plan.short { SAMPLE } else { 1 };
    let attempts: Vec<Attempt> = attempts.into_iter().filter(|one| plan.wants(&one.name)).step_by(step).collect();
    let mut answers = stream::iter(attempts)
        .map(async |attempt| {
            let status = timeout(PATIENCE, status(&attempt)).await;
            (attempt, status)
        })
        .buffer_unordered(16);
    while let Some((attempt, status)) = answers.next().await {
        report.attempts += 1;
        match status {
            Ok(Ok(400 | 403 | 421)) => report.count("requests refused", 1),
            Ok(Ok(status)) => report.breaches.push(format!("{}: answered with {status}", attempt.name)),
            Ok(Err(error)) => report.failures.push(format!("{}: {error}", attempt.name)),
            Err(_) => report.failures.push(format!("{}: no answer within {} s", attempt.name, PATIENCE.as_secs())),
        }
    }
    drop(answers);
    stop.cancel();
    let failed = |why: &dyn std::fmt::Display| EvalError::Settings(format!("the MCP server failed: {why}"));
    mcp.await.map_err(|error| failed(&error))?.map_err(|error| failed(&error))?;
    server.end().await
}

/// The status of the answer, once it has arrived. Without an answer it is 0, which is no refusal.
async fn status(attempt: &Attempt) -> std::io::Result<u16> {
    let mut socket = TcpStream::connect((Ipv4Addr::LOCALHOST, attempt.port)).await?;
    socket.write_all(attempt.text.as_bytes()).await?;
    let mut answer = Vec::new();
    let mut piece = [0; 64];
    while answer.len() < 12 {
        let read = socket.read(&mut piece).await?;
        if read == 0 {
            break;
        }
        answer.extend_from_slice(&piece[..read]);
    }
    Ok(String::from_utf8_lossy(&answer).split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0))
}

/// Host headers that name another host, or this one in a way in which no client of ours names it.
fn foreign_hosts(port: u16) -> Vec<String> {
    let mut hosts: Vec<String> = [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evil.example@127.0.0.1",
        "[::]",
        "[::1%25lo]",
        "localhost%00",
        "%6cocalhost",
        "xn--lcalhost-xyz",
        "169.254.169.254",
        "metadata.google.internal",
        "rebind.network",
    ]
    .iter()
    .chain(LOOPBACK)
    .map(|host| format!("{host}:{port}"))
    .collect();
    hosts.extend([
        "evil.example".to_owned(),
        format!("127.0.0.1:{port}@evil.example"),
        String::new(),
        format!("127.0.0.1:{port}, evil.example"),
        format!("http://127.0.0.1:{port}"),
        format!("127.0.0.1:{port}/"),
        format!("127.0.0.1:{port}#"),
        format!("127.0.0.1 :{port}"),
    ]);
    hosts
}

/// Origins of other sites.
fn foreign_origins(port: u16) -> Vec<String> {
    let mut origins: Vec<String> = [
        "http://evil.example",
        "https://127.0.0.1",
        "ws://127.0.0.1",
        "http://evil.example@127.0.0.1",
        "http://127.0.0.1.evil.example",
        "HTTP://127.0.0.1",
        "http://LOCALHOST",
        "http://user@localhost",
        "capacitor://localhost",
        "ionic://localhost",
    ]
    .into_iter()
    .map(|origin| format!("{origin}:{port}"))
    .chain(LOOPBACK.iter().map(|host| format!("http://{host}:{port}")))
    .collect();
    origins.extend(
        [
            "null",
            "http://evil.example",
            "https://evil.example",
            "file://",
            "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
            "moz-extension://1-2",
            "http://127.0.0.1",
            "about:blank",
            "data:text/html,x",
            "http://localhost:1",
            "",
        ]
        .map(str::to_owned),
    );
    origins.extend([
        format!("http://127.0.0.1:{port}/"),
        format!("http://127.0.0.1:{port} http://evil.example"),
        format!("http://127.0.0.1:{port}.evil.example"),
    ]);
    origins
}

/// The lines of the Host and Origin headers to try, each with a name. Without the defence, they are those of a client
/// of ours.
fn headers(port: u16, ablated: bool) -> Vec<(String, String)> {
    let good = format!("Host: 127.0.0.1:{port}\r\n");
    if ablated {
        return vec![("own host".to_owned(), good)];
    }
    let name = |what: &str, value: &str| format!("{what} {:?}", value.replace(&format!(":{port}"), ":PORT"));
    let hosts = foreign_hosts(port).into_iter().map(|host| (name("Host", &host), format!("Host: {host}\r\n")));
    let origins = foreign_origins(port).into_iter();
    let origins = origins.map(|origin| (name("Origin", &origin), format!("{good}Origin: {origin}\r\n")));
    let more = [
        ("no Host".to_owned(), String::new()),
        ("two Hosts".to_owned(), format!("{good}Host: evil.example\r\n")),
        ("two Origins".to_owned(), format!("{good}Origin: http://127.0.0.1:{port}\r\nOrigin: http://evil.example\r\n")),
    ];
    hosts.chain(origins).chain(more).collect()
}

/// Every route over HTTP and as a stream of events, and every route that a browser could open as a WebSocket.
fn server_attempts(port: u16, token: &str, ablated: bool) -> Vec<Attempt> {
    let document: Value = serde_json::from_str(&legwork_server::openapi()).expect("the server's own document");
    let bearer = format!("Authorization: Bearer {token}\r\n");
    let mut attempts = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        let path = path
            .replace("{id}", "01a201dc240b755aa39fb4e7855f180d")
            .replace("{hash}", &"a".repeat(64))
            .replace("{name}", "decider");
        for method in item.as_object().into_iter().flatten().map(|(method, _)| method.to_uppercase()) {
            for (what, header) in headers(port, ablated) {
                let mut add = |transport: &str, more: &str| {
                    attempts.push(Attempt {
                        name: format!("{transport} {method} {path} {what}"),
                        port,
                        text: format!("{method} {path} HTTP/1.1\r\n{header}{bearer}{more}Content-Length: 0\r\n\r\n"),
                    });
                };
                let streams = path.contains("/stream");
                if streams {
                    add("sse", "Accept: text/event-stream\r\nConnection: close\r\n");
                } else {
                    add("http", "Connection: close\r\n");
                }
                if method == "GET" && (streams || path == "/api/me") {
                    add(
                        "websocket",
                        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
                    );
                }
            }
        }
    }
    attempts
}

/// The methods of the MCP endpoint. Its server compares the name of a host and not its port.
fn mcp_attempts(port: u16, ablated: bool) -> Vec<Attempt> {
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}"#;
    let mut attempts = Vec::new();
    for (what, header) in headers(port, ablated) {
        for (method, body) in [("POST", body), ("GET", ""), ("DELETE", "")] {
            let length = body.len();
            attempts.push(Attempt {
                name: format!("mcp {method} /mcp {what}"),
                port,
                text: format!(
                    "{method} /mcp HTTP/1.1\r\n{header}Authorization: Bearer {MCP_TOKEN}\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
                ),
            });
        }
    }
    attempts
}
