//! The only route to the network for a session whose rules restrict it or that uses a proxy of the user: a SOCKS proxy
//! on loopback that its browser context uses. It covers connections that the browser's request interception reports too
//! late or not at all: sockets of workers, connections that are opened ahead of a request, and frames that load before
//! the driver is attached to them.
//!
//! The proxy knows only hosts and ports. Requests are therefore also checked when they are intercepted, where the whole
//! address is known and refusals are reported.

use std::{
    collections::HashMap,
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use fast_socks5::{
    ReplyError, Socks5Command,
    server::{Socks5ServerProtocol, SocksServerError},
    util::target_addr::TargetAddr,
};
use parking_lot::Mutex;
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream, lookup_host},
    task::{JoinHandle, JoinSet},
    time::{sleep, timeout},
};
use url::Url;

use crate::{Guard, upstream_proxy::UpstreamProxy};

/// Sends connections to loopback through the proxy as well, which Chromium does only with this entry.
pub(crate) const BYPASS: &str = "<-loopback>";
/// The browser's error code for a connection that its proxy did not make.
const PROXY_FAILURE: &str = "ERR_SOCKS_CONNECTION";
/// WebKit's message for it: `Connection refused through SOCKSv5 proxy.`
const WEBKIT_FAILURE: &str = "SOCKS";
/// Firefox reports the same failures as for a direct connection.
const FIREFOX_FAILURE: &str = "NS_ERROR_";
/// How long the browser may take to state the destination of a connection.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How long a connection attempt may take. A browser itself waits about as long.
const CONNECT: Duration = Duration::from_secs(60);
/// The pause before the next attempt to accept a connection after a failure, such as too many open file descriptors.
const PAUSE: Duration = Duration::from_millis(50);
/// The most destinations whose failure is remembered.
const MOST: usize = 100;

/// A listening proxy. Dropping it ends the proxy and all its connections.
pub(crate) struct EgressProxy {
    address: SocketAddr,
    gate: Arc<Gate>,
    listening: JoinHandle<()>,
}

struct Gate {
    /// `None` until a session begins; until then every connection is refused.
    guard: Mutex<Option<Arc<dyn Guard>>>,
    /// The proxy of the user, if there is one.
    upstream: Option<UpstreamProxy>,
    /// Why no connection was made, by host and port, as the browser's error code. The browser itself learns only that
    /// the proxy failed.
    failures: Mutex<HashMap<(String, u16), String>>,
}

impl EgressProxy {
    /// Starts listening on a free port of loopback. Refuses every connection until [`EgressProxy::set_guard`] is
    /// called.
    pub(crate) async fn start(upstream: Option<UpstreamProxy>) -> io::Result<EgressProxy> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let gate = Arc::new(Gate { guard: Mutex::default(), upstream, failures: Mutex::default() });
        let listening = tokio::spawn(listen(listener, Arc::clone(&gate)));
        Ok(EgressProxy { address, gate, listening })
    }

    /// Sets the guard that decides about connections from now on.
    pub(crate) fn set_guard(&self, guard: Arc<dyn Guard>) {
        *self.gate.guard.lock() = Some(guard);
    }

    /// The address of the proxy, in the form that the browser expects.
    pub(crate) fn address(&self) -> String {
        format!("socks5://{}", self.address)
    }

    /// Replaces the browser's reason, which states only that the proxy failed, by the reason for which no connection
    /// was made.
    pub(crate) fn explain(&self, url: &str, why: &mut String) {
        if (why.contains(PROXY_FAILURE) || why.contains(WEBKIT_FAILURE) || why.starts_with(FIREFOX_FAILURE))
            && let Some(cause) = self.cause(url)
        {
            *why = cause;
        }
    }

    fn cause(&self, url: &str) -> Option<String> {
        let url = Url::parse(url).ok()?;
        let place = (url.host_str()?.to_owned(), url.port_or_known_default()?);
        self.gate.failures.lock().get(&place).cloned()
    }
}

impl Drop for EgressProxy {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

async fn listen(listener: TcpListener, gate: Arc<Gate>) {
    // Aborts all connections when this task is dropped.
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    let gate = Arc::clone(&gate);
                    connections.spawn(async move {
                        if let Err(error) = gate.serve(stream).await {
                            tracing::debug!(%error, "a connection of the browser ended early");
                        }
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "no connection of the browser can be taken for now");
                    sleep(PAUSE).await;
                }
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

impl Gate {
    async fn serve(&self, stream: TcpStream) -> Result<(), SocksServerError> {
        let _ = stream.set_nodelay(true);
        let asked = async { Socks5ServerProtocol::accept_no_auth(stream).await?.read_command().await };
        let Ok(asked) = timeout(HANDSHAKE, asked).await else { return Ok(()) };
        let (reply, command, target) = asked?;
        if !matches!(command, Socks5Command::TCPConnect) {
            return reply.reply_error(&ReplyError::CommandNotSupported).await;
        }
        match self.connect(&target).await {
            Ok(mut upstream) => {
                let mut stream = reply.reply_success(SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0))).await?;
                // The result is not needed: both ends are closed in either case.
                let _ = copy_bidirectional(&mut stream, &mut upstream).await;
                Ok(())
            }
            Err(error) => reply.reply_error(&error).await,
        }
    }

