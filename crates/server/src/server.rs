//! The life cycle of the server: listen, serve, and stop so that every run can be resumed.

use std::{
    collections::BTreeMap,
    fs::{File, TryLockError},
    net::{IpAddr, SocketAddr},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use legwork::{
    Runtime,
    settings::{Sources, user_file},
};
use legwork_access::{AuditLog, ConnectionLimits, Tokens, serve};
use parking_lot::{Mutex, RwLock};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::{
    ExtensionTabs, ServeError, alerts,
    app::App,
    auth::{Auth, Token},
    browser_install::{BrowserInstall, Installer},
    gate::Gate,
    hub::Hub,
    metrics::Metrics,
    registry::Registry,
    relayed_tabs::RelayedTabs,
    routes,
    saved_workflows::SavedWorkflows,
    schedule_changes::Schedules,
    schedules,
    template::{Template, Templates},
    tls::{Identity, TlsListener},
};

/// The file with the address of a running server, next to the token.
const ADDRESS_FILE: &str = "server.json";

/// The file that a running server locks. The system releases the lock when the process ends, however it ends.
const LOCK_FILE: &str = "server.lock";

/// The options of a server, besides its runtime.
pub struct ServerOptions {
    /// The sources of the runtime's settings.
    pub sources: Sources,
    /// The user's settings file, if it is not the default one.
    pub settings_file: Option<PathBuf>,
    /// Workflows that are bundled with the program.
    pub templates: Vec<Template>,
    /// The limits of connections.
    pub limits: ConnectionLimits,
    /// How a browser can be installed on this machine.
    pub browser_install: BrowserInstall,
    /// The delays before the retries of an alert that was not accepted.
    pub alert_retries: Vec<Duration>,
}

impl Default for ServerOptions {
    fn default() -> Self {
        ServerOptions {
            sources: Sources::default(),
            settings_file: None,
            templates: Vec::new(),
            limits: ConnectionLimits::default(),
            browser_install: BrowserInstall::default(),
            alert_retries: [1, 5, 30, 120].map(Duration::from_secs).into(),
        }
    }
}

/// A server that listens.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    identity: Option<Identity>,
    address: SocketAddr,
    origin: String,
    running: PathBuf,
    lock: File,
}

#[derive(Serialize, Deserialize)]
struct RunningServer {
    /// The origin for programs on this machine.
    local: String,
    /// The origin that people open in a browser.
    origin: String,
    pid: u32,
}

impl Server {
    /// Begins to listen. Requests are answered only after [`Server::run`].
    ///
    /// # Errors
    /// If the address is not available, or other machines could reach it without protection.
    pub async fn bind(runtime: Runtime, options: ServerOptions) -> Result<Server, ServeError> {
        let settings = runtime.settings();
        let lock = lock(&settings.data_dir)?;
        let server = &settings.server;
        let shown = format!("{}:{}", server.host, server.port);
        let failed = |source| ServeError::Listen { address: shown.clone(), source };
        let host = server.host.trim_matches(['[', ']']);
        let listener = TcpListener::bind((host, server.port)).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let proxy = server.behind_proxy.as_ref();
        let identity = match (&server.tls_cert, &server.tls_key) {
            (Some(cert), Some(key)) => Some(Identity::read(cert, key)?),
            (Some(alone), None) | (None, Some(alone)) => {
                let reason = "certificate and key are needed, and only one is set".to_owned();
                return Err(ServeError::Tls { path: alone.clone(), reason });
            }
            (None, None) => None,
        };
        let guarded = identity.is_some() || proxy.is_some_and(|origin| origin.scheme() == "https");
        if !is_loopback(address.ip()) && !guarded {
            return Err(ServeError::Exposed { address });
        }
        let data = &settings.data_dir;
        let token = Token::of(data)?;
        let scheme = if identity.is_some() { "https" } else { "http" };
        let names = identity.as_ref().map_or(&[][..], |identity| &identity.names);
        let local = format!("{scheme}://{}", local(address));
        let own = names.first().map(|name| format!("{scheme}://{name}:{}", address.port()));
        let origin = match proxy {
            Some(url) => url.origin().ascii_serialization(),
            None => own.unwrap_or_else(|| local.clone()),
        };
        let gate = Gate::new(scheme, address, names, proxy, server.requests_per_second);
        let metrics = Arc::new(Metrics::new());
        let runtime = Arc::new(runtime.refusing(address));
        let env: BTreeMap<String, String> = options.sources.env.clone();
        let templates = Templates::new(options.templates, data.join("templates"));
        let app = Arc::new(App {
            registry: Registry::new(server.max_concurrent_runs, server.max_queued_runs),
            relayed_tabs: RelayedTabs::default(),
            hub: Arc::new(Hub::new(runtime.log())),
            auth: Auth::new(token, Tokens::of(data, server.requests_per_second_per_token)),
            audit: Arc::new(AuditLog::of(data)),
            limits: options.limits,
            gate,
            metrics,
            workflows: SavedWorkflows::new(runtime.key_value_store(), templates.clone()),
            templates,
            installer: Installer::new(options.browser_install),
            schedules: Schedules::default(),
            alert_retries: options.alert_retries,
            origin: origin.clone(),
            batches: crate::live_batches::LiveBatches::default(),
            settings_file: options.settings_file.or_else(|| user_file(&env)),
            sources: RwLock::new(Arc::new(options.sources)),
            settings_edit: Mutex::default(),
            secure: guarded,
            deliveries: Mutex::default(),
            closing: CancellationToken::new(),
            runtime,
        });
        app.registry.set_app(&app);
        let running = data.join(ADDRESS_FILE);
        let text = serde_json::to_string(&RunningServer { local, origin: origin.clone(), pid: std::process::id() })
            .expect("a struct of strings and numbers serializes");
        std::fs::write(&running, text).map_err(|source| ServeError::File { path: running.clone(), source })?;
        Ok(Server { app, listener, identity, address, origin, running, lock })
    }

