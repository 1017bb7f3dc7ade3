//! What the page is now, as a model reads it; and how to ask for it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Target;

/// How the page should be shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct View {
    /// The most tokens the text may have (o200k).
    pub max_tokens: usize,
    /// Only what can be acted on.
    pub interactive: bool,
    /// Leave out containers without a name.
    pub compact: bool,
    /// Shown before in full: every control, but of what repeats and of long texts only samples.
    pub brief: bool,
    /// How deep to go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
    /// Only this part of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<Target>,
}

impl Default for View {
    fn default() -> Self {
        View { max_tokens: 8_000, interactive: false, compact: false, brief: false, depth: None, root: None }
    }
}

/// A page as text, within its budget.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Observation {
    /// The address of the page.
    pub url: String,
    /// The title of the page.
    pub title: String,
    /// Indented text in Playwright's manner: `- button "Submit" [ref=e12]`.
    pub text: String,
    /// How many tokens the text has (o200k).
    pub tokens: usize,
    /// Whether `text` is only what changed since the last observation.
    pub diff: bool,
    /// What was left out and how to ask for it, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// An open tab.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TabInfo {
    /// Its number, from 1; a number is not given twice in a session.
    pub number: u32,
    /// Its title.
    pub title: String,
    /// Its address.
    pub url: String,
    /// Whether actions go there.
    pub current: bool,
}

/// The kind of a JavaScript dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DialogKind {
    /// `alert()`.
    Alert,
    /// `confirm()`.
    Confirm,
    /// `prompt()`.
    Prompt,
    /// A page that asks before it is left.
    Beforeunload,
}

impl DialogKind {
    /// As on the wire.
    pub fn name(self) -> &'static str {
        match self {
            DialogKind::Alert => "alert",
            DialogKind::Confirm => "confirm",
            DialogKind::Prompt => "prompt",
            DialogKind::Beforeunload => "beforeunload",
        }
    }
}

/// A JavaScript dialog that is open, or was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DialogInfo {
    /// Which kind. Not `kind` on the wire: that is the tag of [`crate::PageEffect`], into which this is flattened.
    #[serde(rename = "dialog")]
    pub kind: DialogKind,
    /// Its text.
    pub message: String,
    /// How it was answered; absent while it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<bool>,
}

/// A file that the page let the browser download.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DownloadInfo {
    /// The name the site gave it, made safe.
    pub name: String,
    /// Where it is on this machine.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// SHA-256 in hexadecimal.
    pub hash: String,
    /// Where it came from.
    pub url: String,
    /// The format that it has (`JSON`, `HTML`), when that is another one than its name says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_format: Option<String>,
}
