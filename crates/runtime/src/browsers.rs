//! The one browser that all runs of a runtime share, each in its own context. Eight sessions in one browser start in
//! less than half the time of eight browsers and use less than half the memory. The browser starts with the first run,
//! and again if it is found to be dead.

use std::sync::Arc;

use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared},
};
use legwork_browser::{Browser, BrowserError, Engine, LaunchOptions, RelayLink, reap_orphans};
use parking_lot::Mutex;

/// How a browser is obtained.
#[derive(Clone, Debug)]
pub(crate) enum BrowserSource {
    /// Start a new one.
    Launch(LaunchOptions),
    /// Connect to a browser with this engine at this address.
    Connect(Engine, String),
}

/// A browser that is running or starting. Every waiter receives the same one.
pub(crate) type PendingBrowser = Shared<BoxFuture<'static, Result<Arc<Browser>, Arc<BrowserError>>>>;

/// The shared browser.
pub(crate) struct Browsers {
    source: BrowserSource,
    current: Mutex<Option<PendingBrowser>>,
}

impl Browsers {
    pub(crate) fn new(source: BrowserSource) -> Self {
        Browsers { source, current: Mutex::new(None) }
    }

    /// The same browsers for sessions that all have a proxy, so that the browser itself needs no network.
    pub(crate) fn restricted(self) -> Self {
        let source = match self.source {
            BrowserSource::Launch(options) => BrowserSource::Launch(LaunchOptions { restricted: true, ..options }),
            connect @ BrowserSource::Connect(..) => connect,
        };
        Browsers { source, ..self }
    }

    /// The browser. Starts one at once if none is alive.
    pub(crate) fn get(&self) -> PendingBrowser {
        let mut current = self.current.lock();
        if let Some(pending) = current.as_ref()
            && pending.peek().is_none_or(|there| there.as_ref().is_ok_and(|browser| browser.is_alive()))
        {
            return pending.clone();
        }
        let pending = start(self.source.clone());
        *current = Some(pending.clone());
        pending
    }

    /// Closes the browser if one was started. Waits for a browser that is still starting, so that none is left running.
    pub(crate) async fn close(&self) {
        let pending = self.current.lock().take();
        if let Some(pending) = pending
            && let Ok(browser) = pending.await
        {
            browser.close().await;
        }
    }
}

/// The user's own browser, of which an extension relays a tab. A run works in this tab instead of a browser of the
/// runtime.
#[derive(Clone)]
pub struct RelayedBrowser(Arc<Browser>);

impl RelayedBrowser {
    /// Begins to relay.
    ///
    /// # Errors
    /// If the extension refuses the tab, or its connection ends.
    pub async fn connect(link: RelayLink) -> Result<RelayedBrowser, BrowserError> {
        Ok(RelayedBrowser(Arc::new(Browser::relayed(link).await?)))
    }

    /// Whether the extension is connected, as far as is known without a request to it.
    pub fn is_alive(&self) -> bool {
        self.0.is_alive()
    }

    pub(crate) fn pending(self) -> PendingBrowser {
        futures_util::future::ready(Ok(self.0)).boxed().shared()
    }
}

fn start(source: BrowserSource) -> PendingBrowser {
    let task = tokio::spawn(async move {
        match source {
            BrowserSource::Launch(options) => {
                // Removes what is left of browsers whose reaper was killed too, or that ran when the machine went down.
                tokio::task::spawn_blocking(|| reap_orphans(&std::env::temp_dir()));
                Browser::launch(options).await
            }
            BrowserSource::Connect(engine, url) => Browser::connect(engine, &url).await,
        }
    });
    async move {
        match task.await {
            Ok(started) => started.map(Arc::new).map_err(Arc::new),
            Err(panic) => Err(Arc::new(BrowserError::Protocol { reason: format!("it could not be started: {panic}") })),
        }
    }
    .boxed()
    .shared()
}
