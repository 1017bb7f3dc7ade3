//! Tokens with scopes: what each route requires, revocation and expiry while streams are open, links, limits, and the
//! audit log.

use futures_util::StreamExt;
use jiff::{Timestamp, ToSpan};
use legwork_access::{AuditEntry, AuditLog, ConnectionLimits, NewToken, TokenFile, TokenScope};
use reqwest::{Method, StatusCode};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use tokio_tungstenite::tungstenite::{Message, client::IntoClientRequest, protocol::frame::coding::CloseCode};

use crate::support::{Answer, Place, Serving, TEST_TIMEOUT};

/// Creates a token in the data folder, as another process does.
fn token(place: &Place, name: &str, scopes: &[TokenScope]) -> NewToken {
    TokenFile::of(&place.data()).create(name, scopes.iter().copied().collect(), None).unwrap()
}

/// A client with the token.
fn with(serving: &Serving, token: &NewToken) -> impl Fn(Method, &str) -> reqwest::RequestBuilder + use<> {
    let (http, url, token) = (serving.http.clone(), serving.url.clone(), token.text.expose_secret().to_owned());
    move |method, path| http.request(method, format!("{url}{path}")).bearer_auth(&token)
}

fn entries(place: &Place) -> Vec<AuditEntry> {
    AuditLog::of(&place.data()).read(None).unwrap()
}

/// The scopes that an operation of the OpenAPI document requires, for a bearer token.
fn required(operation: &Value) -> Option<Vec<TokenScope>> {
    let ways = operation["security"].as_array()?;
    let token = ways.iter().find_map(|way| way["token"].as_array());
    Some(token.into_iter().flatten().map(|scope| scope.as_str().unwrap().parse().unwrap()).collect())
}

#[tokio::test]
async fn every_route_requires_its_scope_and_names_it_when_it_is_missing() {
    let place = Place::new().set("server.requests_per_second", "1000000");
    let serving = place.open().await;
    let document: Value = serde_json::from_str(&legwork_server::openapi()).unwrap();
    let mut without_scope = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let scopes = required(operation).unwrap_or_default();
            let [scope] = scopes[..] else {
                without_scope.push(path.clone());
                continue;
            };
            let ids = [("{id}", "01a201dc240b755aa39fb4e7855f180d".to_owned()), ("{hash}", "a".repeat(64))];
            let ids = ids.into_iter().chain([("{name}", "decider".to_owned())]);
            let concrete = ids.fold(path.clone(), |path, (name, id)| path.replace(name, &id));
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            // A file is read at each request, so a change of the tokens applies to the next one.
            let others: Vec<TokenScope> = TokenScope::ALL.into_iter().filter(|other| *other != scope).collect();
            let lacks = token(&place, "lacks", &others);
            let response = with(&serving, &lacks)(method.clone(), &concrete).send().await.unwrap();
            let challenge = response.headers()["www-authenticate"].to_str().unwrap().to_owned();
            assert_eq!(challenge, format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\""), "{method} {path}");
            let error = Answer::of(response).await.refused(403);
            assert_eq!(error["code"], "FA004");
            assert!(error["message"].as_str().unwrap().contains(&format!("`{scope}`")), "{error}");
            assert!(error["suggestedAction"].as_str().unwrap().contains(&format!("--scope {scope}")), "{error}");

            let has = token(&place, "has", &[scope]);
            let status = with(&serving, &has)(method.clone(), &concrete).send().await.unwrap().status();
            assert!(!matches!(status.as_u16(), 401 | 403 | 405), "{status} for {method} {path}");
            for name in ["lacks", "has"] {
                TokenFile::of(&place.data()).revoke(name).unwrap();
            }
        }
    }
    without_scope.sort();
    let of_panel = ["/api/extension", "/api/extension/pair", "/api/extension/proof", "/api/extension/tabs/{id}"];
    assert_eq!(without_scope[..4], of_panel);
    assert_eq!(without_scope[4..], ["/api/health", "/api/link", "/api/me", "/api/openapi.json", "/open"]);
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_running_server_honours_a_new_token_and_ends_the_streams_of_a_revoked_one() {
    let place = Place::new();
    let serving = place.open().await;
    let run = serving.execute(json!({ "task": "Ponder" })).await;
    serving.to_the_end(&run).await;
    let (reader, other) = (token(&place, "reader", &[TokenScope::Read]), token(&place, "other", &[TokenScope::Read]));
    let ask = with(&serving, &reader);
    let mut stream = ask(Method::GET, &format!("/api/stream/sse/{run}")).send().await.unwrap();
    let mut list = ask(Method::GET, "/api/stream/sse").send().await.unwrap();
    let mut others = with(&serving, &other)(Method::GET, "/api/stream/sse").send().await.unwrap();
    for stream in [&mut stream, &mut list, &mut others] {
        assert_eq!(stream.status(), 200);
        stream.chunk().await.unwrap().expect("the stream begins");
    }
    let address = format!("{}/api/stream/ws/{run}", serving.url.replace("http", "ws"));
    let mut request = address.into_client_request().unwrap();
    let bearer = format!("Bearer {}", reader.text.expose_secret());
    request.headers_mut().insert("authorization", bearer.parse().unwrap());
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await.unwrap();

    TokenFile::of(&place.data()).revoke("reader").unwrap();
    let refused = Answer::of(ask(Method::GET, "/api/me").send().await.unwrap()).await.refused(401);
    assert_eq!(refused["code"], "FA002");
    let ends = async {
        for stream in [&mut stream, &mut list] {
            while stream.chunk().await.unwrap().is_some() {}
        }
        match socket.next().await.unwrap().unwrap() {
            Message::Close(Some(frame)) => frame,
            other => panic!("{other:?}"),
        }
    };
    let frame = tokio::time::timeout(TEST_TIMEOUT, ends).await.expect("the streams end");
    assert_eq!((frame.code, frame.reason.as_str()), (CloseCode::Policy, "the token was revoked or has expired"));
    // The stream of the other token goes on: it tells of the next run.
    let next = serving.execute(json!({ "task": "Ponder again" })).await;
    let told = async {
        let mut text = String::new();
        while !text.contains(&next) {
            text += &String::from_utf8_lossy(&others.chunk().await.unwrap().expect("the stream goes on"));
        }
    };
    tokio::time::timeout(TEST_TIMEOUT, told).await.expect("the row of the run arrives");
    serving.stop().await;
}

