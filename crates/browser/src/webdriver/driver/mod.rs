//! The driver for classic WebDriver.

mod contexts;
mod input;
mod network;
mod pictures;
mod tabs;
mod worlds;

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock, Weak, atomic::AtomicU64},
};

use parking_lot::Mutex;

use super::{
    context::{Context, Queue},
    server::Servers,
};
use crate::{
    capabilities::Capabilities,
    driver::{Driver, DriverError, Pending, PictureSeries, SessionId},
    driver_event::{DriverEvent, Listener},
};

/// Browsers with WebKit, controlled through WebDriver. Each context is a browser of its own.
pub(crate) struct WebDriver {
    shared: Arc<Shared>,
}

/// What the driver and the tasks of its contexts share.
pub(super) struct Shared {
    servers: Servers,
    listener: Weak<dyn Listener>,
    contexts: Mutex<HashMap<String, Queue>>,
    /// The context of each tab.
    tabs: Mutex<HashMap<String, String>>,
    casts: Mutex<HashMap<SessionId, PictureSeries>>,
    /// The context that was opened to learn the version, for the first session without a proxy.
    spare: Mutex<Option<Context>>,
    ids: Arc<AtomicU64>,
    gone: OnceLock<Arc<str>>,
}

impl WebDriver {
    pub(crate) fn new(servers: Servers, listener: Weak<dyn Listener>) -> Self {
        let shared = Shared {
            servers,
            listener,
            contexts: Mutex::default(),
            tabs: Mutex::default(),
            casts: Mutex::default(),
            spare: Mutex::default(),
            ids: Arc::new(AtomicU64::new(1)),
            gone: OnceLock::new(),
        };
        WebDriver { shared: Arc::new(shared) }
    }

    /// The queue of the context that a tab is in.
    fn queue(&self, session: &str) -> Option<Queue> {
        let context = self.shared.tabs.lock().get(session).cloned()?;
        self.shared.contexts.lock().get(&context).cloned()
    }

    fn queue_of(&self, context: Option<&str>) -> Option<Queue> {
        self.shared.contexts.lock().get(context?).cloned()
    }
}

/// The answer of a command for a tab or a context that is gone.
fn gone<T: Send + 'static>() -> Pending<T> {
    Pending::new(async { Err(DriverError::TargetClosed) })
}

/// The answer of a command that the protocol does not have.
fn refused<T: Send + 'static>(reason: &'static str) -> Pending<T> {
    Pending::new(async move { Err(DriverError::Refused(reason.to_owned())) })
}

fn done() -> Pending<()> {
    Pending::new(async { Ok(()) })
}

impl Shared {
    pub(super) fn report(&self, session: Option<&str>, event: DriverEvent) {
        if let Some(listener) = self.listener.upgrade() {
            listener.on_event(session, event);
        }
    }

    pub(super) fn add_tab(&self, tab: &str, context: &str) {
        self.tabs.lock().insert(tab.to_owned(), context.to_owned());
    }

    pub(super) fn forget_tab(&self, tab: &str) {
        self.tabs.lock().remove(tab);
        self.casts.lock().remove(tab);
    }

    /// The session of a context has ended unexpectedly. The browser is gone with its last context; other contexts go
    /// on.
    pub(super) fn lost(&self, context: &str, reason: &str) {
        let is_last = {
            let mut contexts = self.contexts.lock();
            contexts.remove(context).is_some() && contexts.is_empty()
        };
        {
            let mut tabs = self.tabs.lock();
            tabs.retain(|_, of| of != context);
            self.casts.lock().retain(|tab, _| tabs.contains_key(&**tab));
        }
        if is_last {
            self.gone.get_or_init(|| reason.into());
            if let Some(listener) = self.listener.upgrade() {
                listener.gone(reason);
            }
        }
    }
}

impl Driver for WebDriver {
    fn capabilities(&self) -> Capabilities {
        Capabilities::WEBKIT
    }

    fn gone(&self) -> Option<Arc<str>> {
        self.shared.gone.get().cloned()
    }

    fn fail_session(&self, _session: &str, _error: DriverError) {
        // Who waits for a tab that is gone learns it when the task of its context forgets the tab.
    }
}
