use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use url::Url;

use crate::OneTimeCodeKey;

/// A secret of the vault.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredSecret {
    /// The name, which steps write as `${secret:NAME}`.
    pub name: String,
    /// The value. The key of one-time codes is an address that begins with `otpauth://`.
    #[serde(serialize_with = "expose", deserialize_with = "conceal")]
    pub value: SecretString,
    /// The origins into which it may be typed; at least one.
    pub origins: Vec<Url>,
    /// The name of the user that it belongs to, as a note for the owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// When it was added or replaced.
    pub changed: Timestamp,
}

impl StoredSecret {
    /// Whether steps type a one-time code instead of the value.
    pub fn is_one_time_code(&self) -> bool {
        OneTimeCodeKey::is_address(self.value.expose_secret())
    }
}

/// Whether the text can be the name of a secret: a letter or `_`, then letters, digits, `_`, `.` and `-`.
pub fn is_secret_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-'))
}

// `secrecy` leaves out these implementations, so that no value is written by mistake. Here the text is encrypted next.
fn expose<S: Serializer>(value: &SecretString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(value.expose_secret())
}

fn conceal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SecretString, D::Error> {
    String::deserialize(deserializer).map(SecretString::from)
}
