//! Why an action did not do its work: a value that the model reads, phrased with what to try.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// An expected failure of an action. Its display text is what a model and a person read.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ActionFailure {
    /// The ref was of an element that is gone, or of a page that is gone.
    #[error("stale ref {target}: the page changed, take a new observation")]
    StaleRef {
        /// The ref.
        target: String,
    },
    /// No element fits.
    #[error("nothing matches {target}{}", among(.candidates))]
    NotFound {
        /// What was looked for.
        target: String,
        /// What comes nearest.
        #[serde(default)]
        candidates: Vec<String>,
    },
    /// More than one element fits.
    #[error("{count} elements match {target}; say which{}", among(.candidates))]
    Ambiguous {
        /// What was looked for.
        target: String,
        /// How many.
        count: usize,
        /// The first few.
        #[serde(default)]
        candidates: Vec<String>,
    },
    /// Another element would get the click.
    #[error("{target} is covered by {by}; close or move that first")]
    Covered {
        /// The element.
        target: String,
        /// What lies above it, such as `<div#consent>`.
        by: String,
    },
    /// It has no box or is hidden.
    #[error("{target} is not visible; something may have to be opened or scrolled first")]
    NotVisible {
        /// The element.
        target: String,
    },
    /// It does not take input now.
    #[error("{target} is disabled; something else may have to be filled in first")]
    Disabled {
        /// The element.
        target: String,
    },
    /// Text cannot be put there.
    #[error("{target} cannot be edited: it is {is}")]
    NotEditable {
        /// The element.
        target: String,
        /// What it is instead.
        is: String,
    },
    /// The control does not take the value.
    #[error("{target} does not take {}: it takes {accepts}", quoted(.value))]
    NotAccepted {
        /// The element.
        target: String,
        /// What was given; none for a secret.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<String>,
        /// What it takes, such as `a date, written 2026-12-31`.
        accepts: String,
    },
    /// The element holds another value than it was given.
    #[error("{target} {}; see whether its page changed or refused the value, and what it takes", differs(.expected, .actual))]
    ValueDiffers {
        /// The element.
        target: String,
        /// What was given; none for a secret.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expected: Option<String>,
        /// What it holds; none for a secret.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        actual: Option<String>,
    },
    /// The focus moved away while text or keys were on their way.
    #[error("{target} lost the focus to {to}, so no more was typed; close what takes the focus, or act on that first")]
    FocusLost {
        /// The element.
        target: String,
        /// What has the focus instead.
        to: String,
    },
    /// A press of the mouse would be, or was, no click on it.
    #[error("{target} was not clicked: {reason}; wait until it takes clicks, or act on what it belongs to")]
    NotClickable {
        /// The element.
        target: String,
        /// Why not.
        reason: String,
    },
    /// It keeps moving.
    #[error("{target} does not stop moving")]
    Moving {
        /// The element.
        target: String,
    },
    /// The list does not have it.
    #[error("{target} has no option {option:?}; it has {}", offered(.options))]
    NoOption {
        /// The list.
        target: String,
        /// What was asked for.
        option: String,
        /// What there is.
        options: Vec<String>,
    },
    /// The element is of the wrong kind for the action.
    #[error("{target} is {is}: {hint}")]
    WrongKind {
        /// The element.
        target: String,
        /// What it is.
        is: String,
        /// What to do instead.
        hint: String,
    },
    /// What was waited for did not come.
    #[error("{what} did not happen within {ms} ms")]
    Timeout {
        /// What.
        what: String,
        /// How long was waited.
        ms: u64,
    },
    /// There is no server, no such name, no valid certificate, or the connection broke: the browser shows an error page.
    #[error("{url} could not be loaded: {reason}")]
    Unreachable {
        /// The address.
        url: String,
        /// The browser's reason.
        reason: String,
    },
    /// The server took the request for a page and sent no page in time.
    #[error("{url} did not answer within {ms} ms")]
    LoadTimeout {
        /// The address.
        url: String,
        /// How long was waited.
        ms: u64,
    },
    /// A rule of this run or of Legwork forbids it.
    #[error("refused: {reason}")]
    Refused {
        /// Which rule, and what is allowed.
        reason: String,
    },
    /// The file lies outside of the folders whose files may be uploaded, or there is no such folder.
    #[error("refused: {reason}")]
    UploadNotAllowed {
        /// What is allowed, and how to allow more.
        reason: String,
    },
    /// An open dialog must be answered first.
    #[error("a {dialog} dialog is open ({message:?}); answer it first")]
    DialogOpen {
        /// Its kind.
        dialog: String,
        /// Its text.
        message: String,
    },
    /// No dialog is open.
    #[error(
        "no dialog is open; a dialog is answered while it is open, or with the action that opens it: \
         `Click \"Delete\" and accept the dialog`"
    )]
    NoDialog,
    /// A download broke its limit or off.
    #[error("download of {name} failed: {reason}")]
    Download {
        /// The file.
        name: String,
        /// Why.
        reason: String,
    },
    /// A parameter of the action cannot be used, whatever the page is like.
    #[error("{what}: {reason}")]
    InvalidArgument {
        /// Which, or the action that lacks one.
        what: String,
        /// What it may be.
        reason: String,
    },
    /// What was asked for is not there, or is no longer kept.
    #[error("{what}: {reason}")]
    NotAvailable {
        /// What.
        what: String,
        /// Why not.
        reason: String,
    },
    /// What was asked for is larger than an answer may be.
    #[error("{what}: {reason}")]
    TooLarge {
        /// What.
        what: String,
        /// The limit, and what to ask for instead.
        reason: String,
    },
    /// What the page answered could not be read.
    #[error("{what}: {reason}")]
    Unreadable {
        /// What.
        what: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A script threw an exception, or has no value that could be returned.
    #[error("the script: {reason}")]
    ScriptFailed {
        /// The exception.
        reason: String,
    },
    /// The browser refused a command.
    #[error("the browser: {reason}")]
    BrowserRefused {
        /// Its reason.
        reason: String,
    },
    /// A control was clicked and did not take the state that it was to take.
    #[error("{target}: it was clicked but did not become {state}")]
    NotToggled {
        /// The element.
        target: String,
        /// `checked` or `cleared`.
        state: String,
    },
    /// The page asked whether it may be left, and the answer was no.
    #[error("{action}: the page asked whether it may be left and the answer was no, so it stayed")]
    LeaveDeclined {
        /// The action that would have left it.
        action: String,
    },
    /// A tool of the program failed, or the run was not given it.
    #[error("the tool {tool}: {reason}")]
    ToolFailed {
        /// Its name.
        tool: String,
        /// Why.
        reason: String,
    },
    /// An action that the agent carries out itself could not be carried out.
    #[error("{action}: {reason}")]
    NotPerformed {
        /// The action.
        action: String,
        /// Why not, and what to do instead.
        reason: String,
    },
    /// The run ended, or was interrupted, before the action had ended.
    #[error("{action}: {reason}")]
    Interrupted {
        /// The action.
        action: String,
        /// By what.
        reason: String,
    },
    /// The page does not answer.
    #[error("the page does not answer (its script may be in an endless loop); reload it or open another")]
    Unresponsive,
    /// The page's process ended.
    #[error("the page crashed; open it again")]
    Crashed,
    /// The browser is gone.
    #[error("the browser is gone: {reason}")]
    BrowserGone {
        /// What is known.
        reason: String,
    },
    /// The run was cancelled meanwhile.
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
        (Some(expected), Some(actual)) => format!("holds {actual:?} and not {expected:?}"),
        (Some(expected), None) => format!("does not hold {expected:?}"),
        _ => "does not hold the secret it was given".to_owned(),
    }
}

impl ActionFailure {
    /// Whether trying the same thing again may help without anything else changing.
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

    /// Whether the site could not be had at all: the page itself was not reached.
    pub fn is_site_fault(&self) -> bool {
        matches!(self, ActionFailure::Unreachable { .. } | ActionFailure::LoadTimeout { .. })
    }

    /// Whether the browser itself is the trouble, rather than the page or the request.
    pub fn is_browser_fault(&self) -> bool {
        matches!(self, ActionFailure::BrowserGone { .. } | ActionFailure::Crashed | ActionFailure::Unresponsive)
    }
}
