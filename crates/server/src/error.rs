//! Errors: why the server could not start, and how a request is refused.

use std::{io, net::SocketAddr, path::PathBuf};

use axum::http::StatusCode;
use legwork::{
    browser::BrowserError,
    protocol::{Code, ErrorReport},
    store::{AppendError, ArtifactError, LeaseError, StoreError},
};
use thiserror::Error;

use crate::request_problem::RequestProblem;

/// Why the server could not start or could not be reached.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The address is in use or not available.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: String,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// Another server uses the data folder.
    #[error("a server runs on this data folder already{}", .origin.as_ref().map(|origin| format!(": {origin}")).unwrap_or_default())]
    Running {
        /// The origin that people open in a browser, if it is known.
        origin: Option<String>,
    },
    /// Other machines could reach the server, and nothing protects the data that they send.
    #[error("other machines can reach {address}, and without TLS the token could be read in transit")]
    Exposed {
        /// The address on which the server would listen.
        address: SocketAddr,
    },
    /// The certificate or its key is invalid.
    #[error("{path} cannot be used for TLS: {reason}")]
    Tls {
        /// The path of the file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The token file or the server's note cannot be read or written.
    #[error("{path} cannot be read or written")]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// Other users can read the token.
    #[error("other users can read {path}")]
    Readable {
        /// The path of the file.
        path: PathBuf,
    },
    /// The system returns no random numbers.
    #[error("the system returns no random numbers")]
    Random,
    /// There is no valid token with this name or id.
    #[error("there is no valid token {0:?}")]
    NoToken(String),
    /// A tab of the user's own browser cannot be used.
    #[error("the tab cannot be used")]
    Tab(#[source] BrowserError),
    /// A person refused the request for a tab, or another request replaced it.
    #[error("the request for a tab was refused in the side panel, or another one has replaced it")]
    TabDeclined,
    /// No server responds.
    #[error("no server answers for this data folder")]
    NotRunning(#[source] Option<reqwest::Error>),
    /// An error of the run log.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ServeError {
    /// What the user can try.
    pub fn hint(&self) -> &'static str {
        match self {
            ServeError::Listen { .. } => "another program uses it; `legwork serve --port 0` selects a free port",
            ServeError::Running { .. } => {
                "`legwork serve --link` prints a link to it; a second server needs its own data folder (LEGWORK_DATA_DIR)"
            }
            ServeError::Exposed { .. } => {
                "give it a certificate (`server.tls_cert`, `server.tls_key`), or put a TLS proxy in front of it and \
                 name its address: `--behind-proxy https://legwork.example.org`"
            }
            ServeError::Tls { .. } => "`server.tls_cert` and `server.tls_key` are files in PEM that belong together",
            ServeError::File { .. } => "check the data folder (`data_dir`)",
            ServeError::Readable { .. } => "run `chmod 600` on it, or delete it; a new one is then created",
            ServeError::Random => "restart the machine",
            ServeError::NoToken(_) => "`legwork token list` shows all of them",
            ServeError::Tab(_) => "open another page in the tab, and assign it again in the side panel",
            ServeError::TabDeclined => "ask the person at the browser before the next request",
            ServeError::NotRunning(_) => "start it: `legwork serve`",
            ServeError::Store(error) => error.hint(),
        }
    }
}

/// A refused request: an HTTP status, and an error in the common form for people and programs.
#[derive(Debug)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    pub(crate) error: Box<ErrorReport>,
    /// In seconds.
    pub(crate) retry_after: Option<u64>,
    /// How a client authenticates, for `WWW-Authenticate`.
    pub(crate) challenge: Option<String>,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: Code, message: impl Into<String>) -> Self {
        ApiError { status, error: Box::new(ErrorReport::new(code, message)), retry_after: None, challenge: None }
    }

    /// The request is invalid.
    pub(crate) fn bad(message: impl Into<String>) -> Self {
        ApiError::new(StatusCode::BAD_REQUEST, Code::RequestInvalid, message)
    }

    /// The resource does not exist.
    pub(crate) fn missing(message: impl Into<String>) -> Self {
        ApiError::new(StatusCode::NOT_FOUND, Code::RequestInvalid, message)
            .suggest("`/api/openapi.json` lists all routes.")
    }

    /// The state of the run does not permit the operation now.
    pub(crate) fn conflict(message: impl Into<String>) -> Self {
        ApiError::new(StatusCode::CONFLICT, Code::RequestInvalid, message).suggest("Check the state of the run first.")
    }

    /// An internal error.
    pub(crate) fn internal(code: Code, error: &dyn std::error::Error) -> Self {
        tracing::error!(%error, "a request failed");
        let mut refused = ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, code, error.to_string());
        *refused.error = refused.error.caused_by(error);
        refused
    }

    pub(crate) fn suggest(mut self, action: impl Into<String>) -> Self {
        self.error.suggested_action = action.into();
        self
    }

    pub(crate) fn challenge(mut self, challenge: String) -> Self {
        self.challenge = Some(challenge);
        self
    }

    pub(crate) fn details(mut self, details: impl IntoIterator<Item = String>) -> Self {
        self.error.details.extend(details);
        self
    }
}

impl From<legwork::Error> for ApiError {
    fn from(error: legwork::Error) -> Self {
        use legwork::Error as E;
        let status = match &error {
            E::NoSuchRun(_) => StatusCode::NOT_FOUND,
            E::SeveralRuns { .. }
            | E::Lease(LeaseError::Held { .. })
            | E::Resume(..)
            | E::Replay(..)
            | E::TabNeeded(_) => StatusCode::CONFLICT,
            E::NoAddress => StatusCode::UNPROCESSABLE_ENTITY,
            E::Secrets(_) | E::UnknownPrice { .. } | E::Model(_) | E::Tools(_) | E::Playbook(_) => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            E::Browser(_) => StatusCode::BAD_GATEWAY,
            E::DataDir { .. }
            | E::Store(_)
            | E::Artifacts(_)
            | E::Lease(_)
            | E::SavedOptions { .. }
            | E::SavedState { .. } => StatusCode::INTERNAL_SERVER_ERROR,
        };
        ApiError { status, error: Box::new(error.standard()), retry_after: None, challenge: None }
    }
}

impl From<RequestProblem> for ApiError {
    fn from(problem: RequestProblem) -> Self {
        ApiError::bad(problem.to_string())
            .suggest("`/api/openapi.json` describes the fields and parameters of each route.")
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        ApiError::internal(Code::Storage, &error).suggest(error.hint())
    }
}

impl From<AppendError> for ApiError {
    fn from(error: AppendError) -> Self {
        match error {
            AppendError::Conflict { .. } | AppendError::Illegal { .. } => ApiError::conflict(error.to_string()),
            other => ApiError::internal(Code::EventPublishing, &other),
        }
    }
}

impl From<ArtifactError> for ApiError {
    fn from(error: ArtifactError) -> Self {
        match error {
            ArtifactError::Name { .. } => ApiError::bad(error.to_string()),
            ArtifactError::Missing { .. } => ApiError::missing(error.to_string()),
            ArtifactError::TooLarge { .. } => {
                ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, Code::RequestInvalid, error.to_string())
            }
            other => ApiError::internal(Code::Storage, &other),
        }
    }
}
