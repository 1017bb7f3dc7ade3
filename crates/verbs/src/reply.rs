//! The reply to a command: a short text for a model or a person, a failure as a value, the same as data for a program,
//! and a file if the command created one.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use legwork::{browser::BrowserError, page::RefusedChange};
use legwork_protocol::{ActionFailure, ErrorReport, Outcome};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// The reply to a command.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageReply {
    /// The text, within the token limit. After a failure it states the reason and what to try.
    pub text: String,
    /// The failure. `None` if the command succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<CommandFailure>,
    /// The content of the text as data. What the text contains verbatim is omitted.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub data: Value,
    /// An image, a document or a state. The caller decides where to store it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<File>,
}

/// The failure of a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandFailure {
    /// The failure of an action or of another operation on the page.
    Action(ActionFailure),
    /// The outcome of a run that did not succeed.
    Run(Box<Outcome>),
    /// The error that prevented a run from starting.
    Start(Box<ErrorReport>),
    /// A request for a change that an action caused was refused or got no complete response.
    Refused {
        /// The method of the request.
        method: String,
        /// Its URL.
        url: String,
        /// The HTTP status of the response, if there was one.
        status: Option<u16>,
    },
    /// The browser failed, for this reason.
    Browser(String),
    /// A check does not hold, or the command cannot be applied. The text of the reply is the only description.
    Unmet,
    /// The failure of a command in a batch. The commands after it were not executed.
    Batch {
        /// The position of the command, from 1.
        position: usize,
        /// Its failure.
        failure: Box<CommandFailure>,
    },
}

/// A file that a command created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// The content.
    #[serde(serialize_with = "to_base64", deserialize_with = "from_base64")]
    pub bytes: Vec<u8>,
    /// The media type.
    pub media_type: String,
    /// The file extension without a dot: `png`.
    pub extension: String,
}

fn to_base64<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&STANDARD.encode(bytes))
}

fn from_base64<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    STANDARD.decode(String::deserialize(from)?).map_err(serde::de::Error::custom)
}

impl PageReply {
    /// A reply that consists of a text.
    pub fn text(text: impl Into<String>) -> PageReply {
        PageReply { text: text.into(), ..PageReply::default() }
    }

    /// A reply that consists of a text and its data.
    pub fn with(text: impl Into<String>, data: Value) -> PageReply {
        PageReply { text: text.into(), data, ..PageReply::default() }
    }

    /// A failed reply: a check does not hold, or the command cannot be applied, for this reason.
    pub fn unmet(why: impl Into<String>) -> PageReply {
        PageReply { text: why.into(), failure: Some(CommandFailure::Unmet), ..PageReply::default() }
    }

    /// The browser failed.
    pub(crate) fn browser_failed(error: &BrowserError) -> PageReply {
        let reason = error.to_string();
        let failure = Some(CommandFailure::Browser(reason.clone()));
        PageReply { text: reason, failure, ..PageReply::default() }
    }

    /// Whether the command failed.
    pub fn failed(&self) -> bool {
        self.failure.is_some()
    }
}

impl From<RefusedChange> for CommandFailure {
    fn from(RefusedChange { method, url, status, .. }: RefusedChange) -> CommandFailure {
        CommandFailure::Refused { method, url, status }
    }
}

impl CommandFailure {
    /// The failure of an action, if it caused this failure.
    pub fn action(&self) -> Option<&ActionFailure> {
        match self.root() {
            CommandFailure::Action(failure) => Some(failure),
            _ => None,
        }
    }

    /// The failure without the batches around it.
    pub fn root(&self) -> &CommandFailure {
        match self {
            CommandFailure::Batch { failure, .. } => failure.root(),
            other => other,
        }
    }
}
