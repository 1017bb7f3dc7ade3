//! Tools of other MCP servers over HTTP. The other server is this server itself.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use legwork_mcp::{Http, connect_external_tools, serve_http_by};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListToolsResult, PaginatedRequestParams,
        ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

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
    let tools = connect_external_tools(&named(&place, &json!({"other": {"url": server.url, "token": "s3cret"}})))
        .await
        .unwrap();
    let by_name = |name: &str| tools.iter().find(|tool| tool.spec().name == name).unwrap();
    let runs = by_name("other_legwork_runs");
    assert!(runs.spec().reads && runs.spec().parameters["properties"]["limit"].is_object(), "{:?}", runs.spec());
    assert!(!by_name("other_browser_click").spec().reads);
    assert_eq!(runs.call(json!({"limit": 3})).await.unwrap(), json!("there are no runs yet"));
    // The error message of the other server is passed on, and a lost connection is an error.
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
        let error = connect_external_tools(&file).await.err().unwrap().to_string();
        assert!(error.contains(said) && !error.contains("wrong"), "{error}");
    }
    server.end().await;
}

/// A server whose tool returns different kinds of results, and is removed later.
#[derive(Clone, Default)]
struct Fickle(Arc<AtomicBool>);

impl ServerHandler for Fickle {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema = json!({"type": "object"}).as_object().unwrap().clone();
        Ok(ListToolsResult::with_all_items(vec![Tool::new("ask", "Answers", Arc::new(schema))]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if self.0.load(Ordering::SeqCst) {
            return Err(ErrorData::invalid_params("there is no tool ask any more", None));
        }
        let both = vec![ContentBlock::text("two"), ContentBlock::image("AAAA", "image/png")];
        Ok(match request.arguments.unwrap_or_default().contains_key("shape") {
            true => CallToolResult::structured(json!({"left": 7})),
            false => CallToolResult::success(both),
        }
        .into())
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_of_all_kinds_are_told_and_a_tool_that_is_gone_is_a_failure() {
    let (place, stop, fickle) = (Place::new(), CancellationToken::new(), Fickle::default());
    let ((heard, listening), server) = (tokio::sync::oneshot::channel(), fickle.clone());
    let serving =
        tokio::spawn(serve_http_by(move || server.clone(), at_loopback(), stop.clone(), |at| heard.send(at).unwrap()));
    let url = format!("http://{}/mcp", listening.await.unwrap());
    let tools = connect_external_tools(&named(&place, &json!({"fickle": { "url": url }}))).await.unwrap();
    let spec = tools[0].spec();
    assert_eq!(
        (tools.len(), spec.name.as_str(), spec.reads),
        (1, "fickle_ask", false),
        "what says nothing may change something"
    );
    assert_eq!(tools[0].call(json!({"shape": 1})).await.unwrap(), json!({"left": 7}));
    assert_eq!(tools[0].call(json!({})).await.unwrap(), json!("two\n(a picture)"));
    fickle.0.store(true, Ordering::SeqCst);
    let gone = tools[0].call(json!({})).await.unwrap_err();
    assert!(gone.to_string().contains("there is no tool ask any more"), "{gone}");
    stop.cancel();
    serving.await.unwrap().unwrap();
}
