//! Why the server could not begin, and how a request is refused.

use std::{io, net::SocketAddr, path::PathBuf};

use axum::http::StatusCode;
use legwork::{
    protocol::{Code, ErrorReport},
    store::{AppendError, ArtifactError, LeaseError, StoreError},
};
use thiserror::Error;

/// Why the server could not begin or be reached.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The address is taken or not ours.
    #[error("{address} cannot be listened on")]
    Listen {
        /// Which.
        address: String,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// Others could reach it, and nothing protects what they send.
    #[error("{address} can be reached by other machines, and without TLS they would see the token")]
    Exposed {
        /// Where it would listen.
        address: SocketAddr,
    },
    /// The certificate or its key.
    #[error("{path} cannot be used for TLS: {reason}")]
    Tls {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The token or the note of the running server.
    #[error("{path} cannot be read or written")]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// Others may read the token.
    #[error("{path} may be read by other users")]
    Readable {
        /// The file.
        path: PathBuf,
    },
    /// No randomness.
    #[error("the system gives no random numbers")]
    Random,
    /// Nobody answers.
    #[error("no server answers for this data folder")]
    NotRunning(#[source] Option<reqwest::Error>),
    /// The log.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ServeError {
    /// What to try.
    pub fn hint(&self) -> &'static str {
        match self {
            ServeError::Listen { .. } => "is a server running already? `legwork serve --port 0` takes a free port",
            ServeError::Exposed { .. } => {
                "give it a certificate (`server.tls_cert`, `server.tls_key`), or put a proxy that speaks TLS before it and \
                 say so: `--behind-proxy https://legwork.example.org`"
            }
            ServeError::Tls { .. } => "`server.tls_cert` and `server.tls_key` are files in PEM that belong together",
            ServeError::File { .. } => "check the data folder (`data_dir`)",
            ServeError::Readable { .. } => "chmod 600 it, or delete it: a new one is made",
            ServeError::Random => "restart the machine",
            ServeError::NotRunning(_) => "start it: `legwork serve`",
            ServeError::Store(error) => error.hint(),
        }
    }
}

/// How a request is refused: a status for HTTP, the one error shape for people and programs.
#[derive(Debug)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    pub(crate) error: Box<ErrorReport>,
    /// Seconds.
    pub(crate) retry_after: Option<u64>,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: Code, message: impl Into<String>) -> Self {
        ApiError { status, error: Box::new(ErrorReport::new(code, message)), retry_after: None }
    }

    /// The request is not as it should be.
    pub(crate) fn bad(message: impl Into<String>) -> Self {
        ApiError::new(StatusCode::BAD_REQUEST, Code::RequestInvalid, message)
    }

    /// There is no such thing.
    pub(crate) fn missing(message: impl Into<String>) -> Self {
        ApiError::new(StatusCode::NOT_FOUND, Code::RequestInvalid, message)
            .suggest("`/api/openapi.json` lists what there is.")
    }

    /// It cannot be done to this run now.
    pub(crate) fn conflict(message: impl Into<String>) -> Self {
        ApiError::new(StatusCode::CONFLICT, Code::RequestInvalid, message).suggest("Look at the session's state first.")
    }

    /// Something of ours broke.
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
            E::SeveralRuns { .. } | E::Lease(LeaseError::Held { .. }) | E::Resume(..) | E::Replay(..) => {
                StatusCode::CONFLICT
            }
            E::Secrets(_) | E::UnknownPrice { .. } | E::Model(_) | E::Tools(_) => StatusCode::UNPROCESSABLE_ENTITY,
            E::Browser(_) => StatusCode::BAD_GATEWAY,
            E::DataDir { .. } | E::Store(_) | E::Artifacts(_) | E::Lease(_) | E::SavedState { .. } => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
        };
        ApiError { status, error: Box::new(error.standard()), retry_after: None }
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
            AppendError::Conflict { .. } => ApiError::conflict(error.to_string()),
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