#[tokio::test]
async fn a_stream_ends_when_its_token_expires() {
    let place = Place::new();
    let serving = place.open().await;
    let soon = Timestamp::now() + 2.seconds();
    let brief =
        TokenFile::of(&place.data()).create("brief", [TokenScope::Read].into_iter().collect(), Some(soon)).unwrap();
    let ask = with(&serving, &brief);
    let mut stream = ask(Method::GET, "/api/stream/sse").send().await.unwrap();
    assert_eq!(stream.status(), 200);
    let ends = async { while stream.chunk().await.unwrap().is_some() {} };
    tokio::time::timeout(TEST_TIMEOUT, ends).await.expect("the stream ends");
    assert!(Timestamp::now() >= soon);
    assert_eq!(ask(Method::GET, "/api/me").send().await.unwrap().status(), 401);
    serving.stop().await;
}

/// Opens a link; the cookie.
async fn signed_in(serving: &Serving, link: &str) -> String {
    let response = serving.http.get(link).send().await.unwrap();
    assert_eq!(response.status(), 303);
    response.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_page_that_a_link_of_a_token_signed_in_has_its_scopes_and_ends_with_it() {
    let place = Place::new();
    let serving = place.open().await;
    let guest = token(&place, "guest", &[TokenScope::Read]);
    let link = legwork_server::new_link(&place.data(), Some("guest")).await.unwrap();
    let cookie = signed_in(&serving, &link).await;
    let page =
        |method, path: &str| serving.http.request(method, format!("{}{path}", serving.url)).header("cookie", &cookie);
    let me = Answer::of(page(Method::GET, "/api/me").send().await.unwrap()).await.data();
    assert_eq!((&me["token"], &me["scopes"]), (&json!("guest"), &json!(["read"])));
    let csrf = me["csrf"].as_str().unwrap();
    let start = page(Method::POST, "/api/automation/execute").header("x-legwork-csrf", csrf);
    assert_eq!(serving.send(start, json!({ "task": "Ponder" })).await.refused(403)["code"], "FA004");
    let unsigned = cookie.replace(&guest.record.id, "");
    let forged = serving.http.get(format!("{}/api/me", serving.url)).header("cookie", unsigned.replace("..", "."));
    assert_eq!(forged.send().await.unwrap().status(), 401, "without the id it would be the owner's");

    // The token gives links for itself, and for no other one.
    let ask = with(&serving, &guest);
    let own = serving.send(ask(Method::POST, "/api/link"), json!({})).await.data();
    let own = format!("{}/open?code={}", serving.url, own["code"].as_str().unwrap());
    let own = signed_in(&serving, &own).await;
    let me = serving.http.get(format!("{}/api/me", serving.url)).header("cookie", own).send().await.unwrap();
    assert_eq!(Answer::of(me).await.data()["scopes"], json!(["read"]));
    token(&place, "chief", &[TokenScope::Admin]);
    serving.send(ask(Method::POST, "/api/link"), json!({ "token": "chief" })).await.refused(403);
    serving.post("/api/link", json!({ "token": "nobody" })).await.refused(404);

    TokenFile::of(&place.data()).revoke("guest").unwrap();
    assert_eq!(page(Method::GET, "/api/me").send().await.unwrap().status(), 401);
    let missing = legwork_server::new_link(&place.data(), Some("guest")).await.unwrap_err();
    assert_eq!(missing.to_string(), "there is no valid token \"guest\"");
    serving.stop().await;
}

#[tokio::test]
async fn a_token_that_asks_too_often_delays_no_other() {
    let place = Place::new().set("server.requests_per_second_per_token", "1");
    let serving = place.open().await;
    let (busy, quiet) = (token(&place, "busy", &[TokenScope::Read]), token(&place, "quiet", &[TokenScope::Read]));
    let mut refused = None;
    for _ in 0..10 {
        let response = with(&serving, &busy)(Method::GET, "/api/me").send().await.unwrap();
        if response.status() == 429 {
            refused = Some(response);
            break;
        }
    }
    let response = refused.expect("one is too many");
    assert!(response.headers().contains_key("retry-after"));
    assert_eq!(Answer::of(response).await.refused(429)["message"], "too many requests with this token");
    assert_eq!(with(&serving, &quiet)(Method::GET, "/api/me").send().await.unwrap().status(), 200);
    serving.get("/api/me").await.data();
    serving.stop().await;
}

#[tokio::test]
async fn the_key_of_a_webhook_is_for_those_who_may_change_schedules() {
    let place = Place::new();
    let serving = place.open().await;
    let plan = json!({ "name": "daily", "cron": "0 9 * * *", "workflow": "Open https://example.org",
                       "webhook": "https://hooks.example/x" });
    assert!(serving.post("/api/schedules", plan).await.data()["webhookKey"].is_string());
    let reader = token(&place, "reader", &[TokenScope::Read]);
    let list = with(&serving, &reader)(Method::GET, "/api/schedules").send().await.unwrap();
    let list = Answer::of(list).await.data();
    assert_eq!((&list[0]["name"], list[0].get("webhookKey")), (&json!("daily"), None));
    assert!(serving.get("/api/schedules").await.data()[0]["webhookKey"].is_string());
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_changes_something_or_is_refused_is_in_the_audit_log_and_no_secret_is() {
    let place = Place::new();
    let serving = place.open().await;
    let ci = token(&place, "ci", &[TokenScope::Read, TokenScope::Run]);
    let ask = with(&serving, &ci);
    let body = json!({ "task": "Ponder the word hippopotamus" });
    let started = serving.send(ask(Method::POST, "/api/automation/execute"), body).await.data();
    let path = format!("/api/automation/sessions/{}/cancel", started["sessionId"].as_str().unwrap());
    let run = started["sessionId"].as_str().unwrap().replace('-', "");
    serving.send(ask(Method::POST, &path), json!({})).await.refused(403);
    ask(Method::GET, "/api/automation/sessions").send().await.unwrap();
    let change = serving.ask(Method::PUT, "/api/settings/limits.max_actions");
    serving.send(change, json!({ "value": 12 })).await.data();
    // Nobody, with a token in the places where a client may put it by mistake.
    let text = ci.text.expose_secret();
    let lost = format!("{}/api/automation/sessions/{text}?token={text}", serving.url);
    assert_eq!(serving.http.get(lost).bearer_auth("wrong").send().await.unwrap().status(), 401);
    let cookie = signed_in(&serving, &serving.link).await;

    let told: Vec<Value> = entries(&place).iter().map(|entry| serde_json::to_value(entry).unwrap()).collect();
    let told: Vec<Value> = told
        .into_iter()
        .map(|mut entry| {
            assert!(entry["time"].as_str().unwrap().parse::<Timestamp>().is_ok());
            assert_eq!((&entry["server"], &entry["address"]), (&json!("serve"), &json!("127.0.0.1")));
            for name in ["time", "server", "address"] {
                entry.as_object_mut().unwrap().remove(name);
            }
            entry
        })
        .collect();
    let id = ci.record.id;
    let sessions = "/api/automation/sessions/{id}";
    assert_eq!(
        told,
        [
            json!({ "client": "ci", "tokenId": id, "method": "POST", "route": "/api/automation/execute", "run": run, "status": 202 }),
            json!({ "client": "ci", "tokenId": id, "method": "POST", "route": format!("{sessions}/cancel"), "run": run, "status": 403 }),
            json!({ "client": "server.token", "method": "PUT", "route": "/api/settings/{name}", "subject": "limits.max_actions", "status": 200 }),
            json!({ "method": "GET", "route": sessions, "status": 401 }),
            json!({ "method": "GET", "route": "/open", "status": 303 }),
        ]
    );
    let mut files = String::new();
    for file in std::fs::read_dir(place.data()).unwrap().map(|file| file.unwrap().path()) {
        if file.file_name().unwrap().to_str().unwrap().starts_with("audit") {
            files += &std::fs::read_to_string(&file).unwrap();
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "{file:?}");
            }
        }
    }
    let code = serving.link.rsplit('=').next().unwrap();
    for secret in [text, &serving.token, code, cookie.split_once('=').unwrap().1, "hippopotamus", "12}"] {
        assert!(files.contains("max_actions") && !files.contains(secret), "{secret} is in the audit log");
    }
    serving.stop().await;
}

