//! A browser, either started by Legwork or already running. It creates sessions and dispatches each event to its
//! session.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use futures_util::future::join_all;
use parking_lot::Mutex;

use crate::{
    BrowserError, Capabilities, Capability, Engine, LaunchOptions, Session, SessionOptions, Support,
    bidi::{self, Bidi},
    cdp::{self, Cdp, Connection},
    driver::{ContextSetup, Driver, DriverError},
    driver_event::Listener,
    egress::EgressProxy,
    launch::{self, Link, Process},
    options::{ANSWER, START},
    relay::RelayLink,
    scripts::Scripts,
    session_dispatcher::SessionDispatcher,
    session_inner::SessionInner,
    transport::Transport,
    upstream_proxy::UpstreamProxy,
    webdriver::{self, Servers, WebDriver},
};

/// The connection of a driver to its browser.
enum DriverLink {
    DevTools(Transport, &'static Capabilities),
    Bidi(Transport),
    WebDriver(Servers),
}

/// A browser. If Legwork started it, dropping it kills the process and removes the temporary profile;
/// [`Browser::close`] shuts it down in an orderly way.
pub struct Browser {
    pub(crate) driver: Arc<dyn Driver>,
    pub(crate) routes: Arc<SessionDispatcher>,
    process: Mutex<Option<Process>>,
    version: String,
    notices: Vec<String>,
    scripts: Arc<Scripts>,
    headed: bool,
    /// Sessions use the browser's default context, because the cookies of a persistent profile are in it.
    own_context: bool,
    /// Whether this is a tab of the user's own browser.
    is_relayed: bool,
    /// The proxy of the default context, if rules restrict sessions or the user has a proxy. The browser receives its
    /// address at the start.
    egress: Option<Arc<EgressProxy>>,
    /// Whether the browser sends everything through the proxy of a context.
    enforces_proxy: bool,
    /// How long the browser may take to open a context, which is a browser of its own with some drivers.
    opens_context_within: Duration,
    /// Whether every context needs a proxy, also one without rules: the browser was started so that it resolves no
    /// name.
    resolves_no_name: bool,
}

impl Browser {
    /// Starts a browser.
    ///
    /// # Errors
    /// If no browser is found, it does not start, or its profile cannot be used.
    pub async fn launch(options: LaunchOptions) -> Result<Browser, BrowserError> {
        let resolves_no_name = options.restricted || options.proxy.is_some();
        let egress = match resolves_no_name && options.profile.is_some() {
            true => Some(Arc::new(proxy(options.proxy.clone()).await?)),
            false => None,
        };
        let (process, link) = launch::start(&options, egress.as_deref())?;
        let owns_windows = options.profile.is_none();
        let link = match link {
            Link::Pipe(transport) => DriverLink::DevTools(transport, &Capabilities::CHROMIUM),
            Link::Address(address) => match tokio::time::timeout(options.start_within, address).await {
                Ok(Ok(address)) => {
                    DriverLink::Bidi(connect_to(&address, &bidi::address(&address).unwrap_or_default()).await?)
                }
                // The browser ended, and with it its error output.
                Ok(Err(_)) => return Err(BrowserError::Ended { said: process.stderr_tail() }),
                Err(_) => return Err(BrowserError::Slow { within: options.start_within }),
            },
            Link::Servers(launcher) => DriverLink::WebDriver(Servers::Started(launcher)),
        };
        let browser = Browser::with(link, options.headed, !owns_windows);
        let notices = process.notices.clone();
        let browser = Browser { process: Mutex::new(Some(process)), notices, egress, resolves_no_name, ..browser };
        match browser.handshake(options.start_within).await {
            Ok(version) => Ok(Browser { version, ..browser }),
            Err(BrowserError::Gone { .. }) => {
                let said = browser.process.lock().as_ref().map(Process::stderr_tail);
                Err(BrowserError::Ended { said: said.unwrap_or_default() })
            }
            Err(error) => Err(error),
        }
    }

    /// Connects to a running browser with this engine by its WebSocket address, or by `http://host:port`.
    ///
    /// # Errors
    /// If no browser answers at the address, or one with another engine.
    pub async fn connect(engine: Engine, url: &str) -> Result<Browser, BrowserError> {
        let unreachable = |reason: String| BrowserError::Connect { url: url.to_owned(), reason };
        let connected = match engine {
            Engine::Chromium => match cdp::discover(url).await {
                Ok(address) => connect_to(url, &address)
                    .await
                    .map(|transport| DriverLink::DevTools(transport, &Capabilities::CHROMIUM)),
                Err(reason) => Err(unreachable(reason)),
            },
            Engine::Firefox => match bidi::address(url) {
                Ok(address) => connect_to(url, &address).await.map(DriverLink::Bidi),
                Err(reason) => Err(unreachable(reason)),
            },
            Engine::WebKit => match webdriver::answers(url).await {
                true => Ok(DriverLink::WebDriver(Servers::Running(url.to_owned()))),
                false => Err(unreachable("there is no WebDriver server".to_owned())),
            },
        };
        let link = match connected {
            Ok(link) => link,
            Err(error) => {
                return Err(match other_engine(engine, url).await {
                    Some(found) => BrowserError::OtherEngine { url: url.to_owned(), found, wanted: engine },
                    None => error,
                });
            }
        };
        let browser = Browser::with(link, true, false);
        let version = browser.handshake(START).await?;
        Ok(Browser { version, ..browser })
    }

