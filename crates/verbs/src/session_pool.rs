//! The open sessions of several callers. Each has a name, which the caller chose or was assigned, and one page.
//!
//! Code that works on a page holds a [`SessionLease`]. While a lease exists, the session is not evicted, and a session
//! that is closed keeps its page until the lease is dropped. A lease is a read lock on the page, and opening and
//! closing take the write lock, so that no reference count is needed.

use std::{
    collections::{BTreeMap, btree_map},
    ops::Deref,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::future::BoxFuture;
use legwork::{
    AskSecret, RelayedBrowser, Runtime,
    browser::StorageState,
    page::{Page, PageRequest},
    secrets::SecretSpec,
    settings::Settings,
};
use parking_lot::Mutex;
use secrecy::SecretString;
use thiserror::Error;
use tokio::sync::{OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};
use url::Url;

/// The idle time after which a session can be evicted if the pool is full.
const STALE: Duration = Duration::from_secs(10 * 60);

/// Why a session is not available.
#[derive(Debug, Error)]
pub enum SessionPoolError {
    /// The browser or the secrets of the session could not be opened.
    #[error(transparent)]
    Open(#[from] legwork::Error),
    /// The session is to be in a tab of the user's own browser, and has none.
    #[error(transparent)]
    Tab(#[from] TabUnavailable),
    /// The maximum number of sessions is open.
    #[error("the maximum of {open} sessions is open; close one first")]
    Full {
        /// The number of open sessions.
        open: usize,
    },
    /// The session is open, but was opened with other options than the caller requests.
    #[error("session {name} was opened with other options ({option}: {})", .value.as_ref().map_or("not given".to_owned(), |value| format!("{value:?}")))]
    OtherOptions {
        /// The name of the session.
        name: String,
        /// The first option that differs.
        option: String,
        /// The value that the session was opened with.
        value: Option<String>,
    },
}

/// Where sessions get tabs of the user's own browser, which a person assigns.
pub trait TabSource: Send + Sync {
    /// The tab that a person assigns to a requester with this name.
    fn tab<'a>(&'a self, requester: &'a str) -> BoxFuture<'a, Result<RelayedBrowser, TabUnavailable>>;
}

/// Why a session got no tab of the user's own browser.
#[derive(Debug, Error)]
pub enum TabUnavailable {
    /// Nobody has assigned a tab in the time that a caller can wait.
    #[error(
        "no tab of the user's browser is assigned yet. Ask the user to open Legwork's side panel and press “Let it work in \
         this tab”, then call again. An unpaired browser first needs the code from `legwork panel pair`"
    )]
    NotAssigned,
    /// The tab cannot be used.
    #[error("the tab of the user's browser cannot be used: {0}")]
    Refused(String),
}

/// A request for a tab of the user's own browser.
#[derive(Clone)]
pub struct TabRequest {
    /// Who assigns it.
    pub source: Arc<dyn TabSource>,
    /// The name of the requester, for the person who is asked.
    pub requester: String,
}

/// Sessions by name, with a maximum number.
pub struct SessionPool {
    limit: usize,
    entries: Mutex<BTreeMap<String, Arc<Entry>>>,
}

/// The options of a session.
#[derive(Clone, Default)]
pub struct PageOptions {
    /// The secrets that the session may use.
    pub secrets: Vec<SecretSpec>,
    /// Values of secrets that the user would otherwise be asked for, by name.
    pub values: BTreeMap<String, SecretString>,
    /// The origin for secrets that name no origin.
    pub site: Option<Url>,
    /// Settings that replace those of the runtime.
    pub settings: Option<Settings>,
    /// Folders whose files may be uploaded.
    pub uploads: Vec<PathBuf>,
    /// Initial cookies and storage.
    pub storage_state: Option<StorageState>,
    /// The session is in a tab of the user's own browser, which is requested in this way.
    pub tab: Option<TabRequest>,
    /// The options that the caller gave explicitly, by name. A caller with other values gets an error instead of the
    /// open session.
    pub chosen: BTreeMap<String, String>,
}

struct Entry {
    runtime: Arc<Runtime>,
    options: PageOptions,
    /// `None` before the page is open and after it is closed.
    page: Arc<RwLock<Option<Page>>>,
    last_used: Mutex<Instant>,
}

/// A session in use, until the lease is dropped.
pub struct SessionLease {
    page: OwnedRwLockReadGuard<Option<Page>, Page>,
    entry: Arc<Entry>,
    replaced: bool,
}

impl SessionLease {
    /// Whether the session was opened again because its browser had ended.
    pub fn is_replacement(&self) -> bool {
        self.replaced
    }
}

impl Deref for SessionLease {
    type Target = Page;

    fn deref(&self) -> &Page {
        &self.page
    }
}

impl Drop for SessionLease {
    fn drop(&mut self) {
        self.entry.touch();
    }
}

impl Entry {
    fn new(runtime: &Arc<Runtime>, options: PageOptions, page: Option<Page>) -> Arc<Entry> {
        let page = Arc::new(RwLock::new(page));
        Arc::new(Entry { runtime: runtime.clone(), options, page, last_used: Mutex::new(Instant::now()) })
    }

    fn touch(&self) {
        *self.last_used.lock() = Instant::now();
    }

    /// A lease of the page, once it is open. `None` if it could not be opened or is closed.
    async fn lease(self: &Arc<Self>) -> Option<SessionLease> {
        self.touch();
        self.leased(self.page.clone().read_owned().await, false)
    }

    fn leased(self: &Arc<Self>, page: OwnedRwLockReadGuard<Option<Page>>, replaced: bool) -> Option<SessionLease> {
        let page = OwnedRwLockReadGuard::try_map(page, Option::as_ref).ok()?;
        Some(SessionLease { page, entry: self.clone(), replaced })
    }

    /// The time of the last use. `None` while the session is in use.
    fn unused_since(&self) -> Option<Instant> {
        self.page.try_write().is_ok().then(|| *self.last_used.lock())
    }

    /// Closes the page now or, if it is in use, when its last lease is dropped. Returns `None` if there is no page,
    /// otherwise what was still pending and may be lost.
    async fn close(&self) -> Option<Vec<String>> {
        let Ok(page) = self.page.clone().try_write_owned() else {
            let page = self.page.clone();
            tokio::spawn(async move { close(page.write_owned().await).await });
            return Some(Vec::new());
        };
        let pending = page.as_ref()?.flush().await;
        close(page).await;
        Some(pending)
    }
}

async fn close(mut page: OwnedRwLockWriteGuard<Option<Page>>) {
    if let Some(page) = page.take()
        && let Err(error) = page.close().await
    {
        tracing::warn!(%error, "a page could not be closed");
    }
}

impl SessionPool {
    /// An empty pool for at most `limit` sessions.
    pub fn new(limit: usize) -> SessionPool {
        SessionPool { limit, entries: Mutex::default() }
    }

    /// The session with this name, if it is open. Its browser may have ended.
    pub async fn lease(&self, name: &str) -> Option<SessionLease> {
        let entry = self.entries.lock().get(name).cloned()?;
        entry.lease().await
    }

    /// The session with this name, if it is open and its browser is alive.
    ///
    /// # Errors
    /// If it was opened with other options.
    pub async fn lease_with(
        &self,
        name: &str,
        chosen: &BTreeMap<String, String>,
    ) -> Result<Option<SessionLease>, SessionPoolError> {
        let Some(lease) = self.lease(name).await.filter(|lease| lease.is_alive()) else { return Ok(None) };
        lease.entry.options.check_options(chosen, name)?;
        Ok(Some(lease))
    }

    /// The session with this name. Opens it if it is not open, or if its browser has ended.
    ///
    /// # Errors
    /// If it cannot be opened, or is open with other options.
    pub async fn open(
        &self,
        name: &str,
        runtime: &Arc<Runtime>,
        options: &PageOptions,
    ) -> Result<SessionLease, SessionPoolError> {
        let mut replaced = false;
        loop {
            let (entry, evicted) = self.entry(name, runtime, options)?;
            if let Some(evicted) = evicted {
                evicted.close().await;
            }
            if let Some(lease) = entry.lease().await {
                if lease.is_alive() {
                    entry.options.check_options(&options.chosen, name)?;
                    return Ok(lease);
                }
                // A caller that still holds a lease gets an error from its next operation on the page.
                self.remove(name, &entry);
                replaced = true;
                continue;
            }
            let mut page = entry.page.clone().write_owned().await;
            // The previous holder of the lock may have closed the session, or failed to open it.
            if !self.has(name, &entry) {
                continue;
            }
            if page.is_none() {
                match open_page(runtime, options).await {
                    Ok(open) => *page = Some(open),
                    Err(error) => {
                        self.remove(name, &entry);
                        return Err(error);
                    }
                }
            }
            if let Some(lease) = entry.leased(page.downgrade(), replaced) {
                return Ok(lease);
            }
        }
    }

    /// Opens the session with this name again, whether or not it is open.
    ///
    /// # Errors
    /// If it cannot be opened. A session that was open then stays open.
    pub async fn reopen(
        &self,
        name: &str,
        runtime: &Arc<Runtime>,
        options: PageOptions,
    ) -> Result<SessionLease, SessionPoolError> {
        loop {
            let entry = Entry::new(runtime, options.clone(), Some(open_page(runtime, &options).await?));
            let closed = {
                let mut entries = self.entries.lock();
                let evicted = match entries.contains_key(name) {
                    true => None,
                    false => self.make_room(&mut entries, Instant::now())?,
                };
                [entries.insert(name.to_owned(), entry.clone()), evicted]
            };
            for closed in closed.into_iter().flatten() {
                closed.close().await;
            }
            if let Some(lease) = entry.lease().await {
                return Ok(lease);
            }
        }
    }

    /// The runtime and the options that an open session was opened with.
    pub fn options(&self, name: &str) -> Option<(Arc<Runtime>, PageOptions)> {
        let entries = self.entries.lock();
        entries.get(name).map(|entry| (entry.runtime.clone(), entry.options.clone()))
    }

    /// The names of all sessions.
    pub fn names(&self) -> Vec<String> {
        self.entries.lock().keys().cloned().collect()
    }

    /// Whether the pool is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.lock().is_empty()
    }

    /// Whether a session uses the browser of this runtime.
    pub fn uses(&self, runtime: &Arc<Runtime>) -> bool {
        self.entries.lock().values().any(|entry| Arc::ptr_eq(&entry.runtime, runtime))
    }

    /// Closes a session. Returns `None` if there is none, otherwise what was still pending and may be lost.
    pub async fn close(&self, name: &str) -> Option<Vec<String>> {
        let entry = self.entries.lock().remove(name)?;
        entry.close().await
    }

    /// Closes the session with this name, and those whose names start with it and a slash.
    pub async fn close_with_prefix(&self, name: &str) {
        let of_it =
            |other: &String| other.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        for name in self.names().into_iter().filter(of_it) {
            self.close(&name).await;
        }
    }

    /// Closes all sessions. Their browsers are closed by their runtimes.
    pub async fn close_all(&self) {
        for name in self.names() {
            self.close(&name).await;
        }
    }

    /// The entry with this name, which is added if there is none, and the entry that was evicted for it.
    fn entry(
        &self,
        name: &str,
        runtime: &Arc<Runtime>,
        options: &PageOptions,
    ) -> Result<(Arc<Entry>, Option<Arc<Entry>>), SessionPoolError> {
        let mut entries = self.entries.lock();
        if let Some(entry) = entries.get(name) {
            return Ok((entry.clone(), None));
        }
        let evicted = self.make_room(&mut entries, Instant::now())?;
        let entry = Entry::new(runtime, options.clone(), None);
        entries.insert(name.to_owned(), entry.clone());
        Ok((entry, evicted))
    }

    /// Removes the session that has been idle longest if the pool is full.
    fn make_room(
        &self,
        entries: &mut BTreeMap<String, Arc<Entry>>,
        now: Instant,
    ) -> Result<Option<Arc<Entry>>, SessionPoolError> {
        let open = entries.len();
        if open < self.limit {
            return Ok(None);
        }
        let since =
            |entry: &Arc<Entry>| entry.unused_since().filter(|since| now.saturating_duration_since(*since) > STALE);
        let oldest = entries.iter().filter_map(|(name, entry)| Some((since(entry)?, name.clone()))).min();
        let (_, name) = oldest.ok_or(SessionPoolError::Full { open })?;
        Ok(entries.remove(&name))
    }

    fn has(&self, name: &str, entry: &Arc<Entry>) -> bool {
        self.entries.lock().get(name).is_some_and(|known| Arc::ptr_eq(known, entry))
    }

    fn remove(&self, name: &str, entry: &Arc<Entry>) {
        if let btree_map::Entry::Occupied(known) = self.entries.lock().entry(name.to_owned())
            && Arc::ptr_eq(known.get(), entry)
        {
            known.remove();
        }
    }
}

