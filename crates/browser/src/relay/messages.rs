//! The messages between Legwork and its extension. `extension/src/relay/messages.ts` declares the same shapes.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A command of the driver.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DriverCommand<'a> {
    pub(super) id: u64,
    #[serde(borrow)]
    pub(super) method: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) params: &'a RawValue,
    #[serde(borrow)]
    pub(super) session_id: Option<Cow<'a, str>>,
}

/// What the extension is asked to do.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RequestKind {
    /// Attach the debugger to the tab that the user has assigned.
    AttachTab,
    /// Open a tab beside it and attach the debugger.
    OpenTab,
    /// Close a tab.
    CloseTab,
    /// Detach the debugger from a tab, which stays open.
    ReleaseTab,
    /// Pass a command to a tab.
    Command,
}

/// A request to the extension, which answers it with a result or an error.
#[derive(Serialize)]
pub(super) struct ExtensionRequest<'a> {
    pub(super) id: u64,
    pub(super) r#type: RequestKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tab: Option<i64>,
    /// The protocol session of a frame or worker of the tab; absent for the tab itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) session: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) method: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) params: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) url: Option<&'a str>,
}

impl<'a> ExtensionRequest<'a> {
    pub(super) fn new(id: u64, kind: RequestKind) -> Self {
        ExtensionRequest { id, r#type: kind, tab: None, session: None, method: None, params: None, url: None }
    }

    pub(super) fn of_tab(id: u64, kind: RequestKind, tab: i64) -> Self {
        ExtensionRequest { tab: Some(tab), ..ExtensionRequest::new(id, kind) }
    }

    pub(super) fn text(&self) -> String {
        serde_json::to_string(self).expect("plain structs with string keys")
    }
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum MessageKind {
    /// The result of a request.
    Result,
    /// Why a request was not carried out.
    Error,
    /// The debugger is attached to a tab.
    Attached,
    /// The debugger is no longer attached to a tab.
    Detached,
    /// An event of a tab, or of a frame or worker in it.
    Event,
    /// The title or address of a tab changed.
    Titled,
    /// Something that a newer extension says.
    #[serde(other)]
    Other,
}

/// A message of the extension.
#[derive(Deserialize)]
pub(super) struct ExtensionMessage<'a> {
    pub(super) r#type: MessageKind,
    pub(super) id: Option<u64>,
    pub(super) tab: Option<i64>,
    #[serde(borrow)]
    pub(super) session: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) params: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) result: Option<&'a RawValue>,
    pub(super) message: Option<String>,
    pub(super) target: Option<RelayedTarget>,
    /// The tab that opened this one.
    pub(super) opener: Option<i64>,
    /// Whether the page is still being loaded.
    #[serde(default)]
    pub(super) loading: bool,
}

/// What the browser states about a tab.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct RelayedTarget {
    pub(super) target_id: String,
    pub(super) title: String,
    pub(super) url: String,
}
