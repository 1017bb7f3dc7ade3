//! Exports and restores cookies and storage in Playwright's storage-state format, so that files of both tools are
//! interchangeable.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{BrowserError, Session, browser::ANSWER, page_script as script};

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
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The host; with a leading dot, also its subdomains.
    pub domain: String,
    /// The path that it is sent to.
    pub path: String,
    /// The expiry in seconds since 1970; -1 for a session cookie.
    pub expires: f64,
    /// Whether scripts cannot read it.
    pub http_only: bool,
    /// Whether it is sent over HTTPS only.
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

impl Session {
    /// The cookies of the session, and the storage of the origins of its open pages and of those that it began with.
    ///
    /// # Errors
    /// If the browser is gone or does not answer.
    pub async fn storage_state(&self) -> Result<StorageState, BrowserError> {
        let inner = &*self.inner;
        let cookies = self.raw_cookies().await?;
        let mut origins: BTreeMap<String, OriginStorage> = BTreeMap::new();
        // The storage of origins that were not visited since the start is preserved.
        for origin in inner.options.storage_state.iter().flat_map(|state| &state.origins) {
            origins.insert(origin.origin.clone(), origin.clone());
        }
        let tabs: Vec<u32> = inner.state().tabs.iter().map(|tab| tab.number).collect();
        for tab in tabs {
            for frame in inner.outer_frames(tab) {
                // A page that does not answer is skipped, so that the storage of the others is still exported.
                let Ok(exec_context) = inner.exec_context(&frame).await else { continue };
                if let Ok(storage) = inner.call(&exec_context, script::ReadOriginStorage {}).await
                    && storage.origin.starts_with("http")
                {
                    origins.insert(storage.origin.clone(), storage);
                }
            }
        }
        origins.retain(|_, storage| !storage.local_storage.is_empty() || !storage.session_storage.is_empty());
        Ok(StorageState { cookies, origins: origins.into_values().collect() })
    }

    /// The cookies of the session, secrets masked. [`Session::storage_state`] returns them unmasked.
    ///
    /// # Errors
    /// If the browser is gone or does not answer.
    pub async fn cookies(&self) -> Result<Vec<Cookie>, BrowserError> {
        Ok(self.masked(self.raw_cookies().await?))
    }

    async fn raw_cookies(&self) -> Result<Vec<Cookie>, BrowserError> {
        Ok(self.inner.driver.cookies(self.inner.context.as_deref()).within(ANSWER).await?)
    }

    /// Adds cookies to the existing ones.
    ///
    /// # Errors
    /// If the browser rejects one of them, is gone or does not answer.
    pub async fn set_cookies(&self, cookies: &[Cookie]) -> Result<(), BrowserError> {
        Ok(self.inner.driver.set_cookies(self.inner.context.as_deref(), cookies).within(ANSWER).await?)
    }

    /// Deletes the cookies for which `wanted` returns true. Returns how many were deleted.
    ///
    /// # Errors
    /// If no tab is open, the browser is gone or does not answer.
    pub async fn delete_cookies(&self, wanted: impl Fn(&Cookie) -> bool) -> Result<usize, BrowserError> {
        let cookies: Vec<Cookie> = self.raw_cookies().await?.into_iter().filter(|cookie| wanted(cookie)).collect();
        let session = self.inner.state().current().map(|tab| tab.session.clone());
        let session = session.ok_or_else(|| BrowserError::Protocol { reason: "no tab is open".to_owned() })?;
        for cookie in &cookies {
            self.inner.driver.delete_cookie(&session, cookie).within(ANSWER).await?;
        }
        Ok(cookies.len())
    }

    /// Deletes all cookies.
    ///
    /// # Errors
    /// If the browser is gone or does not answer.
    pub async fn clear_cookies(&self) -> Result<(), BrowserError> {
        Ok(self.inner.driver.clear_cookies(self.inner.context.as_deref()).within(ANSWER).await?)
    }

    /// Restores the cookies at once, and the storage of each origin when a document of it is first created.
    pub(crate) async fn restore(&self, state: &StorageState) -> Result<(), BrowserError> {
        let inner = &*self.inner;
        if !state.cookies.is_empty() {
            self.set_cookies(&state.cookies).await?;
        }
        // Local storage is restored in every tab and frame when it is set up. Session storage belongs to a single tab,
        // so it is restored in the first one.
        if let Some(source) = restore_script(state, "sessionStorage", |origin| &origin.session_storage) {
            let session = inner.state().current().map(|tab| tab.session.clone());
            if let Some(session) = session {
                inner.driver.run_first(&session, source).within(ANSWER).await?;
            }
        }
        Ok(())
    }
}

/// A script that fills the local storage of each origin, for every tab.
pub(crate) fn restore_local(state: &StorageState) -> Option<String> {
    restore_script(state, "localStorage", |origin| &origin.local_storage)
}

/// A script that fills a storage only if it is empty, so that the next page does not undo what the site has written
/// since.
fn restore_script(
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
