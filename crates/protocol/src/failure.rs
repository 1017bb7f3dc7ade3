//! The expected failures of an action. They are values that the model reads, worded with a suggestion what to try.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// An expected failure of an action. Models and people read its display text.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ActionFailure {
    /// The element or the page of the ref no longer exists.
    #[error("stale ref {target}: the page changed, take a new observation")]
    StaleRef {
        /// The ref.
        target: String,
    },
    /// No element matches.
    #[error("nothing matches {target}{}", among(.candidates))]
    NotFound {
        /// The target.
        target: String,
        /// The most similar elements.
        #[serde(default)]
        candidates: Vec<String>,
    },
    /// More than one element matches.
    #[error("{count} elements match {target}; use a ref, or ` >> nth=0` for the first of them{}", among(.candidates))]
    Ambiguous {
        /// The target.
        target: String,
        /// The number of matches.
        count: usize,
        /// The first few matches.
        #[serde(default)]
        candidates: Vec<String>,
    },
    /// Another element would receive the click.
    #[error("{target} is covered by {by}; close or move that first")]
    Covered {
        /// The element.
        target: String,
        /// The element on top, such as `<div#consent>`.
        by: String,
    },
    /// The element has no bounding box or is hidden.
    #[error("{target} is not visible; something may have to be opened or scrolled first")]
    NotVisible {
        /// The element.
        target: String,
    },
    /// The element does not accept input in its current state.
    #[error("{target} is disabled; fill in the fields that it depends on")]
    Disabled {
        /// The element.
        target: String,
    },
    /// The element is not editable.
    #[error("{target} cannot be edited: it is {is}")]
    NotEditable {
        /// The element.
        target: String,
        /// A description of the element.
        is: String,
    },
    /// The control does not accept the value.
    #[error("{target} does not accept {}: it accepts {accepts}", quoted(.value))]
    NotAccepted {
        /// The element.
        target: String,
        /// The value; absent for a secret.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<String>,
        /// The values that it accepts, such as `a date, written 2026-12-31`.
        accepts: String,
    },
    /// The value of the element differs from the value that was entered.
    #[error("{target} {}; check whether the page changed or rejected the value, and which values it accepts", differs(.expected, .actual))]
    ValueDiffers {
        /// The element.
        target: String,
        /// The value that was entered; absent for a secret.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expected: Option<String>,
        /// The value that the element has; absent for a secret.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        actual: Option<String>,
    },
    /// The focus moved to another element while text or keys were being sent.
    #[error(
        "{target} lost the focus to {to}, so no more was typed; close the element that takes the focus, or act on it first"
    )]
    FocusLost {
        /// The element.
        target: String,
        /// The element that has the focus.
        to: String,
    },
    /// The mouse press would not have resulted, or did not result, in a click on the element.
    #[error(
        "{target} was not clicked: {reason}; wait until it accepts clicks, or act on the element that it belongs to"
    )]
    NotClickable {
        /// The element.
        target: String,
        /// The reason.
        reason: String,
    },
    /// The element does not stop moving.
    #[error("{target} does not stop moving")]
    Moving {
        /// The element.
        target: String,
    },
    /// The list has no such option.
    #[error("{target} has no option {option:?}; it has {}", offered(.options))]
    NoOption {
        /// The list.
        target: String,
        /// The requested option.
        option: String,
        /// The options of the list.
        options: Vec<String>,
    },
    /// The element has the wrong kind for the action.
    #[error("{target} is {is}: {hint}")]
    WrongKind {
        /// The element.
        target: String,
        /// A description of the element.
        is: String,
        /// A suggestion what to do instead.
        hint: String,
    },
    /// A condition was not met within the time limit.
    #[error("{what} did not happen within {ms} ms")]
    Timeout {
        /// The condition.
        what: String,
        /// The time limit in milliseconds.
        ms: u64,
    },
    /// The server does not exist, its name does not resolve, its certificate is not valid, or the connection broke. The
    /// browser shows an error page.
    #[error("{url} could not be loaded: {reason}")]
    Unreachable {
        /// The URL.
        url: String,
        /// The reason that the browser reported.
        reason: String,
    },
    /// The server accepted the request for a page but sent no page within the time limit.
    #[error("{url} did not answer within {ms} ms")]
    LoadTimeout {
        /// The URL.
        url: String,
        /// The time limit in milliseconds.
        ms: u64,
    },
    /// A rule of this run or of Legwork forbids the action.
    #[error("refused: {reason}")]
    Refused {
        /// The rule, and what is allowed.
        reason: String,
    },
    /// A rule of Legwork that no setting changes forbids the action.
    #[error("refused: {reason}")]
    Forbidden {
        /// The rule.
        reason: String,
    },
    /// A rule of the policy refused the action, or a person did who was asked because of the rule.
    #[error("refused by {rule}: {reason}; {hint}")]
    PolicyRefused {
        /// The rule: `default:write-site`, or the file and the line of a rule with its name.
        rule: String,
        /// Why the rule refuses the action.
        reason: String,
        /// How the user can allow it.
        hint: String,
    },
    /// The file is outside of the folders from which files may be uploaded, or no such folder is configured.
    #[error("refused: {reason}")]
    UploadNotAllowed {
        /// What is allowed, and how to allow more.
        reason: String,
    },
    /// A dialog is open and must be answered first.
    #[error("a {dialog} dialog is open ({message:?}); answer it first")]
    DialogOpen {
        /// The kind of the dialog.
        dialog: String,
        /// The text of the dialog.
        message: String,
    },
    /// No dialog is open.
    #[error(
        "no dialog is open; a dialog is answered while it is open, or with the action that opens it: \
         `Click \"Delete\" and accept the dialog`"
    )]
    NoDialog,
    /// A download exceeded its limit or was interrupted.
    #[error("download of {name} failed: {reason}")]
    Download {
        /// The name of the file.
        name: String,
        /// The reason.
        reason: String,
    },
    /// A parameter of the action is not usable on any page.
    #[error("{what}: {reason}")]
    InvalidArgument {
        /// The parameter, or the action that lacks one.
        what: String,
        /// The values that are allowed.
        reason: String,
    },
    /// The requested item does not exist or is no longer stored.
    #[error("{what}: {reason}")]
    NotAvailable {
        /// The item.
        what: String,
        /// The reason.
        reason: String,
    },
    /// The requested content is larger than the limit of a reply.
    #[error("{what}: {reason}")]
    TooLarge {
        /// The content.
        what: String,
        /// The limit, and what to request instead.
        reason: String,
    },
    /// The reply of the page is not readable.
    #[error("{what}: {reason}")]
    Unreadable {
        /// The reply.
        what: String,
        /// The defect.
        reason: String,
    },
    /// A script threw an exception, or returned a value that cannot be serialized.
    #[error("the script failed: {reason}")]
    ScriptFailed {
        /// The exception or the reason.
        reason: String,
    },
    /// The browser rejected a command.
    #[error("the browser rejected the command: {reason}")]
    BrowserRefused {
        /// The reason that the browser reported.
        reason: String,
    },
    /// A control was clicked and did not change to the intended state.
    #[error("{target}: it was clicked but did not become {state}")]
    NotToggled {
        /// The element.
        target: String,
        /// The intended state: `checked`, `cleared`, `expanded` or `collapsed`.
        state: String,
    },
    /// The page showed a `beforeunload` dialog, and the dialog was dismissed, so the page stayed.
    #[error("{action}: the page asked for confirmation before leaving and it was declined")]
    LeaveDeclined {
        /// The action that would have left the page.
        action: String,
    },
    /// A tool of the user failed, or the run has no such tool.
    #[error("the tool {tool} failed: {reason}")]
    ToolFailed {
        /// The name of the tool.
        tool: String,
        /// The reason.
        reason: String,
    },
    /// The agent failed to execute one of the actions that it executes itself.
    #[error("{action}: {reason}")]
    NotPerformed {
        /// The name of the action.
        action: String,
        /// The reason, and what to do instead.
        reason: String,
    },
    /// The run ended or was interrupted before the action ended.
    #[error("{action}: {reason}")]
    Interrupted {
        /// The name of the action.
        action: String,
        /// The cause.
        reason: String,
    },
    /// The page does not respond.
    #[error("the page does not answer (its script may be in an endless loop); reload it or open another")]
    Unresponsive,
    /// The process of the page crashed.
    #[error("the page crashed; open it again")]
    Crashed,
    /// The connection to the browser is lost.
    #[error("the browser is gone: {reason}")]
    BrowserGone {
        /// The reason, as far as it is known.
        reason: String,
    },
    /// The run was cancelled during the action.
    #[error("cancelled")]
    Cancelled,
}

