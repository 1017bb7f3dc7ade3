//! Who is let in: every route against every wrong Host and Origin, cookies, the CSRF value, links, the WebSocket, logs.

use futures_util::{SinkExt, StreamExt};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use tokio_tungstenite::tungstenite::{Message, client::IntoClientRequest};

use crate::support::{Answer, Place, Serving};

/// Every route there is, from the document that is made of the same table as the router.
fn routes() -> Vec<(String, String)> {
    let document: Value = serde_json::from_str(&legwork_server::openapi()).unwrap();
    let mut routes = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            let path = path
                .replace("{id}", "01a201dc240b755aa39fb4e7855f180d")
                .replace("{hash}", &"a".repeat(64))
                .replace("{name}", "decider");
            routes.push((method.to_uppercase(), path));
        }
    }
    assert!(routes.len() >= 50, "{}", routes.len());
    routes
}

/// A request as it stands on the wire; the status of the answer.
async fn raw(port: u16, method: &str, path: &str, headers: &str) -> u16 {
    let mut socket = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let request = format!("{method} {path} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Length: 0\r\n\r\n");
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    // Streams do not end by themselves; a refusal does.
    let mut piece = [0; 64];
    while answer.len() < 12 {
        let read = socket.read(&mut piece).await.unwrap();
        if read == 0 {
            break;
        }
        answer.extend_from_slice(&piece[..read]);
    }
    String::from_utf8_lossy(&answer).split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_route_answers_to_a_wrong_host_or_origin() {
    let place = Place::new().set("server.requests_per_second", "1000000");
    let serving = place.open().await;
    let port: u16 = serving.url.rsplit(':').next().unwrap().parse().unwrap();
    let (good, bearer) =
        (format!("Host: 127.0.0.1:{port}\r\n"), format!("Authorization: Bearer {}\r\n", serving.token));
    let hosts = [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        "127.0.0.1".into(),
        "localhost".into(),
        "[::1]".into(),
        format!("127.0.0.1:{}", port ^ 1),
        format!("127.1:{port}"),
        format!("2130706433:{port}"),
        format!("0x7f000001:{port}"),
        format!("0177.0.0.1:{port}"),
        format!("127.0.0.2:{port}"),
        format!("0.0.0.0:{port}"),
        format!("localhost.:{port}"),
        format!("localhost.evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        format!("evil.example@127.0.0.1:{port}"),
        format!("127.0.0.1:{port}@evil.example"),
        format!("[::ffff:127.0.0.1]:{port}"),
        format!("[0:0:0:0:0:0:0:1]:{port}"),
        format!("[::]:{port}"),
        String::new(),
        format!("127.0.0.1:0{port}"),
        format!("127.0.0.1:{port}, evil.example"),
        format!("http://127.0.0.1:{port}"),
    ];
    let origins = [
        "null".to_owned(),
        "http://evil.example".into(),
        format!("http://evil.example:{port}"),
        "http://127.0.0.1".into(),
        format!("https://127.0.0.1:{port}"),
        format!("http://127.0.0.1:{}", port ^ 1),
        format!("http://127.0.0.1:{port}/"),
        format!("HTTP://127.0.0.1:{port}"),
        format!("http://127.1:{port}"),
        format!("http://localhost.:{port}"),
        format!("http://LOCALHOST:{port}"),
        format!("http://a.localhost:{port}"),
        format!("http://127.0.0.1:{port}.evil.example"),
        format!("http://evil.example@127.0.0.1:{port}"),
        format!("http://127.0.0.1:{port} http://evil.example"),
        "file://".into(),
        "chrome-extension://abcdefghijklmnopabcdefghijklmnop".into(),
        String::new(),
    ];
    let mut headers: Vec<String> = hosts.iter().map(|host| format!("Host: {host}\r\n")).collect();
    headers.extend(origins.iter().map(|origin| format!("{good}Origin: {origin}\r\n")));
    headers.push(format!("{good}{good}"));
    headers.push(format!("{good}Origin: {}\r\nOrigin: http://evil.example\r\n", serving.url));
    headers.push(String::new());
    assert!(headers.len() >= 40);
    let routes = routes();
    for header in &headers {
        for (method, path) in &routes {
            let status = raw(port, method, path, &format!("{header}{bearer}")).await;
            assert!(matches!(status, 400 | 403), "{status} for {method} {path} with {header:?}");
        }
    }
    // The request line's own authority counts as well.
    assert_eq!(raw(port, "GET", "http://evil.example/api/me", &format!("{good}{bearer}")).await, 403);
    // With the right ones the same requests pass the gate.
    let right = format!("{good}Origin: {}\r\n{bearer}", serving.url);
    for (method, path) in &routes {
        let status = raw(port, method, path, &right).await;
        let link = path == "/open" || path == "/api/extension/pair" || path.starts_with("/api/extension/tabs/");
        assert!(!matches!(status, 0 | 401 | 405) && (status != 403 || link), "{status} for {method} {path}");
    }
    // Nobody unknown is let in, but for what is open.
    for (method, path) in &routes {
        let status = raw(port, method, path, &good).await;
        let is_open = ["/open", "/api/health", "/api/extension", "/api/extension/pair", "/api/extension/proof"];
        let open = is_open.contains(&path.as_str()) || path.starts_with("/api/extension/tabs/");
        assert!(open || status == 401, "{status} for {method} {path}");
    }
    for wrong in
        ["Bearer ", "Bearer wrong", "Basic dXNlcjpwYXNz", &format!("Bearer {}x", serving.token), &serving.token.clone()]
    {
        assert_eq!(raw(port, "GET", "/api/me", &format!("{good}Authorization: {wrong}\r\n")).await, 401, "{wrong}");
    }
    assert_eq!(raw(port, "GET", &format!("/api/me?token={}", serving.token), &good).await, 401);
    serving.stop().await;
}

/// Opens the link; the cookie.
async fn cookie(serving: &Serving) -> String {
    let response = serving.http.get(&serving.link).send().await.unwrap();
    assert_eq!((response.status().as_u16(), response.headers()["location"].to_str().unwrap()), (303, "/"));
    let set = response.headers()["set-cookie"].to_str().unwrap();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(set.contains(part), "{set}");
    }
    set.split(';').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_link_works_once_and_the_page_needs_its_csrf_value_to_change_anything() {
    let place = Place::new();
    let serving = place.open().await;
    let cookie = cookie(&serving).await;
    assert_eq!(serving.http.get(&serving.link).send().await.unwrap().status(), 403, "used up");

    let with = |method: Method, path: &str| {
        serving.http.request(method, format!("{}{path}", serving.url)).header("cookie", &cookie)
    };
    let me = Answer::of(with(Method::GET, "/api/me").send().await.unwrap()).await.data();
    let csrf = me["csrf"].as_str().unwrap();
    let validate = || with(Method::POST, "/api/automation/validate");
    let body = json!({ "steps": ["Open https://example.org"] });
    serving.send(validate(), body.clone()).await.refused(403);
    serving.send(validate().header("x-legwork-csrf", "wrong"), body.clone()).await.refused(403);
    let verdict = serving.send(validate().header("x-legwork-csrf", csrf), body.clone()).await.data();
    assert_eq!((&verdict["valid"], &verdict["steps"][0]["decider"]), (&json!(true), &json!("literal")));
    let cross = with(Method::GET, "/api/me").header("sec-fetch-site", "same-site").send().await.unwrap();
    Answer::of(cross).await.refused(403);
    let nobody = serving.http.get(format!("{}/api/me", serving.url)).send().await.unwrap();
    assert_eq!(Answer::of(nobody).await.refused(401)["code"], "FA002");
    // A page cannot make itself a link.
    serving.send(with(Method::POST, "/api/link").header("x-legwork-csrf", csrf), json!({})).await.refused(403);
    // Any change to the cookie makes it nobody's; the next server of the same folder knows the good one.
    for broken in
        [cookie.replace("legwork_session=1", "legwork_session=2"), format!("{cookie}A"), "legwork_session=".into()]
    {
        let asked = serving.http.get(format!("{}/api/me", serving.url)).header("cookie", broken).send().await.unwrap();
        assert_eq!(asked.status(), 401);
    }
    serving.stop().await;
    let serving = place.open().await;
    let asked = serving.http.get(format!("{}/api/me", serving.url)).header("cookie", &cookie).send().await.unwrap();
    assert_eq!(asked.status(), 200);
    // `legwork serve --link`.
    let link = legwork_server::new_link(&place.data(), None).await.unwrap();
    assert_eq!(serving.http.get(link).send().await.unwrap().status(), 303);
    serving.stop().await;
}

#[tokio::test]
async fn the_page_is_served_with_a_policy_that_runs_nothing_inline() {
    let place = Place::new();
    let serving = place.open().await;
    for path in ["/", "/runs/some-place-of-the-page"] {
        let page = serving.http.get(format!("{}{path}", serving.url)).send().await.unwrap();
        let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
        assert!(
            policy.contains("default-src 'none'; script-src 'self'; style-src 'self'") && !policy.contains("unsafe"),
            "{policy}"
        );
        assert_eq!((page.status().as_u16(), page.headers()["x-frame-options"].to_str().unwrap()), (200, "DENY"));
    }
    serving.get("/api/nothing").await.refused(401 + 3);
    assert_eq!(serving.http.get(format!("{}/assets/none.js", serving.url)).send().await.unwrap().status(), 404);
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_websocket_needs_the_pages_origin_replays_and_answers() {
    let place = Place::new();
    let serving = place.open().await;
    let run = serving.execute(json!({ "task": "Ponder" })).await;
    let (events, _) = serving.to_the_end(&run).await;
    let plain = serving.get(&format!("/api/stream/ws/{run}")).await;
    assert_eq!(plain.refused(426)["code"], "ES001");
    let address = format!("{}/api/stream/ws/{run}", serving.url.replace("http", "ws"));
    let cookie = cookie(&serving).await;
    let connect = |headers: Vec<(&'static str, String)>| {
        let mut request = address.as_str().into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(name, value.parse().unwrap());
        }
        tokio_tungstenite::connect_async(request)
    };
    for refused in [
        vec![],
        vec![("cookie", cookie.clone())],
        vec![("cookie", cookie.clone()), ("origin", "http://evil.example".into())],
        vec![("authorization", "Bearer wrong".into())],
    ] {
        assert!(connect(refused).await.is_err());
    }
    let (mut socket, _) = connect(vec![("cookie", cookie), ("origin", serving.url.clone())]).await.unwrap();
    let mut say = async |message: Value| -> Value {
        socket.send(Message::text(message.to_string())).await.unwrap();
        serde_json::from_str(socket.next().await.unwrap().unwrap().to_text().unwrap()).unwrap()
    };
    assert_eq!(say(json!({ "type": "ping" })).await, json!({ "type": "pong" }));
    let error = say(json!({ "type": "op", "op": { "op": "pause" } })).await;
    assert_eq!((&error["type"], &error["code"]), (&json!("error"), &json!("ES002")));
    let first = say(json!({ "type": "subscribe", "from": 2 })).await;
    assert_eq!(first, json!({ "type": "event", "event": events[1] }));
    for event in &events[2..] {
        let next: Value = serde_json::from_str(socket.next().await.unwrap().unwrap().to_text().unwrap()).unwrap();
        assert_eq!(next["event"], *event);
    }
    let end: Value = serde_json::from_str(socket.next().await.unwrap().unwrap().to_text().unwrap()).unwrap();
    assert_eq!(end["type"], "end");
    serving.stop().await;
}

/// What is logged, for a test to look at.
#[derive(Clone, Default)]
struct Log(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn no_credential_is_logged() {
    let log = Log::default();
    let writer = log.clone();
    tracing_subscriber::fmt()
        .with_env_filter("off,legwork=trace,legwork_server=trace,legwork_store=trace,hyper=trace")
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .init();
    let place = Place::new().env("OPENAI_API_KEY", "sk-a-key-for-tests");
    let serving = place.open().await;
    let cookie = cookie(&serving).await;
    serving.http.get(&serving.link).send().await.unwrap();
    serving.get(&format!("/api/automation/sessions?q={}", serving.token)).await.data();
    let me = serving.http.get(format!("{}/api/me", serving.url)).header("cookie", &cookie);
    let csrf = Answer::of(me.send().await.unwrap()).await.data()["csrf"].as_str().unwrap().to_owned();
    let changed = serving.http.post(format!("{}/api/automation/validate", serving.url)).header("cookie", &cookie);
    serving.send(changed.header("x-legwork-csrf", &csrf), json!({ "steps": ["Click \"Ponder\""] })).await.data();
    let run = serving.execute(json!({ "task": "Ponder" })).await;
    serving.to_the_end(&run).await;
    let (code, token) = (serving.link.rsplit('=').next().unwrap().to_owned(), serving.token.clone());
    serving.stop().await;
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(text.contains("path=\"/open\"") && text.contains("path=\"/api/automation/execute\""), "{text}");
    for secret in [code.as_str(), &token, cookie.split_once('=').unwrap().1, &csrf, "sk-a-key-for-tests"] {
        assert!(!text.contains(secret), "{secret} is in the log");
    }
}
