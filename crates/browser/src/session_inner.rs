//! The data that the parts of a session share: the driver, the state, and a way to wait for the state to change.

use std::{sync::Arc, time::Duration};

use legwork_protocol::TabInfo;
use parking_lot::{Mutex, MutexGuard};
use tokio::{sync::watch, time::Instant};

use crate::{
    Guard, SessionOptions,
    activity_log::Activity,
    driver::{Driver, SessionId},
    driver_event::ScreencastPicture,
    egress::EgressProxy,
    scripts::Scripts,
    state::SessionState,
    storage_state,
    tabs::Tab,
    user_event_queue::UserEventQueue,
};

/// The internals of a [`Session`](crate::Session), which its parts share.
pub(crate) struct SessionInner {
    pub(crate) driver: Arc<dyn Driver>,
    /// The browser context; `None` for the default context of a persistent profile.
    pub(crate) context: Option<String>,
    pub(crate) options: SessionOptions,
    pub(crate) scripts: Arc<Scripts>,
    /// A script that fills the local storage of pages, if the session began with entries for it.
    pub(crate) restore: Option<String>,
    pub(crate) headed: bool,
    /// Whether the tabs belong to the user: they were there before the session, stay open after it, and keep their
    /// cookies to themselves.
    pub(crate) is_relayed: bool,
    /// The proxy to the network, if rules restrict the session.
    pub(crate) egress: Option<Arc<EgressProxy>>,
    /// The newest picture of the tab that is being watched, and that tab's session.
    pub(crate) screencast: watch::Sender<Option<(SessionId, Arc<ScreencastPicture>)>>,
    /// The console lines and requests of pages. They have their own lock, so that reading them delays no event.
    pub(crate) activity: Mutex<Activity>,
    /// The number of the newest request for a change that pages sent.
    pub(crate) last_change: watch::Sender<u64>,
    /// The number of workers that have started and are not observed yet.
    pub(crate) starting_workers: watch::Sender<u32>,
    /// What a person does, if it is reported.
    pub(crate) user_events: Option<UserEventQueue>,
    state: Mutex<SessionState>,
    changed: watch::Sender<()>,
}

impl SessionInner {
    pub(crate) fn new(
        driver: Arc<dyn Driver>,
        context: Option<String>,
        options: SessionOptions,
        scripts: Arc<Scripts>,
        (headed, is_relayed): (bool, bool),
        egress: Option<Arc<EgressProxy>>,
    ) -> Self {
        let (changed, _) = watch::channel(());
        let mut state = SessionState::default();
        state.dialogs.are_left_to_person = options.reports_input;
        let user_events = options.reports_input.then(UserEventQueue::default);
        let restore = options.storage_state.as_ref().and_then(storage_state::restore_local);
        SessionInner {
            driver,
            context,
            options,
            scripts,
            restore,
            headed,
            is_relayed,
            egress,
            screencast: watch::channel(None).0,
            activity: Mutex::default(),
            last_change: watch::channel(0).0,
            starting_workers: watch::channel(0).0,
            user_events,
            state: Mutex::new(state),
            changed,
        }
    }

    pub(crate) fn guard(&self) -> &dyn Guard {
        &*self.options.guard
    }

    /// Locks the state. A caller that changes it must call [`SessionInner::touch`] afterwards.
    pub(crate) fn state(&self) -> MutexGuard<'_, SessionState> {
        self.state.lock()
    }

    /// The open tabs, secrets masked.
    pub(crate) fn tab_list(&self) -> Vec<TabInfo> {
        let mut tabs: Vec<TabInfo> = {
            let state = self.state();
            let current = state.tabs.current().map(Tab::number);
            let info = |tab: &Tab| TabInfo {
                number: tab.number(),
                title: tab.title().to_owned(),
                url: tab.url().to_owned(),
                current: Some(tab.number()) == current,
            };
            state.tabs.iter().map(info).collect()
        };
        for tab in &mut tabs {
            self.guard().mask(&mut tab.title);
            self.guard().mask(&mut tab.url);
        }
        tabs
    }

    /// Wakes all tasks that wait for the state.
    pub(crate) fn touch(&self) {
        self.changed.send_replace(());
    }

    /// Waits until `look` finds something in the state; `None` if it does not by the deadline.
    pub(crate) async fn until<T>(
        &self,
        deadline: Instant,
        mut look: impl FnMut(&mut SessionState) -> Option<T>,
    ) -> Option<T> {
        let mut changes = self.changed.subscribe();
        loop {
            changes.mark_unchanged();
            if let Some(found) = look(&mut self.state()) {
                return Some(found);
            }
            if tokio::time::timeout_at(deadline, changes.changed()).await.is_err() {
                return look(&mut self.state());
            }
        }
    }

    /// As [`SessionInner::until`], with a limit from now.
    pub(crate) async fn within<T>(
        &self,
        limit: Duration,
        look: impl FnMut(&mut SessionState) -> Option<T>,
    ) -> Option<T> {
        self.until(Instant::now() + limit, look).await
    }
}
