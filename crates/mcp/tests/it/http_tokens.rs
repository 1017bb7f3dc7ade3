//! Tokens with scopes over HTTP, the audit log, and the limits of connections.

use std::time::Duration;

use legwork_access::{AuditEntry, AuditLog, ConnectionLimits, NewToken, TokenFile, TokenScope};
use legwork_demo_site::DemoSite;
use legwork_mcp::Http;
use reqwest::{StatusCode, header};
use rmcp::ClientServiceExt;
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::support::{Another, Client, Lifecycle, Place, Served, at_loopback, call, done, served, tried};

/// The time limit of each wait in these tests.
const TEST_TIMEOUT: Duration = Duration::from_secs(60);

fn tokens(place: &Place) -> TokenFile {
    TokenFile::of(&place.folder("data"))
}

fn token(place: &Place, name: &str, scopes: &[TokenScope]) -> NewToken {
    tokens(place).create(name, scopes.iter().copied().collect(), None).unwrap()
}

async fn client(server: &Served, token: &NewToken) -> Client {
    let transport = server.transport(Some(token.text.expose_secret()));
    Another::called("another").serve_with_lifecycle(transport, Lifecycle::Handshake.mode()).await.unwrap()
}

/// A message of the protocol to the server.
fn post(server: &Served, token: Option<&NewToken>, message: &Value) -> reqwest::RequestBuilder {
    let request = legwork_testing::http().build().unwrap().post(&server.url);
    let request = request.header(header::CONTENT_TYPE, "application/json");
    let request = request.header(header::ACCEPT, "application/json, text/event-stream").body(message.to_string());
    match token {
        Some(token) => request.bearer_auth(token.text.expose_secret()),
        None => request,
    }
}

fn greeting() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"},
    }})
}

fn calls(tool: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": tool, "arguments": {}}})
}

