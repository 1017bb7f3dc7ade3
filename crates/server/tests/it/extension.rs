//! The side panel, seen from the server: its origin, its pairing, and the tabs that it offers. The extension itself is
//! tested in a real browser (`extension/tests`); here a client with its origin takes its place.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use legwork_access::{PairingFile, TokenFile};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream,
    tungstenite::{
        Message,
        client::IntoClientRequest,
        protocol::{CloseFrame, frame::coding::CloseCode},
    },
};

use crate::support::{Answer, Place, Serving, TEST_TIMEOUT};

const ORIGIN: &str = "chrome-extension://elponlmhahmnbnjlpmbkjlfinkjpacfg";
const OTHER: &str = "chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A panel in a paired browser.
struct Panel<'a> {
    serving: &'a Serving,
    token: String,
}

impl Panel<'_> {
    /// Pairs a browser.
    async fn pair<'a>(place: &Place, serving: &'a Serving) -> Panel<'a> {
        let code = PairingFile::of(&place.data()).issue().unwrap();
        let request = serving.http.post(format!("{}/api/extension/pair", serving.url)).header("origin", ORIGIN);
        let paired = serving.send(request, json!({ "code": code })).await.data();
        Panel { serving, token: paired["token"].as_str().unwrap().to_owned() }
    }

    async fn post(&self, path: &str, body: Value) -> Answer {
        let request = self.serving.http.post(format!("{}{path}", self.serving.url));
        self.serving.send(request.header("origin", ORIGIN).bearer_auth(&self.token), body).await
    }

    /// Offers a tab and connects it; its id and its connection.
    async fn tab(&self) -> (String, Socket) {
        let offered = self.post("/api/extension/tabs", json!({ "product": "Chrome/156" })).await.data();
        let id = offered["id"].as_str().unwrap().to_owned();
        let socket = connect(self.serving, &id, ORIGIN).await.unwrap();
        (id, socket)
    }

    async fn start(&self, tab: &str) -> String {
        let body = json!({ "steps": ["Reload the page"], "tab": tab });
        let started = self.post("/api/automation/execute", body).await.data();
        started["sessionId"].as_str().unwrap().to_owned()
    }
}

async fn connect(serving: &Serving, id: &str, origin: &str) -> Result<Socket, ()> {
    let url = format!("{}/api/extension/tabs/{id}", serving.url.replacen("http", "ws", 1));
    let mut request = url.into_client_request().unwrap();
    request.headers_mut().insert("origin", origin.parse().unwrap());
    tokio_tungstenite::connect_async(request).await.map(|(socket, _)| socket).map_err(|_| ())
}

/// The next request of Legwork.
async fn next(socket: &mut Socket) -> Value {
    let said = tokio::time::timeout(TEST_TIMEOUT, async {
        loop {
            match socket.next().await.unwrap().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Ping(_) => {}
                other => panic!("{other:?}"),
            }
        }
    });
    said.await.unwrap()
}

#[tokio::test]
async fn only_the_extension_may_ask_from_another_origin_and_never_with_a_cookie() {
    let place = Place::new();
    let serving = place.open().await;
    let preflight = |origin: &str| {
        let request = serving.http.request(Method::OPTIONS, format!("{}/api/me", serving.url)).header("origin", origin);
        request.header("access-control-request-method", "GET").header("sec-fetch-site", "cross-site").send()
    };
    let allowed = preflight(ORIGIN).await.unwrap();
    assert_eq!(allowed.status(), 204);
    assert_eq!(allowed.headers()["access-control-allow-origin"], ORIGIN);
    assert_eq!(allowed.headers()["access-control-allow-methods"], "GET, POST, PUT");
    assert!(!allowed.headers().contains_key("access-control-allow-credentials"));
    for origin in [OTHER, "null", "https://evil.example", &ORIGIN.to_uppercase()] {
        let refused = preflight(origin).await.unwrap();
        assert_eq!(refused.status(), 403, "{origin}");
        assert!(!refused.headers().contains_key("access-control-allow-origin"), "{origin}");
    }

    let panel = Panel::pair(&place, &serving).await;
    let me = |request: reqwest::RequestBuilder| request.header("origin", ORIGIN).send();
    let url = format!("{}/api/me", serving.url);
    assert_eq!(me(serving.http.get(&url).bearer_auth(&panel.token)).await.unwrap().status(), 200);
    let opened = serving.http.get(&serving.link).send().await.unwrap();
    let cookie = opened.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    assert_eq!(serving.http.get(&url).header("cookie", &cookie).send().await.unwrap().status(), 200);
    assert_eq!(me(serving.http.get(&url).header("cookie", &cookie)).await.unwrap().status(), 401);
    serving.stop().await;
}

