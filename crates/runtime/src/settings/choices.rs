//! The types of settings that have one of several fixed values.

use legwork_agent::{CompactBy, DeciderChoice, Detail, InvestigationMode, Trigger};
use legwork_browser::{Engine, PictureFormat};
use legwork_protocol::Tool;
use serde::Deserialize;

use super::{typed::Typed, value::Value};
use crate::tools::Approval;

/// A type whose values are fixed words.
pub(super) trait Choice: Copy {
    /// The words, in the order of the documentation.
    const WORDS: &'static [&'static str];

    fn of_word(word: &str) -> Option<Self>;
    fn word(self) -> &'static str;
}

macro_rules! choices {
    ($($type:ident { $($variant:ident = $word:literal),+ })*) => {$(
        impl Choice for $type {
            const WORDS: &'static [&'static str] = &[$($word),+];

            fn of_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some($type::$variant),)+
                    _ => None,
                }
            }
            fn word(self) -> &'static str {
                match self {
                    $($type::$variant => $word,)+
                }
            }
        }

        impl Typed for $type {
            fn from_value(value: &Value) -> Option<Self> {
                if let Value::Text(word) = value { Self::of_word(word) } else { None }
            }
            fn to_value(&self) -> Value {
                Value::Text(self.word().to_owned())
            }
        }
    )*};
}

choices! {
    DeciderChoice { Auto = "auto", Literal = "literal", Model = "model" }
    Trigger { Auto = "auto", Always = "always", Never = "never" }
    InvestigationMode { Auto = "auto", Always = "always", Never = "never" }
    Switch { Auto = "auto", On = "on", Off = "off" }
    ReplyFormat { Compact = "compact", Full = "full" }
    RequiredResult { Success = "success", Validated = "validated" }
    CompactBy { Rule = "rule", Model = "model" }
    Detail { Minimal = "minimal", Standard = "standard", Detailed = "detailed" }
    Approval { Never = "never", Mutating = "mutating", Always = "always" }
    Tool { Find = "find", Subdom = "subdom", Read = "read", Look = "look", Dom = "dom" }
    Engine { Chromium = "chromium", Firefox = "firefox", WebKit = "webkit" }
    PictureFormat { Jpeg = "jpeg", Webp = "webp", Png = "png" }
    LogFormat { Text = "text", Json = "json" }
    MailSecurity { StartTls = "starttls", Tls = "tls", None = "none" }
}

/// On, off, or decided by Legwork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// Legwork decides.
    Auto,
    /// On.
    On,
    /// Off.
    Off,
}

/// The format of a model's replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyFormat {
    /// One command per line.
    Compact,
    /// The whole decision as JSON.
    Full,
}

/// The encryption of the connection to a mail server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailSecurity {
    /// The connection changes to TLS before anything is sent.
    StartTls,
    /// TLS from the beginning.
    Tls,
    /// No encryption.
    None,
}

/// The required result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequiredResult {
    /// Every step was carried out.
    Success,
    /// Every step was carried out, and evidence supports the result.
    Validated,
}

/// The format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
}
