//! The result of an action.

use std::{collections::BTreeMap, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{ActionFailure, Artifact, DialogInfo, DownloadInfo, ElementIdentity, Target, millis};

/// The text that accompanies the failure of an action whose outcome is unknown.
const OUTCOME_UNKNOWN: &str = "the outcome is unknown: it was sent and may have been done, so verify on the page whether it was before doing it again";

/// The result of an action. A failure is a value, not an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionResult {
    /// The reason for the failure; absent when the action succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<ActionFailure>,
    /// The action failed after a command that may change state was sent to the page or to a tool. It may have taken
    /// effect, and is not repeated until somebody has checked. An action that may be repeated, such as filling in a
    /// field, has this mark if the browser was lost or the page sent a change. Older journals lack this field; their failures count as
    /// not executed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outcome_unknown: bool,
    /// Duration, including waiting and settling.
    #[serde(with = "millis", rename = "durationMs")]
    #[schemars(with = "u64")]
    pub duration: Duration,
    /// A short description of the element that the action was executed on: `button "Save"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// The position of that element when the action started, before the element was scrolled into view. It is the
    /// position of the element on the screenshot taken before the action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#box: Option<ElementBox>,
    /// The refs of the elements that the browser found for targets that are names or selectors, by the target. An
    /// element that no observation showed has none. They are not part of the journal.
    #[serde(skip)]
    pub refs: BTreeMap<String, Target>,
    /// What identifies the elements that the browser found for names and selectors, by the parameter that names them:
    /// `target`, `to`. The elements that were known before are in the event of the intent.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub elements: BTreeMap<String, ElementIdentity>,
    /// The URL of the page after the action.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub url: String,
    /// The value that was read, saved or found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The other effects of the action, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<PageEffect>,
    /// The HTML of the page, when it was requested; never inline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dom: Option<Artifact>,
    /// The screenshot that was captured after the action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screenshot: Option<Artifact>,
}

impl ActionResult {
    /// The result of an action that succeeded.
    pub fn done(duration: Duration) -> Self {
        ActionResult {
            failure: None,
            outcome_unknown: false,
            duration,
            element: None,
            r#box: None,
            refs: BTreeMap::new(),
            elements: BTreeMap::new(),
            url: String::new(),
            value: None,
            effects: Vec::new(),
            dom: None,
            screenshot: None,
        }
    }

    /// The result of an action that failed.
    pub fn failed(failure: ActionFailure, duration: Duration) -> Self {
        ActionResult { failure: Some(failure), ..ActionResult::done(duration) }
    }

    /// The result of an action that failed after it was sent and may have taken effect.
    pub fn unknown(failure: ActionFailure, duration: Duration) -> Self {
        ActionResult { outcome_unknown: true, ..ActionResult::failed(failure, duration) }
    }

    /// The reason for the failure and whether the action may have taken effect, worded for a model and a person.
    pub fn failure_text(&self) -> Option<String> {
        let failure = self.failure.as_ref()?;
        Some(match self.outcome_unknown {
            true => format!("{failure}; {OUTCOME_UNKNOWN}"),
            false => failure.to_string(),
        })
    }

    /// Whether the action succeeded.
    pub fn ok(&self) -> bool {
        self.failure.is_none()
    }
}

/// The position of an element relative to the viewport of its tab, in CSS pixels. It can be outside of the viewport.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ElementBox {
    /// Distance from the left edge of the viewport.
    pub x: i32,
    /// Distance from the top edge of the viewport.
    pub y: i32,
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
    /// Width and height of the viewport.
    pub view: [u32; 2],
}

/// How a refusal in [`PageEffect::Request`] begins if the server redirected a script's request to its log-in page; the
/// path of that page follows.
pub const LED_TO_LOG_IN: &str = "it led to the log-in page";