#[tokio::test]
async fn a_code_pairs_the_extension_once_and_nobody_else() {
    let place = Place::new();
    let serving = place.open().await;
    let pair = async |origin: Option<&str>, code: &str| {
        let mut request = serving.http.post(format!("{}/api/extension/pair", serving.url));
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        serving.send(request, json!({ "code": code })).await
    };
    let code = PairingFile::of(&place.data()).issue().unwrap();
    for origin in [None, Some(OTHER), Some(serving.url.as_str())] {
        pair(origin, &code).await.refused(403);
    }
    let wrong = pair(Some(ORIGIN), "1").await.refused(403);
    assert!(wrong["message"].as_str().unwrap().contains("4 attempts are left"), "{wrong}");
    let paired = pair(Some(ORIGIN), &code).await.data();
    assert!(paired["name"].as_str().unwrap().starts_with("panel-"), "{paired}");
    pair(Some(ORIGIN), &code).await.refused(403);

    let info = async |token: Option<&str>| {
        let request = serving.http.get(format!("{}/api/extension", serving.url)).header("origin", ORIGIN);
        let request = token.map_or(request.try_clone().unwrap(), |token| request.bearer_auth(token));
        Answer::of(request.send().await.unwrap()).await.data()
    };
    let token = paired["token"].as_str().unwrap();
    assert_eq!(info(Some(token)).await["paired"], true);
    assert_eq!(
        info(None).await,
        json!({ "version": env!("CARGO_PKG_VERSION"), "relayVersion": 2, "paired": false, "hasModel": false })
    );
    TokenFile::of(&place.data()).revoke(paired["name"].as_str().unwrap()).unwrap();
    assert_eq!(info(Some(token)).await["paired"], false);
    serving.stop().await;
}

#[tokio::test]
async fn a_run_in_a_tab_that_cannot_be_debugged_fails_with_the_reason_and_starts_no_browser() {
    let place = Place::new().set("browser.path", "/nowhere/chromium");
    let serving = place.open().await;
    let panel = Panel::pair(&place, &serving).await;
    let (tab, mut socket) = panel.tab().await;
    assert!(connect(&serving, &tab, ORIGIN).await.is_err(), "a tab connects once");
    let run = panel.start(&tab).await;
    let asked = next(&mut socket).await;
    assert_eq!(asked["type"], "attach_tab");
    let refusal = json!({ "type": "error", "id": asked["id"], "message": "Cannot access a chrome:// URL" });
    socket.send(Message::text(refusal.to_string())).await.unwrap();
    let (events, status) = serving.to_the_end(&run).await;
    assert_ne!(status, "success");
    let said = json!(events).to_string();
    assert!(said.contains("the tab of your browser cannot be used: Cannot access a chrome:// URL"), "{said}");
    assert!(said.contains("EX011") && !said.contains("EX001"), "{said}");

    // The tab is not assigned to another run, and a resume needs a new one.
    panel.post("/api/automation/execute", json!({ "steps": ["Reload the page"], "tab": tab })).await.refused(409);
    let refused = panel.post(&format!("/api/automation/sessions/{run}/resume"), json!({})).await.refused(409);
    assert!(refused["message"].as_str().unwrap().contains("works in a tab of your own browser"), "{refused}");
    serving.stop().await;
}

