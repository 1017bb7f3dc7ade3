//! A page that its caller controls action by action: another agent, a person at a terminal, or a program.
//!
//! A [`Page`] is a browser context with its tabs, which stays open between calls. The caller observes it and executes
//! one action at a time, under the same rules as a run: addresses, secrets, folders for uploads. The page remembers
//! what the caller saw last, so that an action can return the difference. Steps in plain language and whole tasks are
//! runs like any other, with a journal, except that they work on this page and leave it open.

mod look;
mod permission;
mod storage;
mod work;

use std::{path::PathBuf, sync::Arc, time::Instant};

use legwork_browser::{Browser, BrowserError, Session, StorageState};
use legwork_observe::Snapshot;
use legwork_protocol::{Action, ActionResult, RunId};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;
use url::Url;

pub use legwork_agent::{RefusedChange, refused_change};
pub use look::{ActOutcome, is_unchanged};
pub use work::PageTask;

use crate::{
    AskSecret, Error, RelayedBrowser, Runtime, compose,
    guard::RunGuard,
    guard_setup::GuardSetup,
    run_policy::RunPolicy,
    secrets::{HiddenValues, SecretSpec},
    settings::Settings,
};

/// The options of a page.
#[derive(Default)]
pub struct PageRequest {
    /// Its secrets: their sources and the origins they may be typed into. A secret without an origin may be typed only
    /// into `site`.
    pub secrets: Vec<SecretSpec>,
    /// Asks a person for the secret with a name.
    pub ask_secret: Option<AskSecret>,
    /// The origin for secrets without an origin of their own.
    pub site: Option<Url>,
    /// Initial cookies and storage.
    pub storage_state: Option<StorageState>,
    /// Folders from which files may be uploaded.
    pub uploads: Vec<PathBuf>,
    /// Whether the inputs of a person are reported ([`Session::next_user_event`]). File choosers and dialogs are then
    /// left to the person.
    pub reports_input: bool,
    /// The user's own browser, in whose assigned tab the page is, instead of the browser of the runtime.
    pub browser: Option<RelayedBrowser>,
    /// The page's own settings instead of the runtime's. Settings of shared parts (data folder, browser) have no
    /// effect.
    pub settings: Option<Settings>,
}

/// A page that its caller controls. Calls are executed one after the other. Dropping the page closes its tabs.
pub struct Page {
    runtime: Arc<Runtime>,
    /// Keeps the browser process running as long as the page is open.
    browser: Arc<Browser>,
    session: Arc<Session>,
    guard: Arc<RunGuard>,
    settings: Settings,
    secrets: Vec<SecretSpec>,
    uploads: Vec<PathBuf>,
    policy: parking_lot::Mutex<RunPolicy>,
    /// Permits one call at a time. It contains the last snapshot that the caller saw.
    last_seen: Mutex<Option<Arc<Snapshot>>>,
}

impl Runtime {
    /// Opens a blank page in its own context, or the page of an assigned tab. Starts the browser if none is running.
    ///
    /// # Errors
    /// If a secret cannot be obtained, or the browser does not start.
    pub async fn open_page(self: &Arc<Self>, request: PageRequest) -> Result<Page, Error> {
        let settings = request.settings.unwrap_or_else(|| Settings::clone(&self.settings()));
        let (site, hidden) = (request.site.as_ref(), HiddenValues::default());
        let GuardSetup { guard, warnings } =
            self.guard(&settings, &request.secrets, site, request.ask_secret, hidden)?;
        for warning in warnings {
            tracing::warn!("{warning}");
        }
        let mut options =
            compose::session(&settings, guard.clone(), RunId::new(), request.uploads.clone(), request.storage_state);
        options.intercept_file_choosers = !request.reports_input;
        options.record_network = !request.reports_input;
        options.reports_input = request.reports_input;
        let browser = match request.browser {
            Some(relayed) => relayed.pending().await,
            None => self.browser().await,
        };
        let browser = browser.map_err(Error::Browser)?;
        let opened = browser.session(options).await.map_err(|error| Error::Browser(Arc::new(error)))?;
        Ok(Page {
            runtime: self.clone(),
            browser,
            session: Arc::new(opened),
            guard,
            policy: parking_lot::Mutex::new(permission::page_policy(&settings)),
            settings,
            secrets: request.secrets,
            uploads: request.uploads,
            last_seen: Mutex::new(None),
        })
    }
}

impl Page {
    /// Executes one action, waits until the page has settled, and returns the result. A failure is a value in the
    /// result. The browser does not execute `extract`, `look`, `find`, `ask`, `done` and `abort`: see [`Page::find`]
    /// and [`Page::start`].
    pub async fn act(&self, action: &Action, cancel: &CancellationToken) -> ActionResult {
        let _guard = self.last_seen.lock().await;
        self.perform(action, cancel).await
    }

    /// Executes an action that the policy permits.
    async fn perform(&self, action: &Action, cancel: &CancellationToken) -> ActionResult {
        let begun = Instant::now();
        if let Err(failure) = self.permit(action).await {
            return ActionResult { url: self.session.url(), ..ActionResult::failed(failure, begun.elapsed()) };
        }
        let result = self.session.act(action, cancel).await;
        self.note_result(action, &result);
        result
    }

    /// The underlying session: tabs, screenshots, cookies, scripts. Calls on it do not wait for other calls of the
    /// page, and the policy does not decide about them.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Whether its browser is alive, as far as is known without a request to it.
    pub fn is_alive(&self) -> bool {
        self.browser.is_alive()
    }

    /// Waits until the effects of its actions would survive a close, for at most `timeouts.flush`. Returns what is
    /// still pending then.
    pub async fn flush(&self) -> Vec<String> {
        let _guard = self.last_seen.lock().await;
        self.session.flush().await
    }

    /// Waits for the effects of its actions, unless [`Page::flush`] did so, closes its tabs and deletes its cookies and
    /// storage.
    ///
    /// # Errors
    /// If the browser fails to do so.
    /// When the browser does not do it.
    pub async fn close(self) -> Result<(), BrowserError> {
        match Arc::into_inner(self.session) {
            Some(session) => session.close().await,
            // A run is still working on the session. The session closes when its last owner drops it.
            None => Ok(()),
        }
    }
}
