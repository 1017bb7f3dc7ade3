//! The observation of a page, which a model reads, and the options of an observation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Target;

/// Options of an observation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct View {
    /// The maximum number of tokens in the text (o200k).
    pub max_tokens: usize,
    /// Whether to include only elements that can be acted on.
    pub interactive: bool,
    /// Whether to omit containers without a name.
    pub compact: bool,
    /// Whether to write a page that was shown before in fewer lines. Nothing that fits into `max_tokens` is left out.
    pub brief: bool,
    /// The maximum depth of the tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
    /// The part of the page to include; without it, the whole page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<Target>,
}

impl Default for View {
    fn default() -> Self {
        View { max_tokens: 8_000, interactive: false, compact: false, brief: false, depth: None, root: None }
    }
}

/// A page as text within a budget.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Observation {
    /// The URL of the page.
    pub url: String,
    /// The title of the page.
    pub title: String,
    /// Indented text in the format of Playwright's ARIA snapshots: `- button "Submit" [ref=e12]`.
    pub text: String,
    /// The number of tokens in the text (o200k).
    pub tokens: usize,
    /// Whether `text` contains only the changes since the last observation.
    pub diff: bool,
    /// What was omitted and how to request it, one per line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// An open tab.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TabInfo {
    /// The number of the tab, from 1. A number is not reused within a session.
    pub number: u32,
    /// The title.
    pub title: String,
    /// The URL.
    pub url: String,
    /// Whether the tab is the current one, which receives the actions.
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
    /// `beforeunload`: a page asks for confirmation before it is left.
    Beforeunload,
}

impl DialogKind {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            DialogKind::Alert => "alert",
            DialogKind::Confirm => "confirm",
            DialogKind::Prompt => "prompt",
            DialogKind::Beforeunload => "beforeunload",
        }
    }
}

/// A JavaScript dialog that is open or was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DialogInfo {
    /// The kind of the dialog. On the wire it is not `kind`, because that is the tag of [`crate::PageEffect`], into
    /// which this is flattened.
    #[serde(rename = "dialog")]
    pub kind: DialogKind,
    /// The text of the dialog.
    pub message: String,
    /// The answer; absent while the dialog is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<bool>,
}

/// A file that was downloaded from the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DownloadInfo {
    /// The name that the site gave the file, sanitized.
    pub name: String,
    /// The path on this machine.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// SHA-256 in hexadecimal.
    pub hash: String,
    /// The URL of the download.
    pub url: String,
    /// The format of the content (`JSON`, `HTML`), if it differs from the extension of the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_format: Option<String>,
}
