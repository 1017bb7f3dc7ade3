//! The browser session of a run. It is opened when it is first needed, with the state that a resumed run left; or it is
//! a session that its owner has open and lends to the run.

use std::sync::Arc;

use legwork_browser::{BrowserError, Session, SessionOptions};
use legwork_protocol::{Action, Open};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::{browsers::PendingBrowser, live::LiveView, restore::SavedState};

/// The browser session of a run.
pub(crate) struct RunSession {
    /// How to open the session; `None` if it is borrowed, or closed for good.
    opening: Option<PendingOpen>,
    session: Option<Arc<Session>>,
    notices: Vec<String>,
    live: Arc<LiveView>,
    /// The task that sends frames to viewers.
    shown: Option<JoinHandle<()>>,
}

struct PendingOpen {
    browser: PendingBrowser,
    options: SessionOptions,
    restore: Option<SavedState>,
}

impl RunSession {
    pub(crate) fn new(
        browser: PendingBrowser,
        options: SessionOptions,
        restore: Option<SavedState>,
        live: Arc<LiveView>,
    ) -> Self {
        let opening = Some(PendingOpen { browser, options, restore });
        RunSession { opening, session: None, notices: Vec::new(), live, shown: None }
    }

    /// No session, for a run that is over before it begins.
    pub(crate) fn closed(live: Arc<LiveView>) -> Self {
        RunSession { opening: None, session: None, notices: Vec::new(), live, shown: None }
    }

    /// A session that its owner keeps open.
    pub(crate) fn borrowed(session: Arc<Session>, live: Arc<LiveView>) -> Self {
        let shown = Some(show(&live, &session));
        RunSession { opening: None, session: Some(session), notices: Vec::new(), live, shown }
    }

    /// The session; opens it if it is not open yet.
    pub(crate) async fn session(&mut self) -> Result<&Arc<Session>, Arc<BrowserError>> {
        if self.session.is_none() {
            let opening = self.opening.as_mut().expect("the session is not requested after `close`");
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

    /// The session, if it is open.
    pub(crate) fn open(&self) -> Option<&Arc<Session>> {
        self.session.as_ref()
    }

    /// The warnings since the last call.
    pub(crate) fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Waits until the effects of the run would survive a close of its session, and returns what is still pending then.
    /// A borrowed session stays open, so nothing is waited for.
    pub(crate) async fn flush(&self) -> Vec<String> {
        match (&self.opening, &self.session) {
            (Some(_), Some(session)) => session.flush().await,
            _ => Vec::new(),
        }
    }

    /// Closes the session if it belongs to the run.
    pub(crate) async fn close(&mut self) {
        let own = self.opening.take().is_some();
        if let Some(shown) = self.shown.take() {
            shown.abort();
            // The task owns a reference to the session until it has ended.
            let _ = shown.await;
        }
        // A screenshot in progress may still own the session. It drops it when the context closes with the browser.
        if let Some(session) = self.session.take().filter(|_| own).and_then(Arc::into_inner)
            && let Err(error) = session.close().await
        {
            tracing::warn!(%error, "the session could not be closed");
        }
    }
}

/// Sends the frames of a session to viewers.
fn show(live: &Arc<LiveView>, session: &Arc<Session>) -> JoinHandle<()> {
    let (live, watched) = (live.clone(), session.clone());
    tokio::spawn(async move { live.show(&watched).await })
}

/// Opens the page again. If that fails, it returns a warning, and the run continues with the page that is open.
async fn put_back(session: &Session, saved: &SavedState) -> Option<String> {
    if !saved.url.starts_with("http") {
        return None;
    }
    let opened = session.act(&Action::Open(Open { url: saved.url.clone() }), &CancellationToken::new()).await;
    opened.failure.map(|failure| format!("the page of the earlier run could not be opened again: {failure}"))
}
