//! Cookies and the storage of origins, as data.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The state that a session passes on to a later one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StorageState {
    /// The cookies of all origins.
    #[serde(default)]
    pub cookies: Vec<Cookie>,
    /// The storage of the origins whose pages are open, and of those that the session began with.
    #[serde(default)]
    pub origins: Vec<OriginStorage>,
}

/// A cookie.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cookie {
    /// The name of the entry.
    pub name: String,
    /// The value.
    pub value: String,
    /// The host; with a leading dot, also its subdomains.
    pub domain: String,
    /// The path that it is sent to.
    pub path: String,
    /// The expiry in seconds since 1970; -1 for a session cookie.
    pub expires: f64,
    /// Whether scripts cannot read it.
    pub http_only: bool,
    /// Whether it is sent over https only.
    pub secure: bool,
    /// `Strict`, `Lax` or `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_site: Option<String>,
}

/// The storage of one origin.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OriginStorage {
    /// The origin, such as `https://example.com`.
    pub origin: String,
    /// The entries of its localStorage.
    #[serde(default)]
    pub local_storage: Vec<NameValue>,
    /// The entries of its sessionStorage. Playwright has no such field and ignores it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub session_storage: Vec<NameValue>,
}

/// An entry of a storage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameValue {
    /// The key.
    pub name: String,
    /// The value.
    pub value: String,
}

/// A script that fills the local storage of each origin, for every tab.
pub(crate) fn restore_local(state: &StorageState) -> Option<String> {
    restore_script(state, "localStorage", |origin| &origin.local_storage)
}

/// A script that fills a storage only if it is empty, so that the next page does not undo what the site has written
/// since.
pub(crate) fn restore_script(
    state: &StorageState,
    storage: &str,
    of: impl Fn(&OriginStorage) -> &Vec<NameValue>,
) -> Option<String> {
    let by_origin: BTreeMap<&str, &[NameValue]> = state
        .origins
        .iter()
        .map(|origin| (origin.origin.as_str(), of(origin).as_slice()))
        .filter(|(_, entries)| !entries.is_empty())
        .collect();
    (!by_origin.is_empty()).then(|| {
        format!(
            "(()=>{{try{{const mine={}[location.origin];if(mine&&{storage}.length===0)\
             for(const e of mine){storage}.setItem(e.name,e.value)}}catch{{}}}})()",
            json!(by_origin)
        )
    })
}

/// A storage of the page's origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Area {
    /// The storage that persists and that all tabs share.
    Local,
    /// The storage of this tab, which lasts while the tab is open.
    Session,
}

impl Area {
    /// The name of the storage in scripts.
    pub fn name(self) -> &'static str {
        match self {
            Area::Local => "localStorage",
            Area::Session => "sessionStorage",
        }
    }
}
