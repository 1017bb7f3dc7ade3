//! Limits on the requests of a tab while an action has its effect in it. The [`Guard`](crate::Guard) of a session says
//! which addresses it may request at all; a limit concerns one action: what its page may send because of it, or where
//! the address that it opened may lead.
//!
//! Requests are paused only in tabs with a limit, so a session without rules pays for it with these actions alone. A
//! limit is replaced by that of the next action in the tab, and ends with a document on which it does not hold. A tab
//! that a page opens while its own tab has a limit has the same one.
//!
//! Pages of different tabs can pass messages to each other, so a limit is also set in every other tab in which it has
//! to hold ([`RequestLimit::in_other_tab`]). Shared and service workers belong to all tabs: they are limited while any
//! tab is.

use std::sync::Arc;

use legwork_protocol::{ActionFailure, PageEffect};
use url::Url;

use crate::{
    Capability, Session,
    driver::{DriverError, Pending},
    driver_event::{PausedRequest, WorkerKind},
    guard::{LimitedRequest, LimitedTab, RequestDenial, RequestLimit},
    session_inner::SessionInner,
    state::{SessionState, Worker},
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
        let (current, changes, workers) = {
            let mut state = inner.state();
            // Requests are paused in any case for rules and routes.
            let is_free = state.routes.is_empty() && !inner.guard().restricts();
            let current = state.tabs.current().map(Tab::number).filter(|_| tab == LimitedTab::Current);
            let Some(current) = current else {
                state.tabs.limit_next(limit);
                return Ok(());
            };
            let mut changes = Vec::new();
            for tab in state.tabs.iter_mut() {
                if tab.number() == current {
                    *tab.request_limit_mut() = limit.clone();
                } else if let Some(other) = limit.as_ref().and_then(|limit| limit.in_other_tab(tab.url())) {
                    *tab.request_limit_mut() = Some(other);
                }
                let on = tab.request_limit().is_some();
                // They still are after an earlier limit.
                if is_free && tab.is_limit_intercepting() != on {
                    tab.set_limit_intercepting(on);
                    changes.push((tab.number(), tab.sessions(), on));
                }
            }
            (current, changes, state.changed_workers())
        };
        for (number, sessions, on) in changes {
            for session in sessions {
                let told = inner.driver.intercept_requests(&session, on);
                match Self::input_done(inner.answer(number, told, inner.options.timeouts.script).await) {
                    // The page of another tab that crashed sends nothing.
                    Err(ActionFailure::Crashed) if number != current => {}
                    done => done?,
                }
            }
        }
        let told: Vec<_> = workers.iter().map(|worker| inner.tell_worker(worker)).collect();
        for (worker, told) in workers.iter().zip(told) {
            let Err(error) = told.within(inner.options.timeouts.script).await else { continue };
            let is_gone = matches!(error, DriverError::TargetClosed | DriverError::Disconnected(_));
            if !is_gone && worker.is_limited {
                // A worker that does not obey the limit could send what the action must not.
                let blocked = inner.driver.block_requests(&worker.session, true);
                blocked.within(inner.options.timeouts.script).await.map_err(|error| ActionFailure::Refused {
                    reason: format!("the requests of a worker of the page cannot be limited: {error}"),
                })?;
            }
        }
        Ok(())
    }
}

impl SessionInner {
    /// Begins or ends the limitation of a worker. The requests of a shared worker cannot be judged, so none is sent
    /// meanwhile.
    pub(crate) fn tell_worker(&self, worker: &Worker) -> Pending<()> {
        match worker.kind {
            WorkerKind::Dedicated => Pending::new(async { Ok(()) }),
            WorkerKind::Service => self.driver.intercept_requests(&worker.session, worker.is_limited),
            WorkerKind::Shared => self.driver.block_requests(&worker.session, worker.is_limited),
        }
    }

    /// Ends the limitation of workers after the limits of tabs have ended.
    pub(crate) fn release_workers(&self) {
        let mut state = self.state();
        if !state.workers.iter().any(|worker| worker.is_limited) {
            return;
        }
        for worker in state.changed_workers() {
            drop(self.tell_worker(&worker));
        }
    }
}

impl Session {
    /// Ends the limits of all tabs, because a person operates the browser. Their tabs are still intercepted until the
    /// next change of a limit.
    pub fn end_request_limits(&self) {
        self.inner.state().tabs.iter_mut().for_each(|tab| *tab.request_limit_mut() = None);
        self.inner.release_workers();
    }
}

impl SessionInner {
    /// Checks a paused request against the limit of its tab. A worker may belong to any tab, so its requests are
    /// checked against the limits of all.
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
    /// The workers whose limitation begins or ends with the current limits of the tabs, after the change.
    fn changed_workers(&mut self) -> Vec<Worker> {
        let mut changed = Vec::new();
        for worker in &mut self.workers {
            let is_limited = self.tabs.limit_worker(worker);
            if worker.is_limited != is_limited {
                worker.is_limited = is_limited;
                changed.push(worker.clone());
            }
        }
        changed
    }

    fn limits_for(&self, session: &str) -> Vec<Arc<dyn RequestLimit>> {
        match self.tabs.by_session(session) {
            Some(tab) => tab.request_limit().into_iter().cloned().collect(),
            None => self.tabs.iter().filter_map(Tab::request_limit).cloned().collect(),
        }
    }
}

impl Tabs {
    /// Whether a worker must be limited. A shared worker is, if a tab of its site would be.
    pub(crate) fn limit_worker(&self, worker: &Worker) -> bool {
        let mut limits = self.iter().filter_map(Tab::request_limit);
        match worker.kind {
            WorkerKind::Dedicated => false,
            WorkerKind::Service => limits.next().is_some(),
            WorkerKind::Shared => {
                let url = worker.url.strip_prefix("blob:").unwrap_or(&worker.url);
                limits.any(|limit| limit.in_other_tab(url).is_some())
            }
        }
    }

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
