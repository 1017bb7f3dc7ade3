//! Tools of other makers' servers, over HTTP: this server itself is the other one.

use std::path::PathBuf;

use legwork_mcp::{Http, toolbox};
use serde_json::{Value, json};

use crate::support::{Place, at_loopback, served};

fn named(place: &Place, servers: &Value) -> PathBuf {
    let path = place.folder.path().join("tools.json");
    std::fs::write(&path, json!({ "mcpServers": servers }).to_string()).unwrap();
    path
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_at_an_address_is_joined_with_its_token() {
    let place = Place::new();
    let http = Http { token: Some("s3cret".to_owned()), ..at_loopback() };
    let server = served(place.options(&[]).await, http).await;
    let tools = toolbox(&named(&place, &json!({"other": {"url": server.url, "token": "s3cret"}}))).await.unwrap();
    let by_name = |name: &str| tools.iter().find(|tool| tool.spec().name == name).unwrap();
    let runs = by_name("other_legwork_runs");
    assert!(runs.spec().reads && runs.spec().parameters["properties"]["limit"].is_object(), "{:?}", runs.spec());
    assert!(!by_name("other_browser_click").spec().reads);
    assert_eq!(runs.call(json!({"limit": 3})).await.unwrap(), json!("there are no runs yet"));
    // What the other server says of a failure is told, and so is that it is gone.
    let failed = runs.call(json!({"run": "nosuchrun"})).await.unwrap_err();
    assert!(failed.to_string().contains("nosuchrun"), "{failed}");
    server.end().await;
    let gone = runs.call(json!({"limit": 3})).await.unwrap_err();
    assert!(!gone.to_string().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_does_not_come_up_is_named() {
    let place = Place::new();
    let http = Http { token: Some("s3cret".to_owned()), ..at_loopback() };
    let server = served(place.options(&[]).await, http).await;
    for (token, said) in [(json!("wrong"), "\"other\" did not come up"), (Value::Null, "\"other\" did not come up")] {
        let file = named(&place, &json!({"other": {"url": server.url, "token": token}}));
        let error = toolbox(&file).await.err().unwrap().to_string();
        assert!(error.contains(said) && !error.contains("wrong"), "{error}");
    }
    server.end().await;
}
