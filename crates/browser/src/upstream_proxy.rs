//! A proxy of the user's network or of a proxy service, through which the browser reaches the sites. Legwork's own
//! proxy on loopback ([`egress`](crate::egress)) connects through it, so that names, passwords and rules work alike in
//! every engine: Chromium, for example, cannot authenticate at a SOCKS proxy.

use std::{
    fmt,
    future::{Ready, ready},
    io,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use fast_socks5::{
    ReplyError, Socks5Command, SocksError,
    client::{Config, Socks5Stream},
    util::target_addr::TargetAddr,
};
use http::Uri;
use hyper_util::{
    client::{
        legacy::connect::proxy::Tunnel,
        proxy::matcher::{Intercept, Matcher},
    },
    rt::TokioIo,
};
use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;
use tokio::{net::TcpStream, time::timeout};
use tower_service::Service;
use url::Url;

/// Destinations on this machine are always reached directly, as browsers do: the proxy would look for them on its own
/// machine.
const LOOPBACK: &str = "localhost,127.0.0.0/8,::1";
/// How long the proxy may take to connect to a destination.
const CONNECT: Duration = Duration::from_secs(60);

/// A proxy between the browser and the sites. Debug output shows no password.
#[derive(Clone)]
pub struct UpstreamProxy {
    protocol: ProxyProtocol,
    /// Host and port, for messages and connections.
    place: String,
    /// Decides which destinations are reached through the proxy, and holds its credentials.
    matcher: Arc<Matcher>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ProxyProtocol {
    Http,
    Socks5,
}

/// Why a text is no address of a proxy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProxyAddressError {
    /// It is not a URL with a host.
    #[error("expected a proxy such as http://proxy.example:3128 or socks5://proxy.example:1080, found {found:?}")]
    Malformed {
        /// The text.
        found: String,
    },
    /// The scheme is not one of a proxy that can be used.
    #[error("proxies with {scheme}:// are not supported; use http:// or socks5://")]
    Scheme {
        /// The scheme.
        scheme: String,
    },
    /// It has a path, a query or a fragment.
    #[error("a proxy is only a scheme, a host and a port: leave out {rest:?}")]
    Rest {
        /// What follows the port.
        rest: String,
    },
}

/// Why the proxy made no connection.
#[derive(Debug, Error)]
pub(crate) enum UpstreamProxyError {
    #[error("the proxy {place} cannot be reached: {source}")]
    Unreachable { place: String, source: io::Error },
    #[error("the proxy {place} gave no connection within {} s", CONNECT.as_secs())]
    Timeout { place: String },
    #[error("the proxy {place} refused the user name or the password, or demands them")]
    Credentials { place: String },
    #[error("the proxy {place} refused the connection: {reason}")]
    Refused { place: String, reason: String },
}

impl UpstreamProxy {
    /// The proxy at `url` (`http://host:port` or `socks5://host:port`, with `user:password@` if it demands them). A
    /// password may also be given apart. Hosts of `bypass` and their subdomains are reached directly: names, IP
    /// addresses or ranges such as `10.0.0.0/8`.
    ///
    /// # Errors
    /// If `url` is no address of a proxy that can be used.
    pub fn new(
        url: &str,
        password: Option<&SecretString>,
        bypass: &[String],
    ) -> Result<UpstreamProxy, ProxyAddressError> {
        let malformed = || ProxyAddressError::Malformed { found: url.to_owned() };
        let mut address = Url::parse(url).map_err(|_| malformed())?;
        let (protocol, default_port) = match address.scheme() {
            "http" => (ProxyProtocol::Http, 80),
            "socks5" | "socks5h" => (ProxyProtocol::Socks5, 1080),
            // `proxy.example:3128` has a scheme as well, as far as the parser knows.
            _ if !url.contains("://") => return Err(malformed()),
            other => return Err(ProxyAddressError::Scheme { scheme: other.to_owned() }),
        };
        let host = address.host_str().filter(|host| !host.is_empty()).ok_or_else(malformed)?;
        let place = format!("{host}:{}", address.port().unwrap_or(default_port));
        let rest = [address.path().trim_matches('/'), address.query().unwrap_or(""), address.fragment().unwrap_or("")];
        if let Some(rest) = rest.into_iter().find(|part| !part.is_empty()) {
            return Err(ProxyAddressError::Rest { rest: rest.to_owned() });
        }
        if let Some(password) = password {
            // This cannot fail: the address has a host.
            let _ = address.set_password(Some(password.expose_secret()));
        }
        let direct = std::iter::once(LOOPBACK).chain(bypass.iter().map(String::as_str)).collect::<Vec<_>>().join(",");
        let matcher = Arc::new(Matcher::builder().all(address.as_str()).no(direct).build());
        Ok(UpstreamProxy { protocol, place, matcher })
    }

    /// How to reach a destination through the proxy. `None` if it is reached directly.
    fn route(&self, host: &str, port: u16) -> Option<Route<'_>> {
        let destination: Uri = format!("https://{host}:{port}").parse().ok()?;
        let intercept = self.matcher.intercept(&destination)?;
        Some(Route { proxy: self, destination, intercept })
    }

    /// Connects to a destination through the proxy, which also resolves its name. `None` if it is reached directly.
    pub(crate) async fn connect(
        &self,
        host: &str,
        port: u16,
        target: &TargetAddr,
    ) -> Option<Result<TcpStream, UpstreamProxyError>> {
        let route = self.route(host, port)?;
        let place = || self.place.clone();
        let connected = timeout(CONNECT, route.connect(target)).await;
        Some(connected.unwrap_or_else(|_| Err(UpstreamProxyError::Timeout { place: place() })))
    }
}