    /// Connects to an allowed destination. The address that was checked is also the one that is connected to, so that a
    /// second name resolution cannot lead elsewhere.
    async fn connect(&self, target: &TargetAddr) -> Result<TcpStream, ReplyError> {
        let (host, port) = match target {
            TargetAddr::Ip(address) if address.is_ipv6() => (format!("[{}]", address.ip()), address.port()),
            TargetAddr::Ip(address) => (address.ip().to_string(), address.port()),
            TargetAddr::Domain(name, port) => (name.clone(), *port),
        };
        let guard = self.guard.lock().clone();
        let Some(guard) = guard else { return Err(ReplyError::ConnectionNotAllowed) };
        let allows = |scheme: &str| {
            Url::parse(&format!("{scheme}://{host}:{port}/")).is_ok_and(|url| guard.allows(&url).is_ok())
        };
        // The protocol used on the connection is not known here, so a rule for either scheme suffices.
        if !allows("http") && !allows("https") {
            tracing::debug!(host, port, "a connection was refused: the run may not go there");
            return Err(ReplyError::ConnectionNotAllowed);
        }
        if let TargetAddr::Ip(address) = target
            && guard.allows_connection(*address).is_err()
        {
            return Err(ReplyError::ConnectionNotAllowed);
        }
        // The proxy of the user resolves names itself, so the addresses behind them are not known here.
        if let Some(upstream) = &self.upstream
            && let Some(connected) = upstream.connect(&host, port, target).await
        {
            return connected
                .inspect(|_| self.note((host.clone(), port), None))
                .map_err(|error| self.refuse((host, port), error.in_words_of_browser()));
        }
        let place = (host, port);
        let addresses: Vec<SocketAddr> = match target {
            TargetAddr::Ip(address) => vec![*address],
            TargetAddr::Domain(name, port) => lookup_host((name.as_str(), *port)).await.into_iter().flatten().collect(),
        };
        let mut failure = ("net::ERR_NAME_NOT_RESOLVED".to_owned(), ReplyError::HostUnreachable);
        // One blocked address blocks the name: the others lead to the same machine.
        if addresses.iter().any(|address| guard.allows_connection(*address).is_err()) {
            return Err(ReplyError::ConnectionNotAllowed);
        }
        for address in addresses {
            match timeout(CONNECT, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => {
                    let _ = stream.set_nodelay(true);
                    self.note(place, None);
                    return Ok(stream);
                }
                Ok(Err(error)) => failure = in_words_of_browser(&error),
                Err(_) => failure = ("net::ERR_CONNECTION_TIMED_OUT".to_owned(), ReplyError::ConnectionTimeout),
            }
        }
        Err(self.refuse(place, failure))
    }

    /// Remembers why no connection was made, and returns the reply to the browser.
    fn refuse(&self, place: (String, u16), (words, reply): (String, ReplyError)) -> ReplyError {
        self.note(place, Some(words));
        reply
    }

    fn note(&self, place: (String, u16), failure: Option<String>) {
        let mut failures = self.failures.lock();
        match failure {
            Some(failure) if failures.len() < MOST || failures.contains_key(&place) => {
                failures.insert(place, failure);
            }
            _ => {
                failures.remove(&place);
            }
        }
    }
}

fn in_words_of_browser(error: &io::Error) -> (String, ReplyError) {
    use io::ErrorKind::{ConnectionRefused, HostUnreachable, NetworkUnreachable, TimedOut};
    match error.kind() {
        ConnectionRefused => ("net::ERR_CONNECTION_REFUSED".to_owned(), ReplyError::ConnectionRefused),
        HostUnreachable | NetworkUnreachable => {
            ("net::ERR_ADDRESS_UNREACHABLE".to_owned(), ReplyError::NetworkUnreachable)
        }
        TimedOut => ("net::ERR_CONNECTION_TIMED_OUT".to_owned(), ReplyError::ConnectionTimeout),
        _ => (format!("net::ERR_CONNECTION_FAILED ({error})"), ReplyError::GeneralFailure),
    }
}
