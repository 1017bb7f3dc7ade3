//! Starts a server: over stdio for one client, over HTTP for several.

use std::{net::SocketAddr, sync::Arc};

use rmcp::{
    ServerHandler, ServiceExt,
    transport::{
        stdio,
        streamable_http_server::{
            StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
        },
    },
};
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use crate::{McpOptions, clients::ServerState, server::Server};

/// Why a server did not start or ended.
#[derive(Debug, Error)]
pub enum McpError {
    /// The client did not send a valid initialization.
    #[error("the client did not begin as MCP wants it")]
    Greeting(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The address is in use or not available.
    #[error("cannot listen at {at}")]
    Listen {
        /// The address.
        at: SocketAddr,
        /// The error of the operating system.
        #[source]
        source: std::io::Error,
    },
    /// The HTTP server failed.
    #[error("the server closed the connection")]
    Serve(#[source] std::io::Error),
}

/// Serves one client over standard input and output until it disconnects or the token is cancelled. Nothing else may
/// write to standard output in the meantime.
///
/// # Errors
/// If the client does not send a valid initialization.
pub async fn serve_stdio(options: McpOptions, stop: CancellationToken) -> Result<(), McpError> {
    let (read, write) = stdio();
    serve_over(options, read, write, stop).await
}

/// Like [`serve_stdio`], over any pair of streams.
///
/// # Errors
/// If the client does not send a valid initialization.
pub async fn serve_over(
    options: McpOptions,
    read: impl AsyncRead + Send + Unpin + 'static,
    write: impl AsyncWrite + Send + Unpin + 'static,
    stop: CancellationToken,
) -> Result<(), McpError> {
    let server_state = ServerState::new(options);
    let served = async {
        let greeted = Server::new(server_state.clone()).serve_with_ct((read, write), stop.clone()).await;
        match greeted {
            Ok(running) => {
                // Any way of disconnecting is a normal end.
                let _ = running.waiting().await;
                Ok(())
            }
            // Cancelled before a client sent its initialization.
            Err(_) if stop.is_cancelled() => Ok(()),
            Err(error) => Err(McpError::Greeting(Box::new(error))),
        }
    };
    let ended = served.await;
    server_state.close().await;
    ended
}

/// The address of an HTTP server, and which requests it accepts.
pub struct Http {
    /// The address to listen on. Port 0 selects a free port.
    pub at: SocketAddr,
    /// Accepted `Host` headers, in addition to those of the loopback interface.
    pub hosts: Vec<String>,
    /// Accepted `Origin` headers. Requests without one are accepted: only browsers send the header.
    pub origins: Vec<String>,
    /// The token that every request must contain as `Authorization: Bearer …`. Without one on the loopback interface,
    /// every user of this machine has access.
    pub token: Option<String>,
}

/// Serves clients over HTTP at `/mcp` until the token is cancelled. Calls `listening` with the address once it listens.
///
/// # Errors
/// If it cannot listen on the address.
pub async fn serve_http(
    options: McpOptions,
    http: Http,
    stop: CancellationToken,
    listening: impl FnOnce(SocketAddr),
) -> Result<(), McpError> {
    let server_state = ServerState::new(options);
    let newcomers = server_state.clone();
    let ended = serve_http_by(move || Server::new(newcomers.clone()), http, stop, listening).await;
    server_state.close().await;
    ended
}

/// Like [`serve_http`], for any handler. `make` creates one for each client session.
///
/// # Errors
/// If it cannot listen on the address.
pub async fn serve_http_by<S: ServerHandler>(
    make: impl Fn() -> S + Send + Sync + 'static,
    http: Http,
    stop: CancellationToken,
    listening: impl FnOnce(SocketAddr),
) -> Result<(), McpError> {
    let Http { at, hosts, origins, token } = http;
    let listener = tokio::net::TcpListener::bind(at).await.map_err(|source| McpError::Listen { at, source })?;
    let at = listener.local_addr().unwrap_or(at);
    let mut allowed = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned()];
    allowed.extend(hosts);
    // Pages at the server's own port have its own origin, and the server serves no pages.
    let own = ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("http://{host}:{}", at.port()));
    let origins: Vec<String> =
        origins.iter().map(|origin| origin.trim_end_matches('/').to_owned()).chain(own).collect();
    let exact_origins: Arc<[String]> = origins.iter().map(|origin| origin.to_ascii_lowercase()).collect();
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(allowed)
        .with_allowed_origins(origins)
        .enforce_origin_validation()
        .with_cancellation_token(stop.child_token());
    let service = StreamableHttpService::new(move || Ok(make()), Arc::new(LocalSessionManager::default()), config);
    let router = axum::Router::new().nest_service("/mcp", service);
    let router =
        router.layer(axum::middleware::from_fn(move |request, next| exact_names(exact_origins.clone(), request, next)));
    let router = match token {
        Some(token) => {
            router.layer(axum::middleware::from_fn(move |request, next| bearer(token.clone(), request, next)))
        }
        None => router,
    };
    listening(at);
    axum::serve(listener, router).with_graceful_shutdown(stop.cancelled_owned()).await.map_err(McpError::Serve)
}

/// Refuses other spellings of an allowed Host or Origin, which the transport itself accepts: a second header, a user name, a path,
/// letters in another case. No browser sends them.
async fn exact_names(
    origins: Arc<[String]>,
    request: axum::extract::Request,
    next: axum::middleware::Next,
) -> axum::response::Response {
    use axum::{
        http::{StatusCode, header},
        response::IntoResponse,
    };
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let (host, second_host) = (hosts.next(), hosts.next());
    let mut given = request.headers().get_all(header::ORIGIN).iter();
    let (origin, second_origin) = (given.next(), given.next());
    let is_plain = host.is_some_and(|host| !host.as_bytes().contains(&b'@'));
    let is_known = origin.is_none_or(|origin| origins.iter().any(|known| known.as_bytes() == origin.as_bytes()));
    if second_host.is_some() || second_origin.is_some() || !is_plain || !is_known {
        return (
            StatusCode::FORBIDDEN,
            "this Host or Origin is not allowed; see --allowed-host and --allowed-origin\n",
        )
            .into_response();
    }
    next.run(request).await
}

async fn bearer(
    token: String,
    request: axum::extract::Request,
    next: axum::middleware::Next,
) -> axum::response::Response {
    use axum::{http::StatusCode, response::IntoResponse};
    use subtle::ConstantTimeEq;
    let given = request.headers().get("authorization").and_then(|value| value.to_str().ok());
    let given = given.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
    if bool::from(given.as_bytes().ct_eq(token.as_bytes())) {
        return next.run(request).await;
    }
    let asks = [("www-authenticate", "Bearer")];
    (StatusCode::UNAUTHORIZED, asks, "send the server's token as Authorization: Bearer …\n").into_response()
}