#[tokio::test]
async fn behind_a_proxy_the_audit_log_has_the_address_that_the_proxy_states() {
    let place = Place::new().set("server.behind_proxy", "https://legwork.example.org");
    let serving = place.open().await;
    let asked = serving.http.get(format!("{}/api/me", local_origin(&place)));
    let asked = asked.header("host", "legwork.example.org").header("x-forwarded-for", "10.9.9.9, 203.0.113.7");
    assert_eq!(asked.send().await.unwrap().status(), 401);
    assert_eq!(entries(&place)[0].address, Some("203.0.113.7".parse().unwrap()));
    serving.stop().await;
}

/// The origin at which programs on this machine reach a server behind a proxy.
fn local_origin(place: &Place) -> String {
    let note = std::fs::read_to_string(place.data().join("server.json")).unwrap();
    let note: Value = serde_json::from_str(&note).unwrap();
    note["local"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_body_that_never_arrives_is_refused_in_time() {
    let mut place = Place::new();
    place.limits = ConnectionLimits { body: Duration::from_millis(50), ..ConnectionLimits::default() };
    let serving = place.open().await;
    let address = serving.url.replace("http://", "");
    let mut socket = TcpStream::connect(&address).await.unwrap();
    let head = format!(
        "POST /api/automation/validate HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
        serving.token
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut status = [0; 12];
    tokio::time::timeout(TEST_TIMEOUT, socket.read_exact(&mut status)).await.expect("an answer").unwrap();
    let expected = format!("HTTP/1.1 {}", StatusCode::REQUEST_TIMEOUT.as_u16());
    assert_eq!(String::from_utf8_lossy(&status), expected);
    drop(socket);
    serving.stop().await;
}
