//! Access over HTTP: the token, the `Host` header and the `Origin` header.

use legwork_mcp::Http;
use reqwest::{StatusCode, header};
use serde_json::json;

use crate::support::{Place, at_loopback, served};

/// Sends an initialization with these headers and returns the status.
async fn greeted(url: &str, headers: &[(header::HeaderName, &str)]) -> StatusCode {
    let greeting = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"},
    }});
    let mut request = legwork_testing::http().build().unwrap().post(url).body(greeting.to_string());
    request = request.header(header::CONTENT_TYPE, "application/json");
    request = request.header(header::ACCEPT, "application/json, text/event-stream");
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    request.send().await.unwrap().status()
}

#[tokio::test]
async fn only_hosts_and_origins_that_are_named_are_answered() {
    let place = Place::new();
    let http = || Http {
        hosts: vec!["browser.lan".to_owned()],
        origins: vec!["https://app.example".to_owned()],
        ..at_loopback()
    };
    let server = served(place.options(&[]).await, http()).await;
    let own = server.url.trim_end_matches("/mcp").to_owned();
    for (headers, answered) in [
        (vec![], true),
        (vec![(header::HOST, "localhost")], true),
        (vec![(header::HOST, "browser.lan")], true),
        (vec![(header::HOST, "evil.example")], false),
        (vec![(header::HOST, "browser.lan.evil.example")], false),
        (vec![(header::ORIGIN, "https://app.example")], true),
        (vec![(header::ORIGIN, own.as_str())], true),
        (vec![(header::ORIGIN, "https://evil.example")], false),
        (vec![(header::ORIGIN, "http://app.example")], false),
        (vec![(header::ORIGIN, "http://127.0.0.1:1")], false),
        (vec![(header::ORIGIN, "null")], false),
    ] {
        let status = greeted(&server.url, &headers).await;
        let wanted = if answered { StatusCode::OK } else { StatusCode::FORBIDDEN };
        assert_eq!(status, wanted, "{headers:?}");
    }
    server.end().await;
    let server = served(place.options(&[]).await, at_loopback()).await;
    assert_eq!(greeted(&server.url, &[(header::HOST, "browser.lan")]).await, StatusCode::FORBIDDEN);
    assert_eq!(greeted(&server.url, &[(header::ORIGIN, "https://app.example")]).await, StatusCode::FORBIDDEN);
    server.end().await;
}

/// Found by `cargo xtask attack`: the transport compares parsed names, and only the first of several headers.
#[tokio::test]
async fn a_host_or_origin_in_another_spelling_or_twice_is_refused() {
    let place = Place::new();
    let server = served(place.options(&[]).await, at_loopback()).await;
    let own = server.url.trim_end_matches("/mcp").to_owned();
    let authority = own.replace("http://", "");
    let (with_user, upper, path) = (format!("http://a@{authority}"), own.to_uppercase(), format!("{own}/"));
    for headers in [
        vec![(header::HOST, format!("evil.example@{authority}"))],
        vec![(header::ORIGIN, with_user)],
        vec![(header::ORIGIN, upper)],
        vec![(header::ORIGIN, path)],
        vec![(header::ORIGIN, own.clone()), (header::ORIGIN, "http://evil.example".to_owned())],
    ] {
        let headers: Vec<_> = headers.iter().map(|(name, value)| (name.clone(), value.as_str())).collect();
        assert_eq!(greeted(&server.url, &headers).await, StatusCode::FORBIDDEN, "{headers:?}");
    }
    assert_eq!(greeted(&server.url, &[(header::ORIGIN, &own)]).await, StatusCode::OK);
    server.end().await;
}

#[tokio::test]
async fn with_a_token_nothing_is_said_without_it() {
    let place = Place::new();
    let http = Http { token: Some("s3cret".to_owned()), ..at_loopback() };
    let server = served(place.options(&[]).await, http).await;
    for (given, answered) in
        [("Bearer s3cret", true), ("Bearer s3cre", false), ("Bearer s3cret2", false), ("s3cret", false), ("", false)]
    {
        let status = greeted(&server.url, &[(header::AUTHORIZATION, given)]).await;
        assert_eq!(status, if answered { StatusCode::OK } else { StatusCode::UNAUTHORIZED }, "{given:?}");
    }
    assert_eq!(greeted(&server.url, &[]).await, StatusCode::UNAUTHORIZED);
    server.end().await;
}
