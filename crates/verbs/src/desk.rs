//! The pages of several callers, each under its name, opened when first asked for and opened anew when their browser died.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use legwork::{
    AskSecret, Runtime,
    browser::StorageState,
    page::{Page, PageRequest},
    settings::Settings,
    vault::SecretSpec,
};
use secrecy::SecretString;
use thiserror::Error;
use tokio::sync::Mutex;
use url::Url;

/// Why there is no page.
#[derive(Debug, Error)]
pub enum DeskError {
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
pub struct Desk {
    runtime: Arc<Runtime>,
    most: usize,
    pages: Mutex<BTreeMap<String, Held>>,
}

struct Held {
    page: Arc<Page>,
    used: Instant,
}

/// A page that nobody used for so long gives its place to another, when there is no other place.
const STALE: Duration = Duration::from_secs(10 * 60);

/// What a page may do.
#[derive(Clone, Default)]
pub struct Terms {
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

impl Desk {
    /// A desk without pages, for at most so many.
    pub fn new(runtime: Arc<Runtime>, most: usize) -> Desk {
        Desk { runtime, most, pages: Mutex::default() }
    }

    /// What pages are opened with.
    pub fn runtime(&self) -> &Arc<Runtime> {
        &self.runtime
    }

    /// The page of that name, opened now if there is none; and whether it is another than before because its browser died.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub async fn page(&self, name: &str, terms: &Terms) -> Result<(Arc<Page>, bool), DeskError> {
        let mut pages = self.pages.lock().await;
        if let Some(held) = pages.get_mut(name).filter(|held| held.page.is_alive()) {
            held.used = Instant::now();
            return Ok((held.page.clone(), false));
        }
        let died = pages.remove(name).is_some();
        let open = pages.len();
        if open >= self.most {
            let unused = |held: &Held| Arc::strong_count(&held.page) == 1 && held.used.elapsed() > STALE;
            let oldest = pages.iter().filter(|(_, held)| unused(held)).min_by_key(|(_, held)| held.used);
            let name = oldest.map(|(name, _)| name.clone()).ok_or(DeskError::Full { open })?;
            put_away(pages.remove(&name)).await;
        }
        let page = Arc::new(self.open(terms, terms.storage_state.clone()).await?);
        pages.insert(name.to_owned(), Held { page: page.clone(), used: Instant::now() });
        Ok((page, died))
    }

    /// Begins the page of that name anew, with these cookies and storages.
    ///
    /// # Errors
    /// When it cannot be opened; the one before stays then.
    pub async fn renew(&self, name: &str, terms: &Terms, state: StorageState) -> Result<Arc<Page>, DeskError> {
        let mut pages = self.pages.lock().await;
        let page = Arc::new(self.open(terms, Some(state)).await?);
        let before = pages.insert(name.to_owned(), Held { page: page.clone(), used: Instant::now() });
        drop(pages);
        put_away(before).await;
        Ok(page)
    }

    /// The names of those that are open.
    pub async fn names(&self) -> Vec<String> {
        self.pages.lock().await.keys().cloned().collect()
    }

    /// The page of that name, if it is open.
    pub async fn known(&self, name: &str) -> Option<Arc<Page>> {
        self.pages.lock().await.get_mut(name).map(|held| {
            held.used = Instant::now();
            held.page.clone()
        })
    }

    /// Closes the page of that name; whether there was one.
    pub async fn close(&self, name: &str) -> bool {
        let page = self.pages.lock().await.remove(name);
        let was_open = page.is_some();
        put_away(page).await;
        was_open
    }

    /// Closes the page of that name, and those whose names begin with it and a slash.
    pub async fn close_family(&self, name: &str) {
        let of_it =
            |other: &String| other.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let names: Vec<String> = self.pages.lock().await.keys().filter(|other| of_it(other)).cloned().collect();
        for name in names {
            self.close(&name).await;
        }
    }

    /// Closes all pages and the browser.
    pub async fn close_all(&self) {
        let pages = std::mem::take(&mut *self.pages.lock().await);
        for held in pages.into_values() {
            put_away(Some(held)).await;
        }
        self.runtime.close().await;
    }

    async fn open(&self, terms: &Terms, storage_state: Option<StorageState>) -> Result<Page, legwork::Error> {
        let Terms { secrets, values, site, settings, uploads, .. } = terms.clone();
        let ask_secret =
            (!values.is_empty()).then(|| Box::new(move |name: &str| values.get(name).cloned()) as AskSecret);
        self.runtime.open_page(PageRequest { secrets, ask_secret, site, storage_state, uploads, settings }).await
    }
}

async fn put_away(held: Option<Held>) {
    // Whoever is at work on it still lets it go when done.
    if let Some(page) = held.and_then(|held| Arc::into_inner(held.page))
        && let Err(error) = page.close().await
    {
        tracing::warn!(%error, "a page could not be closed");
    }
}
