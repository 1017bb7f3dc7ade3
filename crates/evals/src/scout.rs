//! Loads pages before a run does, because the task of a page is known only after it has been loaded. Uses a separate
//! browser, so that nothing of the first load remains in the browser of the run.

use legwork::protocol::{Action, Open};
use legwork_browser::{Browser, LaunchOptions, SessionOptions};
use tokio_util::sync::CancellationToken;

use crate::EvalError;

/// A browser for the first load of pages.
pub(crate) struct Scout {
    browser: Browser,
}

impl Scout {
    pub(crate) async fn start() -> Result<Scout, EvalError> {
        let executable = std::env::var_os("LEGWORK_BROWSER_PATH").map(Into::into);
        let options = LaunchOptions { executable, ..LaunchOptions::default() };
        // On a machine that has just built the workspace, the first start can exceed the start timeout, so it is
        // tried twice.
        let browser = match Browser::launch(options.clone()).await {
            Ok(browser) => browser,
            Err(_) => Browser::launch(options).await?,
        };
        Ok(Scout { browser })
    }

    /// Opens a page in a new context, waits until it has settled, and closes it.
    pub(crate) async fn visit(&self, url: &str) -> Result<(), EvalError> {
        let session = self.browser.session(SessionOptions::new(std::env::temp_dir().join("legwork-evals"))).await?;
        let opened = session.act(&Action::Open(Open { url: url.to_owned() }), &CancellationToken::new()).await;
        session.close().await?;
        opened.failure.map_or(Ok(()), |failure| Err(EvalError::Visit(url.to_owned(), failure)))
    }

    pub(crate) async fn close(self) {
        self.browser.close().await;
    }
}
