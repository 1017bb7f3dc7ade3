//! Cookies and the storage of origins, as data.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What a session carries from one run to the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StorageState {
    /// Cookies of all origins.
    #[serde(default)]
    pub cookies: Vec<Cookie>,
    /// Storage of the origins whose pages are open, and of those it began with.
    #[serde(default)]
    pub origins: Vec<OriginStorage>,
}

/// A cookie.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cookie {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The host; with a leading dot, subdomains too.
    pub domain: String,
    /// The path it is sent to.
    pub path: String,
    /// Seconds since 1970, -1 for a session cookie.
    pub expires: f64,
    /// Scripts cannot read it.
    pub http_only: bool,
    /// Only over https.
    pub secure: bool,
    /// `Strict`, `Lax` or `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_site: Option<String>,
}

/// The storage of one origin.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OriginStorage {
    /// The origin, `https://example.com`.
    pub origin: String,
    /// Its localStorage.
    #[serde(default)]
    pub local_storage: Vec<NameValue>,
    /// Its sessionStorage; Playwright has no such field and skips it.
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

/// What fills the local storage of each origin, in every tab.
pub(crate) fn restore_local(state: &StorageState) -> Option<String> {
    restore_script(state, "localStorage", |origin| &origin.local_storage)
}

/// Fills a storage that is still empty, so that what the site has written since is not undone at its next page.
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
    /// Kept, and the same in all tabs.
    Local,
    /// This tab's, while it is open.
    Session,
}

impl Area {
    /// What scripts call it.
    pub fn name(self) -> &'static str {
        match self {
            Area::Local => "localStorage",
            Area::Session => "sessionStorage",
        }
    }
}
