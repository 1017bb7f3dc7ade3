//! Limits on the requests of a tab while an action has its effect in it. The [`Guard`](crate::Guard) of a session says which
//! addresses it may request at all; a limit concerns one action: what its page may send because of it, or where the
//! address that it opened may lead.
//!
//! Requests are paused only in tabs with a limit, so a session without rules pays for it with these actions alone. A limit
//! is replaced by that of the next action in the tab, and ends with a document on which it does not hold. A tab that a page
//! opens while its own tab has a limit has the same one.

use std::sync::Arc;

use legwork_protocol::{ActionFailure, PageEffect};
use url::Url;

use crate::{
    Capability, Session,
    driver_event::PausedRequest,
    guard::{LimitedRequest, LimitedTab, RequestDenial, RequestLimit},
    session_inner::SessionInner,
    state::SessionState,
    tabs::{Tab, Tabs},
};

impl Session {
    /// Sets the limit for the requests of a tab, or ends it. When this returns, the browser obeys it.
    ///
    /// # Errors
    /// If the browser does not answer: then an action that needs the limit must not be carried out.
    pub async fn limit_requests(
        &self,
        tab: LimitedTab,
        limit: Option<Arc<dyn RequestLimit>>,
    ) -> Result<(), ActionFailure> {
        let inner = &*self.inner;
        let limit = match (limit, self.require(Capability::Interception)) {
            (Some(limit), Err(missing)) if limit.is_required() => return Err(missing),
            (_, Err(_)) => None,
            (limit, Ok(())) => limit,
        };
        let on = limit.is_some();
        let (number, sessions, workers) = {
            let mut state = inner.state();
            let is_free = state.routes.is_empty() && !inner.guard().restricts();
            let workers = state.workers.clone();
            let current = state.tabs.current().map(Tab::number).filter(|_| tab == LimitedTab::Current);
            let Some(found) = current.and_then(|number| state.tabs.get_mut(number)) else {
                state.tabs.limit_next(limit);
                return Ok(());
            };
            *found.request_limit_mut() = limit;
            // Requests are paused in any case for rules and routes, and still are after an earlier limit.
            if !is_free || found.is_limit_intercepting() == on {
                return Ok(());
            }
            found.set_limit_intercepting(on);
            (found.number(), found.sessions(), workers)
        };
        for session in sessions {
            let told = inner.driver.intercept_requests(&session, on);
            Self::input_done(inner.answer(number, told, inner.options.timeouts.script).await)?;
        }
        // Not every kind of worker can be intercepted, and one may have ended.
        let told: Vec<_> = workers.iter().map(|worker| inner.driver.intercept_requests(worker, on)).collect();
        for told in told {
            let _ = told.within(inner.options.timeouts.script).await;
        }
        Ok(())
    }
}

impl Session {
    /// Ends the limits of all tabs, because a person operates the browser. Their tabs are still intercepted until the next
    /// change of a limit.
    pub fn end_request_limits(&self) {
        self.inner.state().tabs.iter_mut().for_each(|tab| *tab.request_limit_mut() = None);
    }
}

impl SessionInner {
    /// Checks a paused request against the limit of its tab. A worker may belong to any tab, so its requests are checked
    /// against the limits of all.
    pub(crate) fn check_limit(&self, session: &str, held: &PausedRequest) -> Result<(), RequestDenial> {
        let limits = self.state().limits_for(session);
        let Some(url) = Url::parse(&held.url).ok().filter(|_| !limits.is_empty()) else { return Ok(()) };
        let request = LimitedRequest {
            method: &held.method,
            url: &url,
            body: held.body.as_deref(),
            is_page: held.is_document
                && self.state().tabs.by_session(session).is_some_and(|tab| tab.frames().is_main(&held.frame)),
        };
        limits.iter().try_for_each(|limit| limit.allows(&request))
    }

    /// Reports a request that was refused, with the reason if the limit of an action refused it. A page does not learn
    /// what became of a beacon, so a refused one tells nothing about the action.
    pub(crate) fn note_blocked(&self, held: PausedRequest, by_limit: Option<RequestDenial>) {
        const MOST: usize = 200;
        if by_limit.is_some() && held.is_beacon {
            return;
        }
        let mut url = held.url;
        self.guard().mask(&mut url);
        let mut reason = by_limit.map(|denial| denial.reason).unwrap_or_default();
        self.guard().mask(&mut reason);
        let mut state = self.state();
        if state.effects.len() < MOST {
            state.effects.push(PageEffect::Blocked { url, reason });
        }
    }
}

impl SessionState {
    fn limits_for(&self, session: &str) -> Vec<Arc<dyn RequestLimit>> {
        match self.tabs.by_session(session) {
            Some(tab) => tab.request_limit().into_iter().cloned().collect(),
            None => self.tabs.iter().filter_map(Tab::request_limit).cloned().collect(),
        }
    }
}

impl Tabs {
    /// The limit of a tab that opens now.
    pub(crate) fn limit_for_new(&self, opener: Option<&str>) -> Option<Arc<dyn RequestLimit>> {
        if let (None, Some(limit)) = (opener, self.next_limit()) {
            return limit;
        }
        // The browser does not name the opener of a window without access to it (`rel=noopener`).
        let from = opener.and_then(|target| self.by_target(target)).or_else(|| self.current());
        from.and_then(Tab::request_limit).cloned()
    }
}
