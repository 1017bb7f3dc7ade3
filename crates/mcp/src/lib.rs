//! Legwork for other agents: an MCP server over stdio and streamable HTTP.
//!
//! A client that is configured for Playwright MCP finds its tools here, with their names and parameters, at a tenth of the
//! tokens: an action is answered with the difference that it made. Beyond these there are whole steps, tasks and workflows
//! with evidence, which none of the others has.
//!
//! A request's way: [`server`] (the protocol) → [`tools`] (arguments to commands) → [`calls`] → [`legwork_verbs::execute`] on the
//! client's own page; or [`runs`], for what takes many steps. Each client has a page of its own, with cookies and storage of its
//! own; [`clients`] says who is who.

mod calls;
mod clients;
mod config;
mod external_tools;
mod files;
mod prompts;
mod resources;
mod runs;
mod server;
mod tools;
mod transport;

pub use external_tools::{ExternalToolsError, connect_external_tools};
pub use tools::Group;
pub use transport::{Http, McpError, serve_http, serve_http_by, serve_over, serve_stdio};

use std::{path::PathBuf, sync::Arc};

use legwork::{Runtime, browser::StorageState, vault::SecretSpec};

/// What a server offers, and to whom.
pub struct McpOptions {
    /// The browser, the log, the settings.
    pub runtime: Arc<Runtime>,
    /// The tools that are listed. Those of other groups can still be called by name.
    pub groups: Vec<Group>,
    /// Where files go that tools make.
    pub output: PathBuf,
    /// Folders whose files may be uploaded, beside the roots that a client names.
    pub uploads: Vec<PathBuf>,
    /// Secrets that pages may be given by their handles.
    pub secrets: Vec<SecretSpec>,
    /// Cookies and storage that every page begins with.
    pub storage_state: Option<StorageState>,
    /// The most pages that are open at once.
    pub max_sessions: usize,
}
