//! Why a model gave no reply.
//!
//! No message holds a key or the request: what a provider says is taken from the one field meant for people, shortened
//! (`wire::complaint`) and cleaned of the key (`Provider`), and the sources are transport errors without their URL.

use std::time::Duration;

use legwork_protocol::{Code, FailedAttempt, ModelFailure};

use crate::{CassetteError, providers};

/// Why a model could not be opened or gave no usable reply.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The model's name does not begin with a provider we know.
    #[error("`{model}` names no model: write provider/name, with one of {}", names())]
    UnknownProvider {
        /// As given.
        model: String,
    },
    /// The address is no http or https URL.
    #[error("`{given}` is no address of a model: an http or https URL is needed")]
    BaseUrl {
        /// As given, without user and password.
        given: String,
    },
    /// The provider has no address of its own.
    #[error("the models of `{provider}` need an address (base URL)")]
    NoBaseUrl {
        /// The provider.
        provider: &'static str,
    },
    /// The provider answers nobody without a key.
    #[error("`{provider}` needs a key: set {variable}")]
    NoKey {
        /// The provider.
        provider: &'static str,
        /// Where it is read from.
        variable: &'static str,
    },
    /// The key cannot be sent.
    #[error("the key for `{provider}` has characters that cannot be sent")]
    BadKey {
        /// The provider.
        provider: &'static str,
    },
    /// The HTTP client could not be made, for instance without any root certificates on the machine.
    #[error("no secure connection can be made from here, are the system's CA certificates installed? ({})", root(&**.0))]
    Client(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// No connection, or it broke.
    #[error("no connection to the model at {host}: {}", root(&**.source))]
    Connection {
        /// Where.
        host: String,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Nothing, or not everything, came in time.
    #[error("the model at {host} did not answer within {after:?}")]
    Timeout {
        /// Where.
        host: String,
        /// How long we waited.
        after: Duration,
    },
    /// Too many requests.
    #[error("the model's provider limits the rate{}: {message}", in_words(.retry_after))]
    RateLimited {
        /// How long it asks to wait.
        retry_after: Option<Duration>,
        /// What it says.
        message: String,
    },
    /// The key is wrong, or may not use this model.
    #[error("the model's provider refused the key (HTTP {status}): {message}")]
    Auth {
        /// 401 or 403.
        status: u16,
        /// What it says.
        message: String,
    },
    /// The request was refused.
    #[error("the model's provider refused the request (HTTP {status}): {message}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// What it says.
        message: String,
    },
    /// The provider failed.
    #[error("the model's provider failed (HTTP {status}): {message}")]
    Server {
        /// The HTTP status.
        status: u16,
        /// How long it asks to wait.
        retry_after: Option<Duration>,
        /// What it says.
        message: String,
    },
    /// The answer is none that this provider's API gives.
    #[error("the model's reply cannot be used: {0}")]
    Reply(#[from] ReplyProblem),
    /// It was cancelled.
    #[error("the call of the model was cancelled")]
    Cancelled,
    /// It was tried again, in vain.
    #[error("{last} (tried {} times)", .retries + 1)]
    GaveUp {
        /// How often it was tried again.
        retries: u32,
        /// The last failure.
        #[source]
        last: Box<ModelError>,
    },
    /// None of the models that could be asked gave anything.
    #[error("no model answered: {}; {model}: {last}", each(.failed_attempts))]
    NoneLeft {
        /// Those that were asked before, in order.
        failed_attempts: Vec<FailedAttempt>,
        /// The last one.
        model: String,
        /// Why it gave nothing either.
        #[source]
        last: Box<ModelError>,
    },
    /// The tape does not fit.
    #[error(transparent)]
    Cassette(#[from] CassetteError),
}

/// What is wrong with a provider's answer. A model's text that is not what was hoped for is no problem here: it is
/// handed up as it is.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplyProblem {
    /// No body.
    #[error("it is empty")]
    Empty,
    /// More than was allowed.
    #[error("it is too large: more than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// No JSON, or not this API's. The position is all that is said of it, for the text may hold anything.
    #[error("{} (line {}, column {})", misshapen(.source, .api), .source.line(), .source.column())]
    Shape {
        /// Which API was expected.
        api: &'static str,
        /// Where reading it failed.
        source: serde_json::Error,
    },
    /// Without a choice, candidate or content.
    #[error("it is empty: it holds no answer")]
    NoAnswer,
}

impl ModelError {
    /// Whether sending the same again may help.
    pub fn retryable(&self) -> bool {
        match self {
            Self::Connection { .. } | Self::Timeout { .. } | Self::RateLimited { .. } => true,
            // 501 and 505 are answers about the request, not about the moment.
            Self::Server { status, .. } => !matches!(status, 501 | 505),
            Self::GaveUp { last, .. } | Self::NoneLeft { last, .. } => last.retryable(),
            _ => false,
        }
    }

    /// Whether another model may have an answer where this one had none. Everything but what is ours: that the run was
    /// stopped, or that a recording does not fit.
    pub fn is_failover_worthy(&self) -> bool {
        match self {
            Self::Cancelled | Self::Cassette(_) => false,
            Self::GaveUp { last, .. } => last.is_failover_worthy(),
            _ => true,
        }
    }

    /// The models that were asked before the one that failed last, and what that one is called.
    pub fn tried(&self) -> Option<(&[FailedAttempt], &str)> {
        match self {
            Self::NoneLeft { failed_attempts, model, .. } => Some((failed_attempts, model)),
            _ => None,
        }
    }

    /// How often it was tried again before this.
    pub fn retries(&self) -> u32 {
        match self {
            Self::GaveUp { retries, .. } => *retries,
            Self::NoneLeft { last, .. } => last.retries(),
            _ => 0,
        }
    }

    /// How long the provider asks to wait.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after, .. } | Self::Server { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// Its code in the one table of errors.
    pub fn code(&self) -> Code {
        match self {
            Self::UnknownProvider { .. } | Self::BaseUrl { .. } | Self::NoBaseUrl { .. } => Code::SettingsInvalid,
            Self::NoKey { .. } | Self::BadKey { .. } | Self::Auth { .. } => Code::ModelAuth,
            Self::Client(_) | Self::Connection { .. } | Self::Timeout { .. } => Code::ModelConnection,
            Self::RateLimited { .. } => Code::ModelRateLimit,
            Self::Reply(ReplyProblem::Empty | ReplyProblem::NoAnswer) => Code::ReplyEmpty,
            Self::Reply(ReplyProblem::TooLarge { .. }) => Code::ReplyTooLarge,
            Self::Reply(ReplyProblem::Shape { .. }) => Code::ModelReply,
            Self::Refused { .. } | Self::Server { .. } | Self::Cassette(_) => Code::ModelError,
            Self::Cancelled => Code::Cancelled,
            Self::GaveUp { last, .. } | Self::NoneLeft { last, .. } => last.code(),
        }
    }
}

impl From<&ModelError> for ModelFailure {
    fn from(error: &ModelError) -> ModelFailure {
        // A reply that cannot be used may be better the next time, though sending again at once was not worth it.
        let retryable = error.retryable() || matches!(error, ModelError::Reply(_));
        ModelFailure { code: error.code(), message: error.to_string(), retryable }
    }
}

fn misshapen(error: &serde_json::Error, api: &str) -> String {
    match error.classify() {
        serde_json::error::Category::Eof => "it is cut off in the middle of its JSON".to_owned(),
        serde_json::error::Category::Data => format!("it is JSON, but not what {api} answers"),
        _ => format!("it is not JSON, which {api} answers with"),
    }
}

fn each(failed_attempts: &[FailedAttempt]) -> String {
    failed_attempts.iter().map(|one| format!("{}: {}", one.model, one.failure.message)).collect::<Vec<_>>().join("; ")
}

fn names() -> String {
    providers().iter().map(|info| info.name).collect::<Vec<_>>().join(", ")
}

/// What it comes down to: refused, no such host, a certificate that is not trusted. What lies between only says that
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