    /// Uses a tab of the user's own browser, which Legwork's extension relays. It has one session, with that tab and
    /// those that are opened from it. The browser and its tabs stay open afterwards.
    ///
    /// # Errors
    /// If the relay ends before it has begun.
    pub async fn relayed(link: RelayLink) -> Result<Browser, BrowserError> {
        let browser = Browser::with(DriverLink::DevTools(link.open(), &Capabilities::RELAYED), true, true);
        let browser = Browser { is_relayed: true, ..browser };
        let version = browser.handshake(START).await?;
        Ok(Browser { version, ..browser })
    }

    /// Whether this is a tab of the user's own browser.
    pub fn is_relayed(&self) -> bool {
        self.is_relayed
    }

    fn with(link: DriverLink, headed: bool, own_context: bool) -> Browser {
        let routes = Arc::new(SessionDispatcher::default());
        let sink: Weak<dyn Listener> = Arc::downgrade(&routes) as Weak<dyn Listener>;
        let enforces_proxy = !matches!(link, DriverLink::WebDriver(Servers::Running(_)));
        let opens_context_within = if matches!(link, DriverLink::WebDriver(_)) { START } else { ANSWER };
        let driver: Arc<dyn Driver> = match link {
            DriverLink::DevTools(transport, capabilities) => {
                Arc::new(Cdp::new(Connection::open(transport, sink), *capabilities))
            }
            DriverLink::Bidi(transport) => Arc::new(Bidi::new(transport, sink, !own_context)),
            DriverLink::WebDriver(servers) => Arc::new(WebDriver::new(servers, sink)),
        };
        // This cannot fail: each dispatcher has one driver, which is set only here.
        let _ = routes.driver.set(Arc::clone(&driver));
        let key = format!("_{:016x}", random());
        Browser {
            driver,
            routes,
            process: Mutex::new(None),
            version: String::new(),
            notices: Vec::new(),
            scripts: Arc::new(Scripts::new(key)),
            headed,
            own_context,
            is_relayed: false,
            egress: None,
            enforces_proxy,
            opens_context_within,
            resolves_no_name: false,
        }
    }

    async fn handshake(&self, limit: Duration) -> Result<String, BrowserError> {
        let proxy = self.egress.as_ref().map(|egress| egress.address());
        self.driver.handshake(proxy.as_deref()).within(limit).await.map_err(|error| match error {
            DriverError::Timeout { .. } => BrowserError::Slow { within: limit },
            other => other.into(),
        })
    }

    /// The problems at the start that Legwork worked around.
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// The browser's name and version.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// What the browser can do.
    pub fn capabilities(&self) -> Capabilities {
        self.driver.capabilities()
    }

    /// The process identifier, if Legwork started the browser.
    pub fn process_id(&self) -> Option<u32> {
        self.process.lock().as_ref().map(Process::id)
    }

