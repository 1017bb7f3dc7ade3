//! Leads each event of the browser to the session that it belongs to.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

use parking_lot::Mutex;

use crate::{
    driver::{Driver, DriverError, SessionId},
    driver_event::{DriverEvent, Listener},
    events::Change,
    session_inner::SessionInner,
};

/// Maps events to sessions.
#[derive(Default)]
pub(crate) struct SessionDispatcher {
    pub(crate) driver: OnceLock<Arc<dyn Driver>>,
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    sessions: Vec<Arc<SessionInner>>,
    by_wire: HashMap<String, Arc<SessionInner>>,
}

impl SessionDispatcher {
    fn table(&self) -> parking_lot::MutexGuard<'_, Table> {
        self.table.lock()
    }

    pub(crate) fn add(&self, inner: &Arc<SessionInner>) {
        self.table().sessions.push(Arc::clone(inner));
    }

    pub(crate) fn remove(&self, inner: &Arc<SessionInner>) {
        let mut table = self.table();
        table.sessions.retain(|other| !Arc::ptr_eq(other, inner));
        table.by_wire.retain(|_, other| !Arc::ptr_eq(other, inner));
    }

    pub(crate) fn sessions(&self) -> Vec<Arc<SessionInner>> {
        self.table().sessions.clone()
    }

    fn of_browser(&self, event: DriverEvent) {
        match event {
            DriverEvent::TabCreated(tab) => {
                let sessions = self.sessions();
                let owner = sessions.iter().find(|inner| match &inner.context {
                    Some(own) => tab.context.as_ref() == Some(own),
                    // This session uses the default context of a persistent profile, whose identifier the browser does
                    // not report.
                    None => true,
                });
                match owner {
                    Some(inner) => {
                        self.table().by_wire.insert(tab.session.to_string(), Arc::clone(inner));
                        inner.tab_came(tab);
                        inner.touch();
                    }
                    None => self.detach(&tab.session),
                }
            }
            DriverEvent::WorkerAttached { session, kind, url, context } => {
                let sessions = self.sessions();
                match sessions.iter().find(|inner| inner.context.is_none() || inner.context == context) {
                    Some(inner) => {
                        self.table().by_wire.insert(session.to_string(), Arc::clone(inner));
                        inner.worker_came(session, kind, url);
                    }
                    None => self.detach(&session),
                }
            }
            DriverEvent::SessionDetached { session } => {
                if let Some(inner) = self.forget(&session) {
                    {
                        let mut state = inner.state();
                        state.workers.retain(|worker| *worker.session != *session);
                        let own = state.tabs.iter().find(|tab| **tab.session() == *session);
                        if let Some((target, number)) = own.map(|tab| (tab.target().to_owned(), tab.number())) {
                            state.tab_closed(&target);
                            if let Some(user_events) = &inner.user_events {
                                user_events.tab_closed(number);
                            }
                        }
                    }
                    inner.release_workers();
                    inner.touch();
                }
            }
            DriverEvent::TabTitled { tab: target, title } => {
                for inner in self.sessions() {
                    let mut state = inner.state();
                    if let Some(tab) = state.tabs.by_target_mut(&target) {
                        tab.set_title(&title);
                    }
                }
            }
            DriverEvent::DownloadStarted { download, frame, url, name } => {
                let sessions = self.sessions();
                // The frame may already be gone. If there is only one session, the download belongs to it.
                let owner = sessions
                    .iter()
                    .find(|inner| inner.state().tabs.by_frame(&frame).is_some())
                    .or((sessions.len() == 1).then(|| &sessions[0]));
                if let Some(inner) = owner {
                    inner.download_begun(download, url, &name);
                    inner.touch();
                }
            }
            DriverEvent::DownloadProgress { download, size, state } => {
                for inner in self.sessions() {
                    if inner.download_progress(&download, size, state) {
                        inner.touch();
                    }
                }
            }
            _ => {}
        }
    }

    /// The page belongs to another client; it continues without being observed.
    fn detach(&self, session: &SessionId) {
        if let Some(driver) = self.driver.get() {
            driver.detach(session);
        }
    }

    fn forget(&self, wire_session: &str) -> Option<Arc<SessionInner>> {
        let inner = self.table().by_wire.remove(wire_session);
        if let Some(driver) = self.driver.get() {
            driver.fail_session(wire_session, DriverError::TargetClosed);
        }
        inner
    }
}

impl Listener for SessionDispatcher {
    fn on_event(&self, session: Option<&str>, event: DriverEvent) {
        let Some(session) = session else { return self.of_browser(event) };
        let inner = self.table().by_wire.get(session).cloned();
        let Some(inner) = inner else { return };
        match inner.on_event(session, event) {
            Some(Change::Came(child)) => {
                self.table().by_wire.insert(child.to_string(), inner);
            }
            Some(Change::Gone(child)) => {
                self.forget(&child);
            }
            None => {}
        }
    }

    fn gone(&self, reason: &str) {
        for inner in self.sessions() {
            inner.state().gone = Some(reason.to_owned());
            inner.touch();
        }
    }
}