#[tokio::test]
async fn a_closed_tab_cancels_its_run_and_a_lost_connection_does_not() {
    let place = Place::new();
    let serving = place.open().await;
    let panel = Panel::pair(&place, &serving).await;
    for (code, expected, words) in [
        (4001, "cancelled", "the tab was closed"),
        (4003, "failure", "the browser disconnected Legwork from the tab"),
        (4004, "failure", "a frame of another extension"),
        (4005, "failure", "discarded the tab"),
    ] {
        let (tab, mut socket) = panel.tab().await;
        let run = panel.start(&tab).await;
        assert_eq!(next(&mut socket).await["type"], "attach_tab");
        let frame = CloseFrame { code: CloseCode::from(code), reason: "".into() };
        socket.close(Some(frame)).await.unwrap();
        let (events, status) = serving.to_the_end(&run).await;
        assert_eq!(status, expected, "{code}");
        assert!(json!(events).to_string().contains(words), "{words}");
    }
    serving.stop().await;
}

/// The connection of a tab in which a run is, so that a server with one run at a time has no place for another one.
async fn occupy(panel: &Panel<'_>) -> Socket {
    let (tab, mut socket) = panel.tab().await;
    panel.start(&tab).await;
    assert_eq!(next(&mut socket).await["type"], "attach_tab");
    socket
}

#[tokio::test]
async fn a_run_that_waits_for_its_turn_is_cancelled_with_its_tab() {
    let place = Place::new().set("server.max_concurrent_runs", "1");
    let serving = place.open().await;
    let panel = Panel::pair(&place, &serving).await;
    let mut first = occupy(&panel).await;
    let (tab, mut socket) = panel.tab().await;
    let queued = panel.start(&tab).await;
    let mut stream = serving.stream(&format!("/api/stream/sse/{queued}")).await;
    let frame = CloseFrame { code: CloseCode::from(4001), reason: "".into() };
    socket.close(Some(frame.clone())).await.unwrap();
    let (events, status) = stream.until_the_end().await;
    assert_eq!(status, "cancelled", "{}", json!(events));
    assert!(json!(events).to_string().contains("the tab was closed"), "{}", json!(events));
    first.close(Some(frame)).await.unwrap();
    serving.stop().await;
}

#[tokio::test]
async fn a_cancelled_run_that_waited_for_its_turn_releases_its_tab() {
    let place = Place::new().set("server.max_concurrent_runs", "1");
    let serving = place.open().await;
    let panel = Panel::pair(&place, &serving).await;
    let mut first = occupy(&panel).await;
    let (tab, mut socket) = panel.tab().await;
    let queued = panel.start(&tab).await;
    panel.post(&format!("/api/automation/sessions/{queued}/cancel"), json!({})).await.data();
    assert_eq!(closed(&mut socket).await, CloseCode::Normal);
    first.close(Some(CloseFrame { code: CloseCode::from(4001), reason: "".into() })).await.unwrap();
    serving.stop().await;
}

/// If the server ended the connection at once, the system would reset it while messages of the extension are unread, and
/// the panel would say after a success that the connection was lost.
#[tokio::test]
async fn a_released_tab_is_not_disconnected_before_it_answered() {
    let place = Place::new().set("server.max_concurrent_runs", "1");
    let serving = place.open().await;
    let panel = Panel::pair(&place, &serving).await;
    let mut first = occupy(&panel).await;
    let (tab, mut socket) = panel.tab().await;
    let queued = panel.start(&tab).await;
    panel.post(&format!("/api/automation/sessions/{queued}/cancel"), json!({})).await.data();
    assert_eq!(closed(&mut socket).await, CloseCode::Normal);
    // The answer is sent when the socket is read again.
    let MaybeTlsStream::Plain(connection) = socket.get_ref() else { panic!("it is not encrypted") };
    let end = tokio::time::timeout(Duration::from_millis(500), connection.peek(&mut [0])).await;
    assert!(end.is_err(), "the server ended the connection: {end:?}");
    let answered = tokio::time::timeout(TEST_TIMEOUT, socket.next()).await.unwrap();
    assert!(answered.is_none_or(|message| message.is_err()), "only the end follows");
    first.close(Some(CloseFrame { code: CloseCode::from(4001), reason: "".into() })).await.unwrap();
    serving.stop().await;
}