impl PageOptions {
    fn check_options(&self, chosen: &BTreeMap<String, String>, name: &str) -> Result<(), SessionPoolError> {
        let differs = |(option, value): &(&String, &String)| self.chosen.get(*option) != Some(*value);
        let Some((option, _)) = chosen.iter().find(differs) else { return Ok(()) };
        let value = self.chosen.get(option).cloned();
        Err(SessionPoolError::OtherOptions { name: name.to_owned(), option: option.clone(), value })
    }
}

async fn open_page(runtime: &Arc<Runtime>, options: &PageOptions) -> Result<Page, SessionPoolError> {
    let PageOptions { secrets, values, site, settings, uploads, storage_state, tab, chosen: _ } = options.clone();
    let browser = match tab {
        Some(TabRequest { source, requester }) => Some(source.tab(&requester).await?),
        None => None,
    };
    let ask_secret = (!values.is_empty()).then(|| Box::new(move |name: &str| values.get(name).cloned()) as AskSecret);
    let request =
        PageRequest { secrets, ask_secret, site, storage_state, uploads, settings, browser, ..PageRequest::default() };
    Ok(runtime.open_page(request).await?)
}

/// The text for a closed session, with what may be lost.
pub fn closed(what: &str, pending: &[String]) -> String {
    if pending.is_empty() {
        return format!("closed {what}");
    }
    format!("closed {what}; this work was pending and may be lost: {}", pending.join("; "))
}

