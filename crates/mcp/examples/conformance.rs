//! A server with the fixtures of the official conformance suite: the tools, resources and prompts that its scenarios
//! name, served over Legwork's own HTTP transport. The suite thus tests how Legwork transports results, errors,
//! progress notifications and requests to the client. `clients/official.test.mjs` starts it. It prints its URL to
//! standard error, and ends when its standard input is closed.

#![expect(deprecated, reason = "clients of today are asked for samples; the newest protocol has no such word any more")]

use std::{
    io::{Read, Write},
    net::SocketAddr,
    sync::Arc,
};

use legwork_mcp::{Http, McpError, serve_http_by};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CreateMessageRequestParams, GetPromptRequestParams,
        GetPromptResponse, GetPromptResult, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
        ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, Prompt, ReadResourceRequestParams,
        ReadResourceResponse, ReadResourceResult, SamplingMessage, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// A PNG image of one red pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// A WAV file without samples.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

struct Fixture;

/// A protocol value from its JSON form.
fn made<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn image() -> Value {
    json!({"type": "image", "data": PNG, "mimeType": "image/png"})
}

fn resource(uri: &str, text: &str) -> Value {
    json!({"type": "resource", "resource": {"uri": uri, "mimeType": "text/plain", "text": text}})
}

fn tools() -> Vec<(&'static str, Value)> {
    let plain = || json!({"type": "object"});
    let address = json!({"type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}});
    let of_2020 = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "$defs": {"address": address},
        "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
        "additionalProperties": false,
    });
    let asks = json!({"type": "object", "properties": {"prompt": {"type": "string"}}, "required": ["prompt"]});
    vec![
        ("test_simple_text", plain()),
        ("test_image_content", plain()),
        ("test_audio_content", plain()),
        ("test_embedded_resource", plain()),
        ("test_multiple_content_types", plain()),
        ("test_error_handling", plain()),
        ("test_tool_with_progress", plain()),
        ("test_sampling", asks),
        ("json_schema_2020_12_tool", of_2020),
    ]
}

impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        let offers = ServerCapabilities::builder().enable_tools().enable_prompts().enable_resources();
        ServerConfig::new(offers.build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tool = |(name, schema): (&'static str, Value)| {
            Tool::new(name, "What the suite calls", Arc::new(schema.as_object().cloned().unwrap_or_default()))
        };
        Ok(ListToolsResult::with_all_items(tools().into_iter().map(tool).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let content = match &*request.name {
            "test_simple_text" => json!([text("This is a simple text response for testing.")]),
            "test_image_content" => json!([image()]),
            "test_audio_content" => json!([{"type": "audio", "data": WAV, "mimeType": "audio/wav"}]),
            "test_embedded_resource" => {
                json!([resource("test://embedded-resource", "This is an embedded resource content.")])
            }
            "test_multiple_content_types" => {
                json!([text("Multiple content types test:"), image(), resource("test://mixed-content-resource", "{}")])
            }
            "test_error_handling" => {
                let error = made(json!([text("This tool intentionally returns an error for testing")]))?;
                return Ok(CallToolResult::error(error).into());
            }
            "test_tool_with_progress" => {
                for progress in [0.0, 50.0, 100.0] {
                    let Some(token) = context.meta.get_progress_token() else { break };
                    let note = ProgressNotificationParam::new(token, progress).with_total(100.0);
                    // A client that has disconnected needs no progress.
                    let _ = context.peer.notify_progress(note).await;
                }
                json!([text("done")])
            }
            "test_sampling" => {
                let prompt = request.arguments.as_ref().and_then(|given| given["prompt"].as_str()).unwrap_or_default();
                let wanted = CreateMessageRequestParams::new(vec![SamplingMessage::user_text(prompt)], 100);
                let said = context.peer.create_message(wanted).await;
                let said = said.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
                json!([text(&format!("LLM response: {}", json!(said)))])
            }
            other => return Err(ErrorData::invalid_params(format!("there is no tool {other}"), None)),
        };
        Ok(CallToolResult::success(made(content)?).into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let uris = ["test://static-text", "test://static-binary"];
        let listed: Vec<Value> = uris.iter().map(|uri| json!({"uri": uri, "name": uri})).collect();
        Ok(ListResourcesResult::with_all_items(made(json!(listed))?))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let template = json!([{"uriTemplate": "test://template/{id}/data", "name": "template"}]);
        Ok(ListResourceTemplatesResult::with_all_items(made(template)?))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri.as_str();
        let contents = match uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data")) {
            Some(id) => {
                json!({"uri": uri, "mimeType": "application/json", "text": json!({"id": id, "templateTest": true}).to_string()})
            }
            None if uri == "test://static-text" => {
                json!({"uri": uri, "mimeType": "text/plain", "text": "This is the content of the static text resource."})
            }
            None if uri == "test://static-binary" => json!({"uri": uri, "mimeType": "image/png", "blob": PNG}),
            None => return Err(ErrorData::resource_not_found(uri.to_owned(), None)),
        };
        Ok(ReadResourceResult::new(vec![made(contents)?]).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let names = [
            ("test_simple_prompt", &[][..]),
            ("test_prompt_with_arguments", &["arg1", "arg2"]),
            ("test_prompt_with_embedded_resource", &["resourceUri"]),
            ("test_prompt_with_image", &[]),
        ];
        let prompt = |(name, arguments): (&str, &[&str])| -> Result<Prompt, ErrorData> {
            let arguments: Vec<Value> = arguments.iter().map(|name| json!({"name": name, "required": true})).collect();
            made(json!({"name": name, "description": "What the suite gets", "arguments": arguments}))
        };
        Ok(ListPromptsResult::with_all_items(names.into_iter().map(prompt).collect::<Result<_, _>>()?))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let given = request.arguments.unwrap_or_default();
        let argument = |name: &str| given.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let contents = match request.name.as_str() {
            "test_simple_prompt" => vec![text("This is a simple prompt for testing.")],
            "test_prompt_with_arguments" => {
                let (one, other) = (argument("arg1"), argument("arg2"));
                vec![text(&format!("Prompt with arguments: arg1='{one}', arg2='{other}'"))]
            }
            "test_prompt_with_embedded_resource" => vec![
                resource(&argument("resourceUri"), "Embedded resource content for testing."),
                text("Please process the embedded resource above."),
            ],
            "test_prompt_with_image" => vec![image(), text("Please analyze the image above.")],
            other => return Err(ErrorData::invalid_params(format!("there is no prompt {other}"), None)),
        };
        let messages: Vec<Value> = contents.iter().map(|content| json!({"role": "user", "content": content})).collect();
        Ok(GetPromptResult::new(made(json!(messages))?).into())
    }
}

#[tokio::main]
async fn main() -> Result<(), McpError> {
    let stop = CancellationToken::new();
    let ended = stop.clone();
    std::thread::spawn(move || {
        // Standard input is closed when the parent process ends, for whatever reason.
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        ended.cancel();
    });
    // One write, because the parent process reads the first chunk as the complete line.
    let told = |at: SocketAddr| drop(std::io::stderr().write_all(format!("MCP at http://{at}/mcp\n").as_bytes()));
    let http = Http {
        at: ([127, 0, 0, 1], 0).into(),
        hosts: Vec::new(),
        origins: Vec::new(),
        token: None,
        limits: Default::default(),
    };
    serve_http_by(|| Fixture, http, stop, told).await
}
