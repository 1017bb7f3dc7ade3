//! Tools for Legwork's own agent that other MCP servers offer: named in a file as other clients have it,
//! `{"mcpServers": {"weather": {"command": "weather-mcp", "args": [], "env": {}}, "crm": {"url": "http://…/mcp"}}}`.
//!
//! A server that is started gets the environment it is given and little else: no key of a model's provider is in it.

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

/// The longest that a server may take to come up and list its tools.
const COMING_UP: Duration = Duration::from_secs(30);
/// What a server that is started keeps of our environment.
const KEPT: [&str; 8] = ["PATH", "HOME", "USER", "LANG", "LC_ALL", "TMPDIR", "TERM", "SHELL"];

/// Why a server did not come up, whoever says so.
type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Why there are no tools.
#[derive(Debug, Error)]
pub enum ExternalToolsError {
    /// The file.
    #[error("{path} cannot be read")]
    Read {
        /// Which.
        path: String,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// Its content.
    #[error("{path} does not name MCP servers")]
    Shape {
        /// Which.
        path: String,
        /// What is wrong.
        #[source]
        source: serde_json::Error,
    },
    /// A server.
    #[error("the MCP server {name:?} did not come up: {source}")]
    Server {
        /// Which.
        name: String,
        /// Why not.
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

/// Joins the servers that a file names, and gives their tools, each as `server_tool`. They are let go with the last tool.
///
/// # Errors
/// When the file cannot be read, or a server does not come up.
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
        let came = tokio::time::timeout(COMING_UP, coming).await;
        let (server, listed) =
            came.map_err(|_| failed(format!("no answer within {} s", COMING_UP.as_secs()).into()))?.map_err(failed)?;
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
            process.envs(KEPT.iter().filter_map(|name| Some((name, std::env::var_os(name)?)))).envs(env);
            let process = TokioChildProcess::new(process).map_err(|error| format!("{command}: {error}"))?;
            Ok(().serve(process).await?)
        }
        ServerAddress::Url { url, token } => {
            // rmcp's client is made without one. Another part of the program may have chosen it already.
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

/// What was answered: its structured form when there is one, else its texts.
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