#[cfg(test)]
mod tests {
    use legwork::settings::Sources;

    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    async fn runtime(folder: &tempfile::TempDir) -> Arc<Runtime> {
        let flags = vec![("data_dir".to_owned(), folder.path().display().to_string())];
        let settings = Settings::load(&Sources { flags, ..Sources::default() }).unwrap();
        Arc::new(Runtime::open(settings).await.unwrap())
    }

    /// A pool of entries without pages, with these names and times of last use.
    fn pool(limit: usize, runtime: &Arc<Runtime>, used: &[(&str, Instant)]) -> SessionPool {
        let pool = SessionPool::new(limit);
        for (name, at) in used {
            let (entry, _) = pool.entry(name, runtime, &PageOptions::default()).unwrap();
            *entry.last_used.lock() = *at;
        }
        pool
    }

    #[tokio::test]
    async fn make_room_evicts_the_session_that_was_idle_longest() {
        let folder = tempfile::tempdir().unwrap();
        let (runtime, begin) = (runtime(&folder).await, Instant::now());
        let pool = pool(2, &runtime, &[("a", begin + MINUTE), ("b", begin)]);
        let room = |at| pool.make_room(&mut pool.entries.lock(), at).map(|evicted| evicted.is_some());
        assert!(matches!(room(begin + 10 * MINUTE), Err(SessionPoolError::Full { open: 2 })), "not yet stale");
        assert!(room(begin + 12 * MINUTE).unwrap());
        assert_eq!(pool.names(), ["a"]);
        assert!(!room(begin + 12 * MINUTE).unwrap(), "there is room");
    }

