//! Where a run sits in a browser: a session that is opened when it is first needed, put back where a resumed run left it; or
//! one that somebody else has open and lends.

use std::sync::Arc;

use legwork_browser::{BrowserError, Session, SessionOptions};
use legwork_protocol::{Action, Open};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::{browsers::Coming, live::LiveView, restore::SavedState};

/// A run's place in a browser.
pub(crate) struct RunSession {
    /// How a session is had; none when it was lent, or is closed for good.
    opening: Option<Opening>,
    session: Option<Arc<Session>>,
    notices: Vec<String>,
    live: Arc<LiveView>,
    /// Shows the session to whoever watches.
    shown: Option<JoinHandle<()>>,
}

struct Opening {
    browser: Coming,
    options: SessionOptions,
    restore: Option<SavedState>,
}

impl RunSession {
    pub(crate) fn new(
        browser: Coming,
        options: SessionOptions,
        restore: Option<SavedState>,
        live: Arc<LiveView>,
    ) -> Self {
        let opening = Some(Opening { browser, options, restore });
        RunSession { opening, session: None, notices: Vec::new(), live, shown: None }
    }

    /// On a session that somebody else has open, and keeps open.
    pub(crate) fn borrowed(session: Arc<Session>, live: Arc<LiveView>) -> Self {
        let shown = Some(show(&live, &session));
        RunSession { opening: None, session: Some(session), notices: Vec::new(), live, shown }
    }

    /// The session, opened now if it was not yet.
    pub(crate) async fn session(&mut self) -> Result<&Arc<Session>, Arc<BrowserError>> {
        if self.session.is_none() {
            let opening = self.opening.as_mut().expect("nothing is wanted of a seat that was closed");
            let browser = opening.browser.clone().await?;
            self.notices.extend(browser.notices().iter().cloned());
            let session = Arc::new(browser.session(opening.options.clone()).await.map_err(Arc::new)?);
            if let Some(saved) = opening.restore.take() {
                self.notices.extend(put_back(&session, &saved).await);
            }
            self.shown = Some(show(&self.live, &session));
            self.session = Some(session);
        }
        Ok(self.session.as_ref().expect("it was opened above"))
    }

    /// The session, if one is open.
    pub(crate) fn open(&self) -> Option<&Arc<Session>> {
        self.session.as_ref()
    }

    /// What there is to warn of; each only once.
    pub(crate) fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Waits until what the run set off would survive the close of its session; answers with what is still pending then. A
    /// session that was lent stays open, and nothing is waited for.
    pub(crate) async fn flush(&self) -> Vec<String> {
        match (&self.opening, &self.session) {
            (Some(_), Some(session)) => session.flush().await,
            _ => Vec::new(),
        }
    }

    /// Closes the session, if it is the run's own.
    pub(crate) async fn close(&mut self) {
        let own = self.opening.take().is_some();
        if let Some(shown) = self.shown.take() {
            shown.abort();
            // It holds the session until it has ended.
            let _ = shown.await;
        }
        // Whoever still holds it, a picture being taken, lets it go when the context is gone with the browser.
        if let Some(session) = self.session.take().filter(|_| own).and_then(Arc::into_inner)
            && let Err(error) = session.close().await
        {
            tracing::warn!(%error, "the session could not be closed");
        }
    }
}

/// Shows a session to whoever watches.
fn show(live: &Arc<LiveView>, session: &Arc<Session>) -> JoinHandle<()> {
    let (live, watched) = (live.clone(), session.clone());
    tokio::spawn(async move { live.show(&watched).await })
}

/// Opens the page again. When that does not work it is told, and the run goes on from where it can.
async fn put_back(session: &Session, saved: &SavedState) -> Option<String> {
    if !saved.url.starts_with("http") {
        return None;
    }
    let opened = session.act(&Action::Open(Open { url: saved.url.clone() }), &CancellationToken::new()).await;
    opened.failure.map(|failure| format!("the page of the earlier run could not be opened again: {failure}"))
}
