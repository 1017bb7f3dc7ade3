//! A session: a browser context with its tabs, which is observed and carries out actions.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use legwork_protocol::{ActionFailure, TabInfo};
use tokio::time::Instant;

use crate::{
    BrowserError, Capability, Support,
    driver::{DriverError, SessionId},
    evaluate_error::dialog_open,
    options::ANSWER,
    page_script as script,
    refs::SessionRefs,
    session_dispatcher::SessionDispatcher,
    session_inner::SessionInner,
    state::SessionState,
};

/// The most characters of readable text per frame.
const READABLE: usize = 2_000_000;

/// A browser context with its tabs. Dropping it closes the tabs without waiting; [`Session::close`] waits.
pub struct Session {
    pub(crate) inner: Arc<SessionInner>,
    pub(crate) refs: SessionRefs,
    routes: Arc<SessionDispatcher>,
    closed: AtomicBool,
}

impl Session {
    pub(crate) fn begin(inner: Arc<SessionInner>, routes: Arc<SessionDispatcher>) -> Self {
        Session { inner, refs: SessionRefs::default(), routes, closed: AtomicBool::new(false) }
    }

    /// Opens a tab, which becomes the current one.
    pub(crate) async fn open_tab(&self, url: &str) -> Result<u32, BrowserError> {
        let created = self.inner.driver.open_tab(self.inner.context.as_deref(), url).within(ANSWER).await?;
        let opened = self.inner.within(ANSWER, |state| {
            let tab = state.tabs.by_target(&created)?;
            tab.frames().has_main_world().then(|| tab.number())
        });
        let number =
            opened.await.ok_or_else(|| BrowserError::Protocol { reason: "a new tab did not come up".to_owned() })?;
        let mut state = self.inner.state();
        if number > 1 {
            state.claim(number);
        } else {
            state.tabs.adopt(number);
        }
        Ok(number)
    }

    /// Attaches to the tab of the user's own browser, which becomes the current one.
    pub(crate) async fn attach_assigned_tab(&self) -> Result<(), BrowserError> {
        let wire_session = match self.inner.driver.attach_assigned_tab().within(ANSWER).await {
            Err(DriverError::Refused(reason)) => {
                // Without the name of the command that was refused.
                let reason = reason.split_once(": ").map_or(reason.as_str(), |(_, reason)| reason).to_owned();
                return Err(BrowserError::TabRefused { reason });
            }
            attached => attached?,
        };
        let attached = self.inner.within(ANSWER, |state| {
            let tab = state.tabs.by_session(&wire_session)?;
            tab.frames().has_main_world().then(|| tab.number())
        });
        let number = attached.await.ok_or_else(|| {
            // A page that is busy or shows a dialog runs no script.
            BrowserError::TabRefused { reason: "its page does not respond; reload it or close its dialog".to_owned() }
        })?;
        self.inner.state().tabs.adopt(number);
        Ok(())
    }

    /// Fails if the browser does not have a capability.
    pub(crate) fn require(&self, capability: Capability) -> Result<(), ActionFailure> {
        match self.inner.driver.capabilities().support(capability) {
            Support::Missing(reason) => {
                let (what, reason) =
                    (capability.title().to_lowercase(), format!("{reason}; docs/engines.md compares the engines"));
                Err(ActionFailure::NotAvailable { what, reason })
            }
            Support::Full | Support::Different(_) => Ok(()),
        }
    }

    /// The address of the current tab, secrets masked; empty when no tab is open.
    pub fn url(&self) -> String {
        let mut url = self.inner.state().tabs.current().map(|tab| tab.url().to_owned()).unwrap_or_default();
        self.inner.guard().mask(&mut url);
        url
    }

    /// The open tabs.
    pub fn tabs(&self) -> Vec<TabInfo> {
        self.inner.tab_list()
    }

    /// The HTML of the current page, secrets masked.
    ///
    /// # Errors
    /// If the page cannot be read.
    pub async fn html(&self) -> Result<String, ActionFailure> {
        let tab = self.inner.current_tab()?;
        let frame = self.inner.main_frame(tab).ok_or(ActionFailure::Crashed)?;
        let exec_context = self.inner.exec_context(&frame).await?;
        let mut html = self.inner.call(&exec_context, script::OuterHtml {}).await?;
        self.inner.guard().mask(&mut html);
        Ok(html)
    }

    /// The visible content of the current page and its frames as HTML with a few plain tags, secrets masked.
    ///
    /// # Errors
    /// If the page cannot be read.
    pub async fn readable(&self) -> Result<String, ActionFailure> {
        let tab = self.inner.current_tab()?;
        if let Some(dialog) = self.inner.state().dialogs.open_in(tab).cloned() {
            return Err(dialog_open(&dialog));
        }
        let mut html = String::new();
        for (at, frame) in self.inner.outer_frames(tab).iter().enumerate() {
            let read = async {
                let exec_context = self.inner.exec_context(frame).await?;
                self.inner.call(&exec_context, script::ReadableHtml { limit: READABLE }).await
            };
            match read.await {
                Ok(read) => html.push_str(&format!("<div>{read}</div>")),
                // A frame that was removed during the call is left out. An error of the main frame is returned.
                Err(_) if at > 0 => {}
                Err(trouble) => return Err(trouble.into()),
            }
        }
        self.inner.guard().mask(&mut html);
        Ok(html)
    }

    /// Waits for work that the session's actions started, unless [`Session::flush`] did so since the last action. Then
    /// closes the tabs and discards cookies and storage. Tabs of the user's own browser are released and stay as they
    /// are.
    ///
    /// # Errors
    /// If the browser does not close the session.
    pub async fn close(self) -> Result<(), BrowserError> {
        let pending = self.flush().await;
        if !pending.is_empty() {
            tracing::warn!(pending = pending.join("; "), "the session is closed although work is pending");
        }
        let limit = Duration::from_secs(5);
        let done = match &self.inner.context {
            Some(context) => self.inner.driver.close_context(context).within(limit).await,
            None if self.inner.is_relayed => {
                let tabs: Vec<SessionId> = self.inner.state().tabs.iter().map(|tab| tab.session().clone()).collect();
                tabs.iter().for_each(|tab| self.inner.driver.detach(tab));
                Ok(())
            }
            None => {
                let targets: Vec<String> = self.inner.state().tabs.iter().map(|tab| tab.target().to_owned()).collect();
                for target in targets {
                    // The tab may already be closed, which is fine.
                    let _ = self.inner.driver.close_tab(&target).within(limit).await;
                }
                Ok(())
            }
        };
        // The browser reports the closed tabs one by one; a page in an endless loop takes a moment longer. One that is
        // gone reports nothing.
        let is_over = |state: &mut SessionState| (state.tabs.is_empty() || state.gone.is_some()).then_some(());
        self.inner.until(Instant::now() + limit, is_over).await;
        self.closed.store(true, std::sync::atomic::Ordering::Relaxed);
        self.routes.remove(&self.inner);
        Ok(done?)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if !self.closed.load(std::sync::atomic::Ordering::Relaxed) {
            if let Some(context) = &self.inner.context {
                drop(self.inner.driver.close_context(context));
            }
            self.routes.remove(&self.inner);
        }
    }
}
