//! A server over streams or HTTP with its own folders, and clients that record notifications.

#![expect(deprecated, reason = "current clients list roots; the newest protocol version has removed them")]

use std::{
    ops::Deref,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use legwork::{
    Runtime,
    settings::{Settings, Sources},
};
use legwork_access::ConnectionLimits;
use legwork_mcp::{Group, Http, McpError, McpOptions, serve_http, serve_over};
use legwork_testing::model::ScriptedModel;
use rmcp::{
    ClientHandler, ClientLifecycleMode, ClientServiceExt, RoleClient,
    model::{
        CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ContentBlock, Implementation,
        ListRootsResult, ProgressNotificationParam, ProtocolVersion, Root,
    },
    service::{NotificationContext, RequestContext, RunningService, ServiceError},
    transport::{StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig},
};
use serde_json::Value;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// The folders of a server.
pub(crate) struct Place {
    pub(crate) folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Place {
        Place { folder: tempfile::tempdir().unwrap() }
    }

    /// Creates a folder in it.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    /// Server options with these settings.
    pub(crate) async fn options(&self, flags: &[(&str, &str)]) -> McpOptions {
        let owned = |(name, value): &(&str, &str)| (String::from(*name), String::from(*value));
        let mut flags: Vec<_> = flags.iter().map(owned).collect();
        flags.push(("data_dir".to_owned(), self.folder("data").display().to_string()));
        let keys = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"];
        let env = keys.map(|name| (name.to_owned(), "sk-a-key-for-tests".to_owned())).into();
        let settings = Settings::load(&Sources { flags, env, ..Sources::default() }).unwrap();
        McpOptions {
            runtime: Arc::new(Runtime::open(settings).await.unwrap()),
            groups: vec![Group::Core, Group::Tasks, Group::Devtools],
            output: self.folder.path().join("out"),
            uploads: Vec::new(),
            secrets: Vec::new(),
            storage_state: None,
            tabs: None,
            max_sessions: 8,
        }
    }

    /// Server options with a model.
    pub(crate) async fn options_with(&self, model: &ScriptedModel) -> McpOptions {
        self.options(&[("model.name", model.model_name()), ("model.base_url", &model.base_url)]).await
    }
}

/// A server over HTTP, which [`Served::end`] stops.
pub(crate) struct Served {
    pub(crate) url: String,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

pub(crate) fn at_loopback() -> Http {
    Http {
        at: ([127, 0, 0, 1], 0).into(),
        hosts: Vec::new(),
        origins: Vec::new(),
        token: None,
        limits: ConnectionLimits::default(),
    }
}

/// Starts a server over HTTP.
pub(crate) async fn served(options: McpOptions, http: Http) -> Served {
    let (stop, (heard, listening)) = (CancellationToken::new(), tokio::sync::oneshot::channel());
    let stopped = stop.clone();
    let task = tokio::spawn(async move {
        serve_http(options, http, stopped, |at| heard.send(at).unwrap()).await.unwrap();
    });
    Served { url: format!("http://{}/mcp", listening.await.unwrap()), stop, task }
}

impl Served {
    pub(crate) async fn end(self) {
        self.stop.cancel();
        self.task.await.unwrap();
    }

    /// A transport to the server.
    pub(crate) fn transport(&self, token: Option<&str>) -> StreamableHttpClientTransport<reqwest::Client> {
        let mut config = StreamableHttpClientTransportConfig::with_uri(self.url.as_str());
        if let Some(token) = token {
            config = config.auth_header(token);
        }
        // The HTTP client ignores proxies of the environment.
        StreamableHttpClientTransport::with_client(legwork_testing::http().build().unwrap(), config)
    }

    /// A client with its own session.
    pub(crate) async fn client(&self) -> Client {
        self.client_by(Lifecycle::Handshake).await
    }

    pub(crate) async fn client_by(&self, lifecycle: Lifecycle) -> Client {
        Another::called("another").serve_with_lifecycle(self.transport(None), lifecycle.mode()).await.unwrap()
    }
}

/// A client over streams, and its server.
pub(crate) struct ConnectedClient {
    client: Client,
    server: JoinHandle<Result<(), McpError>>,
}

impl Deref for ConnectedClient {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl ConnectedClient {
    /// Disconnects the client. The server then closes its browser and ends.
    pub(crate) async fn end(self) {
        self.client.cancel().await.unwrap();
        self.server.await.unwrap().unwrap();
    }
}

/// How a client opens a connection.
#[derive(Clone, Copy)]
pub(crate) enum Lifecycle {
    /// With an initialization, as up to protocol version 2025-11-25. Over HTTP the client gets a session.
    Handshake,
    /// Without an initialization, as from 2026-07-28 on.
    Newest,
}

impl Lifecycle {
    pub(crate) fn mode(self) -> ClientLifecycleMode {
        match self {
            Lifecycle::Handshake => ClientLifecycleMode::Initialize,
            Lifecycle::Newest => {
                ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
            }
        }
    }
}

/// A client and its own server.
pub(crate) async fn joined(options: McpOptions, another: Another) -> ConnectedClient {
    connect_with(options, another, Lifecycle::Handshake).await
}

pub(crate) async fn connect_with(options: McpOptions, another: Another, lifecycle: Lifecycle) -> ConnectedClient {
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let (read, write) = tokio::io::split(theirs);
    let server = tokio::spawn(serve_over(options, read, write, CancellationToken::new()));
    ConnectedClient { client: another.serve_with_lifecycle(ours, lifecycle.mode()).await.unwrap(), server }
}

pub(crate) type Client = RunningService<RoleClient, Another>;

/// A client that is not Legwork.
#[derive(Clone, Default)]
pub(crate) struct Another {
    name: String,
    /// The folders that it lists as roots.
    pub(crate) roots: Arc<Mutex<Option<Vec<PathBuf>>>>,
    /// The progress notifications that it received.
    told: Arc<Mutex<Vec<ProgressNotificationParam>>>,
    /// Signals a new notification.
    heard: Arc<tokio::sync::Notify>,
}

impl Another {
    pub(crate) fn called(name: &str) -> Another {
        Another { name: name.to_owned(), ..Another::default() }
    }

    /// Waits until the notifications are sufficient and returns them in the order of their progress. rmcp handles
    /// notifications concurrently, so they arrive in any order.
    pub(crate) async fn hears(&self, enough: impl Fn(&[String]) -> bool) -> Vec<ProgressNotificationParam> {
        let all = Mutex::new(Vec::new());
        until("it is not told so", || async {
            let next = self.heard.notified();
            let mut told = self.told.lock().unwrap().clone();
            told.sort_by(|one, other| one.progress.total_cmp(&other.progress));
            let messages: Vec<String> = told.iter().filter_map(|note| note.message.clone()).collect();
            *all.lock().unwrap() = told;
            if enough(&messages) {
                return true;
            }
            next.await;
            false
        })
        .await;
        all.into_inner().unwrap()
    }
}

impl ClientHandler for Another {
    fn get_info(&self) -> ClientConfig {
        let capabilities = match *self.roots.lock().unwrap() {
            Some(_) => ClientCapabilities::builder().enable_roots().enable_roots_list_changed().build(),
            None => ClientCapabilities::default(),
        };
        ClientConfig::new(capabilities, Implementation::new(self.name.clone(), "1.0"))
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, rmcp::ErrorData> {
        let roots = self.roots.lock().unwrap().clone().unwrap_or_default();
        let uri = |folder: &PathBuf| Root::new(url::Url::from_file_path(folder).unwrap().to_string());
        Ok(ListRootsResult::new(roots.iter().map(uri).collect()))
    }

    async fn on_progress(&self, note: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.told.lock().unwrap().push(note);
        self.heard.notify_waiters();
    }
}

/// The result of a tool call.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) failed: bool,
    /// The media types of its images.
    pub(crate) pictures: Vec<String>,
}

pub(crate) fn request(tool: &str, arguments: Value) -> CallToolRequestParams {
    CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments.as_object().unwrap().clone())
}

pub(crate) fn answer(result: CallToolResult) -> Answer {
    let (mut texts, mut pictures) = (Vec::new(), Vec::new());
    for block in result.content {
        match block {
            ContentBlock::Text(text) => texts.push(text.text),
            ContentBlock::Image(picture) => pictures.push(picture.mime_type),
            other => panic!("{other:?}"),
        }
    }
    Answer { text: texts.join("\n"), failed: result.is_error == Some(true), pictures }
}

/// Calls a tool.
pub(crate) async fn call(client: &Client, tool: &str, arguments: Value) -> Answer {
    tried(client, tool, arguments).await.unwrap()
}

pub(crate) async fn tried(client: &Client, tool: &str, arguments: Value) -> Result<Answer, ServiceError> {
    Ok(answer(client.call_tool(request(tool, arguments)).await?))
}

/// Calls a tool, asserts success and returns the text.
#[track_caller]
pub(crate) fn done(answer: Answer) -> String {
    assert!(!answer.failed, "{}", answer.text);
    answer.text
}

/// Repeats until the condition holds. Panics if it does not hold in time.
pub(crate) async fn until<F: Future<Output = bool>>(what: &str, mut holds: impl FnMut() -> F) {
    let tries = async {
        while !holds().await {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), tries).await.unwrap_or_else(|_| panic!("{what}"));
}

/// The ref of an element in a snapshot: `link "Orders"`.
#[track_caller]
pub(crate) fn reference(page: &str, element: &str) -> String {
    let line = page.lines().find(|line| line.contains(element)).unwrap_or_else(|| panic!("no {element} in {page}"));
    line.split("[ref=").nth(1).unwrap().split(']').next().unwrap().to_owned()
}
