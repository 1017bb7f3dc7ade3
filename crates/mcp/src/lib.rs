//! Legwork for other agents: an MCP server over stdio and streamable HTTP.
//!
//! A client that is configured for Playwright MCP finds the same tools here, with their names and parameters. The reply
//! to an action contains only the difference that it made, so that a task needs about a quarter of the tokens
//! (docs/mcp.md has the measurement). In addition there are tools for steps, tasks and workflows. They return evidence.
//!
//! A request passes through [`server`] (the protocol), [`tools`] (arguments to commands) and [`calls`] to
//! [`legwork_verbs::execute`] on the client's own page, or to [`runs`] and [`batches`] for a task or workflow. Each
//! client has its own page, with its own cookies and storage; [`clients`] identifies the client.

mod batches;
mod calls;
mod clients;
mod config;
mod external_tools;
mod files;
mod http_access;
mod names;
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

use legwork::{Runtime, browser::StorageState, secrets::SecretSpec};
use legwork_verbs::TabSource;

/// The configuration of a server.
pub struct McpOptions {
    /// The browser, the log, the settings.
    pub runtime: Arc<Runtime>,
    /// The groups whose tools are listed. Tools of other groups can still be called by name.
    pub groups: Vec<Group>,
    /// The folder for files that tools create.
    pub output: PathBuf,
    /// Folders whose files may be uploaded, in addition to the roots of a client that is connected over streams.
    pub uploads: Vec<PathBuf>,
    /// Secrets that pages may use by their handles.
    pub secrets: Vec<SecretSpec>,
    /// The initial cookies and storage of every page.
    pub storage_state: Option<StorageState>,
    /// Pages are tabs of the user's own browser, which a person assigns, and runs work in the client's page.
    pub tabs: Option<Arc<dyn TabSource>>,
    /// The maximum number of open pages.
    pub max_sessions: usize,
}
