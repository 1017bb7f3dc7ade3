//! Where a run sits in a browser: a session that is opened when it is first needed, put back where a resumed run left it.

use std::sync::Arc;

use legwork_browser::{BrowserError, Session, SessionOptions};
use legwork_protocol::{Action, Open};
use tokio_util::sync::CancellationToken;

use crate::{browsers::Coming, restore::SavedState};

/// A run's place in a browser.
pub(crate) struct Seat {
    browser: Coming,
    options: Option<SessionOptions>,
    restore: Option<SavedState>,
    session: Option<Session>,
    notices: Vec<String>,
}

impl Seat {
    pub(crate) fn new(browser: Coming, options: SessionOptions, restore: Option<SavedState>) -> Self {
        Seat { browser, options: Some(options), restore, session: None, notices: Vec::new() }
    }

    /// The session, opened now if it was not yet.
    pub(crate) async fn session(&mut self) -> Result<&Session, Arc<BrowserError>> {
        if self.session.is_none() {
            let browser = self.browser.clone().await?;
            self.notices.extend(browser.notices().iter().cloned());
            let options = self.options.clone().expect("options are there until the session is closed");
            let session = browser.session(options).await.map_err(Arc::new)?;
            if let Some(saved) = self.restore.take() {
                self.notices.extend(put_back(&session, &saved).await);
            }
            self.session = Some(session);
        }
        Ok(self.session.as_ref().expect("it was opened above"))
    }

    /// The session, if one is open.
    pub(crate) fn open(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    /// What there is to warn of; each only once.
    pub(crate) fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Closes the session.
    pub(crate) async fn close(&mut self) {
        self.options = None;
        if let Some(session) = self.session.take() {
            session.close().await;
        }
    }
}

/// Opens the page again and fills in what had been filled in. What does not work is told, not fatal.
async fn put_back(session: &Session, saved: &SavedState) -> Vec<String> {
    let cancel = CancellationToken::new();
    let mut notices = Vec::new();
    if !saved.url.starts_with("http") {
        return notices;
    }
    let opened = session.act(&Action::Open(Open { url: saved.url.clone() }), &cancel).await;
    if let Some(failure) = opened.failure {
        notices.push(format!("the page of the earlier run could not be opened again: {failure}"));
        return notices;
    }
    for action in &saved.fields {
        if let Some(failure) = session.act(action, &cancel).await.failure {
            notices.push(format!("a field could not be filled in again as it was: {failure}"));
        }
    }
    notices
}
