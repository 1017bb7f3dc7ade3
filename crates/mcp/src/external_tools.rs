//! Tools of other MCP servers for Legwork's own agent. A file lists the servers in the format of other clients:
//! `{"mcpServers": {"weather": {"command": "weather-mcp", "args": [], "env": {}}, "crm": {"url": "http://…/mcp"}}}`.
//!
//! A server process gets the environment of its entry and a few variables of Legwork's own (`INHERITED_VARIABLES`). The
//! API keys of model providers are not among them.

use std::{collections::BTreeMap, path::Path, sync::Arc, time::Duration};

use async_trait::async_trait;
use legwork::tools::{Tool, ToolError, ToolSpec};
use rmcp::{
    RoleClient, ServiceExt,
    model::{CallToolRequestParams, CallToolResult, ContentBlock},
    service::RunningService,
    transport::{
        StreamableHttpClientTransport, TokioChildProcess, streamable_http_client::StreamableHttpClientTransportConfig,
    },
};
use serde::Deserialize;
use serde_json::{Value, json};
use thiserror::Error;
use tokio::process::Command;

/// The time limit for a server to start and to list its tools.
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// The environment variables that a server process inherits.
const INHERITED_VARIABLES: [&str; 8] = ["PATH", "HOME", "USER", "LANG", "LC_ALL", "TMPDIR", "TERM", "SHELL"];

/// The cause of a failure to connect, from any library.
type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Why the tools are not available.
#[derive(Debug, Error)]
pub enum ExternalToolsError {
    /// The file cannot be read.
    #[error("{path} cannot be read")]
    Read {
        /// The path of the file.
        path: String,
        /// The error of the operating system.
        #[source]
        source: std::io::Error,
    },
    /// The content of the file is invalid.
    #[error("{path} does not name MCP servers")]
    Shape {
        /// The path of the file.
        path: String,
        /// The parse error.
        #[source]
        source: serde_json::Error,
    },
    /// A server could not be connected.
    #[error("the MCP server {name:?} did not come up: {source}")]
    Server {
        /// The name of the server.
        name: String,
        /// The cause.
        #[source]
        source: Cause,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ServerTool {
    mcp_servers: BTreeMap<String, ServerAddress>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum ServerAddress {
    Command {
        command: String,
        #[serde(default)]
        args: Vec<String>,
        #[serde(default)]
        env: BTreeMap<String, String>,
    },
    Url {
        url: String,
        /// Sent as `Authorization: Bearer …`.
        #[serde(default)]
        token: Option<String>,
    },
}

type ConnectedServer = RunningService<RoleClient, ()>;

/// Connects to the servers in a file and returns their tools, each named `server_tool`. A connection is closed when the
/// last tool of its server is dropped.
///
/// # Errors
/// If the file cannot be read or parsed, or a server cannot be connected.
pub async fn connect_external_tools(file: &Path) -> Result<Vec<Arc<dyn Tool>>, ExternalToolsError> {
    let path = file.display().to_string();
    let text = std::fs::read(file).map_err(|source| ExternalToolsError::Read { path: path.clone(), source })?;
    let named: ServerTool =
        serde_json::from_slice(&text).map_err(|source| ExternalToolsError::Shape { path, source })?;
    let mut tools: Vec<Arc<dyn Tool>> = Vec::new();
    for (name, address) in named.mcp_servers {
        let failed = |source: Cause| ExternalToolsError::Server { name: name.clone(), source };
        let coming = async {
            let server = Arc::new(join(&address).await?);
            let listed = server.list_all_tools().await?;
            Ok::<_, Cause>((server, listed))
        };
        let came = tokio::time::timeout(START_TIMEOUT, coming).await;
        let (server, listed) = came
            .map_err(|_| failed(format!("no answer within {} s", START_TIMEOUT.as_secs()).into()))?
            .map_err(failed)?;
        for tool in listed {
            let reads = tool.annotations.as_ref().and_then(|said| said.read_only_hint).unwrap_or(false);
            let spec = ToolSpec {
                name: format!("{name}_{}", tool.name),
                about: tool.description.as_deref().unwrap_or_default().to_owned(),
                parameters: Value::Object((*tool.input_schema).clone()),
                reads,
            };
            tools.push(Arc::new(Remote { server: server.clone(), name: tool.name.into_owned(), spec }));
        }
    }
    Ok(tools)
}

async fn join(address: &ServerAddress) -> Result<ConnectedServer, Cause> {
    match address {
        ServerAddress::Command { command, args, env } => {
            let mut process = Command::new(command);
            process.args(args).env_clear();
            process.envs(INHERITED_VARIABLES.iter().filter_map(|name| Some((name, std::env::var_os(name)?)))).envs(env);
            let process = TokioChildProcess::new(process).map_err(|error| format!("{command}: {error}"))?;
            Ok(().serve(process).await?)
        }
        ServerAddress::Url { url, token } => {
            // The HTTP client of rmcp selects no crypto provider. The error is ignored because another part of the
            // program may have installed one already.
            let _ = rustls::crypto::ring::default_provider().install_default();
            let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
            if let Some(token) = token {
                config = config.auth_header(token.as_str());
            }
            let transport = StreamableHttpClientTransport::from_config(config);
            Ok(().serve(transport).await?)
        }
    }
}

/// A tool of another server.
struct Remote {
    server: Arc<ConnectedServer>,
    name: String,
    spec: ToolSpec,
}

#[async_trait]
impl Tool for Remote {
    fn spec(&self) -> ToolSpec {
        self.spec.clone()
    }

    async fn call(&self, arguments: Value) -> Result<Value, ToolError> {
        let mut request = CallToolRequestParams::new(self.name.clone());
        if let Value::Object(arguments) = arguments {
            request = request.with_arguments(arguments);
        }
        let answer = self.server.call_tool(request).await.map_err(|error| ToolError(error.to_string()))?;
        let failed = answer.is_error == Some(true);
        let told = result_value(answer);
        if failed { Err(ToolError(told.as_str().map_or_else(|| told.to_string(), str::to_owned))) } else { Ok(told) }
    }
}

/// The structured content of a result if there is any, otherwise its text.
fn result_value(answer: CallToolResult) -> Value {
    if let Some(structured) = answer.structured_content {
        return structured;
    }
    let part = |block: &ContentBlock| match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(_) => "(a picture)".to_owned(),
        ContentBlock::Audio(_) => "(a sound)".to_owned(),
        _ => "(a resource)".to_owned(),
    };
    json!(answer.content.iter().map(part).collect::<Vec<_>>().join("\n"))
}
