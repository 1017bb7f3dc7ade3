//! What is answered: few words for a model or a person, the same as data for a program, and a file where there is one.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// An answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageReply {
    /// In words, within the tokens asked for.
    pub text: String,
    /// Whether it did not work; the text says why and what to try.
    #[serde(default)]
    pub failed: bool,
    /// The same for a program.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub data: Value,
    /// A picture or document; the caller decides where it goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<File>,
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
    pub(crate) fn text(text: impl Into<String>) -> PageReply {
        PageReply { text: text.into(), ..PageReply::default() }
    }

    pub(crate) fn with(text: impl Into<String>, data: Value) -> PageReply {
        PageReply { text: text.into(), data, ..PageReply::default() }
    }

    pub(crate) fn failed(why: impl Into<String>) -> PageReply {
        PageReply { text: why.into(), failed: true, ..PageReply::default() }
    }
}
