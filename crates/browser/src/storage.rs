//! Exports and restores cookies and storage in Playwright's storage-state format, so that files of both tools are
//! interchangeable.

use std::collections::BTreeMap;

use crate::{
    BrowserError, Session,
    options::ANSWER,
    page_script as script,
    storage_state::{Cookie, OriginStorage, StorageState, restore_script},
};

impl Session {
    /// The cookies of the session, and the storage of the origins of its open pages and of those that it began with.
    ///
    /// # Errors
    /// If the browser is gone or does not answer, or if it is the user's own.
    pub async fn storage_state(&self) -> Result<StorageState, BrowserError> {
        let inner = &*self.inner;
        if inner.is_relayed {
            let reason = "cookies and storage of the user's own browser stay in it";
            return Err(BrowserError::NotCapable { what: "the export of cookies and storage", reason });
        }
        let cookies = self.raw_cookies().await?;
        let mut origins: BTreeMap<String, OriginStorage> = BTreeMap::new();
        // The storage of origins that were not visited since the start is preserved.
        for origin in inner.options.storage_state.iter().flat_map(|state| &state.origins) {
            origins.insert(origin.origin.clone(), origin.clone());
        }
        let tabs: Vec<u32> = inner.state().tabs.iter().map(|tab| tab.number()).collect();
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
        let session = self.inner.state().tabs.current().map(|tab| tab.session().clone());
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
            let session = inner.state().tabs.current().map(|tab| tab.session().clone());
            if let Some(session) = session {
                inner.driver.run_first(&session, source).within(ANSWER).await?;
            }
        }
        Ok(())
    }
}
