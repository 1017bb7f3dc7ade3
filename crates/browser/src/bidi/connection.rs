//! One connection to one browser. Commands are sent in the order in which they are made, and any number of them may be
//! pending. Events are passed to a single receiver on the reading task, in the order of the wire; the receiver must not
//! wait. A command to a tab that is gone fails instead of waiting forever.

use std::{
    collections::HashMap,
    sync::{
        Arc, OnceLock, Weak,
        atomic::{AtomicU64, Ordering},
    },
};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use crate::{
    driver::{DriverError, Pending, SessionId},
    transport::{Incoming, Transport},
};

/// Receives the events of a connection, on the reading task.
pub(super) trait Receiver: Send + Sync {
    fn on_event(&self, method: &str, params: &Value);
    /// The browser is gone, for this reason.
    fn on_closed(&self, reason: &str);
}

/// A connection; clones share it.
#[derive(Clone)]
pub(super) struct Connection {
    inner: Arc<Inner>,
}

struct Inner {
    /// The channel is unbounded: it holds at most the commands of waiting callers and the few that events cause.
    outbox: mpsc::UnboundedSender<Vec<u8>>,
    ids: AtomicU64,
    waiting: Mutex<HashMap<u64, PendingCommand>>,
    gone: OnceLock<Arc<str>>,
}

struct PendingCommand {
    session: Option<SessionId>,
    method: &'static str,
    answer: oneshot::Sender<Result<Value, DriverError>>,
}

#[derive(Serialize)]
struct OutgoingCommand<'a> {
    id: u64,
    method: &'static str,
    params: &'a Value,
}

/// Any message of the browser: the answer to a command, or an event.
#[derive(Deserialize)]
struct IncomingMessage {
    id: Option<u64>,
    method: Option<String>,
    #[serde(default)]
    params: Value,
    #[serde(default)]
    result: Value,
    error: Option<String>,
    #[serde(default)]
    message: String,
}

impl Connection {
    /// Starts reading and writing. The receiver is held weakly because it usually owns the connection.
    pub(super) fn open(transport: Transport, receiver: Weak<dyn Receiver>) -> Self {
        let (outbox, commands) = mpsc::unbounded_channel();
        let inner =
            Arc::new(Inner { outbox, ids: AtomicU64::new(1), waiting: Mutex::default(), gone: OnceLock::new() });
        tokio::spawn(transport.outgoing.send_all(commands));
        tokio::spawn(read(transport.incoming, Arc::downgrade(&inner), receiver));
        Connection { inner }
    }

    /// Sends a command now. Its answer may be awaited or dropped. With a session, the command fails when that tab is
    /// gone.
    pub(super) fn call(&self, session: Option<&SessionId>, method: &'static str, params: &Value) -> Pending<Value> {
        let id = self.inner.ids.fetch_add(1, Ordering::Relaxed);
        let message = serde_json::to_vec(&OutgoingCommand { id, method, params }).expect("JSON can be written");
        let (answer, answered) = oneshot::channel();
        self.inner.waiting.lock().insert(id, PendingCommand { session: session.cloned(), method, answer });
        // If the writer has ended, the message is dropped, and this check fails the call.
        if (self.inner.outbox.send(message).is_err() || self.inner.gone.get().is_some())
            && let Some(entry) = self.inner.waiting.lock().remove(&id)
        {
            let _ = entry.answer.send(Err(DriverError::Disconnected(self.reason())));
        }
        let connection = self.clone();
        Pending::new(
            async move { answered.await.unwrap_or_else(|_| Err(DriverError::Disconnected(connection.reason()))) },
        )
    }

    /// Fails all pending commands to a tab that will not answer any more.
    pub(super) fn fail_session(&self, session: &str, error: &DriverError) {
        let failed: Vec<PendingCommand> = {
            let mut waiting = self.inner.waiting.lock();
            waiting.extract_if(|_, entry| entry.session.as_deref() == Some(session)).map(|(_, entry)| entry).collect()
        };
        for entry in failed {
            // The caller may have dropped the answer.
            let _ = entry.answer.send(Err(error.clone()));
        }
    }

    /// The reason for which the browser is gone; `None` while it is connected.
    pub(super) fn gone(&self) -> Option<Arc<str>> {
        self.inner.gone.get().cloned()
    }

    fn reason(&self) -> Arc<str> {
        self.gone().unwrap_or_else(|| "it closed the connection".into())
    }
}

async fn read(mut incoming: Incoming, inner: Weak<Inner>, receiver: Weak<dyn Receiver>) {
    let reason = loop {
        let message = match incoming.next().await {
            Ok(Some(message)) => message,
            Ok(None) => break "it closed the connection".to_owned(),
            Err(error) => break error.to_string(),
        };
        let Some(inner) = inner.upgrade() else { return };
        match serde_json::from_slice::<IncomingMessage>(&message) {
            Ok(message) => deliver(message, &inner, &receiver),
            Err(error) => tracing::warn!(%error, "a message that is no protocol message"),
        }
    };
    if let Some(inner) = inner.upgrade() {
        let reason: Arc<str> = reason.into();
        inner.gone.get_or_init(|| reason.clone());
        let waiting = std::mem::take(&mut *inner.waiting.lock());
        for entry in waiting.into_values() {
            let _ = entry.answer.send(Err(DriverError::Disconnected(reason.clone())));
        }
        if let Some(receiver) = receiver.upgrade() {
            receiver.on_closed(&reason);
        }
    }
}

fn deliver(message: IncomingMessage, inner: &Inner, receiver: &Weak<dyn Receiver>) {
    if let Some(method) = &message.method {
        if let Some(receiver) = receiver.upgrade() {
            receiver.on_event(method, &message.params);
        }
        return;
    }
    let Some(entry) = message.id.and_then(|id| inner.waiting.lock().remove(&id)) else { return };
    let answer = match message.error {
        None => Ok(message.result),
        Some(code) => Err(error_of(entry.method, &code, &message.message)),
    };
    let _ = entry.answer.send(answer);
}

/// The error for an error response: its code as in the specification, and Firefox's message.
fn error_of(method: &str, code: &str, message: &str) -> DriverError {
    const GONE: [&str; 6] = [
        "no such frame",
        "no such handle",
        "no such node",
        "no such user context",
        "stale element reference",
        "no such window",
    ];
    // Firefox's messages for a document that was replaced while the command was carried out.
    const LEFT: [&str; 4] = ["AbortError", "destroyed before query", "has been discarded", "Document was destroyed"];
    if GONE.contains(&code) || LEFT.iter().any(|known| message.contains(known)) {
        return DriverError::TargetClosed;
    }
    DriverError::Refused(format!("{method}: {code}: {message}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_that_is_gone_is_told_apart_from_a_refusal() {
        assert_eq!(
            error_of("script.evaluate", "no such frame", "Realm with id 3 not found"),
            DriverError::TargetClosed
        );
        let left = "AbortError: Actor 'MessageHandlerFrame' destroyed before query 'sendCommand' was resolved";
        assert_eq!(error_of("script.evaluate", "unknown error", left), DriverError::TargetClosed);
        let refused = error_of("input.setFiles", "unable to set file input", "not multiple");
        assert_eq!(refused, DriverError::Refused("input.setFiles: unable to set file input: not multiple".to_owned()));
    }
}
