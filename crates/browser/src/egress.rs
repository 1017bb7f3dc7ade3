//! The only way to the network for a session whose rules restrict it: a SOCKS proxy on loopback that its browser context is given.
//! It sees what the browser asks about too late or not at all: sockets of workers, connections that are opened ahead of a
//! request, frames that are loaded before anybody is attached to them.
//!
//! It knows hosts and ports only. The checks of requests, which know whole addresses, remain, and tell what was refused.

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

use crate::Guard;

/// What goes to loopback goes through the proxy as well; Chromium takes none there unless it is told to.
pub(crate) const BYPASS: &str = "<-loopback>";
/// How the browser calls it that its proxy made no connection.
const PROXY_FAILURE: &str = "ERR_SOCKS_CONNECTION";
/// How long the browser may take to say where a connection goes.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How long a connection may take to be made; a browser itself waits about as long.
const CONNECT: Duration = Duration::from_secs(60);
/// Until the next attempt to take a connection, when there are no more descriptors.
const PAUSE: Duration = Duration::from_millis(50);
/// The most places whose failure is remembered.
const MOST: usize = 100;

/// A listening proxy. Dropped, it ends with all its connections.
pub(crate) struct EgressProxy {
    address: SocketAddr,
    gate: Arc<Gate>,
    listening: JoinHandle<()>,
}

struct Gate {
    /// None before a session was begun: nothing is allowed then.
    guard: Mutex<Option<Arc<dyn Guard>>>,
    /// Why no connection was made, by host and port, in the browser's words: the browser itself learns only that there is none.
    failures: Mutex<HashMap<(String, u16), String>>,
}

impl EgressProxy {
    /// Begins to listen on a free port of loopback. It connects to nothing before [`EgressProxy::set_guard`].
    pub(crate) async fn start() -> io::Result<EgressProxy> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let gate = Arc::new(Gate { guard: Mutex::default(), failures: Mutex::default() });
        let listening = tokio::spawn(listen(listener, Arc::clone(&gate)));
        Ok(EgressProxy { address, gate, listening })
    }

    /// Whom it asks from now on.
    pub(crate) fn set_guard(&self, guard: Arc<dyn Guard>) {
        *self.gate.guard.lock() = Some(guard);
    }

    /// How the browser is told of it.
    pub(crate) fn address(&self) -> String {
        format!("socks5://{}", self.address)
    }

    /// Puts the reason for which no connection was made in place of the browser's, which knows only that there is none.
    pub(crate) fn explain(&self, url: &str, why: &mut String) {
        if why.contains(PROXY_FAILURE)
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
    // Dropped with this task, and its connections with it.
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
                // However it ends, both ends are closed then.
                let _ = copy_bidirectional(&mut stream, &mut upstream).await;
                Ok(())
            }
            Err(error) => reply.reply_error(&error).await,
        }
    }

    /// Connects to an allowed place, at the very address that was judged.
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
        // What is spoken on the connection is not known here.
        if !allows("http") && !allows("https") {
            tracing::debug!(host, port, "a connection was refused: the run may not go there");
            return Err(ReplyError::ConnectionNotAllowed);
        }
        let place = (host, port);
        let addresses: Vec<SocketAddr> = match target {
            TargetAddr::Ip(address) => vec![*address],
            TargetAddr::Domain(name, port) => lookup_host((name.as_str(), *port)).await.into_iter().flatten().collect(),
        };
        let mut failure = ("net::ERR_NAME_NOT_RESOLVED".to_owned(), ReplyError::HostUnreachable);
        for address in addresses {
            if guard.allows_connection(address).is_err() {
                return Err(ReplyError::ConnectionNotAllowed);
            }
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
        let (words, reply) = failure;
        self.note(place, Some(words));
        Err(reply)
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
