//! The identity of clients, and their sessions: the page, the folders that a client lists as roots, and the options of
//! the page.
//!
//! Identity is assigned and never inferred. Over stdio the connection identifies the client. Over HTTP, up to protocol
//! version 2025-11-25, the session that the server assigned does (`Mcp-Session-Id`). From 2026-07-28 on, HTTP has no
//! sessions: a request only names the client program, and many clients use the same program. Such a client receives the
//! name of a new session with its first reply, and passes it as the argument `session` in every later request.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use axum::http::request::Parts;
use legwork::browser::StorageState;
use legwork_verbs::{PageOptions, SessionLease, SessionPool, SessionPoolError, TabRequest, TabSource};
use rmcp::{Peer, RoleServer, model::ProtocolVersion, service::RequestContext};
use thiserror::Error;
use uuid::Uuid;

use crate::McpOptions;

/// The longest name of a client that is shown to a person, in characters.
const MAX_REQUESTER: usize = 60;

/// The state that all connections of a server share.
pub(crate) struct ServerState {
    pub(crate) options: McpOptions,
    pub(crate) pool: SessionPool,
    connections: AtomicU64,
    /// Whether clients run as the user of the server, so that the folders that they list as roots are theirs. A client
    /// over HTTP may have fewer rights than the server, and would name any folder of this machine.
    accepts_roots: bool,
}

/// The client that sent a request.
pub(crate) enum Caller {
    /// A client that its connection or protocol session identifies, by a unique name.
    Known(String),
    /// A client that cannot be distinguished from others.
    Unknown,
}

/// The session that a request uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SessionName {
    /// The name in the pool.
    key: String,
    /// The name that the client must pass in later requests. `None` if the connection identifies the client.
    pub(crate) assigned: Option<String>,
}

/// Why a request has no page.
#[derive(Debug, Error)]
pub(crate) enum PageUnavailable {
    #[error("session {0} is not open; leave out `session` to begin a new one")]
    NotOpen(String),
    #[error("the argument `session` is missing; pass the name from an earlier reply")]
    NotNamed,
    #[error("no page is open yet; navigate first")]
    NoPage,
    #[error("{0}{hint}", hint = hint(.0))]
    Pool(#[from] SessionPoolError),
}

fn hint(error: &SessionPoolError) -> String {
    match error {
        SessionPoolError::Open(error) => format!("; {}", error.hint()),
        SessionPoolError::Tab(_) | SessionPoolError::Full { .. } | SessionPoolError::OtherOptions { .. } => {
            String::new()
        }
    }
}

impl Caller {
    /// The client that sent a request over this connection.
    pub(crate) fn of(context: &RequestContext<RoleServer>, connection: &str) -> Caller {
        match is_sessionless(context) {
            true => Caller::Unknown,
            false => Caller::Known(connection.to_owned()),
        }
    }

    /// The session for the name in a request. `None` if the request contains no name and its client is unknown.
    pub(crate) fn session(&self, named: Option<&str>) -> Option<SessionName> {
        match (self, named) {
            (Caller::Known(client), None) => Some(SessionName { key: client.clone(), assigned: None }),
            (Caller::Known(client), Some(named)) => {
                Some(SessionName { key: format!("{client}/{named}"), assigned: None })
            }
            (Caller::Unknown, Some(named)) => Some(SessionName::assigned(named.to_owned())),
            (Caller::Unknown, None) => None,
        }
    }
}

impl SessionName {
    /// The prefix separates these names from those of connections.
    fn assigned(name: String) -> SessionName {
        SessionName { key: format!("assigned/{name}"), assigned: Some(name) }
    }

    /// A new random name. It must not be guessable, because every client that knows it has access to the session.
    fn new() -> SessionName {
        let random = Uuid::now_v7().simple().to_string();
        // The first half of a version 7 UUID is mostly the time, which can be guessed.
        SessionName::assigned(random[random.len() / 2..].to_owned())
    }

    pub(crate) fn key(&self) -> &str {
        &self.key
    }
}

/// Whether a request was sent over HTTP without a protocol session.
fn is_sessionless(context: &RequestContext<RoleServer>) -> bool {
    let Some(http) = context.extensions.get::<Parts>() else { return false };
    let newest = context.protocol_version().is_some_and(|spoken| spoken >= ProtocolVersion::V_2026_07_28);
    newest || !http.headers.contains_key("mcp-session-id")
}

impl ServerState {
    /// The state of a server for the client that started it.
    pub(crate) fn for_parent(options: McpOptions) -> Arc<ServerState> {
        ServerState::new(options, true)
    }

    /// The state of a server for clients over HTTP.
    pub(crate) fn for_network(options: McpOptions) -> Arc<ServerState> {
        ServerState::new(options, false)
    }

    fn new(options: McpOptions, accepts_roots: bool) -> Arc<ServerState> {
        let pool = SessionPool::new(options.max_sessions);
        Arc::new(ServerState { options, pool, connections: AtomicU64::new(0), accepts_roots })
    }

    /// The folders whose files a client may upload.
    pub(crate) async fn upload_folders(&self, peer: &Peer<RoleServer>) -> Vec<PathBuf> {
        let mut folders = self.options.uploads.clone();
        if self.accepts_roots {
            folders.extend(roots(peer).await);
        }
        folders
    }

