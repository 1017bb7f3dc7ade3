//! Cookies and storage, taken out and put back: Playwright's storage-state JSON, so that files of either fit the other.

use std::collections::BTreeMap;

use crate::{
    BrowserError, Session,
    options::ANSWER,
    page_script as script,
    storage_state::{Cookie, OriginStorage, StorageState, restore_script},
};

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
        let tabs: Vec<u32> = inner.state().tabs.iter().map(|tab| tab.number()).collect();
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
        let session = self.inner.state().tabs.current().map(|tab| tab.session().clone());
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
            let session = inner.state().tabs.current().map(|tab| tab.session().clone());
            if let Some(session) = session {
                inner.driver.run_first(&session, source).within(ANSWER).await?;
            }
        }
        Ok(())
    }
}
