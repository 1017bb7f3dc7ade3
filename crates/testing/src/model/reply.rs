//! What a scripted model may answer, faults included.

use serde_json::Value;

use super::Gate;

/// An answer.
#[derive(Clone, Debug)]
pub enum Reply {
    /// A text: prose, half a JSON, an empty one.
    Text(String),
    /// A JSON value, given in the way the request asks for it.
    Json(Value),
    /// As above, with the tokens it took.
    Cost(ScriptedTokens, Box<Reply>),
    /// An HTTP status with the provider's kind of error body.
    Status {
        /// The status.
        status: u16,
        /// The header `Retry-After`.
        retry_after: Option<String>,
        /// What it says.
        message: String,
    },
    /// This body as it is, with status 200.
    Raw(Vec<u8>),
    /// This body with another status, as it is.
    RawStatus(u16, Vec<u8>),
    /// Sent elsewhere.
    Redirect(String),
    /// A body of this many bytes that would be a reply if it ever ended; its length is not told beforehand.
    Huge(usize),
    /// Nothing at all, with the connection held open.
    Silent,
    /// Status and half a body, and then nothing, with the connection held open.
    Stalled,
    /// Half a body, and then the connection breaks.
    Cut,
    /// The connection breaks before anything is said.
    Reset,
    /// The answer, once the gate is open.
    Held(Gate, Box<Reply>),
}

/// The tokens of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptedTokens {
    /// Read, cached ones included.
    pub prompt: u64,
    /// Of these, from the cache.
    pub cached: u64,
    /// Written.
    pub completion: u64,
}

impl Default for ScriptedTokens {
    /// What a reply without [`Reply::Cost`] says.
    fn default() -> Self {
        ScriptedTokens { prompt: 120, cached: 100, completion: 20 }
    }
}

impl Reply {
    /// A text.
    pub fn text(text: impl Into<String>) -> Reply {
        Reply::Text(text.into())
    }

    /// An error.
    pub fn status(status: u16, message: impl Into<String>) -> Reply {
        Reply::Status { status, retry_after: None, message: message.into() }
    }

    /// 429 with `Retry-After`.
    pub fn too_many(retry_after: impl ToString) -> Reply {
        Reply::Status { status: 429, retry_after: Some(retry_after.to_string()), message: "slow down".to_owned() }
    }
}
