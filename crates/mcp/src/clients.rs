//! Who asks, and what is theirs: a page, the folders they named as roots, the files that were made for them.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use legwork::page::Page;
use legwork_verbs::{PageOptions, PagePool, PagePoolError};
use rmcp::{Peer, RoleServer, model::ProtocolVersion, service::RequestContext};

use crate::McpOptions;

/// What all clients of a server share.
pub(crate) struct ServerState {
    pub(crate) options: McpOptions,
    pub(crate) pool: PagePool,
    clients: AtomicU64,
}

impl ServerState {
    pub(crate) fn new(options: McpOptions) -> Arc<ServerState> {
        let pool = PagePool::new(options.runtime.clone(), options.max_sessions);
        Arc::new(ServerState { options, pool, clients: AtomicU64::new(0) })
    }

    /// A name that no other client has.
    pub(crate) fn newcomer(&self) -> String {
        format!("client-{}", self.clients.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// The page of that name, and whether it is a new one because the browser of the one before died.
    pub(crate) async fn page(&self, name: &str, peer: &Peer<RoleServer>) -> Result<(Arc<Page>, bool), PagePoolError> {
        if let Some(page) = self.pool.known(name).await.filter(|page| page.is_alive()) {
            return Ok((page, false));
        }
        self.pool.page(name, &self.page_options(peer).await).await
    }

    /// What a page of this client may do.
    pub(crate) async fn page_options(&self, peer: &Peer<RoleServer>) -> PageOptions {
        let mut uploads = self.options.uploads.clone();
        uploads.extend(roots(peer).await);
        PageOptions {
            secrets: self.options.secrets.clone(),
            uploads,
            storage_state: self.options.storage_state.clone(),
            ..PageOptions::default()
        }
    }
}

/// The folders that a client says it works in.
#[expect(deprecated, reason = "clients of today name their roots; the newest protocol has no such word any more")]
pub(crate) async fn roots(peer: &Peer<RoleServer>) -> Vec<PathBuf> {
    let names_them = peer.peer_info().is_some_and(|client| client.capabilities.roots.is_some());
    if !names_them {
        return Vec::new();
    }
    match peer.list_roots().await {
        Ok(listed) => {
            listed.roots.iter().filter_map(|root| url::Url::parse(&root.uri).ok()?.to_file_path().ok()).collect()
        }
        Err(error) => {
            tracing::warn!(%error, "the client did not name its roots");
            Vec::new()
        }
    }
}

/// A client of the newest protocol has no session: it is known by what it calls itself, so that its next request finds its
/// page again. Two of the same name tell themselves apart with the argument `session`. No client with a session is called so.
pub(crate) fn sessionless(context: &RequestContext<RoleServer>) -> Option<String> {
    let sessionless = context.protocol_version().is_some_and(|spoken| spoken >= ProtocolVersion::V_2026_07_28);
    sessionless.then(|| {
        let client = context.client_info();
        client.map_or_else(|| "nobody".to_owned(), |client| format!("called {} {}", client.name, client.version))
    })
}
