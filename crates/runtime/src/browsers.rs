//! The one browser that all runs of a runtime share, each in a context of its own: eight sessions in one browser start in
//! less than half the time, and half the memory, of eight browsers. It is started when the first run begins and again when
//! it is found dead.

use std::sync::Arc;

use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared},
};
use legwork_browser::{Browser, BrowserError, LaunchOptions, reap_orphans};
use parking_lot::Mutex;

/// How a browser is had.
#[derive(Clone, Debug)]
pub(crate) enum How {
    /// Start one.
    Launch(LaunchOptions),
    /// Join one that runs at this address.
    Connect(String),
}

/// A browser that is there or on its way; every waiter gets the same one.
pub(crate) type Coming = Shared<BoxFuture<'static, Result<Arc<Browser>, Arc<BrowserError>>>>;

/// The shared browser.
pub(crate) struct Browsers {
    how: How,
    current: Mutex<Option<Coming>>,
}

impl Browsers {
    pub(crate) fn new(how: How) -> Self {
        Browsers { how, current: Mutex::new(None) }
    }

    /// The browser; begins at once to start it when there is none that lives.
    pub(crate) fn get(&self) -> Coming {
        let mut current = self.current.lock();
        if let Some(coming) = current.as_ref()
            && coming.peek().is_none_or(|there| there.as_ref().is_ok_and(|browser| browser.is_alive()))
        {
            return coming.clone();
        }
        let coming = start(self.how.clone());
        *current = Some(coming.clone());
        coming
    }

    /// Closes the browser if one was started, waiting for one that is on its way so that none is left behind.
    pub(crate) async fn close(&self) {
        let coming = self.current.lock().take();
        if let Some(coming) = coming
            && let Ok(browser) = coming.await
        {
            browser.close().await;
        }
    }
}

fn start(how: How) -> Coming {
    let task = tokio::spawn(async move {
        match how {
            How::Launch(options) => {
                // What was left by one whose guardian was killed as well, or by a machine that went down.
                tokio::task::spawn_blocking(|| reap_orphans(&std::env::temp_dir()));
                Browser::launch(options).await
            }
            How::Connect(url) => Browser::connect(&url).await,
        }
    });
    async move {
        match task.await {
            Ok(started) => started.map(Arc::new).map_err(Arc::new),
            Err(panic) => Err(Arc::new(BrowserError::Protocol { reason: format!("starting it went wrong: {panic}") })),
        }
    }
    .boxed()
    .shared()
}
