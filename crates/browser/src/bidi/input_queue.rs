//! Input events of a tab, in order. The protocol takes lists of events, and carries out a list faster than the same
//! events one by one, so that whatever waits is sent together.

use tokio::sync::{mpsc, oneshot};

use super::driver::Inner;
use crate::{
    action_events::InputEvent,
    driver::{DriverError, Pending, SessionId},
};

/// Events that are carried out together.
pub(super) struct InputRequest {
    pub(super) events: Vec<InputEvent>,
    answer: oneshot::Sender<Result<(), DriverError>>,
}

pub(super) type InputQueue = mpsc::UnboundedSender<InputRequest>;

/// The most requests that are sent together.
const AT_ONCE: usize = 64;

/// Adds events to a queue.
pub(super) fn enqueue(queue: &InputQueue, events: Vec<InputEvent>) -> Pending<()> {
    let (answer, answered) = oneshot::channel();
    // If the queue has ended with its tab, the sender is dropped, which is the answer.
    let _ = queue.send(InputRequest { events, answer });
    Pending::new(async move { answered.await.unwrap_or(Err(DriverError::TargetClosed)) })
}

/// Starts the queue of a tab. It ends when its sender is dropped.
pub(super) fn start(inner: std::sync::Weak<Inner>, tab: SessionId) -> InputQueue {
    let (queue, mut requests) = mpsc::unbounded_channel::<InputRequest>();
    tokio::spawn(async move {
        let mut batch: Vec<InputRequest> = Vec::new();
        while requests.recv_many(&mut batch, AT_ONCE).await > 0 {
            let Some(inner) = inner.upgrade() else { return };
            let events: Vec<InputEvent> = batch.iter().flat_map(|request| request.events.iter().cloned()).collect();
            let done = inner.perform(&tab, &events).await;
            for request in batch.drain(..) {
                // The caller may have dropped the answer.
                let _ = request.answer.send(done.clone());
            }
        }
    });
    queue
}
