//! The pages of several callers, each under its name, opened when first asked for and opened anew when their browser died.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::Instant};

use legwork::{
    AskSecret, Runtime,
    browser::StorageState,
    page::{Page, PageRequest},
    settings::Settings,
    vault::SecretSpec,
};
use secrecy::SecretString;
use thiserror::Error;
use url::Url;

use crate::page_slots::{PageSlot, PageSlots};

/// Why there is no page.
#[derive(Debug, Error)]
pub enum PagePoolError {
    /// The browser or the page's secrets.
    #[error(transparent)]
    Open(#[from] legwork::Error),
    /// Too many are open.
    #[error("{open} sessions are open, which is the most; close one first")]
    Full {
        /// How many.
        open: usize,
    },
}

/// Pages by name.
pub struct PagePool {
    runtime: Arc<Runtime>,
    slots: PageSlots,
}

/// What a page may do.
#[derive(Clone, Default)]
pub struct PageOptions {
    /// Its secrets.
    pub secrets: Vec<SecretSpec>,
    /// Values that whoever asks has got already, by name: for those of the secrets that are to be asked for.
    pub values: BTreeMap<String, SecretString>,
    /// Where secrets without an origin of their own go.
    pub site: Option<Url>,
    /// Settings of its own in place of the runtime's.
    pub settings: Option<Settings>,
    /// Folders whose files may be uploaded.
    pub uploads: Vec<PathBuf>,
    /// Cookies and storage to begin with.
    pub storage_state: Option<StorageState>,
}

impl PagePool {
    /// A desk without pages, for at most so many.
    pub fn new(runtime: Arc<Runtime>, most: usize) -> PagePool {
        PagePool { runtime, slots: PageSlots::for_at_most(most) }
    }

    /// What pages are opened with.
    pub fn runtime(&self) -> &Arc<Runtime> {
        &self.runtime
    }

    /// The page of that name, opened now if there is none; and whether it is another than before because its browser died.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub async fn page(&self, name: &str, page_options: &PageOptions) -> Result<(Arc<Page>, bool), PagePoolError> {
        let (slot, stale) = self.slots.acquire(name, Instant::now())?;
        if let Some(stale) = stale {
            put_away(&stale).await;
        }
        let mut held = slot.page().await;
        if let Some(page) = held.as_ref().filter(|page| page.is_alive()) {
            return Ok((page.clone(), false));
        }
        let died = held.take().is_some();
        match self.open(page_options, page_options.storage_state.clone()).await {
            Ok(page) => Ok((held.insert(Arc::new(page)).clone(), died)),
            Err(error) => {
                drop(held);
                self.slots.release(name, slot);
                Err(error.into())
            }
        }
    }

    /// Begins the page of that name anew, with these cookies and storages.
    ///
    /// # Errors
    /// When it cannot be opened; the one before stays then.
    pub async fn reopen(
        &self,
        name: &str,
        page_options: &PageOptions,
        state: StorageState,
    ) -> Result<Arc<Page>, PagePoolError> {
        let page = Arc::new(self.open(page_options, Some(state)).await?);
        let (slot, stale) = self.slots.acquire(name, Instant::now())?;
        let before = slot.page().await.replace(page.clone());
        for gone in [before, stale.and_then(|stale| stale.page_now()?.take())] {
            close(gone).await;
        }
        Ok(page)
    }

    /// The names of those that are open.
    pub async fn names(&self) -> Vec<String> {
        self.slots.names()
    }

    /// The page of that name, if it is open.
    pub async fn known(&self, name: &str) -> Option<Arc<Page>> {
        let slot = self.slots.known(name, Instant::now())?;
        let page = slot.page().await;
        page.clone()
    }

    /// Closes the page of that name; nothing when there is none, else what was still under way in it and may be lost.
    pub async fn close(&self, name: &str) -> Option<Vec<String>> {
        let slot = self.slots.removed(name)?;
        put_away(&slot).await
    }

    /// Closes the page of that name, and those whose names begin with it and a slash.
    pub async fn close_family(&self, name: &str) {
        let of_it =
            |other: &String| other.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        for name in self.slots.names().into_iter().filter(of_it) {
            self.close(&name).await;
        }
    }

    /// Closes all pages and the browser.
    pub async fn close_all(&self) {
        for name in self.slots.names() {
            self.close(&name).await;
        }
        self.runtime.close().await;
    }

    async fn open(
        &self,
        page_options: &PageOptions,
        storage_state: Option<StorageState>,
    ) -> Result<Page, legwork::Error> {
        let PageOptions { secrets, values, site, settings, uploads, .. } = page_options.clone();
        let ask_secret =
            (!values.is_empty()).then(|| Box::new(move |name: &str| values.get(name).cloned()) as AskSecret);
        self.runtime.open_page(PageRequest { secrets, ask_secret, site, storage_state, uploads, settings }).await
    }
}

/// Closes what is there, and tells what was still under way in it.
async fn put_away(slot: &PageSlot) -> Option<Vec<String>> {
    let page = slot.page().await.take()?;
    // Somebody at work on it waits for that at the end.
    let pending = if Arc::strong_count(&page) == 1 { page.flush().await } else { Vec::new() };
    close(Some(page)).await;
    Some(pending)
}

/// How a page was closed, in words: with what may be lost, if anything.
pub fn closed(pending: &[String]) -> String {
    if pending.is_empty() {
        return "closed".to_owned();
    }
    format!("closed while this was under way, which may be lost: {}", pending.join("; "))
}

async fn close(page: Option<Arc<Page>>) {
    // Whoever is at work on it still lets it go when done.
    if let Some(page) = page.and_then(Arc::into_inner)
        && let Err(error) = page.close().await
    {
        tracing::warn!(%error, "a page could not be closed");
    }
}
