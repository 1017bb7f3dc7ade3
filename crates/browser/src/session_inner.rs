//! What the parts of a session share: the driver, the state, and how to wait for the state to change.

use std::{sync::Arc, time::Duration};

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
};

/// The session below its public face.
pub(crate) struct SessionInner {
    pub(crate) driver: Arc<dyn Driver>,
    /// The browser context; none for the profile's own.
    pub(crate) context: Option<String>,
    pub(crate) options: SessionOptions,
    pub(crate) scripts: Arc<Scripts>,
    /// Fills the local storage of pages, when the session began with some.
    pub(crate) restore: Option<String>,
    pub(crate) headed: bool,
    /// The only way to the network, where rules hold.
    pub(crate) egress: Option<Arc<EgressProxy>>,
    /// The newest picture of a tab that is being watched, and the tab's session.
    pub(crate) screencast: watch::Sender<Option<(SessionId, Arc<ScreencastPicture>)>>,
    /// What pages said and asked for. A lock of its own, so that reading it holds up no event.
    pub(crate) activity: Mutex<Activity>,
    /// How many workers have come and are not watched yet.
    pub(crate) starting_workers: watch::Sender<u32>,
    state: Mutex<SessionState>,
    changed: watch::Sender<()>,
}

impl SessionInner {
    pub(crate) fn new(
        driver: Arc<dyn Driver>,
        context: Option<String>,
        options: SessionOptions,
        scripts: Arc<Scripts>,
        headed: bool,
        egress: Option<Arc<EgressProxy>>,
    ) -> Self {
        let (changed, _) = watch::channel(());
        let restore = options.storage_state.as_ref().and_then(storage_state::restore_local);
        SessionInner {
            driver,
            context,
            options,
            scripts,
            restore,
            headed,
            egress,
            screencast: watch::channel(None).0,
            activity: Mutex::default(),
            starting_workers: watch::channel(0).0,
            state: Mutex::default(),
            changed,
        }
    }

    pub(crate) fn guard(&self) -> &dyn Guard {
        &*self.options.guard
    }

    /// Reads or writes the state; whoever writes tells it with [`SessionInner::touch`].
    pub(crate) fn state(&self) -> MutexGuard<'_, SessionState> {
        self.state.lock()
    }

    /// Wakes whoever waits for the state.
    pub(crate) fn touch(&self) {
        self.changed.send_replace(());
    }

    /// Waits until the state has what is looked for; `None` when it had not by then.
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

    /// As [`SessionInner::until`], for so long from now.
    pub(crate) async fn within<T>(
        &self,
        limit: Duration,
        look: impl FnMut(&mut SessionState) -> Option<T>,
    ) -> Option<T> {
        self.until(Instant::now() + limit, look).await
    }
}
