//! The driver for WebDriver BiDi.

mod contexts;
mod input;
mod network;
mod pictures;
mod pointer;
mod tabs;
mod worlds;

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
    time::Duration,
};

use parking_lot::Mutex;
use serde_json::{Value, json};

use super::{
    connection::{Connection, Receiver},
    events::{self, Reaction},
    input_queue::{self, InputQueue},
    state::State,
};
use crate::{
    action_events::InputEvent,
    capabilities::Capabilities,
    driver::{Driver, DriverError, Pending, PictureSeries, SessionId},
    driver_event::{DriverEvent, Listener},
    transport::Transport,
};

/// The names of Legwork's sandboxes: one is created together with its document; the other is created afterwards and
/// does not contain the bundle yet.
pub(super) const WORLD: &str = "legwork";
pub(super) const LATE_WORLD: &str = "legwork-late";
/// The sandbox for scripts of the driver itself, which the executor does not know.
const DRIVER_WORLD: &str = "legwork-driver";

/// How long a redirect response may be followed by its next request before it counts as one that is not followed.
const FOLLOWED: Duration = Duration::from_millis(250);

/// Firefox, controlled through WebDriver BiDi.
pub(crate) struct Bidi {
    inner: Arc<Inner>,
}

pub(super) struct Inner {
    connection: Connection,
    state: Mutex<State>,
    listener: Weak<dyn Listener>,
    queues: Mutex<HashMap<SessionId, InputQueue>>,
    casts: Mutex<HashMap<SessionId, PictureSeries>>,
    /// The frames in which a button is held, by tab.
    pointers: Mutex<HashMap<SessionId, pointer::PointerFrame>>,
    me: Weak<Inner>,
}

impl Bidi {
    /// `owns_windows`: all windows of the browser are Legwork's.
    pub(crate) fn new(transport: Transport, listener: Weak<dyn Listener>, owns_windows: bool) -> Self {
        let inner = Arc::new_cyclic(|me: &Weak<Inner>| Inner {
            connection: Connection::open(transport, me.clone() as Weak<dyn Receiver>),
            state: Mutex::new(State { owns_windows, ..State::default() }),
            listener,
            queues: Mutex::default(),
            casts: Mutex::default(),
            pointers: Mutex::default(),
            me: me.clone(),
        });
        Bidi { inner }
    }

    fn ask(&self, session: Option<&SessionId>, method: &'static str, params: &Value) -> Pending<Value> {
        self.inner.connection.call(session, method, params)
    }

    /// Sends a command whose result is not needed, only its completion.
    fn tell(&self, session: Option<&SessionId>, method: &'static str, params: &Value) -> Pending<()> {
        let answer = self.ask(session, method, params);
        Pending::new(async move { answer.await.map(drop) })
    }

    fn send(&self, session: &SessionId, method: &'static str, params: &Value) {
        drop(self.ask(Some(session), method, params));
    }

    fn state(&self) -> parking_lot::MutexGuard<'_, State> {
        self.inner.state.lock()
    }

    fn enqueue(&self, session: &SessionId, events: Vec<InputEvent>) -> Pending<()> {
        let mut queues = self.inner.queues.lock();
        let queue =
            queues.entry(session.clone()).or_insert_with(|| input_queue::start(self.inner.me.clone(), session.clone()));
        input_queue::enqueue(queue, events)
    }
}

impl Inner {
    /// Carries out input events. Firefox delivers keys only to the window that has the focus.
    pub(super) async fn perform(&self, tab: &SessionId, events: &[InputEvent]) -> Result<(), DriverError> {
        let is_active = self.state.lock().active.as_ref() == Some(tab);
        if !is_active {
            self.connection.call(Some(tab), "browsingContext.activate", &json!({ "context": &**tab })).await?;
            self.state.lock().active = Some(tab.clone());
        }
        if events.iter().any(|event| matches!(event, InputEvent::Wheel(_))) {
            // Wheel events pass through the browser's main process, which finds what is under the pointer by what was
            // drawn last.
            self.until_drawn(tab).await;
        }
        self.deliver(tab, events).await
    }

    /// Waits until the page has been drawn. A page that is left, or whose script blocks it, is not drawn.
    async fn until_drawn(&self, tab: &SessionId) {
        const LIMIT: Duration = Duration::from_millis(500);
        let drawn = json!({
            "expression": "new Promise(done=>requestAnimationFrame(()=>requestAnimationFrame(()=>done(0))))",
            "awaitPromise": true,
            "target": {"context": &**tab, "sandbox": DRIVER_WORLD},
        });
        let _ = self.connection.call(Some(tab), "script.evaluate", &drawn).within(LIMIT).await;
    }

    fn report(&self, session: Option<&str>, event: DriverEvent) {
        if let Some(listener) = self.listener.upgrade() {
            listener.on_event(session, event);
        }
    }

    fn react(&self, reaction: Reaction) {
        match reaction {
            Reaction::Event(session, event) => {
                if let DriverEvent::SessionDetached { session } = &event {
                    self.queues.lock().remove(&**session);
                    self.casts.lock().remove(&**session);
                    self.pointers.lock().remove(&**session);
                }
                self.report(session.as_deref(), event);
            }
            Reaction::Command(method, params) => drop(self.connection.call(None, method, &params)),
            Reaction::Title(tab) => {
                let read = json!({
                    "expression": "document.title", "awaitPromise": false,
                    "target": {"context": &*tab, "sandbox": DRIVER_WORLD},
                });
                let title = self.connection.call(Some(&tab), "script.evaluate", &read);
                let me = self.me.clone();
                tokio::spawn(async move {
                    let Ok(title) = title.await else { return };
                    if let (Some(me), Some(title)) = (me.upgrade(), title["result"]["value"].as_str()) {
                        me.report(None, DriverEvent::TabTitled { tab: tab.to_string(), title: title.to_owned() });
                    }
                });
            }
            Reaction::Redirect { tab, request, redirects, events } => {
                let me = self.me.clone();
                tokio::spawn(async move {
                    tokio::time::sleep(FOLLOWED).await;
                    let Some(me) = me.upgrade() else { return };
                    let events = events::unfollowed(&mut me.state.lock(), &request, redirects, events);
                    for event in events {
                        me.report(Some(&tab), event);
                    }
                });
            }
        }
    }
}

impl Receiver for Inner {
    fn on_event(&self, method: &str, params: &Value) {
        let reactions = events::read(&mut self.state.lock(), method, params);
        for reaction in reactions {
            self.react(reaction);
        }
    }

    fn on_closed(&self, reason: &str) {
        if let Some(listener) = self.listener.upgrade() {
            listener.gone(reason);
        }
    }
}

impl Driver for Bidi {
    fn capabilities(&self) -> Capabilities {
        Capabilities::FIREFOX
    }

    fn gone(&self) -> Option<Arc<str>> {
        self.inner.connection.gone()
    }

    fn fail_session(&self, session: &str, error: DriverError) {
        self.inner.connection.fail_session(session, &error);
    }
}
