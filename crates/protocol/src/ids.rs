//! Ids of runs, commands, artifacts and documents. Legwork generates them; models never do.

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// Creates an id. Ids sort by creation time (UUID v7).
            #[expect(clippy::new_without_default, reason = "a default that differs at each call would mislead")]
            pub fn new() -> Self {
                Self(crate::clock::new_id())
            }

            /// The id with hyphens, as in JSON. Everything that reads an id accepts both spellings.
            pub fn hyphenated(&self) -> impl fmt::Display + use<> {
                self.0.hyphenated()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.simple().fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::parse_str(text).map(Self)
            }
        }
    };
}

id!(
    /// One run of a workflow or a task.
    RunId
);
id!(
    /// One batch: a workflow that runs once for each row of a file.
    BatchId
);
id!(
    /// One event of a run.
    EventId
);
id!(
    /// One command: an action that is sent to the browser, from its intent to its result.
    CommandId
);

/// Serializes a [`std::time::Duration`] as milliseconds.
pub mod millis {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes whole milliseconds.
    pub fn serialize<S: Serializer>(value: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(value.as_millis().try_into().unwrap_or(u64::MAX))
    }

    /// Reads whole milliseconds.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_millis)
    }
}

/// Like [`millis`], for an optional duration.
pub mod maybe_millis {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes whole milliseconds.
    pub fn serialize<S: Serializer>(value: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => super::millis::serialize(value, to),
            None => to.serialize_none(),
        }
    }

    /// Reads whole milliseconds.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(from)?.map(Duration::from_millis))
    }
}

/// A reference to stored content that is too large for an event: screenshots, page sources, observations, prompts,
/// downloads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Artifact {
    /// SHA-256 of the content in hexadecimal; the name of the content in the store.
    pub hash: String,
    /// Media type.
    pub media_type: String,
    /// Size in bytes.
    pub size: u64,
}
