//! What a page says and asks for besides what it shows: its console and its requests. Bounded lines without bodies and
//! headers, which hold more than anybody should keep.

use std::time::Duration;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{CommandId, maybe_millis};

/// A line of a page's console: what its scripts wrote, what they threw, or what the browser said about the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsoleLine {
    /// Rises over a whole session, whichever the tab.
    pub number: u64,
    /// How bad it is.
    pub level: ConsoleLevel,
    /// What it says, shortened; secrets are handles.
    pub text: String,
    /// The script or document it is of, shortened.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub url: String,
    /// Where in it, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The tab's number.
    pub tab: u32,
    /// When it was read.
    #[schemars(with = "String")]
    pub at: Timestamp,
}

/// How bad a line of a console is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConsoleLevel {
    /// For those who look for an error.
    Debug,
    /// Said in passing.
    Info,
    /// Something may be wrong.
    Warning,
    /// Something is; every exception that nobody caught.
    Error,
}

/// A request of a page, and how it ended as far as that is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequestLine {
    /// Rises over a whole session, whichever the tab. Each hop of a redirect has its own.
    pub number: u64,
    /// `GET`, `POST`…
    pub method: String,
    /// Where to, shortened; secrets are handles.
    pub url: String,
    /// What for: `document`, `script`, `fetch`, `image`, `websocket`…
    pub kind: String,
    /// Of the answer; absent before it came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Of the answer, as the browser understood it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// Until its last byte or its failure; absent while it is under way.
    #[serde(with = "maybe_millis", rename = "durationMs", default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<u64>")]
    pub duration: Option<Duration>,
    /// What came over the wire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Why it failed, in the browser's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The tab's number.
    pub tab: u32,
    /// When it was sent.
    #[schemars(with = "String")]
    pub at: Timestamp,
}

/// What the pages of a run said and asked for from one action to the next. A request that was under way when it was told is
/// told again, under its number, once it ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageLog {
    /// The command it came with: while it was carried out, or since the one before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_id: Option<CommandId>,
    /// Lines of consoles, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub console: Vec<ConsoleLine>,
    /// Requests, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<RequestLine>,
    /// How many more lines there were.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub console_left_out: u64,
    /// How many more requests there were.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub requests_left_out: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}
