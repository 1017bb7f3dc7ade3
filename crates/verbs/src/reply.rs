//! The reply to a command: a short text for a model or a person, what failed as a value, the same as data for a program, and a
//! file where there is one.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use legwork::browser::BrowserError;
use legwork_protocol::{ActionFailure, ErrorReport, Outcome};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// A reply.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageReply {
    /// In words, within the tokens asked for. Of a failure it says why, and what to try.
    pub text: String,
    /// Why the command did not do what it was to do; none when it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<CommandFailure>,
    /// The same as the text, for a program. What the text has word for word is not repeated.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub data: Value,
    /// A picture, a document or a state; the caller decides where it goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<File>,
}

/// Why a command did not do what it was to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandFailure {
    /// An action, or an operation on the page.
    Action(ActionFailure),
    /// A run on the page ended so.
    Run(Box<Outcome>),
    /// A run could not be started.
    Start(Box<ErrorReport>),
    /// The server refused a request for a change that an action caused.
    Refused {
        /// The method of the request.
        method: String,
        /// Its URL.
        url: String,
        /// The HTTP status of the response.
        status: u16,
    },
    /// The browser failed, for this reason.
    Browser(String),
    /// A check does not hold, or there is nothing that the command could be done with. The text is all there is to it.
    Unmet,
    /// A command of a batch; those after it were not carried out.
    Batch {
        /// Its position, from 1.
        position: usize,
        /// Why it failed.
        failure: Box<CommandFailure>,
    },
}

/// A file that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// What it holds.
    #[serde(serialize_with = "to_base64", deserialize_with = "from_base64")]
    pub bytes: Vec<u8>,
    /// Its media type.
    pub media_type: String,
    /// How its name ends: `png`.
    pub extension: String,
}

fn to_base64<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&STANDARD.encode(bytes))
}

fn from_base64<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    STANDARD.decode(String::deserialize(from)?).map_err(serde::de::Error::custom)
}

impl PageReply {
    /// A reply of words only.
    pub fn text(text: impl Into<String>) -> PageReply {
        PageReply { text: text.into(), ..PageReply::default() }
    }

    /// Words, and the same as data.
    pub fn with(text: impl Into<String>, data: Value) -> PageReply {
        PageReply { text: text.into(), data, ..PageReply::default() }
    }

    /// What was asked for does not hold or cannot be done, and why.
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

impl CommandFailure {
    /// The failure of an action behind it, if that is what it is.
    pub fn action(&self) -> Option<&ActionFailure> {
        match self.root() {
            CommandFailure::Action(failure) => Some(failure),
            _ => None,
        }
    }

    /// The failure itself, without the batches that it stopped.
    pub fn root(&self) -> &CommandFailure {
        match self {
            CommandFailure::Batch { failure, .. } => failure.root(),
            other => other,
        }
    }
}