impl fmt::Debug for UpstreamProxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UpstreamProxy").field("place", &self.place).finish_non_exhaustive()
    }
}

/// A destination that is reached through the proxy.
struct Route<'a> {
    proxy: &'a UpstreamProxy,
    destination: Uri,
    intercept: Intercept,
}

impl Route<'_> {
    async fn connect(self, target: &TargetAddr) -> Result<TcpStream, UpstreamProxyError> {
        let place = || self.proxy.place.clone();
        let stream = TcpStream::connect(&self.proxy.place)
            .await
            .map_err(|source| UpstreamProxyError::Unreachable { place: place(), source })?;
        let _ = stream.set_nodelay(true);
        match self.proxy.protocol {
            ProxyProtocol::Http => self.tunnel(stream).await,
            ProxyProtocol::Socks5 => self.socks(stream, target).await,
        }
    }

    async fn tunnel(self, stream: TcpStream) -> Result<TcpStream, UpstreamProxyError> {
        let mut tunnel = Tunnel::new(self.intercept.uri().clone(), Established(Some(stream)));
        if let Some(credentials) = self.intercept.basic_auth() {
            tunnel = tunnel.with_auth(credentials.clone());
        }
        match tunnel.call(self.destination).await {
            Ok(stream) => Ok(stream.into_inner()),
            // The type of the error has no public name, but its words are those of a proxy's answer.
            Err(error) => {
                let place = self.proxy.place.clone();
                Err(UpstreamProxyError::Refused { place, reason: error.to_string() })
            }
        }
    }

    async fn socks(self, stream: TcpStream, target: &TargetAddr) -> Result<TcpStream, UpstreamProxyError> {
        let place = || self.proxy.place.clone();
        let credentials = self.intercept.raw_auth().map(|(user, password)| {
            fast_socks5::AuthenticationMethod::Password { username: user.to_owned(), password: password.to_owned() }
        });
        let failed = |error: SocksError| match error {
            SocksError::AuthenticationRejected(_) | SocksError::AuthMethodUnacceptable(_) => {
                UpstreamProxyError::Credentials { place: place() }
            }
            SocksError::Io(source) => UpstreamProxyError::Unreachable { place: place(), source },
            other => UpstreamProxyError::Refused { place: place(), reason: other.to_string() },
        };
        let mut socks = Socks5Stream::use_stream(stream, credentials, Config::default()).await.map_err(failed)?;
        socks.request(Socks5Command::TCPConnect, target.clone()).await.map_err(failed)?;
        Ok(socks.get_socket())
    }
}

/// Hands over a connection that exists, in place of a connector.
struct Established(Option<TcpStream>);

impl Service<Uri> for Established {
    type Response = TokioIo<TcpStream>;
    type Error = io::Error;
    type Future = Ready<io::Result<TokioIo<TcpStream>>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Uri) -> Self::Future {
        ready(self.0.take().map(TokioIo::new).ok_or_else(|| io::ErrorKind::NotConnected.into()))
    }
}

impl UpstreamProxyError {
    /// The browser's error code with the reason, and the reply to the browser.
    pub(crate) fn in_words_of_browser(&self) -> (String, ReplyError) {
        let (code, reply) = match self {
            UpstreamProxyError::Unreachable { .. } => ("ERR_PROXY_CONNECTION_FAILED", ReplyError::NetworkUnreachable),
            UpstreamProxyError::Timeout { .. } => ("ERR_TIMED_OUT", ReplyError::ConnectionTimeout),
            UpstreamProxyError::Credentials { .. } => ("ERR_PROXY_AUTH_REQUESTED", ReplyError::GeneralFailure),
            UpstreamProxyError::Refused { .. } => ("ERR_TUNNEL_CONNECTION_FAILED", ReplyError::HostUnreachable),
        };
        (format!("net::{code} ({self})"), reply)
    }
}
