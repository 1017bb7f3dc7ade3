//! Cookies and storage, taken out and put back: Playwright's storage-state JSON, so that files of either fit the other.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{BrowserError, Session, browser::ANSWER, page_script as script};

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

impl Session {
    /// Cookies of the session and the storage of the origins that its open pages show.
    ///
    /// # Errors
    /// When the browser is gone or does not answer.
    pub async fn storage_state(&self) -> Result<StorageState, BrowserError> {
        let inner = &*self.inner;
        let cookies = self.raw_cookies().await?;
        let mut origins: BTreeMap<String, OriginStorage> = BTreeMap::new();
        // What was given at the start and not visited since is still to be kept.
        for origin in inner.options.storage_state.iter().flat_map(|state| &state.origins) {
            origins.insert(origin.origin.clone(), origin.clone());
        }
        let tabs: Vec<u32> = inner.state().tabs.iter().map(|tab| tab.number).collect();
        for tab in tabs {
            for frame in inner.outer_frames(tab) {
                // A page that does not answer has nothing to give; the others still have.
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

    /// The cookies that the session has, secrets in them masked; [`Session::storage_state`] has them as they are.
    ///
    /// # Errors
    /// When the browser is gone or does not answer.
    pub async fn cookies(&self) -> Result<Vec<Cookie>, BrowserError> {
        Ok(self.masked(self.raw_cookies().await?))
    }

    async fn raw_cookies(&self) -> Result<Vec<Cookie>, BrowserError> {
        Ok(self.inner.driver.cookies(self.inner.context.as_deref()).within(ANSWER).await?)
    }

    /// Sets cookies, beside those that are there.
    ///
    /// # Errors
    /// When the browser does not take one of them, is gone or does not answer.
    pub async fn set_cookies(&self, cookies: &[Cookie]) -> Result<(), BrowserError> {
        Ok(self.inner.driver.set_cookies(self.inner.context.as_deref(), cookies).within(ANSWER).await?)
    }

    /// Throws away the cookies that this is true of; answers how many.
    ///
    /// # Errors
    /// When no tab is open, the browser is gone or does not answer.
    pub async fn delete_cookies(&self, wanted: impl Fn(&Cookie) -> bool) -> Result<usize, BrowserError> {
        let cookies: Vec<Cookie> = self.raw_cookies().await?.into_iter().filter(|cookie| wanted(cookie)).collect();
        let session = self.inner.state().current().map(|tab| tab.session.clone());
        let session = session.ok_or_else(|| BrowserError::Protocol { reason: "no tab is open".to_owned() })?;
        for cookie in &cookies {
            self.inner.driver.delete_cookie(&session, cookie).within(ANSWER).await?;
        }
        Ok(cookies.len())
    }

    /// Throws all cookies away.
    ///
    /// # Errors
    /// When the browser is gone or does not answer.
    pub async fn clear_cookies(&self) -> Result<(), BrowserError> {
        Ok(self.inner.driver.clear_cookies(self.inner.context.as_deref()).within(ANSWER).await?)
    }

    /// Puts cookies back at once, and each origin's storage when a document of it is first made.
    pub(crate) async fn restore(&self, state: &StorageState) -> Result<(), BrowserError> {
        let inner = &*self.inner;
        if !state.cookies.is_empty() {
            self.set_cookies(&state.cookies).await?;
        }
        // What every document gets is set up with each tab and frame; what is only of one tab belongs to the first.
        if let Some(source) = restore_script(state, "sessionStorage", |origin| &origin.session_storage) {
            let session = inner.state().current().map(|tab| tab.session.clone());
            if let Some(session) = session {
                inner.driver.run_first(&session, source).within(ANSWER).await?;
            }
        }
        Ok(())
    }
}

/// What fills the local storage of each origin, in every tab.
pub(crate) fn restore_local(state: &StorageState) -> Option<String> {
    restore_script(state, "localStorage", |origin| &origin.local_storage)
}

/// Fills a storage that is still empty, so that what the site has written since is not undone at its next page.
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