    /// A unique name for a connection.
    pub(crate) fn new_connection(&self) -> String {
        format!("client-{}", self.connections.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// The page of a caller. It is opened if it is not open, except in a session that was assigned: its name must be
    /// known.
    pub(crate) async fn page(
        &self,
        caller: &Caller,
        named: Option<&str>,
        peer: &Peer<RoleServer>,
    ) -> Result<(SessionLease, SessionName), PageUnavailable> {
        let known = caller.session(named);
        if let Some(session) = &known {
            match self.pool.lease(session.key()).await {
                Some(lease) if lease.is_alive() => return Ok((lease, session.clone())),
                None if session.assigned.is_some() => {
                    return Err(PageUnavailable::NotOpen(named.unwrap_or_default().to_owned()));
                }
                _ => {}
            }
        }
        let session = known.unwrap_or_else(SessionName::new);
        let options = self.page_options(peer).await;
        let lease = self.pool.open(session.key(), &self.options.runtime, &options).await?;
        Ok((lease, session))
    }

    /// Opens the caller's session again with these cookies and storage, or for the first time.
    pub(crate) async fn reopen(
        &self,
        caller: &Caller,
        named: Option<&str>,
        state: StorageState,
        peer: &Peer<RoleServer>,
    ) -> Result<SessionName, PageUnavailable> {
        let session = match caller.session(named) {
            Some(session) if session.assigned.is_some() => {
                self.open_page(caller, named).await?;
                session
            }
            Some(session) => session,
            None => SessionName::new(),
        };
        let options = PageOptions { storage_state: Some(state), ..self.page_options(peer).await };
        self.pool.reopen(session.key(), &self.options.runtime, options).await?;
        Ok(session)
    }

    /// The page of a caller, if it is open.
    pub(crate) async fn open_page(
        &self,
        caller: &Caller,
        named: Option<&str>,
    ) -> Result<SessionLease, PageUnavailable> {
        let session = caller.session(named).ok_or(PageUnavailable::NotNamed)?;
        self.pool.lease(session.key()).await.ok_or_else(|| match (session.assigned, named) {
            (Some(name), _) => PageUnavailable::NotOpen(name),
            (None, Some(named)) => PageUnavailable::NotOpen(named.to_owned()),
            (None, None) => PageUnavailable::NoPage,
        })
    }

    /// The options for a page of this client.
    pub(crate) async fn page_options(&self, peer: &Peer<RoleServer>) -> PageOptions {
        let uploads = self.upload_folders(peer).await;
        let requester = || requester(peer.peer_info().map(|client| client.client_info.name.clone()).as_deref());
        let request = |source: &Arc<dyn TabSource>| TabRequest { source: Arc::clone(source), requester: requester() };
        PageOptions {
            secrets: self.options.secrets.clone(),
            uploads,
            storage_state: self.options.storage_state.clone(),
            tab: self.options.tabs.as_ref().map(request),
            ..PageOptions::default()
        }
    }

    /// Closes all sessions and the browser.
    pub(crate) async fn close(&self) {
        self.pool.close_all().await;
        self.options.runtime.close().await;
    }
}

/// The name that a client reports, for the person who is asked for a tab. It does not identify the client.
fn requester(name: Option<&str>) -> String {
    let name: String = name.unwrap_or_default().chars().filter(|c| !c.is_control()).take(MAX_REQUESTER).collect();
    if name.trim().is_empty() { "an MCP client".to_owned() } else { name }
}

/// The folders that a client lists as its roots.
#[expect(deprecated, reason = "current clients list roots; the newest protocol version has removed them")]
async fn roots(peer: &Peer<RoleServer>) -> Vec<PathBuf> {
    let supports_roots = peer.peer_info().is_some_and(|client| client.capabilities.roots.is_some());
    if !supports_roots {
        return Vec::new();
    }
    match peer.list_roots().await {
        Ok(listed) => {
            listed.roots.iter().filter_map(|root| url::Url::parse(&root.uri).ok()?.to_file_path().ok()).collect()
        }
        Err(error) => {
            tracing::warn!(%error, "the client did not list its roots");
            Vec::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_sees_what_a_client_calls_itself_on_one_line() {
        assert_eq!(requester(Some("editor\n\u{1b}[2J")), "editor[2J");
        assert_eq!(requester(Some(&"a".repeat(500))).len(), MAX_REQUESTER);
        assert_eq!([requester(None), requester(Some("\n"))], ["an MCP client"; 2]);
    }

    #[test]
    fn session_keys_of_different_callers_never_collide() {
        let known = |client: &str, named: Option<&str>| Caller::Known(client.to_owned()).session(named).unwrap().key;
        let keys = [
            known("client-1", None),
            known("client-1", Some("a")),
            known("client-2", None),
            known("client-2", Some("a")),
            Caller::Unknown.session(Some("a")).unwrap().key,
            Caller::Unknown.session(Some("client-1/a")).unwrap().key,
            SessionName::new().key,
            SessionName::new().key,
        ];
        let different: std::collections::BTreeSet<_> = keys.iter().collect();
        assert_eq!(different.len(), keys.len(), "{keys:?}");
        assert_eq!(Caller::Unknown.session(None), None, "what it calls itself is no identity");
    }
}
