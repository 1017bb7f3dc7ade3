//! A page that somebody drives by hand: an agent of another maker, a person at a terminal, a program.
//!
//! A [`Page`] is a browser context with its tabs, kept open between calls. It is looked at and acted upon one action at a
//! time, under the same rules as a run: addresses, secrets, folders for uploads. It remembers what its holder saw last, so
//! that an action can be answered with the difference. Steps in plain words and whole tasks are runs like any other, with a
//! journal, only that they work on this page and leave it open.

mod look;
mod work;

use std::{path::PathBuf, sync::Arc, time::Duration};

use legwork_browser::{Browser, BrowserError, Session, StorageState};
use legwork_observe::Snapshot;
use legwork_protocol::{Action, ActionResult, RunId};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;
use url::Url;

pub use look::{ActOutcome, is_unchanged};
pub use work::PageTask;

use crate::{AskSecret, Error, Runtime, compose, guard::RunGuard, settings::Settings, vault::SecretSpec};

/// How a page is set up.
#[derive(Default)]
pub struct PageRequest {
    /// Its secrets: where from, where to. Those without an origin of their own may be typed only into `site`.
    pub secrets: Vec<SecretSpec>,
    /// Asks a person for a secret by its name.
    pub ask_secret: Option<AskSecret>,
    /// Where secrets without an origin of their own go.
    pub site: Option<Url>,
    /// Cookies and storage to begin with.
    pub storage_state: Option<StorageState>,
    /// Folders whose files may be uploaded.
    pub uploads: Vec<PathBuf>,
    /// The page's own settings in place of the runtime's. What is shared by all (data folder, browser) stays.
    pub settings: Option<Settings>,
}

/// A page driven by hand. Calls wait for each other; dropped, its tabs are closed.
pub struct Page {
    runtime: Arc<Runtime>,
    /// Holds the browser's process as long as the page is open.
    browser: Arc<Browser>,
    session: Arc<Session>,
    guard: Arc<RunGuard>,
    settings: Settings,
    secrets: Vec<SecretSpec>,
    uploads: Vec<PathBuf>,
    /// One at a time; in it, what the holder saw last.
    turn: Mutex<Option<Arc<Snapshot>>>,
}

impl Runtime {
    /// Opens a page, blank as yet, in a context of its own; starts the browser when none runs.
    ///
    /// # Errors
    /// When its secrets cannot be had, or the browser does not start.
    pub async fn open_page(self: &Arc<Self>, request: PageRequest) -> Result<Page, Error> {
        let settings = request.settings.unwrap_or_else(|| self.settings().clone());
        let (guard, warnings) = self.guard(&settings, &request.secrets, request.site.as_ref(), request.ask_secret)?;
        for warning in warnings {
            tracing::warn!("{warning}");
        }
        let mut options =
            compose::session(&settings, guard.clone(), RunId::new(), request.uploads.clone(), request.storage_state);
        options.intercept_file_choosers = true;
        options.record_network = true;
        let browser = self.browser().await.map_err(Error::Browser)?;
        let opened = browser.session(options).await.map_err(|error| Error::Browser(Arc::new(error)))?;
        Ok(Page {
            runtime: self.clone(),
            browser,
            session: Arc::new(opened),
            guard,
            settings,
            secrets: request.secrets,
            uploads: request.uploads,
            turn: Mutex::new(None),
        })
    }
}

impl Page {
    /// Carries out one action, waits until the page is at rest, and tells what it did. What failed is a value.
    /// `extract`, `look`, `find`, `ask`, `done` and `abort` are not the browser's: see [`Page::find`], [`Page::start`].
    pub async fn act(&self, action: &Action, cancel: &CancellationToken) -> ActionResult {
        let _turn = self.turn.lock().await;
        self.session.act(action, cancel).await
    }

    /// The session below: tabs, pictures, cookies, scripts. What is done with it does not wait for other calls.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Whether its browser still answers, as far as is known without asking.
    pub fn is_alive(&self) -> bool {
        self.browser.is_alive()
    }

    /// The longest that a page may take to load, by its settings.
    pub fn patience(&self) -> Duration {
        self.settings.timeouts.request
    }

    /// Waits until what its actions set off would survive a close, as long as `timeouts.flush` says, and answers with what was
    /// still pending then; with nothing when nothing was.
    pub async fn flush(&self) -> Vec<String> {
        let _turn = self.turn.lock().await;
        self.session.flush().await
    }

    /// Waits for what its actions set off, unless [`Page::flush`] did so; closes its tabs and throws its cookies and storage
    /// away.
    ///
    /// # Errors
    /// When the browser does not do it.
    pub async fn close(self) -> Result<(), BrowserError> {
        match Arc::into_inner(self.session) {
            Some(session) => session.close().await,
            // A run still works on it; it goes with the last holder.
            None => Ok(()),
        }
    }
}
