//! Looks at pages before a run does: what a page asks is known only once it has been loaded. It has a browser of its own,
//! so that nothing of it is left where the run will be.

use legwork::protocol::{Action, Open};
use legwork_browser::{Browser, LaunchOptions, SessionOptions};
use tokio_util::sync::CancellationToken;

use crate::EvalError;

/// A browser for looking at pages.
pub(crate) struct Scout {
    browser: Browser,
}

impl Scout {
    pub(crate) async fn start() -> Result<Scout, EvalError> {
        let executable = std::env::var_os("LEGWORK_BROWSER_PATH").map(Into::into);
        let options = LaunchOptions { executable, ..LaunchOptions::default() };
        // On a machine that has just built all this, a first start can take longer than a start may.
        let browser = match Browser::launch(options.clone()).await {
            Ok(browser) => browser,
            Err(_) => Browser::launch(options).await?,
        };
        Ok(Scout { browser })
    }

    /// Opens a page in a context of its own, waits until it is at rest, and leaves it.
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