fn among(candidates: &[String]) -> String {
    if candidates.is_empty() { String::new() } else { format!("; there is {}", candidates.join(", ")) }
}

fn offered(options: &[String]) -> String {
    if options.is_empty() { "none so far".to_owned() } else { options.join(", ") }
}

fn quoted(value: &Option<String>) -> String {
    value.as_ref().map_or_else(|| "this secret".to_owned(), |value| format!("{value:?}"))
}

fn differs(expected: &Option<String>, actual: &Option<String>) -> String {
    match (expected, actual) {
        (Some(expected), Some(actual)) => format!("has the value {actual:?} instead of {expected:?}"),
        (Some(expected), None) => format!("does not have the value {expected:?}"),
        _ => "does not have the secret as its value".to_owned(),
    }
}

impl ActionFailure {
    /// Whether repeating the action may succeed although nothing else changes.
    pub fn transient(&self) -> bool {
        matches!(
            self,
            ActionFailure::Timeout { .. }
                | ActionFailure::Moving { .. }
                | ActionFailure::Covered { .. }
                | ActionFailure::Unreachable { .. }
                | ActionFailure::LoadTimeout { .. }
        )
    }

    /// Whether the site was not reachable: the browser did not receive the page itself.
    pub fn is_site_fault(&self) -> bool {
        matches!(self, ActionFailure::Unreachable { .. } | ActionFailure::LoadTimeout { .. })
    }

    /// Whether the browser itself is the cause, rather than the page or the request.
    pub fn is_browser_fault(&self) -> bool {
        matches!(self, ActionFailure::BrowserGone { .. } | ActionFailure::Crashed | ActionFailure::Unresponsive)
    }
}
