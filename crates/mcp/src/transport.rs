//! Starts a server: over stdio for one client, over HTTP for several.

use std::{net::SocketAddr, sync::Arc};

use axum::middleware;
use legwork_access::{ConnectionLimits, serve};
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

use crate::{
    McpOptions,
    clients::ServerState,
    http_access::{HttpAccess, Stored},
    names::Names,
    server::Server,
};

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
    /// An allowed origin is not one.
    #[error("{text:?} is not an origin, such as https://app.example or http://localhost:3000")]
    Origin {
        /// The text.
        text: String,
    },
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
    let server_state = ServerState::for_parent(options);
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
    /// Accepted `Host` headers, in addition to those of the loopback interface: `host` for every port, or `host:port`.
    pub hosts: Vec<String>,
    /// Accepted origins, `scheme://host[:port]`. Requests without an `Origin` header are accepted: only browsers send
    /// it.
    pub origins: Vec<String>,
    /// The token with all scopes, which a request may contain as `Authorization: Bearer …`. Without one, every user of
    /// this machine has access, unless a token was ever created in the data folder.
    pub token: Option<String>,
    /// The limits of connections and bodies.
    pub limits: ConnectionLimits,
}

/// Serves clients over HTTP at `/mcp` until the token is cancelled. Calls `listening` with the address once it listens.
///
/// # Errors
/// If it cannot listen on the address, or an allowed origin is not one.
pub async fn serve_http(
    options: McpOptions,
    http: Http,
    stop: CancellationToken,
    listening: impl FnOnce(SocketAddr),
) -> Result<(), McpError> {
    let settings = options.runtime.settings();
    let stored = Stored::of(&settings.data_dir, &settings.server);
    let server_state = ServerState::for_network(options);
    let newcomers = server_state.clone();
    let ended = listen(move || Server::new(newcomers.clone()), http, Some(stored), stop, listening).await;
    server_state.close().await;
    ended
}

/// Like [`serve_http`], for any handler, without a data folder: only the token of `http` is accepted, and there is no
/// audit log. `make` creates one handler for each client session.
///
/// # Errors
/// If it cannot listen on the address, or an allowed origin is not one.
pub async fn serve_http_by<S: ServerHandler>(
    make: impl Fn() -> S + Send + Sync + 'static,
    http: Http,
    stop: CancellationToken,
    listening: impl FnOnce(SocketAddr),
) -> Result<(), McpError> {
    listen(make, http, None, stop, listening).await
}

async fn listen<S: ServerHandler>(
    make: impl Fn() -> S + Send + Sync + 'static,
    http: Http,
    stored: Option<Stored>,
    stop: CancellationToken,
    listening: impl FnOnce(SocketAddr),
) -> Result<(), McpError> {
    let Http { at, hosts, origins, token, limits } = http;
    let listener = tokio::net::TcpListener::bind(at).await.map_err(|source| McpError::Listen { at, source })?;
    let at = listener.local_addr().unwrap_or(at);
    let names = Names::new(at.port(), hosts, &origins).map_err(|text| McpError::Origin { text })?;
    // `Names` is the only check of Host and Origin. The transport's own accepts other spellings.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_cancellation_token(stop.child_token());
    let service = StreamableHttpService::new(move || Ok(make()), Arc::new(LocalSessionManager::default()), config);
    let access = Arc::new(HttpAccess { names, token, stored, limits });
    let check = access.clone();
    let guard = middleware::from_fn(move |request, next| check.clone().guard(request, next));
    let router = axum::Router::new().nest_service("/mcp", service).layer(guard);
    listening(at);
    let serving = serve(limits, listener, router, stop.cancelled());
    match &access.stored {
        // Ends the streams of tokens that were revoked, as long as there are connections.
        Some(stored) => {
            let ended = CancellationToken::new();
            tokio::join!(stored.tokens.watch(&ended), async {
                serving.await;
                ended.cancel();
            });
        }
        None => serving.await,
    }
    Ok(())
}