    /// Opens a session with its own browser context and one blank tab. With a persistent profile, the session uses the
    /// browser's default context.
    ///
    /// # Errors
    /// If the browser is gone, does not answer, or the downloads folder cannot be used.
    pub async fn session(&self, options: SessionOptions) -> Result<Session, BrowserError> {
        if let (true, Support::Missing(reason)) =
            (options.reports_input, self.driver.capabilities().support(Capability::InputReports))
        {
            return Err(BrowserError::NotCapable { what: "the recording of what a person does", reason });
        }
        // Chromium cancels every download to a path that contains `..`.
        let given = options.downloads.clone();
        let downloads = std::fs::create_dir_all(&given)
            .and_then(|()| given.canonicalize())
            .map_err(|source| BrowserError::Downloads { path: given, source })?;
        let options = SessionOptions { downloads: downloads.clone(), ..options };
        let needs_proxy = options.guard.restricts() || options.proxy.is_some() || self.resolves_no_name;
        if needs_proxy && !self.enforces_proxy {
            let reason = "a WebDriver server that runs already may accept a proxy and not use it";
            return Err(BrowserError::NotCapable { what: "a session with rules for addresses or a proxy", reason });
        }
        let egress = match needs_proxy && !self.own_context {
            true => Some(Arc::new(proxy(options.proxy.clone()).await?)),
            false => self.egress.clone(),
        };
        if let Some(egress) = &egress {
            egress.set_guard(Arc::clone(&options.guard));
        }
        let address = egress.as_ref().map(|egress| egress.address());
        let context = match self.own_context {
            true => None,
            false => Some(self.driver.open_context(address.as_deref()).within(self.opens_context_within).await?),
        };
        let state = options.storage_state.clone();
        let inner = SessionInner::new(
            Arc::clone(&self.driver),
            context.clone(),
            options,
            Arc::clone(&self.scripts),
            (self.headed, self.is_relayed),
            egress,
        );
        let inner = Arc::new(inner);
        self.routes.add(&inner);
        let saving = self.driver.keep_downloads(context.as_deref(), &downloads);
        let setup = ContextSetup {
            scripts: &inner.scripts,
            restore: inner.restore.as_deref(),
            viewport: (!self.headed).then_some(inner.options.viewport),
            intercepts_requests: inner.guard().restricts(),
            records_bodies: inner.options.record_network,
        };
        self.driver.prepare_context(context.as_deref(), &setup).within(ANSWER).await?;
        let session = Session::begin(inner, Arc::clone(&self.routes));
        if self.is_relayed {
            session.attach_assigned_tab().await?;
        } else {
            session.open_tab("about:blank").await?;
        }
        saving.within(ANSWER).await?;
        if let Some(state) = state {
            session.restore(&state).await?;
        }
        Ok(session)
    }

    /// Whether the connection to the browser is open, as far as is known without a request.
    pub fn is_alive(&self) -> bool {
        self.driver.gone().is_none()
    }

    /// Closes the browser and its sessions. If Legwork started it, this also ends the process and removes the temporary
    /// profile. Later calls fail.
    pub async fn close(&self) {
        let sessions = self.routes.sessions();
        let pending = join_all(sessions.iter().map(|inner| inner.flush())).await.concat();
        if !pending.is_empty() {
            tracing::warn!(pending = pending.join("; "), "the browser closes while this is under way");
        }
        let process = self.process.lock().take();
        if let Some(process) = process {
            // The process is ended even if the browser does not answer.
            let _ = self.driver.close_browser().within(Duration::from_secs(3)).await;
            process.end(Duration::from_secs(3)).await;
        } else {
            let sessions = self.routes.sessions();
            for inner in sessions {
                if let Some(context) = &inner.context {
                    let _ = self.driver.close_context(context).within(Duration::from_secs(3)).await;
                }
            }
            let _ = self.driver.disconnect().within(Duration::from_secs(3)).await;
        }
    }
}

/// Opens a WebSocket.
async fn connect_to(url: &str, address: &str) -> Result<Transport, BrowserError> {
    const LIMIT: Duration = Duration::from_secs(10);
    let unreachable = |reason: String| BrowserError::Connect { url: url.to_owned(), reason };
    let config = tokio_tungstenite::tungstenite::protocol::WebSocketConfig::default()
        .max_message_size(Some(256 << 20))
        .max_frame_size(Some(256 << 20));
    let connecting = tokio_tungstenite::connect_async_with_config(address, Some(config), true);
    let (socket, _) = tokio::time::timeout(LIMIT, connecting)
        .await
        .map_err(|_| unreachable("no answer within 10 s".into()))?
        .map_err(|error| unreachable(error.to_string()))?;
    Ok(Transport::socket(socket))
}

/// The engine of the browser at an address, if it is not the one that was asked for.
async fn other_engine(wanted: Engine, url: &str) -> Option<Engine> {
    for engine in Engine::ALL.into_iter().filter(|engine| *engine != wanted) {
        let answers = match engine {
            Engine::Chromium => {
                let address = url.replacen("ws", "http", usize::from(url.starts_with("ws")));
                cdp::discover(&address).await.is_ok()
            }
            Engine::Firefox => match bidi::address(url) {
                Ok(address) => connect_to(url, &address).await.is_ok(),
                Err(_) => false,
            },
            Engine::WebKit => webdriver::answers(url).await,
        };
        if answers {
            return Some(engine);
        }
    }
    None
}

async fn proxy(upstream: Option<UpstreamProxy>) -> Result<EgressProxy, BrowserError> {
    let failed = |error| BrowserError::Protocol {
        reason: format!("no proxy on loopback, through which sessions reach the network: {error}"),
    };
    EgressProxy::start(upstream).await.map_err(failed)
}

/// A random number, so that a page cannot guess the name that is made from it.
fn random() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}
