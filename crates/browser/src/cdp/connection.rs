//! One connection to one browser. Commands are sent in the order in which they are made, and any number of them may be
//! pending. Answers are matched to their callers by id. Events are passed to a single sink on the reading task, and
//! thus in the order of the wire; the sink must not wait. Because of this order, every event before an answer has been
//! processed when the caller receives the answer. A command to a target that is gone or crashed fails instead of
//! waiting forever.

use std::{
    borrow::Cow,
    collections::HashMap,
    future::Future,
    marker::PhantomData,
    pin::Pin,
    sync::{
        Arc, OnceLock, Weak,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use thiserror::Error;
use tokio::sync::{mpsc, oneshot};

use crate::{
    driver::SessionId,
    driver_event::Listener,
    transport::{Incoming, Transport},
};

use super::{
    events,
    lossy::{self, decode},
    wire::Command,
};

/// Why a command has no answer.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub(crate) enum CallError {
    #[error("the browser is gone: {0}")]
    Gone(Arc<str>),
    #[error("the target is gone")]
    Detached,
    #[error("the target crashed")]
    Crashed,
    #[error("{method}: {message}")]
    Refused { method: &'static str, message: String },
    #[error("{method} was answered with something else: {problem}")]
    Garbled { method: &'static str, problem: String },
}

/// A connection; clones share it.
#[derive(Clone)]
pub(crate) struct Connection {
    inner: Arc<Inner>,
}

struct Inner {
    /// The channel is unbounded: it holds at most the commands of waiting callers and the few that events cause.
    outbox: mpsc::UnboundedSender<Vec<u8>>,
    ids: AtomicU64,
    waiting: Mutex<HashMap<u64, PendingCommands>>,
    gone: OnceLock<Arc<str>>,
}

struct PendingCommands {
    session: Option<SessionId>,
    answer: oneshot::Sender<Result<Vec<u8>, CallError>>,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    id: Option<u64>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "sessionId")]
    session: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outward<'a, C> {
    id: u64,
    method: &'static str,
    params: &'a C,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<&'a str>,
}

#[derive(Deserialize)]
struct CommandReply<R> {
    result: Option<R>,
    error: Option<WireError>,
}

#[derive(Deserialize)]
struct WireError {
    message: String,
}

impl Connection {
    /// Starts reading and writing. The sink is held weakly because it usually owns the connection.
    pub(crate) fn open(transport: Transport, sink: Weak<dyn Listener>) -> Self {
        let (outbox, commands) = mpsc::unbounded_channel();
        let inner =
            Arc::new(Inner { outbox, ids: AtomicU64::new(1), waiting: Mutex::default(), gone: OnceLock::new() });
        tokio::spawn(transport.outgoing.send_all(commands));
        tokio::spawn(read(transport.incoming, Arc::downgrade(&inner), sink));
        Connection { inner }
    }

    /// Sends a command now. The returned future may be awaited or dropped.
    pub(crate) fn call<C: Command>(&self, session: Option<&SessionId>, command: &C) -> PendingReply<C::Returns> {
        let id = self.inner.ids.fetch_add(1, Ordering::Relaxed);
        let message = Outward { id, method: C::METHOD, params: command, session_id: session.map(AsRef::as_ref) };
        let message = serde_json::to_vec(&message).expect("commands are plain structs with string keys");
        let (answer, answered) = oneshot::channel();
        self.waiting().insert(id, PendingCommands { session: session.cloned(), answer });
        // If the writer has ended, the message is dropped; `end` below, or this check, fails the call.
        if self.inner.outbox.send(message).is_err() || self.inner.gone.get().is_some() {
            self.fail(id, CallError::Gone(self.reason()));
        }
        PendingReply { id, method: C::METHOD, answered, connection: self.clone(), returns: PhantomData }
    }

    /// Fails all pending commands to a target that will not answer any more.
    pub(crate) fn fail_session(&self, session: &str, error: &CallError) {
        let mut failed = Vec::new();
        {
            let mut waiting = self.waiting();
            let ids: Vec<u64> = waiting
                .iter()
                .filter(|(_, entry)| entry.session.as_deref() == Some(session))
                .map(|(id, _)| *id)
                .collect();
            for id in ids {
                failed.extend(waiting.remove(&id));
            }
        }
        for entry in failed {
            // The caller may have dropped the future; the error is then not needed.
            let _ = entry.answer.send(Err(error.clone()));
        }
    }

    /// The reason for which the browser is gone; `None` while it is connected.
    pub(crate) fn gone(&self) -> Option<Arc<str>> {
        self.inner.gone.get().cloned()
    }

    fn reason(&self) -> Arc<str> {
        self.gone().unwrap_or_else(|| "it closed the connection".into())
    }

    fn fail(&self, id: u64, error: CallError) {
        let entry = self.waiting().remove(&id);
        if let Some(entry) = entry {
            let _ = entry.answer.send(Err(error));
        }
    }

    fn waiting(&self) -> parking_lot::MutexGuard<'_, HashMap<u64, PendingCommands>> {
        self.inner.waiting.lock()
    }
}