/// The entries of the audit log as tool, client and status.
fn audited(place: &Place) -> Vec<(Option<String>, Option<String>, Option<u16>)> {
    let told = |entry: AuditEntry| (entry.tool, entry.client, entry.status);
    AuditLog::of(&place.folder("data")).read(None).unwrap().into_iter().map(told).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_calls_the_tools_of_its_scopes_and_what_acts_is_in_the_audit_log() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let server = served(place.options(&[]).await, at_loopback()).await;
    let (reader, agent) = (token(&place, "reader", &[TokenScope::Read]), token(&place, "agent", &[TokenScope::Run]));
    let reads = client(&server, &reader).await;
    assert_eq!(done(call(&reads, "legwork_runs", json!({})).await), "there are no runs yet");
    assert!(tried(&reads, "browser_navigate", json!({"url": site.url()})).await.is_err());
    for message in [calls("browser_navigate"), json!([greeting(), calls("browser_navigate")]), calls("no_such_tool")] {
        let refused = post(&server, Some(&reader), &message).send().await.unwrap();
        assert_eq!(refused.status(), StatusCode::FORBIDDEN, "{message}");
        let challenge = &refused.headers()[header::WWW_AUTHENTICATE];
        assert_eq!(challenge, "Bearer error=\"insufficient_scope\", scope=\"run\"");
        let said = refused.text().await.unwrap();
        assert!(said.contains("\"reader\" does not have the scope `run`") && said.contains("--scope run"), "{said}");
    }
    let acts = client(&server, &agent).await;
    done(call(&acts, "browser_navigate", json!({"url": site.url()})).await);
    let refused = post(&server, Some(&agent), &calls("legwork_runs")).send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    assert_eq!(post(&server, None, &greeting()).send().await.unwrap().status(), StatusCode::UNAUTHORIZED);

    let entry = |tool: Option<&str>, client: Option<&str>, status| {
        (tool.map(str::to_owned), client.map(str::to_owned), Some(status))
    };
    let navigate = Some("browser_navigate");
    let log = audited(&place);
    // The first refusal is that of the client, which may repeat its request.
    assert!(log.starts_with(&[entry(navigate, Some("reader"), 403)]), "{log:?}");
    let rest: Vec<_> = log.into_iter().skip_while(|one| *one == entry(navigate, Some("reader"), 403)).collect();
    assert_eq!(
        rest,
        [
            entry(None, Some("reader"), 403),
            entry(navigate, Some("agent"), 200),
            entry(Some("legwork_runs"), Some("agent"), 403),
            entry(None, None, 401),
        ]
    );
    server.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revoked_token_is_refused_at_once_and_its_stream_ends() {
    let place = Place::new();
    let server = served(place.options(&[]).await, at_loopback()).await;
    let agent = token(&place, "agent", &[TokenScope::Run]);
    let greeted = post(&server, Some(&agent), &greeting()).send().await.unwrap();
    assert_eq!(greeted.status(), StatusCode::OK);
    let session = greeted.headers()["mcp-session-id"].clone();
    let request = legwork_testing::http().build().unwrap().get(&server.url).header("mcp-session-id", session);
    let request = request.header(header::ACCEPT, "text/event-stream").bearer_auth(agent.text.expose_secret());
    let mut stream = request.send().await.unwrap();
    assert_eq!(stream.status(), StatusCode::OK);
    tokens(&place).revoke("agent").unwrap();
    assert_eq!(post(&server, Some(&agent), &greeting()).send().await.unwrap().status(), StatusCode::UNAUTHORIZED);
    let ends = async { while stream.chunk().await.unwrap().is_some() {} };
    tokio::time::timeout(TEST_TIMEOUT, ends).await.expect("the stream ends");
    // To revoke the last token opens the server for nobody.
    assert_eq!(post(&server, None, &greeting()).send().await.unwrap().status(), StatusCode::UNAUTHORIZED);
    server.end().await;
}

#[tokio::test]
async fn as_soon_as_a_token_was_created_every_client_needs_one() {
    let place = Place::new();
    let server = served(place.options(&[]).await, at_loopback()).await;
    assert_eq!(post(&server, None, &greeting()).send().await.unwrap().status(), StatusCode::OK);
    let agent = token(&place, "agent", &[TokenScope::Run]);
    assert_eq!(post(&server, None, &greeting()).send().await.unwrap().status(), StatusCode::UNAUTHORIZED);
    assert_eq!(post(&server, Some(&agent), &greeting()).send().await.unwrap().status(), StatusCode::OK);
    server.end().await;
}

/// The status of the answer to a request as it stands on the wire; 0 if the connection ends without an answer.
async fn raw(server: &Served, text: &str) -> u16 {
    let address = server.url.trim_start_matches("http://").trim_end_matches("/mcp");
    let mut socket = TcpStream::connect(address).await.unwrap();
    socket.write_all(text.as_bytes()).await.unwrap();
    let mut status = [0; 12];
    match tokio::time::timeout(TEST_TIMEOUT, socket.read_exact(&mut status)).await.expect("an answer, or the end") {
        Ok(_) => String::from_utf8_lossy(&status).rsplit(' ').next().unwrap().parse().unwrap(),
        Err(_) => 0,
    }
}

#[tokio::test]
async fn a_request_that_is_never_finished_or_too_large_is_refused() {
    let place = Place::new();
    let short = Duration::from_millis(50);
    let limits = ConnectionLimits { head: short, body: short, ..ConnectionLimits::default() };
    let server = served(place.options(&[]).await, Http { limits, ..at_loopback() }).await;
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    assert!(matches!(raw(&server, head).await, 0 | 408), "the head never ends");
    assert_eq!(raw(&server, &format!("{head}Content-Length: 100\r\n\r\n{{")).await, 408, "the body never ends");
    let large = json!({"jsonrpc": "2.0", "id": 1, "method": "x".repeat(5 << 20)});
    let refused = post(&server, None, &large).send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
    server.end().await;
}

#[tokio::test]
async fn a_token_that_asks_too_often_delays_no_other() {
    let place = Place::new();
    let options = place.options(&[("server.requests_per_second_per_token", "1")]).await;
    let server = served(options, at_loopback()).await;
    let (busy, quiet) = (token(&place, "busy", &[TokenScope::Read]), token(&place, "quiet", &[TokenScope::Read]));
    let mut refused = false;
    for _ in 0..10 {
        let status = post(&server, Some(&busy), &greeting()).send().await.unwrap().status();
        refused |= status == StatusCode::TOO_MANY_REQUESTS;
    }
    assert!(refused);
    assert_eq!(post(&server, Some(&quiet), &greeting()).send().await.unwrap().status(), StatusCode::OK);
    server.end().await;
}