    #[tokio::test]
    async fn make_room_does_not_evict_a_leased_session() {
        let folder = tempfile::tempdir().unwrap();
        let (runtime, begin) = (runtime(&folder).await, Instant::now());
        let pool = pool(1, &runtime, &[("a", begin)]);
        let (entry, _) = pool.entry("a", &runtime, &PageOptions::default()).unwrap();
        let in_use = entry.page.clone().read_owned().await;
        let room = || pool.make_room(&mut pool.entries.lock(), begin + 60 * MINUTE);
        assert!(matches!(room(), Err(SessionPoolError::Full { open: 1 })));
        drop(in_use);
        assert!(room().unwrap().is_some());
    }

    #[tokio::test]
    async fn remove_keeps_a_newer_entry_of_the_same_name() {
        let folder = tempfile::tempdir().unwrap();
        let runtime = runtime(&folder).await;
        let pool = pool(1, &runtime, &[("a", Instant::now())]);
        let (old, _) = pool.entry("a", &runtime, &PageOptions::default()).unwrap();
        pool.close("a").await;
        assert!(pool.is_empty() && !pool.uses(&runtime));
        pool.entry("a", &runtime, &PageOptions::default()).unwrap();
        pool.remove("a", &old);
        assert!(!pool.has("a", &old) && pool.names() == ["a"] && pool.uses(&runtime));
    }

    #[test]
    fn different_options_are_an_error_that_names_the_first_difference() {
        let chosen = |chosen: &[(&str, &str)]| -> BTreeMap<String, String> {
            chosen.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        let open = PageOptions { chosen: chosen(&[("viewport", "1x1")]), ..PageOptions::default() };
        assert!(open.check_options(&chosen(&[]), "a").is_ok(), "a caller without options gets the open session");
        assert!(open.check_options(&open.chosen, "a").is_ok());
        let differs = |others| open.check_options(&chosen(others), "a").unwrap_err().to_string();
        assert_eq!(differs(&[("viewport", "2x2")]), "session a was opened with other options (viewport: \"1x1\")");
        assert_eq!(differs(&[("headed", "true")]), "session a was opened with other options (headed: not given)");
    }
}