    /// The address on which it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The origin that people open in a browser.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// A link that signs a browser in. It works once, within five minutes.
    pub fn link(&self) -> Result<String, ServeError> {
        Ok(format!("{}/open?code={}", self.origin, self.app.auth.links.issue(None)?))
    }

    /// The runtime, with which the program of the server starts runs of its own.
    pub fn runtime(&self) -> Arc<Runtime> {
        self.app.runtime.clone()
    }

    /// Tabs of the user's own browser, for the program itself.
    pub fn extension_tabs(&self) -> ExtensionTabs {
        ExtensionTabs::new(&self.app)
    }

    /// Serves until `stop` completes. Then no new run starts, runs in progress are brought to a point from which they
    /// can be resumed, streams end, and the browser closes.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), ServeError> {
        let Server { app, listener, identity, address, running, lock, .. } = self;
        let waited = app.registry.restore(&app).await?;
        if waited > 0 {
            tracing::info!(waited, "runs that waited when the server ended are in the queue again");
        }
        if let Err(refused) = alerts::restore(&app).await {
            tracing::error!(error = %refused.error, "alerts that were under way could not be read");
        }
        let tokens = app.clone();
        let background_tasks = [
            tokio::spawn(schedules::run_clock(app.clone())),
            tokio::spawn(schedules::prune_regularly(app.clone())),
            tokio::spawn(async move { tokens.auth.tokens.watch(&tokens.closing).await }),
        ];
        let stopping = {
            let app = app.clone();
            async move {
                stop.await;
                tracing::info!("stopping");
                app.registry.shut_down(&app).await;
                app.closing.cancel();
            }
        };
        let router = routes::router(app.clone());
        match identity {
            Some(identity) => {
                serve(app.limits, TlsListener::new(listener, identity, address), router, stopping).await;
            }
            None => serve(app.limits, listener, router, stopping).await,
        }
        app.closing.cancel();
        for keeper in background_tasks {
            // The background tasks end by themselves when the server closes.
            let _ = keeper.await;
        }
        alerts::finish(&app).await;
        app.runtime.close().await;
        if let Err(error) = std::fs::remove_file(&running) {
            tracing::debug!(%error, "the address file of the running server was not removed");
        }
        drop(lock);
        Ok(())
    }
}

/// Locks the data folder for one server: two servers would start each schedule twice, and each would take up the queued
/// runs.
fn lock(data: &Path) -> Result<File, ServeError> {
    let path = data.join(LOCK_FILE);
    let failed = |source| ServeError::File { path: path.clone(), source };
    std::fs::create_dir_all(data).map_err(failed)?;
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(ServeError::Running { origin: running(data).map(|server| server.origin) }),
        Err(TryLockError::Error(source)) => Err(failed(source)),
    }
}

/// The server that runs on a data folder, as it described itself.
fn running(data: &Path) -> Option<RunningServer> {
    serde_json::from_str(&std::fs::read_to_string(data.join(ADDRESS_FILE)).ok()?).ok()
}

/// The address at which programs on this machine reach the server.
fn local(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => SocketAddr::from(([127, 0, 0, 1], address.port())),
        IpAddr::V6(ip) if ip.is_unspecified() => SocketAddr::from((std::net::Ipv6Addr::LOCALHOST, address.port())),
        _ => address,
    }
}

fn is_loopback(ip: IpAddr) -> bool {
    ip.to_canonical().is_loopback()
}

/// Requests a new link from the server that runs on a data folder. With the name or id of a token, the browser that
/// opens the link gets the scopes of this token, as long as the token is valid.
///
/// # Errors
/// If no server runs, it does not accept the token of the data folder, or there is no token with this name.
pub async fn new_link(data: &Path, token: Option<&str>) -> Result<String, ServeError> {
    #[derive(Deserialize)]
    struct LinkReply {
        data: IssuedLink,
    }
    #[derive(Deserialize)]
    struct IssuedLink {
        code: String,
    }
    let running = running(data).ok_or(ServeError::NotRunning(None))?;
    let bearer: SecretString = Token::of(data)?.bearer();
    let ask = async {
        // The request goes over loopback to the address in `server.json`. The certificate is issued for other names, so
        // it is not checked.
        let client = crate::webhook::http().tls_danger_accept_invalid_certs(true).build()?;
        let request = client
            .post(format!("{}/api/link", running.local))
            .header("authorization", bearer.expose_secret())
            .header("content-type", "application/json")
            .body(serde_json::json!({ "token": token }).to_string());
        request.send().await?.error_for_status()?.bytes().await
    };
    let bytes = ask.await.map_err(|error| match (token, error.status()) {
        (Some(token), Some(reqwest::StatusCode::NOT_FOUND)) => ServeError::NoToken(token.to_owned()),
        _ => ServeError::NotRunning(Some(error)),
    })?;
    let answer: LinkReply = serde_json::from_slice(&bytes).map_err(|_| ServeError::NotRunning(None))?;
    Ok(format!("{}/open?code={}", running.origin, answer.data.code))
}
