//! The replies of a scripted model, including faults.

use serde_json::Value;

use super::Gate;

/// A reply.
#[derive(Clone, Debug)]
pub enum Reply {
    /// A text: prose, incomplete JSON, an empty text.
    Text(String),
    /// A JSON value in the form that the request asks for.
    Json(Value),
    /// A reply with this token usage.
    Cost(ScriptedTokens, Box<Reply>),
    /// An HTTP status with an error body in the provider's format.
    Status {
        /// The status code.
        status: u16,
        /// The value of the header `Retry-After`.
        retry_after: Option<String>,
        /// The error message.
        message: String,
    },
    /// This exact body with status 200.
    Raw(Vec<u8>),
    /// This exact body with another status.
    RawStatus(u16, Vec<u8>),
    /// A redirect to this address.
    Redirect(String),
    /// A body of this many bytes that would be a valid reply at its end. It is sent without a content length.
    Huge(usize),
    /// No response on an open connection.
    Silent,
    /// A status and half a body, then nothing on an open connection.
    Stalled,
    /// Half a body, then the connection is reset.
    Cut,
    /// The connection is reset before a body is sent.
    Reset,
    /// The reply, after the gate is open.
    Held(Gate, Box<Reply>),
}

/// The token usage of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptedTokens {
    /// Input tokens, including cached ones.
    pub prompt: u64,
    /// Input tokens that were read from the cache.
    pub cached: u64,
    /// Output tokens.
    pub completion: u64,
}

impl Default for ScriptedTokens {
    /// The usage of a reply without [`Reply::Cost`].
    fn default() -> Self {
        ScriptedTokens { prompt: 120, cached: 100, completion: 20 }
    }
}

impl Reply {
    /// A text reply.
    pub fn text(text: impl Into<String>) -> Reply {
        Reply::Text(text.into())
    }

    /// An error reply.
    pub fn status(status: u16, message: impl Into<String>) -> Reply {
        Reply::Status { status, retry_after: None, message: message.into() }
    }

    /// An error reply with status 429 and `Retry-After`.
    pub fn too_many(retry_after: impl ToString) -> Reply {
        Reply::Status { status: 429, retry_after: Some(retry_after.to_string()), message: "slow down".to_owned() }
    }
}
