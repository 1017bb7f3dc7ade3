//! The console messages and requests of a page. The lines have a limited length and contain no bodies or headers,
//! because those may contain data that must not be stored.

use std::time::Duration;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{CommandId, maybe_millis};

/// A line of a page's console: a message or an exception of its scripts, or a message of the browser about the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsoleLine {
    /// Increases over the whole session, across all tabs.
    pub number: u64,
    /// The level.
    pub level: ConsoleLevel,
    /// The text, shortened; secrets are handles.
    pub text: String,
    /// The URL of the script or document, shortened.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub url: String,
    /// The line in the script or document, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The number of the tab.
    pub tab: u32,
    /// The time at which Legwork received the line.
    #[schemars(with = "String")]
    pub at: Timestamp,
}

/// The level of a console line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConsoleLevel {
    /// Information for debugging.
    Debug,
    /// Information.
    Info,
    /// A possible problem.
    Warning,
    /// An error; includes every uncaught exception.
    Error,
}

/// A request of a page, and how it ended, if that is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequestLine {
    /// Increases over the whole session, across all tabs. Each hop of a redirect has its own number.
    pub number: u64,
    /// `GET`, `POST`…
    pub method: String,
    /// The URL, shortened; secrets are handles.
    pub url: String,
    /// The resource type: `document`, `script`, `fetch`, `image`, `websocket`…
    pub kind: String,
    /// The HTTP status; absent until the response arrives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The media type of the response, as the browser determined it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// Duration until the last byte or the failure; absent while the request is pending.
    #[serde(with = "maybe_millis", rename = "durationMs", default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<u64>")]
    pub duration: Option<Duration>,
    /// The number of bytes that were transferred.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The reason for the failure, as the browser reported it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The number of the tab.
    pub tab: u32,
    /// The time at which it was sent.
    #[schemars(with = "String")]
    pub at: Timestamp,
}

/// The console lines and requests of the pages of a run from one action to the next. A request that was pending when it
/// was first reported is reported again with the same number after it ends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageLog {
    /// The command during which they occurred, or the first command after them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_id: Option<CommandId>,
    /// Console lines, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub console: Vec<ConsoleLine>,
    /// Requests, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<RequestLine>,
    /// The number of console lines that were omitted.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub console_left_out: u64,
    /// The number of requests that were omitted.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub requests_left_out: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}