async fn read(mut incoming: Incoming, inner: Weak<Inner>, sink: Weak<dyn Listener>) {
    let reason = loop {
        let message = match incoming.next().await {
            Ok(Some(message)) => message,
            Ok(None) => break "it closed the connection".to_owned(),
            Err(error) => break error.to_string(),
        };
        let Some(inner) = inner.upgrade() else { return };
        if let Err(error) = deliver(message, &inner, &sink) {
            tracing::warn!(%error, "a message that is no protocol message");
        }
    };
    if let Some(inner) = inner.upgrade() {
        let reason: Arc<str> = reason.into();
        inner.gone.get_or_init(|| reason.clone());
        let waiting = std::mem::take(&mut *inner.waiting.lock());
        for entry in waiting.into_values() {
            let _ = entry.answer.send(Err(CallError::Gone(reason.clone())));
        }
        if let Some(sink) = sink.upgrade() {
            sink.gone(&reason);
        }
    }
}

fn deliver(message: Vec<u8>, inner: &Inner, sink: &Weak<dyn Listener>) -> serde_json::Result<()> {
    let envelope: Envelope<'_> = match serde_json::from_slice(&message) {
        Ok(envelope) => envelope,
        // The repaired bytes are valid UTF-8 and are parsed now, or the second attempt reports the error.
        Err(_) if std::str::from_utf8(&message).is_err() => return deliver(lossy::mend(&message), inner, sink),
        Err(error) => return Err(error),
    };
    if let Some(id) = envelope.id {
        let entry = inner.waiting.lock().remove(&id);
        if let Some(entry) = entry {
            let _ = entry.answer.send(Ok(message));
        }
    } else if let (Some(method), Some(params)) = (&envelope.method, envelope.params)
        && let Some(event) = events::read(envelope.session.as_deref(), method, params)
        && let Some(sink) = sink.upgrade()
    {
        sink.on_event(envelope.session.as_deref(), event);
    }
    Ok(())
}

/// The future answer to a command.
pub(crate) struct PendingReply<R> {
    id: u64,
    method: &'static str,
    answered: oneshot::Receiver<Result<Vec<u8>, CallError>>,
    connection: Connection,
    returns: PhantomData<fn() -> R>,
}

impl<R: DeserializeOwned> Future for PendingReply<R> {
    type Output = Result<R, CallError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let method = self.method;
        Pin::new(&mut self.answered).poll(context).map(|answered| {
            let message = answered.unwrap_or_else(|_| Err(CallError::Gone(self.connection.reason())))?;
            let garbled = |problem: String| CallError::Garbled { method, problem };
            let answer: CommandReply<R> = decode(&message).map_err(|error| garbled(error.to_string()))?;
            match (answer.result, answer.error) {
                (_, Some(error)) => Err(CallError::Refused { method, message: error.message }),
                (Some(result), None) => Ok(result),
                (None, None) => Err(garbled("neither result nor error".to_owned())),
            }
        })
    }
}

impl<R> Drop for PendingReply<R> {
    fn drop(&mut self) {
        self.connection.waiting().remove(&self.id);
    }
}
