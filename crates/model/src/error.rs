//! Why a model gave no usable reply.
//!
//! No message contains the key or the request. Text of a provider comes only from the message field of its error
//! body; it is shortened (`wire::provider_message`), and the key is removed (`Provider`). Sources are transport
//! errors without their URL.

use std::time::Duration;

use legwork_protocol::{Code, FailedAttempt, ModelFailure};

use crate::{CassetteError, provider_table::providers};

/// Why a model could not be opened or gave no usable reply.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The model's name does not begin with a known provider.
    #[error("`{model}` is not the name of a model: write provider/name with one of these providers: {}", names())]
    UnknownProvider {
        /// The given name.
        model: String,
    },
    /// The base URL is not an http or https URL.
    #[error("`{given}` is not a base URL of a model: an http or https URL is required")]
    BaseUrl {
        /// The given URL, without user and password.
        given: String,
    },
    /// The provider has no default base URL.
    #[error("the provider `{provider}` requires a base URL")]
    NoBaseUrl {
        /// The provider.
        provider: &'static str,
    },
    /// The provider requires a key.
    #[error(
        "the provider `{provider}` requires a key: set {variable}, or store it with `legwork vault add {variable} --origin ORIGIN`"
    )]
    NoKey {
        /// The provider.
        provider: &'static str,
        /// The environment variable that contains the key.
        variable: &'static str,
    },
    /// The key contains characters that are not allowed in an HTTP header.
    #[error("the key for `{provider}` contains characters that cannot be sent")]
    BadKey {
        /// The provider.
        provider: &'static str,
    },
    /// The HTTP client could not be created, for instance because the machine has no root certificates.
    #[error("cannot create an HTTPS client; check that the system's CA certificates are installed ({})", root(&**.0))]
    Client(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The connection failed or was interrupted.
    #[error("no connection to the model at {host}: {}", root(&**.source))]
    Connection {
        /// The host.
        host: String,
        /// The cause.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The reply did not arrive completely in time.
    #[error("the model at {host} did not answer within {after:?}")]
    Timeout {
        /// The host.
        host: String,
        /// The time limit.
        after: Duration,
    },
    /// The time limit of the request passed, with all retries.
    #[error("no model answered within the {after:?} that were left")]
    TimeLimit {
        /// The time limit.
        after: Duration,
    },
    /// The provider received too many requests.
    #[error("the model's provider limits the request rate{}: {message}", in_words(.retry_after))]
    RateLimited {
        /// The waiting time that the provider requests.
        retry_after: Option<Duration>,
        /// The message of the provider.
        message: String,
    },
    /// The key is wrong or has no access to this model.
    #[error("the model's provider refused the key (HTTP {status}): {message}")]
    Auth {
        /// 401 or 403.
        status: u16,
        /// The message of the provider.
        message: String,
    },
    /// The provider refused the request.
    #[error("the model's provider refused the request (HTTP {status}): {message}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The message of the provider.
        message: String,
    },
    /// The provider failed.
    #[error("the model's provider failed (HTTP {status}): {message}")]
    Server {
        /// The HTTP status.
        status: u16,
        /// The waiting time that the provider requests.
        retry_after: Option<Duration>,
        /// The message of the provider.
        message: String,
    },
    /// The reply does not have the form of this provider's API.
    #[error("the model's reply cannot be used: {0}")]
    Reply(#[from] ReplyProblem),
    /// The caller cancelled the call.
    #[error("the model call was cancelled")]
    Cancelled,
    /// All attempts failed.
    #[error("{last} (tried {} times)", .retries + 1)]
    RetriesExhausted {
        /// The number of retries.
        retries: u32,
        /// The failure of the last attempt.
        #[source]
        last: Box<ModelError>,
    },
    /// Every model of the chain failed.
    #[error("no model answered: {}; {model}: {last}", each(.failed_attempts))]
    AllModelsFailed {
        /// The earlier models, in order.
        failed_attempts: Vec<FailedAttempt>,
        /// The last model.
        model: String,
        /// The failure of the last model.
        #[source]
        last: Box<ModelError>,
    },
    /// The recording does not match, or cannot be used.
    #[error(transparent)]
    Cassette(#[from] CassetteError),
}

/// What is wrong with a provider's reply. A text that is not what the caller hoped for is not a problem here; the
/// caller receives it unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplyProblem {
    /// The body is empty.
    #[error("it is empty")]
    Empty,
    /// The body is larger than allowed.
    #[error("it is too large: more than {limit} bytes")]
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// The body is not JSON, or not the JSON of this API. The message gives only the position, because the text may
    /// contain anything.
    #[error("{} (line {}, column {})", format_problem(.source, .api), .source.line(), .source.column())]
    Shape {
        /// The expected API.
        api: &'static str,
        /// The parse error.
        source: serde_json::Error,
    },
    /// The reply has no choice, candidate or content.
    #[error("it is empty: it contains no answer")]
    NoAnswer,
}

impl ModelError {
    /// Whether the same request may succeed when it is sent again.
    pub fn retryable(&self) -> bool {
        match self {
            Self::Connection { .. } | Self::Timeout { .. } | Self::RateLimited { .. } => true,
            // 501 and 505 concern the request itself, so a retry cannot help.
            Self::Server { status, .. } => !matches!(status, 501 | 505),
            Self::RetriesExhausted { last, .. } | Self::AllModelsFailed { last, .. } => last.retryable(),
            _ => false,
        }
    }

    /// Whether another model may succeed. That is the case for every failure except our own: a cancelled run, or a
    /// recording that does not match.
    pub fn allows_failover(&self) -> bool {
        match self {
            Self::Cancelled | Self::Cassette(_) => false,
            Self::RetriesExhausted { last, .. } => last.allows_failover(),
            _ => true,
        }
    }

    /// The models that were called before the one that failed last, and the name of that last model.
    pub fn tried(&self) -> Option<(&[FailedAttempt], &str)> {
        match self {
            Self::AllModelsFailed { failed_attempts, model, .. } => Some((failed_attempts, model)),
            _ => None,
        }
    }

    /// The number of retries before this failure.
    pub fn retries(&self) -> u32 {
        match self {
            Self::RetriesExhausted { retries, .. } => *retries,
            Self::AllModelsFailed { last, .. } => last.retries(),
            _ => 0,
        }
    }

    /// The waiting time that the provider requests.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after, .. } | Self::Server { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// The code of this error in the table of error codes.
    pub fn code(&self) -> Code {
        match self {
            Self::UnknownProvider { .. } | Self::BaseUrl { .. } | Self::NoBaseUrl { .. } => Code::SettingsInvalid,
            Self::NoKey { .. } | Self::BadKey { .. } | Self::Auth { .. } => Code::ModelAuth,
            Self::Client(_) | Self::Connection { .. } | Self::Timeout { .. } | Self::TimeLimit { .. } => {
                Code::ModelConnection
            }
            Self::RateLimited { .. } => Code::ModelRateLimit,
            Self::Reply(ReplyProblem::Empty | ReplyProblem::NoAnswer) => Code::ReplyEmpty,
            Self::Reply(ReplyProblem::TooLarge { .. }) => Code::ReplyTooLarge,
            Self::Reply(ReplyProblem::Shape { .. }) => Code::ModelReply,
            Self::Refused { .. } | Self::Server { .. } | Self::Cassette(_) => Code::ModelError,
            Self::Cancelled => Code::Cancelled,
            Self::RetriesExhausted { last, .. } | Self::AllModelsFailed { last, .. } => last.code(),
        }
    }
}

impl From<&ModelError> for ModelFailure {
    fn from(error: &ModelError) -> ModelFailure {
        // An unusable reply may be better the next time, although an immediate retry was not useful.
        let retryable = error.retryable() || matches!(error, ModelError::Reply(_));
        ModelFailure { code: error.code(), message: error.to_string(), retryable }
    }
}

fn format_problem(error: &serde_json::Error, api: &str) -> String {
    match error.classify() {
        serde_json::error::Category::Eof => "its JSON is truncated".to_owned(),
        serde_json::error::Category::Data => format!("it is JSON, but not a reply of {api}"),
        _ => format!("it is not JSON, which a reply of {api} must be"),
    }
}

fn each(failed_attempts: &[FailedAttempt]) -> String {
    failed_attempts.iter().map(|one| format!("{}: {}", one.model, one.failure.message)).collect::<Vec<_>>().join("; ")
}

fn names() -> String {
    providers().iter().map(|info| info.name).collect::<Vec<_>>().join(", ")
}

/// The deepest cause: connection refused, unknown host, untrusted certificate. The errors above it only state that
/// sending failed.
fn root(error: &(dyn std::error::Error + 'static)) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

fn in_words(wait: &Option<Duration>) -> String {
    wait.map(|wait| format!(" (wait {} s)", wait.as_secs())).unwrap_or_default()
}