#[tokio::test]
async fn a_run_that_cannot_start_replaces_none() {
    let place = Place::new().set("server.max_concurrent_runs", "1");
    let serving = place.open().await;
    let panel = Panel::pair(&place, &serving).await;
    let mut first = occupy(&panel).await;
    let body = json!({ "steps": ["Reload the page"], "page": "p" });
    let queued = panel.post("/api/automation/execute", body).await.data()["sessionId"].clone();
    let refused = panel.post("/api/automation/execute", json!({ "steps": ["Clik it"], "page": "p" })).await;
    assert!(refused.status.is_client_error(), "{}", refused.status);
    let url = format!("{}/api/automation/sessions/{}", serving.url, queued.as_str().unwrap());
    let asked = serving.http.get(url).bearer_auth(&panel.token).send().await.unwrap();
    assert_eq!(Answer::of(asked).await.data()["state"], "queued");
    first.close(Some(CloseFrame { code: CloseCode::from(4001), reason: "".into() })).await.unwrap();
    serving.stop().await;
}

#[tokio::test]
async fn the_server_proves_that_it_knows_the_token_of_a_panel_and_of_no_other() {
    let place = Place::new();
    let serving = place.open().await;
    let panel = Panel::pair(&place, &serving).await;
    let record = TokenFile::of(&place.data()).list().unwrap().remove(0);
    let nonce = "5a".repeat(32);
    let host = serving.url.strip_prefix("http://").unwrap();
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, record.proof_key().as_bytes());
    let tag = ring::hmac::sign(&key, format!("{nonce}\n{host}").as_bytes());
    let expected: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    let ask = async |origin: &str, nonce: &str, pairing: &str| {
        let url = format!("{}/api/extension/proof?nonce={nonce}&pairing={pairing}", serving.url);
        Answer::of(serving.http.get(url).header("origin", origin).send().await.unwrap()).await
    };
    assert_eq!(ask(ORIGIN, &nonce, &record.public_fingerprint()).await.data()["proof"], expected);
    for (nonce, pairing) in [(nonce.as_str(), "0123456789abcdef"), ("5a", &record.public_fingerprint()), ("zz", "")] {
        assert_eq!(ask(ORIGIN, nonce, pairing).await.data(), json!({}), "{nonce} {pairing}");
    }
    ask(OTHER, &nonce, &record.public_fingerprint()).await.refused(403);
    assert!(!record.proof_key().contains(&record.public_fingerprint()));

    // Over the connection of a tab, too.
    let (_, mut socket) = panel.tab().await;
    let asked = format!(r#"{{"type":"prove","nonce":"{nonce}","pairing":"{}"}}"#, record.public_fingerprint());
    socket.send(Message::text(asked)).await.unwrap();
    assert_eq!(next(&mut socket).await, json!({ "type": "proof", "proof": expected }));
    TokenFile::of(&place.data()).revoke(&record.name).unwrap();
    assert_eq!(ask(ORIGIN, &nonce, &record.public_fingerprint()).await.data(), json!({}));
    serving.stop().await;
}

/// The code with which Legwork closes the connection of a tab.
async fn closed(socket: &mut Socket) -> CloseCode {
    let end = tokio::time::timeout(TEST_TIMEOUT, async {
        loop {
            match socket.next().await {
                Some(Ok(Message::Close(Some(frame)))) => return frame.code,
                Some(Ok(_)) => {}
                other => panic!("{other:?}"),
            }
        }
    });
    end.await.unwrap()
}

#[tokio::test]
async fn a_revoked_pairing_releases_its_tabs() {
    let place = Place::new();
    let serving = place.open().await;
    let panel = Panel::pair(&place, &serving).await;
    let (_, mut socket) = panel.tab().await;
    let name = TokenFile::of(&place.data()).list().unwrap()[0].name.clone();
    TokenFile::of(&place.data()).revoke(&name).unwrap();
    assert_eq!(closed(&mut socket).await, CloseCode::Policy);
    assert!(connect(&serving, "unknown", ORIGIN).await.is_err() && connect(&serving, "unknown", OTHER).await.is_err());
    serving.stop().await;
}