/// An effect of an action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum PageEffect {
    /// The page navigated to another URL.
    Navigated {
        /// The previous URL.
        from: String,
        /// The new URL.
        to: String,
        /// The HTTP status of the new document, if there was a response and the browser reports its status.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        status: Option<u16>,
        /// Whether a document was loaded whose status the browser does not report. Without it and without a status,
        /// only the address of the document changed.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        status_unknown: bool,
    },
    /// A tab opened.
    TabOpened {
        /// The number of the tab.
        number: u32,
        /// The URL of the tab.
        url: String,
        /// Whether the tab is the current one from now on, because an action opened it. A tab that the page opens by
        /// itself never becomes the current one.
        #[serde(default)]
        current: bool,
    },
    /// A tab closed.
    TabClosed {
        /// The number of the tab.
        number: u32,
    },
    /// A dialog opened; contains the answer, if it was answered. An unanswered dialog stays open and blocks the page.
    Dialog(DialogInfo),
    /// A file chooser opened and waits for files.
    ChooserOpened {
        /// The number of the tab.
        tab: u32,
        /// Whether it accepts several files.
        multiple: bool,
    },
    /// A file was downloaded.
    Downloaded(DownloadInfo),
    /// A rule of the run blocked a request.
    Blocked {
        /// The URL of the request.
        url: String,
        /// Why an action of this run may not cause it, if its address alone is allowed.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
    },
    /// A request to change data (POST, PUT, PATCH, DELETE) that the action caused, or any other request of the page's
    /// own scripts that was refused or failed. Beacons and reports are omitted.
    Request {
        /// `GET`, `POST`…
        method: String,
        /// The URL; secrets are handles.
        url: String,
        /// The HTTP status of the response; absent when there was none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        status: Option<u16>,
        /// The reason why there was no response, as the browser reported it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<String>,
        /// The failure that the JSON body of a response reports although its status is no error.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        refusal: Option<String>,
        /// What the JSON body of the response to the action's main change reports that may mean that nothing was done.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        doubt: Option<String>,
        /// The values of the request that the JSON body of the response returned with other values.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        altered: Vec<AlteredValue>,
        /// Whether the page had sent the same request before the action. The action is then not necessarily its cause.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        background: bool,
        /// Whether an earlier action sent the request and its response arrived during this one.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        earlier: bool,
    },
    /// The page did not become idle within the limit.
    Unsettled {
        /// What was still pending.
        pending: String,
    },
}

impl PageEffect {
    /// Whether this is a request for a change that the action itself caused: the page does not send such requests by
    /// itself, and no earlier action caused it.
    pub fn is_own_change(&self) -> bool {
        match self {
            PageEffect::Request { method, background: false, earlier: false, .. } => {
                method != "GET" && method != "HEAD"
            }
            _ => false,
        }
    }

    /// Whether this is a request for a change that the action caused and that the server did not refuse.
    pub fn may_have_changed(&self) -> bool {
        match self {
            PageEffect::Request { status, refusal, .. } => {
                self.is_own_change() && refusal.is_none() && status.is_none_or(|status| status < 400)
            }
            _ => false,
        }
    }
}

/// The separator between the entries of a list in an [`AlteredValue`].
pub const LIST_SEPARATOR: &str = ", ";

/// A value that was sent to a server and that the response returned with another content. A state is `true` or `false`;
/// a list contains its entries in alphabetical order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlteredValue {
    /// The name of the field.
    pub name: String,
    /// The value that was sent; secrets are handles.
    pub sent: String,
    /// The value in the response; empty for `null`.
    pub answered: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DialogKind;

    /// The field `kind` of a dialog must not have the same JSON name as the tag of [`PageEffect`].
    #[test]
    fn a_dialog_effect_round_trips_through_json() {
        let dialog = DialogInfo { kind: DialogKind::Confirm, message: "Delete?".into(), accepted: Some(true) };
        let effect = PageEffect::Dialog(dialog);
        let text = serde_json::to_string(&effect).unwrap();
        assert_eq!(text, r#"{"kind":"dialog","dialog":"confirm","message":"Delete?","accepted":true}"#);
        assert_eq!(serde_json::from_str::<PageEffect>(&text).unwrap(), effect);
    }
}
