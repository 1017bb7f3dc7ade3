//! What an action did.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{ActionFailure, Artifact, DialogInfo, DownloadInfo, millis};

/// What is said beside the failure of an action whose outcome is unknown.
const OUTCOME_UNKNOWN: &str = "the outcome is unknown: it was sent and may have been done, so verify on the page whether it was before doing it again";

/// What an action did. A failure is a value, not an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionResult {
    /// Why it did not work; absent when it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<ActionFailure>,
    /// It failed after something that may change the world was sent to the page or to a tool: it may have been done, and is
    /// not repeated before somebody looked. Older journals do not have it: their failures count as not done.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outcome_unknown: bool,
    /// How long it took, waiting and settling included.
    #[serde(with = "millis", rename = "durationMs")]
    #[schemars(with = "u64")]
    pub duration: Duration,
    /// The element it was done to, in a few words: `button "Save"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// Where that element was as the action came to it, before it was scrolled into view: there it is on the picture before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#box: Option<ElementBox>,
    /// Where the page is afterwards.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub url: String,
    /// What was read, saved or found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// What else happened, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<PageEffect>,
    /// The page's HTML, when it was asked for; never inline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dom: Option<Artifact>,
    /// The picture taken afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screenshot: Option<Artifact>,
}

impl ActionResult {
    /// An action that worked.
    pub fn done(duration: Duration) -> Self {
        ActionResult {
            failure: None,
            outcome_unknown: false,
            duration,
            element: None,
            r#box: None,
            url: String::new(),
            value: None,
            effects: Vec::new(),
            dom: None,
            screenshot: None,
        }
    }

    /// An action that did not.
    pub fn failed(failure: ActionFailure, duration: Duration) -> Self {
        ActionResult { failure: Some(failure), ..ActionResult::done(duration) }
    }

    /// An action that failed after it was sent: it may have been done.
    pub fn unknown(failure: ActionFailure, duration: Duration) -> Self {
        ActionResult { outcome_unknown: true, ..ActionResult::failed(failure, duration) }
    }

    /// Why it did not work, and whether it may have been done all the same: in the words that a model and a person read.
    pub fn trouble(&self) -> Option<String> {
        let failure = self.failure.as_ref()?;
        Some(match self.outcome_unknown {
            true => format!("{failure}; {OUTCOME_UNKNOWN}"),
            false => failure.to_string(),
        })
    }

    /// Whether it worked.
    pub fn ok(&self) -> bool {
        self.failure.is_none()
    }
}

/// Where an element is in its tab's view, in CSS pixels. It may be outside of what is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ElementBox {
    /// From the view's left edge.
    pub x: i32,
    /// From its upper edge.
    pub y: i32,
    /// How wide.
    pub width: u32,
    /// How high.
    pub height: u32,
    /// The view's width and height.
    pub view: [u32; 2],
}

/// Something that an action set off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum PageEffect {
    /// The page went elsewhere.
    Navigated {
        /// Where from.
        from: String,
        /// Where to.
        to: String,
        /// The HTTP status of the new document, when there was a response.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        status: Option<u16>,
    },
    /// A tab opened.
    TabOpened {
        /// Its number.
        number: u32,
        /// Its address.
        url: String,
        /// Whether actions go to it from now on: our action opened it. A tab that the page opens by itself never becomes the
        /// current one.
        #[serde(default)]
        current: bool,
    },
    /// A tab closed.
    TabClosed {
        /// Its number.
        number: u32,
    },
    /// A dialog opened, and how it was answered; one that is not answered stays open and keeps the page from going on.
    Dialog(DialogInfo),
    /// A file chooser opened and waits for files.
    ChooserOpened {
        /// Where.
        tab: u32,
        /// Whether it takes several.
        multiple: bool,
    },
    /// A file arrived.
    Downloaded(DownloadInfo),
    /// A request was refused by the run's rules.
    Blocked {
        /// Where to.
        url: String,
    },
    /// A request for a change (POST, PUT, PATCH, DELETE) that the action set off, or any other of the page's own scripts that
    /// was refused or failed. Beacons and reports are left out.
    Request {
        /// `GET`, `POST`…
        method: String,
        /// Where to; secrets are handles.
        url: String,
        /// The HTTP status of the response; absent when there was none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        status: Option<u16>,
        /// Why there was no response, in the browser's words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<String>,
        /// What the JSON body of a response without an error status says failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        refusal: Option<String>,
        /// Values that the request carried and that the JSON body of the response gives otherwise.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        altered: Vec<AlteredValue>,
        /// The page had sent such a request before the action as well, so the action need not be its cause.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        background: bool,
        /// An earlier action sent it, and it was answered only now.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        earlier: bool,
    },
    /// The page did not come to rest within the limit.
    Unsettled {
        /// What was still under way.
        pending: String,
    },
}

/// What stands between the entries of a list in an [`AlteredValue`].
pub const LIST_SEPARATOR: &str = ", ";

/// A value that was sent to a server and that its response gives otherwise. A state is `true` or `false`; a list is its entries in
/// alphabetical order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlteredValue {
    /// The name of its field.
    pub name: String,
    /// What was sent; secrets are handles.
    pub sent: String,
    /// What the response says; empty for `null`.
    pub answered: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DialogKind;

    /// A dialog's own `kind` once stood beside the tag of the same name: the journal of such a run could not be read.
    #[test]
    fn a_dialog_among_the_effects_can_be_read_back() {
        let dialog = DialogInfo { kind: DialogKind::Confirm, message: "Delete?".into(), accepted: Some(true) };
        let effect = PageEffect::Dialog(dialog);
        let text = serde_json::to_string(&effect).unwrap();
        assert_eq!(text, r#"{"kind":"dialog","dialog":"confirm","message":"Delete?","accepted":true}"#);
        assert_eq!(serde_json::from_str::<PageEffect>(&text).unwrap(), effect);
    }
}
